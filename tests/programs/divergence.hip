// SPDX-License-Identifier: MIT
// Loops with continue, break and switch that differ in every lane.
#include "check.h"
__host__ __device__ int f(int i, int n) {
  int s = 0;
  for (int k = 0; k < n; k++) {
    if ((k ^ i) % 7 == 3)
      continue;
    if (s > 1000 + i)
      break;
    switch ((i + k) % 5) {
    case 0:
      s += k;
      break;
    case 1:
      s -= i & 15;
    case 2:
      s ^= k * 3;
      break;
    case 3:
      for (int q = 0; q < (i & 3); q++)
        s += q * k;
      break;
    default:
      if (k & 1)
        s = s * 3 + 1;
      else
        s -= 7;
    }
  }
  return s;
}
__global__ void k(int* o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  o[i] = f(i, n + (i % 13));
}
int main() {
  int N = 10000;
  std::vector<int> z(10240);
  int* d = up(z);
  k<<<40, 256>>>(d, 50);
  auto v = down(d, 10240);
  for (int i = 0; i < 10240; i++)
    EXPECT(v[i] == f(i, 50 + i % 13), "%d %d %d", i, v[i], f(i, 50 + i % 13));
  DONE();
}
