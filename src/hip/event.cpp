// SPDX-License-Identifier: MIT
#include "hip/event.h"
#include "hip/device.h"
#include "hip/runtime.h"
#include <algorithm>
#include <shared_mutex>
#include <unordered_set>

namespace pumice::hip {
namespace {
std::shared_mutex g_events_mutex;
std::unordered_set<Event*>& events() {
  static auto* s = new std::unordered_set<Event*>;
  return *s;
}
} // namespace

hipError_t Event::record(Stream& stream) {
  HIP_CHECK_STICKY(stream.device());
  CompletionRef c = stream.mark();
  uint64_t now = clock_ns();
  std::lock_guard lock(mutex_);
  completion_ = std::move(c);
  recorded_ns_ = now;
  recorded_ = true;
  captured_id = 0;
  at_begin_ = exact_ = false;
  return hipSuccess;
}

void Event::set(CompletionRef c, bool at_begin) {
  std::lock_guard lock(mutex_);
  completion_ = std::move(c);
  recorded_ns_ = 0;
  recorded_ = exact_ = true;
  at_begin_ = at_begin;
}

CompletionRef Event::completion() const {
  std::lock_guard lock(mutex_);
  return completion_;
}

bool Event::recorded() const {
  std::lock_guard lock(mutex_);
  return recorded_;
}

bool Event::done() const {
  CompletionRef c = completion();
  return !c || c->done();
}

hipError_t Event::synchronize() const {
  if (CompletionRef c = completion()) {
    c->wait();
    if (c->device)
      return c->device->sticky_error();
  }
  return hipSuccess;
}

uint64_t Event::time_ns() const {
  std::lock_guard lock(mutex_);
  if (!completion_)
    return recorded_ns_;
  uint64_t begin = 0, end = 0;
  completion_->times(&begin, &end);
  return std::max(recorded_ns_, at_begin_ ? begin : end);
}

Event* resolve_event(hipEvent_t handle) {
  auto* e = reinterpret_cast<Event*>(handle);
  std::shared_lock lock(g_events_mutex);
  return events().count(e) ? e : nullptr;
}

hipError_t create_event(unsigned flags, hipEvent_t* out) {
  auto* e = new Event(flags, this_thread().device);
  std::unique_lock lock(g_events_mutex);
  events().insert(e);
  *out = reinterpret_cast<hipEvent_t>(e);
  return hipSuccess;
}

hipError_t destroy_event(hipEvent_t handle) {
  auto* e = reinterpret_cast<Event*>(handle);
  {
    std::unique_lock lock(g_events_mutex);
    if (!events().erase(e))
      return hipErrorInvalidResourceHandle;
  }
  delete e;
  return hipSuccess;
}

} // namespace pumice::hip
