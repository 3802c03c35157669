// SPDX-License-Identifier: MIT
#include "exec/fp.h"
#include <cmath>

namespace pumice::exec {
namespace {

/// Rounds `mantissa` (with `drop` low bits to remove) as mode and sign say.
uint64_t round_off(uint64_t mantissa, unsigned drop, bool negative, Round r) {
  if (drop == 0)
    return mantissa;
  if (drop > 63) { // nothing but a sticky bit is left
    bool up = mantissa && ((r == round_up && !negative) || (r == round_down && negative));
    return up ? 1 : 0;
  }
  uint64_t kept = mantissa >> drop, rest = mantissa & ((uint64_t{1} << drop) - 1),
           half = uint64_t{1} << (drop - 1);
  bool up = false;
  switch (r) {
  case round_even:
    up = rest > half || (rest == half && (kept & 1));
    break;
  case round_up:
    up = rest && !negative;
    break;
  case round_down:
    up = rest && negative;
    break;
  case round_zero:
    break;
  }
  return kept + up;
}

/// A small float format without infinities; see fp8_of.
uint8_t small_float(float v, unsigned mantissa_bits, int bias, bool clamps, bool stochastic,
                    uint32_t random) {
  uint32_t b = std::bit_cast<uint32_t>(v), sign = b >> 24 & 0x80;
  int e = static_cast<int>(b >> 23 & 0xff) - 127;
  uint32_t max_code = 0x7f;
  if (e == 128) { // infinities and NaN
    if ((b & 0x7fffff) || !clamps)
      return 0x80;
    return static_cast<uint8_t>(sign | max_code);
  }
  uint64_t m = b & 0x7fffff;
  if (b & 0x7f800000)
    m |= 0x800000;
  else
    e = -126;
  if (m == 0)
    return 0;
  // Exponent field for a normal result; at or below zero the result is denormal and loses further
  // bits.
  int field = e + bias;
  unsigned drop = 23 - mantissa_bits + (field < 1 ? 1 - field : 0);
  uint64_t kept;
  if (stochastic) {
    // The random number's high bits stand for the dropped part.
    uint64_t noise = drop >= 32 ? random : random >> (32 - drop);
    kept = drop > 40 ? 0 : (m + noise) >> drop;
  } else {
    kept = round_off(m, drop, false, round_even);
  }
  // A normal mantissa carries its leading one, which adds to the field.
  uint64_t code = field < 1 ? kept : (static_cast<uint64_t>(field - 1) << mantissa_bits) + kept;
  if (code > max_code)
    return clamps ? static_cast<uint8_t>(sign | max_code) : 0x80;
  return code == 0 ? 0 : static_cast<uint8_t>(sign | code);
}

float small_to_f32(uint8_t v, unsigned mantissa_bits, int bias) {
  if (v == 0x80)
    return std::numeric_limits<float>::quiet_NaN();
  int field = (v & 0x7f) >> mantissa_bits, m = v & ((1 << mantissa_bits) - 1);
  float magnitude =
      field == 0 ? std::ldexp(static_cast<float>(m), 1 - bias - static_cast<int>(mantissa_bits))
                 : std::ldexp(static_cast<float>(m + (1 << mantissa_bits)),
                              field - bias - static_cast<int>(mantissa_bits));
  return v & 0x80 ? -magnitude : magnitude;
}

template <class T> T smaller(T a, T b, bool maximum) {
  double x = value_of(a), y = value_of(b);
  if (x == y)
    return sign_of(a) == maximum ? b : a; // -0 < +0
  return (x < y) != maximum ? a : b;
}

template <class T> T min_max(const Fp& fp, T a, T b, bool maximum) {
  a = fp.in(a);
  b = fp.in(b);
  if (fp.ieee && is_signaling(a))
    return quiet(a);
  if (fp.ieee && is_signaling(b))
    return quiet(b);
  if (is_nan(a))
    return b;
  if (is_nan(b))
    return a;
  return smaller(a, b, maximum);
}

template <class Bits> uint32_t classify(Bits b, unsigned mantissa_bits, unsigned exponent_bits) {
  Bits mantissa = b & ((Bits{1} << mantissa_bits) - 1);
  unsigned field = static_cast<unsigned>(b >> mantissa_bits) & ((1u << exponent_bits) - 1);
  bool negative = b >> (mantissa_bits + exponent_bits) & 1;
  if (field == (1u << exponent_bits) - 1) {
    if (mantissa)
      return mantissa >> (mantissa_bits - 1) ? 2 : 1;
    return negative ? 4 : 0x200;
  }
  if (field)
    return negative ? 8 : 0x100;
  if (mantissa)
    return negative ? 0x10 : 0x80;
  return negative ? 0x20 : 0x40;
}

} // namespace

float f32_of(F16 v) {
  uint32_t sign = static_cast<uint32_t>(v.bits & 0x8000) << 16, field = v.bits >> 10 & 31,
           m = v.bits & 0x3ff;
  if (field == 31)
    return std::bit_cast<float>(sign | 0x7f800000 | m << 13);
  if (field)
    return std::bit_cast<float>(sign | (field + 112) << 23 | m << 13);
  float magnitude = static_cast<float>(m) * 0x1p-24f;
  return sign ? -magnitude : magnitude;
}

F16 f16_of(double v, Round r) {
  uint64_t b = std::bit_cast<uint64_t>(v);
  uint16_t sign = b >> 48 & 0x8000;
  int e = static_cast<int>(b >> 52 & 0x7ff) - 1023;
  uint64_t m = b & 0xfffffffffffff;
  if (e == 1024) {
    if (!m)
      return {static_cast<uint16_t>(sign | 0x7c00)};
    return {static_cast<uint16_t>(sign | 0x7e00 | m >> 42)};
  }
  if (e == -1023 && m == 0)
    return {sign};
  if (e > -1023)
    m |= uint64_t{1} << 52;
  else
    e = -1022;
  int field = e + 15;
  unsigned drop = 42 + (field < 1 ? static_cast<unsigned>(1 - field) : 0);
  uint64_t kept = round_off(m, drop, sign != 0, r);
  uint64_t code = field < 1 ? kept : (static_cast<uint64_t>(field - 1) << 10) + kept;
  if (code >= 0x7c00) {
    bool to_infinity = r == round_even || (r == round_up && !sign) || (r == round_down && sign);
    code = to_infinity ? 0x7c00 : 0x7bff;
  }
  return {static_cast<uint16_t>(sign | code)};
}

double add_to_odd(double a, double b) {
  double sum = a + b;
  if (!std::isfinite(sum))
    return sum;
  double from_b = sum - a, error = (a - (sum - from_b)) + (b - from_b);
  if (error == 0)
    return sum;
  uint64_t bits = std::bit_cast<uint64_t>(sum);
  if (bits & 1)
    return sum;
  // Move one step towards the exact value, which lies beyond `sum` on the error's side, or mark
  // inexactness.
  bool away = (error > 0) == (sum > 0);
  return std::bit_cast<double>(away ? bits + 1 : bits - 1);
}

uint16_t bf16_of(float v) {
  uint32_t b = std::bit_cast<uint32_t>(v);
  if (is_nan(v))
    return static_cast<uint16_t>(b >> 16 | 0x40);
  return static_cast<uint16_t>((b + 0x7fff + (b >> 16 & 1)) >> 16);
}

float fp8_to_f32(uint8_t v) {
  return small_to_f32(v, 3, 8);
}
float bf8_to_f32(uint8_t v) {
  return small_to_f32(v, 2, 16);
}
uint8_t fp8_of(float v, bool clamps, bool stochastic, uint32_t random) {
  return small_float(v, 3, 8, clamps, stochastic, random);
}
uint8_t bf8_of(float v, bool clamps, bool stochastic, uint32_t random) {
  return small_float(v, 2, 16, clamps, stochastic, random);
}

template <class T> T min_num(const Fp& fp, T a, T b) {
  return min_max(fp, a, b, false);
}
template <class T> T max_num(const Fp& fp, T a, T b) {
  return min_max(fp, a, b, true);
}
template float min_num(const Fp&, float, float);
template double min_num(const Fp&, double, double);
template F16 min_num(const Fp&, F16, F16);
template float max_num(const Fp&, float, float);
template double max_num(const Fp&, double, double);
template F16 max_num(const Fp&, F16, F16);

uint32_t class_of(float v) {
  return classify(std::bit_cast<uint32_t>(v), 23, 8);
}
uint32_t class_of(double v) {
  return classify(std::bit_cast<uint64_t>(v), 52, 11);
}
uint32_t class_of(F16 v) {
  return classify<uint32_t>(v.bits, 10, 5);
}

float scale(float v, int e) {
  return std::ldexp(v, e);
}
double scale(double v, int e) {
  return std::ldexp(v, e);
}
F16 scale(F16 v, int e, Round r) {
  if (is_nan(v))
    return quiet(v);
  // Exact in f64 for every f16 and |e| <= 64; beyond, the result is zero or overflows all the same.
  if (e > 64)
    e = 64;
  if (e < -64)
    e = -64;
  return f16_of(std::ldexp(f64_of(v), e), r);
}

} // namespace pumice::exec
