// SPDX-License-Identifier: MIT
#include "device/signal.h"
#include "device/futex.h"
#include <algorithm>
#include <ctime>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <unordered_set>
#include <vector>

namespace pumice::device {
namespace {

constexpr uint64_t kSpinNs = 12'000;        // a futex round trip costs about as much
constexpr uint64_t kActiveSpinNs = 200'000; // the caller asked to spin; still be fair to workers
constexpr uint64_t kRecheckNs = 2'000'000;  // for writes that notify nobody
constexpr uint64_t kRecheckMaxNs = 20'000'000;
constexpr size_t kSlabSignals = 1024;

// Slabs live as long as the process: late guest or host writes to a dead signal must not fault.
struct Pool {
  std::mutex mutex;
  std::vector<Signal*> free;
  std::vector<Signal*>
      watched; // destroyed while somebody still watches or waits: not to be reused yet
  std::vector<Signal*> slabs;
};
Pool& pool() {
  static Pool* p = new Pool;
  return *p;
}

std::atomic<uint32_t> g_watch_seq{0}, g_watch_sleepers{0};
std::atomic<void (*)()> g_watch_hook{nullptr};

uint64_t deadline_after(uint64_t timeout_ns) {
  uint64_t now = now_ns();
  return timeout_ns > UINT64_MAX - now ? UINT64_MAX : now + timeout_ns;
}

uint64_t spin_budget(WaitStyle style) {
  return style == WaitStyle::active ? kActiveSpinNs : kSpinNs;
}

/// Runs `satisfied` until it says true, the spin budget is used, or the deadline passed.
template <class F> bool spin(F&& satisfied, uint64_t budget_ns, uint64_t deadline) {
  uint64_t start = 0;
  for (unsigned i = 0;; ++i) {
    if (satisfied())
      return true;
    __builtin_ia32_pause();
    if (i % 16 != 15)
      continue;
    uint64_t now = now_ns();
    if (!start)
      start = now;
    if (now >= deadline || now - start >= budget_ns)
      return false;
  }
}

} // namespace

uint64_t now_ns() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(t.tv_nsec);
}

