// SPDX-License-Identifier: MIT
#include "isa/inst.h"
#include <cstring>
#include <gtest/gtest.h>
#include <set>

namespace pumice::isa {
namespace {

using Registers = std::set<std::pair<unsigned, unsigned>>;

Inst decoded(uint64_t words, Target target = Target::gfx942) {
  uint8_t code[8];
  std::memcpy(code, &words, 8);
  Inst i;
  EXPECT_TRUE(decode(target, code, 8, i));
  return i;
}
Registers uses(const Inst& i) {
  Registers r;
  for_each_use(i, [&](uint16_t code, unsigned dwords) { r.emplace(code, dwords); });
  return r;
}
Registers defs(const Inst& i) {
  Registers r;
  for_each_def(i, [&](uint16_t code, unsigned dwords) { r.emplace(code, dwords); });
  return r;
}

TEST(IsaUseDef, ScalarCarry) {
  Inst i = decoded(0x82000402); // s_addc_u32 s0, s2, s4
  EXPECT_EQ(uses(i), (Registers{{2, 1}, {4, 1}, {kScc, 1}}));
  EXPECT_EQ(defs(i), (Registers{{0, 1}, {kScc, 1}}));
}

TEST(IsaUseDef, SaveExec) {
  Inst i = decoded(0xbe80206a); // s_and_saveexec_b64 s[0:1], vcc
  EXPECT_EQ(uses(i), (Registers{{kVccLo, 2}, {kExecLo, 2}}));
  EXPECT_EQ(defs(i), (Registers{{0, 2}, {kExecLo, 2}, {kScc, 1}}));
}

TEST(IsaUseDef, VectorReadsExecAndAccumulator) {
  Inst i = decoded(0x76040d04); // v_fmac_f32_e32 v2, v4, v6
  EXPECT_EQ(uses(i), (Registers{{kVgpr0 + 2, 1}, {kVgpr0 + 4, 1}, {kVgpr0 + 6, 1}, {kExecLo, 2}}));
  EXPECT_EQ(defs(i), (Registers{{kVgpr0 + 2, 1}}));
}

TEST(IsaUseDef, CompareAndExec) {
  Inst i = decoded(0x7ca20d04); // v_cmpx_lt_f32_e32 vcc, v4, v6
  EXPECT_EQ(defs(i), (Registers{{kVccLo, 2}, {kExecLo, 2}}));
}

TEST(IsaUseDef, DivFmasReadsVcc) {
  Inst i = decoded(0x04220d04d1e20002); // v_div_fmas_f32 v2, v4, v6, v8
  EXPECT_TRUE(uses(i).count({kVccLo, 2}));
}

TEST(IsaUseDef, MemoryOperands) {
  Inst load = decoded(0x007f000cdc548000); // global_load_dwordx2 v[0:1], v[12:13], off
  EXPECT_EQ(uses(load), (Registers{{kVgpr0 + 12, 2}, {kExecLo, 2}}));
  EXPECT_EQ(defs(load), (Registers{{kVgpr0, 2}}));
  Inst d16 = decoded(0x007f000cdc948000); // global_load_short_d16_hi keeps the low half
  EXPECT_TRUE(uses(d16).count({kVgpr0, 1}));
}

} // namespace
} // namespace pumice::isa
