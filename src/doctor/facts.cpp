// SPDX-License-Identifier: MIT
#include "doctor/facts.h"
#include "matrix/version.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <grp.h>
#include <set>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace pumice::doctor {
namespace {

using matrix::split;
using matrix::trim;
using smi::sysfs::Root;

std::vector<std::string> lines(const Root& root, const std::string& path) {
  auto t = root.text(path);
  return t.ok() ? split(*t, '\n') : std::vector<std::string>{};
}

/// NAME=value or NAME="value".
std::string assigned(const std::vector<std::string>& all, const std::string& name) {
  for (const std::string& l : all)
    if (l.rfind(name + "=", 0) == 0) {
      std::string v = l.substr(name.size() + 1);
      if (v.size() >= 2 && (v[0] == '"' || v[0] == '\'') && v.back() == v[0]) v = v.substr(1, v.size() - 2);
      return v;
    }
  return "";
}

void read_system(const Root& root, Facts& f) {
  auto release = lines(root, "/etc/os-release");
  if (release.empty()) release = lines(root, "/usr/lib/os-release");
  std::string name = assigned(release, "NAME"), version = assigned(release, "VERSION_ID"), detail = assigned(release, "VERSION");
  // Ubuntu's VERSION has the point release ("22.04.5 LTS ..."), which the support pages ask for.
  std::string point = detail.substr(0, detail.find(' '));
  if (!version.empty() && point.rfind(version, 0) == 0) version = point;
  f.os = trim(name + " " + version);
  f.os_version_detail = assigned(release, "PRETTY_NAME");
  if (auto k = root.text("/proc/sys/kernel/osrelease"); k.ok()) f.kernel = trim(*k);
  for (const std::string& l : lines(root, "/proc/cpuinfo")) {
    if (l.rfind("processor", 0) == 0) f.cpus++;
    size_t colon = l.find(':');
    if (colon == std::string::npos) continue;
    if (l.rfind("model name", 0) == 0 && f.cpu.empty()) f.cpu = trim(l.substr(colon + 1));
    if (l.rfind("flags", 0) == 0) {
      std::string flags = " " + l.substr(colon + 1) + " ";
      f.avx2 = flags.find(" avx2 ") != std::string::npos;
      f.avx512 = flags.find(" avx512f ") != std::string::npos && flags.find(" avx512bw ") != std::string::npos;
    }
  }
  for (const std::string& l : lines(root, "/proc/meminfo"))
    if (l.rfind("MemTotal:", 0) == 0)
      if (auto kib = smi::sysfs::parse_number(trim(trim(l.substr(9)).substr(0, trim(l.substr(9)).find(' '))))) f.memory_bytes = *kib * 1024;
  if (auto c = root.text("/proc/cmdline"); c.ok())
    for (const std::string& word : split(*c, ' '))
      for (const char* about : {"iommu", "amdgpu.", "pci=", "numa_balancing", "modprobe.blacklist", "nomodeset"})
        if (word.find(about) != std::string::npos) {
          f.command_line += (f.command_line.empty() ? "" : " ") + word;
          break;
        }
  f.iommu_active = !root.list("/sys/class/iommu").empty();
  if (auto n = root.number("/proc/sys/kernel/numa_balancing"); n.ok()) f.numa_balancing = *n != 0;
  uint64_t nodes = 0;
  for (const std::string& n : root.list("/sys/devices/system/node"))
    if (n.rfind("node", 0) == 0 && n.size() > 4 && n.find_first_not_of("0123456789", 4) == std::string::npos) nodes++;
  if (nodes) f.numa_nodes = nodes;
  struct statvfs shm;
  if (statvfs(root.path("/dev/shm").c_str(), &shm) == 0) f.shm_bytes = uint64_t{shm.f_blocks} * shm.f_frsize;
}

void read_container(const Root& root, Facts& f) {
  if (root.exists("/run/secrets/kubernetes.io")) f.container = "kubernetes";
  else if (root.exists("/run/.containerenv")) f.container = "podman";
  else if (root.exists("/.dockerenv")) f.container = "docker";
  else if (auto g = root.text("/proc/1/cgroup"); g.ok()) {
    for (const char* kind : {"kubepods", "docker", "libpod", "lxc"})
      if (g->find(kind) != std::string::npos) f.container = kind == std::string("kubepods") ? "kubernetes" : kind == std::string("libpod") ? "podman" : kind;
  }
}

std::string group_name(gid_t gid) {
  struct group entry, *found = nullptr;
  std::array<char, 4096> buffer;
  if (getgrgid_r(gid, &entry, buffer.data(), buffer.size(), &found) == 0 && found) return found->gr_name;
  return std::to_string(gid);
}

void read_driver(const Root& root, Facts& f) {
  f.driver_loaded = root.exists("/sys/module/amdgpu");
  if (auto v = root.text("/sys/module/amdgpu/version"); v.ok()) f.driver_version = trim(*v);
  for (const char* folder : {"/etc/modprobe.d", "/usr/lib/modprobe.d", "/run/modprobe.d"})
    for (const std::string& file : root.list(folder)) {
      if (!file.ends_with(".conf")) continue;
      for (const std::string& l : lines(root, std::string(folder) + "/" + file)) {
        auto words = split(l, ' ');
        f.driver_blacklisted |= words.size() >= 2 && words[0] == "blacklist" && words[1] == "amdgpu";
      }
    }
  f.driver_blacklisted |= f.command_line.find("modprobe.blacklist=amdgpu") != std::string::npos;
  auto node = [&](const std::string& path) {
    DeviceNode n;
    n.path = path;
    struct stat st;
    std::string full = root.path(path);
    if (stat(full.c_str(), &st) == 0) {
      n.exists = true;
      n.mode = st.st_mode & 07777;
      n.group = group_name(st.st_gid);
      n.accessible = access(full.c_str(), R_OK | W_OK) == 0;
    }
    f.nodes.push_back(n);
  };
  node("/dev/kfd");
  for (const std::string& d : root.list("/dev/dri"))
    if (d.rfind("renderD", 0) == 0) node("/dev/dri/" + d);
  f.root = geteuid() == 0;
  std::array<gid_t, 1024> ids;
  int count = getgroups(static_cast<int>(ids.size()), ids.data());
  for (int k = 0; k < count; k++) f.groups.push_back(group_name(ids[static_cast<size_t>(k)]));
}

constexpr uint64_t kAmd = 0x1002;

void read_bus(const Root& root, Facts& f) {
  const std::string base = "/sys/bus/pci/devices";
  for (const std::string& bdf : root.list(base)) {
    std::string at = base + "/" + bdf;
    auto vendor = root.hex(at + "/vendor"), cls = root.hex(at + "/class"), device = root.hex(at + "/device");
    if (!vendor.ok() || *vendor != kAmd || !cls.ok()) continue;
    uint64_t kind = *cls >> 8; // display 0300, 0302, 0380; processing accelerator 1200
    if (kind != 0x0300 && kind != 0x0302 && kind != 0x0380 && kind != 0x1200) continue;
    PciCard c;
    c.bdf = bdf;
    c.device_id = static_cast<uint32_t>(device.value_or(0));
    std::array<char, 4096> link;
    ssize_t n = readlink(root.path(at + "/driver").c_str(), link.data(), link.size());
    if (n > 0) {
      std::string target(link.data(), static_cast<size_t>(n));
      c.driver = target.substr(target.rfind('/') + 1);
    }
    for (const std::string& l : lines(root, at + "/resource")) {
      auto words = split(l, ' ');
      if (words.size() < 2) continue;
      auto first = smi::sysfs::parse_number(words[0]), last = smi::sysfs::parse_number(words[1]);
      if (first && last && *last > *first) c.largest_bar = std::max(c.largest_bar, *last - *first + 1);
    }
    f.pci.push_back(c);
  }
}

template <class T> std::optional<T> known(const smi::Reading<T>& r) { return r.ok() ? std::optional<T>(*r) : std::nullopt; }

void read_cards(const std::string& root, Facts& f) {
  auto model = smi::open_sysfs_model(root);
  if (!model.ok()) {
    f.notes.push_back(model.status().message);
    return;
  }
  for (auto& w : (*model)->warnings()) f.notes.push_back(w);
  for (auto& card : (*model)->cards()) {
    CardFacts c;
    c.name = card->id.market_name;
    c.gfx = card->id.gfx;
    c.bdf = card->id.bdf.text();
    c.vbios = card->id.vbios.value_or("");
    c.vram_bytes = known(card->id.vram_bytes);
    auto memory = card->memory();
    if (!c.vram_bytes) c.vram_bytes = known(memory.vram_total);
    c.visible_bytes = known(memory.visible_total);
    auto pcie = card->pcie();
    c.pcie_width = known(pcie.width), c.pcie_max_width = known(pcie.max_width);
    c.pcie_mtps = known(pcie.speed_mtps), c.pcie_max_mtps = known(pcie.max_speed_mtps);
    uint64_t bad = 0, corrected = 0;
    bool counted = false;
    for (size_t b = 0; b < smi::kRasBlocks; b++)
      if (auto e = card->ecc(b); e.ok()) counted = true, bad += e->uncorrectable, corrected += e->correctable;
    if (counted) c.ecc_uncorrectable = bad, c.ecc_correctable = corrected;
    if (auto p = card->bad_pages(); p.ok()) c.bad_pages = p->size();
    if (auto t = card->temperature_mc(smi::Sensor::junction, smi::TempMetric::current); t.ok()) c.junction_c = *t / 1000;
    if (auto t = card->temperature_mc(smi::Sensor::junction, smi::TempMetric::critical); t.ok()) c.junction_critical_c = *t / 1000;
    auto partition = card->partition();
    c.compute_partition = partition.compute.value_or(""), c.memory_partition = partition.memory.value_or("");
    f.cards.push_back(std::move(c));
  }
}

void read_rocm(const Root& root, Facts& f) {
  std::set<std::string> versions;
  auto see = [&](const std::string& folder) {
    if (auto v = root.text(folder + "/.info/version"); v.ok()) {
      std::string first = trim(v->substr(0, v->find('\n')));
      versions.insert(first.substr(0, first.find('-')));
    }
  };
  see("/opt/rocm");
  for (const std::string& name : root.list("/opt"))
    if (name.rfind("rocm-", 0) == 0) see("/opt/" + name);
  for (const std::string& name : root.list("/opt/rocm"))
    if (name.rfind("core-", 0) == 0) see("/opt/rocm/" + name); // the layout of 7.13 and later
  f.rocm_versions.assign(versions.begin(), versions.end());
  std::sort(f.rocm_versions.begin(), f.rocm_versions.end(), [](auto& a, auto& b) { return matrix::compare(a, b) > 0; });

  static const std::set<std::string> wanted = {"rocm-core", "rocm-dev", "rocm-libs", "rocm", "hip-runtime-amd", "hsa-rocr", "amdgpu-dkms",
                                               "amdgpu-core", "rocminfo", "rocm-smi-lib", "amd-smi-lib", "rocblas", "miopen-hip", "rccl",
                                               "libhsa-runtime64-1", "libamdhip64-5", "firmware-amd-graphics", "linux-firmware"};
  std::string name, status;
  for (const std::string& l : lines(root, "/var/lib/dpkg/status")) {
    if (l.rfind("Package: ", 0) == 0) name = l.substr(9), status.clear();
    else if (l.rfind("Status: ", 0) == 0) status = l.substr(8);
    else if (l.rfind("Version: ", 0) == 0 && wanted.count(name) && status.find(" installed") != std::string::npos) f.packages.push_back({name, l.substr(9)});
  }
}

void read_frameworks(const Root& root, Facts& f) {
  struct Name {
    const char *distribution, *framework;
  };
  static constexpr std::array kNames = {Name{"torch", "PyTorch"}, Name{"tensorflow", "TensorFlow"}, Name{"tensorflow_rocm", "TensorFlow"},
                                        Name{"jax", "JAX"}, Name{"onnxruntime_rocm", "ONNX Runtime"}, Name{"vllm", "vLLM"}};
  std::vector<std::string> folders = {"/usr/lib/python3/dist-packages"};
  for (const char* base : {"/usr/local/lib", "/usr/lib", "/opt/venv/lib"})
    for (const std::string& python : root.list(base))
      if (python.rfind("python3", 0) == 0)
        for (const char* kind : {"dist-packages", "site-packages"}) folders.push_back(std::string(base) + "/" + python + "/" + kind);
  std::set<std::pair<std::string, std::string>> found;
  for (const std::string& folder : folders)
    for (const std::string& entry : root.list(folder)) {
      size_t dash = entry.find('-'), end = entry.rfind(".dist-info");
      if (dash == std::string::npos || end == std::string::npos || end < dash) continue;
      for (auto& n : kNames)
        if (matrix::lower(entry.substr(0, dash)) == n.distribution) found.insert({n.framework, entry.substr(dash + 1, end - dash - 1)});
    }
  f.frameworks.assign(found.begin(), found.end());
}

} // namespace

Facts collect(const std::string& root_folder) {
  Facts f;
  Root root(root_folder);
  read_system(root, f);
  read_container(root, f);
  read_driver(root, f);
  read_bus(root, f);
  read_cards(root_folder, f);
  read_rocm(root, f);
  read_frameworks(root, f);
  if (auto soft = smi::open_soft_model(smi::SoftCards::own); soft.ok()) {
    for (auto& c : (*soft)->cards()) f.software.push_back(c->id.market_name + " (" + c->id.gfx + ")");
  } else {
    f.notes.push_back("software devices: " + soft.status().message);
  }
  return f;
}

} // namespace pumice::doctor
