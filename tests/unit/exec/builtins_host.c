// SPDX-License-Identifier: MIT
// Host side of builtins.def.
#include "reference.h"
#include <math.h>
#include <string.h>

static u32 ref_rtz_half(f32 v) {
  // Towards zero by bits: drop the low mantissa bits, denormal results included, saturating at the largest half.
  u32 b;
  __builtin_memcpy(&b, &v, 4);
  u32 sign = b >> 16 & 0x8000;
  f64 m = fabs((f64)v);
  if (isinf(v)) return sign | 0x7c00;
  if (m >= 65504) return sign | 0x7bff;
  if (m < 0x1p-14) return sign | (u32)(m * 0x1p24);
  int e;
  frexp(m, &e);
  return sign | ((u32)(e + 14) << 10) | ((u32)(ldexp(m, 11 - e)) & 0x3ff);
}
static i32 ref_norm(f32 v, f64 low, f64 scale) {
  if (v != v) return 0;
  f64 d = v < low ? low : v > 1 ? 1 : (f64)v;
  return (i32)rint(d * scale);
}
#define ref_frexp_mant(v) (isfinite(v) ? frexp(v, &(int){0}) : (v))
static i32 ref_frexp_exp(f64 v) {
  int e = 0;
  if (isfinite(v) && v != 0) frexp(v, &e);
  return e;
}
static i32 ref_limit(f64 v, i32 low, i32 high) { return v != v ? 0 : v <= low ? low : v >= high ? high : (i32)v; }
static u32 ref_fract_half(_Float16 v) {
  if (isinf((f64)v)) return 0x7e00;
  u32 r = HALF_BITS((f64)v - floor((f64)v));
  return r == 0x3c00 ? 0x3bff : r;
}
static f64 ref_exp2(f64 v) { return exp2(v); }
static f64 ref_log2(f64 v) { return log2(v); }
// sin and cos of whole turns; exact at quarters, with the sign of a zero argument.
static f32 ref_turns(f64 v, int cosine) {
  if (!isfinite(v)) return NAN;
  if (fabs(v) > 256) return cosine;
  long double r = (long double)v - rintl(v), angle = r * 6.283185307179586476925286766559L;
  if (r == 0) return cosine ? 1 : (f32)copysign(0.0, v);
  if (fabsl(r) == 0.5L) return cosine ? -1 : 0;
  if (fabsl(r) == 0.25L) return cosine ? 0 : r > 0 ? 1 : -1;
  return (f32)(cosine ? cosl(angle) : sinl(angle));
}
static f32 ref_sin_turns(f64 v) { return ref_turns(v, 0); }
static f32 ref_cos_turns(f64 v) { return ref_turns(v, 1); }
// x * y + z rounded once to half: the 113-bit sum and the sign of what it lost make a f64 with a sticky last bit,
// which the compiler rounds.
static _Float16 ref_half_of_exact(f32 x, f32 y, f32 z) {
  if (!isfinite(x) || !isfinite(y) || !isfinite(z)) return (_Float16)((f64)x * y + z);
  __float128 p = (__float128)x * y, s = p + z, lost = (p - (s - (s - p))) + (z - (s - p)), rest = s - (f64)s + lost;
  f64 d = (f64)s;
  if (rest != 0 && isfinite(d)) {
    u64 b;
    memcpy(&b, &d, 8);
    if (!(b & 1)) b += (rest > 0) == (d > 0) ? 1 : -1;
    memcpy(&d, &b, 8);
  }
  return (_Float16)d;
}
static _Float16 ref_fma_half(_Float16 x, _Float16 y, _Float16 z) { return ref_half_of_exact(x, y, z); }
#define G(name, R, A, device, host)                                                                                    \
  R host_##name(A a, A b, A c, u32 n) { return host; }
#include "builtins.def"
