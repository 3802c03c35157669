; SPDX-License-Identifier: MIT
; Loads with immediate, register and negative offsets, wide loads, stores and atomics through the scalar unit.
; SOURCE manual
; INIT global[0..63] = i * 3 + 1
; INIT s4 = 8
; EXPECT s10 = 13
; EXPECT s11 = 7
; EXPECT s12 = 16
; EXPECT s13 = 4
; EXPECT s20 = 97
; EXPECT s27 = 118
; EXPECT global[100] = 16
; EXPECT global[101] = 4
	s_load_dword s10, s[0:1], 0x10
	s_load_dword s11, s[0:1], s4
	s_add_u32 s2, s0, 0x40
	s_addc_u32 s3, s1, 0
	s_load_dword s12, s[2:3], -44
	s_load_dword s13, s[0:1], 0x6
	s_load_dwordx8 s[20:27], s[0:1], 0x80
	s_store_dwordx2 s[12:13], s[0:1], 0x190
