// SPDX-License-Identifier: MIT
// A program of one HIP source that links nothing by name.
#include <cstdio>
#include <hip/hip_runtime.h>

__global__ void fill(int* p) { p[threadIdx.x] = int(threadIdx.x) * 3; }

int main() {
  int *p = nullptr, v[64];
  if (hipMalloc(&p, sizeof v) != hipSuccess) return 1;
  fill<<<1, 64>>>(p);
  if (hipMemcpy(v, p, sizeof v, hipMemcpyDeviceToHost) != hipSuccess) return 2;
  for (int i = 0; i < 64; ++i)
    if (v[i] != i * 3) return 3;
  std::puts("ok");
  return 0;
}
