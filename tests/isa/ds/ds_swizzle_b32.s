; SPDX-License-Identifier: MIT
; SOURCE manual
; INIT v1 = 100 + lane
; EXPECT v2 = 100 + (lane ^ 1)
; EXPECT v3 = 100 + (lane & ~31) + 31 - (lane & 31)
; EXPECT v4 = 100 + (lane & ~7) + 3
; EXPECT v5 = 100 + (lane & ~3) + ((lane + 1) & 3)
; EXPECT v6 = 100 + ((lane & ~31) | ((lane & 28) | 2) ^ 4)
	ds_swizzle_b32 v2, v1 offset:swizzle(SWAP,1)
	ds_swizzle_b32 v3, v1 offset:swizzle(REVERSE,32)
	ds_swizzle_b32 v4, v1 offset:swizzle(BROADCAST,8,3)
	ds_swizzle_b32 v5, v1 offset:swizzle(QUAD_PERM,1,2,3,0)
	ds_swizzle_b32 v6, v1 offset:0x105c
