// SPDX-License-Identifier: MIT
#include "hsa/runtime.h"
#include "base/visible.h"
#include "device/fault_guard.h"
#include "hsa/executables.h"
#include "hsa/registrations.h"
#include <algorithm>
#include <cstring>
#include <fstream>
#include <pthread.h>
#include <thread>
#include <unistd.h>

namespace pumice::hsa {
namespace {

std::mutex g_mutex; // hsa_init and hsa_shut_down
uint32_t g_references = 0;

std::string cpu_name() {
  std::ifstream f("/proc/cpuinfo");
  for (std::string line; std::getline(f, line);)
    if (line.rfind("model name", 0) == 0 && line.find(": ") != std::string::npos)
      return line.substr(line.find(": ") + 2);
  return "CPU";
}

uint32_t cpu_cache_bytes(int name) {
  long n = sysconf(name);
  return n > 0 && n < INT32_MAX ? static_cast<uint32_t>(n) : 0;
}

} // namespace

std::atomic<Runtime*> Runtime::current_{nullptr};

hsa_status_t Runtime::acquire() {
  std::lock_guard lock(g_mutex);
  if (g_references == INT32_MAX)
    return HSA_STATUS_ERROR_REFCOUNT_OVERFLOW;
  if (current_.load()) {
    ++g_references;
    return HSA_STATUS_SUCCESS;
  }
  auto machine = device::Machine::create();
  if (!machine.ok()) {
    std::fprintf(stderr, "pumice: %s\n", machine.status().message.c_str());
    Code c = machine.status().code; // a wrong setting is no lack of memory
    return c == Code::invalid_argument || c == Code::not_found ? HSA_STATUS_ERROR
                                                                : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  }
  // A forked child has none of the threads: it starts over with its own hsa_init.
  static std::once_flag once;
  std::call_once(once, [] {
    pthread_atfork([] { g_mutex.lock(); }, [] { g_mutex.unlock(); },
                   [] {
                     g_mutex.unlock();
                     current_.store(nullptr);
                     g_references = 0;
                     device::Machine::forget_after_fork();
                   });
  });
  current_.store(new Runtime(std::move(*machine)), std::memory_order_release);
  g_references = 1;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t Runtime::release() {
  std::lock_guard lock(g_mutex);
  Runtime* r = current_.load();
  if (!r)
    return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (--g_references)
    return HSA_STATUS_SUCCESS;
  current_.store(nullptr);
  delete r;
  return HSA_STATUS_SUCCESS;
}

Runtime::Runtime(std::unique_ptr<device::Machine> machine) : machine_(std::move(machine)) {
  executables_ = std::make_unique<Executables>(*this);
  registrations_ = std::make_unique<Registrations>(*this);
  add_cpu_agent();
  std::vector<std::string> uuids;
  for (const device::Device& d : machine_->devices())
    uuids.push_back(device::uuid_text(d.index));
  for (size_t i : visible_devices(uuids))
    add_gpu_agent(machine_->devices()[i]);
}

Runtime::~Runtime() {
  machine_.reset(); // stops every thread first
}

void Runtime::add_cpu_agent() {
  auto a = std::make_unique<Agent>();
  a->name = a->product = cpu_name();
  uint64_t bytes = machine_->memory().usage(device::kHostHeap).total;
  constexpr uint32_t kFlags[] = {
      HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED,
      HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT | HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED,
      HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED,
  };
  for (uint32_t f : kFlags)
    a->pools.push_back(
        std::make_unique<Pool>(Pool{a.get(), HSA_AMD_SEGMENT_GLOBAL, f, device::kHostHeap, bytes}));
  if (uint32_t n = cpu_cache_bytes(_SC_LEVEL1_DCACHE_SIZE))
    a->caches.push_back(std::make_unique<Cache>(Cache{a->name + " L1", 1, n}));
  if (uint32_t n = cpu_cache_bytes(_SC_LEVEL2_CACHE_SIZE))
    a->caches.push_back(std::make_unique<Cache>(Cache{a->name + " L2", 2, n}));
  if (uint32_t n = cpu_cache_bytes(_SC_LEVEL3_CACHE_SIZE))
    a->caches.push_back(std::make_unique<Cache>(Cache{a->name + " L3", 3, n}));
  agents_.push_back(std::move(a));
}

void Runtime::add_gpu_agent(const device::Device& d) {
  auto a = std::make_unique<Agent>();
  a->index = d.index;
  a->node = static_cast<uint32_t>(d.index + 1);
  a->device = &d;
  a->name = d.target.processor;
  a->product = d.profile.marketing_name;
  a->isa = intern_isa(d.target);
  uint64_t bytes = machine_->memory().usage(d.index).total;
  constexpr uint32_t kFlags[] = {
      HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED,
      HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_EXTENDED_SCOPE_FINE_GRAINED,
      HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED,
  };
  for (uint32_t f : kFlags)
    a->pools.push_back(
        std::make_unique<Pool>(Pool{a.get(), HSA_AMD_SEGMENT_GLOBAL, f, d.index, bytes}));
  a->pools.push_back(std::make_unique<Pool>(
      Pool{a.get(), HSA_AMD_SEGMENT_GROUP, 0, d.index, d.profile.lds_bytes}));
  const device::Profile& p = d.profile;
  a->caches.push_back(std::make_unique<Cache>(Cache{a->name + " L1", 1, p.l1_bytes}));
  a->caches.push_back(std::make_unique<Cache>(Cache{a->name + " L2", 2, p.l2_bytes}));
  if (p.l3_bytes)
    a->caches.push_back(
        std::make_unique<Cache>(Cache{a->name + " L3", 3, static_cast<uint32_t>(p.l3_bytes)}));
  agents_.push_back(std::move(a));
}

Agent* Runtime::agent_of_heap(int heap) {
  for (const auto& a : agents_)
    if (a->index == heap)
      return a.get();
  return cpu();
}

Agent* Runtime::agent(hsa_agent_t h) const {
  for (const auto& a : agents_)
    if (handle(a.get()).handle == h.handle)
      return a.get();
  return nullptr;
}

Pool* Runtime::pool(uint64_t h) const {
  for (const auto& a : agents_)
    for (const auto& p : a->pools)
      if (reinterpret_cast<uint64_t>(p.get()) == h)
        return p.get();
  return nullptr;
}

Isa* Runtime::isa(hsa_isa_t h) const {
  std::lock_guard lock(mutex_);
  for (const auto& i : isas_)
    if (handle(i.get()).handle == h.handle)
      return i.get();
  return nullptr;
}

Isa* Runtime::intern_isa(const codeobj::TargetId& target) {
  std::lock_guard lock(mutex_);
  for (const auto& i : isas_)
    if (i->target == target)
      return i.get();
  isas_.push_back(std::make_unique<Isa>(Isa{target, target.isa_name()}));
  return isas_.back().get();
}

hsa_status_t to_hsa(const Status& s) {
  switch (s.code) {
  case Code::ok:
    return HSA_STATUS_SUCCESS;
  case Code::invalid_argument:
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  case Code::invalid_code_object:
    return HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
  case Code::incompatible:
    return HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS;
  case Code::not_found:
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  case Code::out_of_memory:
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  case Code::fault:
    return HSA_STATUS_ERROR_EXCEPTION;
  default:
    return HSA_STATUS_ERROR;
  }
}

hsa_status_t to_hsa(device::QueueError what, const device::FaultEvent& event) {
  using K = exec::FaultKind;
  switch (what) {
  case device::QueueError::invalid_packet:
    return HSA_STATUS_ERROR_INVALID_PACKET_FORMAT;
  case device::QueueError::invalid_argument:
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  case device::QueueError::out_of_resources:
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  case device::QueueError::invalid_code_object:
    return HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
  case device::QueueError::card_failed:
    return HSA_STATUS_ERROR_FATAL;
  case device::QueueError::fault:
    break;
  }
  switch (event.info.kind) {
  case K::bad_address:
    return vendor_status(HSA_STATUS_ERROR_MEMORY_FAULT);
  case K::lds_out_of_range:
  case K::scratch_out_of_range:
  case K::misaligned:
    return vendor_status(HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION);
  case K::illegal_instruction:
  case K::unsupported:
    return vendor_status(HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION);
  case K::out_of_memory:
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  default:
    return HSA_STATUS_ERROR_EXCEPTION;
  }
}

hsa_status_t put_text(void* value, const std::string& text, size_t array_size) {
  auto* out = static_cast<char*>(value);
  size_t n = std::min(text.size(), array_size - 1);
  std::memset(out, 0, array_size);
  std::memcpy(out, text.data(), n);
  return HSA_STATUS_SUCCESS;
}

} // namespace pumice::hsa

using namespace pumice::hsa;

extern "C" {

hsa_status_t HSA_API hsa_init(void) {
  try {
    return Runtime::acquire();
  } catch (...) {
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  }
}

hsa_status_t HSA_API hsa_shut_down(void) {
  try {
    return Runtime::release();
  } catch (...) {
    return HSA_STATUS_ERROR;
  }
}

} // extern "C"
