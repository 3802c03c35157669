; SPDX-License-Identifier: MIT
; SOURCE manual
; INIT v1 = lane * 10
; INIT v2 = lane
; INIT v3 = 100 + lane
; EXPECT s2 = 50
; EXPECT s3 = 0
; EXPECT v2[5..7] = 100 + lane
; EXPECT v3[5..7] = lane
; EXPECT v2[0..4] = lane
; EXPECT v3[8..63] = 100 + lane
	s_mov_b64 exec, 0xe0
	v_readfirstlane_b32 s2, v1
	v_swap_b32 v2, v3
	s_mov_b64 exec, 0
	v_readfirstlane_b32 s3, v1
