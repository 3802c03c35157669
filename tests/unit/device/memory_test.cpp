// SPDX-License-Identifier: MIT
#include "device/fault_guard.h"
#include "device/memory.h"
#include <algorithm>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <random>
#include <sys/mman.h>
#include <thread>

using namespace pumice;
using namespace pumice::device;

constexpr uint64_t kMiB = 1 << 20;

static bool readable(uintptr_t at) {
  HostFault f;
  volatile char sink;
  return run_guarded([&] { sink = *reinterpret_cast<volatile char*>(at); }, f);
}

TEST(Memory, AllocationsAreUsableAndGuarded) {
  install_fault_handlers();
  Memory m({64 * kMiB}, 0);
  auto p = m.allocate(0, 10000, 4);
  ASSERT_TRUE(p.ok()) << p.status().message;
  std::memset(*p, 1, 10000);
  auto at = reinterpret_cast<uintptr_t>(*p);
  EXPECT_FALSE(readable(at + 3 * 4096)); // the page after the last
  EXPECT_FALSE(readable(at - 1));
  EXPECT_TRUE(m.release(*p).ok());
  EXPECT_FALSE(readable(at));
  EXPECT_EQ(m.release(*p).code, Code::not_found);
}

TEST(Memory, FindAndDescribe) {
  Memory m({64 * kMiB}, 0);
  auto p = m.allocate(0, 100, 4);
  auto base = reinterpret_cast<uintptr_t>(*p);
  ASSERT_TRUE(m.find(base + 99));
  EXPECT_EQ(m.find(base + 99)->base, base);
  EXPECT_FALSE(m.find(base + 100));
  EXPECT_NE(m.describe(base + 116).find("16 bytes past the end of a 100-byte device 0 allocation"),
            std::string::npos)
      << m.describe(base + 116);
  EXPECT_NE(m.describe(base + 5).find("byte 5 of"), std::string::npos);
  EXPECT_TRUE(m.release(*p).ok());
  EXPECT_EQ(m.describe(base), "no allocations exist");
}

TEST(Memory, RunningOutIsAnError) {
  Memory m({64 * kMiB, 64 * kMiB}, 100 * kMiB);
  auto a = m.allocate(0, 60 * kMiB, 4);
  ASSERT_TRUE(a.ok());
  EXPECT_EQ(m.allocate(0, 5 * kMiB, 4).status().code, Code::out_of_memory); // the device
  auto b = m.allocate(1, 40 * kMiB, 4);
  ASSERT_TRUE(b.ok());
  EXPECT_EQ(m.allocate(1, 1 * kMiB, 4).status().code, Code::out_of_memory); // the common limit
  HeapUsage u = m.usage(1);
  EXPECT_EQ(u.total, 64 * kMiB);
  EXPECT_EQ(u.used, 64 * kMiB); // nothing more can be had
  EXPECT_TRUE(m.release(*a).ok());
  EXPECT_TRUE(m.allocate(1, 20 * kMiB, 4).ok());
  EXPECT_EQ(m.allocate(0, 0, 4).status().code, Code::invalid_argument);
}

TEST(Memory, FreedAddressesComeBackLate) {
  Memory m({64 * kMiB}, 0);
  auto a = m.allocate(0, 4096, 4);
  auto at = *a;
  EXPECT_TRUE(m.release(at).ok());
  for (int i = 0; i < 100; ++i) {
    auto b = m.allocate(0, 4096, 4);
    EXPECT_NE(*b, at);
    EXPECT_TRUE(m.release(*b).ok());
  }
}

TEST(Memory, RandomAllocationsNeverOverlap) {
  Memory m({256 * kMiB}, 0);
  std::mt19937 rng(7);
  std::vector<std::pair<uintptr_t, size_t>> live;
  for (int i = 0; i < 3000; ++i) {
    if (live.size() > 40 || (rng() % 3 == 0 && !live.empty())) {
      size_t k = rng() % live.size();
      ASSERT_TRUE(m.release(reinterpret_cast<void*>(live[k].first)).ok());
      live.erase(live.begin() + static_cast<long>(k));
      continue;
    }
    size_t size = rng() % 10 == 0 ? rng() % (4 * kMiB) + 1 : rng() % 20000 + 1;
    auto p = m.allocate(0, size, 4);
    ASSERT_TRUE(p.ok()) << p.status().message;
    auto at = reinterpret_cast<uintptr_t>(*p);
    for (auto [b, s] : live)
      ASSERT_TRUE(at + size <= b || b + s <= at);
    *reinterpret_cast<char*>(at + size - 1) = 1;
    live.emplace_back(at, size);
  }
}

TEST(Memory, ManySmallAllocations) {
  Memory m({1024 * kMiB}, 0);
  std::vector<void*> all;
  for (int i = 0; i < 30000; ++i) {
    auto p = m.allocate(0, 64, 4);
    ASSERT_TRUE(p.ok()) << i << ": " << p.status().message;
    *static_cast<int*>(*p) = i;
    all.push_back(*p);
  }
  for (int i = 0; i < 30000; ++i) {
    ASSERT_EQ(*static_cast<int*>(all[static_cast<size_t>(i)]), i);
    ASSERT_TRUE(m.release(all[static_cast<size_t>(i)]).ok());
  }
  EXPECT_EQ(m.usage(0).used, 0u);
}

TEST(Memory, ShareableKeepsContents) {
  Memory m({64 * kMiB}, 0);
  auto p = m.allocate(0, 3 * kMiB, 4);
  auto* words = static_cast<uint32_t*>(*p);
  for (size_t i = 0; i < 3 * kMiB / 4; i += 1000)
    words[i] = static_cast<uint32_t>(i);
  auto fd = m.make_shareable(reinterpret_cast<uintptr_t>(*p));
  ASSERT_TRUE(fd.ok()) << fd.status().message;
  void* other = mmap(nullptr, 3 * kMiB, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
  ASSERT_NE(other, MAP_FAILED);
  EXPECT_EQ(std::memcmp(other, words, 3 * kMiB), 0);
  words[5] = 77;
  EXPECT_EQ(static_cast<uint32_t*>(other)[5], 77u);
  munmap(other, 3 * kMiB);
  EXPECT_TRUE(m.release(*p).ok());
}

TEST(FaultGuard, TellsAddressAndNests) {
  install_fault_handlers();
  HostFault outer, inner;
  bool ok = run_guarded(
      [&] {
        EXPECT_FALSE(run_guarded([] { *reinterpret_cast<volatile int*>(0x5000) = 1; }, inner));
        volatile int x = *reinterpret_cast<volatile int*>(0x6000);
        (void)x;
      },
      outer);
  EXPECT_FALSE(ok);
  EXPECT_EQ(inner.address, 0x5000u);
  EXPECT_TRUE(inner.is_write);
  EXPECT_EQ(outer.address, 0x6000u);
  EXPECT_FALSE(outer.is_write);
  EXPECT_TRUE(run_guarded([] {}, outer));
}
