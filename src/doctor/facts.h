// SPDX-License-Identifier: MIT
// What a machine has, as far as its files tell: cards, driver, kernel, packages, permissions, settings.
// Collected from the machine's own root folder or from one that a test made. Nothing private is collected: no host or user
// name, serial number, unique id, address or path below a home folder.
#pragma once
#include "smi/model.h"
#include "smi/sysfs.h"
#include <optional>
#include <string>
#include <vector>

namespace pumice::doctor {

struct PciCard {           // an AMD display or processing device on the bus, with or without a driver
  std::string bdf, driver; // driver: "" = none bound
  uint32_t device_id = 0;
  uint64_t largest_bar = 0;
};

struct CardFacts {
  std::string name, gfx, bdf, vbios;
  std::optional<uint64_t> vram_bytes, visible_bytes;
  std::optional<uint32_t> pcie_width, pcie_max_width, pcie_mtps, pcie_max_mtps;
  std::optional<uint64_t> ecc_uncorrectable, ecc_correctable, bad_pages;
  std::optional<int64_t> junction_c, junction_critical_c;
  std::string compute_partition, memory_partition;
};

struct DeviceNode {
  std::string path;
  bool exists = false, accessible = false;
  unsigned mode = 0;
  std::string group; // name, or its number
};

struct Package {
  std::string name, version;
};

struct Facts {
  std::string os, os_version_detail, kernel, cpu;
  unsigned cpus = 0;
  uint64_t memory_bytes = 0, shm_bytes = 0;
  bool avx2 = false, avx512 = false;
  std::string command_line;             // only the words that matter here
  bool iommu_active = false;
  std::optional<uint64_t> numa_nodes;
  std::optional<bool> numa_balancing;
  std::string container;                // "docker", "podman", "kubernetes" or ""
  bool driver_loaded = false, driver_blacklisted = false;
  std::string driver_version;           // amdgpu's own; empty: the kernel's
  std::vector<DeviceNode> nodes;        // /dev/kfd and /dev/dri/renderD*
  bool root = false;
  std::vector<std::string> groups;      // of this user
  std::vector<PciCard> pci;
  std::vector<CardFacts> cards;
  std::vector<std::string> rocm_versions; // below /opt, newest first
  std::vector<Package> packages;
  std::vector<std::pair<std::string, std::string>> frameworks; // "PyTorch", "2.6.0"
  std::vector<std::string> software;    // "MI300X (gfx942)": what runs without a card
  std::vector<std::string> notes;       // what could not be read
};

/// `root`: folder that holds sys, dev, proc, etc, opt, var, usr; "" = this machine.
Facts collect(const std::string& root);

} // namespace pumice::doctor
