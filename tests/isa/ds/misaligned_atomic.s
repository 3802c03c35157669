; SPDX-License-Identifier: MIT
; SOURCE derived
; INIT v1 = 6
; FAULT misaligned address
	ds_add_u32 v1, v2
