; SPDX-License-Identifier: MIT
; SOURCE manual
; INIT v1 = 100 + lane
; EXPECT v2 = 100 + (lane & ~3) + (3 - (lane & 3))
; EXPECT v3 = 100 + (lane & ~3) + 1
; EXPECT v4 = 100 + (lane & ~15) + 15 - (lane & 15)
; EXPECT v5 = 100 + (lane ^ 7)
; EXPECT v6 = 100 + (lane & ~15) + ((lane - 3) & 15)
; EXPECT v7 = 100 + (lane & ~15) + 5
	v_mov_b32_dpp v2, v1 quad_perm:[3,2,1,0] row_mask:0xf bank_mask:0xf
	v_mov_b32_dpp v3, v1 quad_perm:[1,1,1,1] row_mask:0xf bank_mask:0xf
	v_mov_b32_dpp v4, v1 row_mirror row_mask:0xf bank_mask:0xf
	v_mov_b32_dpp v5, v1 row_half_mirror row_mask:0xf bank_mask:0xf
	v_mov_b32_dpp v6, v1 row_ror:3 row_mask:0xf bank_mask:0xf
	v_mov_b32_dpp v7, v1 row_newbcast:5 row_mask:0xf bank_mask:0xf
