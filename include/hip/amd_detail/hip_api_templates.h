/* SPDX-License-Identifier: MIT */
/* Typed C++ forms of the C functions: pointers to T, kernels and symbols by name. Included by
 * hip_runtime_api.h only. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_HIP_API_TEMPLATES_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_HIP_API_TEMPLATES_H

#ifndef __HIP_DISABLE_CPP_FUNCTIONS__
template <class T> static inline hipError_t hipMalloc(T** ptr, size_t size) {
  return ::hipMalloc(reinterpret_cast<void**>(ptr), size);
}
template <class T>
static inline hipError_t hipMallocPitch(T** ptr, size_t* pitch, size_t width, size_t height) {
  return ::hipMallocPitch(reinterpret_cast<void**>(ptr), pitch, width, height);
}
template <class T>
static inline hipError_t hipHostMalloc(T** ptr, size_t size,
                                       unsigned int flags = hipHostMallocDefault) {
  return ::hipHostMalloc(reinterpret_cast<void**>(ptr), size, flags);
}
template <class T>
static inline hipError_t hipHostAlloc(T** ptr, size_t size,
                                      unsigned int flags = hipHostAllocDefault) {
  return ::hipHostAlloc(reinterpret_cast<void**>(ptr), size, flags);
}
template <class T>
static inline hipError_t hipMallocManaged(T** ptr, size_t size,
                                          unsigned int flags = hipMemAttachGlobal) {
  return ::hipMallocManaged(reinterpret_cast<void**>(ptr), size, flags);
}
#endif

static inline hipError_t hipMallocAsync(void** ptr, size_t size, hipMemPool_t pool,
                                        hipStream_t stream) {
  return hipMallocFromPoolAsync(ptr, size, pool, stream);
}
template <class T>
static inline hipError_t hipMallocAsync(T** ptr, size_t size, hipMemPool_t pool,
                                        hipStream_t stream) {
  return ::hipMallocFromPoolAsync(reinterpret_cast<void**>(ptr), size, pool, stream);
}
template <class T>
static inline hipError_t hipMallocAsync(T** ptr, size_t size, hipStream_t stream) {
  return ::hipMallocAsync(reinterpret_cast<void**>(ptr), size, stream);
}
template <class T>
static inline hipError_t hipMallocFromPoolAsync(T** ptr, size_t size, hipMemPool_t pool,
                                                hipStream_t stream) {
  return ::hipMallocFromPoolAsync(reinterpret_cast<void**>(ptr), size, pool, stream);
}

template <class T> static inline hipError_t hipGetSymbolAddress(void** ptr, const T& symbol) {
  return ::hipGetSymbolAddress(ptr, static_cast<const void*>(&symbol));
}
template <class T> static inline hipError_t hipGetSymbolSize(size_t* size, const T& symbol) {
  return ::hipGetSymbolSize(size, static_cast<const void*>(&symbol));
}
template <class T>
static inline hipError_t hipMemcpyToSymbol(const T& symbol, const void* src, size_t size,
                                           size_t offset = 0,
                                           hipMemcpyKind kind = hipMemcpyHostToDevice) {
  return ::hipMemcpyToSymbol(static_cast<const void*>(&symbol), src, size, offset, kind);
}
template <class T>
static inline hipError_t hipMemcpyToSymbolAsync(const T& symbol, const void* src, size_t size,
                                                size_t offset, hipMemcpyKind kind,
                                                hipStream_t stream = 0) {
  return ::hipMemcpyToSymbolAsync(static_cast<const void*>(&symbol), src, size, offset, kind,
                                  stream);
}
template <class T>
static inline hipError_t hipMemcpyFromSymbol(void* dst, const T& symbol, size_t size,
                                             size_t offset = 0,
                                             hipMemcpyKind kind = hipMemcpyDeviceToHost) {
  return ::hipMemcpyFromSymbol(dst, static_cast<const void*>(&symbol), size, offset, kind);
}
template <class T>
static inline hipError_t hipMemcpyFromSymbolAsync(void* dst, const T& symbol, size_t size,
                                                  size_t offset, hipMemcpyKind kind,
                                                  hipStream_t stream = 0) {
  return ::hipMemcpyFromSymbolAsync(dst, static_cast<const void*>(&symbol), size, offset, kind,
                                    stream);
}

template <class F>
static inline hipError_t hipOccupancyMaxPotentialBlockSize(int* grid, int* block, F kernel,
                                                           size_t dynamic_lds = 0, int limit = 0) {
  return ::hipOccupancyMaxPotentialBlockSize(grid, block, reinterpret_cast<const void*>(kernel),
                                             dynamic_lds, limit);
}
template <class F>
static inline hipError_t
hipOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, F kernel, size_t dynamic_lds = 0,
                                           int limit = 0, unsigned int = 0) {
  return ::hipOccupancyMaxPotentialBlockSize(grid, block, reinterpret_cast<const void*>(kernel),
                                             dynamic_lds, limit);
}
template <class F>
static inline hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, F kernel,
                                                                      int block_size,
                                                                      size_t dynamic_lds) {
  return ::hipOccupancyMaxActiveBlocksPerMultiprocessor(
      blocks, reinterpret_cast<const void*>(kernel), block_size, dynamic_lds);
}
template <class F>
static inline hipError_t
hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, F kernel, int block_size,
                                                      size_t dynamic_lds, unsigned int flags) {
  return ::hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, reinterpret_cast<const void*>(kernel), block_size, dynamic_lds, flags);
}
/// Tries every block size that is a multiple of the wave and keeps the one with most threads per
/// compute unit.
template <class SizeFn, class F>
static inline hipError_t hipOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int* grid, int* block, F kernel, SizeFn dynamic_lds_of, int limit = 0, unsigned int flags = 0) {
  if (!grid || !block || !kernel)
    return hipErrorInvalidValue;
  int device = 0, units = 0, wave = 64;
  hipFuncAttributes attributes;
  hipError_t err = hipGetDevice(&device);
  if (err == hipSuccess)
    err = hipDeviceGetAttribute(&units, hipDeviceAttributeMultiprocessorCount, device);
  if (err == hipSuccess)
    err = hipDeviceGetAttribute(&wave, hipDeviceAttributeWarpSize, device);
  if (err == hipSuccess)
    err = hipFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel));
  if (err != hipSuccess)
    return err;
  int most = attributes.maxThreadsPerBlock;
  if (limit > 0 && limit < most)
    most = limit;
  int best_threads = 0;
  *grid = *block = 0;
  for (int size = (most + wave - 1) / wave * wave; size > 0; size -= wave) {
    int threads = size < most ? size : most, blocks = 0;
    err = hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, kernel, threads,
                                                                dynamic_lds_of(threads), flags);
    if (err != hipSuccess)
      return err;
    if (threads * blocks > best_threads) {
      best_threads = threads * blocks;
      *block = threads;
      *grid = blocks * units;
    }
  }
  return hipSuccess;
}
template <class SizeFn, class F>
static inline hipError_t
hipOccupancyMaxPotentialBlockSizeVariableSMem(int* grid, int* block, F kernel,
                                              SizeFn dynamic_lds_of, int limit = 0) {
  return hipOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(grid, block, kernel, dynamic_lds_of,
                                                                limit);
}

template <class F>
static inline hipError_t hipLaunchCooperativeKernel(F kernel, dim3 grid, dim3 block, void** args,
                                                    unsigned int dynamic_lds, hipStream_t stream) {
  return ::hipLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), grid, block, args,
                                      dynamic_lds, stream);
}
template <class F>
static inline hipError_t hipLaunchKernel(F* kernel, dim3 grid, dim3 block, void** args,
                                         size_t dynamic_lds = 0, hipStream_t stream = 0) {
  return ::hipLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, args, dynamic_lds,
                           stream);
}
template <class F>
static inline hipError_t hipFuncGetAttributes(hipFuncAttributes* attributes, F* kernel) {
  return ::hipFuncGetAttributes(attributes, reinterpret_cast<const void*>(kernel));
}
template <class F>
static inline hipError_t hipFuncSetAttribute(F* kernel, hipFuncAttribute which, int value) {
  return ::hipFuncSetAttribute(reinterpret_cast<const void*>(kernel), which, value);
}

#endif
