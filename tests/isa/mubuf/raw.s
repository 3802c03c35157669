; SPDX-License-Identifier: MIT
; Raw buffer: reads outside give 0, stores outside do nothing.
; SOURCE manual
; INIT global[0..63] = i + 1
; INIT v1 = lane * 4
; INIT v5 = 77
; EXPECT v2 = lane < 40 ? lane + 1 : 0
; EXPECT v3 = lane < 38 ? lane + 3 : 0
; EXPECT v4 = 5
; EXPECT global[0..39] = 77
; EXPECT global[40..63] = i + 1
	s_mov_b64 s[4:5], s[0:1]
	s_mov_b32 s6, 160
	s_mov_b32 s7, 0x00027000
	buffer_load_dword v2, v1, s[4:7], 0 offen
	buffer_load_dword v3, v1, s[4:7], 4 offen offset:4
	buffer_load_dword v4, off, s[4:7], 0 offset:16
	buffer_store_dword v5, v1, s[4:7], 0 offen
