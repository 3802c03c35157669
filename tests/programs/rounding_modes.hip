// SPDX-License-Identifier: MIT
// Arithmetic with every rounding mode and with denormals flushed, by kernels that set MODE themselves; the host computes
// the same with fesetround and by hand. Instructions are written out: the compiler does not know about MODE.
#include "check.h"
#include <cfenv>
#include <cfloat>
#include <cstdint>
#include <cstring>
#pragma STDC FENV_ACCESS ON

enum { kF32 = 6, kF64 = 4, kF16 = 4 };
struct Result {
  float f[kF32];
  double d[kF64];
  uint32_t h[kF16];
};

template <int kRound, int kDenormals> __global__ void compute(const float* x, const double* y, const uint32_t* z, Result* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float a = x[i], b = x[(i * 7 + 1) % n], c = x[(i * 3 + 2) % n];
  double da = y[i], db = y[(i * 7 + 1) % n], dc = y[(i * 3 + 2) % n];
  uint32_t ha = z[i], hb = z[(i * 7 + 1) % n], hc = z[(i * 3 + 2) % n];
  Result r;
  // One block, so that nothing moves across the changes of MODE; the last line restores clang's own.
  asm volatile("s_waitcnt vmcnt(0) lgkmcnt(0)\n\t"
               "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), %[round]\n\t"
               "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 4), %[denormals]\n\t"
               "v_add_f32 %[f0], %[a], %[b]\n\t"
               "v_mul_f32 %[f1], %[a], %[b]\n\t"
               "v_fma_f32 %[f2], %[a], %[b], %[c]\n\t"
               "v_cvt_f32_i32 %[f3], %[a]\n\t"
               "v_cvt_f32_u32 %[f4], %[b]\n\t"
               "v_cvt_f32_f64 %[f5], %[da]\n\t"
               "v_add_f64 %[d0], %[da], %[db]\n\t"
               "v_mul_f64 %[d1], %[da], %[db]\n\t"
               "v_fma_f64 %[d2], %[da], %[db], %[dc]\n\t"
               "v_cvt_f64_f32 %[d3], %[c]\n\t"
               "v_add_f16 %[h0], %[ha], %[hb]\n\t"
               "v_mul_f16 %[h1], %[ha], %[hb]\n\t"
               "v_mov_b32 %[h2], 0\n\t"
               "v_fma_f16 %[h2], %[ha], %[hb], %[hc]\n\t"
               "v_cvt_f16_f32 %[h3], %[c]\n\t"
               "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), 0xf0\n\t"
               : [f0] "=&v"(r.f[0]), [f1] "=&v"(r.f[1]), [f2] "=&v"(r.f[2]), [f3] "=&v"(r.f[3]), [f4] "=&v"(r.f[4]),
                 [f5] "=&v"(r.f[5]), [d0] "=&v"(r.d[0]), [d1] "=&v"(r.d[1]), [d2] "=&v"(r.d[2]), [d3] "=&v"(r.d[3]),
                 [h0] "=&v"(r.h[0]), [h1] "=&v"(r.h[1]), [h2] "=&v"(r.h[2]), [h3] "=&v"(r.h[3])
               : [a] "v"(a), [b] "v"(b), [c] "v"(c), [da] "v"(da), [db] "v"(db), [dc] "v"(dc), [ha] "v"(ha), [hb] "v"(hb),
                 [hc] "v"(hc), [round] "n"(kRound | kRound << 2), [denormals] "n"(kDenormals));
  out[i] = r;
}

