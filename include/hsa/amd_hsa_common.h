/* SPDX-License-Identifier: MIT
   Helpers of the AMD structure headers: alignment and bit-field enumerators NAME, NAME_SHIFT, NAME_WIDTH. */
#ifndef AMD_HSA_COMMON_H
#define AMD_HSA_COMMON_H
#include <stddef.h>
#include <stdint.h>

#ifndef __ALIGNED__
#define __ALIGNED__(x) __attribute__((aligned(x)))
#endif
#define AMD_HSA_BITS_CREATE_ENUM_ENTRIES(name, shift, width)                                       \
  name##_SHIFT = (shift), name##_WIDTH = (width), name = (((1 << (width)) - 1) << (shift))
#define AMD_HSA_BITS_GET(src, mask) (((src) & (mask)) >> mask##_SHIFT)
#define AMD_HSA_BITS_SET(dst, mask, val)                                                           \
  (dst) = ((dst) & ~(mask)) | (((val) << mask##_SHIFT) & (mask))
#endif
