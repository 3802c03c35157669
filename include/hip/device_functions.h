/* SPDX-License-Identifier: MIT */
#ifndef HIP_INCLUDE_HIP_DEVICE_FUNCTIONS_H
#define HIP_INCLUDE_HIP_DEVICE_FUNCTIONS_H
#include <hip/amd_detail/amd_user_macros_off.h>
#include <hip/hip_common.h>
#include <hip/hip_vector_types.h>
#if __HIP_CLANG_ONLY__
#include <hip/amd_detail/amd_device_functions.h>
#endif
#include <hip/amd_detail/amd_user_macros_on.h>
#endif
