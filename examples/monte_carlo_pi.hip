// SPDX-License-Identifier: MIT
// Pi by counting random points in the quarter circle; every thread has its own xorshift generator.
#include "example.h"

__host__ __device__ inline unsigned hits(unsigned seed, int points) {
  unsigned x = seed * 2654435761u + 12345u, h = 0;
  auto next = [&] {
    x ^= x << 13, x ^= x >> 17, x ^= x << 5;
    return (x >> 8) * (1.0f / 16777216.0f);
  };
  for (int k = 0; k < points; k++) {
    float a = next(), b = next();
    if (a * a + b * b < 1) h++;
  }
  return h;
}

__global__ __launch_bounds__(256) void monte_carlo(unsigned long long* total, int points) {
  unsigned h = hits(blockIdx.x * blockDim.x + threadIdx.x + 1, points);
  for (int d = warpSize / 2; d; d /= 2) h += __shfl_down(h, d);
  if (threadIdx.x % warpSize == 0) atomicAdd(total, (unsigned long long)h);
}

int main() {
  const int threads = 64 * 256, points = example::sized(1000, 250);
  example::Buffer<unsigned long long> total(1);
  total.clear();
  monte_carlo<<<threads / 256, 256>>>(total.get(), points);
  unsigned long long got = total.download()[0], want = 0;
  double ms = example::kernel_ms([&] { monte_carlo<<<threads / 256, 256>>>(total.get(), points); });
  std::vector<unsigned> h(threads);
  double host = example::native_ms([&] {
    example::parallel_for(threads, [&](size_t lo, size_t hi) {
      for (size_t t = lo; t < hi; t++) h[t] = hits(unsigned(t) + 1, points);
    });
  });
  for (unsigned v : h) want += v;
  double pi = 4.0 * got / (double(threads) * points);
  // The device may fuse a * a + b * b: points on the circle's rim may differ.
  bool pass = std::llabs((long long)(got - want)) < 50 && std::fabs(pi - M_PI) < 2e-3;
  std::printf("pi is about %.5f\n", pi);
  return example::report("monte_carlo_pi", pass, ms, double(threads) * points * 1e-6, "Mpoints", host);
}
