// SPDX-License-Identifier: MIT
// The division helpers v_div_scale, v_div_fmas, v_div_fixup and v_trig_preop. The published
// pseudocode of the first two is wrong in places [E-002]; what is here makes clang's division
// sequences correctly rounded for all inputs.
#include "exec/arith.h"

namespace pumice::exec {
namespace {

// Format constants of float and double.
template <class T> struct Format;
template <> struct Format<float> {
  using Bits = uint32_t;
  static constexpr int kScale = 64, kBias = 127, kFar = 96, kTiny = 23, kUnderflow = 150,
                       kMantissa = 23, kTop = 255;
};
template <> struct Format<double> {
  using Bits = uint64_t;
  static constexpr int kScale = 128, kBias = 1023, kFar = 768, kTiny = 53, kUnderflow = 1075,
                       kMantissa = 52, kTop = 2047;
};

template <class T> int exponent_field(T v) {
  using F = Format<T>;
  return static_cast<int>(std::bit_cast<typename F::Bits>(v) >> F::kMantissa) & F::kTop;
}
template <class T> bool is_denormal(T v) {
  return v != 0 && exponent_field(v) == 0;
}
/// |a / b| is below the smallest normal number but not zero.
template <class T> bool quotient_is_denormal(T a, T b) {
  if (a == 0 || !std::isfinite(a) || !std::isfinite(b))
    return false;
  // Compare |a| with |b| * smallest normal, scaled so that neither side leaves the format.
  constexpr int kMin = 1 - Format<T>::kBias;
  int ea, eb;
  T ma = std::frexp(std::fabs(a), &ea), mb = std::frexp(std::fabs(b), &eb);
  int e = ea - eb;
  // a / b = (ma / mb) * 2^e with ma / mb in (0.5, 2).
  return ma < mb ? e - 1 < kMin : e < kMin;
}

/// S0 scaled for dividing S2 (numerator) by S1 (denominator); S0 is one of the two.
template <class T> Flagged<T> div_scale(T s0, T s1, T s2) {
  using F = Format<T>;
  bool scales_denominator =
      std::bit_cast<typename F::Bits>(s0) == std::bit_cast<typename F::Bits>(s1);
  bool scales_numerator =
      std::bit_cast<typename F::Bits>(s0) == std::bit_cast<typename F::Bits>(s2);
  if (s1 == 0 || s2 == 0)
    return {std::numeric_limits<T>::quiet_NaN(), false};
  if (is_nan(s1) || is_nan(s2))
    return {s0, false};
  bool reciprocal_denormal = quotient_is_denormal(T{1}, s1),
       denormal = quotient_is_denormal(s2, s1);
  if (exponent_field(s2) - exponent_field(s1) >= F::kFar) // huge quotient: v_div_fmas scales it up
    return {scales_denominator ? std::ldexp(s0, F::kScale) : s0, true};
  if (is_denormal(s1))
    return {std::ldexp(s0, F::kScale), false};
  if (reciprocal_denormal &&
      denormal) // tiny quotient of a huge denominator: v_div_fmas scales it down
    return {scales_denominator ? std::ldexp(s0, -F::kScale) : s0, true};
  if (reciprocal_denormal)
    return {std::ldexp(s0, -F::kScale), false};
  if (denormal)
    return {scales_numerator ? std::ldexp(s0, F::kScale) : s0, true};
  if (exponent_field(s2) <= F::kTiny)
    return {std::ldexp(s0, F::kScale), false};
  return {s0, false};
}

/// x * y + z rounded to odd with enough bits for a second rounding after scaling.
double fused_to_odd(float x, float y, float z) {
  return in_nearest([&] { return add_to_odd(static_cast<double>(x) * y, z); });
}
__float128 fused_to_odd(double x, double y, double z) {
  __float128 product = static_cast<__float128>(x) * y, addend = z,
             sum = product + addend; // the product is exact
  __float128 from_addend = sum - product,
             error = (product - (sum - from_addend)) + (addend - from_addend);
  unsigned __int128 bits = std::bit_cast<unsigned __int128>(sum);
  if (!std::isfinite(static_cast<double>(x * y)) || error == 0 || error != error || (bits & 1))
    return sum;
  return std::bit_cast<__float128>((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

/// Fused multiply-add; the lane's VCC bit asks to undo the scaling of div_scale, whose direction
/// shows in the size of the unscaled quotient S2. Scaling and rounding are one step, so that
/// denormal quotients round once.
template <class T> T div_fmas(const Context& c, T x, T y, T z) {
  using F = Format<T>;
  if (!(c.w.vcc() >> c.lane & 1))
    return c.fp.out(std::fma(x, y, z));
  int e = exponent_field(z) > F::kBias ? F::kScale : -F::kScale;
  auto factor = static_cast<decltype(fused_to_odd(x, y, z))>(std::ldexp(1.0, e));
  return c.fp.out(static_cast<T>(fused_to_odd(x, y, z) * factor));
}

template <class T> T div_fixup(const Context& c, T quotient, T den, T num) {
  using F = Format<T>;
  T sign = sign_of(den) != sign_of(num) ? T{-1} : T{1};
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  if (is_nan(num))
    return quiet(num);
  if (is_nan(den))
    return quiet(den);
  if ((num == 0 && den == 0) || (is_inf(num) && is_inf(den)))
    return -std::numeric_limits<T>::quiet_NaN();
  if (den == 0 || is_inf(num))
    return std::copysign(kInfinity, sign);
  if (num == 0 || is_inf(den))
    return std::copysign(T{0}, sign);
  if (exponent_field(num) - exponent_field(den) < -F::kUnderflow)
    return std::copysign(T{0}, sign);
  // A quotient beyond the format ends the sequence in inf - inf: the product rounds to infinity or
  // the largest number.
  if (is_nan(quotient))
    return std::copysign(std::numeric_limits<T>::max(), sign) * std::numeric_limits<T>::max();
  return c.fp.out(std::copysign(quotient, sign));
}

F16 div_fixup_half(const Context& c, F16 quotient, F16 den, F16 num) {
  uint16_t sign = (den.bits ^ num.bits) & 0x8000;
  auto with_sign = [sign](unsigned v) { return F16{static_cast<uint16_t>((v & 0x7fff) | sign)}; };
  bool num_zero = (num.bits & 0x7fff) == 0, den_zero = (den.bits & 0x7fff) == 0;
  if (is_nan(num))
    return quiet(num);
  if (is_nan(den))
    return quiet(den);
  if ((num_zero && den_zero) || (is_inf(num) && is_inf(den)))
    return {0xfe00};
  if (den_zero || is_inf(num))
    return with_sign(0x7c00);
  if (num_zero || is_inf(den))
    return with_sign(0);
  return c.fp.out(with_sign(quotient.bits));
}

// 2 / pi, 1201 bits after the point, most significant word first.
constexpr uint32_t kTwoOverPi[] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
    0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab};

/// 53 bits of 2 / pi from bit `53 * segment` on (later for large inputs), as a double scaled to the
/// input.
double trig_preop(double x, uint32_t segment) {
  int shift = static_cast<int>(segment & 31) * 53;
  int e = exponent_field(x);
  if (e > 1077)
    shift += e - 1077;
  uint64_t bits = 0;
  for (int n = 0; n < 53; ++n) {
    int at = shift + n;
    bool set =
        at < static_cast<int>(sizeof kTwoOverPi) * 8 && (kTwoOverPi[at / 32] >> (31 - at % 32) & 1);
    bits = bits << 1 | set;
  }
  int scale_exponent = -53 - shift;
  if (e >= 1968)
    scale_exponent += 128;
  return std::ldexp(static_cast<double>(bits), scale_exponent);
}

} // namespace

void bind_divide(Bodies& b) {
  bind_lane(b, Op::v_div_scale_f32,
            [](Context&, float x, float y, float z) { return div_scale(x, y, z); });
  bind_lane(b, Op::v_div_scale_f64,
            [](Context&, double x, double y, double z) { return div_scale(x, y, z); });
  bind_lane(b, Op::v_div_fmas_f32,
            [](Context& c, float x, float y, float z) { return div_fmas(c, x, y, z); });
  bind_lane(b, Op::v_div_fmas_f64,
            [](Context& c, double x, double y, double z) { return div_fmas(c, x, y, z); });
  bind_lane(b, Op::v_div_fixup_f32,
            [](Context& c, float q, float d, float n) { return div_fixup(c, q, d, n); });
  bind_lane(b, Op::v_div_fixup_f64,
            [](Context& c, double q, double d, double n) { return div_fixup(c, q, d, n); });
  bind_lane(b, Op::v_div_fixup_f16,
            [](Context& c, F16 q, F16 d, F16 n) { return div_fixup_half(c, q, d, n); });
  bind_lane(b, Op::v_div_fixup_legacy_f16,
            [](Context& c, F16 q, F16 d, F16 n) { return div_fixup_half(c, q, d, n); });
  bind_lane(b, Op::v_trig_preop_f64,
            [](Context&, double x, uint32_t segment) { return trig_preop(x, segment); });
}

} // namespace pumice::exec
