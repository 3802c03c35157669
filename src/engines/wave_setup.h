// SPDX-License-Identifier: MIT
// The state a wave starts with, as the kernel descriptor asks for it
// [LLVM AMDGPUUsage, Initial Kernel Execution State]. Used by every engine.
#pragma once
#include "device/engine.h"
#include "exec/wave.h"
#include <cstdint>
#include <memory>

namespace pumice::engines {

/// Storage of one workgroup: waves, LDS window and scratch, reused from workgroup to workgroup.
/// Registers, LDS and scratch keep what the last workgroup left, as on hardware.
class WorkgroupStorage {
public:
  /// Memory for workgroups of this dispatch. Null when there is none.
  static std::unique_ptr<WorkgroupStorage> create(const device::DispatchPacketInfo& info);
  ~WorkgroupStorage();
  WorkgroupStorage(const WorkgroupStorage&) = delete;

  /// Puts every wave of workgroup (x, y, z) into its initial state.
  void start(const device::DispatchPacketInfo& info, uint32_t x, uint32_t y, uint32_t z);
  exec::Workgroup& group() { return group_; }
  /// Bytes one such storage takes.
  static size_t bytes_needed(const device::DispatchPacketInfo& info);

private:
  WorkgroupStorage() = default;
  exec::Workgroup group_{};
  void* memory_ = nullptr;
  size_t bytes_ = 0;
  uint32_t max_waves_ = 0;
  uint8_t* scratch_ = nullptr;
  size_t scratch_stride_ = 0;
};

/// Work-items of a workgroup along each dimension; smaller at the end of a grid that is no
/// multiple.
struct GroupExtent {
  uint32_t x, y, z;
  uint32_t items() const { return x * y * z; }
  uint32_t waves() const { return (items() + exec::kLanes - 1) / exec::kLanes; }
};
GroupExtent group_extent(const device::DispatchPacketInfo& info, const uint32_t id[3]);

/// Initial registers, MODE, EXEC and pc of wave `index`. The caller has set lds, lds_bytes,
/// scratch, scratch_bytes and group; group->id and wave_count must be valid.
void setup_wave(exec::Wave& w, const device::DispatchPacketInfo& info, uint32_t index);

} // namespace pumice::engines
