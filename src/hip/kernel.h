// SPDX-License-Identifier: MIT
// A kernel loaded on one device, and the packing of its arguments: explicit ones as the code
// object's metadata lays them out, hidden ones of code object versions 3 to 6 [LLVM AMDGPUUsage,
// Code Object V5 Metadata]. Immutable.
#pragma once
#include "codeobj/code_object.h"
#include "hip/queue.h"
#include "hip/stream.h"
#include <string>
#include <vector>

namespace pumice::hip {

class Device;

class Kernel {
public:
  Kernel(Device& device, const codeobj::KernelMetadata& metadata, uint64_t object,
         uint32_t group_bytes, uint32_t private_bytes, uint32_t argument_bytes);

  Device& device() const { return device_; }
  const std::string& name() const { return metadata_.name; }
  const codeobj::KernelMetadata& metadata() const { return metadata_; }
  uint32_t group_bytes() const { return group_bytes_; }
  uint32_t private_bytes() const { return private_bytes_; }
  size_t argument_bytes() const { return argument_bytes_; }
  size_t explicit_bytes() const { return explicit_bytes_; }
  size_t explicit_count() const { return explicit_.size(); }
  bool uses_hostcall() const { return uses_hostcall_; }
  bool uses_heap() const { return uses_heap_; }
  unsigned max_threads() const;
  /// Workgroups of `threads` work-items that fit on one compute unit.
  unsigned max_blocks_per_unit(unsigned threads, size_t dynamic_lds) const;

  /// Checks the launch and translates it. hipErrorInvalidConfiguration for impossible shapes.
  hipError_t dispatch_params(const LaunchParams& launch, DispatchParams& out) const;
  /// Fills `out`, argument_bytes() long.
  void write_arguments(const LaunchParams& launch, const DispatchParams& dispatch, uint8_t* out,
                       const Queue& queue, void* hostcall_buffer, void* heap) const;
  /// Copies the explicit arguments of `args` into one block of explicit_bytes().
  void pack(void** args, uint8_t* out) const;

private:
  enum class Hidden : uint8_t {
    block_count_x,
    block_count_y,
    block_count_z,
    group_size_x,
    group_size_y,
    group_size_z,
    remainder_x,
    remainder_y,
    remainder_z,
    global_offset_x,
    global_offset_y,
    global_offset_z,
    grid_dims,
    printf_buffer,
    hostcall_buffer,
    default_queue,
    completion_action,
    multigrid_sync_arg,
    heap_v1,
    dynamic_lds_size,
    private_base,
    shared_base,
    queue_ptr,
    none
  };
  static Hidden hidden_kind(const std::string& value_kind);
  struct Slot {
    uint32_t offset, size;
    Hidden hidden;
  };

  Device& device_;
  codeobj::KernelMetadata metadata_;
  uint64_t object_;
  uint32_t group_bytes_, private_bytes_;
  size_t argument_bytes_, explicit_bytes_ = 0;
  bool uses_hostcall_ = false, uses_heap_ = false, uses_grid_sync_ = false;
  size_t sync_offset_ = 0; // of the grid-barrier block behind the arguments
  std::vector<Slot> explicit_, hidden_;
};

} // namespace pumice::hip
