// SPDX-License-Identifier: MIT
#include "matrix/data.h"
#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace pumice::matrix;
namespace fs = std::filesystem;

namespace {
/// A copy of the tables that a test may damage.
class Tables : public ::testing::Test {
protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / ("matrix-" + std::to_string(::getpid()));
    fs::remove_all(folder_);
    fs::copy(PUMICE_MATRIX_FOLDER, folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  void append(const char* file, const std::string& text) { std::ofstream(folder_ / file, std::ios::app) << text; }
  bool complains(const std::string& part) {
    auto all = validate(folder_);
    return std::any_of(all.begin(), all.end(), [&](auto& p) { return p.find(part) != std::string::npos; });
  }
  fs::path folder_;
};
} // namespace

TEST_F(Tables, AsShippedAreWellFormed) { EXPECT_TRUE(validate(folder_).empty()) << validate(folder_).front(); }

TEST_F(Tables, MissingCellIsReportedWithItsLine) {
  append("gpu_os_support.tsv", "6.9.9\tMI300X\tgfx942\n");
  EXPECT_TRUE(complains("cells instead of"));
  EXPECT_FALSE(load(folder_).ok());
}

TEST_F(Tables, RowWithoutSourceIsReported) {
  append("gpu_os_support.tsv", "6.9.9\tMI300X\tgfx942\tUbuntu 22.04.5\t\t\n");
  EXPECT_TRUE(complains("no source"));
}

TEST_F(Tables, NonsenseReleaseIsReported) {
  append("gpu_os_support.tsv", "latest\tMI300X\tgfx942\tUbuntu 22.04.5\t\tpage\n");
  EXPECT_TRUE(complains("\"latest\" is no release"));
}

TEST_F(Tables, RepeatedRowIsReported) {
  for (int k = 0; k < 2; k++) append("gpu_os_support.tsv", "6.9.9\tMI300X\tgfx942\tUbuntu 22.04.5\t\tpage\n");
  EXPECT_TRUE(complains("same row again"));
}

TEST_F(Tables, MissingFileIsReported) {
  fs::remove(folder_ / "kfd_userspace.tsv");
  EXPECT_TRUE(complains("cannot be read"));
}

TEST_F(Tables, BinaryFileIsReportedNotRead) {
  std::ofstream(folder_ / "kfd_userspace.tsv", std::ios::binary) << std::string("\x7f" "ELF\0\0\0", 7);
  EXPECT_TRUE(complains("no text table"));
}

TEST(MatrixNames, SystemsHaveOneSpelling) {
  EXPECT_EQ(normal_os("SLES 15.7"), "SLES 15 SP7");
  EXPECT_EQ(normal_os("Red Hat Enterprise Linux 9.4"), "RHEL 9.4");
  EXPECT_EQ(normal_os("Debian GNU/Linux 12"), "Debian 12");
}

TEST(MatrixNames, SeriesNamesItsCards) {
  EXPECT_TRUE(names_card({"MI200 series"}, "MI210"));
  EXPECT_FALSE(names_card({"MI200 series"}, "MI300X"));
  EXPECT_EQ(gfx_of("AMD Instinct MI250X"), "gfx90a");
  EXPECT_EQ(gfx_of("gfx942:sramecc+:xnack-"), "gfx942");
}
