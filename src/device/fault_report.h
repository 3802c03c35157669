// SPDX-License-Identifier: MIT
// Guest faults as text and as events. The last report of the process can be read back
// (pumice_hsa_last_fault), so that HIP can show it beside its sticky error.
#pragma once
#include "base/result.h"
#include "device/loader.h"
#include "exec/wave.h"
#include <cstdint>
#include <string>

namespace pumice::device {

struct FaultEvent {
  int device = 0;
  exec::FaultInfo info;
  std::string kernel;
  std::string report; // several lines, no trailing newline
};

/// Builds the report: what, kernel, source line, workgroup, wave, lane, address, nearest
/// allocation.
FaultEvent describe_fault(const exec::FaultInfo& info, const LoadedKernel& kernel,
                          const Memory& memory, const Loader& loader);
/// A dispatch that could not start (engine error, impossible packet).
FaultEvent describe_refusal(const Status& why, const std::string& kernel, int device);

/// Prints to stderr (unless PUMICE_LOG=off) and keeps the text.
void publish_fault(const FaultEvent& event);
std::string last_fault_report();
uint64_t fault_count();

} // namespace pumice::device
