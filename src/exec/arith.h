// SPDX-License-Identifier: MIT
// Floating-point arithmetic of the bodies: denormal handling of MODE around host arithmetic.
// Internal to the room.
#pragma once
#include "exec/state.h"
#include <cmath>

namespace pumice::exec {

inline float add(const Context& c, float a, float b) {
  return c.fp.out(c.fp.in(a) + c.fp.in(b));
}
inline float subtract(const Context& c, float a, float b) {
  return c.fp.out(c.fp.in(a)-c.fp.in(b));
}
inline float multiply(const Context& c, float a, float b) {
  return c.fp.out(c.fp.in(a)*c.fp.in(b));
}
inline float fused(const Context& c, float x, float y, float z) {
  return c.fp.out(std::fma(c.fp.in(x), c.fp.in(y), c.fp.in(z)));
}
inline double add(const Context& c, double a, double b) {
  return c.fp.out(c.fp.in(a) + c.fp.in(b));
}
inline double multiply(const Context& c, double a, double b) {
  return c.fp.out(c.fp.in(a)*c.fp.in(b));
}
inline double fused(const Context& c, double x, double y, double z) {
  return c.fp.out(std::fma(c.fp.in(x), c.fp.in(y), c.fp.in(z)));
}

// f16 through f64: sums and products of two halves are exact there; a fused result is first rounded
// to odd. The host rounding mode may be the guest's, so the inner operations must be exact or
// to-odd (they are to nearest: see half()).
inline F16 half_result(const Context& c, double v) {
  return c.fp.out(f16_of(v, c.fp.round64));
}
inline F16 add(const Context& c, F16 a, F16 b) {
  return half_result(c, f64_of(c.fp.in(a)) + f64_of(c.fp.in(b)));
}
inline F16 subtract(const Context& c, F16 a, F16 b) {
  return half_result(c, f64_of(c.fp.in(a)) - f64_of(c.fp.in(b)));
}
inline F16 multiply(const Context& c, F16 a, F16 b) {
  return half_result(c, f64_of(c.fp.in(a)) * f64_of(c.fp.in(b)));
}
/// Runs `f` in round-to-nearest, whatever the guest's mode.
template <class F> auto in_nearest(F f) {
  int host = std::fegetround();
  if (host == FE_TONEAREST)
    return f();
  std::fesetround(FE_TONEAREST);
  auto r = f();
  std::fesetround(host);
  return r;
}
inline F16 fused(const Context& c, F16 x, F16 y, F16 z) {
  double product = f64_of(c.fp.in(x)) * f64_of(c.fp.in(y)), addend = f64_of(c.fp.in(z));
  double sum = in_nearest([&] { return add_to_odd(product, addend); });
  if (sum == 0)
    sum = product + addend; // the sign of an exact zero follows the mode
  return half_result(c, sum);
}
/// Two roundings.
inline F16 multiply_add(const Context& c, F16 x, F16 y, F16 z) {
  return add(c, multiply(c, x, y), z);
}
/// v_mad_f32 and v_mac_f32 never keep denormals, whatever MODE says.
inline float multiply_add_flushed(float x, float y, float z) {
  return Fp::flush(Fp::flush(Fp::flush(x) * Fp::flush(y)) + Fp::flush(z));
}

/// Dot products of packed halves; neg/neg_hi act on the halves.
inline float dot2_f32_f16(const Context& c, uint32_t x, uint32_t y, float z) {
  auto low = [](uint32_t v) { return f32_of(F16{static_cast<uint16_t>(v)}); };
  auto high = [](uint32_t v) { return f32_of(F16{static_cast<uint16_t>(v >> 16)}); };
  return c.fp.out(std::fma(high(x), high(y), std::fma(low(x), low(y), c.fp.in(z))));
}

/// Sum of products of signed fields `width` bits wide, plus z; saturates with clamp.
inline int32_t dot_signed(const Context& c, uint32_t x, uint32_t y, int32_t z, unsigned width) {
  int64_t sum = z;
  auto field = [width](uint32_t v, unsigned at) {
    return static_cast<int64_t>(static_cast<int32_t>(v << (32 - width - at)) >> (32 - width));
  };
  for (unsigned at = 0; at < 32; at += width)
    sum += field(x, at) * field(y, at);
  if (c.clamp())
    sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
  return static_cast<int32_t>(sum);
}
inline uint32_t dot_unsigned(const Context& c, uint32_t x, uint32_t y, uint32_t z, unsigned width) {
  uint64_t sum = z;
  auto field = [width](uint32_t v, unsigned at) {
    return static_cast<uint64_t>(v >> at & ((1u << width) - 1));
  };
  for (unsigned at = 0; at < 32; at += width)
    sum += field(x, at) * field(y, at);
  return c.clamp() && sum > UINT32_MAX ? UINT32_MAX : static_cast<uint32_t>(sum);
}

} // namespace pumice::exec
