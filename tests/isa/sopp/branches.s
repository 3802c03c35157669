; SPDX-License-Identifier: MIT
; SOURCE manual
; EXPECT s2 = 10
; EXPECT s3 = 1
; EXPECT s4 = 1
; EXPECT s5 = 0
	s_mov_b32 s2, 0
loop:
	s_add_u32 s2, s2, 1
	s_cmp_lt_u32 s2, 10
	s_cbranch_scc1 loop
	s_mov_b64 vcc, 0
	s_cbranch_vccz 1f
	s_endpgm
1:
	s_mov_b32 s3, 1
	s_cbranch_execnz 2f
	s_endpgm
2:
	s_mov_b64 exec, 0
	s_cbranch_execz 3f
	s_endpgm
3:
	s_mov_b32 s4, 1
	s_cmp_eq_u32 s4, 1
	s_cbranch_scc0 4f
	s_branch 5f
4:
	s_mov_b32 s5, 1
5:
	s_nop 0
