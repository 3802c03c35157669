// SPDX-License-Identifier: MIT
// User-mode queues and their packet processor [HSA 2.8.3, 2.9].
//
// There is no thread per queue. Whoever rings the doorbell, completes a dispatch or changes a
// watched signal processes the queue, one thread at a time. Kernels that were short when they last
// ran are run by the thread that rings the doorbell; everything else goes to the worker pool.
//
// After a fault the queue is in its error state: the error callback runs on the event thread, then
// this and all later packets complete without being executed, so that no waiter hangs.
#pragma once
#include "device/aql.h"
#include "device/event_thread.h"
#include "device/fault_report.h"
#include "device/loader.h"
#include "device/scheduler.h"
#include "device/telemetry.h"
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace pumice::device {

enum class QueueError : uint8_t {
  fault,            // FaultEvent::info says which
  invalid_packet,   // type or format
  invalid_argument, // sizes that no hardware runs
  out_of_resources, // LDS or scratch
  invalid_code_object,
  card_failed, // an uncorrectable memory error
};

struct QueueContext { // what queues need of their machine; outlives them
  Loader& loader;
  Memory& memory;
  Scheduler& scheduler;
  EventThread& events;
  Telemetry& telemetry;
  std::function<void(const FaultEvent&)> on_fault; // may be empty; event thread
};

class Queue : public std::enable_shared_from_this<Queue> {
public:
  using ErrorCallback = std::function<void(QueueError, const FaultEvent&)>;

  /// `size`: packets, a power of two. `type`: 0 multi-producer, 1 single, 2 cooperative.
  static std::shared_ptr<Queue> create(QueueContext& context, int device, uint32_t size,
                                       uint32_t type, uint32_t max_lds_bytes,
                                       ErrorCallback on_error);
  ~Queue();

  QueueHeader* header() { return header_; }
  /// The queue of a header that create() made; null for other memory that merely looks like one.
  static Queue* from_header(QueueHeader* header);
  int device() const { return device_; }
  void ring_doorbell();
  /// Completes what is queued without executing it and waits for dispatches in flight, at most two
  /// seconds. The error callback is not called any more.
  void shut_down();
  bool failed() const { return failed_.load(std::memory_order_acquire); }
  void set_priority(int p) { priority_ = p; }
  void set_profiling(bool on) { profiling_ = on; }
  std::vector<uint32_t> cu_mask; // as the user set it; informational

  /// Lets every queue that waits for signals look again. True when some queue still waits.
  static bool poke_blocked();
  /// In a forked child: forgets the parent's queues.
  static void forget_blocked();

private:
  enum class Step : uint8_t { advance, wait, hand_over };
  enum class Caller : uint8_t { submitter, worker };
  friend class QueueRun;

  Queue(QueueContext& context, int device, uint32_t max_lds_bytes, ErrorCallback on_error)
      : context_(context), device_(device), max_lds_bytes_(max_lds_bytes),
        on_error_(std::move(on_error)) {}
  void process(Caller caller);
  void process_owned(Caller caller);
  bool process_packets(Caller caller); // false: handed over to a worker
  Step step(Packet& p, uint16_t header, uint64_t index, Caller caller);
  Step dispatch(Packet& p, uint16_t header, uint64_t index, Caller caller);
  Status check(const KernelDispatchPacket& p, const LoadedKernel& kernel) const;
  Step barrier(Packet& p, uint16_t header);
  Step barrier_value(Packet& p);
  void block_on(std::initializer_list<Signal*> signals);
  void unblock();
  void complete(Signal* completion, uint64_t start_ns);
  void retire(Packet& p, uint64_t index);
  void fail(QueueError what, FaultEvent event, Signal* completion);
  void drain();
  void dispatch_finished(class QueueRun& run, bool faulted);

  QueueContext& context_;
  int device_;
  uint32_t max_lds_bytes_;
  ErrorCallback on_error_;
  QueueHeader* header_ = nullptr;
  Packet* ring_ = nullptr;
  size_t ring_bytes_ = 0;
  int priority_ = 0;
  std::atomic<bool> profiling_{false}, failed_{false}, draining_{false}, callback_on_{true};
  std::atomic<uint32_t> requests_{
      0}; // process() calls not yet served; nonzero = somebody owns the queue
  std::atomic<uint32_t> in_flight_{0};
  std::vector<Signal*> blocked_on_;           // owner only
  std::shared_ptr<LoadedKernel> last_kernel_; // owner only
};

} // namespace pumice::device
