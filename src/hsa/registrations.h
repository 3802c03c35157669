// SPDX-License-Identifier: MIT
// What callers registered with the runtime: system event handler, deallocation callbacks, locked
// host ranges, signal groups. Thread safe.
#pragma once
#include "hsa/runtime.h"
#include <map>
#include <set>
#include <unordered_map>

namespace pumice::hsa {

struct SignalGroup {
  std::vector<hsa_signal_t> signals;
};

class Registrations {
public:
  explicit Registrations(Runtime& r);

  /// One handler per process, as in ROCm.
  hsa_status_t set_event_handler(hsa_amd_system_event_callback_t callback, void* data);
  hsa_status_t add_deallocation(void* p, hsa_amd_deallocation_callback_t callback, void* data);
  hsa_status_t remove_deallocation(void* p, hsa_amd_deallocation_callback_t callback);

  /// Pins a host range (counted); everything is addressable already, so this only feeds pointer
  /// queries.
  void lock(void* p, size_t size, uint32_t flags);
  hsa_status_t unlock(void* p);

  hsa_signal_group_t add_group(SignalGroup g);
  bool remove_group(hsa_signal_group_t h);
  std::shared_ptr<SignalGroup> group(hsa_signal_group_t h);

private:
  void on_fault(const device::FaultEvent& e);
  void on_release(const device::Allocation& a);

  Runtime& runtime_;
  std::mutex mutex_;
  hsa_amd_system_event_callback_t event_handler_ = nullptr;
  void* event_data_ = nullptr;
  struct Deallocation {
    uint64_t allocation_id;
    hsa_amd_deallocation_callback_t callback;
    void* address;
    void* data;
  };
  std::vector<Deallocation> deallocations_;
  std::map<uintptr_t, unsigned> locked_;
  std::unordered_map<uint64_t, std::shared_ptr<SignalGroup>> groups_;
};

} // namespace pumice::hsa
