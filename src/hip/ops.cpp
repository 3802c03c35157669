// SPDX-License-Identifier: MIT
#include "hip/ops.h"
#include "hip/device.h"
#include "hip/event.h"
#include "hip/memory.h"
#include "hip/runtime.h"
#include <cstring>

namespace pumice::hip {

hsa_agent_t agent_of(const void* p, bool* pageable) {
  Runtime& rt = Runtime::get();
  auto a = memory_table().find(p);
  if (pageable)
    *pageable = !a;
  if (!a || a->host_side() || a->kind == MemoryKind::managed)
    return rt.cpu_agent;
  return rt.devices[static_cast<size_t>(a->device)]->agent();
}

hipError_t copy_now(const CopyRegion& r) {
  auto row = [](void* d, const void* s, size_t n) {
    return from_hsa(hsa().hsa_memory_copy(d, s, n));
  };
  if (r.bytes() == 0)
    return hipSuccess;
  if (r.contiguous())
    return row(r.dst, r.src, r.bytes());
  for (size_t z = 0; z < r.depth; ++z)
    for (size_t y = 0; y < r.height; ++y)
      HIP_TRY(row(static_cast<uint8_t*>(r.dst) + z * r.dst_slice + y * r.dst_pitch,
                  static_cast<const uint8_t*>(r.src) + z * r.src_slice + y * r.src_pitch, r.width));
  return hipSuccess;
}

hipError_t copy_sync(Stream& stream, const CopyRegion& r) {
  HIP_TRY(stream.synchronize());
  return copy_now(r);
}

hipError_t fill_now(const FillRegion& r) {
  if (r.width == 0 || r.height == 0 || r.depth == 0)
    return hipSuccess;
  uint32_t word = r.element == 1   ? (r.value & 0xff) * 0x01010101u
                  : r.element == 2 ? (r.value & 0xffff) * 0x00010001u
                                   : r.value;
  auto row = [&](uint8_t* p, size_t n) -> hipError_t {
    uint8_t pattern[4];
    std::memcpy(pattern, &word, 4);
    // HSA fills whole aligned words; the ragged ends are small copies.
    size_t head = std::min<size_t>(n, (4 - (reinterpret_cast<uintptr_t>(p) & 3)) & 3);
    size_t phase = 0;
    uint8_t ends[4];
    if (head) {
      for (size_t i = 0; i < head; ++i)
        ends[i] = pattern[i & 3];
      HIP_TRY(from_hsa(hsa().hsa_memory_copy(p, ends, head)));
      p += head;
      n -= head;
      phase = head;
    }
    uint32_t shifted;
    uint8_t rotated[4];
    for (size_t i = 0; i < 4; ++i)
      rotated[i] = pattern[(phase + i) & 3];
    std::memcpy(&shifted, rotated, 4);
    if (n >= 4) {
      HIP_TRY(from_hsa(hsa().hsa_amd_memory_fill(p, shifted, n / 4)));
      p += n / 4 * 4;
    }
    if (size_t tail = n & 3)
      HIP_TRY(from_hsa(hsa().hsa_memory_copy(p, rotated, tail)));
    return hipSuccess;
  };
  auto* base = static_cast<uint8_t*>(r.dst);
  bool dense =
      (r.height == 1 || r.pitch == r.width) && (r.depth == 1 || r.slice == r.width * r.height);
  if (dense)
    return row(base, r.width * r.height * r.depth);
  for (size_t z = 0; z < r.depth; ++z)
    for (size_t y = 0; y < r.height; ++y)
      HIP_TRY(row(base + z * r.slice + y * r.pitch, r.width));
  return hipSuccess;
}

hipError_t CopyOp::run(Stream& stream) {
  HIP_CHECK_STICKY(stream.device());
  size_t bytes = region.bytes();
  if (bytes == 0)
    return hipSuccess;
  bool dst_pageable = false, src_pageable = false;
  hsa_agent_t dst_agent = agent_of(region.dst, &dst_pageable);
  hsa_agent_t src_agent = agent_of(region.src, &src_pageable);
  // Into pageable memory: the caller may read it right after, as on CUDA and ROCm.
  if (dst_pageable)
    return copy_sync(stream, region);
  if (src_pageable) {
    // From pageable memory: the caller may overwrite it right after. Small sources are staged.
    constexpr size_t kStaged = 64 << 10;
    if (bytes > kStaged || !region.contiguous())
      return copy_sync(stream, region);
    auto staged = std::make_shared<std::vector<uint8_t>>(bytes);
    std::memcpy(staged->data(), region.src, bytes);
    CopyRegion r = region;
    return stream.host_task([r, staged]() mutable {
      r.src = staged->data();
      (void)copy_now(r);
    });
  }
  if (region.contiguous())
    return stream.copy(region.dst, dst_agent, region.src, src_agent, bytes);
  CopyRegion r = region;
  return stream.host_task([r] { (void)copy_now(r); });
}

hipError_t FillOp::run(Stream& stream) {
  HIP_CHECK_STICKY(stream.device());
  FillRegion r = region;
  if (stream.idle())
    return fill_now(r);
  return stream.host_task([r] { (void)fill_now(r); });
}

hipError_t HostOp::run(Stream& stream) {
  auto f = fn;
  auto d = data;
  return stream.host_task([f, d] { f(d); });
}

KernelOp::KernelOp(const LaunchParams& p)
    : function(reinterpret_cast<hipFunction_t>(p.kernel)), launch(p) {
  if (p.packed) {
    auto* b = static_cast<const uint8_t*>(p.packed);
    arguments.assign(b, b + p.packed_bytes);
  } else {
    arguments.resize(p.kernel->explicit_bytes());
    if (p.args)
      p.kernel->pack(p.args, arguments.data());
  }
  launch.args = nullptr;
  launch.packed = arguments.data();
  launch.packed_bytes = arguments.size();
  launch.completion = nullptr;
}

hipError_t KernelOp::run(Stream& stream) {
  return stream.launch(launch);
}
hipError_t EventRecordOp::run(Stream& stream) {
  return event->record(stream);
}
hipError_t EventWaitOp::run(Stream& stream) {
  return stream.wait_for(event->completion());
}
hipError_t EmptyOp::run(Stream&) {
  return hipSuccess;
}
hipError_t AllocOp::run(Stream&) {
  return hipSuccess;
}
hipError_t FreeOp::run(Stream& stream) {
  stream.device().free_later(address, stream.mark());
  return hipSuccess;
}

} // namespace pumice::hip
