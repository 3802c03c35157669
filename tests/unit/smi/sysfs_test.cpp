// SPDX-License-Identifier: MIT
#include "smi/sysfs.h"
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace pumice::smi;
using namespace pumice::smi::sysfs;

TEST(Sysfs, ClockLevelsWithAndWithoutTheCurrentOne) {
  auto t = parse_levels("0: 500Mhz\n1: 800Mhz *\n2: 1700Mhz \n");
  ASSERT_TRUE(t.ok());
  EXPECT_EQ(t->hz, (std::vector<uint64_t>{500'000'000, 800'000'000, 1'700'000'000}));
  EXPECT_EQ(t->current, 1u);
  EXPECT_FALSE(t->deep_sleep);
  EXPECT_FALSE(parse_levels("0: 500Mhz\n")->current);
}

TEST(Sysfs, DeepSleepIsLevelZero) {
  auto t = parse_levels("S: 19Mhz *\n0: 615Mhz \n1: 2300Mhz\n");
  ASSERT_TRUE(t.ok());
  EXPECT_TRUE(t->deep_sleep);
  EXPECT_EQ(t->current, 0u);
  EXPECT_EQ(t->hz[0], 19'000'000u);
}

TEST(Sysfs, PcieLevelsAreTransfersPerSecond) {
  auto t = parse_levels("0: 2.5GT/s, x1 619Mhz \n1: 16.0GT/s, x16 619Mhz *\n");
  ASSERT_TRUE(t.ok());
  EXPECT_EQ(t->hz[0], 2'500'000'000u);
  EXPECT_EQ(t->hz[1], 16'000'000'000u);
  EXPECT_EQ(t->current, 1u);
}

TEST(Sysfs, BrokenLevelsAreSaidToBeBroken) {
  EXPECT_EQ(parse_levels("").why(), Why::no_data);
  EXPECT_EQ(parse_levels("0: fast\n").why(), Why::broken);
  EXPECT_EQ(parse_levels("500Mhz\n").why(), Why::broken);
  EXPECT_EQ(parse_levels("0: 99999999999999999999Mhz\n").why(), Why::broken);
}

TEST(Sysfs, ErrorCounts) {
  auto c = parse_error_count("ue: 2\nce: 15\nde: 1\n");
  ASSERT_TRUE(c.ok());
  EXPECT_EQ(c->uncorrectable, 2u);
  EXPECT_EQ(c->correctable, 15u);
  EXPECT_EQ(c->deferred, 1u);
  EXPECT_TRUE(parse_error_count("ue: 0\nce: 0\n").ok());
  EXPECT_EQ(parse_error_count("Query unsupported\n").why(), Why::broken);
}

TEST(Sysfs, RasFeatures) {
  EXPECT_EQ(*parse_ras_features("feature mask: 0x1ff\numc: single_bit\n"), 0x1ffu);
  EXPECT_FALSE(parse_ras_features("mask 7").ok());
}

TEST(Sysfs, BadPages) {
  auto p = parse_bad_pages(
      "0x00000001 : 0x00001000 : R\n0x00000010 : 0x00001000 : P\nnonsense\n0x2 : 0x1000 : F\n");
  ASSERT_EQ(p.size(), 3u);
  EXPECT_EQ(p[0].address, 0x1000u);
  EXPECT_EQ(p[1].state, BadPage::State::pending);
  EXPECT_EQ(p[2].state, BadPage::State::unreservable);
}

TEST(Sysfs, LinkSpeed) {
  EXPECT_EQ(*parse_link_speed("16.0 GT/s PCIe\n"), 16000u);
  EXPECT_EQ(*parse_link_speed("2.5 GT/s PCIe"), 2500u);
  EXPECT_FALSE(parse_link_speed("Unknown").ok());
}

TEST(Sysfs, PowerProfiles) {
  auto p = parse_profiles("NUM        MODE_NAME BUSY_SET_POINT\n  0 BOOTUP_DEFAULT :\n  5        "
                          "COMPUTE*:\n             0(       GFXCLK)\n");
  ASSERT_TRUE(p.ok());
  ASSERT_EQ(p->size(), 2u);
  EXPECT_EQ((*p)[0].name, "BOOTUP_DEFAULT");
  EXPECT_FALSE((*p)[0].active);
  EXPECT_TRUE((*p)[1].active);
  EXPECT_EQ((*p)[1].number, 5u);
}

TEST(Sysfs, FdinfoUnitsAndForeignFiles) {
  auto c = parse_fdinfo(
      "pos:\t0\ndrm-driver:\tamdgpu\ndrm-client-id:\t12\ndrm-pdev:\t0000:c1:00.0\npasid:\t32770\n"
      "drm-memory-vram:\t2048 KiB\ndrm-memory-gtt: \t1 MiB\ndrm-engine-gfx:\t0 "
      "ns\ndrm-engine-compute:\t1234567 ns\n");
  ASSERT_TRUE(c);
  EXPECT_EQ(c->client_id, 12u);
  EXPECT_EQ(c->pdev, "0000:c1:00.0");
  EXPECT_EQ(c->vram_bytes, 2048u * 1024);
  EXPECT_EQ(c->gtt_bytes, 1u << 20);
  EXPECT_EQ(c->compute_ns, 1234567u);
  EXPECT_FALSE(parse_fdinfo("pos:\t0\nflags:\t02\n"));
}

TEST(Sysfs, PciNames) {
  const char* ids = "# comment\n1001  Kolter\n1002  Advanced Micro Devices, Inc. [AMD/ATI]\n\t740f "
                    " Aldebaran/MI200 [Instinct MI210]\n"
                    "\t\t1002 0c34  Instinct MI210\n\t74a1  Aqua Vanjaram [Instinct MI300X]\n10de  "
                    "NVIDIA\n\t740f  Wrong\n";
  auto n = find_pci_name(ids, 0x1002, 0x740f, 0x1002, 0x0c34);
  EXPECT_EQ(n.vendor, "Advanced Micro Devices, Inc. [AMD/ATI]");
  EXPECT_EQ(n.device, "Aldebaran/MI200 [Instinct MI210]");
  EXPECT_EQ(n.subsystem, "Instinct MI210");
  EXPECT_EQ(find_pci_name(ids, 0x1002, 0x74a1, 0, 0).device, "Aqua Vanjaram [Instinct MI300X]");
  EXPECT_EQ(find_pci_name(ids, 0x1002, 0xffff, 0, 0).device, "");
}

class SysfsFiles : public testing::Test {
protected:
  void SetUp() override {
    root = testing::TempDir() + "pumice-sysfs-XXXXXX";
    ASSERT_NE(mkdtemp(root.data()), nullptr);
  }
  void TearDown() override {
    unsetenv("PUMICE_SYSFS_DENY");
    std::filesystem::remove_all(root);
  }
  void file(const std::string& name, const std::string& text) {
    std::ofstream(root + name) << text;
  }
  std::string root;
};

TEST_F(SysfsFiles, ReadingsSayWhyThereIsNoValue) {
  Root r(root);
  file("/number", "42\n");
  file("/empty", "");
  file("/words", "hello\n");
  file("/id", "70756d69\n");
  EXPECT_EQ(*r.number("/number"), 42u);
  EXPECT_EQ(*r.hex("/id"), 0x70756d69u);
  EXPECT_EQ(r.number("/absent").why(), Why::not_supported);
  EXPECT_EQ(r.number("/empty").why(), Why::no_data);
  EXPECT_EQ(r.number("/words").why(), Why::broken);
  setenv("PUMICE_SYSFS_DENY", "/number", 1);
  EXPECT_EQ(r.number("/number").why(), Why::permission);
  EXPECT_EQ(r.write("/number", "1"), Why::permission);
}

TEST_F(SysfsFiles, APipeOrAFolderInAFilesPlaceDoesNotBlock) {
  Root r(root);
  ASSERT_EQ(mkfifo((root + "/pipe").c_str(), 0600), 0);
  std::filesystem::create_directory(root + "/folder");
  EXPECT_FALSE(r.number("/pipe").ok());
  EXPECT_FALSE(r.text("/folder").ok());
}

TEST_F(SysfsFiles, RealPermissionIsRespectedWhenNotRoot) {
  if (geteuid() == 0)
    GTEST_SKIP() << "root may read everything";
  file("/secret", "1\n");
  chmod((root + "/secret").c_str(), 0);
  EXPECT_EQ(Root(root).number("/secret").why(), Why::permission);
}

TEST_F(SysfsFiles, WritingNeverCreatesAFile) {
  Root r(root);
  EXPECT_EQ(r.write("/absent", "1"), Why::not_supported);
  EXPECT_FALSE(std::filesystem::exists(root + "/absent"));
  file("/there", "0\n");
  EXPECT_EQ(r.write("/there", "1"), Why::ok);
}
