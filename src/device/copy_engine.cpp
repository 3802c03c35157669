// SPDX-License-Identifier: MIT
#include "device/copy_engine.h"
#include "device/fault_guard.h"
#include "device/futex.h"
#include "device/scheduler.h"
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>

namespace pumice::device {
namespace {

constexpr size_t kInlineBytes = 64 << 10; // copied faster than a thread wakes up
constexpr uint64_t kRecheckNs = 2'000'000;
constexpr unsigned kThreads = 2;

bool report(const HostFault& f, const char* what) {
  std::fprintf(stderr, "pumice: %s touched unmapped memory at 0x%016" PRIxPTR "\n", what,
               f.address);
  return false;
}

} // namespace

bool guarded_copy(void* dst, const void* src, size_t bytes) {
  HostFault f;
  // Overlap is undefined for copies; memmove costs nothing and keeps it harmless.
  if (run_guarded([&] { std::memmove(dst, src, bytes); }, f))
    return true;
  return report(f, "a memory copy");
}

bool guarded_fill(void* dst, uint32_t value, size_t words) {
  HostFault f;
  auto* p = static_cast<uint32_t*>(dst);
  if (run_guarded([&] { std::fill_n(p, words, value); }, f))
    return true;
  return report(f, "a memory fill");
}

CopyEngine::~CopyEngine() {
  stop_ = true;
  poke();
  seq_.fetch_add(1);
  futex_wake(seq_, INT32_MAX);
  for (std::thread& t : threads_)
    t.join();
  for (Job& j : waiting_)
    for (Signal* s : j.dependencies)
      remove_watcher(s);
}

bool CopyEngine::ready(const Job& j) {
  return std::all_of(j.dependencies.begin(), j.dependencies.end(),
                     [](Signal* s) { return s->value.load(std::memory_order_seq_cst) == 0; });
}

void CopyEngine::run(Job& j) {
  uint64_t start = now_ns();
  bool ok = j.work();
  if (!j.completion)
    return;
  j.completion->start_ts = start;
  j.completion->end_ts = now_ns();
  if (ok)
    subtract_and_notify(j.completion, 1);
  else
    store_and_notify(j.completion, -1);
}

void CopyEngine::submit(Job job) {
  bool is_ready = ready(job);
  if (is_ready && job.bytes <= kInlineBytes)
    return run(job);
  for (Signal* s : job.dependencies)
    add_watcher(s);
  {
    std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(job));
    waiting_count_.fetch_add(1, std::memory_order_seq_cst);
    unsigned wanted = std::min(kThreads, pool_threads());
    if (threads_.size() < wanted)
      threads_.emplace_back([this] { thread_main(); });
  }
  seq_.fetch_add(1, std::memory_order_seq_cst);
  futex_wake(seq_, 1);
}

void CopyEngine::poke() {
  if (waiting_count_.load(std::memory_order_seq_cst) == 0)
    return;
  seq_.fetch_add(1, std::memory_order_seq_cst);
  futex_wake(seq_, INT32_MAX);
}

bool CopyEngine::take(Job& out) {
  std::lock_guard lock(mutex_);
  for (auto it = waiting_.begin(); it != waiting_.end(); ++it) {
    if (!ready(*it))
      continue;
    out = std::move(*it);
    waiting_.erase(it);
    waiting_count_.fetch_sub(1, std::memory_order_seq_cst);
    return true;
  }
  return false;
}

void CopyEngine::thread_main() {
  enter_service_thread("pumice-copy");
  while (!stop_) {
    uint32_t seen = seq_.load(std::memory_order_seq_cst);
    Job j;
    if (take(j)) {
      for (Signal* s : j.dependencies)
        remove_watcher(s);
      run(j);
      continue;
    }
    // Jobs that wait for signals are looked at again from time to time: guests notify nobody.
    bool some = waiting_count_.load(std::memory_order_seq_cst) != 0;
    futex_wait(seq_, seen, some ? kRecheckNs : UINT64_MAX);
  }
}

} // namespace pumice::device
