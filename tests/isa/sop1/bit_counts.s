; SPDX-License-Identifier: MIT
; SOURCE manual
; INIT s2 = 0x00f0f000
; INIT s3 = 0x80000000
; INIT s4 = 0xfffffff0
; EXPECT s10 = 8
; EXPECT s11 = 24
; EXPECT s12 = 12
; EXPECT s13 = 0
; EXPECT s14 = 8
; EXPECT s15 = 28
; EXPECT s16 = -1
; EXPECT s17 = 9
; EXPECT s18 = 0x000f0f00
; EXPECT s19 = 63
; EXPECT s20 = 55
; EXPECT s21 = 0xffffff80
; EXPECT s22 = 0xfffff000
; EXPECT s24 = 0x28
; EXPECT s26 = 0x00ff00ff
; EXPECT s28 = 0x00ff00ff
; EXPECT s30 = 0x28
; EXPECT s32 = 0xff000000
; EXPECT s33 = 0x0000ff00
	s_bcnt1_i32_b32 s10, s2
	s_bcnt0_i32_b32 s11, s2
	s_ff1_i32_b32 s12, s2
	s_ff0_i32_b32 s13, s2
	s_flbit_i32_b32 s14, s2
	s_flbit_i32 s15, s4
	s_ff1_i32_b32 s16, 0
	s_bcnt1_i32_b64 s17, s[2:3]
	s_brev_b32 s18, s2
	s_mov_b64 s[36:37], 0x80000000
	s_lshl_b64 s[36:37], s[36:37], 32
	s_ff1_i32_b64 s19, s[36:37]
	s_bcnt0_i32_b64 s20, s[2:3]
	s_sext_i32_i8 s21, 0x12345680
	s_sext_i32_i16 s22, s2
	s_mov_b32 s24, 0x28
	s_quadmask_b32 s25, s2
	s_mov_b32 s24, s25
	s_mov_b32 s27, 0x00120048
	s_wqm_b32 s26, s27
	s_mov_b32 s28, s26
	s_mov_b32 s30, 0x28
	s_bitreplicate_b64_b32 s[32:33], s2
