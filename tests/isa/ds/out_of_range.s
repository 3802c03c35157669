; SPDX-License-Identifier: MIT
; SOURCE derived
; INIT v1 = 4094
; FAULT LDS address out of range
	ds_read_b32 v2, v1
