; SPDX-License-Identifier: MIT
; Row and bank masks, inactive source lanes, a carry with DPP.
; SOURCE manual
; INIT v1 = lane
; INIT v2 = 1000
; INIT v3 = 1000
; INIT v4 = 1000
; EXPECT v2[0..15,32..47] = 1000
; EXPECT v2[16..31,48..63] = lane ^ 1
; EXPECT v3 = (lane & 4) == 0 ? lane ^ 1 : 1000
; EXPECT v4[0,2,4,6] = 1000
; EXPECT v4[1,3,5] = 1000
	v_mov_b32_dpp v2, v1 quad_perm:[1,0,3,2] row_mask:0xa bank_mask:0xf
	v_mov_b32_dpp v3, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0x5
	s_mov_b64 exec, 0x55
	v_mov_b32_dpp v4, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf
