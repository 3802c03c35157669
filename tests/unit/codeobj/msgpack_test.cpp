// SPDX-License-Identifier: MIT
// Byte strings follow the MessagePack specification by hand.
#include "codeobj/msgpack.h"
#include <gtest/gtest.h>

using namespace pumice;
using namespace pumice::codeobj;

static Result<MsgValue> read(std::vector<uint8_t> b) {
  return read_msgpack(b);
}

TEST(MsgPack, Scalars) {
  EXPECT_EQ(read({0x7f})->integer, 127u);
  EXPECT_EQ(static_cast<int64_t>(read({0xff})->integer), -1);
  EXPECT_EQ(read({0xcd, 0x01, 0x02})->integer, 0x102u);
  EXPECT_EQ(static_cast<int64_t>(read({0xd1, 0xff, 0xfe})->integer), -2);
  EXPECT_EQ(read({0xc3})->integer, 1u);
  EXPECT_EQ(read({0xa2, 'h', 'i'})->text, "hi");
  EXPECT_EQ(read({0xca, 0x3f, 0x80, 0, 0})->real, 1.0);
}

TEST(MsgPack, MapsAndArrays) {
  auto v = read({0x82, 0xa1, 'a', 0x93, 1, 2, 3, 0xa1, 'b', 0xc0});
  ASSERT_TRUE(v.ok());
  ASSERT_TRUE(v->find("a"));
  EXPECT_EQ(v->find("a")->items.size(), 3u);
  EXPECT_EQ(v->find("a")->items[2].integer, 3u);
  EXPECT_EQ(v->number("b", 5), 5u);
  EXPECT_EQ(v->find("c"), nullptr);
}

TEST(MsgPack, DamageIsAnError) {
  EXPECT_FALSE(read({}).ok());
  EXPECT_FALSE(read({0xdd, 0xff, 0xff, 0xff, 0xff, 1}).ok()); // claims 4 G items
  EXPECT_FALSE(read({0xdb, 0xff, 0xff, 0xff, 0xff}).ok());
  EXPECT_FALSE(read(std::vector<uint8_t>(100, 0x91)).ok()); // nested too deep
  EXPECT_FALSE(read({0xc1}).ok());
}
