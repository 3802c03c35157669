/* SPDX-License-Identifier: MIT */
/* bfloat16 with CUDA's names: __hip_bfloat16, __hip_bfloat162 and their intrinsics. */
#ifndef HIP_INCLUDE_HIP_HIP_BF16_H
#define HIP_INCLUDE_HIP_HIP_BF16_H
#include <hip/amd_detail/amd_user_macros_off.h>
#include <hip/hip_common.h>
#ifdef __cplusplus
#include <hip/amd_detail/amd_hip_bf16.h>
#endif
#include <hip/amd_detail/amd_user_macros_on.h>
#endif
