// SPDX-License-Identifier: MIT
#include "device_program.h"
#include "exec/compare.h"
#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <numeric>

namespace {

using namespace pumice;

class ExecWorkgroup : public testing::TestWithParam<std::tuple<const char*, const char*>> {
protected:
  void run(const char* kernel, unsigned groups) {
    auto [cpu, options] = GetParam();
    auto program = test::DeviceProgram::built("workgroup_device", cpu, options);
    ASSERT_TRUE(program);
    in.resize(groups * 256);
    for (unsigned n = 0; n < in.size(); ++n)
      in[n] = n * 2654435761u >> 7;
    out.assign(groups * 256, 0);
    std::vector<uint8_t> arguments(24);
    const void* pointers[3] = {in.data(), out.data(), count};
    std::memcpy(arguments.data(), pointers, 24);
    auto result = program->run(kernel, arguments, groups, 256);
    ASSERT_TRUE(result.finished) << exec::fault_kind_name(result.fault.kind);
  }
  std::vector<uint32_t> in, out;
  uint32_t count[4] = {};
};

TEST_P(ExecWorkgroup, TreeReductionAndAtomics) {
  run("reduce", 5);
  EXPECT_EQ(out[0], std::accumulate(in.begin(), in.end(), 0u));
  EXPECT_EQ(count[0], 5u * 256);
  EXPECT_EQ(count[1], *std::max_element(in.begin(), in.end()));
  uint32_t x = 0;
  for (unsigned t = 0; t < 256; ++t)
    x ^= t * 2654435761u;
  EXPECT_EQ(count[2], x); // five times over, so once
}

TEST_P(ExecWorkgroup, PrefixScan) {
  run("scan", 3);
  for (unsigned g = 0; g < 3; ++g) {
    uint32_t sum = 0;
    for (unsigned t = 0; t < 256; ++t) {
      sum += in[g * 256 + t];
      ASSERT_EQ(out[g * 256 + t], sum) << g << " " << t;
    }
  }
}

TEST_P(ExecWorkgroup, WavesThatWaitForEachOther) {
  run("chain", 1);
  for (unsigned n = 0; n < 4; ++n)
    EXPECT_EQ(out[n], n);
}

INSTANTIATE_TEST_SUITE_P(Targets, ExecWorkgroup,
                         testing::Combine(testing::Values("gfx90a", "gfx942"),
                                          testing::Values("-O0", "-O3")),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param)) + "_" +
                                  (std::get<1>(info.param) + 1);
                         });

TEST(ExecCompare, NamesTheFirstDifference) {
  auto a = std::make_unique<exec::Wave>(), b = std::make_unique<exec::Wave>();
  std::memset(static_cast<void*>(a.get()), 0, sizeof(exec::Wave));
  std::memcpy(static_cast<void*>(b.get()), a.get(), sizeof(exec::Wave));
  EXPECT_EQ(exec::first_difference(*a, *b), "");
  a->vgpr[5][7] = 0x7fc00000;
  b->vgpr[5][7] = 0xffc00000;
  EXPECT_EQ(exec::first_difference(*a, *b), "v5 lane 7: 0x7fc00000 / 0xffc00000");
  EXPECT_EQ(exec::first_difference(*a, *b, exec::NanRule::any_nan), "");
  b->sgpr[3] = 9;
  EXPECT_EQ(exec::first_difference(*a, *b), "sgpr 3: 0x0 / 0x9");
}

} // namespace
