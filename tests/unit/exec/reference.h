// SPDX-License-Identifier: MIT
// Plain C definitions of instructions for builtins.def, written from the manual's description; they
// share nothing with the interpreter.
#pragma once
#include "functions.h"

static inline u32 ref_distance(u32 x, u32 y) {
  return x > y ? x - y : y - x;
}
static inline u32 ref_byte(u64 v, u32 n) {
  return (u32)(v >> (n * 8)) & 255;
}
static inline u32 ref_perm(u32 hi, u32 lo, u32 sel) {
  u8 in[8], out[4];
  for (int n = 0; n < 4; ++n)
    in[n] = (u8)ref_byte(lo, n), in[n + 4] = (u8)ref_byte(hi, n);
  for (int n = 0; n < 4; ++n) {
    u32 s = ref_byte(sel, n);
    if (s <= 7)
      out[n] = in[s];
    else if (s == 8)
      out[n] = in[1] & 128 ? 255 : 0;
    else if (s == 9)
      out[n] = in[3] & 128 ? 255 : 0;
    else if (s == 10)
      out[n] = in[5] & 128 ? 255 : 0;
    else if (s == 11)
      out[n] = in[7] & 128 ? 255 : 0;
    else
      out[n] = s == 12 ? 0 : 255;
  }
  return out[0] | out[1] << 8 | out[2] << 16 | (u32)out[3] << 24;
}
static inline u32 ref_sad(u32 x, u32 y, int masked) {
  u32 sum = 0;
  for (int n = 0; n < 4; ++n)
    if (!masked || ref_byte(y, n) != 0)
      sum += ref_distance(ref_byte(x, n), ref_byte(y, n));
  return sum;
}
static inline u64 ref_quad_sad(u64 x, u32 y, u64 z, int masked) {
  u64 r = 0;
  for (int n = 0; n < 4; ++n)
    r |= (u64)(u16)(ref_sad((u32)(x >> n * 8), y, masked) + (u32)(z >> n * 16 & 0xffff)) << n * 16;
  return r;
}
static inline u32 ref_lerp(u32 x, u32 y, u32 z) {
  u32 r = 0;
  for (int n = 0; n < 4; ++n)
    r |= (ref_byte(x, n) + ref_byte(y, n) + (ref_byte(z, n) & 1)) / 2 << n * 8;
  return r;
}
static inline i32 ref_dot(u32 x, u32 y, int width, int is_signed) {
  i64 sum = 0;
  for (int at = 0; at < 32; at += width) {
    i64 p = x >> at & ((1u << width) - 1), q = y >> at & ((1u << width) - 1);
    if (is_signed && p >> (width - 1))
      p -= 1 << width;
    if (is_signed && q >> (width - 1))
      q -= 1 << width;
    sum += p * q;
  }
  return (i32)sum;
}
static inline f32 ref_below_one(f32 v) {
  return v >= 1.0f ? 0x1.fffffep-1f : v;
}
static inline f64 ref_below_one_d(f64 v) {
  return v >= 1.0 ? 0x1.fffffffffffffp-1 : v;
}
static inline u32 ref_nan_mask(f32 x, f32 y) {
  return (x != x ? 0 : 0xffffu) | (y != y ? 0 : 0xffff0000u);
}
static inline f32 ref_med3(f32 x, f32 y, f32 z) {
  if (x != x || y != y || z != z) { // minimum of the numbers
    f32 m = __builtin_nanf("");
    if (x == x)
      m = x;
    if (y == y && !(m <= y))
      m = y;
    if (z == z && !(m <= z))
      m = z;
    return m;
  }
  // Order by bits so that -0 is below +0.
  i32 v[3];
  __builtin_memcpy(&v[0], &x, 4), __builtin_memcpy(&v[1], &y, 4), __builtin_memcpy(&v[2], &z, 4);
  for (int n = 0; n < 3; ++n)
    v[n] = v[n] < 0 ? (i32)(0x80000000u - (u32)v[n]) - 1 : v[n];
  f32 f[3] = {x, y, z};
  for (int n = 0; n < 3; ++n) {
    int below = 0, above = 0;
    for (int k = 0; k < 3; ++k)
      below += k != n && (v[k] < v[n] || (v[k] == v[n] && k < n)),
          above += k != n && (v[k] > v[n] || (v[k] == v[n] && k > n));
    if (below == 1 && above == 1)
      return f[n];
  }
  return x;
}
static inline u32 ref_class_set(f32 v) {
  u32 b;
  __builtin_memcpy(&b, &v, 4);
  u32 e = b >> 23 & 255, m = b & 0x7fffff, s = b >> 31;
  if (e == 255)
    return m ? (m >> 22 ? 2 : 1) : s ? 4 : 512;
  if (e == 0)
    return m ? (s ? 16 : 128) : s ? 32 : 64;
  return s ? 8 : 256;
}
static inline f32 ref_cube_id(f32 x, f32 y, f32 z) {
  f32 ax = __builtin_fabsf(x), ay = __builtin_fabsf(y), az = __builtin_fabsf(z);
  if (az >= ax && az >= ay)
    return z < 0 ? 5 : 4;
  if (ay >= ax)
    return y < 0 ? 3 : 2;
  return x < 0 ? 1 : 0;
}
static inline int ref_finite(f32 x, f32 y, f32 z) { return __builtin_isfinite(x) && __builtin_isfinite(y) && __builtin_isfinite(z); }
static inline f32 ref_cube_s(f32 x, f32 y, f32 z) {
  f32 id = ref_cube_id(x, y, z);
  return id == 0 ? -z : id == 1 ? z : id == 5 ? -x : x;
}
static inline f32 ref_cube_t(f32 x, f32 y, f32 z) {
  f32 id = ref_cube_id(x, y, z);
  return id == 2 ? z : id == 3 ? -z : -y;
}
// Quiet the half: signaling NaNs have their own tests.
static inline u32 ref_quiet(u32 v) { return (v & 0x7fff) > 0x7c00 ? v | 0x200 : v; }
static inline u32 ref_mbcnt(u32 hi, u32 lo, u32 base, u32 n) {
  u32 count = base;
  for (u32 lane = 0; lane < (n & 63); ++lane)
    count += (lane < 32 ? lo >> lane : hi >> (lane - 32)) & 1;
  return count;
}
// Within 2 ulp, or equal, or both NaN. Denormal results may be flushed.
static inline u32 ref_near(f32 x, f32 y) {
  i32 p, q;
  if (x != x && y != y)
    return 1;
  __builtin_memcpy(&p, &x, 4);
  __builtin_memcpy(&q, &y, 4);
  return x == y || (p - q <= 2 && q - p <= 2);
}
static inline i32 ref_saturate(f64 v) {
  return v != v               ? 0
         : v <= -2147483648.0 ? -2147483647 - 1
         : v >= 2147483647.0  ? 2147483647
                              : (i32)v;
}
static inline f32 ref_unit(f32 v) {
  return v != v ? 0 : v < 0 ? 0 : v > 1 ? 1 : v == 0 ? 0 : v;
}
static inline f32 ref_min(f32 x, f32 y) {
  if (x != x)
    return y;
  if (y != y)
    return x;
  if (x == 0 && y == 0)
    return __builtin_signbit(x) ? x : y;
  return x < y ? x : y;
}
static inline f32 ref_max(f32 x, f32 y) {
  if (x != x)
    return y;
  if (y != y)
    return x;
  if (x == 0 && y == 0)
    return __builtin_signbit(x) ? y : x;
  return x > y ? x : y;
}
static inline f32 FLOAT(u32 v) {
  f32 f;
  __builtin_memcpy(&f, &v, 4);
  return f;
}
static inline u32 FLOAT_BITS(f32 v) {
  u32 b;
  __builtin_memcpy(&b, &v, 4);
  return b;
}
static inline u64 ref_pair(f32 lo, f32 hi) {
  return FLOAT_BITS(lo) | (u64)FLOAT_BITS(hi) << 32;
}
// One representation for NaN.
static inline u32 HALF_NAN(u32 v) {
  return (v & 0x7fff) > 0x7c00 ? (v & 0xffff0000) | 0x7e00 : v;
}
static inline u32 WORD_NAN(u32 v) {
  return (v & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : v;
}
static inline u64 PAIR_NAN(u64 v) {
  return WORD_NAN((u32)v) | (u64)WORD_NAN((u32)(v >> 32)) << 32;
}
#define HALF_BITS(v) half_to_bits((_Float16)(v))
#define NEAR(x, y) ref_near(x, y)
