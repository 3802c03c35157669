; SPDX-License-Identifier: MIT
; SOURCE manual
; INIT v1 = lane + 7
; EXPECT a5 = lane + 7
; EXPECT a6 = lane + 7
; EXPECT v2 = lane + 7
; EXPECT a7 = 64
	v_accvgpr_write_b32 a5, v1
	s_nop 1
	v_accvgpr_mov_b32 a6, a5
	v_accvgpr_read_b32 v2, a6
	v_accvgpr_write_b32 a7, 64
