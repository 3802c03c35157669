; SPDX-License-Identifier: MIT
; Every lane on one address: sums, extremes, old values of exchanges; then single-lane forms.
; SOURCE manual
; INIT lds[0] = 100
; INIT lds[1] = 50
; INIT lds[2] = 50
; INIT lds[3] = 0
; INIT lds[4] = f32(0.5)
; INIT lds[10] = 5
; INIT lds[11] = 9
; INIT lds[12] = 9
; INIT lds[13] = 0xffffffff
; INIT lds[14] = 3
; INIT lds[16] = 0xffffffff
; INIT lds[17] = 0
; INIT v1 = 0
; INIT v2 = lane
; INIT v3 = f32(0.25)
; EXPECT lds[0] = 100 + 63 * 32
; EXPECT lds[1] = 0
; EXPECT lds[2] = 63
; EXPECT lds[3] = 63
; EXPECT lds[4] = f32(16.5)
; EXPECT v10[0] = 5
; EXPECT lds[10] = 77
; EXPECT v11[0] = 9
; EXPECT lds[11] = 9
; EXPECT v12[0] = 9
; EXPECT lds[12] = 0
; EXPECT v13[0] = 0xffffffff
; EXPECT lds[13] = 5
; EXPECT lds[14] = 4
; EXPECT v14[0] = 0xffffffff
; EXPECT v15[0] = 0
; EXPECT lds[16] = 4
; EXPECT lds[17] = 1
	ds_add_u32 v1, v2
	ds_min_i32 v1, v2 offset:4
	ds_max_u32 v1, v2 offset:8
	ds_or_b32 v1, v2 offset:12
	ds_add_f32 v1, v3 offset:16
	s_mov_b64 exec, 1
	v_mov_b32 v4, 5
	v_mov_b32 v5, 77
	ds_cmpst_rtn_b32 v10, v1, v4, v5 offset:40
	ds_cmpst_rtn_b32 v11, v1, v4, v5 offset:44
	ds_inc_rtn_u32 v12, v1, v4 offset:48
	ds_dec_rtn_u32 v13, v1, v4 offset:52
	ds_rsub_u32 v1, v0 offset:56
	v_mov_b32 v6, 1
	ds_rsub_u32 v1, v6 offset:56
	v_mov_b32 v20, 5
	v_mov_b32 v21, 0
	ds_add_rtn_u64 v[14:15], v1, v[20:21] offset:64
