; SPDX-License-Identifier: MIT
; Lanes without a source keep their destination, or read 0 with bound_ctrl.
; SOURCE manual
; INIT v1 = 100 + lane
; INIT v2 = 7
; INIT v3 = 7
; INIT v4 = 7
; INIT v5 = 7
; INIT v6 = 7
; EXPECT v2 = (lane & 15) < 2 ? 7 : 100 + lane - 2
; EXPECT v3 = (lane & 15) < 2 ? 0 : 100 + lane - 2
; EXPECT v4 = (lane & 15) > 12 ? 7 : 100 + lane + 3
; EXPECT v5 = lane == 0 ? 7 : 100 + lane - 1
; EXPECT v6 = lane == 63 ? 0 : 100 + lane + 1
	v_mov_b32_dpp v2, v1 row_shr:2 row_mask:0xf bank_mask:0xf
	v_mov_b32_dpp v3, v1 row_shr:2 row_mask:0xf bank_mask:0xf bound_ctrl:0
	v_mov_b32_dpp v4, v1 row_shl:3 row_mask:0xf bank_mask:0xf
	v_mov_b32_dpp v5, v1 wave_shr:1 row_mask:0xf bank_mask:0xf
	v_mov_b32_dpp v6, v1 wave_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:0
