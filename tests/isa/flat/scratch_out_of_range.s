; SPDX-License-Identifier: MIT
; SOURCE derived
; INIT v3 = 253
; FAULT private address out of range
	scratch_load_dword v2, v3, off
