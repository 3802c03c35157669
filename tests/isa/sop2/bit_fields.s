; SPDX-License-Identifier: MIT
; SOURCE manual
; INIT s2 = 0xfedcba98
; INIT s3 = 0x76543210
; EXPECT s10 = 0xba9
; EXPECT s11 = 0xfffffba9
; EXPECT s12 = 0x10fedcba
; EXPECT s13 = 0x32
; EXPECT s14 = 0x10fedcba
; EXPECT s15 = 0x32
; EXPECT s16 = 0x0ff0
; EXPECT s17 = 0
; EXPECT s18 = 0xc0000000
; EXPECT s19 = 0x3
; EXPECT s20 = 0xfed
; EXPECT scc = 1
	s_bfe_u32 s10, s2, 0x000c0004
	s_bfe_i32 s11, s2, 0x000c0004
	s_bfe_u64 s[12:13], s[2:3], 0x00280008
	s_bfe_i64 s[14:15], s[2:3], 0x00280008
	s_bfm_b32 s16, 8, 4
	s_bfe_u32 s17, s2, 0x00000004
	s_bfm_b64 s[18:19], 4, 30
	s_bfe_u32 s20, s2, 0x00200014
