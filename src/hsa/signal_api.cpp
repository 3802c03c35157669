// SPDX-License-Identifier: MIT
// hsa_signal_*. Hot calls go straight to the word: no initialisation check, as in ROCm.
#include "hsa/registrations.h"
#include "hsa/runtime.h"

using namespace pumice;
using namespace pumice::hsa;
using device::Signal;

namespace {

constexpr hsa_status_t kBadArgument = HSA_STATUS_ERROR_INVALID_ARGUMENT;

// Waiters rely on sequentially consistent changes (device/signal.h), so every variant is at least
// that.
void changed(Signal* s) {
  if (s->kind == Signal::doorbell) [[unlikely]] {
    if (device::Queue* q = device::Queue::from_header(static_cast<device::QueueHeader*>(s->queue)))
      q->ring_doorbell();
    return;
  }
  device::notify(s);
}

void store(hsa_signal_t h, int64_t v) {
  Signal* s = signal_of(h);
  s->value.store(v, std::memory_order_seq_cst);
  changed(s);
}

int64_t wait(hsa_signal_t h, hsa_signal_condition_t c, int64_t against, uint64_t timeout,
             hsa_wait_state_t w) {
  auto style = w == HSA_WAIT_STATE_ACTIVE ? device::WaitStyle::active : device::WaitStyle::blocked;
  return device::wait(signal_of(h), static_cast<device::Condition>(c), against, timeout, style);
}

hsa_status_t create(int64_t initial, hsa_signal_t* out) {
  Signal* s = device::create_signal(initial);
  if (!s)
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  *out = handle(s);
  return HSA_STATUS_SUCCESS;
}

struct Conditions {
  std::vector<Signal*> signals;
  std::vector<device::Condition> conditions;
  Conditions(uint32_t n, const hsa_signal_t* s, const hsa_signal_condition_t* c) {
    for (uint32_t i = 0; i < n; ++i) {
      signals.push_back(signal_of(s[i]));
      conditions.push_back(static_cast<device::Condition>(c[i]));
    }
  }
};

device::WaitStyle style_of(hsa_wait_state_t w) {
  return w == HSA_WAIT_STATE_ACTIVE ? device::WaitStyle::active : device::WaitStyle::blocked;
}

hsa_status_t group_wait(hsa_signal_group_t group, const hsa_signal_condition_t* conditions,
                        const hsa_signal_value_t* values, hsa_wait_state_t w, hsa_signal_t* signal,
                        hsa_signal_value_t* value) {
  return api([&](Runtime& r) {
    auto g = r.registrations().group(group);
    if (!g)
      return HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP;
    if (!conditions || !values || !signal || !value)
      return kBadArgument;
    Conditions c(static_cast<uint32_t>(g->signals.size()), g->signals.data(), conditions);
    size_t i = device::wait_any(c.signals.size(), c.signals.data(), c.conditions.data(), values,
                                UINT64_MAX, style_of(w), value);
    *signal = g->signals[i];
    return HSA_STATUS_SUCCESS;
  });
}

} // namespace

extern "C" {

hsa_status_t HSA_API hsa_signal_create(hsa_signal_value_t initial_value, uint32_t num_consumers,
                                       const hsa_agent_t* consumers, hsa_signal_t* signal) {
  return hsa_amd_signal_create(initial_value, num_consumers, consumers, 0, signal);
}

hsa_status_t HSA_API hsa_amd_signal_create(hsa_signal_value_t initial_value, uint32_t num_consumers,
                                           const hsa_agent_t* consumers, uint64_t attributes,
                                           hsa_signal_t* signal) {
  return api([&](Runtime&) {
    if (!signal || (num_consumers && !consumers))
      return kBadArgument;
    if (attributes & ~uint64_t{HSA_AMD_SIGNAL_AMD_GPU_ONLY | HSA_AMD_SIGNAL_IPC})
      return kBadArgument;
    for (uint32_t i = 0; i < num_consumers; ++i)
      for (uint32_t k = 0; k < i; ++k)
        if (consumers[i].handle == consumers[k].handle)
          return kBadArgument;
    return create(initial_value, signal);
  });
}

hsa_status_t HSA_API hsa_signal_destroy(hsa_signal_t signal) {
  return api([&](Runtime&) {
    Signal* s = signal_of(signal);
    if (!device::is_signal(s))
      return HSA_STATUS_ERROR_INVALID_SIGNAL;
    if (s->kind == Signal::doorbell)
      return kBadArgument;
    device::destroy_signal(s);
    return HSA_STATUS_SUCCESS;
  });
}

#define PUMICE_LOAD(order)                                                                         \
  hsa_signal_value_t HSA_API hsa_signal_load_##order(hsa_signal_t signal) {                        \
    return signal_of(signal)->value.load(std::memory_order_seq_cst);                               \
  }
