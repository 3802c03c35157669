// SPDX-License-Identifier: MIT
// Virtual calls and recursion.
#include "check.h"
struct Shape {
  __device__ virtual float area(float x) const = 0;
  __device__ virtual ~Shape() {}
};
struct Sq : Shape {
  float a;
  __device__ Sq(float a) : a(a) {}
  __device__ float area(float x) const override { return a * a + x; }
};
struct Ci : Shape {
  float r;
  __device__ Ci(float r) : r(r) {}
  __device__ float area(float x) const override { return 3 * r * r - x; }
};
__device__ __noinline__ int fib(int n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
__device__ __noinline__ int ack(int m, int n) {
  if (m == 0)
    return n + 1;
  if (n == 0)
    return ack(m - 1, 1);
  return ack(m - 1, ack(m, n - 1));
}
__global__ void k(float* o, int* p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Sq s(i * .5f);
  Ci c(i * .25f);
  const Shape* sh = (i % 3 == 0) ? (const Shape*)&s : (const Shape*)&c;
  o[i] = sh->area(1.0f * i);
  p[i] = fib(i % 11) + ack(i & 1, i % 5);
}
int hf(int n) {
  return n < 2 ? n : hf(n - 1) + hf(n - 2);
}
int ha(int m, int n) {
  if (m == 0)
    return n + 1;
  if (n == 0)
    return ha(m - 1, 1);
  return ha(m - 1, ha(m, n - 1));
}
int main() {
  int n = 512;
  CK(hipDeviceSetLimit(hipLimitStackSize, 8192));
  std::vector<float> z(n);
  std::vector<int> y(n);
  float* d = up(z);
  int* e = up(y);
  k<<<2, 256>>>(d, e);
  auto v = down(d, n);
  auto w = down(e, n);
  for (int i = 0; i < n; i++) {
    float x = i % 3 == 0 ? (i * .5f) * (i * .5f) + i : 3 * (i * .25f) * (i * .25f) - i;
    EXPECT(v[i] == x, "%d %g %g", i, v[i], x);
    EXPECT(w[i] == hf(i % 11) + ha(i & 1, i % 5), "%d %d", i, w[i]);
  }
  DONE();
}
