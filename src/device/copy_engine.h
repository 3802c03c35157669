// SPDX-License-Identifier: MIT
// Asynchronous copies and fills: jobs that start when their dependency signals are zero, on threads
// of their own (as SDMA engines are). Small jobs whose dependencies are met run on the calling
// thread.
#pragma once
#include "device/signal.h"
#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <thread>
#include <vector>

namespace pumice::device {

class CopyEngine {
public:
  CopyEngine() = default;
  ~CopyEngine();

  struct Job {
    std::function<bool()> work; // false: failed; the completion signal then becomes negative
    size_t bytes = 0;
    std::vector<Signal*> dependencies;
    Signal* completion = nullptr;
  };
  void submit(Job job);
  /// Some job's dependency may have changed.
  void poke();

private:
  void thread_main();
  static bool ready(const Job& j);
  static void run(Job& j);
  bool take(Job& out);

  std::mutex mutex_;
  std::list<Job> waiting_;
  std::atomic<uint32_t> seq_{0}, waiting_count_{0};
  std::atomic<bool> stop_{false};
  std::vector<std::thread> threads_;
};

/// memcpy that survives bad addresses; false when one was hit.
bool guarded_copy(void* dst, const void* src, size_t bytes);
bool guarded_fill(void* dst, uint32_t value, size_t words);

} // namespace pumice::device
