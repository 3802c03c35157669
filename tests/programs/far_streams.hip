// Loops whose waves read at steps far apart: sums, copies, early exits of lanes and whole waves, a loop run many times,
// barriers between, steps backwards, and waves that stay away. Values by the same loops on the host.
#include "check.h"
#include <cstdint>

__global__ void sums(const int* x, long long* out, int n) {
  long long s = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += x[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
__global__ void sums64(const int* x, unsigned* out, size_t n) {
  unsigned s = 1;
  size_t all = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += all) s = s * 33 + x[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
__global__ void copies(const int* x, const int* y, int* z, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) z[i] = x[i] * 3 + y[i];
}
// Each wave has its own number of steps; every eleventh none.
__global__ void uneven(const int* x, unsigned* out, int step, int most) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x, wave = t / 64;
  int steps = __builtin_amdgcn_readfirstlane(wave % 11 == 10 ? 0 : 5 + int(wave * 7) % most); // a scalar branch
  unsigned s = 0;
#pragma clang loop unroll(disable)
  for (int k = 0; k < steps; k++) s = s * 5 + x[t + k * step];
  out[t] = s;
}
// Lanes leave when they find a marker.
__global__ void until(const int* x, unsigned* out, int step) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x, s = 0;
  const int* p = x + t;
#pragma clang loop unroll(disable)
  while (*p >= 0) s += *p * 3u, p += step;
  out[t] = s;
}
// The same loop again and again, forwards and backwards, with barriers and LDS between.
__global__ void rounds(const int* x, unsigned* out, int step, int steps, int times) {
  __shared__ unsigned part[1024];
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x, s = 0;
  for (int r = 0; r < times; r++) {
    unsigned a = r;
    if (r & 1)
#pragma clang loop unroll(disable)
      for (int k = steps - 1; k >= 0; k--) a = a * 7 + x[t + k * step];
    else
#pragma clang loop unroll(disable)
      for (int k = 0; k < steps + r; k++) a ^= x[t + k * step] + (a << 1);
    part[threadIdx.x] = a;
    __syncthreads();
    s += part[(threadIdx.x + 65) % blockDim.x] * (r + 1);
    __syncthreads();
  }
  out[t] = s;
}
template <class T> void same(const char* what, int block, int grid, const std::vector<T>& got, const std::vector<T>& want) {
  for (size_t i = 0; i < want.size(); i++)
    EXPECT(got[i] == want[i], "%s %d x %d at %zu: %lld want %lld", what, grid, block, i, (long long)got[i], (long long)want[i]);
}
int main() {
  const int n = 1 << 20;
  std::vector<int> x(n), y(n);
  for (int i = 0; i < n; i++) x[i] = int((i * 2654435761u) >> 8), y[i] = int((i * 40503u) & 0xffff);
  int *dx = up(x), *dy = up(y);
  for (int block : {64, 128, 192, 200, 256, 384, 512, 1000, 1024})
    for (int grid : {1, 3, 16, 37}) {
      int all = block * grid;
      std::vector<long long> s0(all);
      std::vector<unsigned> s1(all), s2(all), s3(all), s4(all);
      long long* d0 = up(s0);
      unsigned* d1 = up(s1);
      int m = std::min(n, all * 40) - 77;
      sums<<<grid, block>>>(dx, d0, m);
      for (int i = 0; i < m; i++) s0[i % all] += x[i];
      same("sums", block, grid, down(d0, all), s0);
      sums64<<<grid, block>>>(dx, d1, m);
      std::fill(s1.begin(), s1.end(), 1u);
      for (int i = 0; i < m; i++) s1[i % all] = s1[i % all] * 33 + x[i];
      same("sums64", block, grid, down(d1, all), s1);
      std::vector<int> z(m);
      int* dz = up(z);
      copies<<<grid, block>>>(dx, dy, dz, m);
      for (int i = 0; i < m; i++) z[i] = int(x[i] * 3u + y[i]);
      same("copies", block, grid, down(dz, m), z);
      CK(hipFree(dz));
      int step = 4160, most = std::min(30, (n - all) / step);
      uneven<<<grid, block>>>(dx, d1, step, most - 5);
      for (int t = 0; t < all; t++) {
        int wave = t / 64, steps = wave % 11 == 10 ? 0 : 5 + wave * 7 % (most - 5);
        for (int k = 0; k < steps; k++) s2[t] = s2[t] * 5 + x[t + k * step];
      }
      if (block % 64 == 0) same("uneven", block, grid, down(d1, all), s2);
      std::vector<int> marked = x;
      for (int i = 0; i < n; i++) marked[i] = marked[i] & 0xffffff;
      for (int t = 0; t < all; t++) marked[t + (t * 13 % most) * step] = -1;
      int* dm = up(marked);
      until<<<grid, block>>>(dm, d1, step);
      for (int t = 0; t < all; t++)
        for (const int* p = &marked[t]; *p >= 0; p += step) s3[t] += *p * 3u;
      same("until", block, grid, down(d1, all), s3);
      CK(hipFree(dm));
      int steps = most - 6, times = 5;
      if (steps < 1) continue;
      rounds<<<grid, block>>>(dx, d1, step, steps, times);
      std::vector<unsigned> part(all);
      for (int r = 0; r < times; r++) {
        for (int t = 0; t < all; t++) {
          unsigned a = r;
          if (r & 1)
            for (int k = steps - 1; k >= 0; k--) a = a * 7 + x[t + k * step];
          else
            for (int k = 0; k < steps + r; k++) a ^= x[t + k * step] + (a << 1);
          part[t] = a;
        }
        for (int t = 0; t < all; t++) s4[t] += part[t / block * block + (t % block + 65) % block] * (r + 1);
      }
      same("rounds", block, grid, down(d1, all), s4);
      CK(hipFree(d0));
      CK(hipFree(d1));
    }
  DONE();
}
