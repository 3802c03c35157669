// SPDX-License-Identifier: MIT
#include "smi/rocminfo.h"
#include "base/visible.h"
#include "smi/sysfs.h"
#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>
#include <unistd.h>

namespace pumice::smi {
namespace {

// What HSA says of every agent of this family; the same in src/hsa/agent.cpp, and a test compares.
constexpr uint32_t kQueueMin = 64, kQueueMax = 131072, kQueues = 128, kWorkgroup = 1024,
                   kBarriers = 32, kWatchPoints = 4;

struct Host {
  std::string name = "CPU";
  uint64_t bytes = 0;
  uint32_t max_mhz = 0;
  uint64_t l1 = 0, l2 = 0, l3 = 0;
};

Host host() {
  Host h;
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    size_t at = line.find(": ");
    if (at == std::string::npos)
      continue;
    if (line.starts_with("model name") && h.name == "CPU")
      h.name = line.substr(at + 2);
    if (line.starts_with("cpu MHz") && !h.max_mhz)
      h.max_mhz = static_cast<uint32_t>(std::strtod(line.c_str() + at + 2, nullptr));
  }
  std::ifstream frequency("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq");
  if (uint32_t khz = 0; frequency >> khz)
    h.max_mhz = khz / 1000;
  h.bytes =
      static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  auto cache = [](int name) { return static_cast<uint64_t>(std::max(0L, sysconf(name))); };
  h.l1 = cache(_SC_LEVEL1_DCACHE_SIZE);
  h.l2 = cache(_SC_LEVEL2_CACHE_SIZE);
  h.l3 = cache(_SC_LEVEL3_CACHE_SIZE);
  return h;
}

/// Lines as rocminfo aligns them: label, padding to column 25 + indent, value padded to 35.
class Text {
public:
  void raw(const std::string& s) { out += s + "\n"; }
  void line(int indent, const std::string& label, const std::string& value) {
    std::string l = std::string(static_cast<size_t>(indent), ' ') + label;
    out += fmt::format("{:<{}}{:<35}\n", l, indent + 25, value);
  }
  void line(int indent, const std::string& label) {
    out +=
        fmt::format("{:<{}}\n", std::string(static_cast<size_t>(indent), ' ') + label, indent + 25);
  }
  static std::string both(uint64_t n) { return fmt::format("{}(0x{:x})", n, n); }
  std::string out;
};

void dims(Text& t, int indent, const char* label, uint64_t n) {
  t.raw(std::string(static_cast<size_t>(indent), ' ') + label);
  for (const char* d : {"x", "y", "z"})
    t.line(indent + 2, d, Text::both(n));
}

void pool(Text& t, int number, const std::string& segment, uint64_t bytes, bool allocatable,
          bool all) {
  t.line(4, fmt::format("Pool {}", number));
  t.line(6, "Segment:", segment);
  t.line(6, "Size:", Text::both(bytes / 1024) + " KB");
  t.line(6, "Allocatable:", allocatable ? "TRUE" : "FALSE");
  t.line(6, "Alloc Granule:", allocatable ? "4KB" : "0KB");
  t.line(6, "Alloc Recommended Granule:", allocatable ? all ? "4KB" : "2048KB" : "0KB");
  t.line(6, "Alloc Alignment:", allocatable ? "4KB" : "0KB");
  t.line(6, "Accessible by all:", all ? "TRUE" : "FALSE");
}

void head(Text& t, int number) {
  t.line(0, "*******");
  t.line(0, fmt::format("Agent {}", number));
  t.line(0, "*******");
}

std::string isa_name(const Card& k) {
  std::string name = "amdgcn-amd-amdhsa--" + k.id.gfx;
  return k.id.target_features.empty() ? name : name + ":" + k.id.target_features;
}

std::string uuid(const Card& k) {
  return k.id.unique_id.ok() ? fmt::format("GPU-{:016x}", *k.id.unique_id) : "GPU-XX";
}

/// The cards that the HSA runtime gives to programs of this environment, in its order.
std::vector<const Card*> agents(const Model& m) {
  std::vector<std::string> uuids;
  for (auto& k : m.cards())
    uuids.push_back(uuid(*k));
  std::vector<const Card*> kept;
  for (size_t i : visible_devices(uuids))
    kept.push_back(m.cards()[i].get());
  return kept;
}

void host_agent(Text& t, const Host& h) {
  head(t, 1);
  t.line(2, "Name:", h.name);
  t.line(2, "Uuid:", "CPU-XX");
  t.line(2, "Marketing Name:", h.name);
  t.line(2, "Vendor Name:", "CPU");
  t.line(2, "Feature:", "None specified");
  t.line(2, "Profile:", "FULL_PROFILE");
  t.line(2, "Float Round Mode:", "NEAR");
  t.line(2, "Max Queue Number:", "0(0x0)");
  t.line(2, "Queue Min Size:", "0(0x0)");
  t.line(2, "Queue Max Size:", "0(0x0)");
  t.line(2, "Queue Type:", "MULTI");
  t.line(2, "Node:", "0");
  t.line(2, "Device Type:", "CPU");
  t.line(2, "Cache Info:");
  for (auto [label, bytes] : {std::pair{"L1:", h.l1}, {"L2:", h.l2}, {"L3:", h.l3}})
    if (bytes)
      t.line(4, label, Text::both(bytes / 1024) + " KB");
  t.line(2, "Chip ID:", "0(0x0)");
  t.line(2, "ASIC Revision:", "0(0x0)");
  t.line(2, "Cacheline Size:", "64(0x40)");
  t.line(2, "Max Clock Freq. (MHz):", std::to_string(h.max_mhz));
  t.line(2, "BDFID:", "0");
  t.line(2, "Internal Node ID:", "0");
  t.line(2, "Compute Unit:", std::to_string(std::thread::hardware_concurrency()));
  t.line(2, "SIMDs per CU:", "0");
  t.line(2, "Shader Engines:", "0");
  t.line(2, "Shader Arrs. per Eng.:", "0");
  t.line(2, "WatchPts on Addr. Ranges:", "0");
  t.raw("  Features:                None");
  t.line(2, "Pool Info:");
  int n = 0;
  for (const char* flags : {"FINE GRAINED", "KERNARG, FINE GRAINED", "COARSE GRAINED"})
    pool(t, ++n, std::string("GLOBAL; FLAGS: ") + flags, h.bytes, true, true);
  t.line(2, "ISA Info:");
}

void card_agent(Text& t, const Card& k, int number) {
  const Identity& id = k.id;
  uint32_t waves = id.simds_per_cu * id.max_waves_per_simd;
  head(t, number);
  t.line(2, "Name:", id.gfx);
  t.line(2, "Uuid:", uuid(k));
  t.line(2, "Marketing Name:", id.market_name);
  t.line(2, "Vendor Name:", "AMD");
  t.line(2, "Feature:", "KERNEL_DISPATCH");
  t.line(2, "Profile:", "BASE_PROFILE");
  t.line(2, "Float Round Mode:", "NEAR");
  t.line(2, "Max Queue Number:", Text::both(kQueues));
  t.line(2, "Queue Min Size:", Text::both(kQueueMin));
  t.line(2, "Queue Max Size:", Text::both(kQueueMax));
  t.line(2, "Queue Type:", "MULTI");
  t.line(2, "Node:", std::to_string(id.kfd_node.value_or(0)));
  t.line(2, "Device Type:", "GPU");
  t.line(2, "Cache Info:");
  for (uint32_t level = 1; level <= 3; ++level)
    for (const Cache& c : id.caches)
      if (c.level == level && c.data) {
        t.line(4, fmt::format("L{}:", level), Text::both(c.kib) + " KB");
        break;
      }
  t.line(2, "Chip ID:", Text::both(id.device_id));
  t.line(2, "ASIC Revision:", Text::both(id.revision.value_or(0)));
  t.line(2, "Cacheline Size:", Text::both(id.cacheline_bytes));
  t.line(2, "Max Clock Freq. (MHz):", std::to_string(id.max_clock_mhz));
  t.line(2, "BDFID:", std::to_string(id.bdf.bus << 8 | id.bdf.device << 3 | id.bdf.function));
  t.line(2, "Internal Node ID:", std::to_string(id.kfd_node.value_or(0)));
  t.line(2, "Compute Unit:", std::to_string(id.compute_units));
  t.line(2, "SIMDs per CU:", std::to_string(id.simds_per_cu));
  t.line(2, "Shader Engines:", std::to_string(id.shader_engines));
  t.line(2, "Shader Arrs. per Eng.:", std::to_string(id.arrays_per_engine));
  t.line(2, "WatchPts on Addr. Ranges:", std::to_string(kWatchPoints));
  t.raw("  Features:                KERNEL_DISPATCH ");
  t.line(2, "Fast F16 Operation:", "TRUE");
  t.line(2, "Wavefront Size:", Text::both(id.wavefront_size));
  t.line(2, "Workgroup Max Size:", Text::both(kWorkgroup));
  dims(t, 2, "Workgroup Max Size per Dimension:", kWorkgroup);
  t.line(2, "Max Waves Per CU:", Text::both(waves));
  t.line(2, "Max Work-item Per CU:", Text::both(uint64_t{waves} * id.wavefront_size));
  t.line(2, "Grid Max Size:", Text::both(UINT32_MAX));
  dims(t, 2, "Grid Max Size per Dimension:", UINT32_MAX);
  t.line(2, "Max fbarriers/Workgrp:", std::to_string(kBarriers));
  t.line(2, "Packet Processor uCode::", "0");
  t.line(2, "SDMA engine uCode::", "0");
  t.line(2, "IOMMU Support::", "None");
  t.line(2, "Pool Info:");
  uint64_t bytes = id.vram_bytes.value_or(0);
  pool(t, 1, "GLOBAL; FLAGS: COARSE GRAINED", bytes, true, false);
  pool(t, 2, "GLOBAL; FLAGS: EXTENDED FINE GRAINED", bytes, true, false);
  pool(t, 3, "GLOBAL; FLAGS: FINE GRAINED", bytes, true, false);
  pool(t, 4, "GROUP", id.lds_bytes, false, false);
  t.line(2, "ISA Info:");
  t.line(4, "ISA 1");
  t.line(6, "Name:", isa_name(k));
  t.line(6, "Machine Models:", "HSA_MACHINE_MODEL_LARGE");
  t.line(6, "Profiles:", "HSA_PROFILE_BASE");
  t.line(6, "Default Rounding Mode:", "NEAR");
  t.line(6, "Default Rounding Mode:", "NEAR");
  t.line(6, "Fast f16:", "TRUE");
  t.line(6, "Workgroup Max Size:", Text::both(kWorkgroup));
  dims(t, 6, "Workgroup Max Size per Dimension:", kWorkgroup);
  t.line(6, "Grid Max Size:", Text::both(UINT32_MAX));
  dims(t, 6, "Grid Max Size per Dimension:", UINT32_MAX);
  t.line(6, "FBarrier Max Size:", std::to_string(kBarriers));
}

} // namespace

