// SPDX-License-Identifier: MIT
#include "hip/memory_table.h"
#include <gtest/gtest.h>

using namespace pumice::hip;

namespace {
void* at(uintptr_t a) { return reinterpret_cast<void*>(a); }
Allocation make(uintptr_t base, size_t size, MemoryKind kind = MemoryKind::device) {
  Allocation a;
  a.base = base;
  a.size = size;
  a.kind = kind;
  return a;
}

TEST(MemoryTable, FindsByAnyAddressInside) {
  MemoryTable t;
  t.add(make(0x1000, 0x100));
  t.add(make(0x2000, 0x10, MemoryKind::host));
  EXPECT_FALSE(t.find(at(0xfff)));
  ASSERT_TRUE(t.find(at(0x1000)));
  ASSERT_TRUE(t.find(at(0x10ff)));
  EXPECT_EQ(t.find(at(0x10ff))->base, 0x1000u);
  EXPECT_FALSE(t.find(at(0x1100)));
  EXPECT_EQ(t.find(at(0x200f))->kind, MemoryKind::host);
  EXPECT_FALSE(t.find(at(0x2010)));
}

TEST(MemoryTable, RemovesOnlyByBase) {
  MemoryTable t;
  t.add(make(0x1000, 0x100));
  EXPECT_FALSE(t.remove(at(0x1001)));
  EXPECT_TRUE(t.remove(at(0x1000)));
  EXPECT_FALSE(t.find(at(0x1000)));
  EXPECT_FALSE(t.remove(at(0x1000)));
}

TEST(MemoryTable, CountsBytesByDeviceAndKind) {
  MemoryTable t;
  t.add(make(0x1000, 100));
  t.add(make(0x2000, 50));
  t.add(make(0x3000, 7, MemoryKind::managed));
  EXPECT_EQ(t.bytes(0, MemoryKind::device), 150u);
  EXPECT_EQ(t.bytes(0, MemoryKind::managed), 7u);
  EXPECT_EQ(t.bytes(1, MemoryKind::device), 0u);
}
} // namespace
