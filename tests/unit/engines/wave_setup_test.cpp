// SPDX-License-Identifier: MIT
// Initial register state against the order and bit positions of LLVM's AMDGPUUsage, by hand.
#include "engines/wave_setup.h"
#include <gtest/gtest.h>

using namespace pumice;
using namespace pumice::engines;

namespace {

class WaveSetup : public testing::Test {
protected:
  void prepare(isa::Target target, uint16_t properties, unsigned user_sgprs, uint32_t rsrc2_bits) {
    auto code = std::make_shared<device::LoadedCode>();
    code->target = target;
    kernel_.code = code;
    kernel_.entry = 0x123400;
    kernel_.descriptor.properties = properties;
    kernel_.descriptor.rsrc2 = user_sgprs << 1 | rsrc2_bits;
    info_.kernel = &kernel_;
    info_.packet = reinterpret_cast<void*>(0x1111222233334440);
    info_.queue = reinterpret_cast<void*>(0x5555666677778880);
    info_.kernarg = kernarg_;
    info_.dispatch_id = 0x0123456789abcdef;
    info_.private_segment_bytes = 48;
    set_grid({1024, 1, 1}, {256, 1, 1});
  }
  void set_grid(std::initializer_list<uint32_t> grid, std::initializer_list<uint16_t> group) {
    std::copy(grid.begin(), grid.end(), info_.grid);
    std::copy(group.begin(), group.end(), info_.workgroup);
  }
  exec::Wave& start(uint32_t x, uint32_t y, uint32_t z, uint32_t wave) {
    storage_ = WorkgroupStorage::create(info_);
    storage_->start(info_, x, y, z);
    return storage_->group().waves[wave];
  }
  static uint64_t pair(const exec::Wave& w, unsigned r) {
    return w.sgpr[r] | static_cast<uint64_t>(w.sgpr[r + 1]) << 32;
  }

