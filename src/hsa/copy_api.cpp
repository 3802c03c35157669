// SPDX-License-Identifier: MIT
// Copies and fills, synchronous and asynchronous.
#include "hsa/runtime.h"
#include <cstring>

using namespace pumice;
using namespace pumice::hsa;

namespace {

constexpr hsa_status_t kBadArgument = HSA_STATUS_ERROR_INVALID_ARGUMENT;

hsa_status_t submit(Runtime& r, std::function<bool()> work, size_t bytes, uint32_t dependencies,
                    const hsa_signal_t* signals, hsa_signal_t completion) {
  if ((dependencies != 0) != (signals != nullptr))
    return kBadArgument;
  if (!device::is_signal(signal_of(completion)))
    return HSA_STATUS_ERROR_INVALID_SIGNAL;
  device::CopyEngine::Job job;
  job.work = std::move(work);
  job.bytes = bytes;
  job.completion = signal_of(completion);
  for (uint32_t i = 0; i < dependencies; ++i) {
    if (!signals[i].handle)
      continue;
    if (!device::is_signal(signal_of(signals[i])))
      return HSA_STATUS_ERROR_INVALID_SIGNAL;
    job.dependencies.push_back(signal_of(signals[i]));
  }
  r.machine().copies().submit(std::move(job));
  return HSA_STATUS_SUCCESS;
}

struct Rect {
  hsa_pitched_ptr_t dst, src;
  hsa_dim3_t dst_offset, src_offset, range;
};

bool copy_rect(const Rect& c) {
  auto at = [](const hsa_pitched_ptr_t& p, const hsa_dim3_t& o, uint32_t y, uint32_t z) {
    return static_cast<char*>(p.base) + (o.z + size_t{z}) * p.slice + (o.y + size_t{y}) * p.pitch +
           o.x;
  };
  for (uint32_t z = 0; z < c.range.z; ++z)
    for (uint32_t y = 0; y < c.range.y; ++y)
      if (!device::guarded_copy(at(c.dst, c.dst_offset, y, z), at(c.src, c.src_offset, y, z),
                                c.range.x))
        return false;
  return true;
}

} // namespace

extern "C" {

hsa_status_t HSA_API hsa_memory_copy(void* dst, const void* src, size_t size) {
  return api([&](Runtime&) {
    if (!dst || !src)
      return kBadArgument;
    return device::guarded_copy(dst, src, size) ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR;
  });
}

hsa_status_t HSA_API hsa_amd_memory_fill(void* ptr, uint32_t value, size_t count) {
  return api([&](Runtime&) {
    if (!ptr || reinterpret_cast<uintptr_t>(ptr) % 4)
      return kBadArgument;
    return device::guarded_fill(ptr, value, count) ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR;
  });
}

hsa_status_t HSA_API hsa_amd_memory_async_copy(void* dst, hsa_agent_t dst_agent, const void* src,
                                               hsa_agent_t src_agent, size_t size,
                                               uint32_t num_dep_signals,
                                               const hsa_signal_t* dep_signals,
                                               hsa_signal_t completion_signal) {
  return api([&](Runtime& r) {
    Agent *to = r.agent(dst_agent), *from = r.agent(src_agent);
    if (!to || !from)
      return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!dst || !src)
      return kBadArgument;
    r.machine().telemetry().copied(from->index, to->index, size);
    return submit(
        r, [=] { return device::guarded_copy(dst, src, size); }, size, num_dep_signals, dep_signals,
        completion_signal);
  });
}

hsa_status_t HSA_API hsa_amd_memory_async_copy_on_engine(void* dst, hsa_agent_t dst_agent,
                                                         const void* src, hsa_agent_t src_agent,
                                                         size_t size, uint32_t num_dep_signals,
                                                         const hsa_signal_t* dep_signals,
                                                         hsa_signal_t completion_signal,
                                                         hsa_amd_sdma_engine_id_t, bool) {
  return hsa_amd_memory_async_copy(dst, dst_agent, src, src_agent, size, num_dep_signals,
                                   dep_signals, completion_signal);
}

