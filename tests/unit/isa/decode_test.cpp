// SPDX-License-Identifier: MIT
// Decoding by hand-made examples, operand conventions and robustness. Text and acceptance over the
// whole opcode space are llvm_parity's.
#include "isa/inst.h"
#include "random_encoding.h"
#include <cstring>
#include <gtest/gtest.h>
#include <memory>

namespace pumice::isa {
namespace {

Inst decoded(uint64_t words, Target target = Target::gfx942) {
  uint8_t code[8];
  std::memcpy(code, &words, 8);
  Inst i;
  EXPECT_TRUE(decode(target, code, 8, i)) << std::hex << words;
  return i;
}
std::string text(uint64_t words, Target target = Target::gfx942) {
  return disassemble(target, decoded(words, target));
}

TEST(IsaDecode, ImplicitOperandsBecomeExplicit) {
  Inst add = decoded(0x32040d04); // v_add_co_u32_e32 v2, vcc, v4, v6
  EXPECT_EQ(add.dst[1].code, kVccLo);
  EXPECT_EQ(add.dst[1].dwords, 2);
  Inst addc = decoded(0x38040d04); // v_addc_co_u32_e32
  EXPECT_EQ(addc.src[2].code, kVccLo);
  Inst fmac = decoded(0x76040d04); // v_fmac_f32_e32 v2, v4, v6
  EXPECT_EQ(fmac.src[2].code, kVgpr0 + 2);
  EXPECT_EQ(fmac.src[2].type, Type::f32);
  Inst cmp = decoded(0x7c820d04); // v_cmp_lt_f32_e32
  EXPECT_EQ(cmp.dst[0].code, kVccLo);
  EXPECT_EQ(cmp.dst[0].type, Type::mask);
}

TEST(IsaDecode, LiteralPlacesOfTheKForms) {
  Inst mk = decoded(0x3f8000002e040d04); // v_fmamk_f32 v2, v4, 1.0, v6
  EXPECT_EQ(mk.src[0].code, kVgpr0 + 4);
  EXPECT_EQ(mk.src[1].code, kLiteral);
  EXPECT_EQ(mk.src[2].code, kVgpr0 + 6);
  EXPECT_EQ(mk.literal, 0x3f800000u);
  Inst ak = decoded(0x3f80000030040d04); // v_fmaak_f32 v2, v4, v6, 1.0
  EXPECT_EQ(ak.src[1].code, kVgpr0 + 6);
  EXPECT_EQ(ak.src[2].code, kLiteral);
}

TEST(IsaDecode, MatrixOperandsMayBeAccVgprs) {
  Inst m = decoded(0x1c1a0d04d3c58002); // v_mfma_f32_16x16x4_f32 a[2:5], a4, a6, a[6:9]
  EXPECT_EQ(m.op, Op::v_mfma_f32_16x16x4_f32);
  EXPECT_EQ(m.dst[0].code, kAgpr0 + 2);
  EXPECT_EQ(m.dst[0].dwords, 4);
  EXPECT_EQ(m.src[0].code, kAgpr0 + 4);
  EXPECT_EQ(m.src[2].code, kAgpr0 + 6);
}

TEST(IsaDecode, ConstantsByType) {
  Inst i;
  auto bits = [&](uint16_t code, Type t) { return constant_bits(i, Operand{code, 1, t}); };
  EXPECT_EQ(bits(kHalf + 2, Type::f32), 0x3f800000u);
  EXPECT_EQ(bits(kHalf + 2, Type::f64), 0x3ff0000000000000u);
  EXPECT_EQ(bits(kHalf + 2, Type::f16), 0x3c00u);
  EXPECT_EQ(bits(193, Type::i32), 0xffffffffu);
  EXPECT_EQ(bits(193, Type::f64), ~uint64_t{0}); // integer constants are bits, also for floats
  EXPECT_EQ(bits(193, Type::u16), 0xffffu);
  EXPECT_EQ(bits(kInt0 + 64, Type::b64), 64u);
  i.literal = 0x80000000;
  EXPECT_EQ(bits(kLiteral, Type::f64), 0x8000000000000000u);
  EXPECT_EQ(bits(kLiteral, Type::i64), 0xffffffff80000000u);
  EXPECT_EQ(bits(kLiteral, Type::b64), 0x80000000u);
}

TEST(IsaDecode, BranchTarget) {
  Inst b = decoded(0xbf82ffff); // s_branch -1
  EXPECT_EQ(branch_target(b, 0x1000), 0x1000u);
}

TEST(IsaDecode, Text) {
  EXPECT_EQ(text(0xbf8c0070), "s_waitcnt vmcnt(0) lgkmcnt(0)");
  EXPECT_EQ(text(0x04220d04d1cb0002), "v_fma_f32 v2, v4, v6, v8");
  EXPECT_EQ(text(0x007f000cdc508010, Target::gfx90a),
            "global_load_dword v0, v[12:13], off offset:16");
}

TEST(IsaDecode, TargetsDiffer) {
  uint8_t fmamk[8] = {0x04, 0x0d, 0x04, 0x2e, 0, 0, 0x80, 0x3f};
  Inst i;
  ASSERT_TRUE(decode(Target::gfx90a, fmamk, 8, i));
  EXPECT_EQ(i.op, Op::v_madmk_f32);
  ASSERT_TRUE(decode(Target::gfx942, fmamk, 8, i));
  EXPECT_EQ(i.op, Op::v_fmamk_f32);
}

TEST(IsaDecode, NeverReadsBeyondItsBytes) {
  test::RandomEncoding random(7);
  for (int round = 0; round < 3; ++round) {
    random.sweep([](uint64_t words) {
      for (size_t size = 0; size <= 8; ++size) {
        auto exact = std::make_unique<uint8_t[]>(size); // the sanitizer presets watch its end
        std::memcpy(exact.get(), &words, size);
        for (Target t : {Target::gfx90a, Target::gfx942}) {
          Inst i;
          if (decode(t, exact.get(), size, i))
            EXPECT_LE(i.size, size);
        }
      }
    });
  }
}

TEST(IsaDecode, RandomBytesNeverCrash) {
  std::mt19937_64 rng(3);
  for (int n = 0; n < 200000; ++n) {
    uint64_t words = rng();
    uint8_t code[8];
    std::memcpy(code, &words, 8);
    for (Target t : {Target::gfx90a, Target::gfx942}) {
      Inst i;
      if (decode(t, code, 8, i))
        EXPECT_FALSE(disassemble(t, i).empty());
    }
  }
}

} // namespace
} // namespace pumice::isa
