// SPDX-License-Identifier: MIT
#include "doctor/findings.h"
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

using namespace pumice;
using namespace pumice::doctor;
namespace fs = std::filesystem;

namespace {

/// A healthy machine with two cards.
Facts healthy() {
  Facts f;
  f.os = "Ubuntu 22.04.5", f.kernel = "5.15.0-91-generic", f.cpu = "CPU", f.cpus = 64, f.avx2 = f.avx512 = true;
  f.memory_bytes = 1ull << 40, f.shm_bytes = 1ull << 33;
  f.driver_loaded = true, f.iommu_active = true, f.command_line = "iommu=pt", f.numa_nodes = 2, f.numa_balancing = false;
  f.nodes = {{"/dev/kfd", true, true, 0660, "render"}, {"/dev/dri/renderD128", true, true, 0660, "render"}};
  f.rocm_versions = {"6.3.3"};
  for (int k = 0; k < 2; k++) {
    CardFacts c;
    c.name = "AMD Instinct MI300X", c.gfx = "gfx942", c.bdf = "0000:0" + std::to_string(k) + ":00.0";
    c.vram_bytes = c.visible_bytes = 192ull << 30;
    c.pcie_width = c.pcie_max_width = 16, c.pcie_mtps = c.pcie_max_mtps = 32000;
    c.ecc_uncorrectable = c.ecc_correctable = c.bad_pages = 0;
    c.junction_c = 45;
    f.cards.push_back(c);
    f.pci.push_back({c.bdf, "amdgpu", 0x74a1, 192ull << 30});
  }
  return f;
}

const Finding* finding(const Diagnosis& d, const std::string& id) {
  auto it = std::find_if(d.findings.begin(), d.findings.end(), [&](auto& f) { return f.id == id; });
  return it == d.findings.end() ? nullptr : &*it;
}

bool finds(const Facts& f, const std::string& id) { return finding(diagnose(f, nullptr), id) != nullptr; }

class Machine : public ::testing::Test {
protected:
  void SetUp() override {
    root_ = fs::path(::testing::TempDir()) / ("doctor-" + std::to_string(::getpid()));
    fs::remove_all(root_);
  }
  void TearDown() override { fs::remove_all(root_); }
  void file(const std::string& path, const std::string& text) {
    fs::path p = root_ / path;
    fs::create_directories(p.parent_path());
    std::ofstream(p) << text;
  }
  Facts facts() { return collect(root_.string()); }
  fs::path root_;
};

} // namespace

TEST(Doctor, HealthyMachineHasNoFindings) {
  Diagnosis d = diagnose(healthy(), nullptr);
  for (auto& f : d.findings) ADD_FAILURE() << f.id << ": " << f.what;
}

TEST(Doctor, MachineWithoutACardSaysWhatRunsInstead) {
  Facts f = healthy();
  f.cards.clear(), f.pci.clear(), f.driver_loaded = false;
  Diagnosis d = diagnose(f, nullptr);
  ASSERT_NE(finding(d, "no-card"), nullptr);
  EXPECT_EQ(finding(d, "no-card")->severity, Severity::note);
}

TEST(Doctor, CardWithoutDriverIsAnError) {
  Facts f = healthy();
  f.cards.clear(), f.driver_loaded = false, f.pci[0].driver = f.pci[1].driver = "";
  EXPECT_TRUE(finds(f, "driver-missing"));
}

TEST(Doctor, CardOfAVirtualMachineIsNamed) {
  Facts f = healthy();
  f.pci[1].driver = "vfio-pci";
  Diagnosis d = diagnose(f, nullptr);
  ASSERT_NE(finding(d, "driver-unbound"), nullptr);
  EXPECT_NE(finding(d, "driver-unbound")->what.find("0000:01:00.0 (vfio-pci)"), std::string::npos);
}

TEST(Doctor, UserWithoutTheGroupIsToldWhichGroup) {
  Facts f = healthy();
  f.nodes[0].accessible = false;
  Diagnosis d = diagnose(f, nullptr);
  ASSERT_NE(finding(d, "kfd-permission"), nullptr);
  EXPECT_NE(finding(d, "kfd-permission")->fix.find("usermod -aG render"), std::string::npos);
}

TEST(Doctor, ContainerWithoutDeviceFilesIsToldItsOptions) {
  Facts f = healthy();
  f.container = "docker", f.nodes[0].exists = false;
  EXPECT_NE(finding(diagnose(f, nullptr), "kfd-missing")->fix.find("--device=/dev/kfd"), std::string::npos);
}

TEST(Doctor, NarrowLinkSmallBarAndErrorsAreFound) {
  Facts f = healthy();
  f.cards[0].pcie_width = 8;
  f.cards[0].visible_bytes = 256ull << 20;
  f.cards[1].ecc_uncorrectable = 1;
  f.cards[1].bad_pages = 3;
  f.cards[1].junction_c = 106;
  for (const char* id : {"pcie-width", "small-bar", "ecc-uncorrectable", "bad-pages", "hot"}) EXPECT_TRUE(finds(f, id)) << id;
  EXPECT_EQ(diagnose(f, nullptr).findings.front().severity, Severity::error) << "worst first";
}

