// SPDX-License-Identifier: MIT
// printf in kernels (captured and compared), malloc and new, recursion, virtual functions, clocks.
#include "check.h"
#include <algorithm>
#include <string>
#include <unistd.h>

__global__ void speak(const char* unused, double d) {
  int t = threadIdx.x;
  if (t == 3) printf("lane %d: %5.2f|%-6s|%c|%x|%llu|%%|%+d\n", t, d, "text", 'q', 255u, 1ull << 40, 7);
  if (t == 70) printf("plain\n");
  if (t == 1000) printf("%s", unused);
}
__global__ void long_text(const char* s) { printf("%s#\n", s); }

struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  float a;
  __device__ Square(float x) : a(x) {}
  __device__ float area() const override { return a * a; }
};
struct Circle : Shape {
  float r;
  __device__ Circle(float x) : r(x) {}
  __device__ float area() const override { return 3.0f * r * r; }
};
__global__ void heap(float* out) {
  int t = threadIdx.x;
  auto* p = static_cast<int*>(malloc(64 + t * 8));
  if (!p) {
    out[t] = -1;
    return;
  }
  for (int i = 0; i < 16; ++i) p[i] = t + i;
  Shape* s;
  if (t % 2) s = new Circle(float(t));
  else s = new Square(float(t));
  out[t] = s->area() + p[15];
  delete s;
  free(p);
}
__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__global__ void recursion(int* out) { out[threadIdx.x] = fibonacci(int(threadIdx.x % 12)); }
__global__ void clocks(long long* out) {
  long long a = clock64(), w = wall_clock64();
  for (volatile int i = 0; i < 1000; i = i + 1) {
  }
  out[0] = clock64() - a;
  out[1] = wall_clock64() - w;
}

int main() {
  // Standard output into a pipe.
  int fds[2];
  if (pipe(fds)) return 1;
  std::fflush(stdout);
  int keep = dup(1);
  dup2(fds[1], 1);
  speak<<<1, 128>>>(nullptr, 3.14159);
  HIP(hipDeviceSynchronize());
  std::string text(300, 'x');
  char* device_text = nullptr;
  HIP(hipMalloc(&device_text, 301));
  HIP(hipMemcpy(device_text, text.c_str(), 301, hipMemcpyHostToDevice));
  long_text<<<1, 1>>>(device_text);
  HIP(hipDeviceSynchronize());
  std::fflush(stdout);
  dup2(keep, 1);
  close(fds[1]);
  std::string got;
  char buffer[4096];
  for (ssize_t n; (n = read(fds[0], buffer, sizeof buffer)) > 0;) got.append(buffer, size_t(n));
  CHECK(got.find("lane 3:  3.14|text  |q|ff|1099511627776|%|+7\n") != std::string::npos);
  CHECK(got.find("plain\n") != std::string::npos);
  CHECK(got.find(text + "#\n") != std::string::npos);
  if (g_failures) std::fprintf(stderr, "output was: %s\n", got.c_str());

  float* f = nullptr;
  HIP(hipMalloc(&f, 512));
  heap<<<1, 128>>>(f);
  HIP(hipDeviceSynchronize());
  std::vector<float> v = host_copy(f, 128);
  for (int t = 0; t < 128; ++t) CHECK_EQ(v[t], (t % 2 ? 3.0f : 1.0f) * t * t + t + 15);

  int* r = nullptr;
  HIP(hipMalloc(&r, 256));
  recursion<<<1, 64>>>(r);
  HIP(hipDeviceSynchronize());
  std::vector<int> fib = host_copy(r, 64);
  CHECK_EQ(fib[10], 55);
  CHECK_EQ(fib[11], 89);
  CHECK_EQ(fib[23], 89);

  long long* c = nullptr;
  HIP(hipMalloc(&c, 16));
  clocks<<<1, 1>>>(c);
  std::vector<long long> ticks = host_copy(c, 2);
  CHECK(ticks[0] > 0);
  CHECK(ticks[1] >= 0);
  return finish();
}
