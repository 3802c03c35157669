// SPDX-License-Identifier: MIT
// Conversions at the edges: in-range values exact against the host, out-of-range ones saturate and
// NaN gives zero, as AMD's instructions do (C++ leaves both open).
#include "check.h"
#include <cstdint>
#include <cstring>
#include <limits>

template <class I, class F> I saturated(F x) {
  if (x != x)
    return 0;
  long double t = truncl((long double)x);
  if (t < (long double)std::numeric_limits<I>::min())
    return std::numeric_limits<I>::min();
  if (t > (long double)std::numeric_limits<I>::max())
    return std::numeric_limits<I>::max();
  return (I)t;
}
struct FromFloat {
  int32_t i32;
  uint32_t u32;
  int64_t i64;
  uint64_t u64;
  int16_t i16;
  uint16_t u16;
  int8_t i8;
  uint8_t u8;
};
template <class F> __global__ void from_float(const F* x, int n, FromFloat* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  F a = x[i];
  FromFloat& r = out[i];
  r.i32 = (int32_t)a, r.u32 = (uint32_t)a, r.i64 = (int64_t)a, r.u64 = (uint64_t)a;
  r.i16 = (int16_t)a, r.u16 = (uint16_t)a, r.i8 = (int8_t)a, r.u8 = (uint8_t)a;
}
struct FromInt {
  float f[8];
  double d[8];
  _Float16 h[8];
};
__host__ __device__ void convert(uint64_t v, FromInt& r) {
  auto all = [&](auto* o) {
    using F = std::remove_reference_t<decltype(*o)>;
    o[0] = (F)(int32_t)v, o[1] = (F)(uint32_t)v, o[2] = (F)(int64_t)v, o[3] = (F)v;
    o[4] = (F)(int16_t)v, o[5] = (F)(uint16_t)v, o[6] = (F)(int8_t)v, o[7] = (F)(uint8_t)v;
  };
  all(r.f), all(r.d), all(r.h);
}
__global__ void from_int(const uint64_t* x, int n, FromInt* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    convert(x[i], out[i]);
}
__global__ void between(const double* x, int n, float* f, _Float16* h, double* back) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  f[i] = (float)x[i];
  h[i] = (_Float16)f[i];
  back[i] = (double)h[i] + (double)f[i];
}
template <class F> void check_from(const std::vector<F>& x, const char* name) {
  int n = x.size();
  std::vector<FromFloat> got(n);
  F* dx = up(x);
  auto* out = up(got);
  from_float<<<(n + 64) / 65, 65>>>(dx, n, out);
  got = down(out, n);
  for (int i = 0; i < n; i++) {
    F a = x[i];
    FromFloat& g = got[i];
    double d = (double)a;
    EXPECT(g.i32 == saturated<int32_t>(a), "%s %a to i32: %d", name, d, g.i32);
    EXPECT(g.u32 == saturated<uint32_t>(a), "%s %a to u32: %u", name, d, g.u32);
    // clang's sequences for 64 bits and the narrow types define only what fits.
    if (d > -0x1p63 && d < 0x1p63)
      EXPECT(g.i64 == (int64_t)a, "%s %a to i64: %ld", name, d, (long)g.i64);
    if (d > -1 && d < 0x1p64)
      EXPECT(g.u64 == (uint64_t)a, "%s %a to u64: %lu", name, d, (long)g.u64);
    if (d > -32769 && d < 32768)
      EXPECT(g.i16 == (int16_t)a, "%s %a to i16: %d", name, d, g.i16);
    if (d > -1 && d < 65536)
      EXPECT(g.u16 == (uint16_t)a, "%s %a to u16: %d", name, d, g.u16);
    if (d > -129 && d < 128)
      EXPECT(g.i8 == (int8_t)a, "%s %a to i8: %d", name, d, g.i8);
    if (d > -1 && d < 256)
      EXPECT(g.u8 == (uint8_t)a, "%s %a to u8: %d", name, d, g.u8);
  }
}
int main() {
  std::vector<double> d;
  for (int e = -1074; e < 1024; e += (e > -30 && e < 70) ? 1 : 37)
    for (double m : {1.0, 1.5, 1 + 0x1p-52, 2 - 0x1p-52, 1 + 0x1p-11, 1 + 0x1p-24, 1 + 0x1.8p-23,
                     1 + 0x1.0000001p-11, 1 + 0x1.00000001p-24, 1.25})
      for (int s = -1; s < 2; s += 2)
        d.push_back(s * ldexp(m, e));
  for (double x : {0.0,          -0.0,         (double)INFINITY, -(double)INFINITY,
                   (double)NAN,  2147483647.0, 2147483647.5,     -2147483648.5,
                   4294967295.0, 4294967295.5, 65504.0,          65519.9,
                   65520.0,      32767.0,      -32768.0,         255.0,
                   255.9,        -0.9,         0x1p63 - 1024,    0x1p64 - 2048})
    d.push_back(x);
  std::vector<float> f(d.begin(), d.end());
  std::vector<_Float16> h;
  for (int b = 0; b < 65536; b += 3) {
    uint16_t u = b;
    _Float16 t;
    memcpy(&t, &u, 2);
    h.push_back(t);
  }
  check_from(d, "double");
  check_from(f, "float");
  check_from(h, "half");
  int n = d.size();
  {
    std::vector<float> gf(n);
    std::vector<_Float16> gh(n);
    std::vector<double> gb(n);
    double *dd = up(d), *db = up(gb);
    float* df = up(gf);
    _Float16* dh = up(gh);
    between<<<(n + 99) / 100, 100>>>(dd, n, df, dh, db);
    gf = down(df, n), gh = down(dh, n), gb = down(db, n);
    auto same = [](auto a, auto b) { return (a != a && b != b) || !memcmp(&a, &b, sizeof a); };
    for (int i = 0; i < n; i++) {
      float wf = (float)d[i];
      _Float16 wh = (_Float16)wf;
      double wb = (double)wh + (double)wf;
      EXPECT(same(gf[i], wf), "%a to float %a want %a", d[i], gf[i], wf);
      EXPECT(same(gh[i], wh), "%a to half %a want %a", wf, (double)gh[i], (double)wh);
      EXPECT(same(gb[i], wb), "%a back %a want %a", d[i], gb[i], wb);
    }
  }
  std::vector<uint64_t> v;
  for (int b = 0; b < 64; b++)
    for (uint64_t k : {0ull, 1ull, ~0ull, 1ull << (b / 2), (1ull << b) >> 24, (1ull << b) >> 25,
                       (1ull << b) >> 53, (1ull << b) >> 54})
      v.push_back((1ull << b) + k), v.push_back(-(1ull << b) - k), v.push_back((3ull << b) + k);
  int m = v.size();
  std::vector<FromInt> got(m);
  auto* dv = up(v);
  auto* out = up(got);
  from_int<<<(m + 32) / 33, 33>>>(dv, m, out);
  got = down(out, m);
  for (int i = 0; i < m; i++) {
    FromInt w;
    convert(v[i], w);
    for (int q = 0; q < 8; q++) {
      EXPECT(got[i].f[q] == w.f[q], "%lx kind %d to float %a want %a", (long)v[i], q, got[i].f[q],
             w.f[q]);
      EXPECT(got[i].d[q] == w.d[q], "%lx kind %d to double %a want %a", (long)v[i], q, got[i].d[q],
             w.d[q]);
      EXPECT(got[i].h[q] == w.h[q], "%lx kind %d to half %a want %a", (long)v[i], q,
             (double)got[i].h[q], (double)w.h[q]);
    }
  }
  DONE();
}
