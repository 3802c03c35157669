// SPDX-License-Identifier: MIT
// Names of CUDA that only the preprocessor puts together.
#include <cstdio>

#define CALL(name) cuda##name
#define JOIN(a, b) a##b

__global__ void kernel(int* p) { p[threadIdx.x] = threadIdx.x + 1; }

int main() {
  int* p;
  int sum = 0, host[64];
  if (CALL(Malloc)((void**)&p, sizeof host) != JOIN(cuda, Success)) return 2;
  kernel<<<1, 64>>>(p);
  if (CALL(Memcpy)(host, p, sizeof host, JOIN(cudaMemcpy, DeviceToHost)) != cudaSuccess) return 3;
  for (int v : host) sum += v;
  bool good = CALL(Free)(p) == cudaSuccess && sum == 2080;
  std::puts(good ? "PASS" : "FAIL");
  return good ? 0 : 1;
}
