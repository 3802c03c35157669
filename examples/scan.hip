// SPDX-License-Identifier: MIT
// Inclusive prefix sum in one pass: each block publishes its sum, then looks back over its predecessors until it finds
// a finished prefix (decoupled look-back). Works because blocks start in order.
#include "example.h"

constexpr int kThreads = 256, kItems = 8, kTile = kThreads * kItems;
enum : unsigned long long { kEmpty = 0, kSum = 1ull << 62, kPrefix = 2ull << 62, kMask = 3ull << 62 };

__global__ __launch_bounds__(256) void scan(const unsigned* in, unsigned* out, unsigned long long* state, unsigned* ticket, int n) {
  __shared__ unsigned wave_sum[kThreads / 64], tile, before;
  if (threadIdx.x == 0) tile = atomicAdd(ticket, 1u); // order of start, whatever the hardware's
  __syncthreads();
  int base = tile * kTile + threadIdx.x * kItems, lane = threadIdx.x % 64, wave = threadIdx.x / 64;
  unsigned v[kItems], sum = 0;
#pragma unroll
  for (int k = 0; k < kItems; k++) v[k] = base + k < n ? in[base + k] : 0;
#pragma unroll
  for (int k = 0; k < kItems; k++) sum += v[k], v[k] = sum;
  unsigned x = sum;
  for (int d = 1; d < 64; d *= 2) {
    unsigned y = __shfl_up(x, d);
    if (lane >= d) x += y;
  }
  if (lane == 63) wave_sum[wave] = x;
  __syncthreads();
  unsigned offset = x - sum, total = 0;
  for (int w = 0; w < kThreads / 64; w++) {
    if (w < wave) offset += wave_sum[w];
    total += wave_sum[w];
  }
  if (threadIdx.x == 0) {
    __hip_atomic_store(&state[tile], (tile == 0 ? kPrefix : kSum) | total, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
    unsigned prefix = 0;
    for (int p = int(tile) - 1; p >= 0;) {
      unsigned long long s = __hip_atomic_load(&state[p], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT);
      if ((s & kMask) == kEmpty) continue; // predecessor not there yet
      prefix += unsigned(s);
      if ((s & kMask) == kPrefix) break;
      p--;
    }
    if (tile != 0) __hip_atomic_store(&state[tile], kPrefix | (unsigned long long)(prefix + total), __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
    before = prefix;
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kItems; k++)
    if (base + k < n) out[base + k] = v[k] + offset + before;
}

int main() {
  const int n = example::sized(8 << 20, 1 << 16), tiles = (n + kTile - 1) / kTile;
  std::vector<unsigned> x(n), want(n);
  uint32_t s = 9;
  for (auto& v : x) s = s * 1664525u + 1013904223u, v = s >> 28;
  example::Buffer<unsigned> dx(x), dy(n), ticket(1);
  example::Buffer<unsigned long long> state(tiles);
  double ms = example::kernel_ms([&] {
    HIP_CHECK(hipMemsetAsync(state.get(), 0, tiles * 8, nullptr));
    HIP_CHECK(hipMemsetAsync(ticket.get(), 0, 4, nullptr));
    scan<<<tiles, kThreads>>>(dx.get(), dy.get(), state.get(), ticket.get(), n);
  });
  double host = example::native_ms([&] {
    unsigned t = 0;
    for (int i = 0; i < n; i++) want[i] = t += x[i];
  });
  return example::report("scan", dy.download() == want, ms, 8.0 * n * 1e-9, "GB", host);
}
