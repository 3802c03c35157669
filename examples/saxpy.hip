// SPDX-License-Identifier: MIT
// y = a * x + y, from memory and inside the cache.
#include "example.h"

__global__ void saxpy(int n, float a, const float* __restrict__ x, float* __restrict__ y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

static void native(int lo, int hi, float a, const float* __restrict__ x, float* __restrict__ y) {
  for (int i = lo; i < hi; i++) y[i] = a * x[i] + y[i];
}

int main() {
  const int n = example::sized(64 << 20, 1 << 18);
  auto x = example::random_floats(n, 3), y = example::random_floats(n, 4);
  example::Buffer<float> dx(x), dy(y);
  saxpy<<<(n + 255) / 256, 256>>>(n, 1.5f, dx.get(), dy.get());
  HIP_CHECK(hipDeviceSynchronize());
  auto got = dy.download();
  bool pass = true;
  for (int i = 0; i < n && pass; i += 101) {
    float fused = std::fma(1.5f, x[i], y[i]), plain = 1.5f * x[i] + y[i];
    pass = got[i] == fused || got[i] == plain;
  }
  double ms = example::kernel_ms([&] { saxpy<<<(n + 255) / 256, 256>>>(n, 1e-3f, dx.get(), dy.get()); });
  double host = example::native_ms([&] {
    example::parallel_for(n, [&](size_t lo, size_t hi) { native(int(lo), int(hi), 1e-3f, x.data(), y.data()); });
  });
  return example::report("saxpy", pass, ms, 12.0 * n * 1e-9, "GB", host);
}
