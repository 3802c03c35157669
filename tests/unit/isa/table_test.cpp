// SPDX-License-Identifier: MIT
#include "isa/inst.h"
#include <gtest/gtest.h>
#include <map>
#include <string>

namespace pumice::isa {
namespace {

template <class F> void for_each_row(F f) {
  for (size_t i = 1; i < kOpCount; ++i)
    f(row(static_cast<Op>(i)));
}

TEST(IsaTable, RowsAreIndexedByOp) {
  for_each_row([](const Row& r) {
    EXPECT_EQ(row(r.op).mnemonic, r.mnemonic);
    EXPECT_EQ(op_by_name(r.mnemonic), r.op);
  });
  EXPECT_EQ(op_by_name("v_bogus"), Op::invalid);
}

TEST(IsaTable, NoTwoRowsShareAnOpcode) {
  for (int t = 0; t < kTargetCount; ++t) {
    std::map<std::pair<Enc, int>, std::string> used;
    for_each_row([&](const Row& r) {
      if (r.opcode[t] < 0)
        return;
      std::pair<Enc, int> key{r.enc, r.opcode[t]};
      EXPECT_EQ(used.count(key), 0u) << r.mnemonic << " and " << used[key];
      used[key] = r.mnemonic;
    });
  }
}

TEST(IsaTable, EveryRowExistsSomewhereAndSaysWhatItDoes) {
  for_each_row([](const Row& r) {
    EXPECT_TRUE(r.opcode[0] >= 0 || r.opcode[1] >= 0) << r.mnemonic;
    EXPECT_GT(std::string(r.meaning).size(), 3u) << r.mnemonic;
    bool memory = r.enc == Enc::smem || r.enc >= Enc::ds;
    EXPECT_EQ(memory, r.mem.space != Space::none) << r.mnemonic;
    EXPECT_EQ(memory, r.mem.kind != MemKind::none) << r.mnemonic;
    if (!memory)
      EXPECT_TRUE(r.traits & (kSalu | kValu)) << r.mnemonic;
    bool names_lanes =
        r.op == Op::v_readlane_b32 || r.op == Op::v_writelane_b32 || (r.traits & kMfma);
    if (r.enc >= Enc::vop2 && r.enc != Enc::smem && !names_lanes)
      EXPECT_TRUE(r.traits & kReadsExec) << r.mnemonic;
  });
}

TEST(IsaTable, MemoryRowsAgreeWithTheirNames) {
  struct Case {
    const char* mnemonic;
    Space space;
    MemKind kind;
    unsigned elem, count;
  };
  static constexpr Case kCases[] = {
      {"global_load_dwordx3", Space::global, MemKind::load, 4, 3},
      {"scratch_store_short", Space::scratch, MemKind::store, 2, 1},
      {"flat_atomic_add_f64", Space::flat, MemKind::atomic, 8, 2},
      {"ds_read2_b64", Space::lds, MemKind::load, 8, 2},
      {"ds_read_b128", Space::lds, MemKind::load, 4, 4},
      {"s_load_dwordx16", Space::scalar, MemKind::load, 4, 16},
      {"buffer_load_sbyte", Space::buffer, MemKind::load, 1, 1},
      {"buffer_atomic_cmpswap_x2", Space::buffer, MemKind::atomic, 8, 2},
  };
  for (const Case& c : kCases) {
    const MemInfo& m = row(op_by_name(c.mnemonic)).mem;
    EXPECT_EQ(m.space, c.space) << c.mnemonic;
    EXPECT_EQ(m.kind, c.kind) << c.mnemonic;
    EXPECT_EQ(m.elem_bytes, c.elem) << c.mnemonic;
    EXPECT_EQ(m.count, c.count) << c.mnemonic;
  }
  EXPECT_TRUE(row(Op::ds_read2st64_b32).mem.stride64);
  EXPECT_TRUE(row(Op::global_load_sbyte_d16_hi).mem.d16_hi);
  EXPECT_TRUE(row(Op::global_load_sbyte_d16_hi).mem.sign_extend);
  EXPECT_TRUE(row(Op::ds_add_rtn_f32).mem.returns);
}

TEST(IsaTable, ApproximateInstructionsAreMarked) {
  for (const char* m :
       {"v_rcp_f32", "v_rsq_f64", "v_sqrt_f16", "v_exp_f32", "v_log_f16", "v_sin_f32", "v_cos_f16"})
    EXPECT_TRUE(row(op_by_name(m)).traits & kTrans) << m;
  EXPECT_FALSE(row(Op::v_add_f32).traits & kTrans);
}

} // namespace
} // namespace pumice::isa
