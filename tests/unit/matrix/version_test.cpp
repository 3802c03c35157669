// SPDX-License-Identifier: MIT
#include "matrix/version.h"
#include <gtest/gtest.h>

using namespace pumice::matrix;

TEST(MatrixVersion, OnePointTwoIsNotOnePointTwenty) {
  EXPECT_NE(compare("1.2", "1.20"), 0);
  EXPECT_FALSE(refines("1.20.0", "1.2"));
  EXPECT_LT(compare("6.9", "6.10"), 0);
}

TEST(MatrixVersion, RefinementAddsParts) {
  EXPECT_TRUE(refines("2.4.1", "2.4"));
  EXPECT_TRUE(refines("2.4", "2.4"));
  EXPECT_FALSE(refines("2.4", "2.4.1"));
  EXPECT_TRUE(refines("5.15.0-91-generic", "5.15"));
}

TEST(MatrixVersion, PatternsCoverWhatTheyMean) {
  EXPECT_TRUE(covers("6.2.x", "6.2.4"));
  EXPECT_FALSE(covers("6.2.x", "6.20.4"));
  EXPECT_TRUE(covers("7.2.1/7.2.2", "7.2.2"));
  EXPECT_FALSE(covers("7.2.1/7.2.2", "7.2.3"));
  EXPECT_TRUE(covers("7.14-10.x", "7.14.0"));
  EXPECT_TRUE(covers("7.14-10.x", "10.3"));
  EXPECT_FALSE(covers("7.14-10.x", "7.2.4"));
  EXPECT_FALSE(covers("7.14-10.x", "11.0"));
  EXPECT_TRUE(covers("6.3.3", "6.3"));
  EXPECT_FALSE(covers("6.3.3", "6.3.1"));
}

TEST(MatrixVersion, PatternsAreRefusedThatAreNone) {
  for (const char* good : {"6.3.3", "6.2.x", "7.14-10.x", "7.2.1/7.2.2", "10.0"}) EXPECT_TRUE(valid_pattern(good)) << good;
  for (const char* bad : {"", "six", "6..3", "6.3.", ".3", "x", "6.3.x.y", "-"}) EXPECT_FALSE(valid_pattern(bad)) << bad;
}

TEST(MatrixVersion, AbsurdNumbersDoNotOverflow) {
  EXPECT_GT(compare("999999999999999999999", "10.0"), 0);
  EXPECT_TRUE(parts("not a version").empty());
}