  device::KernelCode kernel_;
  device::DispatchPacketInfo info_{};
  alignas(64) uint32_t kernarg_[16] = {100, 101, 102, 103, 104, 105, 106, 107};
  std::unique_ptr<WorkgroupStorage> storage_;
};

TEST_F(WaveSetup, EveryUserSgprInOrder) {
  prepare(isa::Target::gfx90a, 0x7f, 15, 1 | 0xf << 7);
  exec::Wave& w = start(3, 0, 0, 1);
  auto scratch = reinterpret_cast<uint64_t>(w.scratch);
  EXPECT_EQ(w.sgpr[0], static_cast<uint32_t>(scratch)); // s[0:3] buffer resource
  EXPECT_EQ(w.sgpr[1] & 0xffff, static_cast<uint32_t>(scratch >> 32) & 0xffff);
  EXPECT_EQ(w.sgpr[1] >> 31, 1u);             // swizzle
  EXPECT_EQ(w.sgpr[3] >> 23 & 1, 1u);         // add tid
  EXPECT_EQ(w.sgpr[3] >> 21 & 3, 3u);         // index stride 64
  EXPECT_EQ(pair(w, 4), 0x1111222233334440u); // dispatch pointer
  EXPECT_EQ(pair(w, 6), 0x5555666677778880u); // queue pointer
  EXPECT_EQ(pair(w, 8), reinterpret_cast<uint64_t>(kernarg_));
  EXPECT_EQ(pair(w, 10), 0x0123456789abcdefu); // dispatch id
  EXPECT_EQ(pair(w, 12), scratch);             // flat scratch init
  EXPECT_EQ(w.sgpr[14], 48u);                  // private segment size
  EXPECT_EQ(w.sgpr[15], 3u);                   // workgroup ids
  EXPECT_EQ(w.sgpr[16], 0u);
  EXPECT_EQ(w.sgpr[17], 0u);
  EXPECT_EQ(w.sgpr[18], 4u); // info: four waves, not the first one
  EXPECT_EQ(w.sgpr[19], 0u); // scratch wave offset
  EXPECT_EQ(w.pc, 0x123400u);
  EXPECT_EQ(w.status, exec::WaveStatus::ready);
}

TEST_F(WaveSetup, KernargPreloadFollowsThePointers) {
  prepare(isa::Target::gfx942, 1u << 3, 7, 1u << 7);
  kernel_.descriptor.kernarg_preload = 5 | 2 << 7; // five dwords from dword 2
  kernel_.descriptor.kernarg_size = 64;
  exec::Wave& w = start(9, 0, 0, 0);
  EXPECT_EQ(pair(w, 0), reinterpret_cast<uint64_t>(kernarg_));
  for (unsigned i = 0; i < 5; ++i)
    EXPECT_EQ(w.sgpr[2 + i], 102u + i);
  EXPECT_EQ(w.sgpr[7], 9u);
}

TEST_F(WaveSetup, ArchitectedFlatScratchHasNoOffsetRegister) {
  prepare(isa::Target::gfx942, 1u << 3, 2, 1 | 7u << 7);
  set_grid({64, 64, 64}, {64, 1, 1});
  exec::Wave& w = start(0, 5, 6, 0);
  EXPECT_EQ(w.sgpr[2], 0u);
  EXPECT_EQ(w.sgpr[3], 5u);
  EXPECT_EQ(w.sgpr[4], 6u);
  EXPECT_EQ(pair(w, isa::kFlatScratchLo), reinterpret_cast<uint64_t>(w.scratch));
}

TEST_F(WaveSetup, WorkItemIdsArePackedInV0) {
  prepare(isa::Target::gfx942, 0, 0, 2u << 11);
  set_grid({10, 6, 4}, {5, 3, 4}); // 60 work-items: one partial wave
  exec::Wave& w = start(0, 0, 0, 0);
  EXPECT_EQ(w.exec(), (uint64_t{1} << 60) - 1);
  for (uint32_t i = 0; i < 60; ++i) {
    uint32_t x = i % 5, y = i / 5 % 3, z = i / 15;
    EXPECT_EQ(w.vgpr[0][i], x | y << 10 | z << 20) << i;
  }
}

TEST_F(WaveSetup, LastWorkgroupMayBePartial) {
  prepare(isa::Target::gfx90a, 0, 0, 0);
  set_grid({300, 1, 1}, {256, 1, 1});
  exec::Wave& w = start(1, 0, 0, 0);
  EXPECT_EQ(storage_->group().wave_count, 1u);
  EXPECT_EQ(w.exec(), (uint64_t{1} << 44) - 1);
  EXPECT_EQ(w.vgpr[0][43], 43u);
}

TEST_F(WaveSetup, SecondWaveContinuesTheCount) {
  prepare(isa::Target::gfx90a, 0, 0, 0);
  set_grid({96, 2, 1}, {48, 2, 1});
  exec::Wave& w = start(0, 0, 0, 1); // work-items 64 .. 95
  EXPECT_EQ(w.exec(), 0xffffffffu);
  EXPECT_EQ(w.vgpr[0][0], 16u | 1u << 10);
  EXPECT_EQ(w.vgpr[0][31], 47u | 1u << 10);
}

TEST_F(WaveSetup, ModeComesFromRsrc1) {
  prepare(isa::Target::gfx90a, 0, 0, 0);
  // round 32 = 1, round 64 = 2, denorm 32 = 0, denorm 64 = 3, dx10 clamp, ieee, fp16 overflow
  kernel_.descriptor.rsrc1 = 1u << 12 | 2u << 14 | 3u << 18 | 1u << 21 | 1u << 23 | 1u << 26;
  exec::Wave& w = start(0, 0, 0, 0);
  EXPECT_EQ(w.mode, 1u | 2u << 2 | 3u << 6 | 1u << 8 | 1u << 9 | 1u << 23);
}

TEST_F(WaveSetup, WavesHaveTheirOwnScratch) {
  prepare(isa::Target::gfx942, 0, 0, 0);
  start(0, 0, 0, 0);
  exec::Workgroup& g = storage_->group();
  ASSERT_EQ(g.wave_count, 4u);
  for (uint32_t i = 1; i < 4; ++i)
    EXPECT_GE(g.waves[i].scratch - g.waves[i - 1].scratch, 48 * 64);
  g.waves[3].scratch[48 * 64 - 1] = 1; // the last byte is there
  EXPECT_EQ(g.waves[2].lds, g.waves[0].lds);
}

} // namespace
