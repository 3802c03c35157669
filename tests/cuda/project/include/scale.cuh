// SPDX-License-Identifier: MIT
#pragma once
#include <cuda_runtime.h>
__device__ int scale(int v);
#define CUDA_CHECK(x)                                                                              \
  do {                                                                                             \
    if ((x) != cudaSuccess)                                                                        \
      return 10;                                                                                   \
  } while (0)