std::string rocminfo_text(Model& m) {
  Text t;
  std::string driver;
  for (auto& k : m.cards())
    if (k->id.driver_version.ok())
      driver = *k->id.driver_version;
  t.raw(m.software()        ? "Software cards (" + driver + "); the ROCk module is not used"
        : m.cards().empty() ? "ROCk module is NOT loaded, or has no card for this user"
                            : "ROCk module version " + driver + " is loaded");
  t.raw("=====================    \nHSA System Attributes    \n=====================    ");
  t.raw("Runtime Version:         1.15\nRuntime Ext Version:     1.7\nSystem Timestamp Freq.:  "
        "1000.000000MHz");
  t.raw("Sig. Max Wait Duration:  18446744073709551615 (0xFFFFFFFFFFFFFFFF) (timestamp count)");
  t.line(0, "Machine Model:", "LARGE");
  t.line(0, "System Endianness:", "LITTLE");
  t.raw("Mwaitx:                  DISABLED\nXNACK enabled:           NO\nDMAbuf Support:          "
        "NO\nVMM Support:             NO\n");
  t.raw("==========               \nHSA Agents               \n==========               ");
  host_agent(t, host());
  int n = 1;
  for (const Card* k : agents(m))
    card_agent(t, *k, ++n);
  t.line(0, "*** Done ***");
  return t.out;
}

