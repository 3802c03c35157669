// SPDX-License-Identifier: MIT
// Room on the stacks of the threads that run kernels. Translated code keeps the vector registers that do not fit the
// host's in its frame, up to tens of megabytes for unoptimised code, and does not probe the guard page.
#pragma once
#include <cstdint>
#include <functional>
#include <pthread.h>

namespace pumice::device {

/// What a kernel may take of a worker's stack, in bytes.
uint64_t worker_stack_bytes();

/// Bytes of stack below the caller's frame; 0 when the caller is not on its thread's own stack (a fiber).
uint64_t stack_left();

/// Runs `body` here, or on a thread of its own when this one has less than `bytes` of stack left.
void with_stack(uint64_t bytes, const std::function<void()>& body);

/// A joinable POSIX thread with a stack for kernels; with the default stack where the system refuses a large one
/// (worker_stack_bytes() is then smaller too).
class WorkerThread {
public:
  explicit WorkerThread(std::function<void()> body);
  void join();
  void detach();

private:
  pthread_t handle_;
};

} // namespace pumice::device
