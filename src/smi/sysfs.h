// SPDX-License-Identifier: MIT
// Reading the kernel's files below a root folder, and parsing what is in them. Parsers take any
// bytes. Files are opened without blocking and read up to a bound, so that odd things in their
// place (pipes, huge files) do no harm.
#pragma once
#include "smi/model.h"
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pumice::smi::sysfs {

/// Folder that holds sys/, dev/ and proc/; "" is the machine's own.
class Root {
public:
  explicit Root(std::string root) : root_(std::move(root)) {}
  std::string path(const std::string& absolute) const { return root_ + absolute; }

  /// All of a file, or what is in its first `most` bytes.
  Reading<std::string> bytes(const std::string& absolute, size_t most = SIZE_MAX) const;
  Reading<std::string> text(const std::string& absolute) const; // without the final newline
  Reading<uint64_t> number(const std::string& absolute) const;  // decimal, or 0x and hexadecimal
  Reading<uint64_t> hex(const std::string& absolute) const;     // hexadecimal with or without 0x
  Reading<int64_t> signed_number(const std::string& absolute) const;
  std::map<std::string, uint64_t> properties(const std::string& absolute) const;
  /// Names in a folder, sorted; numbers by value.
  std::vector<std::string> list(const std::string& absolute) const;
  bool exists(const std::string& absolute) const;
  /// Whether a folder can be listed and entered, or why not.
  Why folder(const std::string& absolute) const;
  Why write(const std::string& absolute, const std::string& text) const;

private:
  std::string root_;
};

std::optional<uint64_t> parse_number(std::string_view s);
/// "key value" lines.
std::map<std::string, uint64_t> parse_properties(std::string_view text);
/// pp_dpm_sclk and the like: "0: 500Mhz", "1: 2100Mhz *", "S: 19Mhz *"; pp_dpm_pcie's
/// "0: 2.5GT/s, x8 619Mhz *" gives transfers per second.
Reading<ClockTable> parse_levels(std::string_view text);
/// "ue: 1\nce: 2\nde: 3".
Reading<EccCount> parse_error_count(std::string_view text);
/// "feature mask: 0x7".
Reading<uint64_t> parse_ras_features(std::string_view text);
/// "0x00000001 : 0x00001000 : R" lines: page number, size, state (R, P, F).
std::vector<BadPage> parse_bad_pages(std::string_view text);
/// "16.0 GT/s PCIe" as MT/s.
Reading<uint32_t> parse_link_speed(std::string_view text);
/// pp_power_profile_mode: "  5 COMPUTE*:" lines; the star marks the active one.
Reading<std::vector<PowerProfile>> parse_profiles(std::string_view text);
/// pm_policy/*: "0 : soc_pstate_default", "2 : soc_pstate_1*" lines; the star marks what holds.
Reading<Policies> parse_policies(std::string_view text);
/// Words between blanks, at most 64: enforce_isolation's "0 1" has one for each partition.
std::vector<std::string> parse_words(std::string_view text);
/// "SPX, DPX, CPX".
std::vector<std::string> parse_list(std::string_view text);

/// One open DRM client as /proc/<pid>/fdinfo/<n> shows it; nothing for other files.
struct DrmClient {
  std::string driver, pdev;
  uint64_t client_id = 0, pasid = 0;
  uint64_t vram_bytes = 0, gtt_bytes = 0, cpu_bytes = 0, gfx_ns = 0, compute_ns = 0, enc_ns = 0;
};
std::optional<DrmClient> parse_fdinfo(std::string_view text);

/// Names of a device in the text of pci.ids.
struct PciName {
  std::string vendor, device, subsystem;
};
PciName find_pci_name(std::string_view pci_ids, uint32_t vendor, uint32_t device,
                      uint32_t subsystem_vendor, uint32_t subsystem_device);

} // namespace pumice::smi::sysfs
