// SPDX-License-Identifier: MIT
// What C++17 forbids and nvcc's compilers only warn of: `register`, and narrowing of a variable in braces.
#include <cstdio>

__global__ void kernel(float* out, int n) {
  register int i = threadIdx.x;
  const float both[] = {n, i};
  out[i] = both[0] + both[1];
}

int main() {
  float* out;
  cudaMallocManaged(&out, 64 * sizeof(float));
  kernel<<<1, 64>>>(out, 100);
  if (cudaDeviceSynchronize() != cudaSuccess) return 2;
  bool good = true;
  for (register int i = 0; i < 64; ++i) good = good && out[i] == float(100 + i);
  std::puts(good ? "PASS" : "FAIL");
  return good ? 0 : 1;
}
