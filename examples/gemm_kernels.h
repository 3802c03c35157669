// SPDX-License-Identifier: MIT
// The matrix-product kernels of the examples and of the bench.
#pragma once
#include <hip/hip_runtime.h>

typedef float f32x16 __attribute__((ext_vector_type(16)));

/// Textbook form: 16 x 16 tiles in LDS, one element per thread.
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

/// Register blocking: 64 x 64 tile per block, 4 x 4 elements per thread.
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

constexpr int kDepth = 32;

/// Matrix cores: a lane l of A (B) holds row (column) l % 32 and depth l / 32; register r of the result holds row
/// 8 * (r / 4) + 4 * (l / 32) + r % 4, column l % 32.
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
