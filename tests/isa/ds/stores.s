; SPDX-License-Identifier: MIT
; SOURCE manual
; INIT v1 = lane * 4
; INIT v2 = 0xaabbcc00 + lane
; INIT v3 = 0x12345678
; INIT v4 = lane
; INIT v5 = 0x55
; EXPECT lds[0..63] = 0xaabbcc00 + i
; EXPECT lds[64..127] = (0xcc00 + (i - 64)) | 0x78 << 16
; EXPECT lds[130] = 0x12345678
; EXPECT lds[131] = 0xaabbcc00
; EXPECT lds[194] = 0x12345678
; EXPECT lds[200] = 0xaabb1234
; EXPECT lds[204] = 0xaabbcc00
; EXPECT lds[205] = 0x12345678
; EXPECT lds[206] = 0
; EXPECT lds[207] = 0x55
	ds_write_b32 v1, v2
	ds_write_b16 v1, v2 offset:256
	ds_write_b8 v1, v3 offset:258
	s_mov_b64 exec, 1
	ds_write2_b32 v1, v3, v2 offset0:130 offset1:131
	ds_write2st64_b32 v1, v3, v3 offset0:3 offset1:5
	v_mov_b32 v6, 8
	ds_write2st64_b32 v6, v3, v3 offset0:3 offset1:3
	v_mov_b32 v6, 0x320
	ds_write_b16_d16_hi v6, v3
	ds_write_b16_d16_hi v6, v2 offset:2
	v_mov_b32 v6, 0x330
	v_mov_b32 v8, v2
	v_mov_b32 v9, v3
	v_mov_b32 v10, v4
	v_mov_b32 v11, v5
	ds_write_b128 v6, v[8:11]
