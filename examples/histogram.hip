// SPDX-License-Identifier: MIT
// Byte histogram: LDS atomics per block, global atomics to merge.
#include "example.h"

__global__ __launch_bounds__(256) void histogram(const unsigned char* x, size_t n, unsigned* bins) {
  __shared__ unsigned local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  for (size_t i = blockIdx.x * size_t(256) + threadIdx.x; i < n; i += size_t(gridDim.x) * 256) atomicAdd(&local[x[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

int main() {
  const size_t n = example::sized(16 << 20, 1 << 16);
  std::vector<unsigned char> x(n);
  uint32_t s = 7;
  for (auto& v : x) s = s * 1664525u + 1013904223u, v = static_cast<unsigned char>((s >> 16) & (s >> 24));
  example::Buffer<unsigned char> dx(x);
  example::Buffer<unsigned> bins(256);
  bins.clear();
  histogram<<<128, 256>>>(dx.get(), n, bins.get());
  auto got = bins.download();
  double ms = example::kernel_ms([&] { histogram<<<128, 256>>>(dx.get(), n, bins.get()); });
  std::vector<unsigned> want(256);
  double host = example::native_ms([&] {
    std::vector<std::vector<unsigned>> part(8, std::vector<unsigned>(256));
    example::parallel_for(8, [&](size_t lo, size_t hi) {
      for (size_t k = lo; k < hi; k++)
        for (size_t i = n / 8 * k; i < n / 8 * (k + 1); i++) part[k][x[i]]++;
    });
    for (int b = 0; b < 256; b++) {
      want[b] = 0;
      for (auto& p : part) want[b] += p[b];
    }
  });
  return example::report("histogram", got == want, ms, n * 1e-9, "GB", host);
}
