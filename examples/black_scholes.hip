// SPDX-License-Identifier: MIT
// Option prices: logarithm, exponential, square root and erf per element.
#include "example.h"

__host__ __device__ inline float cdf(float x) { return 0.5f * erfcf(-x * 0.70710678f); }
__host__ __device__ inline void price(float s, float k, float t, float& call, float& put) {
  const float r = 0.02f, v = 0.3f;
  float root = sqrtf(t), d1 = (logf(s / k) + (r + 0.5f * v * v) * t) / (v * root), d2 = d1 - v * root, e = expf(-r * t);
  call = s * cdf(d1) - k * e * cdf(d2);
  put = k * e * cdf(-d2) - s * cdf(-d1);
}

__global__ __launch_bounds__(256) void black_scholes(const float* s, const float* k, const float* t, float* call, float* put, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) price(s[i], k[i], t[i], call[i], put[i]);
}

int main() {
  const int n = example::sized(1 << 20, 1 << 12);
  auto s = example::random_floats(n, 71), k = example::random_floats(n, 72), t = example::random_floats(n, 73);
  for (int i = 0; i < n; i++) s[i] = 5 + 25 * s[i], k[i] = 1 + 99 * k[i], t[i] = 0.25f + 9.75f * t[i];
  example::Buffer<float> ds(s), dk(k), dt(t), dc(n), dp(n);
  double ms = example::kernel_ms([&] { black_scholes<<<(n + 255) / 256, 256>>>(ds.get(), dk.get(), dt.get(), dc.get(), dp.get(), n); });
  auto call = dc.download(), put = dp.download();
  std::vector<float> hc(n), hp(n);
  double host = example::native_ms([&] {
    example::parallel_for(n, [&](size_t lo, size_t hi) {
      for (size_t i = lo; i < hi; i++) price(s[i], k[i], t[i], hc[i], hp[i]);
    });
  });
  bool pass = true;
  for (int i = 0; i < n; i++) pass &= example::close(call[i], hc[i], 1e-4f, 1e-3f) && example::close(put[i], hp[i], 1e-4f, 1e-3f);
  return example::report("black_scholes", pass, ms, n * 1e-6, "Moptions", host);
}
