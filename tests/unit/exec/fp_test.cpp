// SPDX-License-Identifier: MIT
// Number formats of the interpreter against the host compiler's _Float16 and against the formats'
// definitions.
#include "exec/fp.h"
#include "exec/interp.h"
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace pumice::exec {
namespace {

TEST(ExecFp, EveryHalfWidensExactly) {
  for (unsigned b = 0; b < 0x10000; ++b) {
    F16 h{static_cast<uint16_t>(b)};
    float expected = static_cast<float>(std::bit_cast<_Float16>(h.bits));
    if (is_nan(h))
      EXPECT_TRUE(std::isnan(f32_of(h)));
    else
      ASSERT_EQ(f32_of(h), expected) << b;
  }
}

TEST(ExecFp, HalvesRoundLikeTheCompiler) {
  std::mt19937_64 rng(1);
  for (int n = 0; n < 300000; ++n) {
    uint64_t bits = rng();
    // Exponents around the half's range, so that denormals, ties and overflows are common.
    bits = (bits & 0x800fffffffffffff) | (uint64_t{1023 - 30 + rng() % 50} << 52);
    if (n % 2)
      bits &= ~uint64_t{0} << (rng() % 52);
    double v = std::bit_cast<double>(bits);
    ASSERT_EQ(f16_of(v).bits, std::bit_cast<uint16_t>(static_cast<_Float16>(v))) << v;
  }
}

TEST(ExecFp, DirectedRoundingOfHalves) {
  double third = 1.0 / 3;
  EXPECT_LT(f32_of(f16_of(third, round_down)), third);
  EXPECT_GT(f32_of(f16_of(third, round_up)), third);
  EXPECT_EQ(f16_of(third, round_zero), f16_of(third, round_down));
  EXPECT_EQ(f16_of(-third, round_zero), f16_of(-third, round_up));
  EXPECT_EQ(f16_of(1e6, round_zero).bits, 0x7bff);
  EXPECT_EQ(f16_of(1e6, round_down).bits, 0x7bff);
  EXPECT_EQ(f16_of(1e6, round_up).bits, 0x7c00);
  EXPECT_EQ(f16_of(1e-30, round_up).bits, 1);
  EXPECT_EQ(f16_of(-1e-30, round_down).bits, 0x8001);
  EXPECT_EQ(f16_of(1e-30).bits, 0);
}

// The 8-bit formats by definition: sign, exponent with bias, mantissa; 0x80 is the only NaN.
double small_value(unsigned code, int mantissa_bits, int bias) {
  int field = (code & 0x7f) >> mantissa_bits,
      m = static_cast<int>(code & ((1u << mantissa_bits) - 1));
  double v = field ? std::ldexp(m + (1 << mantissa_bits), field - bias - mantissa_bits)
                   : std::ldexp(m, 1 - bias - mantissa_bits);
  return code & 0x80 ? -v : v;
}

TEST(ExecFp, EightBitFloatsRoundTrip) {
  for (unsigned code = 0; code < 256; ++code) {
    if (code == 0x80) {
      EXPECT_TRUE(std::isnan(fp8_to_f32(0x80)));
      EXPECT_TRUE(std::isnan(bf8_to_f32(0x80)));
      continue;
    }
    EXPECT_EQ(fp8_to_f32(static_cast<uint8_t>(code)), small_value(code, 3, 8));
    EXPECT_EQ(bf8_to_f32(static_cast<uint8_t>(code)), small_value(code, 2, 16));
    EXPECT_EQ(fp8_of(fp8_to_f32(static_cast<uint8_t>(code)), false), code);
    EXPECT_EQ(bf8_of(bf8_to_f32(static_cast<uint8_t>(code)), false), code);
  }
}

TEST(ExecFp, EightBitFloatsRoundToNearestEven) {
  for (unsigned code = 0; code < 0x7f; ++code) {
    float low = fp8_to_f32(static_cast<uint8_t>(code)),
          high = fp8_to_f32(static_cast<uint8_t>(code + 1)), middle = (low + high) / 2;
    EXPECT_EQ(fp8_of(middle, false), code & 1 ? code + 1 : code);
    EXPECT_EQ(fp8_of(std::nextafter(middle, low), false), code);
    EXPECT_EQ(fp8_of(std::nextafter(middle, high), false), code + 1);
    EXPECT_EQ(fp8_of(-std::nextafter(middle, high), false), (code + 1) | 0x80);
  }
  EXPECT_EQ(fp8_of(1e9f, false), 0x80);
  EXPECT_EQ(fp8_of(1e9f, true), 0x7f);
  EXPECT_EQ(bf8_of(-1e9f, true), 0xff);
}

TEST(ExecFp, OddRoundingKeepsInexactness) {
  EXPECT_EQ(add_to_odd(1.0, 0.5), 1.5);
  double sticky = add_to_odd(1.0, 0x1p-80);
  EXPECT_EQ(sticky, 1.0 + 0x1p-52);
  EXPECT_EQ(add_to_odd(1.0, -0x1p-80), 1.0 - 0x1p-53);
}

TEST(ExecFp, MinimumRules) {
  Fp ieee(0x3f0);
  EXPECT_TRUE(std::signbit(min_num(ieee, 0.0f, -0.0f)));
  EXPECT_FALSE(std::signbit(max_num(ieee, -0.0f, 0.0f)));
  float quiet_nan = std::numeric_limits<float>::quiet_NaN(),
        signaling = std::bit_cast<float>(0x7fa00000u);
  EXPECT_EQ(min_num(ieee, quiet_nan, 3.0f), 3.0f);
  EXPECT_EQ(std::bit_cast<uint32_t>(min_num(ieee, signaling, 3.0f)), 0x7fe00000u);
  EXPECT_EQ(min_num(Fp(0x1f0), signaling, 3.0f), 3.0f);
}

TEST(ExecInterp, UnknownBytesAndMissingBodiesFault) {
  alignas(4) uint8_t text[8] = {0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0};
  auto w = std::make_unique<Wave>();
  w->pc = reinterpret_cast<uint64_t>(text);
  EXPECT_EQ(run(*w, isa::Target::gfx942, text, 8, 10), 0u);
  EXPECT_EQ(w->fault.kind, FaultKind::illegal_instruction);
  EXPECT_EQ(w->fault.pc, reinterpret_cast<uint64_t>(text));
  EXPECT_TRUE(implemented(isa::Op::v_add_f32));
  EXPECT_FALSE(implemented(isa::Op::s_rfe_b64));
  *w = {};
  isa::Inst rfe;
  rfe.op = isa::Op::s_rfe_b64;
  rfe.size = 4;
  w->pc = 0x1000;
  execute(*w, rfe);
  EXPECT_EQ(w->fault.kind, FaultKind::unsupported);
  EXPECT_EQ(w->pc, 0x1000u);
}

} // namespace
} // namespace pumice::exec
