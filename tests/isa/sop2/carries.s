; SPDX-License-Identifier: MIT
; SOURCE manual
; INIT s2 = 0xffffffff
; INIT s3 = 0x7fffffff
; EXPECT s10 = 1
; EXPECT s11 = 0x80000000
; EXPECT s12 = 0xfffffffe
; EXPECT s13 = 0xffffffff
; EXPECT s14 = 0x80000000
; EXPECT s15 = 1
; EXPECT s16 = 0x80000000
; EXPECT s17 = 1
; EXPECT s18 = 0xfffffffb
; EXPECT s19 = 1
; EXPECT s20 = 5
; EXPECT s21 = 1
; EXPECT s22 = 0x3fffffff
; EXPECT s23 = 0xffffffff
; EXPECT s24 = 0xffff7fff
; EXPECT s25 = 0x7fffffff
	s_add_u32 s10, s2, 2
	s_addc_u32 s11, s3, 0
	s_sub_u32 s12, 1, 3
	s_subb_u32 s13, 0, 0
	s_add_i32 s14, s3, 1
	s_cselect_b32 s15, 1, 0
	s_sub_i32 s16, s3, s2
	s_cselect_b32 s17, 1, 0
	s_lshl2_add_u32 s18, s2, -1
	s_cselect_b32 s19, 1, 0
	s_absdiff_i32 s20, -2, 3
	s_cselect_b32 s21, 1, 0
	s_mul_hi_u32 s22, s2, 0x40000000
	s_mul_hi_i32 s23, s2, 0x40000000
	s_pack_lh_b32_b16 s24, s3, s3
	s_pack_lh_b32_b16 s25, s2, s3
	s_pack_hh_b32_b16 s24, s3, s2