PUMICE_LOAD(scacquire)
PUMICE_LOAD(relaxed)
PUMICE_LOAD(acquire)

#define PUMICE_STORE(order)                                                                        \
  void HSA_API hsa_signal_store_##order(hsa_signal_t signal, hsa_signal_value_t value) {           \
    store(signal, value);                                                                          \
  }
PUMICE_STORE(relaxed)
PUMICE_STORE(screlease)
PUMICE_STORE(release)

// Silent stores need not wake waiters.
#define PUMICE_SILENT(order)                                                                       \
  void HSA_API hsa_signal_silent_store_##order(hsa_signal_t signal, hsa_signal_value_t value) {    \
    signal_of(signal)->value.store(value, std::memory_order_seq_cst);                              \
  }
PUMICE_SILENT(relaxed)
PUMICE_SILENT(screlease)

#define PUMICE_EXCHANGE(order)                                                                     \
  hsa_signal_value_t HSA_API hsa_signal_exchange_##order(hsa_signal_t signal,                      \
                                                         hsa_signal_value_t value) {               \
    int64_t old = signal_of(signal)->value.exchange(value, std::memory_order_seq_cst);             \
    changed(signal_of(signal));                                                                    \
    return old;                                                                                    \
  }
#define PUMICE_CAS(order)                                                                          \
  hsa_signal_value_t HSA_API hsa_signal_cas_##order(                                               \
      hsa_signal_t signal, hsa_signal_value_t expected, hsa_signal_value_t value) {                \
    int64_t old = expected;                                                                        \
    if (signal_of(signal)->value.compare_exchange_strong(old, value, std::memory_order_seq_cst))   \
      changed(signal_of(signal));                                                                  \
    return old;                                                                                    \
  }
#define PUMICE_UPDATE(name, method, order)                                                         \
  void HSA_API hsa_signal_##name##_##order(hsa_signal_t signal, hsa_signal_value_t value) {        \
    signal_of(signal)->value.method(value, std::memory_order_seq_cst);                             \
    changed(signal_of(signal));                                                                    \
  }
#define PUMICE_EACH_ORDER(X, ...)                                                                  \
  X(__VA_ARGS__ scacq_screl)                                                                       \
  X(__VA_ARGS__ acq_rel)                                                                           \
  X(__VA_ARGS__ scacquire)                                                                         \
  X(__VA_ARGS__ acquire)                                                                           \
  X(__VA_ARGS__ relaxed)                                                                           \
  X(__VA_ARGS__ screlease)                                                                         \
  X(__VA_ARGS__ release)
#define PUMICE_ADD(order) PUMICE_UPDATE(add, fetch_add, order)
#define PUMICE_SUBTRACT(order) PUMICE_UPDATE(subtract, fetch_sub, order)
#define PUMICE_AND(order) PUMICE_UPDATE(and, fetch_and, order)
#define PUMICE_OR(order) PUMICE_UPDATE(or, fetch_or, order)
#define PUMICE_XOR(order) PUMICE_UPDATE(xor, fetch_xor, order)
PUMICE_EACH_ORDER(PUMICE_EXCHANGE)
PUMICE_EACH_ORDER(PUMICE_CAS)
PUMICE_EACH_ORDER(PUMICE_ADD)
PUMICE_EACH_ORDER(PUMICE_SUBTRACT)
PUMICE_EACH_ORDER(PUMICE_AND)
PUMICE_EACH_ORDER(PUMICE_OR)
PUMICE_EACH_ORDER(PUMICE_XOR)

#define PUMICE_WAIT(order)                                                                         \
  hsa_signal_value_t HSA_API hsa_signal_wait_##order(                                              \
      hsa_signal_t signal, hsa_signal_condition_t condition, hsa_signal_value_t compare_value,     \
      uint64_t timeout_hint, hsa_wait_state_t wait_state_hint) {                                   \
    return wait(signal, condition, compare_value, timeout_hint, wait_state_hint);                  \
  }
PUMICE_WAIT(scacquire)
PUMICE_WAIT(relaxed)
PUMICE_WAIT(acquire)

