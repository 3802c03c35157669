#include <cuda_runtime.h>
#if defined(__CUDACC_VER_MAJOR__) && __CUDACC_VER_MAJOR__ < 9
#endif
#ifdef __CUDA_API_VERSION_INTERNAL
#endif
#if CUBLAS_VER_MAJOR > 11
#endif
#ifndef __CUDA_MY_GUARD_H
#define __CUDA_MY_GUARD_H
#endif
__device__ int order = __NV_ATOMIC_RELAXED;
