// SPDX-License-Identifier: MIT
// Does not compile: the message must name line 11 of this file.
#include <cuda_runtime.h>
__device__ void f(unsigned& lane) {
  asm("mov.u32 %0, %%laneid;"
      : "=r"(lane));
}
int main() {
  int* p;
  cudaMalloc(&p, 4);
  cudaFree(q);
}
