// SPDX-License-Identifier: MIT
// Least-significant-digit radix sort, 4 bits a pass: count per block, scan the counts, scatter in stable order with wave
// ballots.
#include "example.h"

constexpr int kThreads = 256, kRadix = 16;

__global__ __launch_bounds__(256) void count(const unsigned* x, unsigned* counts, int n, int shift, int blocks) {
  __shared__ unsigned bins[kRadix];
  if (threadIdx.x < kRadix) bins[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n) atomicAdd(&bins[x[i] >> shift & (kRadix - 1)], 1u);
  __syncthreads();
  if (threadIdx.x < kRadix) counts[threadIdx.x * blocks + blockIdx.x] = bins[threadIdx.x];
}

__global__ __launch_bounds__(1024) void scan_counts(unsigned* c, int n) { // one block, exclusive
  __shared__ unsigned part[1024];
  int per = (n + 1023) / 1024, lo = threadIdx.x * per, hi = min(n, lo + per);
  unsigned sum = 0;
  for (int k = lo; k < hi; k++) sum += c[k];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int d = 1; d < 1024; d *= 2) {
    unsigned v = threadIdx.x >= d ? part[threadIdx.x - d] : 0;
    __syncthreads();
    part[threadIdx.x] += v;
    __syncthreads();
  }
  unsigned run = part[threadIdx.x] - sum;
  for (int k = lo; k < hi; k++) {
    unsigned v = c[k];
    c[k] = run;
    run += v;
  }
}

__global__ __launch_bounds__(256) void scatter(const unsigned* x, unsigned* y, const unsigned* offsets, int n, int shift, int blocks) {
  __shared__ unsigned wave_count[kThreads / 64][kRadix];
  int i = blockIdx.x * kThreads + threadIdx.x, lane = threadIdx.x % 64, wave = threadIdx.x / 64;
  unsigned v = i < n ? x[i] : 0, digit = v >> shift & (kRadix - 1);
  unsigned long long mine = 0;
  for (unsigned d = 0; d < kRadix; d++) {
    unsigned long long m = __ballot(i < n && digit == d);
    if (digit == d) mine = m;
    if (lane == 0) wave_count[wave][d] = __popcll(m);
  }
  __syncthreads();
  unsigned rank = __popcll(mine & ((1ull << lane) - 1));
  for (int w = 0; w < wave; w++) rank += wave_count[w][digit];
  if (i < n) y[offsets[digit * blocks + blockIdx.x] + rank] = v;
}

int main() {
  const int n = example::sized(1 << 19, 1 << 13), blocks = (n + kThreads - 1) / kThreads;
  std::vector<unsigned> x(n);
  uint32_t s = 77;
  for (auto& v : x) s = s * 1664525u + 1013904223u, v = s;
  example::Buffer<unsigned> a(x), b(n), counts(blocks * kRadix);
  auto run = [&] {
    for (int shift = 0; shift < 32; shift += 4) {
      unsigned *from = shift / 4 % 2 ? b.get() : a.get(), *to = shift / 4 % 2 ? a.get() : b.get();
      count<<<blocks, kThreads>>>(from, counts.get(), n, shift, blocks);
      scan_counts<<<1, 1024>>>(counts.get(), blocks * kRadix);
      scatter<<<blocks, kThreads>>>(from, to, counts.get(), n, shift, blocks);
    }
  };
  run();
  auto got = a.download();
  auto want = x;
  double host = example::native_ms([&] {
    want = x;
    std::sort(want.begin(), want.end());
  });
  double ms = example::kernel_ms([&] {
    HIP_CHECK(hipMemcpyAsync(a.get(), x.data(), n * 4, hipMemcpyHostToDevice, nullptr));
    run();
  });
  return example::report("sort_radix", got == want, ms, n * 1e-6, "Mkeys", host);
}
