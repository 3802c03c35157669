; SPDX-License-Identifier: MIT
; SOURCE manual
; INIT exec = 0xff00ff00ff00ff00
; INIT s4 = 0x0ff00ff0
; INIT s6 = 0xffffffff
; INIT s7 = 0x0000ffff
; EXPECT s2 = 0xff00ff00
; EXPECT s3 = 0xff00ff00
; EXPECT s8 = 0x0f000f00
; EXPECT s9 = 0
; EXPECT s10 = 0x0f000f00
; EXPECT s11 = 0
; EXPECT exec = 0x0000fffff0fff0ff
; EXPECT scc = 1
	s_and_saveexec_b64 s[2:3], s[4:5]
	s_mov_b64 s[8:9], exec
	s_andn2_saveexec_b64 s[10:11], s[6:7]
