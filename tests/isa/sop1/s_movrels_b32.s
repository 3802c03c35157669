; SPDX-License-Identifier: MIT
; SOURCE manual
; INIT s20 = 100
; INIT s23 = 103
; INIT m0 = 3
; EXPECT s4 = 103
; EXPECT s33 = 55
; EXPECT s40 = 0
; EXPECT s41 = 0x80
	s_movrels_b32 s4, s20
	s_movreld_b32 s30, 55
	s_mov_b32 s40, 0x10
	s_bitset0_b32 s40, 4
	s_bitset1_b64 s[40:41], 39
