; SPDX-License-Identifier: MIT
; SOURCE manual
; INIT s2 = 0x00000100
; INIT s3 = 0x00000001
; EXPECT s10 = 1
; EXPECT s11 = 0
; EXPECT s12 = 1
; EXPECT s13 = 1
	s_bitcmp1_b32 s2, 8
	s_cselect_b32 s10, 1, 0
	s_bitcmp0_b32 s2, 40
	s_cselect_b32 s11, 1, 0
	s_bitcmp1_b64 s[2:3], 32
	s_cselect_b32 s12, 1, 0
	s_cmp_lg_u64 s[2:3], 0
	s_cselect_b32 s13, 1, 0