TEST(Doctor, IommuWithoutPassThroughMattersWithSeveralCards) {
  Facts f = healthy();
  f.command_line = "";
  EXPECT_TRUE(finds(f, "iommu-pt"));
  f.cards.resize(1);
  EXPECT_FALSE(finds(f, "iommu-pt"));
}

TEST(Doctor, NumaBalancingMattersWithSeveralNodes) {
  Facts f = healthy();
  f.numa_balancing = true;
  EXPECT_TRUE(finds(f, "numa-balancing"));
  f.numa_nodes = 1;
  EXPECT_FALSE(finds(f, "numa-balancing"));
}

TEST(Doctor, InstalledReleaseIsCheckedAgainstTheMatrix) {
  auto m = matrix::load(PUMICE_MATRIX_FOLDER);
  ASSERT_TRUE(m.ok());
  Diagnosis good = diagnose(healthy(), &*m);
  ASSERT_EQ(good.support.size(), 1u) << "equal cards are asked about once";
  EXPECT_EQ(good.support[0].second.verdict, matrix::Verdict::supported);
  EXPECT_EQ(finding(good, "support"), nullptr);
  Facts f = healthy();
  f.os = "Debian GNU/Linux 11";
  Diagnosis bad = diagnose(f, &*m);
  ASSERT_NE(finding(bad, "support"), nullptr);
  EXPECT_EQ(finding(bad, "support")->severity, Severity::warning);
}

TEST(Doctor, TicketHasNothingPrivate) {
  Facts f = healthy();
  std::string text = to_json(diagnose(f, nullptr)).dump();
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  if (std::strlen(host) > 3) EXPECT_EQ(text.find(host), std::string::npos);
  for (const char* word : {"serial", "unique_id", "uuid", "/home", "user"}) EXPECT_EQ(text.find(word), std::string::npos) << word;
}

TEST_F(Machine, PointReleaseOfUbuntuIsRead) {
  file("etc/os-release", "NAME=\"Ubuntu\"\nVERSION_ID=\"22.04\"\nVERSION=\"22.04.5 LTS (Jammy Jellyfish)\"\n");
  EXPECT_EQ(facts().os, "Ubuntu 22.04.5");
}

TEST_F(Machine, DriverSettingsAndInstallationAreRead) {
  file("sys/module/amdgpu/version", "6.10.5\n");
  file("etc/modprobe.d/mine.conf", "# text\nblacklist amdgpu\n");
  file("proc/cmdline", "BOOT_IMAGE=/vmlinuz root=UUID=secret iommu=pt quiet\n");
  file("opt/rocm-6.2.4/.info/version", "6.2.4-139\n");
  file("opt/rocm/.info/version", "6.3.3-74\n");
  file("usr/local/lib/python3.10/dist-packages/torch-2.6.0+rocm6.2.dist-info/METADATA", "");
  file("var/lib/dpkg/status", "Package: rocm-core\nStatus: install ok installed\nVersion: 6.3.3.60303-74\n\n"
                              "Package: rocminfo\nStatus: deinstall ok config-files\nVersion: 1.0\n");
  Facts f = facts();
  EXPECT_TRUE(f.driver_loaded);
  EXPECT_EQ(f.driver_version, "6.10.5");
  EXPECT_TRUE(f.driver_blacklisted);
  EXPECT_EQ(f.command_line, "iommu=pt") << "other words of the command line may be private";
  EXPECT_EQ(f.rocm_versions, (std::vector<std::string>{"6.3.3", "6.2.4"}));
  ASSERT_EQ(f.frameworks.size(), 1u);
  EXPECT_EQ(f.frameworks[0].second, "2.6.0+rocm6.2");
  ASSERT_EQ(f.packages.size(), 1u);
  EXPECT_EQ(f.packages[0].name, "rocm-core");
}

TEST_F(Machine, CardIsSeenOnTheBusWithoutADriver) {
  file("sys/bus/pci/devices/0000:41:00.0/vendor", "0x1002\n");
  file("sys/bus/pci/devices/0000:41:00.0/class", "0x120000\n");
  file("sys/bus/pci/devices/0000:41:00.0/device", "0x74a1\n");
  file("sys/bus/pci/devices/0000:41:00.0/resource", "0x0000380000000000 0x0000383fffffffff 0x000000000014220c\n");
  file("sys/bus/pci/devices/0000:00:00.0/vendor", "0x1022\n");
  Facts f = facts();
  ASSERT_EQ(f.pci.size(), 1u);
  EXPECT_EQ(f.pci[0].device_id, 0x74a1u);
  EXPECT_EQ(f.pci[0].largest_bar, 256ull << 30);
  EXPECT_TRUE(finds(f, "driver-missing"));
}

TEST_F(Machine, EmptyFolderIsNoCrash) {
  fs::create_directories(root_);
  Facts f = facts();
  EXPECT_TRUE(f.cards.empty());
  EXPECT_FALSE(to_text(diagnose(f, nullptr)).empty());
}
