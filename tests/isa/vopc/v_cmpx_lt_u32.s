; SPDX-License-Identifier: MIT
; Inactive lanes give 0; v_cmpx writes EXEC too.
; SOURCE manual
; INIT v1 = lane
; INIT exec = 0xffff
; EXPECT vcc = 0xfc00
; EXPECT s2 = 0x00f0
; EXPECT s3 = 0
; EXPECT exec = 0x00f0
; EXPECT v2[4..7] = 1
; EXPECT v2[0..3,8..63] = 0
	v_cmp_gt_u32 vcc, 10, v1
	s_not_b64 vcc, vcc
	s_and_b64 vcc, vcc, 0xffff
	v_cmp_lt_u32 s[4:5], 3, v1
	s_mov_b64 exec, s[4:5]
	v_cmpx_gt_u32 s[2:3], 8, v1
	v_mov_b32 v2, 1
