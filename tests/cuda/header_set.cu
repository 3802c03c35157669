// SPDX-License-Identifier: MIT
// Compiled by hipcc without translation, with the headers that stand for CUDA's.
#include <cuComplex.h>
#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#include <nvrtc.h>
__global__ void k(int* p) { *p = threadIdx.x + 5; }
int main() {
  int *p, v = 0;
  cudaStream_t s;
  CUcontext c = nullptr;
  (void)c;
  if (cudaStreamCreate(&s) != cudaSuccess || cudaMallocHost((void**)&p, 4) != cudaSuccess)
    return 1;
  cudaFreeHost(p);
  cudaMalloc(&p, sizeof(int));
  k<<<1, 1, 0, s>>>(p);
  cudaMemcpyAsync(&v, p, sizeof v, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s);
  cuFloatComplex z = make_cuFloatComplex(1, 2);
  return v == 5 && cuCimagf(z) == 2 ? 0 : 2;
}
