// SPDX-License-Identifier: MIT
// VOP1: one-source vector operations: moves, conversions, rounding, transcendental functions, bit
// counts.
#include "exec/state.h"
#include <algorithm>
#include <cmath>

namespace pumice::exec {
namespace {

using u32 = uint32_t;
using i32 = int32_t;

// Truncates and saturates; NaN gives 0.
template <class I> I saturate(double v) {
  if (v != v)
    return 0;
  constexpr double kLow = static_cast<double>(std::numeric_limits<I>::min());
  constexpr double kHigh = static_cast<double>(std::numeric_limits<I>::max());
  return v <= kLow    ? std::numeric_limits<I>::min()
         : v >= kHigh ? std::numeric_limits<I>::max()
                      : static_cast<I>(v);
}
i32 saturate_floor(float v) {
  return saturate<i32>(std::floor(static_cast<double>(v)));
}

double fract(double v) {
  if (std::isinf(v))
    return std::numeric_limits<double>::quiet_NaN();
  return v - std::floor(v);
}

// sin or cos of a whole number of turns, exact at quarter turns.
double turn_function(double turns, bool cosine) {
  if (!std::isfinite(turns))
    return std::numeric_limits<double>::quiet_NaN();
  if (std::fabs(turns) > 256.0)
    return cosine ? 1.0 : 0.0;         // outside the instruction's domain
  double r = turns - std::rint(turns); // -0.5 .. 0.5
  double quarter = std::rint(r * 4), rest = (r - quarter / 4) * 2 * 3.14159265358979323846;
  int q = (static_cast<int>(quarter) + (cosine ? 1 : 0)) & 3;
  double value = q & 1 ? std::cos(rest) : std::sin(rest);
  if (value == 0)
    return cosine || q ? 0.0 : std::copysign(0.0, turns);
  return q & 2 ? -value : value;
}

template <class T> i32 exponent_for_frexp(T v) {
  double d = value_of(v);
  if (!std::isfinite(d) || d == 0)
    return 0;
  int e;
  std::frexp(d, &e);
  return e;
}
template <class T> double mantissa_for_frexp(T v) {
  double d = value_of(v);
  int e;
  return std::isfinite(d) ? std::frexp(d, &e) : d;
}

// f16 and f32 functions computed in f64 and rounded once more.
F16 half(const Context& c, double v) {
  return c.fp.out(f16_of(v, c.fp.round64));
}
float single(const Context& c, double v) {
  return c.fp.out(static_cast<float>(v));
}

template <class F> void bind_f32(Bodies& b, Op op, F) {
  bind_lane(b, op,
            [](Context& c, float v) { return single(c, F{}(static_cast<double>(c.fp.in(v)))); });
}
template <class F> void bind_f64(Bodies& b, Op op, F) {
  bind_lane(b, op, [](Context& c, double v) { return c.fp.out(F{}(c.fp.in(v))); });
}
template <class F> void bind_f16(Bodies& b, Op op, F) {
  bind_lane(b, op, [](Context& c, F16 v) { return half(c, F{}(f64_of(c.fp.in(v)))); });
}

void bind_conversions(Bodies& b) {
  bind_lane(b, Op::v_cvt_i32_f64, [](Context& c, double v) { return saturate<i32>(c.fp.in(v)); });
  bind_lane(b, Op::v_cvt_u32_f64, [](Context& c, double v) { return saturate<u32>(c.fp.in(v)); });
  bind_lane(b, Op::v_cvt_i32_f32, [](Context& c, float v) { return saturate<i32>(v); });
  bind_lane(b, Op::v_cvt_u32_f32, [](Context& c, float v) { return saturate<u32>(v); });
  bind_lane(b, Op::v_cvt_f64_i32, [](Context&, i32 v) { return static_cast<double>(v); });
  bind_lane(b, Op::v_cvt_f64_u32, [](Context&, u32 v) { return static_cast<double>(v); });
  bind_lane(b, Op::v_cvt_f32_i32, [](Context&, i32 v) { return static_cast<float>(v); });
  bind_lane(b, Op::v_cvt_f32_u32, [](Context&, u32 v) { return static_cast<float>(v); });
  bind_lane(b, Op::v_cvt_f16_f32, [](Context& c, float v) { return half(c, c.fp.in(v)); });
  bind_lane(b, Op::v_cvt_f32_f16, [](Context& c, F16 v) {
    float r = f32_of(c.fp.in(v));
    return is_nan(r) ? quiet(r) : c.fp.out(r);
  });
  bind_lane(b, Op::v_cvt_f32_f64, [](Context& c, double v) { return single(c, c.fp.in(v)); });
  bind_lane(b, Op::v_cvt_f64_f32,
            [](Context& c, float v) { return static_cast<double>(c.fp.in(v)); });
  bind_lane(b, Op::v_cvt_rpi_i32_f32, [](Context&, float v) {
    return saturate<i32>(std::floor(static_cast<double>(v) + 0.5));
  });
  bind_lane(b, Op::v_cvt_flr_i32_f32, [](Context&, float v) { return saturate_floor(v); });
  bind_lane(b, Op::v_cvt_off_f32_i4, [](Context&, u32 v) {
    return static_cast<float>(static_cast<i32>(v << 28) >> 28) / 16.0f;
  });
  bind_lane(b, Op::v_cvt_f32_ubyte0, [](Context&, u32 v) { return static_cast<float>(v & 0xff); });
  bind_lane(b, Op::v_cvt_f32_ubyte1,
            [](Context&, u32 v) { return static_cast<float>(v >> 8 & 0xff); });
  bind_lane(b, Op::v_cvt_f32_ubyte2,
            [](Context&, u32 v) { return static_cast<float>(v >> 16 & 0xff); });
  bind_lane(b, Op::v_cvt_f32_ubyte3, [](Context&, u32 v) { return static_cast<float>(v >> 24); });
  bind_lane(b, Op::v_cvt_f16_u16, [](Context& c, uint16_t v) { return half(c, v); });
  bind_lane(b, Op::v_cvt_f16_i16, [](Context& c, int16_t v) { return half(c, v); });
  bind_lane(b, Op::v_cvt_u16_f16, [](Context&, F16 v) { return saturate<uint16_t>(f64_of(v)); });
  bind_lane(b, Op::v_cvt_i16_f16, [](Context&, F16 v) { return saturate<int16_t>(f64_of(v)); });
  bind_lane(b, Op::v_cvt_norm_i16_f16, [](Context&, F16 v) {
    return saturate<int16_t>(std::nearbyint(std::clamp(f64_of(v), -1.0, 1.0) * 32767.0));
  });
  bind_lane(b, Op::v_cvt_norm_u16_f16, [](Context&, F16 v) {
    return saturate<uint16_t>(std::nearbyint(std::clamp(f64_of(v), 0.0, 1.0) * 65535.0));
  });
  bind_lane(b, Op::v_cvt_f32_fp8,
            [](Context&, u32 v) { return fp8_to_f32(static_cast<uint8_t>(v)); });
  bind_lane(b, Op::v_cvt_f32_bf8,
            [](Context&, u32 v) { return bf8_to_f32(static_cast<uint8_t>(v)); });
  bind_lane(b, Op::v_cvt_pk_f32_fp8, [](Context&, u32 v) {
    return std::bit_cast<u32>(fp8_to_f32(v & 0xff)) |
           static_cast<uint64_t>(std::bit_cast<u32>(fp8_to_f32(v >> 8 & 0xff))) << 32;
  });
  bind_lane(b, Op::v_cvt_pk_f32_bf8, [](Context&, u32 v) {
    return std::bit_cast<u32>(bf8_to_f32(v & 0xff)) |
           static_cast<uint64_t>(std::bit_cast<u32>(bf8_to_f32(v >> 8 & 0xff))) << 32;
  });
  bind_lane(b, Op::v_sat_pk_u8_i16, [](Context&, u32 v) {
    auto sat = [](u32 h) {
      return static_cast<u32>(std::clamp<i32>(static_cast<int16_t>(h), 0, 255));
    };
    return sat(v & 0xffff) | sat(v >> 16) << 8;
  });
}

void bind_rounding(Bodies& b) {
  bind_f32(b, Op::v_trunc_f32, [](double v) { return std::trunc(v); });
  bind_f32(b, Op::v_ceil_f32, [](double v) { return std::ceil(v); });
  bind_f32(b, Op::v_floor_f32, [](double v) { return std::floor(v); });
  bind_f32(b, Op::v_rndne_f32, [](double v) { return ::roundeven(v); });
  bind_f64(b, Op::v_trunc_f64, [](double v) { return std::trunc(v); });
  bind_f64(b, Op::v_ceil_f64, [](double v) { return std::ceil(v); });
  bind_f64(b, Op::v_floor_f64, [](double v) { return std::floor(v); });
  bind_f64(b, Op::v_rndne_f64, [](double v) { return ::roundeven(v); });
  bind_f16(b, Op::v_trunc_f16, [](double v) { return std::trunc(v); });
  bind_f16(b, Op::v_ceil_f16, [](double v) { return std::ceil(v); });
  bind_f16(b, Op::v_floor_f16, [](double v) { return std::floor(v); });
  bind_f16(b, Op::v_rndne_f16, [](double v) { return ::roundeven(v); });
  // A tiny negative input would round to 1, which fract never is.
  bind_lane(b, Op::v_fract_f32, [](Context& c, float v) {
    return std::min(single(c, fract(c.fp.in(v))), 0x1.fffffep-1f);
  });
  bind_lane(b, Op::v_fract_f64, [](Context& c, double v) {
    return std::min(c.fp.out(fract(c.fp.in(v))), 0x1.fffffffffffffp-1);
  });
  bind_lane(b, Op::v_fract_f16, [](Context& c, F16 v) {
    F16 r = half(c, fract(f64_of(c.fp.in(v))));
    return r.bits == 0x3c00 ? F16{0x3bff} : r;
  });
  bind_lane(b, Op::v_frexp_exp_i32_f32,
            [](Context& c, float v) { return exponent_for_frexp(c.fp.in(v)); });
  bind_lane(b, Op::v_frexp_exp_i32_f64,
            [](Context& c, double v) { return exponent_for_frexp(c.fp.in(v)); });
  bind_lane(b, Op::v_frexp_exp_i16_f16,
            [](Context& c, F16 v) { return static_cast<int16_t>(exponent_for_frexp(c.fp.in(v))); });
  bind_f32(b, Op::v_frexp_mant_f32, [](double v) { return mantissa_for_frexp(v); });
  bind_f64(b, Op::v_frexp_mant_f64, [](double v) { return mantissa_for_frexp(v); });
  bind_f16(b, Op::v_frexp_mant_f16, [](double v) { return mantissa_for_frexp(v); });
}

// Approximate on hardware; here as exact as the host's f64 library makes them.
void bind_transcendental(Bodies& b) {
  auto exp2_of = [](double v) { return std::exp2(v); };
  auto log2_of = [](double v) { return std::log2(v); };
  auto reciprocal = [](double v) { return 1.0 / v; };
  auto root = [](double v) { return std::sqrt(v); };
  auto inverse_root = [](double v) { return 1.0 / std::sqrt(v); };
  auto sine = [](double v) { return turn_function(v, false); };
  auto cosine = [](double v) { return turn_function(v, true); };
  bind_f32(b, Op::v_exp_f32, exp2_of);
  bind_f32(b, Op::v_exp_legacy_f32, exp2_of);
  bind_f32(b, Op::v_log_f32, log2_of);
  bind_f32(b, Op::v_log_legacy_f32, log2_of);
  bind_f32(b, Op::v_rcp_f32, reciprocal);
  bind_f32(b, Op::v_rcp_iflag_f32, reciprocal);
  bind_f32(b, Op::v_rsq_f32, inverse_root);
  bind_f32(b, Op::v_sqrt_f32, root);
  bind_f32(b, Op::v_sin_f32, sine);
  bind_f32(b, Op::v_cos_f32, cosine);
  bind_f64(b, Op::v_rcp_f64, reciprocal);
  bind_f64(b, Op::v_rsq_f64, inverse_root);
  bind_f64(b, Op::v_sqrt_f64, root);
  bind_f16(b, Op::v_exp_f16, exp2_of);
  bind_f16(b, Op::v_log_f16, log2_of);
  bind_f16(b, Op::v_rcp_f16, reciprocal);
  bind_f16(b, Op::v_rsq_f16, inverse_root);
  bind_f16(b, Op::v_sqrt_f16, root);
  bind_f16(b, Op::v_sin_f16, sine);
  bind_f16(b, Op::v_cos_f16, cosine);
}

void bind_bits(Bodies& b) {
  bind_lane(b, Op::v_mov_b32, [](Context&, u32 v) { return v; });
  bind_lane(b, Op::v_mov_b64, [](Context&, uint64_t v) { return v; });
  bind_lane(b, Op::v_not_b32, [](Context&, u32 v) { return ~v; });
  bind_lane(b, Op::v_bfrev_b32, [](Context&, u32 v) { return __builtin_bitreverse32(v); });
  bind_lane(b, Op::v_ffbh_u32, [](Context&, u32 v) { return v ? std::countl_zero(v) : -1; });
  bind_lane(b, Op::v_ffbl_b32, [](Context&, u32 v) { return v ? std::countr_zero(v) : -1; });
  bind_lane(b, Op::v_ffbh_i32, [](Context&, i32 v) {
    u32 u = static_cast<u32>(v < 0 ? ~v : v);
    return u ? std::countl_zero(u) : -1;
  });
  b.bind(Op::v_nop, [](Wave&, const Inst&) {});
  b.bind(Op::v_clrexcp, [](Wave&, const Inst&) {});
  b.bind(Op::v_swap_b32, [](Wave& w, const Inst& i) {
    for_lanes(w.exec(), [&](unsigned lane) {
      std::swap(w.vgpr[i.dst[0].vgpr()][lane], w.vgpr[i.dst[1].vgpr()][lane]);
    });
  });
  bind_lane(b, Op::v_accvgpr_mov_b32, [](Context&, u32 v) { return v; });
  bind_lane(b, Op::v_accvgpr_read_b32, [](Context&, u32 v) { return v; });
  bind_lane(b, Op::v_accvgpr_write_b32, [](Context&, u32 v) { return v; });
}

} // namespace

void bind_vop1(Bodies& b) {
  bind_conversions(b);
  bind_rounding(b);
  bind_transcendental(b);
  bind_bits(b);
}

} // namespace pumice::exec
