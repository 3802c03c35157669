/* SPDX-License-Identifier: MIT */
/* The HIP runtime API: C functions of libamdhip64, with C++ conveniences at the end. Usable from
 * any host compiler. */
#ifndef HIP_INCLUDE_HIP_HIP_RUNTIME_API_H
#define HIP_INCLUDE_HIP_HIP_RUNTIME_API_H
#include <hip/amd_detail/amd_user_macros_off.h>

#include <hip/hip_common.h>
#include <hip/hip_version.h>
#ifndef __HIPCC_RTC__
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#endif
#include <hip/amd_detail/hip_api_errors.h>
#include <hip/amd_detail/host_defines.h>
#include <hip/driver_types.h>
#include <hip/surface_types.h>
#include <hip/texture_types.h>

#ifndef GENERIC_GRID_LAUNCH
#define GENERIC_GRID_LAUNCH 1
#endif
#define HIP_DEPRECATED(msg) __attribute__((deprecated(msg)))
#define HIP_DEPRECATED_MSG "This function is deprecated and may be absent from later releases."
#ifdef __cplusplus
#define __dparm(x) = x
#else
#define __dparm(x)
#endif
#ifndef USE_PEER_NON_UNIFIED
#define USE_PEER_NON_UNIFIED 1
#endif

#ifndef __HIPCC_RTC__
#pragma GCC visibility push(default)
/* Types first, then the functions that use them. */
/* clang-format off */
#include <hip/amd_detail/hip_api_device_types.h>
#include <hip/amd_detail/hip_api_types.h>
#include <hip/amd_detail/hip_api_graph_types.h>
#include <hip/amd_detail/hip_api_device.h>
#include <hip/amd_detail/hip_api_memory.h>
#include <hip/amd_detail/hip_api_stream.h>
#include <hip/amd_detail/hip_api_module.h>
#include <hip/amd_detail/hip_api_graph.h>
#include <hip/amd_detail/hip_api_texture.h>
/* clang-format on */
#pragma GCC visibility pop

#if defined(HIP_API_PER_THREAD_DEFAULT_STREAM) && HIP_API_PER_THREAD_DEFAULT_STREAM
#include <hip/amd_detail/hip_api_per_thread.h>
#endif
#ifdef __cplusplus
#include <hip/amd_detail/hip_api_templates.h>
#endif
#endif /* __HIPCC_RTC__ */

#include <hip/amd_detail/amd_user_macros_on.h>
#endif
