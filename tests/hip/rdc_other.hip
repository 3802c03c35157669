// SPDX-License-Identifier: MIT
#include <hip/hip_runtime.h>

__device__ int other_counter = 1000;
__device__ __attribute__((noinline)) int other_square(int x) { return x * x; }
__global__ void negate(int* out) { out[threadIdx.x] = -int(threadIdx.x); }
void launch_other(int* out) { negate<<<1, 64>>>(out); }
