// SPDX-License-Identifier: MIT
// hsa_queue_*, hsa_amd_queue_*, profiling of dispatches.
#include "hsa/runtime.h"
#include <bit>

using namespace pumice;
using namespace pumice::hsa;

static_assert(sizeof(amd_queue_t) == sizeof(device::QueueHeader));
static_assert(offsetof(amd_queue_t, write_dispatch_id) ==
              offsetof(device::QueueHeader, write_index));
static_assert(offsetof(amd_queue_t, read_dispatch_id) == offsetof(device::QueueHeader, read_index));
static_assert(offsetof(amd_queue_t, group_segment_aperture_base_hi) ==
              offsetof(device::QueueHeader, group_aperture_hi));
static_assert(offsetof(amd_queue_t, queue_properties) == offsetof(device::QueueHeader, properties));
static_assert(offsetof(amd_queue_t, queue_inactive_signal) ==
              offsetof(device::QueueHeader, inactive_signal));
static_assert(sizeof(amd_signal_t) == sizeof(device::Signal));
static_assert(offsetof(amd_signal_t, value) == offsetof(device::Signal, value));
static_assert(offsetof(amd_signal_t, start_ts) == offsetof(device::Signal, start_ts));
static_assert(offsetof(amd_signal_t, queue_ptr) == offsetof(device::Signal, queue));
static_assert(offsetof(hsa_kernel_dispatch_packet_t, kernel_object) ==
              offsetof(device::KernelDispatchPacket, kernel_object));
static_assert(offsetof(hsa_kernel_dispatch_packet_t, completion_signal) ==
              offsetof(device::KernelDispatchPacket, completion));
static_assert(offsetof(hsa_barrier_and_packet_t, dep_signal) ==
              offsetof(device::BarrierPacket, dependency));
static_assert(offsetof(hsa_amd_barrier_value_packet_t, cond) ==
              offsetof(device::BarrierValuePacket, condition));

namespace {

constexpr hsa_status_t kBadArgument = HSA_STATUS_ERROR_INVALID_ARGUMENT;

device::Queue* queue_of(const hsa_queue_t* q) {
  return device::Queue::from_header(header_of(q));
}

hsa_status_t create_queue(Runtime& r, hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type,
                          void (*callback)(hsa_status_t, hsa_queue_t*, void*), void* data,
                          hsa_queue_t** queue) {
  Agent* a = r.agent(agent);
  if (!a)
    return HSA_STATUS_ERROR_INVALID_AGENT;
  if (!queue || !std::has_single_bit(size) || size > 131072 || type > HSA_QUEUE_TYPE_COOPERATIVE)
    return kBadArgument;
  if (!a->is_gpu())
    return HSA_STATUS_ERROR_INVALID_QUEUE_CREATION;
  auto header = std::make_shared<hsa_queue_t*>(nullptr);
  auto q = r.machine().create_queue(
      a->index, size, type,
      [callback, data, header](device::QueueError what, const device::FaultEvent& e) {
        if (callback)
          callback(to_hsa(what, e), *header, data);
      });
  if (!q)
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  *header = reinterpret_cast<hsa_queue_t*>(q->header());
  *queue = *header;
  return HSA_STATUS_SUCCESS;
}

} // namespace

