// SPDX-License-Identifier: MIT
#include "device/profile.h"
#include <gtest/gtest.h>

using namespace pumice;
using namespace pumice::device;

TEST(Profile, ShippedProfilesHaveTheDatasheetFigures) {
  auto r = parse_devices("MI210,MI300X,MI325X");
  ASSERT_TRUE(r.ok()) << r.status().message;
  ASSERT_EQ(r->size(), 3u);
  EXPECT_EQ((*r)[0].target, "gfx90a:sramecc+:xnack-");
  EXPECT_EQ((*r)[0].compute_units, 104u);
  EXPECT_EQ((*r)[0].memory_bytes, uint64_t{64} << 30);
  EXPECT_EQ((*r)[0].chip_id, 0x740fu);
  EXPECT_EQ((*r)[1].compute_units, 304u);
  EXPECT_EQ((*r)[1].memory_bytes, uint64_t{192} << 30);
  EXPECT_EQ((*r)[1].chip_id, 0x74a1u);
  EXPECT_EQ((*r)[2].memory_bytes, uint64_t{256} << 30);
  EXPECT_EQ((*r)[2].max_clock_mhz, 2100u);
}

TEST(Profile, Counts) {
  EXPECT_EQ(parse_devices("8xMI300X")->size(), 8u);
  EXPECT_EQ(parse_devices("2xMI210, MI300X")->size(), 3u);
  for (const char* bad :
       {"", "0xMI300X", "65xMI300X", "MI300X,", "MI999", "99999999999xMI300X", "2x"})
    EXPECT_FALSE(parse_devices(bad).ok()) << bad;
  EXPECT_NE(parse_devices("MI999").status().message.find("MI210, MI300X, MI325X"),
            std::string::npos)
      << parse_devices("MI999").status().message;
}
