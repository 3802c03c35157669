; SPDX-License-Identifier: MIT
; Dwords beyond the descriptor's range read as zero.
; SOURCE manual
; INIT global[0..63] = i + 1000
; INIT s6 = 40
; EXPECT s10 = 1002
; EXPECT s12 = 1008
; EXPECT s13 = 1009
; EXPECT s14 = 0
; EXPECT s15 = 0
	s_mov_b64 s[4:5], s[0:1]
	s_mov_b32 s7, 0
	s_buffer_load_dword s10, s[4:7], 0x8
	s_buffer_load_dwordx4 s[12:15], s[4:7], 0x20
