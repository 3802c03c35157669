; SPDX-License-Identifier: MIT
; SOURCE manual
; EXPECT s10 = 7
; EXPECT s11 = 8
; EXPECT s12 = 8
	s_getpc_b64 s[4:5]
base:
	s_add_u32 s6, s4, function-base
	s_addc_u32 s7, s5, 0
	s_swappc_b64 s[8:9], s[6:7]
back:
	s_sub_u32 s11, s8, s4
	s_sub_u32 s11, s11, 8
	s_call_b64 s[8:9], second
	s_branch end
function:
	s_mov_b32 s10, 7
	s_setpc_b64 s[8:9]
second:
	s_mov_b32 s12, 8
	s_setpc_b64 s[8:9]
end:
	s_nop 0
