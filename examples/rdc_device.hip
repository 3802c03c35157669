// SPDX-License-Identifier: MIT
#include <hip/hip_runtime.h>

__device__ int calls = 0;
__device__ float polynomial(float x) { return (x * 2 + 3) * x + 4; }
