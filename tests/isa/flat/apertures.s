; SPDX-License-Identifier: MIT
; Flat addresses in the shared and private apertures.
; SOURCE derived
; INIT lds[0..63] = i + 500
; INIT v2 = lane * 4
; INIT v4 = 16
; INIT v6 = 3000 + lane
; EXPECT v10 = lane + 500
; EXPECT v11 = 3000 + lane
; EXPECT scratch[256..319] = 3000 + (i & 63)
; EXPECT lds[64..127] = 3000 + (i & 63)
	s_mov_b64 s[2:3], src_shared_base
	s_mov_b64 s[4:5], src_private_base
	v_mov_b32 v3, s3
	flat_load_dword v10, v[2:3]
	v_mov_b32 v5, s5
	flat_store_dword v[4:5], v6
	flat_load_dword v11, v[4:5]
	flat_store_dword v[2:3], v6 offset:256
