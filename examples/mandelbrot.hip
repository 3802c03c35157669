// SPDX-License-Identifier: MIT
// The Mandelbrot set, written as a PNG: loops of different length in every lane.
#include "example.h"
#include "png.h"

__host__ __device__ inline int escape(float cx, float cy, int limit) {
  float x = 0, y = 0;
  int k = 0;
  for (; k < limit; k++) {
    float xx = x * x, yy = y * y;
    if (xx + yy > 4) break;
    y = 2 * x * y + cy;
    x = xx - yy + cx;
  }
  return k;
}

__global__ __launch_bounds__(256) void mandelbrot(int* out, int w, int h, int limit) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < w && y < h) out[y * w + x] = escape(-2.2f + 3.2f * x / w, -1.2f + 2.4f * y / h, limit);
}

int main(int argc, char** argv) {
  const int w = example::sized(1024, 128), h = example::sized(768, 96), limit = 256;
  example::Buffer<int> d(size_t(w) * h);
  double ms = example::kernel_ms([&] { mandelbrot<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(d.get(), w, h, limit); });
  auto got = d.download();
  std::vector<int> want(got.size());
  double host = example::native_ms([&] {
    example::parallel_for(h, [&](size_t lo, size_t hi) {
      for (size_t y = lo; y < hi; y++)
        for (int x = 0; x < w; x++) want[y * w + x] = escape(-2.2f + 3.2f * x / w, -1.2f + 2.4f * int(y) / h, limit);
    });
  });
  size_t differ = 0, iterations = 0;
  for (size_t k = 0; k < got.size(); k++) differ += got[k] != want[k], iterations += got[k];
  std::vector<unsigned char> rgb(got.size() * 3);
  for (size_t k = 0; k < got.size(); k++) {
    float t = got[k] == limit ? 0 : std::sqrt(got[k] / float(limit));
    rgb[3 * k] = static_cast<unsigned char>(255 * t);
    rgb[3 * k + 1] = static_cast<unsigned char>(255 * t * t);
    rgb[3 * k + 2] = static_cast<unsigned char>(got[k] == limit ? 0 : 80 + 175 * (1 - t));
  }
  std::string file = argc > 1 ? argv[1] : "mandelbrot.png";
  bool written = png::write(file, w, h, rgb);
  if (written) std::printf("picture: %s\n", file.c_str());
  // Contracted multiplications may move single points near the border of the set.
  return example::report("mandelbrot", written && differ < got.size() / 100, ms, iterations * 1e-6, "Miterations", host);
}
