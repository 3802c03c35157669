// SPDX-License-Identifier: MIT
// VOP3-only vector operations: fused arithmetic, three-operand minima, bit fields, 64-bit shifts
// and multiplies, packed conversions. Byte operations are in vop3_bytes.cpp, division helpers in
// divide.cpp, lane operations in lanes.cpp.
#include "exec/arith.h"
#include <algorithm>

namespace pumice::exec {
namespace {

using u32 = uint32_t;
using i32 = int32_t;
using u64 = uint64_t;
using i64 = int64_t;
using u16 = uint16_t;
using i16 = int16_t;

template <class T> T median(T a, T b, T c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}
// The float median with a NaN among its inputs is the minimum of three.
template <class T> T median_float(const Fp& fp, T a, T b, T c) {
  if (is_nan(a) || is_nan(b) || is_nan(c))
    return min_num(fp, min_num(fp, a, b), c);
  return max_num(fp, min_num(fp, a, b), min_num(fp, max_num(fp, a, b), c));
}
template <class T> T limit(const Context& c, i64 v) {
  if (c.clamp())
    v = std::clamp<i64>(v, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
  return static_cast<T>(v);
}
i64 signed24(u32 v) {
  return static_cast<i32>(v << 8) >> 8;
}
u32 packed(u32 low, u32 high) {
  return (low & 0xffff) | high << 16;
}
// v * limit rounded to nearest even; NaN gives 0.
i32 normalised(double v, double low, double limit) {
  return v != v ? 0 : static_cast<i32>(::roundeven(std::clamp(v, low, 1.0) * limit));
}
float multiply_zero_wins(const Context& c, float x, float y) {
  x = c.fp.in(x);
  y = c.fp.in(y);
  return x == 0 || y == 0 ? 0.0f : c.fp.out(x * y);
}

void bind_float(Bodies& b) {
  bind_lane(b, Op::v_mad_f32,
            [](Context&, float x, float y, float z) { return multiply_add_flushed(x, y, z); });
  bind_lane(b, Op::v_mad_legacy_f32, [](Context&, float x, float y, float z) {
    x = Fp::flush(x);
    y = Fp::flush(y);
    return x == 0 || y == 0 ? Fp::flush(z) : multiply_add_flushed(x, y, z);
  });
  bind_lane(b, Op::v_mul_legacy_f32,
            [](Context& c, float x, float y) { return multiply_zero_wins(c, x, y); });
  bind_lane(b, Op::v_fma_f32,
            [](Context& c, float x, float y, float z) { return fused(c, x, y, z); });
  bind_lane(b, Op::v_fma_f64,
            [](Context& c, double x, double y, double z) { return fused(c, x, y, z); });
  bind_lane(b, Op::v_fma_f16, [](Context& c, F16 x, F16 y, F16 z) { return fused(c, x, y, z); });
  bind_lane(b, Op::v_fma_legacy_f16,
            [](Context& c, F16 x, F16 y, F16 z) { return fused(c, x, y, z); });
  bind_lane(b, Op::v_mad_f16,
            [](Context& c, F16 x, F16 y, F16 z) { return multiply_add(c, x, y, z); });
  bind_lane(b, Op::v_mad_legacy_f16,
            [](Context& c, F16 x, F16 y, F16 z) { return multiply_add(c, x, y, z); });
  bind_lane(b, Op::v_add_f64, [](Context& c, double x, double y) { return add(c, x, y); });
  bind_lane(b, Op::v_mul_f64, [](Context& c, double x, double y) { return multiply(c, x, y); });
  bind_lane(b, Op::v_min_f64,
            [](Context& c, double x, double y) { return c.fp.out(min_num(c.fp, x, y)); });
  bind_lane(b, Op::v_max_f64,
            [](Context& c, double x, double y) { return c.fp.out(max_num(c.fp, x, y)); });
  bind_lane(b, Op::v_ldexp_f32,
            [](Context& c, float x, i32 e) { return c.fp.out(scale(c.fp.in(x), e)); });
  bind_lane(b, Op::v_ldexp_f64,
            [](Context& c, double x, i32 e) { return c.fp.out(scale(c.fp.in(x), e)); });
}

template <class T> void bind_three(Bodies& b, Op minimum, Op maximum, Op middle) {
  if constexpr (kIsFloat<T>) {
    bind_lane(b, minimum, [](Context& c, T x, T y, T z) {
      return c.fp.out(min_num(c.fp, min_num(c.fp, x, y), z));
    });
    bind_lane(b, maximum, [](Context& c, T x, T y, T z) {
      return c.fp.out(max_num(c.fp, max_num(c.fp, x, y), z));
    });
    bind_lane(b, middle,
              [](Context& c, T x, T y, T z) { return c.fp.out(median_float(c.fp, x, y, z)); });
  } else {
    bind_lane(b, minimum, [](Context&, T x, T y, T z) { return std::min(std::min(x, y), z); });
    bind_lane(b, maximum, [](Context&, T x, T y, T z) { return std::max(std::max(x, y), z); });
    bind_lane(b, middle, [](Context&, T x, T y, T z) { return median(x, y, z); });
  }
}

void bind_multiply(Bodies& b) {
  bind_lane(b, Op::v_mul_lo_u32, [](Context&, u32 x, u32 y) { return x * y; });
  bind_lane(b, Op::v_mul_hi_u32,
            [](Context&, u32 x, u32 y) { return static_cast<u32>(u64{x} * y >> 32); });
  bind_lane(b, Op::v_mul_hi_i32,
            [](Context&, i32 x, i32 y) { return static_cast<i32>(i64{x} * y >> 32); });
  bind_lane(b, Op::v_mad_i32_i24, [](Context& c, u32 x, u32 y, i32 z) {
    return limit<i32>(c, signed24(x) * signed24(y) + z);
  });
  bind_lane(b, Op::v_mad_u32_u24, [](Context& c, u32 x, u32 y, u32 z) {
    return limit<u32>(c, static_cast<i64>(u64{x & 0xffffff} * (y & 0xffffff) + z));
  });
  bind_lane(b, Op::v_mad_u64_u32, [](Context& c, u32 x, u32 y, u64 z) {
    u64 r;
    bool carry = __builtin_add_overflow(u64{x} * y, z, &r);
    return Flagged<u64>{c.clamp() && carry ? ~u64{0} : r, carry};
  });
  bind_lane(b, Op::v_mad_i64_i32, [](Context& c, i32 x, i32 y, i64 z) {
    i64 r;
    bool overflow = __builtin_add_overflow(i64{x} * y, z, &r);
    if (c.clamp() && overflow)
      r = z < 0 ? INT64_MIN : INT64_MAX;
    return Flagged<i64>{r, overflow};
  });
  bind_lane(b, Op::v_mad_u32_u16,
            [](Context& c, u16 x, u16 y, u32 z) { return limit<u32>(c, i64{x} * y + z); });
  bind_lane(b, Op::v_mad_i32_i16,
            [](Context& c, i16 x, i16 y, i32 z) { return limit<i32>(c, i64{x} * y + z); });
  bind_lane(b, Op::v_mad_u16,
            [](Context& c, u16 x, u16 y, u16 z) { return limit<u16>(c, i64{x} * y + z); });
  bind_lane(b, Op::v_mad_legacy_u16,
            [](Context& c, u16 x, u16 y, u16 z) { return limit<u16>(c, i64{x} * y + z); });
  bind_lane(b, Op::v_mad_i16,
            [](Context& c, i16 x, i16 y, i16 z) { return limit<i16>(c, i64{x} * y + z); });
  bind_lane(b, Op::v_mad_legacy_i16,
            [](Context& c, i16 x, i16 y, i16 z) { return limit<i16>(c, i64{x} * y + z); });
  bind_lane(b, Op::v_add_i32, [](Context& c, i32 x, i32 y) { return limit<i32>(c, i64{x} + y); });
  bind_lane(b, Op::v_sub_i32, [](Context& c, i32 x, i32 y) { return limit<i32>(c, i64{x} - y); });
  bind_lane(b, Op::v_add_i16, [](Context& c, i16 x, i16 y) { return limit<i16>(c, i64{x} + y); });
  bind_lane(b, Op::v_sub_i16, [](Context& c, i16 x, i16 y) { return limit<i16>(c, i64{x} - y); });
}

void bind_bits(Bodies& b) {
  bind_lane(b, Op::v_bfe_u32, [](Context&, u32 x, u32 at, u32 n) {
    n &= 31;
    return n ? x >> (at & 31) & ((1u << n) - 1) : 0;
  });
  bind_lane(b, Op::v_bfe_i32, [](Context&, i32 x, u32 at, u32 n) {
    at &= 31;
    n &= 31;
    if (n == 0)
      return 0;
    if (at + n >= 32)
      return x >> at; // the field ends at bit 31 and takes its sign from there
    return static_cast<i32>(static_cast<u32>(x) << (32 - at - n)) >> (32 - n);
  });
  bind_lane(b, Op::v_bfi_b32, [](Context&, u32 m, u32 x, u32 y) { return (m & x) | (~m & y); });
  bind_lane(b, Op::v_bfm_b32,
            [](Context&, u32 n, u32 at) { return ((1u << (n & 31)) - 1) << (at & 31); });
  bind_lane(b, Op::v_alignbit_b32, [](Context&, u32 hi, u32 lo, u32 n) {
    return static_cast<u32>((u64{hi} << 32 | lo) >> (n & 31));
  });
  bind_lane(b, Op::v_alignbyte_b32, [](Context&, u32 hi, u32 lo, u32 n) {
    return static_cast<u32>((u64{hi} << 32 | lo) >> 8 * (n & 3));
  });
  bind_lane(b, Op::v_xad_u32, [](Context&, u32 x, u32 y, u32 z) { return (x ^ y) + z; });
  bind_lane(b, Op::v_lshl_add_u32,
            [](Context&, u32 x, u32 n, u32 z) { return (x << (n & 31)) + z; });
  bind_lane(b, Op::v_add_lshl_u32,
            [](Context&, u32 x, u32 y, u32 n) { return (x + y) << (n & 31); });
  bind_lane(b, Op::v_add3_u32, [](Context&, u32 x, u32 y, u32 z) { return x + y + z; });
  bind_lane(b, Op::v_lshl_or_b32, [](Context&, u32 x, u32 n, u32 z) { return x << (n & 31) | z; });
  bind_lane(b, Op::v_and_or_b32, [](Context&, u32 x, u32 y, u32 z) { return (x & y) | z; });
  bind_lane(b, Op::v_or3_b32, [](Context&, u32 x, u32 y, u32 z) { return x | y | z; });
  bind_lane(b, Op::v_lshl_add_u64,
            [](Context&, u64 x, u32 n, u64 z) { return (x << (n & 7)) + z; });
  bind_lane(b, Op::v_lshlrev_b64, [](Context&, u32 n, u64 x) { return x << (n & 63); });
  bind_lane(b, Op::v_lshrrev_b64, [](Context&, u32 n, u64 x) { return x >> (n & 63); });
  bind_lane(b, Op::v_ashrrev_i64, [](Context&, u32 n, i64 x) { return x >> (n & 63); });
  bind_lane(b, Op::v_bcnt_u32_b32,
            [](Context&, u32 x, u32 y) { return static_cast<u32>(std::popcount(x)) + y; });
}

void bind_pack(Bodies& b) {
  bind_lane(b, Op::v_cvt_pknorm_i16_f32, [](Context&, float x, float y) {
    return packed(static_cast<u32>(normalised(x, -1, 32767)),
                  static_cast<u32>(normalised(y, -1, 32767)));
  });
  bind_lane(b, Op::v_cvt_pknorm_u16_f32, [](Context&, float x, float y) {
    return packed(static_cast<u32>(normalised(x, 0, 65535)),
                  static_cast<u32>(normalised(y, 0, 65535)));
  });
  bind_lane(b, Op::v_cvt_pknorm_i16_f16, [](Context&, F16 x, F16 y) {
    return packed(static_cast<u32>(normalised(f64_of(x), -1, 32767)),
                  static_cast<u32>(normalised(f64_of(y), -1, 32767)));
  });
  bind_lane(b, Op::v_cvt_pknorm_u16_f16, [](Context&, F16 x, F16 y) {
    return packed(static_cast<u32>(normalised(f64_of(x), 0, 65535)),
                  static_cast<u32>(normalised(f64_of(y), 0, 65535)));
  });
  bind_lane(b, Op::v_cvt_pkrtz_f16_f32, [](Context& c, float x, float y) {
    auto toward_zero = [&](float v) { return c.fp.out(f16_of(c.fp.in(v), round_zero)).bits; };
    return packed(toward_zero(x), toward_zero(y));
  });
  bind_lane(b, Op::v_cvt_pk_u16_u32, [](Context&, u32 x, u32 y) {
    return packed(std::min(x, 0xffffu), std::min(y, 0xffffu));
  });
  bind_lane(b, Op::v_cvt_pk_i16_i32, [](Context&, i32 x, i32 y) {
    return packed(static_cast<u32>(std::clamp(x, -32768, 32767)),
                  static_cast<u32>(std::clamp(y, -32768, 32767)));
  });
  bind_lane(b, Op::v_pack_b32_f16,
            [](Context& c, F16 x, F16 y) { return packed(c.fp.in(x).bits, c.fp.in(y).bits); });
}

} // namespace

void bind_vop3(Bodies& b) {
  bind_float(b);
  bind_three<float>(b, Op::v_min3_f32, Op::v_max3_f32, Op::v_med3_f32);
  bind_three<F16>(b, Op::v_min3_f16, Op::v_max3_f16, Op::v_med3_f16);
  bind_three<i32>(b, Op::v_min3_i32, Op::v_max3_i32, Op::v_med3_i32);
  bind_three<u32>(b, Op::v_min3_u32, Op::v_max3_u32, Op::v_med3_u32);
  bind_three<i16>(b, Op::v_min3_i16, Op::v_max3_i16, Op::v_med3_i16);
  bind_three<u16>(b, Op::v_min3_u16, Op::v_max3_u16, Op::v_med3_u16);
  bind_multiply(b);
  bind_bits(b);
  bind_pack(b);
}

} // namespace pumice::exec
