; SPDX-License-Identifier: MIT
; SOURCE manual
; INIT global[0..255] = i + 1
; INIT v1 = lane * 4
; INIT v20 = 0xffffffff
; EXPECT v2 = lane + 1
; EXPECT v3 = lane + 65
; EXPECT v6 = lane + 2
; EXPECT v7 = (lane + 4) & 255
; EXPECT v8 = lane + 17
; EXPECT v9 = lane + 18
; EXPECT v20 = 0xffff0000 + lane + 3
; EXPECT global[512..575] = i - 512 + 2
; EXPECT global[600] = 64
	global_load_dword v2, v1, s[0:1]
	global_load_dword v3, v1, s[0:1] offset:256
	v_mov_b32 v5, s1
	v_add_co_u32 v4, vcc, s0, v1
	v_addc_co_u32 v5, vcc, 0, v5, vcc
	global_load_dword v6, v[4:5], off offset:4
	global_load_ubyte v7, v[4:5], off offset:12
	v_add_co_u32 v10, vcc, 0x80, v4
	v_addc_co_u32 v11, vcc, 0, v5, vcc
	global_load_dwordx2 v[8:9], v[10:11], off offset:-64
	global_load_short_d16 v20, v[4:5], off offset:8
	global_store_dword v1, v6, s[0:1] offset:2048
	v_mov_b32 v12, 0
	v_mov_b32 v13, 1
	global_atomic_add v12, v13, s[0:1] offset:2400
