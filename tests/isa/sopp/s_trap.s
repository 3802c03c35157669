; SPDX-License-Identifier: MIT
; SOURCE derived
; FAULT trap
; EXPECT s2 = 1
	s_mov_b32 s2, 1
	s_trap 2
	s_mov_b32 s2, 2
