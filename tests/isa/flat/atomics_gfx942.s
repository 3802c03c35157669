; SPDX-License-Identifier: MIT
; SOURCE manual
; TARGETS gfx942
; INIT global[0] = 5
; INIT global[4] = 7
; INIT global[5] = 0
; INIT global[8] = f16(1) | f16(2) << 16
; INIT global[12] = f32(1.5)
; INIT exec = 1
; INIT v2 = 9
; INIT v3 = 5
; INIT v4 = 1
; INIT v6 = f16(0.5) | f16(0.25) << 16
; INIT v8 = f32(2.0)
; EXPECT v10[0] = 5
; EXPECT global[0] = 9
; EXPECT v12[0] = 7
; EXPECT v13[0] = 0
; EXPECT global[4] = 8
; EXPECT global[8] = f16(1.5) | f16(2.25) << 16
; EXPECT global[12] = f32(3.5)
	v_mov_b32 v1, 0
	global_atomic_cmpswap v10, v1, v[2:3], s[0:1] sc0
	global_atomic_add_x2 v[12:13], v1, v[4:5], s[0:1] offset:16 sc0
	global_atomic_pk_add_f16 v1, v6, s[0:1] offset:32
	global_atomic_add_f32 v1, v8, s[0:1] offset:48
