// SPDX-License-Identifier: MIT
// VOP2: two-source vector operations.
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

Flagged<u32> add_carry(const Context& c, u32 a, u32 b, bool carry) {
  u64 r = u64{a} + b + carry;
  bool out = r >> 32 != 0;
  return {c.clamp() && out ? ~0u : static_cast<u32>(r), out};
}
Flagged<u32> subtract_borrow(const Context& c, u32 a, u32 b, bool borrow) {
  bool out = u64{b} + borrow > a;
  return {c.clamp() && out ? 0 : a - b - borrow, out};
}
u32 add_u32(const Context& c, u32 a, u32 b) {
  return add_carry(c, a, b, false).value;
}
u32 sub_u32(const Context& c, u32 a, u32 b) {
  return subtract_borrow(c, a, b, false).value;
}
u16 add_u16(const Context& c, u16 a, u16 b) {
  u32 r = u32{a} + b;
  return static_cast<u16>(c.clamp() && r > 0xffff ? 0xffff : r);
}
u16 sub_u16(const Context& c, u16 a, u16 b) {
  return c.clamp() && a < b ? 0 : static_cast<u16>(a - b);
}
i64 signed24(u32 v) {
  return static_cast<i32>(v << 8) >> 8;
}

void bind_float(Bodies& b) {
  bind_lane(b, Op::v_add_f32, [](Context& c, float x, float y) { return add(c, x, y); });
  bind_lane(b, Op::v_sub_f32, [](Context& c, float x, float y) { return subtract(c, x, y); });
  bind_lane(b, Op::v_subrev_f32, [](Context& c, float x, float y) { return subtract(c, y, x); });
  bind_lane(b, Op::v_mul_f32, [](Context& c, float x, float y) { return multiply(c, x, y); });
  bind_lane(b, Op::v_min_f32,
            [](Context& c, float x, float y) { return c.fp.out(min_num(c.fp, x, y)); });
  bind_lane(b, Op::v_max_f32,
            [](Context& c, float x, float y) { return c.fp.out(max_num(c.fp, x, y)); });
  bind_lane(b, Op::v_mac_f32,
            [](Context&, float x, float y, float z) { return multiply_add_flushed(x, y, z); });
  bind_lane(b, Op::v_madmk_f32,
            [](Context&, float x, float k, float z) { return multiply_add_flushed(x, k, z); });
  bind_lane(b, Op::v_madak_f32,
            [](Context&, float x, float y, float k) { return multiply_add_flushed(x, y, k); });
  bind_lane(b, Op::v_fmac_f32,
            [](Context& c, float x, float y, float z) { return fused(c, x, y, z); });
  bind_lane(b, Op::v_fmamk_f32,
            [](Context& c, float x, float k, float z) { return fused(c, x, k, z); });
  bind_lane(b, Op::v_fmaak_f32,
            [](Context& c, float x, float y, float k) { return fused(c, x, y, k); });
  bind_lane(b, Op::v_fmac_f64,
            [](Context& c, double x, double y, double z) { return fused(c, x, y, z); });
  bind_lane(b, Op::v_add_f16, [](Context& c, F16 x, F16 y) { return add(c, x, y); });
  bind_lane(b, Op::v_sub_f16, [](Context& c, F16 x, F16 y) { return subtract(c, x, y); });
  bind_lane(b, Op::v_subrev_f16, [](Context& c, F16 x, F16 y) { return subtract(c, y, x); });
  bind_lane(b, Op::v_mul_f16, [](Context& c, F16 x, F16 y) { return multiply(c, x, y); });
  bind_lane(b, Op::v_min_f16,
            [](Context& c, F16 x, F16 y) { return c.fp.out(min_num(c.fp, x, y)); });
  bind_lane(b, Op::v_max_f16,
            [](Context& c, F16 x, F16 y) { return c.fp.out(max_num(c.fp, x, y)); });
  bind_lane(b, Op::v_mac_f16,
            [](Context& c, F16 x, F16 y, F16 z) { return multiply_add(c, x, y, z); });
  bind_lane(b, Op::v_madmk_f16,
            [](Context& c, F16 x, F16 k, F16 z) { return multiply_add(c, x, k, z); });
  bind_lane(b, Op::v_madak_f16,
            [](Context& c, F16 x, F16 y, F16 k) { return multiply_add(c, x, y, k); });
  bind_lane(b, Op::v_ldexp_f16,
            [](Context& c, F16 x, i16 e) { return c.fp.out(scale(c.fp.in(x), e, c.fp.round64)); });
}

