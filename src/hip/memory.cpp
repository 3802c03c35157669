// SPDX-License-Identifier: MIT
#include "hip/memory.h"
#include "hip/runtime.h"
#include <vector>

namespace pumice::hip {
namespace {

void give_access(void* p) {
  std::vector<hsa_agent_t> agents;
  for (const auto& d : Runtime::get().devices)
    agents.push_back(d->agent());
  hsa().hsa_amd_agents_allow_access(static_cast<uint32_t>(agents.size()), agents.data(), nullptr,
                                    p);
}

hipError_t allocate(hsa_amd_memory_pool_t pool, size_t bytes, void** out) {
  hsa_status_t s = hsa().hsa_amd_memory_pool_allocate(pool, bytes, 0, out);
  if (s == HSA_STATUS_SUCCESS)
    return hipSuccess;
  // Pools answer "too large" in several ways.
  return s == HSA_STATUS_ERROR_INVALID_ALLOCATION || s == HSA_STATUS_ERROR_INVALID_ARGUMENT ||
                 s == HSA_STATUS_ERROR_OUT_OF_RESOURCES
             ? hipErrorOutOfMemory
             : from_hsa(s);
}

} // namespace

hipError_t allocate_device(Device& device, size_t bytes, unsigned flags, void** out) {
  device.collect_freed(false);
  hipError_t e = allocate(device.device_pool(), bytes, out);
  if (e == hipErrorOutOfMemory) {
    device.collect_freed(true);
    e = allocate(device.device_pool(), bytes, out);
  }
  HIP_TRY(e);
  Allocation a;
  a.base = reinterpret_cast<uintptr_t>(*out);
  a.size = bytes;
  a.kind = MemoryKind::device;
  a.device = device.ordinal();
  a.flags = flags;
  memory_table().add(a);
  return hipSuccess;
}

hipError_t allocate_host(Device& device, size_t bytes, unsigned flags, MemoryKind kind,
                         void** out) {
  Runtime& rt = Runtime::get();
  bool coarse = (flags & hipHostMallocNonCoherent) && kind == MemoryKind::host;
  HIP_TRY(allocate(coarse ? rt.host_coarse : rt.host_fine, bytes, out));
  give_access(*out);
  Allocation a;
  a.base = reinterpret_cast<uintptr_t>(*out);
  a.size = bytes;
  a.kind = kind;
  a.device = device.ordinal();
  a.flags = flags;
  a.device_pointer = *out;
  memory_table().add(a);
  return hipSuccess;
}

hipError_t release_memory(void* p) {
  auto a = memory_table().find(p);
  if (!a || a->base != reinterpret_cast<uintptr_t>(p) || a->kind == MemoryKind::registered ||
      a->kind == MemoryKind::symbol)
    return hipErrorInvalidValue;
  memory_table().remove(p);
  return from_hsa(hsa().hsa_amd_memory_pool_free(p));
}

void* allocate_device_slab(Device& device, size_t bytes) {
  constexpr size_t kAlign = 2u << 20;
  void* p = nullptr;
  if (bytes < kAlign) {
    if (allocate_device(device, bytes, 0, &p) != hipSuccess)
      return nullptr;
    return p;
  }
  // Keep what HSA aligned well; otherwise over-allocate. Slabs are rarely returned, so the head is
  // no loss.
  if (allocate_device(device, bytes, 0, &p) != hipSuccess)
    return nullptr;
  if (reinterpret_cast<uintptr_t>(p) % kAlign == 0)
    return p;
  (void)release_memory(p);
  if (allocate_device(device, bytes + kAlign, 0, &p) != hipSuccess)
    return nullptr;
  return reinterpret_cast<void*>((reinterpret_cast<uintptr_t>(p) + kAlign - 1) &
                                 ~(uintptr_t{kAlign} - 1));
}

void memory_info(Device& device, size_t* free_bytes, size_t* total_bytes) {
  size_t total = device.properties().totalGlobalMem;
  size_t used = memory_table().bytes(device.ordinal(), MemoryKind::device);
  size_t available = total > used ? total - used : 0;
  uint64_t reported = 0;
  if (hsa().hsa_agent_get_info(device.agent(),
                               static_cast<hsa_agent_info_t>(HSA_AMD_AGENT_INFO_MEMORY_AVAIL),
                               &reported) == HSA_STATUS_SUCCESS &&
      reported != 0 && reported <= total)
    available = reported;
  if (free_bytes)
    *free_bytes = available;
  if (total_bytes)
    *total_bytes = total;
}

} // namespace pumice::hip
