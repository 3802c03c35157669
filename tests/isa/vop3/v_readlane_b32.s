; SPDX-License-Identifier: MIT
; Lane access ignores EXEC; the lane number wraps at 64.
; SOURCE manual
; INIT v1 = lane * lane
; INIT s4 = 67
; INIT s5 = 1234
; EXPECT s2 = 100
; EXPECT s3 = 9
; EXPECT v2[63] = 1234
; EXPECT v2[0..62] = 0
	s_mov_b64 exec, 1
	v_readlane_b32 s2, v1, 10
	v_readlane_b32 s3, v1, s4
	v_writelane_b32 v2, s5, 63
