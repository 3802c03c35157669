// SPDX-License-Identifier: MIT
// The pool of worker threads that runs dispatches.
//
// Workers take short tasks first (queue processing), then the oldest dispatch that still has work
// and call DispatchRun::work. A `stuck` dispatch is left for the next one and tried again later:
// any worker may continue what another left, so engines keep suspended workgroups per dispatch, not
// per worker. One idle worker spins for a short time before all sleep on a futex, so that a stream
// of small dispatches pays no wake-up.
#pragma once
#include "device/engine.h"
#include "device/stack.h"
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

namespace pumice::device {

/// Threads of the pool (PUMICE_THREADS, default one per core).
unsigned pool_threads();
/// Values that DispatchRun::work gets are below this: pool threads, then slots of submitting
/// threads.
unsigned worker_slots();

/// A dispatch in flight. Owned by shared_ptr; the scheduler drops its reference after finished().
class Run {
public:
  explicit Run(std::unique_ptr<DispatchRun> dispatch) : dispatch(std::move(dispatch)) {}
  virtual ~Run() = default;
  /// Called once, when no worker is inside any more. No scheduler lock is held.
  virtual void finished(bool faulted) = 0;

  std::unique_ptr<DispatchRun> dispatch;
  uint64_t workgroups = 1;
  int priority = 0;      // higher first
  uint64_t start_ns = 0; // when the first worker entered

private:
  friend class Scheduler;
  // Guarded by Scheduler::mutex_.
  unsigned inside = 0;
  uint64_t stuck_count = 0;   // grows with each stuck result
  bool complete_seen = false; // a call that began after the last stuck result returned done
  bool faulted = false;
  bool listed = false;
};

class Scheduler {
public:
  /// `poll` is called by idle workers about every millisecond while it returns true: for things
  /// that nobody announces.
  explicit Scheduler(unsigned threads = pool_threads(), bool (*poll)() = nullptr);
  /// Only after a successful shut_down().
  ~Scheduler();
  /// Waits up to two seconds for tasks and dispatches, then stops the threads. False when one is
  /// inside a kernel that does not end: the scheduler must then be leaked.
  [[nodiscard]] bool shut_down();
  Scheduler(const Scheduler&) = delete;

  void submit(std::shared_ptr<Run> run);
  /// Runs on the calling thread; hands over to the pool when stuck. False (nothing done) when no
  /// slot for a submitting thread is free, or its stack is too small for the kernel.
  bool run_here(const std::shared_ptr<Run>& run);
  /// Runs `task` on a worker soon. Tasks must not block.
  void post(std::function<void()> task);
  /// No dispatch is in the pool.
  bool idle() const { return run_count_.load(std::memory_order_acquire) == 0; }
  /// Makes sleeping workers look again.
  void nudge();

private:
  void worker_main(unsigned index);
  std::shared_ptr<Run> take(uint64_t& position, uint64_t& entered_at);
  /// Books a result; true when the caller must call finished().
  bool leave(Run& run, WorkResult result, uint64_t entered_at, bool& faulted);
  void execute(const std::shared_ptr<Run>& run, unsigned slot, uint64_t entered_at,
               WorkResult& result);
  void idle_wait(uint32_t seen);
  void wake(unsigned wanted);

  std::mutex mutex_;
  std::deque<std::function<void()>> tasks_;
  std::list<std::shared_ptr<Run>> runs_; // by priority, then age
  std::atomic<unsigned> run_count_{0};
  std::atomic<uint32_t> work_seq_{0}, sleepers_{0};
  std::atomic<bool> spinning_{false}, stop_{false};
  std::atomic<uint32_t> here_slots_{0}; // bit mask of slots in use by submitting threads
  std::atomic<unsigned> alive_{0};
  bool (*poll_)();
  std::vector<WorkerThread> threads_;
  unsigned thread_count_;
};

} // namespace pumice::device
