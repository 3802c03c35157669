; SPDX-License-Identifier: MIT
; SOURCE manual
; INIT s2 = 0x7fffffff
; INIT s3 = 0xffff8000
; EXPECT s2 = 0x80000001
; EXPECT s4 = 1
; EXPECT s5 = 0xffff8000
; EXPECT s6 = 1
; EXPECT s7 = 0
; EXPECT s8 = -21
; EXPECT s9 = 17
	s_addk_i32 s2, 2
	s_cselect_b32 s4, 1, 0
	s_movk_i32 s5, 0x8000
	s_cmpk_eq_i32 s3, 0x8000
	s_cselect_b32 s6, 1, 0
	s_cmpk_eq_u32 s3, 0x8000
	s_cselect_b32 s7, 1, 0
	s_movk_i32 s8, 7
	s_mulk_i32 s8, -3
	s_movk_i32 s9, 17
	s_cmovk_i32 s9, 5
