; SPDX-License-Identifier: MIT
; SOURCE manual
; INIT v1 = (lane * 7 & 63) * 4
; INIT v2 = 100 + lane
; INIT v5 = 0x1234
; EXPECT v3 = 100 + (lane * 7 & 63)
; EXPECT v4 = 100 + (lane * 55 & 63)
; EXPECT v5[0..4] = 101 + lane
; EXPECT v5[5] = 0
; EXPECT v5[6] = 107
; EXPECT v5[7] = 0
	ds_bpermute_b32 v3, v1, v2
	ds_permute_b32 v4, v1, v2
	s_mov_b64 exec, 0xff
	v_mbcnt_lo_u32_b32 v7, -1, 0
	v_mbcnt_hi_u32_b32 v7, -1, v7
	v_lshlrev_b32 v7, 2, v7
	s_mov_b64 exec, 0xbf
	ds_bpermute_b32 v5, v7, v2 offset:4
	s_mov_b64 exec, 0x40
	v_mov_b32 v5, 107
