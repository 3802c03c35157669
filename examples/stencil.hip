// SPDX-License-Identifier: MIT
// Five-point stencil (heat equation) with an LDS tile and a halo.
#include "example.h"

__global__ __launch_bounds__(256) void heat(const float* in, float* out, int w, int h) {
  __shared__ float t[18][18];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y, tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  auto at = [&](int px, int py) { return in[min(max(py, 0), h - 1) * w + min(max(px, 0), w - 1)]; };
  t[ty][tx] = at(x, y);
  if (threadIdx.x == 0) t[ty][0] = at(x - 1, y);
  if (threadIdx.x == 15) t[ty][17] = at(x + 1, y);
  if (threadIdx.y == 0) t[0][tx] = at(x, y - 1);
  if (threadIdx.y == 15) t[17][tx] = at(x, y + 1);
  __syncthreads();
  out[y * w + x] = t[ty][tx] + 0.2f * (t[ty - 1][tx] + t[ty + 1][tx] + t[ty][tx - 1] + t[ty][tx + 1] - 4 * t[ty][tx]);
}

int main() {
  const int w = example::sized(2048, 128), h = example::sized(2048, 128);
  auto a = example::random_floats(size_t(w) * h, 51);
  example::Buffer<float> da(a), db(a.size());
  double ms = example::kernel_ms([&] { heat<<<dim3(w / 16, h / 16), dim3(16, 16)>>>(da.get(), db.get(), w, h); });
  auto got = db.download();
  std::vector<float> b(a.size());
  double host = example::native_ms([&] {
    example::parallel_for(h, [&](size_t lo, size_t hi) {
      for (size_t y = lo; y < hi; y++) {
        const float *c = &a[y * w], *u = y ? c - w : c, *d = y + 1 < h ? c + w : c;
        float* o = &b[y * w];
        o[0] = c[0] + 0.2f * (u[0] + d[0] + c[0] + c[1] - 4 * c[0]);
        for (int x = 1; x < w - 1; x++) o[x] = c[x] + 0.2f * (u[x] + d[x] + c[x - 1] + c[x + 1] - 4 * c[x]);
        o[w - 1] = c[w - 1] + 0.2f * (u[w - 1] + d[w - 1] + c[w - 2] + c[w - 1] - 4 * c[w - 1]);
      }
    });
  });
  bool pass = true;
  for (size_t k = 0; k < a.size(); k++) pass &= example::close(got[k], b[k], 1e-5f, 1e-5f);
  return example::report("stencil", pass, ms, 8.0 * w * h * 1e-9, "GB", host);
}
