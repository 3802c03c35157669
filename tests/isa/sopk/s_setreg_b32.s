; SPDX-License-Identifier: MIT
; Rounding and denormal control: 1/3 rounded up and down, and a denormal product flushed.
; SOURCE manual
; INIT v1 = f32(1.0)
; INIT v2 = 0x33000000
; INIT v3 = 0x00800000
; INIT v4 = f32(0.5)
; EXPECT v10 = 0x3f800001
; EXPECT v11 = 0x3f800000
; EXPECT v12 = 0x00400000
; EXPECT v13 = 0
; EXPECT s4 = 0x2
; EXPECT mode = 0x3c2
	s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 1
	v_add_f32 v10, v1, v2
	s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 2
	v_add_f32 v11, v1, v2
	v_mul_f32 v12, v3, v4
	s_mov_b32 s5, 0
	s_setreg_b32 hwreg(HW_REG_MODE, 4, 2), s5
	v_mul_f32 v13, v3, v4
	s_getreg_b32 s4, hwreg(HW_REG_MODE, 0, 4)
