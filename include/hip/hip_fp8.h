/* SPDX-License-Identifier: MIT */
/* Eight-bit floating point: the OCP formats (E4M3, E5M2) and those of MI300 (FNUZ), with conversions. */
#ifndef HIP_INCLUDE_HIP_HIP_FP8_H
#define HIP_INCLUDE_HIP_HIP_FP8_H
#include <hip/amd_detail/amd_user_macros_off.h>
#include <hip/hip_common.h>
#ifdef __cplusplus
#include <hip/amd_detail/amd_hip_fp8.h>
#endif
#include <hip/amd_detail/amd_user_macros_on.h>
#endif