hsa_status_t HSA_API hsa_amd_signal_value_pointer(hsa_signal_t signal,
                                                  volatile hsa_signal_value_t** value_ptr) {
  return api([&](Runtime&) {
    if (!value_ptr)
      return kBadArgument;
    Signal* s = signal_of(signal);
    if (!device::is_signal(s) || s->kind != Signal::user)
      return HSA_STATUS_ERROR_INVALID_SIGNAL;
    *value_ptr = reinterpret_cast<volatile int64_t*>(&s->value);
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t HSA_API hsa_amd_signal_async_handler(hsa_signal_t signal, hsa_signal_condition_t cond,
                                                  hsa_signal_value_t value,
                                                  hsa_amd_signal_handler handler, void* arg) {
  return api([&](Runtime& r) {
    if (!handler)
      return kBadArgument;
    if (!device::is_signal(signal_of(signal)))
      return HSA_STATUS_ERROR_INVALID_SIGNAL;
    r.machine().events().on_signal(signal_of(signal), static_cast<device::Condition>(cond), value,
                                   [handler, arg](int64_t v) { return handler(v, arg); });
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t HSA_API hsa_amd_async_function(void (*callback)(void*), void* arg) {
  return api([&](Runtime& r) {
    if (!callback)
      return kBadArgument;
    r.machine().events().post([callback, arg] { callback(arg); });
    return HSA_STATUS_SUCCESS;
  });
}

uint32_t HSA_API hsa_amd_signal_wait_any(uint32_t signal_count, hsa_signal_t* signals,
                                         hsa_signal_condition_t* conds, hsa_signal_value_t* values,
                                         uint64_t timeout_hint, hsa_wait_state_t wait_hint,
                                         hsa_signal_value_t* satisfying_value) {
  if (!signal_count || !signals || !conds || !values)
    return UINT32_MAX;
  Conditions c(signal_count, signals, conds);
  size_t i = device::wait_any(signal_count, c.signals.data(), c.conditions.data(), values,
                              timeout_hint, style_of(wait_hint), satisfying_value);
  return i == SIZE_MAX ? UINT32_MAX : static_cast<uint32_t>(i);
}

uint32_t HSA_API hsa_amd_signal_wait_all(uint32_t signal_count, hsa_signal_t* signals,
                                         hsa_signal_condition_t* conds, hsa_signal_value_t* values,
                                         uint64_t timeout_hint, hsa_wait_state_t wait_hint,
                                         hsa_signal_value_t* satisfying_values) {
  if (!signal_count || !signals || !conds || !values)
    return UINT32_MAX;
  Conditions c(signal_count, signals, conds);
  bool all = device::wait_all(signal_count, c.signals.data(), c.conditions.data(), values,
                              timeout_hint, style_of(wait_hint), satisfying_values);
  return all ? 0 : UINT32_MAX;
}

hsa_status_t HSA_API hsa_signal_group_create(uint32_t num_signals, const hsa_signal_t* signals,
                                             uint32_t num_consumers, const hsa_agent_t* consumers,
                                             hsa_signal_group_t* signal_group) {
  return api([&](Runtime& r) {
    if (!num_signals || !signals || !signal_group || (num_consumers && !consumers))
      return kBadArgument;
    *signal_group = r.registrations().add_group({{signals, signals + num_signals}});
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t HSA_API hsa_signal_group_destroy(hsa_signal_group_t signal_group) {
  return api([&](Runtime& r) {
    return r.registrations().remove_group(signal_group) ? HSA_STATUS_SUCCESS
                                                        : HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP;
  });
}

hsa_status_t HSA_API hsa_signal_group_wait_any_scacquire(hsa_signal_group_t group,
                                                         const hsa_signal_condition_t* conditions,
                                                         const hsa_signal_value_t* values,
                                                         hsa_wait_state_t wait_hint,
                                                         hsa_signal_t* signal,
                                                         hsa_signal_value_t* value) {
  return group_wait(group, conditions, values, wait_hint, signal, value);
}
hsa_status_t HSA_API hsa_signal_group_wait_any_relaxed(hsa_signal_group_t group,
                                                       const hsa_signal_condition_t* conditions,
                                                       const hsa_signal_value_t* values,
                                                       hsa_wait_state_t wait_hint,
                                                       hsa_signal_t* signal,
                                                       hsa_signal_value_t* value) {
  return group_wait(group, conditions, values, wait_hint, signal, value);
}

} // extern "C"
