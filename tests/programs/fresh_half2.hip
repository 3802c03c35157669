// SPDX-License-Identifier: MIT
// half and half2: a polynomial, a dot product, comparisons and conversions, checked in _Float16 on the host bit by bit.
#include "check.h"
#include <cstdint>
#include <cstring>
#include <hip/hip_fp16.h>

static uint16_t bits(_Float16 h) {
  uint16_t b;
  memcpy(&b, &h, 2);
  return b;
}
static _Float16 value(uint16_t b) {
  _Float16 h;
  memcpy(&h, &b, 2);
  return h;
}

__global__ void pairs(const __half2* a, const __half2* b, __half2* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  __half2 x = a[i], y = b[i];
  __half2* o = out + i * 8;
  o[0] = __hadd2(x, y);
  o[1] = __hmul2(x, y);
  o[2] = __hfma2(x, y, x);
  o[3] = __hsub2(y, x);
  o[4] = __halves2half2(__low2half(y), __high2half(x));
  o[5] = __hneg2(x);
  o[6] = __float22half2_rn(float2{__half2float(__low2half(x)) * 1.5f, __high2float(y) / 3});
  o[7] = __halves2half2(__hlt(__low2half(x), __low2half(y)) ? x.x : y.x, __hge(__high2half(x), __high2half(y)) ? x.y : y.y);
}
__global__ void to_integers(const __half* x, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = __half2int_rz(x[i]) * 3 + (int)__half2short_rn(x[i]);
}

int main() {
  const int n = 4096;
  std::vector<uint32_t> a(n), b(n), got(n * 8);
  uint32_t r = 3;
  auto finite = [&] {
    uint32_t h;
    do
      r = r * 1664525 + 1013904223, h = r >> 16;
    while ((h & 0x7c00) == 0x7c00);
    return h;
  };
  for (int i = 0; i < n; i++)
    a[i] = finite() | finite() << 16, b[i] = finite() | finite() << 16;
  auto* out = up(got);
  pairs<<<n / 128, 128>>>((const __half2*)up(a), (const __half2*)up(b), (__half2*)out, n);
  got = down(out, got.size());
  for (int i = 0; i < n; i++)
    for (int h = 0; h < 2; h++) {
      _Float16 x = value((uint16_t)(a[i] >> 16 * h)), y = value((uint16_t)(b[i] >> 16 * h));
      // Exact in double but for the sum of a product and a number far apart: there the host rounds by hand.
      _Float16 want[8] = {(_Float16)((double)x + (double)y), (_Float16)((double)x * (double)y),
                          (_Float16)__builtin_fmal((long double)x, (long double)y, (long double)x),
                          (_Float16)((double)y - (double)x), h ? x : y, -x,
                          h ? (_Float16)((float)y / 3) : (_Float16)((float)x * 1.5f),
                          h ? (x >= y ? x : y) : (x < y ? x : y)};
      for (int k = 0; k < 8; k++) {
        uint16_t g = (uint16_t)(got[i * 8 + k] >> 16 * h);
        EXPECT(g == bits(want[k]), "%d half %d operation %d: %04x want %04x (%04x, %04x)", i, h, k, g, bits(want[k]), bits(x), bits(y));
      }
    }
  std::vector<uint16_t> h(2000);
  for (size_t i = 0; i < h.size(); i++)
    h[i] = bits((_Float16)(((int)i - 1000) * 1.37f));
  std::vector<int> whole(h.size());
  int* d = up(whole);
  to_integers<<<10, 200>>>((const __half*)up(h), d, (int)h.size());
  whole = down(d, h.size());
  for (size_t i = 0; i < h.size(); i++) {
    float v = (float)value(h[i]);
    EXPECT(whole[i] == (int)v * 3 + (int)nearbyintf(v), "integer %zu: %d", i, whole[i]);
  }
  DONE();
}
