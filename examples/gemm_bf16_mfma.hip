// SPDX-License-Identifier: MIT
// bf16 matrix product with f32 accumulation: v_mfma_f32_32x32x8_bf16_1k. A lane holds four consecutive depths.
#include "example.h"

typedef float f32x16 __attribute__((ext_vector_type(16)));
typedef short s16x4 __attribute__((ext_vector_type(4)));
constexpr int kN = example::sized(512, 64);

static unsigned short to_bf16(float f) {
  uint32_t u;
  std::memcpy(&u, &f, 4);
  return static_cast<unsigned short>((u + 0x7fff + ((u >> 16) & 1)) >> 16);
}
static float from_bf16(unsigned short h) {
  uint32_t u = uint32_t(h) << 16;
  float f;
  std::memcpy(&f, &u, 4);
  return f;
}

/// One wave per 32 x 32 tile. `bt` is B transposed, so that both operands read four depths at once.
__global__ __launch_bounds__(64) void gemm_bf16(const s16x4* a, const s16x4* bt, float* c, int n) {
  int lane = threadIdx.x, i = lane & 31, h = lane >> 5, row = blockIdx.y * 32, col = blockIdx.x * 32;
  f32x16 acc = {};
  for (int k = 0; k < n; k += 8)
    acc = __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(a[((row + i) * n + k) / 4 + h], bt[((col + i) * n + k) / 4 + h], acc, 0, 0, 0);
#pragma unroll
  for (int r = 0; r < 16; r++) c[(row + 8 * (r / 4) + 4 * h + r % 4) * n + col + i] = acc[r];
}

int main() {
  const size_t n = size_t(kN) * kN;
  auto fa = example::random_floats(n, 21), fb = example::random_floats(n, 22);
  std::vector<unsigned short> a(n), bt(n);
  for (size_t k = 0; k < n; k++) a[k] = to_bf16(fa[k] - 0.5f), bt[k] = to_bf16(fb[k]);
  example::Buffer<unsigned short> da(a), db(bt);
  example::Buffer<float> dc(n);
  double ms = example::kernel_ms([&] {
    gemm_bf16<<<dim3(kN / 32, kN / 32), 64>>>(reinterpret_cast<const s16x4*>(da.get()), reinterpret_cast<const s16x4*>(db.get()), dc.get(), kN);
  });
  auto c = dc.download();
  std::vector<float> wa(n), wb(n), host_c(n);
  for (size_t k = 0; k < n; k++) wa[k] = from_bf16(a[k]), wb[k] = from_bf16(bt[k]);
  double host = example::native_ms([&] {
    example::parallel_for(kN, [&](size_t lo, size_t hi) {
      for (size_t i = lo; i < hi; i++)
        for (int j = 0; j < kN; j++) {
          float s[16] = {};
          for (int k = 0; k < kN; k += 16)
            for (int q = 0; q < 16; q++) s[q] += wa[i * kN + k + q] * wb[size_t(j) * kN + k + q];
          float t = 0;
          for (float v : s) t += v;
          host_c[i * kN + j] = t;
        }
    });
  });
  bool pass = true;
  for (size_t k = 0; k < n; k += 7) pass &= example::close(c[k], host_c[k], 1e-4f, 1e-3f);
  return example::report("gemm_bf16_mfma", pass, ms, 2.0 * kN * kN * kN * 1e-9, "GFLOP", host);
}
