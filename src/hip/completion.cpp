// SPDX-License-Identifier: MIT
#include "hip/completion.h"
#include "hip/device.h"
#include <ctime>
#include <mutex>
#include <vector>

namespace pumice::hip {
namespace {

class SignalPool {
public:
  hsa_signal_t take() {
    {
      std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        hsa_signal_t s = free_.back();
        free_.pop_back();
        hsa().hsa_signal_store_relaxed(s, 1);
        return s;
      }
    }
    hsa_signal_t s{0};
    PUMICE_CHECK(hsa().hsa_signal_create(1, 0, nullptr, &s) == HSA_STATUS_SUCCESS);
    return s;
  }
  void give(hsa_signal_t s) {
    std::lock_guard lock(mutex_);
    free_.push_back(s);
  }

private:
  std::mutex mutex_;
  std::vector<hsa_signal_t> free_;
};
// Never destroyed: completions may be released by static destructors of the program.
SignalPool& pool() {
  static SignalPool* p = new SignalPool;
  return *p;
}

uint64_t timestamp_frequency() {
  static const uint64_t hz = [] {
    uint64_t f = 0;
    hsa().hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &f);
    return f ? f : 1000000000ull;
  }();
  return hz;
}

uint64_t ticks_to_ns(uint64_t ticks) {
  uint64_t hz = timestamp_frequency();
  return hz == 1000000000ull
             ? ticks
             : static_cast<uint64_t>(static_cast<unsigned __int128>(ticks) * 1000000000ull / hz);
}

} // namespace

uint64_t clock_ns() {
  uint64_t t = 0;
  hsa().hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &t);
  return ticks_to_ns(t);
}

CompletionRef new_completion(Device* device, Completion::Kind kind) {
  CompletionRef c(new Completion, [](Completion* dead) {
    pool().give(dead->signal);
    delete dead;
  });
  c->signal = pool().take();
  c->kind = kind;
  c->device = device;
  return c;
}

void Completion::wait() const {
  while (hsa().hsa_signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX,
                                         HSA_WAIT_STATE_BLOCKED) >= 1) {
  }
}

void Completion::times(uint64_t* begin_ns, uint64_t* end_ns) const {
  uint64_t begin = 0, end = 0;
  if (kind == Kind::host) {
    begin = end = host_end_ns.load(std::memory_order_acquire);
  } else if (kind == Kind::copy) {
    hsa_amd_profiling_async_copy_time_t t{};
    if (hsa().hsa_amd_profiling_get_async_copy_time(signal, &t) == HSA_STATUS_SUCCESS)
      begin = ticks_to_ns(t.start), end = ticks_to_ns(t.end);
  } else if (device) {
    hsa_amd_profiling_dispatch_time_t t{};
    if (hsa().hsa_amd_profiling_get_dispatch_time(device->agent(), signal, &t) ==
        HSA_STATUS_SUCCESS)
      begin = ticks_to_ns(t.start), end = ticks_to_ns(t.end);
  }
  if (begin_ns)
    *begin_ns = begin;
  if (end_ns)
    *end_ns = end;
}

} // namespace pumice::hip
