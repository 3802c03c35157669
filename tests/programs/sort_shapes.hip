// SPDX-License-Identifier: MIT
// Bitonic sort in dynamic LDS: workgroups of 32 to 1024, elements of 1 to 8 bytes.
#include "check.h"
template <class T> __global__ void bitonic(T* d, int n) {
  extern __shared__ char raw[];
  T* s = (T*)raw;
  int t = threadIdx.x;
  s[t] = d[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int k = 2; k <= n; k <<= 1)
    for (int j = k >> 1; j; j >>= 1) {
      int x = t ^ j;
      if (x > t) {
        bool up = (t & k) == 0;
        if ((s[t] > s[x]) == up) {
          T q = s[t];
          s[t] = s[x];
          s[x] = q;
        }
      }
      __syncthreads();
    }
  d[blockIdx.x * blockDim.x + t] = s[t];
}
template <class T> void go() {
  for (int bs : {32, 64, 128, 512, 1024}) {
    int nb = 5;
    std::vector<T> v(nb * bs);
    for (auto& x : v)
      x = (T)(rand() % 100000);
    T* d = up(v);
    bitonic<T><<<nb, bs, bs * sizeof(T)>>>(d, bs);
    auto o = down(d, v.size());
    for (int b = 0; b < nb; b++) {
      std::sort(v.begin() + b * bs, v.begin() + (b + 1) * bs);
    }
    for (size_t i = 0; i < v.size(); i++)
      EXPECT(o[i] == v[i], "bs %d %zu", bs, i);
  }
}
int main() {
  go<int>();
  go<double>();
  go<unsigned char>();
  go<short>();
  go<unsigned long long>();
  DONE();
}
