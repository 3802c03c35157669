// SPDX-License-Identifier: MIT
// c = a + b: the smallest useful kernel.
#include "example.h"

__global__ void vector_add(const float* a, const float* b, float* c, size_t n) {
  size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

int main() {
  const size_t n = example::sized(16 << 20, 1 << 18);
  auto a = example::random_floats(n, 1), b = example::random_floats(n, 2);
  example::Buffer<float> da(a), db(b), dc(n);
  double ms = example::kernel_ms([&] { vector_add<<<dim3((n + 255) / 256), dim3(256)>>>(da.get(), db.get(), dc.get(), n); });
  std::vector<float> c(n);
  double host = example::native_ms([&] {
    example::parallel_for(n, [&](size_t lo, size_t hi) {
      for (size_t i = lo; i < hi; i++) c[i] = a[i] + b[i];
    });
  });
  return example::report("vector_add", dc.download() == c, ms, 12.0 * n * 1e-9, "GB", host);
}
