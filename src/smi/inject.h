// SPDX-License-Identifier: MIT
// Faults of software cards: what `pumice device` sets, clears and shows, in the telemetry segment.
// Running programs and monitors see a change at once.
#pragma once
#include "base/result.h"
#include "device/telemetry_segment.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pumice::smi {

/// As many as the bad-page table of a card's EEPROM can hold, about: 256 KiB of 24-byte records.
constexpr uint64_t kMostRetiredPages = 10922;

struct Faults {                                                 // what to set; absent members stay
  std::optional<uint64_t> correctable, uncorrectable, deferred; // errors to add
  size_t block = 0;                                             // amdsmi_gpu_block_t's bit; UMC
  std::optional<double> edge_c, junction_c, memory_c;
  std::optional<double> power_w;
  std::optional<uint64_t> clock_mhz, fan_rpm, utilisation_percent, retired_pages, xgmi_errors,
      pcie_replays;
  std::optional<std::string> throttle; // power, thermal, prochot, vr, hbm, none; comma-separated
};

class Injector {
public:
  static Result<Injector> open();
  /// Fails without changing anything when a value makes no sense.
  Status set(size_t card, const Faults& f);
  /// Removes every injected value; errors are forgotten.
  Status clear(size_t card);
  /// As a card reset: events before and after, errors forgotten; programs started before it keep
  /// seeing a card that failed.
  Status reset(size_t card);
  /// An event as the driver would send it.
  Status post(size_t card, const std::string& kind, const std::string& message);
  device::telemetry::Injection& card(size_t i) { return (*mapping_)->cards[i]; }

private:
  std::shared_ptr<device::telemetry::Mapping> mapping_;
};

} // namespace pumice::smi
