// SPDX-License-Identifier: MIT
// Packed instructions: two results per lane from halves (or dwords) that op_sel and op_sel_hi
// choose.
#include "exec/arith.h"
#include <algorithm>

namespace pumice::exec {
namespace {

using u32 = uint32_t;
using i32 = int32_t;
using u16 = uint16_t;
using i16 = int16_t;
using u64 = uint64_t;

// Half of source n for the low (0) or high (1) result, with the sign modifier of that half.
template <class T> T half_of(const Context& c, u32 v, unsigned n, bool high) {
  unsigned select = high ? c.i.op_sel_hi : c.i.op_sel;
  u32 h = select >> n & 1 ? v >> 16 : v & 0xffff;
  if constexpr (kIsFloat<T>) {
    if ((high ? c.i.neg_hi : c.i.neg) >> n & 1)
      h ^= 0x8000;
  }
  return std::bit_cast<T>(static_cast<u16>(h));
}

F16 clamped(const Context& c, F16 v) {
  return output_modifiers(c, v);
}
template <class T> T clamped(const Context&, T v) {
  return v;
}

/// Binds a body on halves: `T f(Context&, Args...)`.
template <class F, class T, class... Args> struct PackedRunner {
  template <size_t... N>
  static u32 half(Context& c, const u32 (&v)[3], bool high, std::index_sequence<N...>) {
    return std::bit_cast<u16>(clamped(c, F{}(c, half_of<Args>(c, v[N], N, high)...)));
  }
  static void run(Wave& w, const Inst& i) {
    Context c{w, i, Fp(w.mode)};
    std::array<Source, 3> s{source(w, i, i.src[0]), source(w, i, i.src[1]), source(w, i, i.src[2])};
    RoundingScope rounding_scope(c.fp.round64);
    for_lanes(w.exec(), [&](unsigned lane) {
      c.lane = lane;
      const u32 v[3] = {s[0].low(w, lane), s[1].low(w, lane), s[2].low(w, lane)};
      constexpr auto kIndex = std::index_sequence_for<Args...>{};
      w.vgpr[i.dst[0].vgpr()][lane] = half(c, v, false, kIndex) | half(c, v, true, kIndex) << 16;
    });
  }
};
template <class F> struct PackedSignature : PackedSignature<decltype(&F::operator())> {};
template <class C, class R, class... A> struct PackedSignature<R (C::*)(Context&, A...) const> {
  template <class F> using runner = PackedRunner<F, R, A...>;
};
template <class F> void bind_packed(Bodies& b, Op op, F) {
  b.bind(op, &PackedSignature<F>::template runner<F>::run);
}

template <class T> T limit(const Context& c, i32 v) {
  if (c.clamp())
    v = std::clamp<i32>(v, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
  return static_cast<T>(v);
}
template <class T> T multiply_add_int(const Context& c, T x, T y, T z) {
  int64_t r = int64_t{x} * y + z;
  if (c.clamp())
    r = std::clamp<int64_t>(r, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
  return static_cast<T>(r);
}

void bind_integer(Bodies& b) {
  bind_packed(b, Op::v_pk_mad_i16,
              [](Context& c, i16 x, i16 y, i16 z) { return multiply_add_int(c, x, y, z); });
  bind_packed(b, Op::v_pk_mad_u16,
              [](Context& c, u16 x, u16 y, u16 z) { return multiply_add_int(c, x, y, z); });
  bind_packed(b, Op::v_pk_mul_lo_u16,
              [](Context&, u16 x, u16 y) { return static_cast<u16>(u32{x} * y); });
  bind_packed(b, Op::v_pk_add_i16, [](Context& c, i16 x, i16 y) { return limit<i16>(c, x + y); });
  bind_packed(b, Op::v_pk_sub_i16, [](Context& c, i16 x, i16 y) { return limit<i16>(c, x - y); });
  bind_packed(b, Op::v_pk_add_u16, [](Context& c, u16 x, u16 y) { return limit<u16>(c, x + y); });
  bind_packed(b, Op::v_pk_sub_u16, [](Context& c, u16 x, u16 y) { return limit<u16>(c, x - y); });
  bind_packed(b, Op::v_pk_lshlrev_b16,
              [](Context&, u16 n, u16 x) { return static_cast<u16>(x << (n & 15)); });
  bind_packed(b, Op::v_pk_lshrrev_b16,
              [](Context&, u16 n, u16 x) { return static_cast<u16>(x >> (n & 15)); });
  bind_packed(b, Op::v_pk_ashrrev_i16,
              [](Context&, u16 n, i16 x) { return static_cast<i16>(x >> (n & 15)); });
  bind_packed(b, Op::v_pk_max_i16, [](Context&, i16 x, i16 y) { return std::max(x, y); });
  bind_packed(b, Op::v_pk_min_i16, [](Context&, i16 x, i16 y) { return std::min(x, y); });
  bind_packed(b, Op::v_pk_max_u16, [](Context&, u16 x, u16 y) { return std::max(x, y); });
  bind_packed(b, Op::v_pk_min_u16, [](Context&, u16 x, u16 y) { return std::min(x, y); });
}

void bind_half(Bodies& b) {
  bind_packed(b, Op::v_pk_fma_f16,
              [](Context& c, F16 x, F16 y, F16 z) { return fused(c, x, y, z); });
  bind_packed(b, Op::v_pk_add_f16, [](Context& c, F16 x, F16 y) { return add(c, x, y); });
  bind_packed(b, Op::v_pk_mul_f16, [](Context& c, F16 x, F16 y) { return multiply(c, x, y); });
  bind_packed(b, Op::v_pk_min_f16,
              [](Context& c, F16 x, F16 y) { return c.fp.out(min_num(c.fp, x, y)); });
  bind_packed(b, Op::v_pk_max_f16,
              [](Context& c, F16 x, F16 y) { return c.fp.out(max_num(c.fp, x, y)); });
}

// Source n of a mixed-precision fma: f32, or a half where op_sel_hi says so; neg_hi is abs.
float mixed(const Context& c, u32 v, unsigned n) {
  float f;
  if (c.i.op_sel_hi >> n & 1)
    f = f32_of(c.fp.in(F16{static_cast<u16>(c.i.op_sel >> n & 1 ? v >> 16 : v)}));
  else
    f = c.fp.in(std::bit_cast<float>(v));
  if (c.i.neg_hi >> n & 1)
    f = std::fabs(f);
  return c.i.neg >> n & 1 ? -f : f;
}
/// Runs `write(uint32_t& d, float x, float y, float z)` per lane.
template <class F> void bind_mix(Bodies& b, Op op, F) {
  b.bind(op, [](Wave& w, const Inst& i) {
    Context c{w, i, Fp(w.mode)};
    std::array<Source, 3> s{source(w, i, i.src[0]), source(w, i, i.src[1]), source(w, i, i.src[2])};
    RoundingScope rounding_scope(c.fp.round32);
    for_lanes(w.exec(), [&](unsigned lane) {
      F{}(c, w.vgpr[i.dst[0].vgpr()][lane], mixed(c, s[0].low(w, lane), 0),
          mixed(c, s[1].low(w, lane), 1), mixed(c, s[2].low(w, lane), 2));
    });
  });
}
// Two roundings: clang takes the instruction for (half)fma(x, y, z) of singles [E-028].
u32 mixed_half(const Context& c, float x, float y, float z) {
  double sum = c.fp.out(std::fma(x, y, z));
  return output_modifiers(c, c.fp.out(f16_of(sum, c.fp.round64))).bits;
}
void bind_mixed(Bodies& b) {
  bind_mix(b, Op::v_fma_mix_f32, [](const Context& c, u32& d, float x, float y, float z) {
    d = std::bit_cast<u32>(output_modifiers(c, c.fp.out(std::fma(x, y, z))));
  });
  bind_mix(b, Op::v_fma_mixlo_f16, [](const Context& c, u32& d, float x, float y, float z) {
    d = (d & 0xffff0000) | mixed_half(c, x, y, z);
  });
  bind_mix(b, Op::v_fma_mixhi_f16, [](const Context& c, u32& d, float x, float y, float z) {
    d = (d & 0xffff) | mixed_half(c, x, y, z) << 16;
  });
}

// Pairs of f32. A source that is a constant or an SGPR pair obeys op_sel the same way.
float word_of(const Context& c, const Source& s, unsigned n, bool high) {
  unsigned select = (high ? c.i.op_sel_hi : c.i.op_sel) >> n & 1;
  u64 v = s.both(c.w, c.lane);
  float f = std::bit_cast<float>(static_cast<u32>(select ? v >> 32 : v));
  return (high ? c.i.neg_hi : c.i.neg) >> n & 1 ? -f : f;
}
template <class F> void bind_pair(Bodies& b, Op op, F) {
  b.bind(op, [](Wave& w, const Inst& i) {
    Context c{w, i, Fp(w.mode)};
    std::array<Source, 3> s{source(w, i, i.src[0]), source(w, i, i.src[1]), source(w, i, i.src[2])};
    RoundingScope rounding_scope(c.fp.round32);
    for_lanes(w.exec(), [&](unsigned lane) {
      c.lane = lane;
      u32 r[2];
      for (unsigned h = 0; h < 2; ++h)
        r[h] = std::bit_cast<u32>(output_modifiers(
            c, F{}(c, word_of(c, s[0], 0, h), word_of(c, s[1], 1, h), word_of(c, s[2], 2, h))));
      for (unsigned h = 0; h < 2; ++h)
        w.vgpr[i.dst[0].vgpr() + h][lane] = r[h];
    });
  });
}
void bind_pairs(Bodies& b) {
  bind_pair(b, Op::v_pk_fma_f32,
            [](const Context& c, float x, float y, float z) { return fused(c, x, y, z); });
  bind_pair(b, Op::v_pk_mul_f32,
            [](const Context& c, float x, float y, float) { return multiply(c, x, y); });
  bind_pair(b, Op::v_pk_add_f32,
            [](const Context& c, float x, float y, float) { return add(c, x, y); });
  // The low result comes from source 0, the high one from source 1; op_sel picks each one's dword.
  b.bind(Op::v_pk_mov_b32, [](Wave& w, const Inst& i) {
    Source x = source(w, i, i.src[0]), y = source(w, i, i.src[1]);
    for_lanes(w.exec(), [&](unsigned lane) {
      u64 a = x.both(w, lane), c = y.both(w, lane);
      u32 low = static_cast<u32>(i.op_sel & 1 ? a >> 32 : a),
          high = static_cast<u32>(i.op_sel & 2 ? c >> 32 : c);
      w.vgpr[i.dst[0].vgpr()][lane] = low;
      w.vgpr[i.dst[0].vgpr() + 1][lane] = high;
    });
  });
}

void bind_dot(Bodies& b) {
  // The packed halves carry their own signs: low halves neg, high halves neg_hi.
  b.bind(Op::v_dot2_f32_f16, [](Wave& w, const Inst& i) {
    Context c{w, i, Fp(w.mode)};
    std::array<Source, 3> s{source(w, i, i.src[0]), source(w, i, i.src[1]), source(w, i, i.src[2])};
    for_lanes(w.exec(), [&](unsigned lane) {
      float z = std::bit_cast<float>(s[2].low(w, lane)), sum = c.fp.in(i.neg & 4 ? -z : z);
      for (bool high : {false, true})
        sum = std::fma(f32_of(half_of<F16>(c, s[0].low(w, lane), 0, high)),
                       f32_of(half_of<F16>(c, s[1].low(w, lane), 1, high)), sum);
      w.vgpr[i.dst[0].vgpr()][lane] = std::bit_cast<u32>(output_modifiers(c, c.fp.out(sum)));
    });
  });
  bind_lane(b, Op::v_dot4_i32_i8,
            [](Context& c, u32 x, u32 y, i32 z) { return dot_signed(c, x, y, z, 8); });
  bind_lane(b, Op::v_dot4_u32_u8,
            [](Context& c, u32 x, u32 y, u32 z) { return dot_unsigned(c, x, y, z, 8); });
  bind_lane(b, Op::v_dot8_i32_i4,
            [](Context& c, u32 x, u32 y, i32 z) { return dot_signed(c, x, y, z, 4); });
  bind_lane(b, Op::v_dot8_u32_u4,
            [](Context& c, u32 x, u32 y, u32 z) { return dot_unsigned(c, x, y, z, 4); });
  bind_lane(b, Op::v_dot2_i32_i16, [](Context& c, u32 x, u32 y, i32 z) {
    auto chosen = [&](u32 v, unsigned n) {
      return u32{half_of<u16>(c, v, n, false)} | u32{half_of<u16>(c, v, n, true)} << 16;
    };
    return dot_signed(c, chosen(x, 0), chosen(y, 1), z, 16);
  });
  bind_lane(b, Op::v_dot2_u32_u16, [](Context& c, u32 x, u32 y, u32 z) {
    auto chosen = [&](u32 v, unsigned n) {
      return u32{half_of<u16>(c, v, n, false)} | u32{half_of<u16>(c, v, n, true)} << 16;
    };
    return dot_unsigned(c, chosen(x, 0), chosen(y, 1), z, 16);
  });
}

} // namespace

void bind_vop3p(Bodies& b) {
  bind_integer(b);
  bind_half(b);
  bind_mixed(b);
  bind_pairs(b);
  bind_dot(b);
}

} // namespace pumice::exec
