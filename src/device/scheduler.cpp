// SPDX-License-Identifier: MIT
#include "device/scheduler.h"
#include "base/options.h"
#include "device/fault_guard.h"
#include "device/futex.h"
#include "device/signal.h"
#include <algorithm>
#include <sched.h>
#include <system_error>
#include <thread>

namespace pumice::device {
namespace {

constexpr unsigned kHereSlots = 8;
constexpr uint64_t kStackReserve = 48 << 10; // our own frames below run_here, and a signal handler
constexpr uint64_t kIdleSpinNs = 50'000; // longer than the gap between launches of a busy stream
constexpr uint64_t kPollNs = 1'000'000;
constexpr uint64_t kStuckSleepNs = 50'000;
constexpr unsigned kStuckYields = 8; // passes over stuck dispatches before sleeping
constexpr uint64_t kShutdownNs = 2'000'000'000;

thread_local bool t_is_worker = false; // looks for work again on its own: needs no wake-up

} // namespace

unsigned pool_threads() {
  static const unsigned n = [] {
    int64_t wanted = options::integer(options::Id::threads);
    cpu_set_t set;
    unsigned cores = sched_getaffinity(0, sizeof set, &set) == 0
                         ? static_cast<unsigned>(CPU_COUNT(&set))
                         : std::thread::hardware_concurrency();
    return wanted > 0 ? static_cast<unsigned>(std::min<int64_t>(wanted, 1024))
                      : std::max(1u, cores);
  }();
  return n;
}

unsigned worker_slots() {
  return pool_threads() + kHereSlots;
}

Scheduler::Scheduler(unsigned threads, bool (*poll)())
    : poll_(poll), thread_count_(std::min(threads, pool_threads())) {
  for (unsigned i = 0; i < thread_count_; ++i) {
    ++alive_;
    try {
      threads_.emplace_back([this, i] { worker_main(i); });
    } catch (const std::system_error&) { // no memory for its stack: fewer do as well
      --alive_;
      if (i == 0)
        throw;
      thread_count_ = i;
    }
  }
}

Scheduler::~Scheduler() {
  if (!threads_.empty())
    (void)shut_down();
}

bool Scheduler::shut_down() {
  uint64_t deadline = now_ns() + kShutdownNs;
  auto busy = [&] {
    std::lock_guard lock(mutex_);
    return !runs_.empty() || !tasks_.empty();
  };
  while (busy() && now_ns() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  stop_ = true;
  while (alive_ && now_ns() < deadline) {
    nudge();
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  bool clean = alive_ == 0;
  for (WorkerThread& t : threads_) {
    if (clean)
      t.join();
    else
      t.detach();
  }
  threads_.clear();
  return clean;
}

void Scheduler::wake(unsigned wanted) {
  work_seq_.fetch_add(1, std::memory_order_seq_cst);
  if (t_is_worker && wanted)
    --wanted;
  unsigned asleep = sleepers_.load(std::memory_order_seq_cst);
  if (spinning_.load(std::memory_order_seq_cst) && wanted)
    --wanted;
  if (wanted && asleep)
    futex_wake(work_seq_, static_cast<int>(std::min(wanted, asleep)));
}

void Scheduler::nudge() {
  work_seq_.fetch_add(1, std::memory_order_seq_cst);
  futex_wake(work_seq_, INT32_MAX);
}

void Scheduler::post(std::function<void()> task) {
  {
    std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  wake(1);
}

void Scheduler::submit(std::shared_ptr<Run> run) {
  unsigned wanted = static_cast<unsigned>(std::min<uint64_t>(run->workgroups, thread_count_));
  {
    std::lock_guard lock(mutex_);
    auto at = std::find_if(runs_.begin(), runs_.end(),
                           [&](const auto& r) { return r->priority < run->priority; });
    run->listed = true;
    runs_.insert(at, std::move(run));
    run_count_.fetch_add(1, std::memory_order_release);
  }
  wake(wanted);
}

/// The first dispatch at or after `position` in the list that takes workers. `position` counts
/// entries tried in this pass, so that a pass sees each stuck dispatch once.
std::shared_ptr<Run> Scheduler::take(uint64_t& position, uint64_t& entered_at) {
  std::lock_guard lock(mutex_);
  uint64_t i = 0;
  for (auto& r : runs_) {
    if (i++ < position || r->complete_seen || r->faulted)
      continue;
    position = i;
    if (!r->start_ns)
      r->start_ns = now_ns();
    ++r->inside;
    entered_at = r->stuck_count;
    return r;
  }
  return nullptr;
}

bool Scheduler::leave(Run& run, WorkResult result, uint64_t entered_at, bool& faulted) {
  std::lock_guard lock(mutex_);
  --run.inside;
  if (result == WorkResult::faulted)
    run.faulted = true;
  if (result == WorkResult::stuck) {
    ++run.stuck_count;
    run.complete_seen = false;
  }
  // A done that began before somebody's stuck says nothing about what that one left behind.
  if (result == WorkResult::done && entered_at == run.stuck_count)
    run.complete_seen = true;
  if (run.inside || !(run.complete_seen || run.faulted))
    return false;
  faulted = run.faulted;
  if (run.listed) {
    auto it =
        std::find_if(runs_.begin(), runs_.end(), [&](const auto& r) { return r.get() == &run; });
    if (it == runs_.end())
      return false;
    runs_.erase(it);
    run.listed = false;
    run_count_.fetch_sub(1, std::memory_order_release);
  }
  return true;
}

void Scheduler::execute(const std::shared_ptr<Run>& run, unsigned slot, uint64_t entered_at,
                        WorkResult& result) {
  result = run->dispatch->work(slot);
  bool faulted = false;
  if (leave(*run, result, entered_at, faulted))
    run->finished(faulted);
}

bool Scheduler::run_here(const std::shared_ptr<Run>& run) {
  if (run->dispatch->stack_bytes() + kStackReserve > stack_left())
    return false;
  uint32_t used = here_slots_.load(std::memory_order_relaxed);
  unsigned slot;
  do {
    slot = static_cast<unsigned>(__builtin_ctz(~used));
    if (slot >= kHereSlots)
      return false;
  } while (!here_slots_.compare_exchange_weak(used, used | 1u << slot, std::memory_order_acquire));
  {
    std::lock_guard lock(mutex_);
    if (!run->start_ns)
      run->start_ns = now_ns();
    ++run->inside;
  }
  WorkResult result;
  execute(run, pool_threads() + slot, 0, result);
  here_slots_.fetch_and(~(1u << slot), std::memory_order_release);
  if (result == WorkResult::stuck)
    submit(run);
  return true;
}

void Scheduler::worker_main(unsigned index) {
  enter_service_thread("pumice-worker");
  t_is_worker = true;
  uint64_t position = 0;
  unsigned stuck_passes = 0;
  bool progressed = false;
  while (!stop_.load(std::memory_order_acquire)) {
    uint32_t seen = work_seq_.load(std::memory_order_seq_cst);
    std::function<void()> task;
    {
      std::lock_guard lock(mutex_);
      if (!tasks_.empty()) {
        task = std::move(tasks_.front());
        tasks_.pop_front();
      }
    }
    if (task) {
      task();
      continue;
    }
    uint64_t entered_at = 0;
    if (std::shared_ptr<Run> run = take(position, entered_at)) {
      WorkResult result;
      execute(run, index, entered_at, result);
      if (result == WorkResult::stuck)
        continue;
      progressed = true;
      position = 0;
      continue;
    }
    bool all_stuck = position != 0;
    position = 0;
    if (progressed || !all_stuck)
      stuck_passes = 0;
    progressed = false;
    if (!all_stuck) {
      idle_wait(seen);
      continue;
    }
    // Spinning guests wait for each other, for the host, or for a copy.
    if (++stuck_passes <= kStuckYields)
      sched_yield();
    else
      futex_wait(work_seq_, seen, kStuckSleepNs);
    if (poll_)
      poll_();
  }
  alive_.fetch_sub(1);
}

void Scheduler::idle_wait(uint32_t seen) {
  bool mine = false;
  if (!spinning_.load(std::memory_order_relaxed) &&
      spinning_.compare_exchange_strong(mine, true, std::memory_order_seq_cst)) {
    uint64_t start = now_ns();
    while (work_seq_.load(std::memory_order_seq_cst) == seen && now_ns() - start < kIdleSpinNs)
      for (int i = 0; i < 16; ++i)
        __builtin_ia32_pause();
    spinning_.store(false, std::memory_order_seq_cst);
    if (work_seq_.load(std::memory_order_seq_cst) != seen)
      return;
  }
  uint64_t timeout = poll_ && poll_() ? kPollNs : UINT64_MAX;
  sleepers_.fetch_add(1, std::memory_order_seq_cst);
  if (work_seq_.load(std::memory_order_seq_cst) == seen)
    futex_wait(work_seq_, seen, timeout);
  sleepers_.fetch_sub(1, std::memory_order_seq_cst);
}

} // namespace pumice::device
