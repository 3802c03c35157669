// SPDX-License-Identifier: MIT
// The code object that module.hip loads at run time.
#include <hip/hip_runtime.h>

__device__ int bias = 100;
__constant__ float weights[4];
extern "C" __global__ void combine(int* out, const int* in, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = int(in[i] * factor) + bias + int(weights[i % 4]);
}
extern "C" __global__ void where(int* out) {
  extern __shared__ int s[];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = s[blockDim.x - 1 - threadIdx.x] + gridDim.x * 1000;
}
