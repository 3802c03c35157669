// SPDX-License-Identifier: MIT
// Completions: HSA signals that say when an operation of a stream is done, pooled and shared by
// everyone who waits. Thread safe. A completion outlives its operation for as long as an event or
// stream refers to it.
#pragma once
#include "hip/hsa_api.h"
#include <atomic>
#include <cstdint>
#include <memory>

namespace pumice::hip {

class Device;

struct Completion {
  enum class Kind : uint8_t { packet, copy, host };
  hsa_signal_t signal{0};
  Kind kind = Kind::packet;
  Device* device = nullptr;
  uint64_t issued_ns = 0;               // host clock at submission
  std::atomic<uint64_t> host_end_ns{0}; // set by host tasks

  bool done() const { return hsa().hsa_signal_load_scacquire(signal) <= 0; }
  /// Blocks until done.
  void wait() const;
  /// Begin and end in nanoseconds of the host clock; only after done().
  void times(uint64_t* begin_ns, uint64_t* end_ns) const;
};
using CompletionRef = std::shared_ptr<Completion>;

/// A completion whose signal holds 1.
CompletionRef new_completion(Device* device, Completion::Kind kind);
/// Clock of the completions' timestamps, in nanoseconds.
uint64_t clock_ns();

} // namespace pumice::hip
