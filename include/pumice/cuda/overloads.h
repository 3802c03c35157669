/* SPDX-License-Identifier: MIT */
/* C++ forms of the CUDA runtime that take kernels and symbols as they are, where HIP's C++ header takes const void*. */
#ifndef PUMICE_CUDA_OVERLOADS_H
#define PUMICE_CUDA_OVERLOADS_H
#include <hip/hip_runtime.h>

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
#endif
