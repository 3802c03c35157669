// SPDX-License-Identifier: MIT
// Launch syntax, coordinates in three dimensions, argument passing of every shape.
#include "check.h"

__global__ void add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

struct Box {
  char tag;
  double scale;
  int offset[3];
};
namespace deep {
template <class T, int kAdd> __global__ void mixed(char c, T* out, short s, Box box, double d, unsigned char u, long long l) {
  if (threadIdx.x == 0) out[0] = T(c + s + box.tag + box.offset[2] + u + l) + T(box.scale * d) + T(kAdd);
}
} // namespace deep

__global__ void coordinates(unsigned* out) {
  unsigned bx = blockIdx.x, by = blockIdx.y, bz = blockIdx.z;
  unsigned block = (bz * gridDim.y + by) * gridDim.x + bx;
  unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  unsigned i = block * (blockDim.x * blockDim.y * blockDim.z) + thread;
  out[i] = (threadIdx.x | threadIdx.y << 4 | threadIdx.z << 8) | (bx << 12 | by << 16 | bz << 20);
}

template <class F> __global__ void apply(F f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) f(i);
}

__global__ void nothing() {}
__global__ __launch_bounds__(64) void bounded(int* p) { p[threadIdx.x] = int(threadIdx.x); }

int main() {
  constexpr int n = 1000;
  std::vector<float> a(n), b(n);
  for (int i = 0; i < n; ++i) a[i] = float(i), b[i] = 0.5f * float(i);
  float *da = device_copy(a), *db = device_copy(b), *dc = nullptr;
  HIP(hipMalloc(&dc, n * sizeof(float)));
  add<<<(n + 255) / 256, 256>>>(da, db, dc, n);
  HIP(hipGetLastError());
  HIP(hipDeviceSynchronize());
  std::vector<float> c = host_copy(dc, n);
  for (int i = 0; i < n; ++i) CHECK_EQ(c[i], 1.5f * float(i));

  // Arguments by an array of pointers.
  HIP(hipMemset(dc, 0, n * sizeof(float)));
  int count = 100;
  void* args[] = {&da, &db, &dc, &count};
  HIP(hipLaunchKernel(reinterpret_cast<const void*>(add), dim3(1), dim3(128), args, 0, nullptr));
  HIP(hipDeviceSynchronize());
  c = host_copy(dc, n);
  CHECK_EQ(c[99], 148.5f);
  CHECK_EQ(c[100], 0.0f);

  long long* dl = nullptr;
  HIP(hipMalloc(&dl, 8));
  Box box{3, 2.0, {1, 2, 40}};
  hipLaunchKernelGGL(HIP_KERNEL_NAME(deep::mixed<long long, 1000>), dim3(1), dim3(64), 0, 0, char(1), dl, short(-20),
                     box, 2.5, (unsigned char)200, 1LL << 40);
  HIP(hipGetLastError());
  CHECK_EQ(host_copy(dl, 1)[0], 1 - 20 + 3 + 40 + 200 + (1LL << 40) + 5 + 1000);

  dim3 grid(3, 4, 5), block(4, 2, 8);
  size_t total = 3 * 4 * 5 * 64;
  unsigned* du = nullptr;
  HIP(hipMalloc(&du, total * 4));
  coordinates<<<grid, block>>>(du);
  std::vector<unsigned> u = host_copy(du, total);
  for (unsigned z = 0; z < 5; ++z)
    for (unsigned y = 0; y < 4; ++y)
      for (unsigned x = 0; x < 3; ++x)
        for (unsigned t = 0; t < 64; ++t) {
          unsigned expected = (t % 4) | ((t / 4) % 2) << 4 | (t / 8) << 8 | x << 12 | y << 16 | z << 20;
          CHECK_EQ(u[((z * 4 + y) * 3 + x) * 64 + t], expected);
        }

  int* di = nullptr;
  HIP(hipMalloc(&di, n * 4));
  int factor = 7;
  auto lambda = [=] __device__(int i) { di[i] = factor * i; };
  apply<<<10, 100>>>(lambda, n);
  CHECK_EQ(host_copy(di, n)[999], 7 * 999);

  nothing<<<1, 1>>>();
  HIP(hipDeviceSynchronize());

  // What cannot be launched says why and leaves the device usable.
  nothing<<<1, 1025>>>();
  EXPECT_ERROR(hipGetLastError(), hipErrorInvalidConfiguration);
  nothing<<<0, 1>>>();
  EXPECT_ERROR(hipGetLastError(), hipErrorInvalidConfiguration);
  bounded<<<1, 128>>>(di);
  CHECK(hipGetLastError() != hipSuccess);
  EXPECT_ERROR(hipLaunchKernel(&count, dim3(1), dim3(1), nullptr, 0, nullptr), hipErrorInvalidDeviceFunction);
  (void)hipGetLastError();
  bounded<<<1, 64>>>(di);
  HIP(hipGetLastError());
  CHECK_EQ(host_copy(di, 64)[63], 63);
  return finish();
}
