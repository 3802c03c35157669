// SPDX-License-Identifier: MIT
// A dispatch that begins in the interpreter and goes on in quick and then in better code: every workgroup runs once. Without a code
// cache, or there is nothing to change to. `wait` makes workgroups meet at barriers and park while the code changes.
#include "check.h"

// Enough of them that quick code still runs when better code is there.
constexpr int kItems = 1 << 20, kTimes = 32;

template <int N> __host__ __device__ inline double step(double x) {
  if constexpr (N == 0) return x;
  else return step<N - 1>(sin(x) * 1.01 + exp(-x * x) + log1p(fabs(x)) * (N % 3));
}
__global__ void count(double* out, int* runs, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double x = step<3>((i % 4096) * 1e-3);
  if (i < kItems) out[i] = x;
  if (x < 1e300) atomicAdd(&runs[i % kItems], 1);
}
__global__ void wait(double* out, int* runs, volatile int* turn, int n) {
  __shared__ double v[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  v[threadIdx.x] = step<3>((i % 4096) * 1e-3);
  __syncthreads();
  if (blockIdx.x % 2 && threadIdx.x == 0) // for the workgroup before this one
    while (atomicAdd((int*)&turn[blockIdx.x - 1], 0) == 0) __builtin_amdgcn_s_sleep(1);
  __syncthreads();
  out[i] = v[255 - threadIdx.x];
  runs[i]++;
  __syncthreads();
  if (threadIdx.x == 0) atomicExch((int*)&turn[blockIdx.x], 1);
}

int main() {
  const int n = kItems;
  double* out;
  int* runs = up(std::vector<int>(n));
  int* turn = up(std::vector<int>(n / 256));
  CK(hipMalloc(&out, n * sizeof(double)));
  std::vector<double> host(4096);
  for (int k = 0; k < 4096; k++) host[k] = step<3>(k * 1e-3);
  for (int kernel = 0; kernel < 2; kernel++) {
    CK(hipMemset(runs, 0, n * sizeof(int)));
    int launches = kernel ? 1 : 2, times = kernel ? 1 : launches * kTimes;
    for (int r = 0; r < launches; r++) {
      if (kernel == 0) count<<<n / 256 * kTimes, 256>>>(out, runs, n * kTimes);
      else wait<<<n / 256, 256>>>(out, runs, turn, n);
      CK(hipDeviceSynchronize());
    }
    auto o = down(out, n);
    auto c = down(runs, n);
    for (int i = 0; i < n; i++) {
      double e = host[(kernel ? i / 256 * 256 + 255 - i % 256 : i) % 4096];
      EXPECT(c[i] == times, "kernel %d, %d ran %d times", kernel, i, c[i]);
      EXPECT(fabs(o[i] - e) <= 1e-12 * fabs(e), "kernel %d, %d: %.17g not %.17g", kernel, i, o[i], e);
    }
  }
  DONE();
}
