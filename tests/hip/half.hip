// SPDX-License-Identifier: MIT
// Half and bfloat16: conversions over all bit patterns, arithmetic, comparisons, pairs.
#include "check.h"
#include <cstring>
#include <hip/hip_bf16.h>
#include <hip/hip_bfloat16.h>
#include <hip/hip_complex.h>
#include <hip/hip_fp16.h>

__global__ void convert(float* f, unsigned short* back, float* bf, unsigned short* bback) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  __half h = __ushort_as_half(static_cast<unsigned short>(i));
  f[i] = __half2float(h);
  back[i] = __half_as_ushort(__float2half(f[i]));
  __hip_bfloat16 b = __ushort_as_bfloat16(static_cast<unsigned short>(i));
  bf[i] = __bfloat162float(b);
  bback[i] = __bfloat16_as_ushort(__float2bfloat16(bf[i]));
}
__global__ void arithmetic(const float* x, const float* y, float* out, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  __half a(x[i]), b(y[i]);
  out[i] = a + b;
  out[n + i] = __half2float(a * b);
  out[2 * n + i] = __half2float(__hdiv(a, b));
  out[3 * n + i] = __half2float(__hfma(a, b, a));
  out[4 * n + i] = __hlt(a, b) + 2 * __heq(a, b) + 4 * __hgtu(a, b);
  __half2 p(a, b), q = __half2half2(b);
  p = __hfma2(p, q, p);
  out[5 * n + i] = __low2float(p);
  out[6 * n + i] = __high2float(p - q);
  __hip_bfloat16 c(x[i]), d(y[i]);
  out[7 * n + i] = c * d + c;
  out[8 * n + i] = __half2float(hsqrt(__habs(a)));
  out[9 * n + i] = __half2float(__float2half_rz(x[i]));
}
__global__ void lanes(float* out) {
  __half h(float(threadIdx.x));
  h = __shfl_xor(h, 1);
  out[threadIdx.x] = h;
}
__global__ void add_atomically(__half2* p) { atomicAdd(p, __half2(__half(1), __half(2))); }

static float round_half(double v) { return static_cast<float>(static_cast<_Float16>(v)); }
static float round_bf16(float f) {
  unsigned u;
  std::memcpy(&u, &f, 4);
  u = (u + 0x7fff + ((u >> 16) & 1)) & 0xffff0000u;
  std::memcpy(&f, &u, 4);
  return f;
}

int main() {
  float *f = nullptr, *bf = nullptr;
  unsigned short *back = nullptr, *bback = nullptr;
  HIP(hipMalloc(&f, 65536 * 4));
  HIP(hipMalloc(&bf, 65536 * 4));
  HIP(hipMalloc(&back, 65536 * 2));
  HIP(hipMalloc(&bback, 65536 * 2));
  convert<<<256, 256>>>(f, back, bf, bback);
  HIP(hipGetLastError());
  std::vector<float> fv = host_copy(f, 65536), bv = host_copy(bf, 65536);
  std::vector<unsigned short> u = host_copy(back, 65536), w = host_copy(bback, 65536);
  for (unsigned i = 0; i < 65536; ++i) {
    _Float16 h;
    unsigned short s = static_cast<unsigned short>(i);
    std::memcpy(&h, &s, 2);
    float expected = static_cast<float>(h);
    if ((i & 0x7fff) > 0x7c00) CHECK(std::isnan(fv[i]));
    else {
      CHECK_EQ(fv[i], expected);
      CHECK_EQ(u[i], s);
    }
    if ((i & 0x7fff) <= 0x7f80) CHECK_EQ(w[i], s);
  }
  std::vector<float> x{1, 2, 0.5f, -3, 1000, 0.1f, 65504, 1e-4f, 7, -0.25f, 3.14159f, 100}, y{2, 0.5f, 3, -3, 20, 0.3f, 1, 1e-3f, -7, 4, 2.71828f, 0.01f};
  int n = int(x.size());
  float *dx = device_copy(x), *dy = device_copy(y), *out = nullptr;
  HIP(hipMalloc(&out, 10 * n * 4));
  arithmetic<<<1, 64>>>(dx, dy, out, n);
  std::vector<float> r = host_copy(out, 10 * n);
  for (int i = 0; i < n; ++i) {
    double a = round_half(x[i]), b = round_half(y[i]);
    CHECK_EQ(r[i], round_half(a + b));
    CHECK_EQ(r[n + i], round_half(a * b));
    CHECK(std::fabs(r[2 * n + i] - round_half(a / b)) <= std::fabs(a / b) * 0.001);
    CHECK_EQ(r[3 * n + i], round_half(a * b + a));
    CHECK_EQ(r[4 * n + i], float((a < b) + 2 * (a == b) + 4 * (a > b)));
    CHECK_EQ(r[5 * n + i], round_half(a * b + a));
    CHECK_EQ(r[6 * n + i], round_half(double(round_half(b * b + b)) - b));
    float c = round_bf16(x[i]), d = round_bf16(y[i]);
    CHECK_EQ(r[7 * n + i], round_bf16(round_bf16(c * d) + c));
    CHECK(std::fabs(r[8 * n + i] - std::sqrt(std::fabs(a))) <= std::sqrt(std::fabs(a)) * 0.001);
    CHECK(std::fabs(r[9 * n + i]) <= std::fabs(x[i]));
  }
  lanes<<<1, 64>>>(f);
  CHECK_EQ(host_copy(f, 2)[0], 1.0f);
  __half2* h2 = nullptr;
  HIP(hipMalloc(&h2, 4));
  HIP(hipMemset(h2, 0, 4));
  add_atomically<<<2, 64>>>(h2);
  __half2 sum = host_copy(h2, 1)[0];
  CHECK_EQ(float(sum.x), 128.0f);
  CHECK_EQ(float(sum.y), 256.0f);
  // On the host too.
  __half h = __half(1.5f) * __half(2) + __half(0.25f);
  CHECK_EQ(float(h), 3.25f);
  CHECK_EQ(float(__float2half_ru(1.0001f)), 1.0009765625f);
  CHECK_EQ(float(__float2half_rd(-1.0001f)), -1.0009765625f);
  CHECK_EQ(float(hip_bfloat16(1.00390625f)), 1.0f);
  hipDoubleComplex z = hipCmul(make_hipDoubleComplex(1, 2), make_hipDoubleComplex(3, -1));
  CHECK_EQ(z.x, 5.0);
  CHECK_EQ(z.y, 5.0);
  CHECK_EQ(hipCabsf(make_hipFloatComplex(3, 4)), 5.0f);
  return finish();
}
