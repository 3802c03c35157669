/* SPDX-License-Identifier: MIT */
/* Device math comes from clang's own wrapper headers, which the HIP compiler includes before the
 * first line. */
#ifndef HIP_INCLUDE_HIP_MATH_FUNCTIONS_H
#define HIP_INCLUDE_HIP_MATH_FUNCTIONS_H
#include <hip/amd_detail/amd_user_macros_off.h>
#include <hip/hip_common.h>
#ifndef __HIPCC_RTC__
#include <math.h>
#endif
#include <hip/amd_detail/amd_user_macros_on.h>
#endif
