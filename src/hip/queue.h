// SPDX-License-Identifier: MIT
// One AQL queue with the kernel-argument memory of its packets. Packets carry the barrier bit, so
// they complete in order and argument memory is a ring. Guarded by the owning device's submission
// mutex; waits happen outside it.
#pragma once
#include "hip/completion.h"
#include <deque>
#include <hip/hip_runtime_api.h>
#include <vector>

namespace pumice::hip {

struct DispatchParams {
  uint64_t kernel_object = 0;
  uint32_t grid[3] = {1, 1, 1}; // work-items
  uint16_t workgroup[3] = {1, 1, 1};
  uint16_t dimensions = 1;
  uint32_t group_bytes = 0;
  uint32_t private_bytes = 0;
};

class Queue {
public:
  /// Null when the HSA library refuses.
  static Queue* create(Device& device, bool cooperative, int priority);
  ~Queue();

  /// Space for kernel arguments of the next dispatch; waits for old packets when the ring is full.
  uint8_t* argument_space(size_t bytes);
  /// Publishes a dispatch whose arguments argument_space() returned last.
  void dispatch(const DispatchParams& params, void* arguments, const CompletionRef& completion);
  /// Publishes barrier packets that wait for all of `deps`; the last one completes `completion`
  /// when given.
  void barrier(const std::vector<CompletionRef>& deps, const CompletionRef& completion);

  hsa_queue_t* handle() const { return queue_; }
  bool failed() const { return failed_.load(std::memory_order_acquire); }
  /// After a fault: completes everything outstanding, so that nobody waits forever.
  void abandon();
  /// Signals of everything published and not known to be done.
  bool idle();

private:
  Queue(Device& device) : device_(device) {}
  struct Flight {
    CompletionRef completion;
    uint64_t ring_end;               // arguments up to here are free when it is done
    std::vector<CompletionRef> keep; // dependencies must live until the packet ran
  };
  void retire();
  uint64_t reserve_packet();
  void publish(uint64_t index, uint16_t header, uint16_t setup);
  static void on_error(hsa_status_t status, hsa_queue_t* queue, void* data);

  Device& device_;
  hsa_queue_t* queue_ = nullptr;
  uint8_t* ring_ = nullptr;
  uint64_t ring_size_ = 0, ring_head_ = 0,
           ring_tail_ = 0; // head: next free byte, tail: oldest byte in use
  std::deque<Flight> flights_;
  std::atomic<bool> failed_{false};
};

} // namespace pumice::hip
