// SPDX-License-Identifier: MIT
// Matrix product, textbook form: 16 x 16 tiles in LDS, one element per thread.
#include "sgemm_common.h"

__global__ __launch_bounds__(256) void sgemm_tiled(const float* a, const float* b, float* c, int n) {
  __shared__ float ta[16][16], tb[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float sum = 0;
  for (int t = 0; t < n / 16; t++) {
    ta[ty][tx] = a[row * n + t * 16 + tx];
    tb[ty][tx] = b[(t * 16 + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < 16; k++) sum += ta[ty][k] * tb[k][tx];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

int main() {
  return gemm::run("sgemm_tiled", [](const float* a, const float* b, float* c) {
    sgemm_tiled<<<dim3(gemm::kN / 16, gemm::kN / 16), dim3(16, 16)>>>(a, b, c, gemm::kN);
  });
}
