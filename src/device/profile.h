// SPDX-License-Identifier: MIT
// Device profiles: what a software device says it is. Data lives in share/pumice/devices/NAME.json;
// PUMICE_DEVICES names them ("MI300X", "8xMI300X", "MI210,MI300X", or a path to a .json file).
#pragma once
#include "base/result.h"
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pumice::device {

struct Profile {
  std::string name;           // "MI300X"
  std::string marketing_name; // "AMD Instinct MI300X"
  std::string target;         // target id, "gfx942:sramecc+:xnack-"
  uint32_t compute_units = 0, xccs = 1, shader_engines = 1, shader_arrays_per_engine = 1;
  uint32_t simds_per_cu = 4, max_waves_per_cu = 32, wavefront_size = 64;
  uint32_t lds_bytes = 65536, vgprs_per_simd = 512, sgprs_per_simd = 800;
  uint32_t l1_bytes = 0, l2_bytes = 0, cacheline_bytes = 128;
  uint64_t l3_bytes = 0, memory_bytes = 0;
  std::string memory_type;
  uint32_t memory_bus_bits = 0, memory_clock_mhz = 0, max_clock_mhz = 0;
  double memory_bandwidth_gbps = 0;
  uint32_t chip_id = 0, asic_revision = 0, asic_family = 0;
  uint32_t power_cap_watts = 0, xgmi_links = 0, xgmi_link_mbps = 0;
  uint32_t min_clock_mhz = 0, pcie_generation = 0, pcie_lanes = 0;
  uint32_t pci_subsystem_vendor = 0, pci_subsystem = 0;
  std::vector<uint32_t> pci_ids; // of physical cards of this model, chip_id first
  std::string form;              // "OAM", "PCIe"
  uint32_t sdma_engines = 2, sdma_xgmi_engines = 0, max_queues = 128;
};

/// Names by which every tool and library calls software card `index`.
uint64_t unique_id(int index);
std::string uuid_text(int index); // as HSA writes it: "GPU-" and 16 hexadecimal digits
/// PCI bus number of the card; domain, device and function are 0.
inline uint32_t pci_bus(int index) {
  return static_cast<uint32_t>(index) + 1;
}

/// Reads one profile file. Missing members keep their defaults; name, target, compute_units and
/// memory_bytes are required.
Result<Profile> read_profile(const std::string& path);
/// Devices of a PUMICE_DEVICES text, in order. At most 64.
Result<std::vector<Profile>> parse_devices(std::string_view text);
/// share/pumice/devices next to the library or program that contains this code (any ancestor
/// folder); empty when there is none.
std::string profile_folder();

} // namespace pumice::device