std::string rocminfo_json(Model& m) {
  using Json = nlohmann::ordered_json;
  Json doc;
  doc["software"] = m.software();
  Json& list = doc["agents"] = Json::array();
  Host h = host();
  list.push_back({{"type", "CPU"},
                  {"name", h.name},
                  {"node", 0},
                  {"memory_bytes", h.bytes},
                  {"compute_units", std::thread::hardware_concurrency()}});
  for (const Card* k : agents(m)) {
    const Identity& id = k->id;
    Json a;
    a["type"] = "GPU";
    a["name"] = id.gfx;
    a["isa"] = isa_name(*k);
    a["marketing_name"] = id.market_name;
    a["uuid"] = uuid(*k);
    a["node"] = id.kfd_node.value_or(0);
    a["bdf"] = id.bdf.text();
    a["chip_id"] = id.device_id;
    a["compute_units"] = id.compute_units;
    a["simds_per_cu"] = id.simds_per_cu;
    a["max_waves_per_cu"] = id.simds_per_cu * id.max_waves_per_simd;
    a["wavefront_size"] = id.wavefront_size;
    a["max_clock_mhz"] = id.max_clock_mhz;
    a["lds_bytes"] = id.lds_bytes;
    a["memory_bytes"] = id.vram_bytes.value_or(0);
    a["xccs"] = id.xccs;
    a["partition_id"] = id.partition_id.value_or(0);
    list.push_back(std::move(a));
  }
  return doc.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string agent_list(Model& m, bool gpus_only, Names names) {
  std::string out = gpus_only ? "" : "gfx000\n";
  for (const Card* k : agents(m))
    if (!k->id.gfx.empty())
      out += (names == Names::full ? isa_name(*k) : k->id.gfx) + "\n";
  return out;
}

} // namespace pumice::smi
