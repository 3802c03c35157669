// SPDX-License-Identifier: MIT
// Memory pools and regions, allocation, pointer queries, locking.
#include "hsa/registrations.h"
#include "hsa/runtime.h"
#include <algorithm>
#include <cstring>

using namespace pumice;
using namespace pumice::hsa;
using device::Allocation;

namespace {

constexpr hsa_status_t kBadArgument = HSA_STATUS_ERROR_INVALID_ARGUMENT;
constexpr hsa_status_t kBadPool = static_cast<hsa_status_t>(HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
constexpr size_t kGranule = 4096, kRecommendedGranule = 2 << 20;

bool is_global(const Pool& p) {
  return p.segment == HSA_AMD_SEGMENT_GLOBAL;
}

hsa_status_t pool_info(Runtime&, const Pool& p, hsa_amd_memory_pool_info_t attribute, void* value) {
  bool global = is_global(p);
  switch (attribute) {
  case HSA_AMD_MEMORY_POOL_INFO_SEGMENT:
    return put(value, p.segment);
  case HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS:
    return put(value, p.flags);
  case HSA_AMD_MEMORY_POOL_INFO_SIZE:
    return put<size_t>(value, p.size);
  case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED:
    return put(value, global);
  case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE:
    return put<size_t>(value, global ? kGranule : 0);
  case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALIGNMENT:
    return put<size_t>(value, global ? kGranule : 0);
  case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_REC_GRANULE:
    return put<size_t>(value, !global ? 0 : p.agent->is_gpu() ? kRecommendedGranule : kGranule);
  case HSA_AMD_MEMORY_POOL_INFO_ACCESSIBLE_BY_ALL:
    return put(value, global && !p.agent->is_gpu());
  case HSA_AMD_MEMORY_POOL_INFO_ALLOC_MAX_SIZE:
    return put<size_t>(value, global ? p.size : 0);
  case HSA_AMD_MEMORY_POOL_INFO_LOCATION:
    return put(value, p.agent->is_gpu() ? HSA_AMD_MEMORY_POOL_LOCATION_GPU
                                        : HSA_AMD_MEMORY_POOL_LOCATION_CPU);
  }
  return kBadArgument;
}

hsa_status_t region_info(const Pool& p, uint32_t attribute, void* value) {
  bool global = is_global(p);
  switch (attribute) {
  case HSA_REGION_INFO_SEGMENT:
    return put(value, static_cast<hsa_region_segment_t>(p.segment));
  case HSA_REGION_INFO_GLOBAL_FLAGS:
    return put(value, p.flags);
  case HSA_REGION_INFO_SIZE:
    return put<size_t>(value, p.size);
  case HSA_REGION_INFO_ALLOC_MAX_SIZE:
    return put<size_t>(value, global ? p.size : 0);
  case HSA_REGION_INFO_ALLOC_MAX_PRIVATE_WORKGROUP_SIZE:
    return put<uint32_t>(value, 0);
  case HSA_REGION_INFO_RUNTIME_ALLOC_ALLOWED:
    return put(value, global);
  case HSA_REGION_INFO_RUNTIME_ALLOC_GRANULE:
    return put<size_t>(value, global ? kGranule : 0);
  case HSA_REGION_INFO_RUNTIME_ALLOC_ALIGNMENT:
    return put<size_t>(value, global ? kGranule : 0);
  case HSA_AMD_REGION_INFO_HOST_ACCESSIBLE:
    return put(value, global);
  case HSA_AMD_REGION_INFO_BASE:
    return put<void*>(value, nullptr);
  case HSA_AMD_REGION_INFO_BUS_WIDTH:
    return put<uint32_t>(value, p.agent->is_gpu() ? p.agent->device->profile.memory_bus_bits : 64);
  case HSA_AMD_REGION_INFO_MAX_CLOCK_FREQUENCY:
    return put<uint32_t>(value, p.agent->is_gpu() ? p.agent->device->profile.memory_clock_mhz : 0);
  default:
    return kBadArgument;
  }
}

hsa_status_t allocate(Runtime& r, Pool* p, size_t size, void** out) {
  if (!size || !out)
    return kBadArgument;
  if (!is_global(*p))
    return HSA_STATUS_ERROR_INVALID_ALLOCATION;
  size_t rounded = (size + kGranule - 1) / kGranule * kGranule;
  if (rounded < size || rounded > p->size)
    return HSA_STATUS_ERROR_INVALID_ALLOCATION;
  auto m = r.machine().memory().allocate(p->heap, size, p->flags);
  if (!m.ok())
    return to_hsa(m.status());
  *out = *m;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t free_memory(Runtime& r, void* p) {
  if (!p)
    return HSA_STATUS_SUCCESS;
  return r.machine().memory().release(p).ok() ? HSA_STATUS_SUCCESS
                                              : HSA_STATUS_ERROR_INVALID_ALLOCATION;
}

hsa_amd_pointer_type_t pointer_type(Allocation::Kind k) {
  switch (k) {
  case Allocation::Kind::locked:
    return HSA_EXT_POINTER_TYPE_LOCKED;
  case Allocation::Kind::shared:
    return HSA_EXT_POINTER_TYPE_IPC;
  default:
    return HSA_EXT_POINTER_TYPE_HSA;
  }
}

hsa_status_t link_info(const Agent& a, const Pool& p, void* value) {
  if (&a == p.agent)
    return HSA_STATUS_SUCCESS; // no hops, nothing to fill
  hsa_amd_memory_pool_link_info_t link{};
  bool peers = a.is_gpu() && p.agent->is_gpu();
  link.atomic_support_32bit = link.atomic_support_64bit = true;
  link.coherent_support = true;
  link.link_type = peers ? HSA_AMD_LINK_INFO_TYPE_XGMI : HSA_AMD_LINK_INFO_TYPE_PCIE;
  link.numa_distance = peers ? 15 : 20;
  link.max_bandwidth = link.min_bandwidth = peers ? a.device->profile.xgmi_link_mbps : 64000;
  std::memcpy(value, &link, sizeof link);
  return HSA_STATUS_SUCCESS;
}

} // namespace

extern "C" {

hsa_status_t HSA_API hsa_amd_agent_iterate_memory_pools(
    hsa_agent_t agent, hsa_status_t (*callback)(hsa_amd_memory_pool_t, void*), void* data) {
  return api([&](Runtime& r) {
    Agent* a = r.agent(agent);
    if (!a)
      return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!callback)
      return kBadArgument;
    for (const auto& p : a->pools) {
      hsa_status_t s = callback({reinterpret_cast<uint64_t>(p.get())}, data);
      if (s != HSA_STATUS_SUCCESS)
        return s;
    }
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t HSA_API hsa_amd_memory_pool_get_info(hsa_amd_memory_pool_t memory_pool,
                                                  hsa_amd_memory_pool_info_t attribute,
                                                  void* value) {
  return api([&](Runtime& r) {
    Pool* p = r.pool(memory_pool.handle);
    if (!p)
      return kBadPool;
    return value ? pool_info(r, *p, attribute, value) : kBadArgument;
  });
}

hsa_status_t HSA_API hsa_amd_agent_memory_pool_get_info(hsa_agent_t agent,
                                                        hsa_amd_memory_pool_t memory_pool,
                                                        hsa_amd_agent_memory_pool_info_t attribute,
                                                        void* value) {
  return api([&](Runtime& r) {
    Agent* a = r.agent(agent);
    if (!a)
      return HSA_STATUS_ERROR_INVALID_AGENT;
    Pool* p = r.pool(memory_pool.handle);
    if (!p)
      return kBadPool;
    if (!value)
      return kBadArgument;
    bool own = p->agent == a;
    switch (attribute) {
    case HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS:
      if (!is_global(*p))
        return put(value, HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED);
      return put(value, own || !p->agent->is_gpu()
                            ? HSA_AMD_MEMORY_POOL_ACCESS_ALLOWED_BY_DEFAULT
                            : HSA_AMD_MEMORY_POOL_ACCESS_DISALLOWED_BY_DEFAULT);
    case HSA_AMD_AGENT_MEMORY_POOL_INFO_NUM_LINK_HOPS:
      return put<uint32_t>(value, own ? 0 : 1);
    case HSA_AMD_AGENT_MEMORY_POOL_INFO_LINK_INFO:
      return link_info(*a, *p, value);
    }
    return kBadArgument;
  });
}

hsa_status_t HSA_API hsa_amd_memory_pool_allocate(hsa_amd_memory_pool_t memory_pool, size_t size,
                                                  uint32_t, void** ptr) {
  return api([&](Runtime& r) {
    Pool* p = r.pool(memory_pool.handle);
    return p ? allocate(r, p, size, ptr) : kBadPool;
  });
}

hsa_status_t HSA_API hsa_amd_memory_pool_free(void* ptr) {
  return api([&](Runtime& r) { return free_memory(r, ptr); });
}

hsa_status_t HSA_API hsa_agent_iterate_regions(hsa_agent_t agent,
                                               hsa_status_t (*callback)(hsa_region_t, void*),
                                               void* data) {
  return api([&](Runtime& r) {
    Agent* a = r.agent(agent);
    if (!a)
      return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!callback)
      return kBadArgument;
    // Devices also see the host's regions.
    for (Agent* from : {a, a->is_gpu() ? r.cpu() : nullptr}) {
      if (!from)
        continue;
      for (const auto& p : from->pools) {
        hsa_status_t s = callback({reinterpret_cast<uint64_t>(p.get())}, data);
        if (s != HSA_STATUS_SUCCESS)
          return s;
      }
    }
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t HSA_API hsa_region_get_info(hsa_region_t region, hsa_region_info_t attribute,
                                         void* value) {
  return api([&](Runtime& r) {
    Pool* p = r.pool(region.handle);
    if (!p)
      return HSA_STATUS_ERROR_INVALID_REGION;
    return value ? region_info(*p, static_cast<uint32_t>(attribute), value) : kBadArgument;
  });
}

hsa_status_t HSA_API hsa_memory_allocate(hsa_region_t region, size_t size, void** ptr) {
  return api([&](Runtime& r) {
    Pool* p = r.pool(region.handle);
    return p ? allocate(r, p, size, ptr) : HSA_STATUS_ERROR_INVALID_REGION;
  });
}

hsa_status_t HSA_API hsa_memory_free(void* ptr) {
  return api([&](Runtime& r) { return free_memory(r, ptr); });
}

hsa_status_t HSA_API hsa_memory_assign_agent(void* ptr, hsa_agent_t agent,
                                             hsa_access_permission_t) {
  return api([&](Runtime& r) {
    if (!r.agent(agent))
      return HSA_STATUS_ERROR_INVALID_AGENT;
    return ptr ? HSA_STATUS_SUCCESS : kBadArgument;
  });
}

hsa_status_t HSA_API hsa_memory_register(void* ptr, size_t size) {
  return api([&](Runtime&) { return !ptr && size ? kBadArgument : HSA_STATUS_SUCCESS; });
}
hsa_status_t HSA_API hsa_memory_deregister(void*, size_t) {
  return api([](Runtime&) { return HSA_STATUS_SUCCESS; });
}

hsa_status_t HSA_API hsa_amd_agents_allow_access(uint32_t num_agents, const hsa_agent_t* agents,
                                                 const uint32_t* flags, const void* ptr) {
  return api([&](Runtime& r) {
    if (!num_agents || !agents || flags || !ptr)
      return kBadArgument;
    for (uint32_t i = 0; i < num_agents; ++i)
      if (!r.agent(agents[i]))
        return HSA_STATUS_ERROR_INVALID_AGENT;
    // Every device reaches every address; the call only has to name an allocation.
    return r.machine().memory().find(reinterpret_cast<uintptr_t>(ptr))
               ? HSA_STATUS_SUCCESS
               : HSA_STATUS_ERROR_INVALID_ALLOCATION;
  });
}

hsa_status_t HSA_API hsa_amd_memory_pool_can_migrate(hsa_amd_memory_pool_t src,
                                                     hsa_amd_memory_pool_t dst, bool* result) {
  return api([&](Runtime& r) {
    if (!r.pool(src.handle) || !r.pool(dst.handle))
      return kBadPool;
    if (!result)
      return kBadArgument;
    *result = false;
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES; // ROCm's answer, too
  });
}
hsa_status_t HSA_API hsa_amd_memory_migrate(const void*, hsa_amd_memory_pool_t, uint32_t) {
  return api([](Runtime&) { return HSA_STATUS_ERROR_OUT_OF_RESOURCES; });
}

hsa_status_t HSA_API hsa_amd_memory_lock(void* host_ptr, size_t size, hsa_agent_t* agents,
                                         int num_agent, void** agent_ptr) {
  return api([&](Runtime& r) {
    if (!host_ptr || !size || !agent_ptr || (agents && num_agent <= 0))
      return kBadArgument;
    for (int i = 0; agents && i < num_agent; ++i)
      if (!r.agent(agents[i]))
        return HSA_STATUS_ERROR_INVALID_AGENT;
    r.registrations().lock(host_ptr, size, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED);
    *agent_ptr = host_ptr;
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t HSA_API hsa_amd_memory_lock_to_pool(void* host_ptr, size_t size, hsa_agent_t* agents,
                                                 int num_agent, hsa_amd_memory_pool_t pool,
                                                 uint32_t flags, void** agent_ptr) {
  return api([&](Runtime& r) {
    Pool* p = r.pool(pool.handle);
    if (!p)
      return kBadPool;
    if (flags || p->agent->is_gpu())
      return kBadArgument;
    return hsa_amd_memory_lock(host_ptr, size, agents, num_agent, agent_ptr);
  });
}

hsa_status_t HSA_API hsa_amd_memory_unlock(void* host_ptr) {
  return api(
      [&](Runtime& r) { return host_ptr ? r.registrations().unlock(host_ptr) : kBadArgument; });
}

hsa_status_t HSA_API hsa_amd_pointer_info(const void* ptr, hsa_amd_pointer_info_t* info,
                                          void* (*alloc)(size_t), uint32_t* num_agents_accessible,
                                          hsa_agent_t** accessible) {
  return api([&](Runtime& r) {
    if (!ptr || !info || info->size < sizeof(uint32_t))
      return kBadArgument;
    hsa_amd_pointer_info_t full{};
    auto a = r.machine().memory().find(reinterpret_cast<uintptr_t>(ptr));
    if (a) {
      full.type = pointer_type(a->kind);
      full.agentBaseAddress = full.hostBaseAddress = reinterpret_cast<void*>(a->base);
      full.sizeInBytes = a->size;
      full.userData = a->user_data;
      full.agentOwner = handle(r.agent_of_heap(a->heap));
      full.global_flags = a->pool_flags;
    }
    // Callers built against older headers have a smaller structure.
    full.size = static_cast<uint32_t>(std::min<size_t>(info->size, sizeof full));
    std::memcpy(info, &full, full.size);
    if (!num_agents_accessible || !accessible || !alloc)
      return HSA_STATUS_SUCCESS;
    *num_agents_accessible = 0;
    *accessible = nullptr;
    if (!a)
      return HSA_STATUS_SUCCESS;
    auto* list = static_cast<hsa_agent_t*>(alloc(sizeof(hsa_agent_t) * r.agents().size()));
    if (!list)
      return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    for (const auto& agent : r.agents())
      list[(*num_agents_accessible)++] = handle(agent.get());
    *accessible = list;
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t HSA_API hsa_amd_pointer_info_set_userdata(const void* ptr, void* userdata) {
  return api([&](Runtime& r) {
    return to_hsa(r.machine().memory().set_user_data(reinterpret_cast<uintptr_t>(ptr), userdata));
  });
}

hsa_status_t HSA_API hsa_amd_register_deallocation_callback(
    void* ptr, hsa_amd_deallocation_callback_t callback, void* user_data) {
  return api([&](Runtime& r) {
    return ptr && callback ? r.registrations().add_deallocation(ptr, callback, user_data)
                           : kBadArgument;
  });
}
hsa_status_t HSA_API
hsa_amd_deregister_deallocation_callback(void* ptr, hsa_amd_deallocation_callback_t callback) {
  return api([&](Runtime& r) {
    return ptr && callback ? r.registrations().remove_deallocation(ptr, callback) : kBadArgument;
  });
}

hsa_status_t HSA_API hsa_amd_register_system_event_handler(hsa_amd_system_event_callback_t callback,
                                                           void* data) {
  return api([&](Runtime& r) { return r.registrations().set_event_handler(callback, data); });
}

} // extern "C"
