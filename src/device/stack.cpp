// SPDX-License-Identifier: MIT
#include "device/stack.h"
#include <algorithm>
#include <atomic>
#include <memory>
#include <system_error>

namespace pumice::device {

namespace {

constexpr uint64_t kLargeStack = 256 << 20; // only what is touched takes memory
constexpr uint64_t kReserve = 256 << 10;    // for the runtime's own frames and signal handlers

std::atomic<uint64_t> g_stack{kLargeStack};

struct Bounds {
  uintptr_t low = 0, high = 0;
};

Bounds bounds_of_this_thread() {
  Bounds b;
  pthread_attr_t attr;
  if (pthread_getattr_np(pthread_self(), &attr)) return b;
  void* low;
  size_t size;
  if (!pthread_attr_getstack(&attr, &low, &size)) b = {reinterpret_cast<uintptr_t>(low), reinterpret_cast<uintptr_t>(low) + size};
  pthread_attr_destroy(&attr);
  return b;
}

void* run_body(void* p) {
  std::unique_ptr<std::function<void()>> body(static_cast<std::function<void()>*>(p));
  (*body)();
  return nullptr;
}

} // namespace

uint64_t worker_stack_bytes() { return g_stack.load(std::memory_order_relaxed) - kReserve; }

uint64_t stack_left() {
  static thread_local const Bounds bounds = bounds_of_this_thread(); // reads a file on the main thread
  auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  return here > bounds.low && here < bounds.high ? here - bounds.low : 0;
}

WorkerThread::WorkerThread(std::function<void()> body) {
  auto* copy = new std::function<void()>(std::move(body));
  pthread_attr_t attr;
  pthread_attr_init(&attr);
  int failed = pthread_attr_setstacksize(&attr, kLargeStack);
  if (!failed) failed = pthread_create(&handle_, &attr, run_body, copy);
  pthread_attr_destroy(&attr);
  if (failed) {
    size_t usual = 0;
    if (!pthread_getattr_default_np(&attr)) pthread_attr_getstacksize(&attr, &usual), pthread_attr_destroy(&attr);
    g_stack = std::max<uint64_t>(usual, kReserve);
    failed = pthread_create(&handle_, nullptr, run_body, copy);
  }
  if (failed) {
    delete copy;
    throw std::system_error(failed, std::generic_category(), "a worker thread");
  }
}

void with_stack(uint64_t bytes, const std::function<void()>& body) {
  if (stack_left() >= bytes) return body();
  WorkerThread t(body);
  t.join();
}

void WorkerThread::join() { pthread_join(handle_, nullptr); }
void WorkerThread::detach() { pthread_detach(handle_); }

} // namespace pumice::device