Signal* create_signal(int64_t initial) {
  Pool& p = pool();
  std::lock_guard lock(p.mutex);
  if (p.free.empty())
    std::erase_if(p.watched, [&](Signal* s) {
      bool quiet = s->watchers == 0 && s->waiters == 0;
      if (quiet)
        p.free.push_back(s);
      return quiet;
    });
  if (p.free.empty()) {
    void* m = mmap(nullptr, kSlabSignals * sizeof(Signal), PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (m == MAP_FAILED)
      return nullptr;
    auto* slab = static_cast<Signal*>(m);
    p.slabs.push_back(slab);
    for (size_t i = kSlabSignals; i-- > 0;)
      p.free.push_back(new (slab + i) Signal{});
  }
  Signal* s = p.free.back();
  p.free.pop_back();
  s->start_ts = 0;
  s->end_ts = 0;
  s->queue = nullptr;
  s->value.store(initial, std::memory_order_relaxed);
  s->kind = Signal::user;
  return s;
}

void destroy_signal(Signal* s) {
  Pool& p = pool();
  std::lock_guard lock(p.mutex);
  s->kind = Signal::invalid;
  (s->watchers == 0 && s->waiters == 0 ? p.free : p.watched).push_back(s);
}

bool is_signal(const Signal* s) {
  if (!s || reinterpret_cast<uintptr_t>(s) % alignof(Signal))
    return false;
  Pool& p = pool();
  std::lock_guard lock(p.mutex);
  bool ours = std::any_of(p.slabs.begin(), p.slabs.end(),
                          [&](Signal* slab) { return s >= slab && s < slab + kSlabSignals; });
  return ours && s->kind != Signal::invalid;
}

void notify(Signal* s) {
  // The caller's change of `value` and this load are both seq_cst, as are the waiter's increment
  // and load: one of the two sides always sees the other.
  if (s->waiters.load(std::memory_order_seq_cst)) {
    s->wake_seq.fetch_add(1, std::memory_order_seq_cst);
    futex_wake(s->wake_seq, INT32_MAX);
  }
  if (s->watchers.load(std::memory_order_seq_cst)) {
    wake_watchers();
    if (auto hook = g_watch_hook.load(std::memory_order_acquire))
      hook();
  }
}

int64_t wait(Signal* s, Condition c, int64_t against, uint64_t timeout_ns, WaitStyle style) {
  int64_t v = s->value.load(std::memory_order_seq_cst);
  if (holds(c, v, against) || timeout_ns == 0)
    return v;
  uint64_t deadline = deadline_after(timeout_ns), slice = kRecheckNs;
  auto satisfied = [&] { return holds(c, v = s->value.load(std::memory_order_seq_cst), against); };
  if (spin(satisfied, spin_budget(style), deadline))
    return v;
  s->waiters.fetch_add(1, std::memory_order_seq_cst);
  for (;;) {
    uint32_t seq = s->wake_seq.load(std::memory_order_seq_cst);
    if (satisfied())
      break;
    uint64_t now = now_ns();
    if (now >= deadline)
      break;
    futex_wait(s->wake_seq, seq, std::min(slice, deadline - now));
    slice = std::min(slice + slice / 2, kRecheckMaxNs);
  }
  s->waiters.fetch_sub(1, std::memory_order_seq_cst);
  return v;
}

void add_watcher(Signal* s) {
  s->watchers.fetch_add(1, std::memory_order_seq_cst);
}
void remove_watcher(Signal* s) {
  s->watchers.fetch_sub(1, std::memory_order_seq_cst);
}
uint32_t watch_sequence() {
  return g_watch_seq.load(std::memory_order_seq_cst);
}

void watch_sleep(uint32_t seen, uint64_t timeout_ns) {
  g_watch_sleepers.fetch_add(1, std::memory_order_seq_cst);
  if (g_watch_seq.load(std::memory_order_seq_cst) == seen)
    futex_wait(g_watch_seq, seen, timeout_ns);
  g_watch_sleepers.fetch_sub(1, std::memory_order_seq_cst);
}

void wake_watchers() {
  g_watch_seq.fetch_add(1, std::memory_order_seq_cst);
  if (g_watch_sleepers.load(std::memory_order_seq_cst))
    futex_wake(g_watch_seq, INT32_MAX);
}

void set_watch_hook(void (*hook)()) {
  g_watch_hook.store(hook, std::memory_order_release);
}

namespace {

/// Watches all signals while `satisfied` is polled.
template <class F>
bool wait_watching(size_t n, Signal* const* signals, F&& satisfied, uint64_t timeout_ns,
                   WaitStyle style) {
  if (satisfied())
    return true;
  if (timeout_ns == 0)
    return false;
  uint64_t deadline = deadline_after(timeout_ns), slice = kRecheckNs;
  if (spin(satisfied, spin_budget(style), deadline))
    return true;
  for (size_t i = 0; i < n; ++i)
    add_watcher(signals[i]);
  bool done = false;
  for (;;) {
    uint32_t seq = watch_sequence();
    if ((done = satisfied()))
      break;
    uint64_t now = now_ns();
    if (now >= deadline)
      break;
    watch_sleep(seq, std::min(slice, deadline - now));
    slice = std::min(slice + slice / 2, kRecheckMaxNs);
  }
  for (size_t i = 0; i < n; ++i)
    remove_watcher(signals[i]);
  return done;
}

} // namespace

size_t wait_any(size_t n, Signal* const* signals, const Condition* conditions,
                const int64_t* against, uint64_t timeout_ns, WaitStyle style, int64_t* satisfying) {
  size_t found = SIZE_MAX;
  auto satisfied = [&] {
    for (size_t i = 0; i < n; ++i) {
      int64_t v = signals[i]->value.load(std::memory_order_seq_cst);
      if (!holds(conditions[i], v, against[i]))
        continue;
      if (satisfying)
        *satisfying = v;
      found = i;
      return true;
    }
    return false;
  };
  wait_watching(n, signals, satisfied, timeout_ns, style);
  return found;
}

bool wait_all(size_t n, Signal* const* signals, const Condition* conditions, const int64_t* against,
              uint64_t timeout_ns, WaitStyle style, int64_t* satisfying) {
  std::vector<bool> seen(n);
  size_t left = n;
  auto satisfied = [&] {
    for (size_t i = 0; i < n; ++i) {
      if (seen[i])
        continue;
      int64_t v = signals[i]->value.load(std::memory_order_seq_cst);
      if (!holds(conditions[i], v, against[i]))
        continue;
      if (satisfying)
        satisfying[i] = v;
      seen[i] = true;
      --left;
    }
    return left == 0;
  };
  return wait_watching(n, signals, satisfied, timeout_ns, style);
}

} // namespace pumice::device
