; SPDX-License-Identifier: MIT
; SOURCE derived
; INIT v1 = 100 + lane
; INIT s4 = 8
; INIT v3 = 12
; EXPECT scratch[64..127] = 100 + (i & 63)
; EXPECT v2 = 100 + lane
; EXPECT scratch[192..255] = 100 + (i & 63)
; EXPECT v4 = (100 + lane) & 255
	s_mov_b32 s5, 4
	scratch_store_dword off, v1, s5
	scratch_load_dword v2, off, s4 offset:-4
	scratch_store_dword v3, v1, off
	scratch_load_ubyte v4, v3, off