void bind_integer(Bodies& b) {
  bind_lane(b, Op::v_cndmask_b32, [](Context&, u32 x, u32 y, MaskBit m) { return m.set ? y : x; });
  bind_lane(b, Op::v_add_u32, [](Context& c, u32 x, u32 y) { return add_u32(c, x, y); });
  bind_lane(b, Op::v_sub_u32, [](Context& c, u32 x, u32 y) { return sub_u32(c, x, y); });
  bind_lane(b, Op::v_subrev_u32, [](Context& c, u32 x, u32 y) { return sub_u32(c, y, x); });
  bind_lane(b, Op::v_add_co_u32,
            [](Context& c, u32 x, u32 y) { return add_carry(c, x, y, false); });
  bind_lane(b, Op::v_sub_co_u32,
            [](Context& c, u32 x, u32 y) { return subtract_borrow(c, x, y, false); });
  bind_lane(b, Op::v_subrev_co_u32,
            [](Context& c, u32 x, u32 y) { return subtract_borrow(c, y, x, false); });
  bind_lane(b, Op::v_addc_co_u32,
            [](Context& c, u32 x, u32 y, MaskBit m) { return add_carry(c, x, y, m.set); });
  bind_lane(b, Op::v_subb_co_u32,
            [](Context& c, u32 x, u32 y, MaskBit m) { return subtract_borrow(c, x, y, m.set); });
  bind_lane(b, Op::v_subbrev_co_u32,
            [](Context& c, u32 x, u32 y, MaskBit m) { return subtract_borrow(c, y, x, m.set); });
  bind_lane(b, Op::v_mul_i32_i24,
            [](Context&, u32 x, u32 y) { return static_cast<u32>(signed24(x) * signed24(y)); });
  bind_lane(b, Op::v_mul_hi_i32_i24, [](Context&, u32 x, u32 y) {
    return static_cast<u32>(signed24(x) * signed24(y) >> 32);
  });
  bind_lane(b, Op::v_mul_u32_u24,
            [](Context&, u32 x, u32 y) { return (x & 0xffffff) * (y & 0xffffff); });
  bind_lane(b, Op::v_mul_hi_u32_u24, [](Context&, u32 x, u32 y) {
    return static_cast<u32>(u64{x & 0xffffff} * (y & 0xffffff) >> 32);
  });
  bind_lane(b, Op::v_min_i32, [](Context&, i32 x, i32 y) { return std::min(x, y); });
  bind_lane(b, Op::v_max_i32, [](Context&, i32 x, i32 y) { return std::max(x, y); });
  bind_lane(b, Op::v_min_u32, [](Context&, u32 x, u32 y) { return std::min(x, y); });
  bind_lane(b, Op::v_max_u32, [](Context&, u32 x, u32 y) { return std::max(x, y); });
  bind_lane(b, Op::v_lshrrev_b32, [](Context&, u32 n, u32 x) { return x >> (n & 31); });
  bind_lane(b, Op::v_ashrrev_i32, [](Context&, u32 n, i32 x) { return x >> (n & 31); });
  bind_lane(b, Op::v_lshlrev_b32, [](Context&, u32 n, u32 x) { return x << (n & 31); });
  bind_lane(b, Op::v_and_b32, [](Context&, u32 x, u32 y) { return x & y; });
  bind_lane(b, Op::v_or_b32, [](Context&, u32 x, u32 y) { return x | y; });
  bind_lane(b, Op::v_xor_b32, [](Context&, u32 x, u32 y) { return x ^ y; });
  bind_lane(b, Op::v_xnor_b32, [](Context&, u32 x, u32 y) { return ~(x ^ y); });
}

void bind_short(Bodies& b) {
  bind_lane(b, Op::v_add_u16, [](Context& c, u16 x, u16 y) { return add_u16(c, x, y); });
  bind_lane(b, Op::v_sub_u16, [](Context& c, u16 x, u16 y) { return sub_u16(c, x, y); });
  bind_lane(b, Op::v_subrev_u16, [](Context& c, u16 x, u16 y) { return sub_u16(c, y, x); });
  bind_lane(b, Op::v_mul_lo_u16,
            [](Context&, u16 x, u16 y) { return static_cast<u16>(u32{x} * y); });
  bind_lane(b, Op::v_lshlrev_b16,
            [](Context&, u16 n, u16 x) { return static_cast<u16>(x << (n & 15)); });
  bind_lane(b, Op::v_lshrrev_b16,
            [](Context&, u16 n, u16 x) { return static_cast<u16>(x >> (n & 15)); });
  bind_lane(b, Op::v_ashrrev_i16,
            [](Context&, u16 n, i16 x) { return static_cast<i16>(x >> (n & 15)); });
  bind_lane(b, Op::v_max_u16, [](Context&, u16 x, u16 y) { return std::max(x, y); });
  bind_lane(b, Op::v_max_i16, [](Context&, i16 x, i16 y) { return std::max(x, y); });
  bind_lane(b, Op::v_min_u16, [](Context&, u16 x, u16 y) { return std::min(x, y); });
  bind_lane(b, Op::v_min_i16, [](Context&, i16 x, i16 y) { return std::min(x, y); });
}

void bind_dot(Bodies& b) {
  bind_lane(b, Op::v_dot2c_f32_f16,
            [](Context& c, u32 x, u32 y, float z) { return dot2_f32_f16(c, x, y, z); });
  bind_lane(b, Op::v_dot2c_i32_i16,
            [](Context& c, u32 x, u32 y, i32 z) { return dot_signed(c, x, y, z, 16); });
  bind_lane(b, Op::v_dot4c_i32_i8,
            [](Context& c, u32 x, u32 y, i32 z) { return dot_signed(c, x, y, z, 8); });
  bind_lane(b, Op::v_dot8c_i32_i4,
            [](Context& c, u32 x, u32 y, i32 z) { return dot_signed(c, x, y, z, 4); });
  bind_lane(b, Op::v_pk_fmac_f16, [](Context& c, u32 x, u32 y, u32 z) {
    auto part = [&](unsigned s) {
      auto at = [s](u32 v) { return F16{static_cast<u16>(v >> s)}; };
      return u32{fused(c, at(x), at(y), at(z)).bits} << s;
    };
    return part(0) | part(16);
  });
}

} // namespace

void bind_vop2(Bodies& b) {
  bind_float(b);
  bind_integer(b);
  bind_short(b);
  bind_dot(b);
}

} // namespace pumice::exec
