; SPDX-License-Identifier: MIT
; SOURCE manual
; INIT lds[4] = 10
; INIT exec = 0xf0f0
; INIT m0 = 0x00080000
; EXPECT v1[4..7,12..15] = 10
; EXPECT v2[4..7,12..15] = 18
; EXPECT lds[4] = 10
; EXPECT v1[0..3] = 0
	ds_append v1 offset:8
	ds_consume v2 offset:8
