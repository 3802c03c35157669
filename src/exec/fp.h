// SPDX-License-Identifier: MIT
// Floating-point vocabulary of the instruction bodies: f16, bf16 and 8-bit formats, denormal and
// NaN rules of MODE. Arithmetic on f32 and f64 is the host's, in the rounding mode that the caller
// has set (see RoundingScope); f16 is computed in f64 and rounded once. Spec: CDNA3 ISA, "Data
// sizes", "Denormals", "IEEE mode", "DX10 clamp".
#pragma once
#include <bit>
#include <cfenv>
#include <cstdint>
#include <limits>

namespace pumice::exec {

/// An IEEE binary16 value as bits; a type of its own so that bodies cannot mix it up with integers.
struct F16 {
  uint16_t bits = 0;
  bool operator==(const F16&) const = default;
};

enum Round : uint8_t { round_even = 0, round_up = 1, round_down = 2, round_zero = 3 };

/// MODE as one instruction sees it.
struct Fp {
  Round round32, round64; // f32; f64 and f16
  bool in32, out32;       // denormal inputs / results are kept
  bool in64, out64;       // likewise for f64 and f16
  bool ieee, dx10_clamp, fp16_overflow_clamps;
  explicit Fp(uint32_t mode)
      : round32(static_cast<Round>(mode & 3)), round64(static_cast<Round>(mode >> 2 & 3)),
        in32(mode & 0x10), out32(mode & 0x20), in64(mode & 0x40), out64(mode & 0x80),
        ieee(mode & 0x200), dx10_clamp(mode & 0x100), fp16_overflow_clamps(mode & 0x800000) {}

  float in(float v) const { return in32 ? v : flush(v); }
  double in(double v) const { return in64 ? v : flush(v); }
  F16 in(F16 v) const { return in64 ? v : flush(v); }
  float out(float v) const { return out32 ? v : flush(v); }
  double out(double v) const { return out64 ? v : flush(v); }
  F16 out(F16 v) const { return out64 ? v : flush(v); }

  static float flush(float v) {
    uint32_t b = std::bit_cast<uint32_t>(v);
    return b & 0x7f800000 ? v : std::bit_cast<float>(b & 0x80000000);
  }
  static double flush(double v) {
    uint64_t b = std::bit_cast<uint64_t>(v);
    return b & 0x7ff0000000000000 ? v : std::bit_cast<double>(b & 0x8000000000000000);
  }
  static F16 flush(F16 v) {
    return v.bits & 0x7c00 ? v : F16{static_cast<uint16_t>(v.bits & 0x8000)};
  }
};

/// Sets the host's rounding mode for the life of the object.
class RoundingScope {
public:
  explicit RoundingScope(Round r) : active_(r != round_even) {
    static constexpr int kHost[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    if (active_)
      std::fesetround(kHost[r]);
  }
  ~RoundingScope() {
    if (active_)
      std::fesetround(FE_TONEAREST);
  }
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;

private:
  bool active_;
};

float f32_of(F16 v);
inline double f64_of(F16 v) {
  return f32_of(v);
}
/// Rounds once; denormal results are kept (Fp::out flushes them).
F16 f16_of(double v, Round r = round_even);
/// a + b with the last bit "odd" when inexact, so that a second rounding to at most 51 bits is
/// correct.
double add_to_odd(double a, double b);

inline float bf16_to_f32(uint16_t v) {
  return std::bit_cast<float>(static_cast<uint32_t>(v) << 16);
}
uint16_t bf16_of(float v);

/// FNUZ formats of gfx942: one NaN (0x80), no infinities, no negative zero.
float fp8_to_f32(uint8_t v);
float bf8_to_f32(uint8_t v);
/// `random` is added below the kept bits when `stochastic`, otherwise round to nearest even.
uint8_t fp8_of(float v, bool clamps, bool stochastic = false, uint32_t random = 0);
uint8_t bf8_of(float v, bool clamps, bool stochastic = false, uint32_t random = 0);

inline bool is_nan(float v) {
  return (std::bit_cast<uint32_t>(v) & 0x7fffffff) > 0x7f800000;
}
inline bool is_nan(double v) {
  return (std::bit_cast<uint64_t>(v) & 0x7fffffffffffffff) > 0x7ff0000000000000;
}
inline bool is_nan(F16 v) {
  return (v.bits & 0x7fff) > 0x7c00;
}
inline bool is_inf(float v) {
  return (std::bit_cast<uint32_t>(v) & 0x7fffffff) == 0x7f800000;
}
inline bool is_inf(double v) {
  return (std::bit_cast<uint64_t>(v) & 0x7fffffffffffffff) == 0x7ff0000000000000;
}
inline bool is_inf(F16 v) {
  return (v.bits & 0x7fff) == 0x7c00;
}
inline bool sign_of(float v) {
  return std::bit_cast<uint32_t>(v) >> 31;
}
inline bool sign_of(double v) {
  return std::bit_cast<uint64_t>(v) >> 63;
}
inline bool sign_of(F16 v) {
  return v.bits >> 15;
}
inline float quiet(float v) {
  return std::bit_cast<float>(std::bit_cast<uint32_t>(v) | 0x400000);
}
inline double quiet(double v) {
  return std::bit_cast<double>(std::bit_cast<uint64_t>(v) | 0x8000000000000);
}
inline F16 quiet(F16 v) {
  return {static_cast<uint16_t>(v.bits | 0x200)};
}
inline bool is_signaling(float v) {
  return is_nan(v) && !(std::bit_cast<uint32_t>(v) & 0x400000);
}
inline bool is_signaling(double v) {
  return is_nan(v) && !(std::bit_cast<uint64_t>(v) & 0x8000000000000);
}
inline bool is_signaling(F16 v) {
  return is_nan(v) && !(v.bits & 0x200);
}

inline double value_of(float v) {
  return v;
}
inline double value_of(double v) {
  return v;
}
inline double value_of(F16 v) {
  return f64_of(v);
}

/// IEEE minNum/maxNum with -0 < +0. In IEEE mode a signaling NaN wins, quieted.
template <class T> T min_num(const Fp& fp, T a, T b);
template <class T> T max_num(const Fp& fp, T a, T b);

/// Unsigned exponent field and class bits (v_cmp_class order: sNaN qNaN -inf -normal -denormal -0
/// +0 +denormal +normal +inf).
uint32_t class_of(float v);
uint32_t class_of(double v);
uint32_t class_of(F16 v);

/// v * 2^e, rounded once in the current rounding mode (f16: in `r`).
float scale(float v, int e);
double scale(double v, int e);
F16 scale(F16 v, int e, Round r);

} // namespace pumice::exec
