// SPDX-License-Identifier: MIT
// Events: a point in a stream, with a time. Recording costs no packet: the event shares the
// completion of the stream's last operation, and its time is that operation's end or the moment of
// recording, whichever is later.
#pragma once
#include "hip/completion.h"
#include "hip/stream.h"
#include <hip/hip_runtime_api.h>
#include <mutex>

namespace pumice::hip {

struct Event {
  explicit Event(unsigned f, int d) : flags(f), device(d) {}
  const unsigned flags;
  const int device;

  hipError_t record(Stream& stream);
  /// Marks begin or end of one dispatch (hipExtLaunchKernel).
  void set(CompletionRef completion, bool at_begin);
  CompletionRef completion() const;
  bool recorded() const;
  bool done() const;
  hipError_t synchronize() const;
  /// Only after done().
  uint64_t time_ns() const;

  GraphNode* captured_node =
      nullptr; // last capture that recorded this event; guarded by the graph mutex
  unsigned long long captured_id = 0;

private:
  mutable std::mutex mutex_;
  CompletionRef completion_; // null: was done when recorded
  uint64_t recorded_ns_ = 0;
  bool recorded_ = false, at_begin_ = false, exact_ = false;
};

Event* resolve_event(hipEvent_t handle);
hipError_t create_event(unsigned flags, hipEvent_t* out);
hipError_t destroy_event(hipEvent_t handle);

} // namespace pumice::hip
