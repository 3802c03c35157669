// SPDX-License-Identifier: MIT
// The thread that calls user code: signal handlers, queue error callbacks, system events. User code
// never runs on workers or inside API calls, so it may call any HSA function.
#pragma once
#include "device/signal.h"
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <mutex>
#include <thread>

namespace pumice::device {

class EventThread {
public:
  EventThread();
  ~EventThread();

  /// Runs `f` once.
  void post(std::function<void()> f);
  /// Calls `handler(value)` whenever the condition holds, until it returns false.
  void on_signal(Signal* s, Condition c, int64_t against, std::function<bool(int64_t)> handler);
  /// True on the event thread itself.
  bool is_current() const { return std::this_thread::get_id() == thread_.get_id(); }

private:
  struct Watch {
    Signal* signal;
    Condition condition;
    int64_t against;
    std::function<bool(int64_t)> handler;
  };
  void main();
  bool run_posted();
  bool run_watches();

  std::mutex mutex_;
  std::deque<std::function<void()>> posted_;
  std::list<Watch> watches_, incoming_;
  bool stop_ = false;
  std::thread thread_;
};

} // namespace pumice::device
