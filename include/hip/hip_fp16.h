/* SPDX-License-Identifier: MIT */
/* Half precision: __half and __half2 with operators and the intrinsic set. Works in host and device
 * code. */
#ifndef HIP_INCLUDE_HIP_HIP_FP16_H
#define HIP_INCLUDE_HIP_HIP_FP16_H
#include <hip/amd_detail/amd_user_macros_off.h>
#include <hip/amd_detail/host_defines.h>
#include <hip/hip_common.h>
#if defined(__cplusplus) && defined(__FLT16_MANT_DIG__) && (defined(__clang__) || __GNUC__ >= 13)
#include <hip/amd_detail/amd_hip_fp16.h>
#elif defined(__cplusplus)
#include <hip/amd_detail/amd_hip_fp16_storage.h>
#else
typedef struct {
  unsigned short __x;
} __half;
typedef struct {
  unsigned short x;
  unsigned short y;
} __half2;
#endif
#include <hip/amd_detail/amd_user_macros_on.h>
#endif
