// SPDX-License-Identifier: MIT
// Operations on signals [HSA 2.8]: creation, notification, waiting. Plain loads and
// read-modify-writes are done on Signal::value by the callers, who then call `notify`.
//
// Waiting: spin shortly, then sleep on a futex. A notifier pays one load when nobody waits. Threads
// that watch several signals share one global futex word. Sleepers wake every few milliseconds to
// see writes of guests and of hsa_amd_signal_value_pointer users, which notify nobody.
#pragma once
#include "device/aql.h"
#include <cstddef>
#include <cstdint>

namespace pumice::device {

enum class Condition : uint32_t { eq = 0, ne = 1, lt = 2, gte = 3 };
inline bool holds(Condition c, int64_t value, int64_t against) {
  switch (c) {
  case Condition::eq:
    return value == against;
  case Condition::ne:
    return value != against;
  case Condition::lt:
    return value < against;
  case Condition::gte:
    return value >= against;
  }
  return false;
}

enum class WaitStyle : uint8_t { blocked, active };

Signal* create_signal(int64_t initial);
/// Memory of destroyed signals is reused but never unmapped.
void destroy_signal(Signal* s);
/// True for a live signal of this process (user or doorbell).
bool is_signal(const Signal* s);

/// Nanoseconds on the clock of HSA timestamps.
uint64_t now_ns();

/// Wakes waiters and watchers after `value` changed. Cheap when there are none.
void notify(Signal* s);
inline void store_and_notify(Signal* s, int64_t v) {
  s->value.store(v, std::memory_order_seq_cst);
  notify(s);
}
inline void subtract_and_notify(Signal* s, int64_t n) {
  s->value.fetch_sub(n, std::memory_order_seq_cst);
  notify(s);
}

/// Waits until the condition holds or `timeout_ns` passed (UINT64_MAX: for ever). Returns the value
/// last seen, which need not satisfy the condition after a timeout.
int64_t wait(Signal* s, Condition c, int64_t against, uint64_t timeout_ns, WaitStyle style);

/// Waits until any condition holds; index of one that does, or SIZE_MAX after the timeout.
size_t wait_any(size_t n, Signal* const* signals, const Condition* conditions,
                const int64_t* against, uint64_t timeout_ns, WaitStyle style, int64_t* satisfying);
/// Waits until all hold at some moment each; false after the timeout.
bool wait_all(size_t n, Signal* const* signals, const Condition* conditions, const int64_t* against,
              uint64_t timeout_ns, WaitStyle style, int64_t* satisfying);

/// Watching: after add_watcher(s), each notify(s) bumps the global word and calls the hook.
void add_watcher(Signal* s);
void remove_watcher(Signal* s);
uint32_t watch_sequence();
/// Sleeps until the word differs from `seen`, a wake_watchers call, or the timeout.
void watch_sleep(uint32_t seen, uint64_t timeout_ns);
void wake_watchers();
/// Called in notify() of watched signals, on the notifying thread: lets blocked queues move on at
/// once.
void set_watch_hook(void (*hook)());

} // namespace pumice::device
