// SPDX-License-Identifier: MIT
#include <hip/hip_runtime.h>

__global__ void square(float* p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] *= p[i];
}
void run_square(float* p, int n) { square<<<(n + 63) / 64, 64>>>(p, n); }
