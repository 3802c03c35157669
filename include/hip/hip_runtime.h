/* SPDX-License-Identifier: MIT */
/* Everything a HIP program needs: the runtime API and, for HIP sources, the device language. */
#ifndef HIP_INCLUDE_HIP_HIP_RUNTIME_H
#define HIP_INCLUDE_HIP_HIP_RUNTIME_H
#include <hip/amd_detail/amd_user_macros_off.h>

#include <hip/hip_common.h>
#include <hip/hip_version.h>
#ifndef __HIPCC_RTC__
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __cplusplus
#include <cmath>
#include <cstdint>
#include <thread>
#endif
#endif
#include <hip/amd_detail/host_defines.h>
#include <hip/hip_runtime_api.h>
#include <hip/hip_vector_types.h>
#include <hip/library_types.h>
#if __HIP_CLANG_ONLY__
#include <hip/amd_detail/amd_hip_runtime.h>
#endif

#include <hip/amd_detail/amd_user_macros_on.h>
#endif