extern "C" {

hsa_status_t HSA_API hsa_queue_create(hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type,
                                      void (*callback)(hsa_status_t, hsa_queue_t*, void*),
                                      void* data, uint32_t, uint32_t, hsa_queue_t** queue) {
  return api([&](Runtime& r) { return create_queue(r, agent, size, type, callback, data, queue); });
}

hsa_status_t HSA_API hsa_soft_queue_create(hsa_region_t, uint32_t, hsa_queue_type32_t, uint32_t,
                                           hsa_signal_t, hsa_queue_t**) {
  // Queues that the application itself processes: no agent dispatches to the host here.
  return api([](Runtime&) { return HSA_STATUS_ERROR_INVALID_QUEUE_CREATION; });
}

hsa_status_t HSA_API hsa_queue_destroy(hsa_queue_t* queue) {
  return api([&](Runtime& r) {
    if (!queue)
      return kBadArgument;
    device::Queue* q = queue_of(queue);
    if (!q)
      return HSA_STATUS_ERROR_INVALID_QUEUE;
    r.machine().destroy_queue(q);
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t HSA_API hsa_queue_inactivate(hsa_queue_t* queue) {
  return api([&](Runtime&) {
    if (!queue)
      return kBadArgument;
    device::Queue* q = queue_of(queue);
    if (!q)
      return HSA_STATUS_ERROR_INVALID_QUEUE;
    q->shut_down();
    return HSA_STATUS_SUCCESS;
  });
}

#define PUMICE_INDEX_LOAD(which, order)                                                            \
  uint64_t HSA_API hsa_queue_load_##which##_index_##order(const hsa_queue_t* queue) {              \
    return header_of(queue)->which##_index.load(std::memory_order_acquire);                        \
  }
#define PUMICE_INDEX_STORE(which, order)                                                           \
  void HSA_API hsa_queue_store_##which##_index_##order(const hsa_queue_t* queue, uint64_t value) { \
    header_of(queue)->which##_index.store(value, std::memory_order_release);                       \
  }
PUMICE_INDEX_LOAD(read, scacquire)
PUMICE_INDEX_LOAD(read, acquire)
PUMICE_INDEX_LOAD(read, relaxed)
PUMICE_INDEX_LOAD(write, scacquire)
PUMICE_INDEX_LOAD(write, acquire)
PUMICE_INDEX_LOAD(write, relaxed)
PUMICE_INDEX_STORE(read, screlease)
PUMICE_INDEX_STORE(read, release)
PUMICE_INDEX_STORE(read, relaxed)
PUMICE_INDEX_STORE(write, screlease)
PUMICE_INDEX_STORE(write, release)
PUMICE_INDEX_STORE(write, relaxed)

#define PUMICE_INDEX_RMW(order)                                                                    \
  uint64_t HSA_API hsa_queue_add_write_index_##order(const hsa_queue_t* queue, uint64_t value) {   \
    return header_of(queue)->write_index.fetch_add(value, std::memory_order_acq_rel);              \
  }                                                                                                \
  uint64_t HSA_API hsa_queue_cas_write_index_##order(const hsa_queue_t* queue, uint64_t expected,  \
                                                     uint64_t value) {                             \
    header_of(queue)->write_index.compare_exchange_strong(expected, value,                         \
                                                          std::memory_order_acq_rel);              \
    return expected;                                                                               \
  }
PUMICE_INDEX_RMW(scacq_screl)
PUMICE_INDEX_RMW(acq_rel)
PUMICE_INDEX_RMW(scacquire)
PUMICE_INDEX_RMW(acquire)
PUMICE_INDEX_RMW(relaxed)
PUMICE_INDEX_RMW(screlease)
PUMICE_INDEX_RMW(release)

