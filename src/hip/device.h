// SPDX-License-Identifier: MIT
// One GPU agent: its properties, pools, queues and streams. Created once per process, never
// destroyed. `submission` orders everything that is handed to the device; hold it only while
// submitting.
#pragma once
#include "codeobj/target_id.h"
#include "hip/completion.h"
#include "hip/queue.h"
#include <hip/hip_runtime_api.h>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>
#include <vector>

namespace pumice::hip {

class Stream;
class Hostcall;
class MemoryPool;

class Device {
public:
  Device(int ordinal, hsa_agent_t agent);

  int ordinal() const { return ordinal_; }
  hsa_agent_t agent() const { return agent_; }
  const codeobj::TargetId& target() const { return target_; }
  const hipDeviceProp_t& properties() const { return properties_; }
  hsa_amd_memory_pool_t device_pool() const { return device_pool_; }
  hsa_amd_memory_pool_t kernarg_pool() const;
  uint64_t wall_clock_hz() const { return wall_clock_hz_; }

  Stream& null_stream();
  std::mutex submission;
  /// Streams other than the null stream. Guarded by `submission`.
  std::unordered_set<Stream*> streams;
  /// A queue for a new stream; queues are shared once there are kMaxQueues. Call with `submission`
  /// held.
  Queue* queue_for_stream(int priority);
  Queue* cooperative_queue();
  /// Keeps an asynchronous copy's signal and those it waits for alive until it is done. Call with `submission` held.
  void track(CompletionRef completion, std::vector<CompletionRef> dependencies);

  /// Waits for all work; returns the sticky error.
  hipError_t synchronize();
  hipError_t sticky_error() const {
    return static_cast<hipError_t>(sticky_.load(std::memory_order_acquire));
  }
  void set_sticky(hipError_t e);
  /// hipDeviceReset: new queues, no error.
  void reset();
  void queue_failed(Queue& queue, hsa_status_t status);

  Hostcall* hostcall(); // started on first use
  void* device_heap();  // zeroed block for device malloc
  std::atomic<bool> assert_reported{false};

  /// Memory freed in stream order, returned to HSA once the stream got there.
  void free_later(void* p, CompletionRef when);
  void collect_freed(bool wait);

  size_t limit_stack = 1024, limit_printf = 1 << 20, limit_heap = 8 << 20;
  unsigned flags = 0;
  std::unordered_set<int> peers; // guarded by submission

private:
  friend class Stream;
  void read_properties();
  static constexpr size_t kMaxQueues = 16;
  int ordinal_;
  hsa_agent_t agent_;
  codeobj::TargetId target_;
  hipDeviceProp_t properties_{};
  hsa_amd_memory_pool_t device_pool_{0};
  uint64_t wall_clock_hz_ = 100000000;
  std::once_flag null_once_, hostcall_once_, heap_once_;
  Stream* null_stream_ = nullptr;
  std::vector<std::unique_ptr<Queue>> queues_;
  size_t next_queue_ = 0;
  std::unique_ptr<Queue> cooperative_;
  std::vector<std::pair<CompletionRef, std::vector<CompletionRef>>> tracked_;
  std::atomic<int> sticky_{hipSuccess};
  Hostcall* hostcall_ = nullptr;
  void* heap_ = nullptr;
  std::mutex freed_mutex_;
  std::vector<std::pair<void*, CompletionRef>> freed_;
};

} // namespace pumice::hip
