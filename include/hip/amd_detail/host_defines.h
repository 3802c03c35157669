/* SPDX-License-Identifier: MIT */
/* Function and variable qualifiers. With a HIP compiler they are attributes, for host compilers
 * they vanish. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_HOST_DEFINES_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_HOST_DEFINES_H

#if defined(__clang__) && defined(__HIP__)
#ifndef __host__
#define __host__ __attribute__((host))
#endif
#ifndef __device__
#define __device__ __attribute__((device))
#endif
#ifndef __global__
#define __global__ __attribute__((global))
#endif
#ifndef __shared__
#define __shared__ __attribute__((shared))
#endif
#ifndef __constant__
#define __constant__ __attribute__((constant))
#endif
#ifndef __managed__
#define __managed__ __attribute__((managed))
#endif
#define __noinline__ __attribute__((noinline))
#define __forceinline__ inline __attribute__((always_inline))
#define __grid_constant__
#define __hip_img_chk__

#ifndef __align__
#define __align__(bytes) __attribute__((aligned(bytes)))
#endif

/* __launch_bounds__(threads), (threads, waves per execution unit) and the three argument form,
 * whose last is ignored. */
#define __hip_launch_bounds1(threads) __attribute__((amdgpu_flat_work_group_size(1, threads)))
#define __hip_launch_bounds2(threads, waves)                                                       \
  __attribute__((amdgpu_flat_work_group_size(1, threads), amdgpu_waves_per_eu(waves)))
#define __hip_launch_bounds3(threads, waves, ignored) __hip_launch_bounds2(threads, waves)
#define __hip_launch_bounds_pick(_1, _2, _3, name, ...) name
#ifndef __launch_bounds__
#define __launch_bounds__(...)                                                                     \
  __hip_launch_bounds_pick(__VA_ARGS__, __hip_launch_bounds3, __hip_launch_bounds2,                \
                           __hip_launch_bounds1, )(__VA_ARGS__)
#endif
#else
#ifndef __host__
#define __host__
#endif
#ifndef __device__
#define __device__
#endif
#ifndef __global__
#define __global__
#endif
#ifndef __shared__
#define __shared__
#endif
#ifndef __constant__
#define __constant__
#endif
#ifndef __managed__
#define __managed__
#endif
#define __forceinline__ inline
#define __grid_constant__
#endif

#endif
