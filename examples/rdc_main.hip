// SPDX-License-Identifier: MIT
// Relocatable device code: the kernel here calls a device function of another file (rdc_device.hip, -fgpu-rdc).
#include "example.h"

extern __device__ float polynomial(float x);
extern __device__ int calls;

__global__ void evaluate(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = polynomial(x[i]), atomicAdd(&calls, 1);
}

__global__ void read_calls(int* out) { *out = calls; }

int main() {
  const int n = 5000;
  auto x = example::random_floats(n, 95);
  example::Buffer<float> d(x);
  example::Buffer<int> c(1);
  evaluate<<<(n + 255) / 256, 256>>>(d.get(), n);
  read_calls<<<1, 1>>>(c.get());
  auto got = d.download();
  bool pass = c.download()[0] == n;
  for (int i = 0; i < n; i++) pass &= example::close(got[i], (x[i] * 2 + 3) * x[i] + 4, 1e-6f);
  return example::report("rdc", pass, 0, 0, "", 0);
}
