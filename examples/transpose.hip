// SPDX-License-Identifier: MIT
// Matrix transpose through a padded LDS tile, so that reads and writes are both contiguous.
#include "example.h"

__global__ __launch_bounds__(256) void transpose(const float* in, float* out, int width, int height) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) out[(y + k) * height + x] = tile[threadIdx.x][threadIdx.y + k];
}

int main() {
  const int w = example::sized(4096, 256), h = example::sized(2048, 128);
  auto a = example::random_floats(size_t(w) * h, 41);
  example::Buffer<float> da(a), db(a.size());
  double ms = example::kernel_ms([&] { transpose<<<dim3(w / 32, h / 32), dim3(32, 8)>>>(da.get(), db.get(), w, h); });
  auto got = db.download();
  std::vector<float> b(a.size());
  double host = example::native_ms([&] {
    example::parallel_for(h / 32, [&](size_t lo, size_t hi) {
      for (size_t y0 = lo * 32; y0 < hi * 32; y0 += 32)
        for (int x0 = 0; x0 < w; x0 += 32)
          for (int x = x0; x < x0 + 32; x++)
            for (size_t y = y0; y < y0 + 32; y++) b[size_t(x) * h + y] = a[y * w + x];
    });
  });
  return example::report("transpose", got == b, ms, 8.0 * w * h * 1e-9, "GB", host);
}
