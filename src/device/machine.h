// SPDX-License-Identifier: MIT
// Everything that exists between the first hsa_init and the last hsa_shut_down: devices, memory,
// loader, worker pool, event thread, copy engine, queues. One per process.
#pragma once
#include "codeobj/target_id.h"
#include "device/copy_engine.h"
#include "device/event_thread.h"
#include "device/loader.h"
#include "device/memory.h"
#include "device/profile.h"
#include "device/queue.h"
#include "device/scheduler.h"
#include "device/telemetry.h"
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace pumice::device {

struct Device {
  int index = 0;
  Profile profile;
  codeobj::TargetId target;
  isa::Target engine_target = isa::Target::gfx942;
};

class Machine {
public:
  /// Devices as PUMICE_DEVICES says.
  static Result<std::unique_ptr<Machine>> create();
  ~Machine();

  /// In a forked child, which has none of the threads: cuts what is global off from the parent's
  /// machine.
  static void forget_after_fork();

  const std::vector<Device>& devices() const { return devices_; }
  Memory& memory() { return *memory_; }
  Loader& loader() { return *loader_; }
  Scheduler& scheduler() { return *scheduler_; }
  EventThread& events() { return *events_; }
  CopyEngine& copies() { return *copies_; }
  Telemetry& telemetry() { return *telemetry_; }

  /// Null when the ring cannot be allocated.
  std::shared_ptr<Queue> create_queue(int device, uint32_t size, uint32_t type,
                                      Queue::ErrorCallback on_error);
  void destroy_queue(Queue* q);
  /// Guest faults, on the event thread, before the queue's own callback.
  void set_fault_listener(std::function<void(const FaultEvent&)> f);

private:
  Machine() = default;
  std::vector<Device> devices_;
  std::unique_ptr<Telemetry> telemetry_; // memory and queues write to it
  std::unique_ptr<Memory> memory_;
  std::unique_ptr<Loader> loader_;
  std::unique_ptr<Scheduler> scheduler_;
  std::unique_ptr<EventThread> events_;
  std::unique_ptr<CopyEngine> copies_;
  std::unique_ptr<QueueContext> context_;
  std::mutex mutex_;
  std::unordered_map<Queue*, std::shared_ptr<Queue>> queues_;
  std::function<void(const FaultEvent&)> fault_listener_;
};

} // namespace pumice::device
