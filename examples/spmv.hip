// SPDX-License-Identifier: MIT
// Sparse matrix times vector, CSR, one row per thread: rows of very different length make waves diverge.
#include "example.h"

__global__ __launch_bounds__(256) void spmv(const int* row, const int* col, const float* val, const float* x, float* y, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= n) return;
  float sum = 0;
  for (int k = row[r]; k < row[r + 1]; k++) sum += val[k] * x[col[k]];
  y[r] = sum;
}

int main() {
  const int n = example::sized(100000, 5000);
  std::vector<int> row(n + 1), col;
  uint32_t s = 3;
  auto rnd = [&] { return s = s * 1664525u + 1013904223u, s >> 8; };
  for (int r = 0; r < n; r++) {
    row[r] = int(col.size());
    int len = int(rnd() % 16) + (rnd() % 97 == 0 ? 200 : 0);
    for (int k = 0; k < len; k++) col.push_back(int(rnd() % n));
  }
  row[n] = int(col.size());
  auto val = example::random_floats(col.size(), 61), x = example::random_floats(n, 62);
  example::Buffer<int> dr(row), dc(col);
  example::Buffer<float> dv(val), dx(x), dy(n);
  double ms = example::kernel_ms([&] { spmv<<<(n + 255) / 256, 256>>>(dr.get(), dc.get(), dv.get(), dx.get(), dy.get(), n); });
  auto got = dy.download();
  std::vector<float> y(n);
  double host = example::native_ms([&] {
    example::parallel_for(n, [&](size_t lo, size_t hi) {
      for (size_t r = lo; r < hi; r++) {
        float sum = 0;
        for (int k = row[r]; k < row[r + 1]; k++) sum += val[k] * x[col[k]];
        y[r] = sum;
      }
    });
  });
  bool pass = true;
  for (int r = 0; r < n; r++) pass &= example::close(got[r], y[r], 1e-4f, 1e-4f);
  return example::report("spmv", pass, ms, 2e-9 * col.size(), "GFLOP", host);
}
