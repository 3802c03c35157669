// SPDX-License-Identifier: MIT
#include "device/event_thread.h"
#include "device/fault_guard.h"

namespace pumice::device {

EventThread::EventThread() : thread_([this] { main(); }) {}

EventThread::~EventThread() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_watchers();
  if (is_current())
    thread_.detach(); // hsa_shut_down from a handler
  else
    thread_.join();
}

void EventThread::post(std::function<void()> f) {
  {
    std::lock_guard lock(mutex_);
    posted_.push_back(std::move(f));
  }
  wake_watchers();
}

void EventThread::on_signal(Signal* s, Condition c, int64_t against,
                            std::function<bool(int64_t)> handler) {
  add_watcher(s);
  {
    std::lock_guard lock(mutex_);
    incoming_.push_back({s, c, against, std::move(handler)});
  }
  wake_watchers();
}

bool EventThread::run_posted() {
  bool any = false;
  for (;;) {
    std::function<void()> f;
    {
      std::lock_guard lock(mutex_);
      if (posted_.empty())
        return any;
      f = std::move(posted_.front());
      posted_.pop_front();
    }
    f();
    any = true;
  }
}

bool EventThread::run_watches() {
  bool any = false;
  for (auto it = watches_.begin(); it != watches_.end();) {
    int64_t v = it->signal->value.load(std::memory_order_seq_cst);
    bool met = holds(it->condition, v, it->against);
    bool gone =
        it->signal->kind.load(std::memory_order_relaxed) == Signal::invalid; // destroyed meanwhile
    if (!met && !gone) {
      ++it;
      continue;
    }
    any |= met;
    if (met && it->handler(v) && !gone) {
      ++it;
      continue;
    }
    remove_watcher(it->signal);
    it = watches_.erase(it);
  }
  return any;
}

void EventThread::main() {
  enter_service_thread("pumice-events");
  constexpr uint64_t kRecheckNs = 5'000'000; // guests' writes notify nobody
  for (;;) {
    uint32_t seq = watch_sequence();
    bool stop;
    {
      std::lock_guard lock(mutex_);
      watches_.splice(watches_.end(), incoming_);
      stop = stop_;
    }
    bool any = run_posted();
    if (stop)
      break;
    any |= run_watches();
    if (!any)
      watch_sleep(seq, watches_.empty() ? UINT64_MAX : kRecheckNs);
  }
  for (Watch& w : watches_)
    remove_watcher(w.signal);
}

} // namespace pumice::device