hsa_status_t HSA_API hsa_amd_queue_set_priority(hsa_queue_t* queue,
                                                hsa_amd_queue_priority_t priority) {
  return api([&](Runtime&) {
    if (!queue || priority > HSA_AMD_QUEUE_PRIORITY_HIGH)
      return kBadArgument;
    device::Queue* q = queue_of(queue);
    if (!q)
      return HSA_STATUS_ERROR_INVALID_QUEUE;
    q->set_priority(static_cast<int>(priority) - HSA_AMD_QUEUE_PRIORITY_NORMAL);
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t HSA_API hsa_amd_queue_cu_set_mask(const hsa_queue_t* queue, uint32_t num_cu_mask_count,
                                               const uint32_t* cu_mask) {
  return api([&](Runtime&) {
    device::Queue* q = queue ? queue_of(queue) : nullptr;
    if (!q)
      return HSA_STATUS_ERROR_INVALID_QUEUE;
    if (num_cu_mask_count % 32 || (num_cu_mask_count && !cu_mask))
      return kBadArgument;
    q->cu_mask.assign(cu_mask, cu_mask + num_cu_mask_count / 32);
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t HSA_API hsa_amd_queue_cu_get_mask(const hsa_queue_t* queue, uint32_t num_cu_mask_count,
                                               uint32_t* cu_mask) {
  return api([&](Runtime& r) {
    device::Queue* q = queue ? queue_of(queue) : nullptr;
    if (!q)
      return HSA_STATUS_ERROR_INVALID_QUEUE;
    if (!num_cu_mask_count || num_cu_mask_count % 32 || !cu_mask)
      return kBadArgument;
    uint32_t units = r.agent_of_heap(q->device())->device->profile.compute_units;
    for (uint32_t w = 0; w < num_cu_mask_count / 32; ++w) {
      uint32_t all = w * 32 >= units        ? 0
                     : units - w * 32 >= 32 ? UINT32_MAX
                                            : (1u << (units - w * 32)) - 1;
      cu_mask[w] = q->cu_mask.empty() ? all : w < q->cu_mask.size() ? q->cu_mask[w] & all : 0;
    }
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t HSA_API hsa_amd_queue_get_info(hsa_queue_t* queue,
                                            hsa_queue_info_attribute_t attribute, void* value) {
  return api([&](Runtime& r) {
    device::Queue* q = queue ? queue_of(queue) : nullptr;
    if (!q)
      return HSA_STATUS_ERROR_INVALID_QUEUE;
    if (!value)
      return kBadArgument;
    switch (attribute) {
    case HSA_AMD_QUEUE_INFO_AGENT:
      return put(value, handle(r.agent_of_heap(q->device())));
    case HSA_AMD_QUEUE_INFO_DOORBELL_ID:
      return put<uint64_t>(value, q->header()->id);
    }
    return kBadArgument;
  });
}

hsa_status_t HSA_API hsa_amd_profiling_set_profiler_enabled(hsa_queue_t* queue, int enable) {
  return api([&](Runtime&) {
    device::Queue* q = queue ? queue_of(queue) : nullptr;
    if (!q)
      return HSA_STATUS_ERROR_INVALID_QUEUE;
    q->set_profiling(enable != 0);
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t HSA_API hsa_amd_profiling_get_dispatch_time(hsa_agent_t agent, hsa_signal_t signal,
                                                         hsa_amd_profiling_dispatch_time_t* time) {
  return api([&](Runtime& r) {
    Agent* a = r.agent(agent);
    if (!a || !a->is_gpu())
      return HSA_STATUS_ERROR_INVALID_AGENT;
    device::Signal* s = signal_of(signal);
    if (!device::is_signal(s))
      return HSA_STATUS_ERROR_INVALID_SIGNAL;
    if (!time)
      return kBadArgument;
    *time = {s->start_ts, s->end_ts};
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t HSA_API hsa_amd_profiling_async_copy_enable(bool) {
  return api([](Runtime&) { return HSA_STATUS_SUCCESS; }); // copies always leave their times
}

hsa_status_t HSA_API hsa_amd_profiling_get_async_copy_time(
    hsa_signal_t signal, hsa_amd_profiling_async_copy_time_t* time) {
  return api([&](Runtime&) {
    device::Signal* s = signal_of(signal);
    if (!device::is_signal(s))
      return HSA_STATUS_ERROR_INVALID_SIGNAL;
    if (!time)
      return kBadArgument;
    *time = {s->start_ts, s->end_ts};
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t HSA_API hsa_amd_profiling_convert_tick_to_system_domain(hsa_agent_t agent,
                                                                     uint64_t agent_tick,
                                                                     uint64_t* system_tick) {
  return api([&](Runtime& r) {
    Agent* a = r.agent(agent);
    if (!a)
      return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!system_tick)
      return kBadArgument;
    *system_tick = a->is_gpu() ? agent_tick * 10 : agent_tick; // the device counts at 100 MHz
    return HSA_STATUS_SUCCESS;
  });
}

} // extern "C"