hsa_status_t HSA_API hsa_amd_memory_async_copy_rect(
    const hsa_pitched_ptr_t* dst, const hsa_dim3_t* dst_offset, const hsa_pitched_ptr_t* src,
    const hsa_dim3_t* src_offset, const hsa_dim3_t* range, hsa_agent_t copy_agent,
    hsa_amd_copy_direction_t, uint32_t num_dep_signals, const hsa_signal_t* dep_signals,
    hsa_signal_t completion_signal) {
  return api([&](Runtime& r) {
    if (!dst || !src || !dst_offset || !src_offset || !range || !dst->base || !src->base)
      return kBadArgument;
    if (!r.agent(copy_agent))
      return HSA_STATUS_ERROR_INVALID_AGENT;
    Rect c{*dst, *src, *dst_offset, *src_offset, *range};
    size_t bytes = size_t{range->x} * range->y * range->z;
    return submit(
        r, [c] { return copy_rect(c); }, bytes, num_dep_signals, dep_signals, completion_signal);
  });
}

hsa_status_t HSA_API hsa_amd_memory_copy_engine_status(hsa_agent_t dst_agent, hsa_agent_t src_agent,
                                                       uint32_t* engine_ids_mask) {
  return api([&](Runtime& r) {
    Agent *d = r.agent(dst_agent), *s = r.agent(src_agent);
    if (!d || !s)
      return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!engine_ids_mask)
      return kBadArgument;
    Agent* gpu = d->is_gpu() ? d : s;
    *engine_ids_mask = gpu->is_gpu() ? (1u << gpu->device->profile.sdma_engines) - 1 : 0;
    return *engine_ids_mask ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  });
}

hsa_status_t HSA_API hsa_amd_memory_get_preferred_copy_engine(hsa_agent_t dst_agent,
                                                              hsa_agent_t src_agent,
                                                              uint32_t* recommended_ids_mask) {
  return hsa_amd_memory_copy_engine_status(dst_agent, src_agent, recommended_ids_mask);
}

// Every host address is a device address, so attributes are accepted and prefetching has nothing to
// move.
hsa_status_t HSA_API hsa_amd_svm_prefetch_async(void* ptr, size_t size, hsa_agent_t agent,
                                                uint32_t num_dep_signals,
                                                const hsa_signal_t* dep_signals,
                                                hsa_signal_t completion_signal) {
  return api([&](Runtime& r) {
    if (!r.agent(agent))
      return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!ptr || !size)
      return kBadArgument;
    if (!completion_signal.handle)
      return HSA_STATUS_SUCCESS;
    return submit(r, [] { return true; }, 0, num_dep_signals, dep_signals, completion_signal);
  });
}

hsa_status_t HSA_API hsa_amd_svm_attributes_set(void* ptr, size_t size,
                                                hsa_amd_svm_attribute_pair_t* attribute_list,
                                                size_t attribute_count) {
  return api([&](Runtime&) {
    return ptr && size && (attribute_list || !attribute_count) ? HSA_STATUS_SUCCESS : kBadArgument;
  });
}

hsa_status_t HSA_API hsa_amd_svm_attributes_get(void* ptr, size_t size,
                                                hsa_amd_svm_attribute_pair_t* attribute_list,
                                                size_t attribute_count) {
  return api([&](Runtime& r) {
    if (!ptr || !size || (!attribute_list && attribute_count))
      return kBadArgument;
    for (size_t i = 0; i < attribute_count; ++i) {
      hsa_amd_svm_attribute_pair_t& a = attribute_list[i];
      switch (a.attribute) {
      case HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG:
        a.value = HSA_AMD_SVM_GLOBAL_FLAG_FINE_GRAINED;
        break;
      case HSA_AMD_SVM_ATTRIB_ACCESS_QUERY:
        a.attribute = HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE;
        break;
      case HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION:
      case HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION:
        a.value = handle(r.cpu()).handle;
        break;
      default:
        a.value = 0;
      }
    }
    return HSA_STATUS_SUCCESS;
  });
}

} // extern "C"
