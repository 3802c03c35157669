// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <vector>

inline std::vector<uint8_t> read_test_file(const std::string& name) {
  std::ifstream f(std::string(TEST_DATA) + "/" + name, std::ios::binary);
  EXPECT_TRUE(f.good()) << name;
  return {std::istreambuf_iterator<char>(f), {}};
}
