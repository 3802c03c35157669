// SPDX-License-Identifier: MIT
#include "hsa/registrations.h"
#include <algorithm>

namespace pumice::hsa {

Registrations::Registrations(Runtime& r) : runtime_(r) {
  r.machine().set_fault_listener([this](const device::FaultEvent& e) { on_fault(e); });
  r.machine().memory().on_release([this](const device::Allocation& a) { on_release(a); });
}

hsa_status_t Registrations::set_event_handler(hsa_amd_system_event_callback_t callback,
                                              void* data) {
  std::lock_guard lock(mutex_);
  if (event_handler_ && callback)
    return HSA_STATUS_ERROR;
  event_handler_ = callback;
  event_data_ = data;
  return HSA_STATUS_SUCCESS;
}

void Registrations::on_fault(const device::FaultEvent& e) {
  if (e.info.kind != exec::FaultKind::bad_address)
    return;
  hsa_amd_system_event_callback_t callback;
  void* data;
  {
    std::lock_guard lock(mutex_);
    callback = event_handler_;
    data = event_data_;
  }
  if (!callback)
    return;
  hsa_amd_event_t event{};
  event.event_type = HSA_AMD_GPU_MEMORY_FAULT_EVENT;
  event.memory_fault.agent = handle(runtime_.agent_of_heap(e.device));
  event.memory_fault.virtual_address = e.info.address;
  event.memory_fault.fault_reason_mask = HSA_AMD_MEMORY_FAULT_PAGE_NOT_PRESENT;
  callback(&event, data);
}

hsa_status_t Registrations::add_deallocation(void* p, hsa_amd_deallocation_callback_t callback,
                                             void* data) {
  auto a = runtime_.machine().memory().find(reinterpret_cast<uintptr_t>(p));
  if (!a)
    return HSA_STATUS_ERROR_INVALID_ALLOCATION;
  std::lock_guard lock(mutex_);
  deallocations_.push_back({a->id, callback, p, data});
  return HSA_STATUS_SUCCESS;
}

hsa_status_t Registrations::remove_deallocation(void* p, hsa_amd_deallocation_callback_t callback) {
  std::lock_guard lock(mutex_);
  auto it = std::find_if(deallocations_.begin(), deallocations_.end(), [&](const Deallocation& d) {
    return d.address == p && d.callback == callback;
  });
  if (it == deallocations_.end())
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  deallocations_.erase(it);
  return HSA_STATUS_SUCCESS;
}

void Registrations::on_release(const device::Allocation& a) {
  std::vector<Deallocation> calls;
  {
    std::lock_guard lock(mutex_);
    std::erase_if(deallocations_, [&](const Deallocation& d) {
      if (d.allocation_id != a.id)
        return false;
      calls.push_back(d);
      return true;
    });
  }
  for (const Deallocation& d : calls)
    d.callback(d.address, d.data);
}

void Registrations::lock(void* p, size_t size, uint32_t flags) {
  auto base = reinterpret_cast<uintptr_t>(p);
  std::lock_guard guard(mutex_);
  if (locked_[base]++)
    return;
  if (runtime_.machine().memory().find(base))
    return; // an allocation of ours
  device::Allocation a;
  a.base = base;
  a.size = size;
  a.kind = device::Allocation::Kind::locked;
  a.pool_flags = flags;
  (void)runtime_.machine().memory().track(a);
}

hsa_status_t Registrations::unlock(void* p) {
  auto base = reinterpret_cast<uintptr_t>(p);
  std::lock_guard guard(mutex_);
  auto it = locked_.find(base);
  if (it == locked_.end())
    return HSA_STATUS_SUCCESS; // ROCm accepts memory that was never locked
  if (--it->second)
    return HSA_STATUS_SUCCESS;
  locked_.erase(it);
  auto a = runtime_.machine().memory().find(base);
  if (a && a->base == base && a->kind == device::Allocation::Kind::locked)
    (void)runtime_.machine().memory().untrack(base);
  return HSA_STATUS_SUCCESS;
}

hsa_signal_group_t Registrations::add_group(SignalGroup g) {
  auto p = std::make_shared<SignalGroup>(std::move(g));
  hsa_signal_group_t h{reinterpret_cast<uint64_t>(p.get())};
  std::lock_guard lock(mutex_);
  groups_[h.handle] = std::move(p);
  return h;
}
bool Registrations::remove_group(hsa_signal_group_t h) {
  std::lock_guard lock(mutex_);
  return groups_.erase(h.handle) != 0;
}
std::shared_ptr<SignalGroup> Registrations::group(hsa_signal_group_t h) {
  std::lock_guard lock(mutex_);
  auto it = groups_.find(h.handle);
  return it == groups_.end() ? nullptr : it->second;
}

} // namespace pumice::hsa
