// SPDX-License-Identifier: MIT
// Streams: operations of one stream happen in order; different streams only meet at events, the
// legacy null stream and synchronisation. Submission is guarded by Device::submission; waiting is
// done outside of it.
#pragma once
#include "hip/completion.h"
#include "hip/queue.h"
#include <condition_variable>
#include <functional>
#include <hip/hip_runtime_api.h>
#include <thread>
#include <vector>

namespace pumice::hip {

class Device;
class Kernel;
class Stream;
struct Graph;
struct GraphNode;

/// What a stream records while it captures.
struct Capture {
  Graph* graph = nullptr;
  std::vector<GraphNode*> frontier; // what the next operation depends on
  Stream* origin = nullptr;         // the stream that began capturing
  hipStreamCaptureMode mode = hipStreamCaptureModeGlobal;
  unsigned long long id = 0;
  bool invalidated = false;
  bool owns_graph = true; // false: hipStreamBeginCaptureToGraph
};

struct LaunchParams {
  Kernel* kernel = nullptr;
  uint32_t blocks[3] = {1, 1, 1}; // for whole blocks; grid sizes in work-items are block multiples
  uint32_t threads[3] = {1, 1, 1};
  uint32_t work_items[3] = {0, 0,
                            0}; // hipExtModuleLaunchKernel: exact sizes; zeros: blocks * threads
  uint32_t dynamic_lds = 0;
  void** args = nullptr;        // one pointer per argument, or
  const void* packed = nullptr; // the explicit arguments as laid out in the kernel-argument segment
  size_t packed_bytes = 0;
  bool cooperative = false;
  CompletionRef* completion = nullptr; // receives the dispatch's completion
};

class Stream {
public:
  Stream(Device& device, unsigned flags, int priority, bool null);
  ~Stream();

  Device& device() const { return device_; }
  unsigned flags() const { return flags_; }
  int priority() const { return priority_; }
  bool is_null() const { return null_; }
  bool blocking() const { return !(flags_ & hipStreamNonBlocking); }
  uint64_t id() const { return id_; }

  hipError_t launch(const LaunchParams& params);
  /// Asynchronous copy between memory that agents can reach. Pageable host memory: see copy.h.
  hipError_t copy(void* dst, hsa_agent_t dst_agent, const void* src, hsa_agent_t src_agent,
                  size_t bytes);
  /// Runs `task` on the stream's host thread after everything before it.
  hipError_t host_task(std::function<void()> task);
  /// Later operations wait for `dep`.
  hipError_t wait_for(const CompletionRef& dep);
  /// A completion of everything so far; null when there is nothing outstanding.
  CompletionRef mark();

  hipError_t synchronize();
  bool idle();
  void drop_state(); // hipDeviceReset

  Capture capture; // graph != null while capturing; guarded by the graph mutex

private:
  friend class Device;
  /// Completions that the next operation must wait for besides its own predecessor. `submission`
  /// held.
  void legacy_dependencies(std::vector<CompletionRef>& deps);
  Queue* queue();
  void worker_main();

  Device& device_;
  unsigned flags_;
  int priority_;
  bool null_;
  uint64_t id_;
  Queue* queue_ = nullptr;
  CompletionRef last_;          // guarded by submission
  Queue* last_queue_ = nullptr; // queue that runs `last_`, null for copies and host tasks

  struct HostTask {
    std::vector<CompletionRef> deps;
    std::function<void()> run;
    CompletionRef completion;
  };
  std::mutex worker_mutex_;
  std::condition_variable worker_wake_;
  std::deque<HostTask> worker_tasks_;
  bool worker_stop_ = false;
  std::thread worker_;
};

/// The stream behind a handle: null, legacy, per-thread or created. Null result: invalid handle.
Stream* resolve_stream(hipStream_t handle);
hipError_t create_stream(Device& device, unsigned flags, int priority, hipStream_t* out);
void destroy_stream(Stream* stream);

} // namespace pumice::hip
