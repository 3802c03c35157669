; SPDX-License-Identifier: MIT
; op_sel picks source halves and the destination half; the other half stays.
; SOURCE manual
; INIT v1 = f16(2) << 16 | f16(3)
; INIT v2 = f16(5) << 16 | f16(7)
; INIT v3 = f16(0.5) << 16 | f16(1)
; INIT v10 = 0xaaaabbbb
; INIT v11 = 0xaaaabbbb
; INIT v12 = 0xaaaabbbb
; EXPECT v10 = 0xaaaa << 16 | f16(22)
; EXPECT v11 = f16(14.5) << 16 | 0xbbbb
; EXPECT v12 = f16(21)
; EXPECT v13 = f16(7) << 16 | f16(2)
; EXPECT v14 = 0x0000ffff
	v_fma_f16 v10, v1, v2, v3
	v_fma_f16 v11, v1, v2, v3 op_sel:[1,0,1,1]
	v_mul_f16 v12, v1, v2
	v_pack_b32_f16 v13, v1, v2 op_sel:[1,0,0]
	v_mov_b32 v14, -1
	v_lshrrev_b16 v14, 0, v14
