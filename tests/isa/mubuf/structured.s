; SPDX-License-Identifier: MIT
; Structured buffer: ten records of 12 bytes.
; SOURCE manual
; INIT global[0..255] = i + 1
; INIT v1 = lane
; EXPECT v2 = lane < 10 ? lane * 3 + 2 : 0
; EXPECT v3 = 0
	s_mov_b32 s4, s0
	s_or_b32 s5, s1, 0x000c0000
	s_mov_b32 s6, 10
	s_mov_b32 s7, 0x00027000
	buffer_load_dword v2, v1, s[4:7], 0 idxen offset:4
	buffer_load_dword v3, v1, s[4:7], 0 idxen offset:12
