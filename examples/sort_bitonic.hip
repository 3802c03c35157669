// SPDX-License-Identifier: MIT
// Bitonic sort: small strides inside LDS, large ones through memory.
#include "example.h"

constexpr int kBlock = 1024;

__device__ inline void order(unsigned& a, unsigned& b, bool up) {
  if ((a > b) == up) {
    unsigned t = a;
    a = b;
    b = t;
  }
}

__global__ __launch_bounds__(1024) void sort_tile(unsigned* d, int from, int to) {
  extern __shared__ unsigned s[];
  int i = blockIdx.x * kBlock + threadIdx.x, t = threadIdx.x;
  s[t] = d[i];
  __syncthreads();
  for (int k = from; k <= to; k <<= 1)
    for (int j = min(k, kBlock) >> 1; j; j >>= 1) {
      if ((t ^ j) > t) order(s[t], s[t ^ j], (i & k) == 0);
      __syncthreads();
    }
  d[i] = s[t];
}

__global__ __launch_bounds__(256) void merge_step(unsigned* d, int j, int k) {
  int i = blockIdx.x * 256 + threadIdx.x, o = i ^ j;
  if (o > i) order(d[i], d[o], (i & k) == 0);
}

int main() {
  const int n = example::sized(1 << 18, 1 << 13);
  std::vector<unsigned> x(n);
  uint32_t s = 5;
  for (auto& v : x) s = s * 1664525u + 1013904223u, v = s;
  example::Buffer<unsigned> d(x);
  auto run = [&] {
    sort_tile<<<n / kBlock, kBlock, kBlock * 4>>>(d.get(), 2, kBlock);
    for (int k = 2 * kBlock; k <= n; k <<= 1) {
      for (int j = k >> 1; j >= kBlock; j >>= 1) merge_step<<<n / 256, 256>>>(d.get(), j, k);
      sort_tile<<<n / kBlock, kBlock, kBlock * 4>>>(d.get(), k, k);
    }
  };
  run();
  auto got = d.download();
  auto want = x;
  double host = example::native_ms([&] {
    want = x;
    std::sort(want.begin(), want.end());
  });
  double ms = example::kernel_ms([&] {
    HIP_CHECK(hipMemcpyAsync(d.get(), x.data(), n * 4, hipMemcpyHostToDevice, nullptr));
    run();
  });
  return example::report("sort_bitonic", got == want, ms, n * 1e-6, "Mkeys", host);
}
