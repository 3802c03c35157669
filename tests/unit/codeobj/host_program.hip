// SPDX-License-Identifier: MIT
// A HIP translation unit with a host side, so that the object file carries .hip_fatbin.
#include "../../kernels/prelude.h"
// clang emits calls to this for kernel stubs and wants a declaration.
struct dim3 {
  unsigned x, y, z;
};
extern "C" int hipLaunchKernel(const void* f, dim3 grid, dim3 block, void** args, unsigned long lds, void* stream);
__global__ void nothing() {}
int host_side() { return 1; }
