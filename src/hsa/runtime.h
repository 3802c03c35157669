// SPDX-License-Identifier: MIT
// State behind the C ABI: agents, pools, ISAs and the machine below them; the border function that
// every exported call goes through. Handles are addresses of these objects and are checked against
// the lists.
#pragma once
#ifndef HSA_EXPORT
#define HSA_EXPORT
#endif
#include "device/machine.h"
#include <hsa/amd_hsa_queue.h>
#include <hsa/amd_hsa_signal.h>
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <vector>

namespace pumice::hsa {

struct Isa {
  codeobj::TargetId target;
  std::string name; // "amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-"
};

struct Cache {
  std::string name;
  uint8_t level;
  uint32_t bytes;
};

struct Agent;
struct Pool {
  Agent* agent;
  hsa_amd_segment_t segment;
  uint32_t flags; // of global pools
  int heap;       // device::kHostHeap or the device's index
  uint64_t size;
};

struct Agent {
  int index = -1; // -1: the CPU; else the device's index
  uint32_t node = 0;
  const device::Device* device = nullptr;
  std::string name, product;
  std::vector<std::unique_ptr<Pool>> pools;
  std::vector<std::unique_ptr<Cache>> caches;
  Isa* isa = nullptr;
  bool is_gpu() const { return index >= 0; }
};

class Executables;
class Registrations;

class Runtime {
public:
  static hsa_status_t acquire(); // hsa_init
  static hsa_status_t release(); // hsa_shut_down
  /// Null when not initialised.
  static Runtime* get() { return current_.load(std::memory_order_acquire); }

  Runtime(std::unique_ptr<device::Machine> machine);
  ~Runtime();

  device::Machine& machine() { return *machine_; }
  const std::vector<std::unique_ptr<Agent>>& agents() const { return agents_; }
  Agent* cpu() { return agents_.front().get(); }
  /// The device's agent; the CPU's for the host heap and for devices that are not visible.
  Agent* agent_of_heap(int heap);
  Agent* agent(hsa_agent_t h) const;
  Pool* pool(uint64_t handle) const;
  Isa* isa(hsa_isa_t h) const;
  Isa* intern_isa(const codeobj::TargetId& target);
  Executables& executables() { return *executables_; }
  Registrations& registrations() { return *registrations_; }

private:
  void add_cpu_agent();
  void add_gpu_agent(const device::Device& d);

  static std::atomic<Runtime*> current_;
  std::unique_ptr<device::Machine> machine_;
  std::vector<std::unique_ptr<Agent>> agents_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Isa>> isas_;
  std::unique_ptr<Executables> executables_;
  std::unique_ptr<Registrations> registrations_;
};

inline hsa_agent_t handle(const Agent* a) {
  return {reinterpret_cast<uint64_t>(a)};
}
inline hsa_isa_t handle(const Isa* i) {
  return {reinterpret_cast<uint64_t>(i)};
}
inline device::Signal* signal_of(hsa_signal_t s) {
  return reinterpret_cast<device::Signal*>(s.handle);
}
inline hsa_signal_t handle(const device::Signal* s) {
  return {reinterpret_cast<uint64_t>(s)};
}
inline device::QueueHeader* header_of(const hsa_queue_t* q) {
  return reinterpret_cast<device::QueueHeader*>(const_cast<hsa_queue_t*>(q));
}

/// Codes that hsa_status_t has no enumerator for (hsa_ext_*.h).
inline hsa_status_t vendor_status(int code) {
  return static_cast<hsa_status_t>(code);
}
hsa_status_t to_hsa(const Status& s);
hsa_status_t to_hsa(device::QueueError what, const device::FaultEvent& event);

/// The border: initialisation check, no exception leaves. `f` takes Runtime&.
template <class F> hsa_status_t api(F&& f) noexcept {
  Runtime* r = Runtime::get();
  if (!r)
    return HSA_STATUS_ERROR_NOT_INITIALIZED;
  try {
    return f(*r);
  } catch (const std::bad_alloc&) {
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  } catch (...) {
    return HSA_STATUS_ERROR;
  }
}

/// Stores an attribute of the type the specification names.
template <class T> hsa_status_t put(void* value, T v) {
  __builtin_memcpy(value, &v, sizeof v);
  return HSA_STATUS_SUCCESS;
}
/// NUL-padded text in a fixed array.
hsa_status_t put_text(void* value, const std::string& text, size_t array_size);

} // namespace pumice::hsa
