// SPDX-License-Identifier: MIT
#include "hip/kernel.h"
#include "hip/device.h"
#include "hip/runtime.h"
#include "hsa/amd_hsa_queue.h"
#include <algorithm>
#include <cstring>

namespace pumice::hip {
namespace {
// What the device library's grid barrier expects behind hidden_multigrid_sync_arg. One grid: the
// words w0 and w1 are its barrier, num_wg says how many workgroups meet.
struct GridSync {
  void* multi = nullptr;
  uint32_t grid_id = 0;
  uint32_t num_grids = 1;
  uint64_t previous_sum = 0;
  uint64_t all_sum = 0;
  uint32_t w0 = 0, w1 = 0;
  uint32_t num_wg = 0;
  uint32_t reserved = 0;
};
constexpr uint32_t kLdsBytes = 65536;
} // namespace

Kernel::Hidden Kernel::hidden_kind(const std::string& value_kind) {
  static const std::pair<const char*, Hidden> kKinds[] = {
      {"hidden_block_count_x", Hidden::block_count_x},
      {"hidden_block_count_y", Hidden::block_count_y},
      {"hidden_block_count_z", Hidden::block_count_z},
      {"hidden_group_size_x", Hidden::group_size_x},
      {"hidden_group_size_y", Hidden::group_size_y},
      {"hidden_group_size_z", Hidden::group_size_z},
      {"hidden_remainder_x", Hidden::remainder_x},
      {"hidden_remainder_y", Hidden::remainder_y},
      {"hidden_remainder_z", Hidden::remainder_z},
      {"hidden_global_offset_x", Hidden::global_offset_x},
      {"hidden_global_offset_y", Hidden::global_offset_y},
      {"hidden_global_offset_z", Hidden::global_offset_z},
      {"hidden_grid_dims", Hidden::grid_dims},
      {"hidden_printf_buffer", Hidden::printf_buffer},
      {"hidden_hostcall_buffer", Hidden::hostcall_buffer},
      {"hidden_default_queue", Hidden::default_queue},
      {"hidden_completion_action", Hidden::completion_action},
      {"hidden_multigrid_sync_arg", Hidden::multigrid_sync_arg},
      {"hidden_heap_v1", Hidden::heap_v1},
      {"hidden_dynamic_lds_size", Hidden::dynamic_lds_size},
      {"hidden_private_base", Hidden::private_base},
      {"hidden_shared_base", Hidden::shared_base},
      {"hidden_queue_ptr", Hidden::queue_ptr},
  };
  for (const auto& [text, kind] : kKinds)
    if (value_kind == text)
      return kind;
  return Hidden::none;
}

Kernel::Kernel(Device& device, const codeobj::KernelMetadata& metadata, uint64_t object,
               uint32_t group_bytes, uint32_t private_bytes, uint32_t argument_bytes)
    : device_(device), metadata_(metadata), object_(object), group_bytes_(group_bytes),
      private_bytes_(private_bytes),
      argument_bytes_(std::max(argument_bytes, metadata.kernarg_size)) {
  for (const codeobj::KernelArg& a : metadata_.args) {
    if (!a.hidden()) {
      explicit_.push_back({a.offset, a.size, Hidden::none});
      explicit_bytes_ = std::max<size_t>(explicit_bytes_, a.offset + a.size);
      continue;
    }
    Hidden h = hidden_kind(a.value_kind);
    if (h == Hidden::none)
      continue;
    uses_hostcall_ |= h == Hidden::hostcall_buffer;
    uses_heap_ |= h == Hidden::heap_v1;
    uses_grid_sync_ |= h == Hidden::multigrid_sync_arg;
    hidden_.push_back({a.offset, a.size, h});
  }
  for (const Slot& s : explicit_)
    argument_bytes_ = std::max<size_t>(argument_bytes_, s.offset + s.size);
  for (const Slot& s : hidden_)
    argument_bytes_ = std::max<size_t>(argument_bytes_, s.offset + s.size);
  if (uses_grid_sync_) {
    sync_offset_ = (argument_bytes_ + 63) & ~size_t{63};
    argument_bytes_ = sync_offset_ + sizeof(GridSync);
  }
}

unsigned Kernel::max_threads() const {
  unsigned limit = metadata_.max_flat_workgroup_size ? metadata_.max_flat_workgroup_size : 1024;
  return std::min(limit, 1024u);
}

unsigned Kernel::max_blocks_per_unit(unsigned threads, size_t dynamic_lds) const {
  if (threads == 0 || threads > max_threads())
    return 0;
  // CDNA2/3: four SIMDs per unit, 8 waves each, 512 registers per lane (arch and acc together, in
  // steps of 8).
  unsigned waves = (threads + 63) / 64;
  unsigned registers = ((metadata_.vgpr_count + 7) / 8) * 8;
  unsigned per_simd = registers ? std::min(8u, 512u / registers) : 8u;
  unsigned blocks = per_simd * 4 / waves;
  size_t lds = group_bytes_ + dynamic_lds;
  if (lds > kLdsBytes)
    return 0;
  if (lds)
    blocks =
        std::min<unsigned>(blocks, static_cast<unsigned>(kLdsBytes / ((lds + 511) / 512 * 512)));
  return std::min(blocks, 32u);
}

hipError_t Kernel::dispatch_params(const LaunchParams& l, DispatchParams& d) const {
  uint64_t threads = 1;
  for (int i = 0; i < 3; ++i) {
    if (l.threads[i] == 0 || l.threads[i] > 1024)
      return hipErrorInvalidConfiguration;
    threads *= l.threads[i];
    uint64_t items = l.work_items[0] ? l.work_items[i] : uint64_t{l.blocks[i]} * l.threads[i];
    if (items == 0 || items > UINT32_MAX)
      return hipErrorInvalidConfiguration;
    d.grid[i] = static_cast<uint32_t>(items);
    d.workgroup[i] = static_cast<uint16_t>(l.threads[i]);
  }
  if (threads > 1024)
    return hipErrorInvalidConfiguration;
  if (threads > max_threads()) {
    log_warning("kernel " + name() + " is compiled for at most " + std::to_string(max_threads()) +
                " threads per block (__launch_bounds__), launched with " + std::to_string(threads));
    return hipErrorLaunchFailure;
  }
  uint64_t lds = uint64_t{group_bytes_} + l.dynamic_lds;
  if (lds > kLdsBytes)
    return hipErrorInvalidValue;
  if (l.cooperative) {
    uint64_t blocks = uint64_t{l.blocks[0]} * l.blocks[1] * l.blocks[2];
    uint64_t fit = uint64_t{max_blocks_per_unit(static_cast<unsigned>(threads), l.dynamic_lds)} *
                   static_cast<uint64_t>(device_.properties().multiProcessorCount);
    if (blocks > fit)
      return hipErrorCooperativeLaunchTooLarge;
  }
  d.kernel_object = object_;
  d.dimensions = d.grid[2] > 1 || d.workgroup[2] > 1   ? 3
                 : d.grid[1] > 1 || d.workgroup[1] > 1 ? 2
                                                       : 1;
  d.group_bytes = static_cast<uint32_t>(lds);
  d.private_bytes = private_bytes_;
  return hipSuccess;
}

void Kernel::pack(void** args, uint8_t* out) const {
  for (size_t i = 0; i < explicit_.size(); ++i)
    std::memcpy(out + explicit_[i].offset, args[i], explicit_[i].size);
}

void Kernel::write_arguments(const LaunchParams& l, const DispatchParams& d, uint8_t* out,
                             const Queue& queue, void* hostcall_buffer, void* heap) const {
  std::memset(out, 0, argument_bytes_);
  if (l.packed)
    std::memcpy(out, l.packed, std::min(l.packed_bytes, argument_bytes_));
  else if (l.args)
    pack(l.args, out);

  const auto* q = reinterpret_cast<const amd_queue_t*>(queue.handle());
  GridSync* sync = nullptr;
  if (uses_grid_sync_ && l.cooperative) {
    sync = new (out + sync_offset_) GridSync;
    sync->num_wg = l.blocks[0] * l.blocks[1] * l.blocks[2];
  }
  for (const Slot& s : hidden_) {
    uint64_t v = 0;
    switch (s.hidden) {
    case Hidden::block_count_x:
      v = d.grid[0] / d.workgroup[0];
      break;
    case Hidden::block_count_y:
      v = d.grid[1] / d.workgroup[1];
      break;
    case Hidden::block_count_z:
      v = d.grid[2] / d.workgroup[2];
      break;
    case Hidden::group_size_x:
      v = d.workgroup[0];
      break;
    case Hidden::group_size_y:
      v = d.workgroup[1];
      break;
    case Hidden::group_size_z:
      v = d.workgroup[2];
      break;
    case Hidden::remainder_x:
      v = d.grid[0] % d.workgroup[0];
      break;
    case Hidden::remainder_y:
      v = d.grid[1] % d.workgroup[1];
      break;
    case Hidden::remainder_z:
      v = d.grid[2] % d.workgroup[2];
      break;
    case Hidden::grid_dims:
      v = d.dimensions;
      break;
    case Hidden::hostcall_buffer:
      v = reinterpret_cast<uintptr_t>(hostcall_buffer);
      break;
    case Hidden::multigrid_sync_arg:
      v = reinterpret_cast<uintptr_t>(sync);
      break;
    case Hidden::heap_v1:
      v = reinterpret_cast<uintptr_t>(heap);
      break;
    case Hidden::dynamic_lds_size:
      v = l.dynamic_lds;
      break;
    case Hidden::private_base:
      v = q->private_segment_aperture_base_hi;
      break;
    case Hidden::shared_base:
      v = q->group_segment_aperture_base_hi;
      break;
    case Hidden::queue_ptr:
      v = reinterpret_cast<uintptr_t>(q);
      break;
    default:
      break; // offsets are zero in HIP; no device-side enqueue, no buffered printf
    }
    std::memcpy(out + s.offset, &v, std::min<uint32_t>(s.size, 8));
  }
}

} // namespace pumice::hip
