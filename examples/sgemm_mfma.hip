// SPDX-License-Identifier: MIT
// Matrix product on the matrix cores: v_mfma_f32_32x32x2 through its builtin, operands staged in LDS.
// A lane l holds row (or column) l % 32 and depth l / 32; register r of the result holds row
// 8 * (r / 4) + 4 * (l / 32) + r % 4, column l % 32.
#include "sgemm_common.h"

typedef float f32x16 __attribute__((ext_vector_type(16)));
constexpr int kDepth = 32;

__global__ __launch_bounds__(256) void sgemm_mfma(const float* __restrict__ a, const float* __restrict__ b,
                                                   float* __restrict__ c, int n) {
  __shared__ float ta[kDepth][128], tb[kDepth][128];
  int t = threadIdx.x, wave = t >> 6, lane = t & 63, i = lane & 31, h = lane >> 5;
  int row0 = blockIdx.y * 128, col0 = blockIdx.x * 128, wr = (wave >> 1) * 64, wc = (wave & 1) * 64;
  f32x16 c00 = {}, c01 = {}, c10 = {}, c11 = {};
  for (int k0 = 0; k0 < n; k0 += kDepth) {
#pragma unroll
    for (int q = 0; q < 4; q++) { // A arrives transposed: depth first
      int r = (t & 63) + (q & 1) * 64, d = (t >> 6) * 4 + (q >> 1) * 16;
      float4 v = *reinterpret_cast<const float4*>(&a[(row0 + r) * n + k0 + d]);
      ta[d][r] = v.x, ta[d + 1][r] = v.y, ta[d + 2][r] = v.z, ta[d + 3][r] = v.w;
    }
#pragma unroll
    for (int q = 0; q < 4; q++) {
      int r = (t >> 5) + q * 8, d = (t & 31) * 4;
      *reinterpret_cast<float4*>(&tb[r][d]) = *reinterpret_cast<const float4*>(&b[(k0 + r) * n + col0 + d]);
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kDepth; k += 2) {
      float a0 = ta[k + h][wr + i], a1 = ta[k + h][wr + 32 + i], b0 = tb[k + h][wc + i], b1 = tb[k + h][wc + 32 + i];
      c00 = __builtin_amdgcn_mfma_f32_32x32x2f32(a0, b0, c00, 0, 0, 0);
      c01 = __builtin_amdgcn_mfma_f32_32x32x2f32(a0, b1, c01, 0, 0, 0);
      c10 = __builtin_amdgcn_mfma_f32_32x32x2f32(a1, b0, c10, 0, 0, 0);
      c11 = __builtin_amdgcn_mfma_f32_32x32x2f32(a1, b1, c11, 0, 0, 0);
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < 16; r++) {
    int row = row0 + wr + 8 * (r / 4) + 4 * h + r % 4, col = col0 + wc + i;
    c[row * n + col] = c00[r];
    c[row * n + col + 32] = c01[r];
    c[(row + 32) * n + col] = c10[r];
    c[(row + 32) * n + col + 32] = c11[r];
  }
}

int main() {
  return gemm::run("sgemm_mfma", [](const float* a, const float* b, float* c) {
    sgemm_mfma<<<dim3(gemm::kN / 128, gemm::kN / 128), 256>>>(a, b, c, gemm::kN);
  });
}
