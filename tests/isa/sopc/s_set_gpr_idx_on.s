; SPDX-License-Identifier: MIT
; SOURCE manual
; INIT v10 = 1000 + lane
; INIT v13 = 1300 + lane
; INIT s2 = 3
; EXPECT v1 = 1300 + lane
; EXPECT v23 = 7
; EXPECT v2 = 1000 + lane
	s_set_gpr_idx_on s2, gpr_idx(SRC0)
	v_mov_b32 v1, v10
	s_set_gpr_idx_mode gpr_idx(DST)
	v_mov_b32 v20, 7
	s_set_gpr_idx_off
	v_mov_b32 v2, v10
