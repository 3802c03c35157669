// SPDX-License-Identifier: MIT
// Device code across two source files (-fgpu-rdc): functions and variables of the other file.
#include "check.h"

extern __device__ int other_counter;
__device__ int other_square(int x);

__global__ void k(int* out) {
  out[threadIdx.x] = other_square(int(threadIdx.x)) + other_counter;
}
void launch_other(int* out);

int main() {
  int* d = nullptr;
  HIP(hipMalloc(&d, 256));
  k<<<1, 64>>>(d);
  HIP(hipGetLastError());
  CHECK_EQ(host_copy(d, 64)[9], 81 + 1000);
  launch_other(d);
  CHECK_EQ(host_copy(d, 64)[9], -9);
  return finish();
}
