/* SPDX-License-Identifier: MIT */
/* C++ forms of the CUDA runtime that take kernels and symbols as they are, where HIP's C++ header takes const void*. */
#ifndef PUMICE_CUDA_OVERLOADS_H
#define PUMICE_CUDA_OVERLOADS_H
#include <hip/hip_runtime.h>
#include <pumice/cuda/driver_forms.h>
#include <pumice/cuda/hiprtc_arrays.h>

template <class R, class... A>
static inline hipError_t hipFuncSetAttribute(R (*kernel)(A...), hipFuncAttribute attribute, int value) {
  return hipFuncSetAttribute(reinterpret_cast<const void*>(kernel), attribute, value);
}
template <class R, class... A>
static inline hipError_t hipFuncSetCacheConfig(R (*kernel)(A...), hipFuncCache_t config) {
  return hipFuncSetCacheConfig(reinterpret_cast<const void*>(kernel), config);
}
template <class R, class... A>
static inline hipError_t hipFuncSetSharedMemConfig(R (*kernel)(A...), hipSharedMemConfig config) {
  return hipFuncSetSharedMemConfig(reinterpret_cast<const void*>(kernel), config);
}
template <class R, class... A>
static inline hipError_t hipFuncGetAttributes(hipFuncAttributes* attributes, R (*kernel)(A...)) {
  return hipFuncGetAttributes(attributes, reinterpret_cast<const void*>(kernel));
}
template <class R, class... A>
static inline hipError_t hipLaunchKernel(R (*kernel)(A...), dim3 grid, dim3 block, void** args, size_t shared = 0,
                                         hipStream_t stream = nullptr) {
  return hipLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, args, shared, stream);
}

/* Without a profiler CUDA's calls do nothing and succeed; HIP's answer hipErrorNotSupported. */
#define hipProfilerStart() hipSuccess
#define hipProfilerStop() hipSuccess

/* Functions of CUDA's headers on both sides. */
#define PUMICE_CUDA_BOTH static inline __host__ __device__
PUMICE_CUDA_BOTH unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
PUMICE_CUDA_BOTH unsigned umax(unsigned a, unsigned b) { return a < b ? b : a; }
PUMICE_CUDA_BOTH long long llmin(long long a, long long b) { return a < b ? a : b; }
PUMICE_CUDA_BOTH long long llmax(long long a, long long b) { return a < b ? b : a; }
PUMICE_CUDA_BOTH unsigned long long ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
PUMICE_CUDA_BOTH unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a < b ? b : a; }
#undef PUMICE_CUDA_BOTH
#endif
