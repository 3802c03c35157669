; SPDX-License-Identifier: MIT
; The swizzled descriptor of the gfx90a stack: soffset counts bytes of the wave.
; SOURCE derived
; INIT v1 = 100 + lane
; INIT v2 = 8
; INIT s32 = 256
; EXPECT scratch[64..127] = 100 + (i & 63)
; EXPECT scratch[192..255] = 100 + (i & 63)
; EXPECT v3 = 100 + lane
	s_mov_b32 s4, 0
	s_mov_b32 s5, 0x80000000
	s_mov_b32 s6, 0
	s_mov_b32 s7, 0x00e00000
	buffer_store_dword v1, off, s[4:7], s32
	buffer_store_dword v1, v2, s[4:7], s32 offen
	buffer_load_dword v3, off, s[4:7], 0 offset:4
