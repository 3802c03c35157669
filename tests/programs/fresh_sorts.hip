// SPDX-License-Identifier: MIT
// One workgroup sorts in dynamic LDS: odd-even merge, and a radix sort by ballots, with 64 to 1024 work-items.
#include "check.h"
#include <cstdint>

template <class Key> __global__ void merge_exchange(Key* data, int n) {
  extern __shared__ double raw[];
  Key* key = reinterpret_cast<Key*>(raw);
  int t = threadIdx.x;
  if (t < n)
    key[t] = data[blockIdx.x * n + t];
  __syncthreads();
  for (int p = 1; p < n; p <<= 1)
    for (int k = p; k > 0; k >>= 1) {
      int i = t, j = t + k;
      bool first = j < n && (i % (2 * k)) >= (k % p) && (i - k % p) % (2 * k) < k && i / (2 * p) == j / (2 * p);
      if (first && key[j] < key[i]) {
        Key x = key[i];
        key[i] = key[j], key[j] = x;
      }
      __syncthreads();
    }
  if (t < n)
    data[blockIdx.x * n + t] = key[t];
}

// Four bits of nothing but ballots: waves count their ones, a running sum places every key.
__global__ void split_sort(uint32_t* data, int bits) {
  extern __shared__ uint32_t lds[];
  uint32_t *key = lds, *ones = lds + blockDim.x;
  unsigned t = threadIdx.x, lane = t % 64, wave = t / 64, waves = (blockDim.x + 63) / 64;
  key[t] = data[blockIdx.x * blockDim.x + t];
  for (int b = 0; b < bits; b++) {
    __syncthreads();
    uint32_t k = key[t];
    bool one = k >> b & 1;
    unsigned long long mask = __ballot(one);
    if (lane == 0)
      ones[wave] = __popcll(mask);
    __syncthreads();
    unsigned before = __popcll(mask & ((1ull << lane) - 1)), total = 0;
    for (unsigned w = 0; w < waves; w++) {
      if (w < wave)
        before += ones[w];
      total += ones[w];
    }
    unsigned place = one ? blockDim.x - total + before : t - before;
    __syncthreads();
    key[place] = k;
  }
  __syncthreads();
  data[blockIdx.x * blockDim.x + t] = key[t];
}

template <class Key> void check_merge(int n, int blocks, const char* name) {
  std::vector<Key> v((size_t)n * blocks);
  uint32_t r = 5;
  for (auto& k : v)
    r = r * 1664525 + 1013904223, k = (Key)((int)(r >> 8) % 5000 - 2500);
  Key* d = up(v);
  merge_exchange<Key><<<blocks, n, n * sizeof(Key)>>>(d, n);
  std::vector<Key> got = down(d, v.size());
  for (int b = 0; b < blocks; b++) {
    std::sort(v.begin() + b * n, v.begin() + (b + 1) * n);
    for (int i = 0; i < n; i++)
      EXPECT(got[b * n + i] == v[b * n + i], "%s n %d block %d at %d", name, n, b, i);
  }
}

int main() {
  for (int n : {2, 64, 128, 512, 1024}) {
    check_merge<int>(n, 3, "int");
    check_merge<double>(n, 2, "double");
    check_merge<short>(n, 2, "short");
  }
  for (int n : {64, 192, 256, 1024}) {
    std::vector<uint32_t> v((size_t)n * 2);
    uint32_t r = 17;
    for (auto& k : v)
      r = r * 1664525 + 1013904223, k = r >> 16;
    uint32_t* d = up(v);
    split_sort<<<2, n, (n + 16) * 4>>>(d, 16);
    std::vector<uint32_t> got = down(d, v.size());
    for (int b = 0; b < 2; b++) {
      std::sort(v.begin() + b * n, v.begin() + (b + 1) * n);
      for (int i = 0; i < n; i++)
        EXPECT(got[b * n + i] == v[b * n + i], "split n %d block %d at %d", n, b, i);
    }
  }
  DONE();
}
