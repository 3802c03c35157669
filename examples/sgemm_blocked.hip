// SPDX-License-Identifier: MIT
// Matrix product with register blocking: 64 x 64 tile per block, 4 x 4 elements per thread.
#include "sgemm_common.h"

__global__ __launch_bounds__(256) void sgemm_blocked(const float* __restrict__ a, const float* __restrict__ b,
                                                      float* __restrict__ c, int n) {
  __shared__ float ta[16][64], tb[16][64];
  int t = threadIdx.x, tx = t & 15, ty = t >> 4;
  int row0 = blockIdx.y * 64, col0 = blockIdx.x * 64;
  int ar = t >> 2, ac = (t & 3) * 4, br = t >> 4, bc = (t & 15) * 4;
  float acc[4][4] = {};
  for (int k0 = 0; k0 < n; k0 += 16) {
    float4 va = *reinterpret_cast<const float4*>(&a[(row0 + ar) * n + k0 + ac]);
    float4 vb = *reinterpret_cast<const float4*>(&b[(k0 + br) * n + col0 + bc]);
    ta[ac + 0][ar] = va.x, ta[ac + 1][ar] = va.y, ta[ac + 2][ar] = va.z, ta[ac + 3][ar] = va.w;
    *reinterpret_cast<float4*>(&tb[br][bc]) = vb;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; k++) {
      float4 x = *reinterpret_cast<float4*>(&ta[k][ty * 4]), y = *reinterpret_cast<float4*>(&tb[k][tx * 4]);
      float xs[4] = {x.x, x.y, x.z, x.w}, ys[4] = {y.x, y.y, y.z, y.w};
#pragma unroll
      for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) acc[i][j] += xs[i] * ys[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 4; i++)
    *reinterpret_cast<float4*>(&c[(row0 + ty * 4 + i) * n + col0 + tx * 4]) = float4{acc[i][0], acc[i][1], acc[i][2], acc[i][3]};
}

int main() {
  return gemm::run("sgemm_blocked", [](const float* a, const float* b, float* c) {
    sgemm_blocked<<<dim3(gemm::kN / 64, gemm::kN / 64), 256>>>(a, b, c, gemm::kN);
  });
}
