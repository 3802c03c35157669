// SPDX-License-Identifier: MIT
// Output and assertions from device code.
#include "example.h"
#include <cassert>

__global__ void hello(int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(i < 128 && "a thread outside the launch");
  if (i % 50 == 0) printf("hello from thread %d of %d: %s %.2f\n", i, n, "pi is", 3.14159);
}

__global__ void check(const int* x) { assert(x[threadIdx.x] != 13); }

int main() {
  hello<<<2, 64>>>(128);
  HIP_CHECK(hipDeviceSynchronize());
  std::vector<int> x(64, 1);
  example::Buffer<int> d(x);
  check<<<1, 64>>>(d.get());
  bool pass = hipDeviceSynchronize() == hipSuccess;
  return example::report("printf_assert", pass, 0, 0, "", 0);
}
