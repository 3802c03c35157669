; SPDX-License-Identifier: MIT
; SOURCE manual
; INIT lds[0..255] = i * 0x01010101
; INIT v1 = lane * 4
; INIT v2 = lane * 16 & 255
; INIT v20 = 0x11112222
; INIT v21 = 0x11112222
; EXPECT v3 = lane * 0x01010101
; EXPECT v4 = (lane * 4 & 63) * 0x01010101
; EXPECT v7 = ((lane * 4 & 63) + 3) * 0x01010101
; EXPECT v10 = (lane + 1) * 0x01010101
; EXPECT v11 = (lane + 5) * 0x01010101
; EXPECT v12 = lane * 0x01010101
; EXPECT v13 = (lane + 64) * 0x01010101
; EXPECT v14 = lane & 255
; EXPECT v15[60] = 60
; EXPECT v16 = lane * 257
; EXPECT v20 = 0x11110000 + lane * 257
; EXPECT v21 = 0x2222 + ((lane) << 16)
; EXPECT v22[1] = 0x01010101
; EXPECT v23[1] = 0x02020202
	ds_read_b32 v3, v1
	ds_read_b128 v[4:7], v2
	ds_read2_b32 v[10:11], v1 offset0:1 offset1:5
	ds_read2st64_b32 v[12:13], v1 offset0:0 offset1:1
	ds_read_u8 v14, v1 offset:1
	ds_read_i8 v15, v1
	ds_read_u16 v16, v1 offset:2
	ds_read_u16_d16 v20, v1
	ds_read_u8_d16_hi v21, v1
	v_lshlrev_b32 v2, 2, v1
	v_and_b32 v2, 0xff, v1
	ds_read_b64 v[22:23], v2
