// SPDX-License-Identifier: MIT
#include "device/profile.h"
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace fs = std::filesystem;

namespace pumice::device {
namespace {

constexpr size_t kMaxDevices = 64;

struct Loader {
  const nlohmann::json& j;
  template <class T> void operator()(const char* key, T& out) const {
    auto it = j.find(key);
    if (it == j.end())
      return;
    if constexpr (std::is_same_v<T, std::string>) {
      if (it->is_string())
        out = it->get<std::string>();
    } else {
      if (it->is_number())
        out = it->get<T>();
      // Ids are easier to compare with PCI tables in hexadecimal text.
      if (it->is_string())
        out = static_cast<T>(std::stoull(it->get<std::string>(), nullptr, 0));
    }
  }
};

Profile from_json(const nlohmann::json& j) {
  Profile p;
  Loader get{j};
  get("name", p.name);
  get("marketing_name", p.marketing_name);
  get("target", p.target);
  get("compute_units", p.compute_units);
  get("xccs", p.xccs);
  get("shader_engines", p.shader_engines);
  get("shader_arrays_per_engine", p.shader_arrays_per_engine);
  get("simds_per_cu", p.simds_per_cu);
  get("max_waves_per_cu", p.max_waves_per_cu);
  get("wavefront_size", p.wavefront_size);
  get("lds_bytes", p.lds_bytes);
  get("vgprs_per_simd", p.vgprs_per_simd);
  get("sgprs_per_simd", p.sgprs_per_simd);
  get("l1_bytes", p.l1_bytes);
  get("l2_bytes", p.l2_bytes);
  get("l3_bytes", p.l3_bytes);
  get("cacheline_bytes", p.cacheline_bytes);
  get("memory_bytes", p.memory_bytes);
  get("memory_type", p.memory_type);
  get("memory_bus_bits", p.memory_bus_bits);
  get("memory_clock_mhz", p.memory_clock_mhz);
  get("memory_bandwidth_gbps", p.memory_bandwidth_gbps);
  get("max_clock_mhz", p.max_clock_mhz);
  get("chip_id", p.chip_id);
  get("asic_revision", p.asic_revision);
  get("asic_family", p.asic_family);
  get("power_cap_watts", p.power_cap_watts);
  get("xgmi_links", p.xgmi_links);
  get("xgmi_link_mbps", p.xgmi_link_mbps);
  get("min_clock_mhz", p.min_clock_mhz);
  get("pcie_generation", p.pcie_generation);
  get("pcie_lanes", p.pcie_lanes);
  get("pci_subsystem_vendor", p.pci_subsystem_vendor);
  get("pci_subsystem", p.pci_subsystem);
  get("form", p.form);
  p.pci_ids.push_back(p.chip_id);
  if (auto it = j.find("other_pci_ids"); it != j.end() && it->is_array())
    for (const auto& id : *it)
      if (id.is_string())
        p.pci_ids.push_back(static_cast<uint32_t>(std::stoul(id.get<std::string>(), nullptr, 0)));
  get("sdma_engines", p.sdma_engines);
  get("sdma_xgmi_engines", p.sdma_xgmi_engines);
  get("max_queues", p.max_queues);
  return p;
}

std::string known_profiles(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code ec;
  for (const auto& e : fs::directory_iterator(folder, ec))
    if (e.path().extension() == ".json")
      names.push_back(e.path().stem().string());
  std::sort(names.begin(), names.end());
  std::string s;
  for (const std::string& n : names)
    s += (s.empty() ? "" : ", ") + n;
  return s;
}

Result<Profile> find_profile(const std::string& name) {
  if (name.find('/') != std::string::npos || name.ends_with(".json"))
    return read_profile(name);
  std::string folder = profile_folder();
  if (folder.empty())
    return error(Code::not_found,
                 "no share/pumice/devices folder near the library; give a path to a "
                 ".json file in PUMICE_DEVICES");
  std::string path = folder + "/" + name + ".json";
  std::error_code ec;
  if (!fs::exists(path, ec))
    return error(Code::not_found,
                 "PUMICE_DEVICES: no profile '" + name + "'; there are: " + known_profiles(folder));
  return read_profile(path);
}

} // namespace

uint64_t unique_id(int index) {
  return 0x70756d6963650000u + static_cast<unsigned>(index);
}

std::string uuid_text(int index) {
  char text[24];
  std::snprintf(text, sizeof text, "GPU-%016llx",
                static_cast<unsigned long long>(unique_id(index)));
  return text;
}

Result<Profile> read_profile(const std::string& path) {
  std::ifstream f(path);
  if (!f)
    return error(Code::not_found, "cannot open device profile " + path);
  try {
    nlohmann::json j = nlohmann::json::parse(f);
    Profile p = from_json(j);
    if (p.name.empty() || p.target.empty() || !p.compute_units || !p.memory_bytes)
      return error(Code::invalid_argument,
                   path + ": name, target, compute_units and memory_bytes are required");
    return p;
  } catch (const std::exception& e) {
    return error(Code::invalid_argument, "device profile " + path + ": " + e.what());
  }
}

std::string profile_folder() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void*>(&profile_folder), &info) || !info.dli_fname)
    return {};
  std::error_code ec;
  fs::path at = fs::canonical(info.dli_fname, ec);
  if (ec)
    at = fs::canonical("/proc/self/exe", ec); // argv[0] without a folder
  if (ec)
    return {};
  while (at.has_relative_path()) {
    at = at.parent_path();
    fs::path folder = at / "share" / "pumice" / "devices";
    if (fs::is_directory(folder, ec))
      return folder.string();
  }
  return {};
}

Result<std::vector<Profile>> parse_devices(std::string_view text) {
  std::vector<Profile> all;
  for (bool more = true; more;) {
    size_t comma = text.find(',');
    std::string item(text.substr(0, comma));
    more = comma != std::string_view::npos;
    if (more)
      text.remove_prefix(comma + 1);
    item.erase(0, item.find_first_not_of(" \t"));
    item.erase(item.find_last_not_of(" \t") + 1);
    size_t digits = item.find_first_not_of("0123456789"), count = 1;
    if (digits != 0 && digits != std::string::npos && item[digits] == 'x') {
      count = digits > 4 ? kMaxDevices + 1 : std::stoul(item.substr(0, digits));
      item.erase(0, digits + 1);
    }
    if (item.empty())
      return error(Code::invalid_argument, "PUMICE_DEVICES: empty device name");
    if (count == 0 || all.size() + count > kMaxDevices)
      return error(Code::invalid_argument, "PUMICE_DEVICES: 1 to 64 devices, please");
    TRY_ASSIGN(Profile p, find_profile(item));
    all.insert(all.end(), count, p);
  }
  return all;
}

} // namespace pumice::device
