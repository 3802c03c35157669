// SPDX-License-Identifier: MIT
// Local memory: static and dynamic arrays, barriers, reductions, a sort over 1024 threads.
#include "check.h"
#include <algorithm>

__global__ void reverse(const int* in, int* out) {
  __shared__ int tile[256];
  int t = threadIdx.x, base = blockIdx.x * 256;
  tile[t] = in[base + t];
  __syncthreads();
  out[base + t] = tile[255 - t];
}

__global__ void reduce(const float* in, float* out, int n) {
  extern __shared__ float partial[];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned step = blockDim.x / 2; step > 0; step /= 2) {
    if (threadIdx.x < step) partial[threadIdx.x] += partial[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}

__global__ void bitonic(unsigned* data, int n) {
  HIP_DYNAMIC_SHARED(unsigned, s)
  unsigned t = threadIdx.x;
  s[t] = data[t];
  __syncthreads();
  for (unsigned k = 2; k <= unsigned(n); k *= 2)
    for (unsigned j = k / 2; j > 0; j /= 2) {
      unsigned other = t ^ j;
      if (other > t) {
        bool up = (t & k) == 0;
        unsigned a = s[t], b = s[other];
        if ((a > b) == up) s[t] = b, s[other] = a;
      }
      __syncthreads();
    }
  data[t] = s[t];
}

__global__ void barrier_values(int* out) {
  int t = threadIdx.x;
  int count = __syncthreads_count(t % 3 == 0);
  int all = __syncthreads_and(t >= 0);
  int none = __syncthreads_and(t != 7);
  int any = __syncthreads_or(t == 100);
  if (t == 0) out[0] = count, out[1] = all, out[2] = none, out[3] = any;
}

// Two arrays of different types in one dynamic block.
__global__ void carve(double* out, int n) {
  extern __shared__ char raw[];
  auto* d = reinterpret_cast<double*>(raw);
  auto* s = reinterpret_cast<short*>(raw + n * sizeof(double));
  int t = threadIdx.x;
  d[t] = t * 0.5;
  s[t] = short(t);
  __syncthreads();
  out[t] = d[n - 1 - t] + s[n - 1 - t];
}

int main() {
  std::vector<int> v(1024);
  for (int i = 0; i < 1024; ++i) v[i] = i * i;
  int *in = device_copy(v), *out = nullptr;
  HIP(hipMalloc(&out, 4096));
  reverse<<<4, 256>>>(in, out);
  std::vector<int> r = host_copy(out, 1024);
  for (int i = 0; i < 1024; ++i) CHECK_EQ(r[i], v[(i / 256) * 256 + 255 - i % 256]);

  std::vector<float> f(10000);
  double expected = 0;
  for (int i = 0; i < 10000; ++i) f[i] = float(i % 17), expected += f[i];
  float *df = device_copy(f), *partial = nullptr;
  HIP(hipMalloc(&partial, 8 * 4));
  reduce<<<8, 512, 512 * sizeof(float)>>>(df, partial, 10000);
  HIP(hipGetLastError());
  double sum = 0;
  for (float x : host_copy(partial, 8)) sum += x;
  CHECK_EQ(sum, expected);

  for (int n : {64, 256, 1024}) {
    std::vector<unsigned> u(n);
    unsigned seed = 12345;
    for (unsigned& x : u) x = seed = seed * 1664525u + 1013904223u;
    unsigned* du = device_copy(u);
    bitonic<<<1, n, n * 4>>>(du, n);
    std::sort(u.begin(), u.end());
    CHECK(host_copy(du, n) == u);
    HIP(hipFree(du));
  }

  barrier_values<<<1, 200>>>(out);
  r = host_copy(out, 4);
  CHECK_EQ(r[0], 67);
  CHECK_EQ(r[1], 1);
  CHECK_EQ(r[2], 0);
  CHECK_EQ(r[3], 1);

  double* dd = nullptr;
  HIP(hipMalloc(&dd, 128 * 8));
  carve<<<1, 128, 128 * 10>>>(dd, 128);
  std::vector<double> d = host_copy(dd, 128);
  for (int i = 0; i < 128; ++i) CHECK_EQ(d[i], (127 - i) * 1.5);

  // More local memory than there is.
  bitonic<<<1, 64, 70000>>>(nullptr, 64);
  CHECK(hipGetLastError() != hipSuccess);
  return finish();
}
