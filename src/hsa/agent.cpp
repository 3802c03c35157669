// SPDX-License-Identifier: MIT
// hsa_iterate_agents, hsa_agent_*, hsa_cache_*.
#include "hsa/runtime.h"
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <thread>

using namespace pumice;
using namespace pumice::hsa;

namespace {

constexpr hsa_status_t kBadArgument = HSA_STATUS_ERROR_INVALID_ARGUMENT;

uint32_t bdf(const Agent& a) {
  return a.is_gpu() ? device::pci_bus(a.index) << 8 : 0;
}

std::string uuid(const Agent& a) {
  // Stable per device index: tools use it to tell devices apart across runs.
  return a.is_gpu() ? device::uuid_text(a.index) : "CPU-XX";
}

hsa_status_t core_info(const Agent& a, hsa_agent_info_t attribute, void* value) {
  bool gpu = a.is_gpu();
  const device::Profile* p = gpu ? &a.device->profile : nullptr;
  switch (attribute) {
  case HSA_AGENT_INFO_NAME:
    return put_text(value, a.name, 64);
  case HSA_AGENT_INFO_VENDOR_NAME:
    return put_text(value, gpu ? "AMD" : "CPU", 64);
  case HSA_AGENT_INFO_FEATURE:
    return put(value,
               gpu ? HSA_AGENT_FEATURE_KERNEL_DISPATCH : static_cast<hsa_agent_feature_t>(0));
  case HSA_AGENT_INFO_MACHINE_MODEL:
    return put(value, HSA_MACHINE_MODEL_LARGE);
  case HSA_AGENT_INFO_PROFILE:
    return put(value, gpu ? HSA_PROFILE_BASE : HSA_PROFILE_FULL);
  case HSA_AGENT_INFO_DEFAULT_FLOAT_ROUNDING_MODE:
  case HSA_AGENT_INFO_BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES:
    return put(value, HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR);
  case HSA_AGENT_INFO_FAST_F16_OPERATION:
    return put(value, gpu);
  case HSA_AGENT_INFO_WAVEFRONT_SIZE:
    return put<uint32_t>(value, gpu ? p->wavefront_size : 0);
  case HSA_AGENT_INFO_WORKGROUP_MAX_DIM: {
    uint16_t n = gpu ? 1024 : 0, dims[3] = {n, n, n};
    std::memcpy(value, dims, sizeof dims);
    return HSA_STATUS_SUCCESS;
  }
  case HSA_AGENT_INFO_WORKGROUP_MAX_SIZE:
    return put<uint32_t>(value, gpu ? 1024 : 0);
  case HSA_AGENT_INFO_GRID_MAX_DIM: {
    uint32_t n = gpu ? UINT32_MAX : 0;
    return put(value, hsa_dim3_t{n, n, n});
  }
  case HSA_AGENT_INFO_GRID_MAX_SIZE:
    return put<uint32_t>(value, gpu ? UINT32_MAX : 0);
  case HSA_AGENT_INFO_FBARRIER_MAX_SIZE:
    return put<uint32_t>(value, gpu ? 32 : 0);
  case HSA_AGENT_INFO_QUEUES_MAX:
    return put<uint32_t>(value, gpu ? p->max_queues : 0);
  case HSA_AGENT_INFO_QUEUE_MIN_SIZE:
    return put<uint32_t>(value, gpu ? 64 : 0);
  case HSA_AGENT_INFO_QUEUE_MAX_SIZE:
    return put<uint32_t>(value, gpu ? 131072 : 0);
  case HSA_AGENT_INFO_QUEUE_TYPE:
    return put(value, HSA_QUEUE_TYPE_MULTI);
  case HSA_AGENT_INFO_NODE:
    return put(value, a.node);
  case HSA_AGENT_INFO_DEVICE:
    return put(value, gpu ? HSA_DEVICE_TYPE_GPU : HSA_DEVICE_TYPE_CPU);
  case HSA_AGENT_INFO_CACHE_SIZE: {
    uint32_t sizes[4] = {};
    for (const auto& c : a.caches)
      sizes[c->level - 1] = c->bytes;
    std::memcpy(value, sizes, sizeof sizes);
    return HSA_STATUS_SUCCESS;
  }
  case HSA_AGENT_INFO_ISA:
    return put(value, handle(a.isa));
  case HSA_AGENT_INFO_EXTENSIONS:
    std::memset(value, 0, 128);
    hsa_flag_set64(static_cast<uint8_t*>(value), HSA_EXTENSION_AMD_LOADER);
    return HSA_STATUS_SUCCESS;
  case HSA_AGENT_INFO_VERSION_MAJOR:
    return put<uint16_t>(value, 1);
  case HSA_AGENT_INFO_VERSION_MINOR:
    return put<uint16_t>(value, 1);
  default:
    return kBadArgument;
  }
}

uint32_t cpu_max_mhz() {
  std::ifstream f("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq");
  if (uint32_t khz = 0; f >> khz)
    return khz / 1000;
  std::ifstream info("/proc/cpuinfo"); // virtual machines have no cpufreq
  for (std::string line; std::getline(info, line);)
    if (line.rfind("cpu MHz", 0) == 0 && line.find(": ") != std::string::npos)
      return static_cast<uint32_t>(std::strtod(line.c_str() + line.find(": ") + 2, nullptr));
  return 0;
}

hsa_status_t cpu_info(Runtime& r, const Agent& a, uint32_t attribute, void* value) {
  switch (attribute) {
  case HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT:
    return put<uint32_t>(value, std::thread::hardware_concurrency());
  case HSA_AMD_AGENT_INFO_CACHELINE_SIZE:
    return put<uint32_t>(value, 64);
  case HSA_AMD_AGENT_INFO_MAX_CLOCK_FREQUENCY:
    return put(value, cpu_max_mhz());
  case HSA_AMD_AGENT_INFO_MEMORY_AVAIL: {
    device::HeapUsage u = r.machine().memory().usage(device::kHostHeap);
    return put<uint64_t>(value, u.total - std::min(u.total, u.used));
  }
  case HSA_AMD_AGENT_INFO_TIMESTAMP_FREQUENCY:
    return put<uint64_t>(value, 1'000'000'000);
  case HSA_AMD_AGENT_INFO_DRIVER_NODE_ID:
    return put(value, a.node);
  case HSA_AMD_AGENT_INFO_PRODUCT_NAME:
    return put_text(value, a.product, 64);
  case HSA_AMD_AGENT_INFO_UUID:
    return put_text(value, uuid(a), 21);
  case HSA_AMD_AGENT_INFO_NEAREST_CPU:
    return put(value, handle(&a));
  case HSA_AMD_AGENT_INFO_HDP_FLUSH:
    return put(value, hsa_amd_hdp_flush_t{nullptr, nullptr});
  case HSA_AMD_AGENT_INFO_COOPERATIVE_QUEUES:
  case HSA_AMD_AGENT_INFO_SVM_DIRECT_HOST_ACCESS:
    return put(value, false);
  case HSA_AMD_AGENT_INFO_MEMORY_PROPERTIES:
  case HSA_AMD_AGENT_INFO_AQL_EXTENSIONS:
    return put<uint64_t>(value, 0);
  case HSA_AMD_AGENT_INFO_IOMMU_SUPPORT:
    return put(value, HSA_IOMMU_SUPPORT_NONE);
  default:
    if (attribute < HSA_AMD_AGENT_INFO_CHIP_ID || attribute > HSA_AMD_AGENT_INFO_AQL_EXTENSIONS)
      return kBadArgument;
    return put<uint32_t>(value, 0);
  }
}

hsa_status_t gpu_info(Runtime& r, const Agent& a, uint32_t attribute, void* value) {
  const device::Profile& p = a.device->profile;
  auto u32 = [value](uint32_t v) { return put(value, v); };
  switch (attribute) {
  case HSA_AMD_AGENT_INFO_CHIP_ID:
    return u32(p.chip_id);
  case HSA_AMD_AGENT_INFO_CACHELINE_SIZE:
    return u32(p.cacheline_bytes);
  case HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT:
    return u32(p.compute_units);
  case HSA_AMD_AGENT_INFO_COOPERATIVE_COMPUTE_UNIT_COUNT:
    return u32(p.compute_units);
  case HSA_AMD_AGENT_INFO_MAX_CLOCK_FREQUENCY:
    return u32(p.max_clock_mhz);
  case HSA_AMD_AGENT_INFO_DRIVER_NODE_ID:
    return u32(a.node);
  case HSA_AMD_AGENT_INFO_MAX_ADDRESS_WATCH_POINTS:
    return u32(4);
  case HSA_AMD_AGENT_INFO_BDFID:
    return u32(bdf(a));
  case HSA_AMD_AGENT_INFO_DOMAIN:
    return u32(0);
  case HSA_AMD_AGENT_INFO_MEMORY_WIDTH:
    return u32(p.memory_bus_bits);
  case HSA_AMD_AGENT_INFO_MEMORY_MAX_FREQUENCY:
    return u32(p.memory_clock_mhz);
  case HSA_AMD_AGENT_INFO_PRODUCT_NAME:
    return put_text(value, a.product, 64);
  case HSA_AMD_AGENT_INFO_MAX_WAVES_PER_CU:
    return u32(p.max_waves_per_cu);
  case HSA_AMD_AGENT_INFO_NUM_SIMDS_PER_CU:
    return u32(p.simds_per_cu);
  case HSA_AMD_AGENT_INFO_NUM_SHADER_ENGINES:
    return u32(p.shader_engines);
  case HSA_AMD_AGENT_INFO_NUM_SHADER_ARRAYS_PER_SE:
    return u32(p.shader_arrays_per_engine);
  case HSA_AMD_AGENT_INFO_HDP_FLUSH:
    return put(value, hsa_amd_hdp_flush_t{nullptr, nullptr});
  case HSA_AMD_AGENT_INFO_COOPERATIVE_QUEUES:
    return put(value, true);
  case HSA_AMD_AGENT_INFO_UUID:
    return put_text(value, uuid(a), 21);
  case HSA_AMD_AGENT_INFO_ASIC_REVISION:
    return u32(p.asic_revision);
  case HSA_AMD_AGENT_INFO_SVM_DIRECT_HOST_ACCESS:
    return put(value, true);
  case HSA_AMD_AGENT_INFO_MEMORY_AVAIL: {
    device::HeapUsage u = r.machine().memory().usage(a.index);
    return put<uint64_t>(value, u.total - std::min(u.total, u.used));
  }
  case HSA_AMD_AGENT_INFO_TIMESTAMP_FREQUENCY:
    return put<uint64_t>(value, 100'000'000);
  case HSA_AMD_AGENT_INFO_ASIC_FAMILY_ID:
    return u32(p.asic_family);
  case HSA_AMD_AGENT_INFO_UCODE_VERSION:
  case HSA_AMD_AGENT_INFO_SDMA_UCODE_VERSION:
    return u32(0);
  case HSA_AMD_AGENT_INFO_NUM_SDMA_ENG:
    return u32(p.sdma_engines);
  case HSA_AMD_AGENT_INFO_NUM_SDMA_XGMI_ENG:
    return u32(p.sdma_xgmi_engines);
  case HSA_AMD_AGENT_INFO_IOMMU_SUPPORT:
    return put(value, HSA_IOMMU_SUPPORT_NONE);
  case HSA_AMD_AGENT_INFO_NUM_XCC:
    return u32(p.xccs);
  case HSA_AMD_AGENT_INFO_DRIVER_UID:
    return u32(static_cast<uint32_t>(a.index));
  case HSA_AMD_AGENT_INFO_NEAREST_CPU:
    return put(value, handle(r.cpu()));
  case HSA_AMD_AGENT_INFO_MEMORY_PROPERTIES:
  case HSA_AMD_AGENT_INFO_AQL_EXTENSIONS:
    return put<uint64_t>(value, 0);
  default:
    return kBadArgument;
  }
}

hsa_status_t image_info(uint32_t, void* value) {
  return put<uint32_t>(value, 0);
} // no image hardware

} // namespace

extern "C" {

hsa_status_t HSA_API hsa_iterate_agents(hsa_status_t (*callback)(hsa_agent_t, void*), void* data) {
  return api([&](Runtime& r) {
    if (!callback)
      return kBadArgument;
    for (const auto& a : r.agents())
      if (hsa_status_t s = callback(handle(a.get()), data); s != HSA_STATUS_SUCCESS)
        return s;
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t HSA_API hsa_agent_get_info(hsa_agent_t agent, hsa_agent_info_t attribute,
                                        void* value) {
  return api([&](Runtime& r) {
    Agent* a = r.agent(agent);
    if (!a)
      return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!value)
      return kBadArgument;
    auto n = static_cast<uint32_t>(attribute);
    if (n >= HSA_AMD_AGENT_INFO_CHIP_ID)
      return a->is_gpu() ? gpu_info(r, *a, n, value) : cpu_info(r, *a, n, value);
    if (n >= HSA_EXT_AGENT_INFO_IMAGE_1D_MAX_ELEMENTS &&
        n <= HSA_EXT_AGENT_INFO_IMAGE_LINEAR_ROW_PITCH_ALIGNMENT)
      return image_info(n, value);
    return core_info(*a, attribute, value);
  });
}

hsa_status_t HSA_API hsa_agent_get_exception_policies(hsa_agent_t agent, hsa_profile_t profile,
                                                      uint16_t* mask) {
  return api([&](Runtime& r) {
    if (!r.agent(agent))
      return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!mask || (profile != HSA_PROFILE_BASE && profile != HSA_PROFILE_FULL))
      return kBadArgument;
    *mask = 0;
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t HSA_API hsa_agent_iterate_caches(hsa_agent_t agent,
                                              hsa_status_t (*callback)(hsa_cache_t, void*),
                                              void* data) {
  return api([&](Runtime& r) {
    Agent* a = r.agent(agent);
    if (!a)
      return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!callback)
      return kBadArgument;
    for (const auto& c : a->caches) {
      hsa_status_t s = callback({reinterpret_cast<uint64_t>(c.get())}, data);
      if (s != HSA_STATUS_SUCCESS)
        return s;
    }
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t HSA_API hsa_cache_get_info(hsa_cache_t cache, hsa_cache_info_t attribute,
                                        void* value) {
  return api([&](Runtime& r) {
    if (!value)
      return kBadArgument;
    for (const auto& a : r.agents())
      for (const auto& c : a->caches) {
        if (reinterpret_cast<uint64_t>(c.get()) != cache.handle)
          continue;
        switch (attribute) {
        case HSA_CACHE_INFO_NAME_LENGTH:
          return put(value, static_cast<uint32_t>(c->name.size() + 1));
        case HSA_CACHE_INFO_NAME:
          return put_text(value, c->name, c->name.size() + 1);
        case HSA_CACHE_INFO_LEVEL:
          return put(value, c->level);
        case HSA_CACHE_INFO_SIZE:
          return put(value, c->bytes);
        }
        return kBadArgument;
      }
    return HSA_STATUS_ERROR_INVALID_CACHE;
  });
}

hsa_status_t HSA_API hsa_agent_major_extension_supported(uint16_t extension, hsa_agent_t agent,
                                                         uint16_t version_major,
                                                         uint16_t* version_minor, bool* result) {
  return api([&](Runtime& r) {
    if (!r.agent(agent))
      return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!result || !version_minor)
      return kBadArgument;
    return hsa_system_major_extension_supported(extension, version_major, version_minor, result);
  });
}

hsa_status_t HSA_API hsa_agent_extension_supported(uint16_t extension, hsa_agent_t agent,
                                                   uint16_t version_major, uint16_t version_minor,
                                                   bool* result) {
  return api([&](Runtime& r) {
    if (!r.agent(agent))
      return HSA_STATUS_ERROR_INVALID_AGENT;
    return hsa_system_extension_supported(extension, version_major, version_minor, result);
  });
}

hsa_status_t HSA_API hsa_amd_coherency_get_type(hsa_agent_t agent, hsa_amd_coherency_type_t* type) {
  return api([&](Runtime& r) {
    if (!r.agent(agent))
      return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!type)
      return kBadArgument;
    *type = HSA_AMD_COHERENCY_TYPE_COHERENT;
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t HSA_API hsa_amd_coherency_set_type(hsa_agent_t agent, hsa_amd_coherency_type_t type) {
  return api([&](Runtime& r) {
    if (!r.agent(agent))
      return HSA_STATUS_ERROR_INVALID_AGENT;
    // All memory is coherent here; asking for less is granted.
    return type == HSA_AMD_COHERENCY_TYPE_COHERENT || type == HSA_AMD_COHERENCY_TYPE_NONCOHERENT
               ? HSA_STATUS_SUCCESS
               : kBadArgument;
  });
}

hsa_status_t HSA_API hsa_amd_agent_set_async_scratch_limit(hsa_agent_t agent, size_t) {
  return api([&](Runtime& r) {
    return r.agent(agent) ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_AGENT;
  });
}

} // extern "C"
