// SPDX-License-Identifier: MIT
// A small project in a temporary folder.
#pragma once
#include "migrate/scan.h"
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace pumice::migrate {

class Project : public ::testing::Test {
protected:
  void SetUp() override {
    root_ = std::filesystem::path(::testing::TempDir()) / ("migrate-" + std::to_string(::getpid()));
    std::filesystem::remove_all(root_);
    std::filesystem::create_directories(root_);
  }
  void TearDown() override { std::filesystem::remove_all(root_); }
  void file(const std::string& path, const std::string& text) {
    std::filesystem::path p = root_ / path;
    std::filesystem::create_directories(p.parent_path());
    std::ofstream(p, std::ios::binary) << text;
  }
  Scan scanned() {
    auto tables = load_tables(PUMICE_MIGRATE_FOLDER);
    EXPECT_TRUE(tables.ok()) << tables.status().message;
    auto s = scan(root_.string(), *tables, {});
    EXPECT_TRUE(s.ok()) << s.status().message;
    return *s;
  }
  std::filesystem::path root_;
};

} // namespace pumice::migrate
