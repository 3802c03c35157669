// SPDX-License-Identifier: MIT
// Compiled for another GPU only: everything but launching works, the launch says hipErrorNoBinaryForGpu.
#include "check.h"

__device__ int word;
__global__ void k(int* p) { *p = word; }

int main() {
  int count = 0;
  HIP(hipGetDeviceCount(&count));
  CHECK(count >= 1);
  hipDeviceProp_t p;
  HIP(hipGetDeviceProperties(&p, 0));
  int* d = nullptr;
  HIP(hipMalloc(&d, 4));
  k<<<1, 1>>>(d);
  EXPECT_ERROR(hipGetLastError(), hipErrorNoBinaryForGpu);
  HIP(hipDeviceSynchronize());
  int v = 1;
  EXPECT_ERROR(hipMemcpyToSymbol(word, &v, 4), hipErrorNoBinaryForGpu);
  HIP(hipMemcpy(d, &v, 4, hipMemcpyHostToDevice));
  return finish();
}
