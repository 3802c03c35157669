/* SPDX-License-Identifier: MIT */
/* The device language: coordinates, launch syntax, and the intrinsic families in their own files.
 * HIP compilers only. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_RUNTIME_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_RUNTIME_H

#include <hip/amd_detail/amd_device_functions.h>
#include <hip/amd_detail/amd_device_library.h>
#include <hip/amd_detail/amd_hip_atomic.h>
#include <hip/amd_detail/amd_warp_functions.h>
#include <hip/amd_detail/host_defines.h>

#pragma push_macro("__DEVICE__")
#undef __DEVICE__
#define __DEVICE__ static __device__ inline __attribute__((always_inline))

/* From ockl; sizes of the launch, whatever the code object version. */
extern "C" __device__ __attribute__((const)) size_t __ockl_get_local_size(unsigned);
extern "C" __device__ __attribute__((const)) size_t __ockl_get_num_groups(unsigned);

/* threadIdx and the like are objects without storage: reading a member calls the matching getter.
 */
#define __HIP_COORDINATE(name, get_x, get_y, get_z)                                                \
  struct __hip_builtin_##name##_t {                                                                \
    __declspec(property(get = __get_x)) unsigned x;                                                \
    __declspec(property(get = __get_y)) unsigned y;                                                \
    __declspec(property(get = __get_z)) unsigned z;                                                \
    static __device__ inline __attribute__((always_inline)) unsigned __get_x() {                   \
      return get_x;                                                                                \
    }                                                                                              \
    static __device__ inline __attribute__((always_inline)) unsigned __get_y() {                   \
      return get_y;                                                                                \
    }                                                                                              \
    static __device__ inline __attribute__((always_inline)) unsigned __get_z() {                   \
      return get_z;                                                                                \
    }                                                                                              \
    __device__ inline operator dim3() const {                                                      \
      return dim3(__get_x(), __get_y(), __get_z());                                                \
    }                                                                                              \
  };                                                                                               \
  extern const __device__ __attribute__((weak)) __hip_builtin_##name##_t name

__HIP_COORDINATE(threadIdx, __builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y(),
                 __builtin_amdgcn_workitem_id_z());
__HIP_COORDINATE(blockIdx, __builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(),
                 __builtin_amdgcn_workgroup_id_z());
__HIP_COORDINATE(blockDim, unsigned(__ockl_get_local_size(0)), unsigned(__ockl_get_local_size(1)),
                 unsigned(__ockl_get_local_size(2)));
__HIP_COORDINATE(gridDim, unsigned(__ockl_get_num_groups(0)), unsigned(__ockl_get_num_groups(1)),
                 unsigned(__ockl_get_num_groups(2)));
#undef __HIP_COORDINATE

#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z

/* Every device of this platform runs waves of 64. */
static constexpr int warpSize = 64;

/* Launches. Arguments are parenthesised so that template kernels pass through HIP_KERNEL_NAME. */
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_SYMBOL(symbol) symbol
typedef int hipLaunchParm;
#define hipLaunchKernelGGLInternal(kernel, grid, block, dynamic_lds, stream, ...)                  \
  do {                                                                                             \
    kernel<<<(grid), (block), (dynamic_lds), (stream)>>>(__VA_ARGS__);                             \
  } while (0)
#define hipLaunchKernelGGL(kernel, ...) hipLaunchKernelGGLInternal((kernel), __VA_ARGS__)
#define hipLaunchKernel_(kernel, ...) hipLaunchKernelGGL(kernel, __VA_ARGS__)

#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
#define HIP_DYNAMIC_SHARED_ATTRIBUTE

#ifdef __HIP_ENABLE_DEVICE_STREAM_CAPTURE__
#undef __HIP_ENABLE_DEVICE_STREAM_CAPTURE__
#endif

#pragma pop_macro("__DEVICE__")

#endif
