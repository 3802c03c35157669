// SPDX-License-Identifier: MIT
#include <cuda_runtime.h>
int devices() {
  int n = 0;
  return cudaGetDeviceCount(&n) == cudaSuccess ? n : -1;
}
