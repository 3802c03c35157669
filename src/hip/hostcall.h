// SPDX-License-Identifier: MIT
// Services that kernels ask of the host while they run: printf, fprintf, device memory for malloc,
// function calls. The device side is ockl's hostcall: lanes of a wave fill a packet, push it on the
// ready stack, and spin until the host clears its ready flag. One buffer and one service thread per
// device, started by the first kernel that needs it.
#pragma once
#include "hip/completion.h"
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

namespace pumice::hip {

class Device;

class Hostcall {
public:
  /// Null when memory is short.
  static Hostcall* start(Device& device);
  void* buffer() const { return buffer_; }
  /// The service thread polls until this dispatch is done.
  void watch(CompletionRef completion);
  /// Handles everything pending now. Returns true when there was something.
  bool serve();

private:
  explicit Hostcall(Device& device) : device_(device) {}
  void main();
  void handle(uint32_t service, uint64_t* slots);
  void message(uint64_t* slots);
  static int print(FILE* to, const uint64_t* words, const uint64_t* end);

  Device& device_;
  void* buffer_ = nullptr;
  std::mutex serve_mutex_;
  std::unordered_map<uint64_t, std::vector<uint64_t>>
      messages_; // fragments of printf calls in progress
  uint64_t next_message_ = 1;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<CompletionRef> watched_;
};

} // namespace pumice::hip