static _Float16 half(uint32_t b) {
  uint16_t s = (uint16_t)b;
  _Float16 h;
  memcpy(&h, &s, 2);
  return h;
}
static uint32_t half_bits(_Float16 h) {
  uint16_t s;
  memcpy(&s, &h, 2);
  return s;
}
static const int kHost[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

/// An exact value to half, by hand: 11 bits, the smallest unit 2^-24.
static uint32_t to_half(long double v, int mode, bool negative_zero) {
  if (v == 0)
    return negative_zero ? 0x8000 : 0;
  int e;
  frexpl(v, &e);
  long double unit = ldexpl(1, std::max(e - 11, -24)), q = v / unit;
  std::fesetround(kHost[mode]);
  long double whole = rintl(q);
  std::fesetround(FE_TONEAREST);
  long double r = whole * unit;
  if (fabsl(r) > 65504) {
    bool infinite = mode == 0 || (mode == 1 && v > 0) || (mode == 2 && v < 0);
    return (v < 0 ? 0x8000 : 0) | (infinite ? 0x7c00 : 0x7bff);
  }
  return half_bits((_Float16)(double)r) | (r == 0 && v < 0 ? 0x8000 : 0);
}
static float flush(float v) { return fabsf(v) < FLT_MIN ? copysignf(0, v) : v; }
static double flush(double v) { return fabs(v) < DBL_MIN ? copysign(0, v) : v; }

template <class T> static bool same(T a, T b) { return (a != a && b != b) || !memcmp(&a, &b, sizeof a); }

template <int kRound, int kDenormals> static void check(const std::vector<float>& x, const std::vector<double>& y, const std::vector<uint32_t>& z) {
  int n = (int)x.size();
  bool keep32 = kDenormals & 3, keep64 = kDenormals & 12;
  Result* out = up(std::vector<Result>(n));
  compute<kRound, kDenormals><<<(n + 99) / 100, 100>>>(up(x), up(y), up(z), out, n);
  auto got = down(out, n);
  for (int i = 0; i < n; i++) {
    auto in32 = [&](float v) { return keep32 ? v : flush(v); };
    auto in64 = [&](double v) { return keep64 ? v : flush(v); };
    int j = (i * 7 + 1) % n, k = (i * 3 + 2) % n;
    volatile float a = in32(x[i]), b = in32(x[j]), c = in32(x[k]);
    volatile double da = in64(y[i]), db = in64(y[j]), dc = in64(y[k]);
    int32_t ia;
    uint32_t ub;
    memcpy(&ia, &x[i], 4), memcpy(&ub, &x[j], 4);
    std::fesetround(kHost[kRound]);
    volatile float f[kF32] = {a + b, a * b, std::fma(a, b, c), (float)ia, (float)ub, (float)da};
    volatile double d[kF64] = {da + db, da * db, std::fma(da, db, dc), (double)c};
    std::fesetround(FE_TONEAREST);
    for (int q = 0; q < kF32; q++) {
      float want = in32(f[q]);
      EXPECT(same(got[i].f[q], want), "round %d denormals %x float %d of %a %a %a: %a want %a", kRound, kDenormals, q, a, b, c, got[i].f[q], want);
    }
    for (int q = 0; q < kF64; q++) {
      double want = in64(d[q]);
      EXPECT(same(got[i].d[q], want), "round %d denormals %x double %d of %a %a %a: %a want %a", kRound, kDenormals, q, da, db, dc, got[i].d[q], want);
    }
    auto in16 = [&](uint32_t h) { return keep64 || (h & 0x7c00) ? h : h & 0x8000; };
    long double p = half(in16(z[i])), s = half(in16(z[j])), t = half(in16(z[k]));
    auto zero_sign = [&](bool first, bool second) { return first == second ? first : kRound == 2; };
    bool np = __builtin_signbit(p), ns = __builtin_signbit(s), nt = __builtin_signbit(t);
    uint32_t h[kF16] = {to_half(p + s, kRound, zero_sign(np, ns)), to_half(p * s, kRound, np != ns),
                        to_half(p * s + t, kRound, zero_sign(np != ns, nt)), to_half((long double)c, kRound, __builtin_signbit(c))};
    for (int q = 0; q < kF16; q++) {
      if (q == 3 && !std::isfinite(c))
        continue;
      uint32_t want = in16(h[q]);
      EXPECT((got[i].h[q] & 0xffff) == want, "round %d denormals %x half %d of %a %a %a: %04x want %04x", kRound, kDenormals, q, (double)p, (double)s, (double)t,
             got[i].h[q] & 0xffff, want);
    }
  }
}

int main() {
  std::vector<float> x;
  std::vector<double> y;
  std::vector<uint32_t> z;
  uint64_t r = 1;
  auto next = [&] { return r = r * 6364136223846793005ull + 1442695040888963407ull, r >> 20; };
  for (int i = 0; i < 900; i++) {
    uint32_t e = i % 3 == 0 ? (uint32_t)(next() % 3) : i % 3 == 1 ? 110 + (uint32_t)(next() % 40) : (uint32_t)(next() % 254);
    uint32_t b = (uint32_t)(next() & 1) << 31 | e << 23 | (uint32_t)(next() & 0x7fffff);
    float f;
    memcpy(&f, &b, 4);
    x.push_back(f);
    uint64_t de = i % 3 == 0 ? next() % 3 : i % 3 == 1 ? 1000 + next() % 40 : next() % 2046;
    uint64_t db = (next() & 1) << 63 | de << 52 | (next() * next() & 0xfffffffffffff);
    double d;
    memcpy(&d, &db, 8);
    y.push_back(d);
    z.push_back((uint32_t)((next() & 0x8000) | (next() % (i % 2 ? 0x7bff : 0x3000))));
  }
  check<0, 15>(x, y, z);
  check<1, 15>(x, y, z);
  check<2, 15>(x, y, z);
  check<3, 15>(x, y, z);
  check<0, 0>(x, y, z);
  check<0, 3>(x, y, z);
  check<0, 12>(x, y, z);
  check<2, 0>(x, y, z);
  DONE();
}
