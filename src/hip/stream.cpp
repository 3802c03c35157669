// SPDX-License-Identifier: MIT
#include "hip/stream.h"
#include "hip/device.h"
#include "hip/hostcall.h"
#include "hip/kernel.h"
#include "hip/runtime.h"
#include <algorithm>
#include <shared_mutex>
#include <unordered_set>

namespace pumice::hip {
namespace {
std::shared_mutex g_handles_mutex;
std::unordered_set<Stream*>& handles() {
  static auto* s = new std::unordered_set<Stream*>;
  return *s;
}
std::atomic<uint64_t> g_next_id{1};

void add_pending(std::vector<CompletionRef>& deps, const CompletionRef& c) {
  if (c && !c->done())
    deps.push_back(c);
}
} // namespace

Stream::Stream(Device& device, unsigned flags, int priority, bool null)
    : device_(device), flags_(flags), priority_(priority), null_(null), id_(g_next_id++) {}

Stream::~Stream() {
  {
    std::lock_guard lock(worker_mutex_);
    worker_stop_ = true;
  }
  worker_wake_.notify_all();
  if (worker_.joinable()) {
    // A host task that holds the last reference destroys its own stream.
    if (worker_.get_id() == std::this_thread::get_id())
      worker_.detach();
    else
      worker_.join();
  }
}

Queue* Stream::queue() {
  if (!queue_)
    queue_ = device_.queue_for_stream(priority_);
  return queue_;
}

void Stream::legacy_dependencies(std::vector<CompletionRef>& deps) {
  if (!blocking())
    return;
  if (null_) {
    for (Stream* other : device_.streams)
      if (other->blocking())
        add_pending(deps, other->last_);
  } else if (device_.null_stream_) {
    add_pending(deps, device_.null_stream_->last_);
  }
}

hipError_t Stream::launch(const LaunchParams& p) {
  Kernel& kernel = *p.kernel;
  DispatchParams d;
  HIP_TRY(kernel.dispatch_params(p, d));
  Hostcall* hostcall = kernel.uses_hostcall() ? device_.hostcall() : nullptr;
  void* heap = kernel.uses_heap() ? device_.device_heap() : nullptr;
  HIP_CHECK_STICKY(device_);
  CompletionRef completion = new_completion(&device_, Completion::Kind::packet);

  std::lock_guard lock(device_.submission);
  Queue* q = p.cooperative ? device_.cooperative_queue() : queue();
  if (!q)
    return hipErrorOutOfMemory;
  std::vector<CompletionRef> deps;
  legacy_dependencies(deps);
  if (last_queue_ != q)
    add_pending(deps, last_);
  if (!deps.empty())
    q->barrier(deps, nullptr);
  uint8_t* arguments = q->argument_space(kernel.argument_bytes());
  kernel.write_arguments(p, d, arguments, *q, hostcall ? hostcall->buffer() : nullptr, heap);
  completion->issued_ns = 0;
  q->dispatch(d, arguments, completion);
  last_ = completion;
  last_queue_ = q;
  if (p.completion)
    *p.completion = completion;
  if (hostcall)
    hostcall->watch(completion);
  return hipSuccess;
}

hipError_t Stream::copy(void* dst, hsa_agent_t dst_agent, const void* src, hsa_agent_t src_agent,
                        size_t bytes) {
  HIP_CHECK_STICKY(device_);
  CompletionRef completion = new_completion(&device_, Completion::Kind::copy);
  std::lock_guard lock(device_.submission);
  std::vector<CompletionRef> deps;
  legacy_dependencies(deps);
  add_pending(deps, last_);
  std::vector<hsa_signal_t> signals;
  for (const CompletionRef& c : deps)
    signals.push_back(c->signal);
  hsa_status_t s = hsa().hsa_amd_memory_async_copy(
      dst, dst_agent, src, src_agent, bytes, static_cast<uint32_t>(signals.size()),
      signals.empty() ? nullptr : signals.data(), completion->signal);
  if (s != HSA_STATUS_SUCCESS) {
    log_hsa_error("copying", s);
    return from_hsa(s);
  }
  device_.track(completion, std::move(deps));
  last_ = completion;
  last_queue_ = nullptr;
  return hipSuccess;
}

hipError_t Stream::host_task(std::function<void()> run) {
  CompletionRef completion = new_completion(&device_, Completion::Kind::host);
  std::lock_guard lock(device_.submission);
  HostTask task;
  legacy_dependencies(task.deps);
  add_pending(task.deps, last_);
  task.run = std::move(run);
  task.completion = completion;
  {
    std::lock_guard worker_lock(worker_mutex_);
    if (!worker_.joinable())
      worker_ = std::thread([this] { worker_main(); });
    worker_tasks_.push_back(std::move(task));
  }
  worker_wake_.notify_one();
  last_ = completion;
  last_queue_ = nullptr;
  return hipSuccess;
}

void Stream::worker_main() {
  this_thread().device = device_.ordinal();
  for (;;) {
    HostTask task;
    {
      std::unique_lock lock(worker_mutex_);
      worker_wake_.wait(lock, [this] { return worker_stop_ || !worker_tasks_.empty(); });
      if (worker_tasks_.empty())
        return;
      task = std::move(worker_tasks_.front());
      worker_tasks_.pop_front();
    }
    for (const CompletionRef& c : task.deps)
      c->wait();
    task.run();
    task.run = nullptr;
    task.completion->host_end_ns.store(clock_ns(), std::memory_order_release);
    hsa().hsa_signal_store_screlease(task.completion->signal, 0);
  }
}

hipError_t Stream::wait_for(const CompletionRef& dep) {
  if (!dep || dep->done())
    return hipSuccess;
  CompletionRef completion = new_completion(&device_, Completion::Kind::packet);
  std::lock_guard lock(device_.submission);
  Queue* q = queue();
  if (!q)
    return hipErrorOutOfMemory;
  std::vector<CompletionRef> deps{dep};
  if (last_queue_ != q)
    add_pending(deps, last_);
  q->barrier(deps, completion);
  last_ = completion;
  last_queue_ = q;
  return hipSuccess;
}

CompletionRef Stream::mark() {
  std::vector<CompletionRef> deps;
  {
    std::lock_guard lock(device_.submission);
    if (null_)
      legacy_dependencies(deps);
    if (deps.empty())
      return last_ && !last_->done() ? last_ : nullptr;
  }
  // The null stream stands for all blocking streams: one packet gathers them.
  CompletionRef completion = new_completion(&device_, Completion::Kind::packet);
  std::lock_guard lock(device_.submission);
  Queue* q = queue();
  if (!q)
    return last_;
  if (last_queue_ != q)
    add_pending(deps, last_);
  q->barrier(deps, completion);
  last_ = completion;
  last_queue_ = q;
  return completion;
}

bool Stream::idle() {
  std::vector<CompletionRef> deps;
  std::lock_guard lock(device_.submission);
  if (null_)
    legacy_dependencies(deps);
  add_pending(deps, last_);
  return deps.empty();
}

hipError_t Stream::synchronize() {
  std::vector<CompletionRef> deps;
  {
    std::lock_guard lock(device_.submission);
    if (null_)
      legacy_dependencies(deps);
    add_pending(deps, last_);
  }
  for (const CompletionRef& c : deps)
    c->wait();
  return device_.sticky_error();
}

void Stream::drop_state() {
  last_ = nullptr;
  last_queue_ = nullptr;
  queue_ = nullptr;
}

Stream* resolve_stream(hipStream_t handle) {
  if (handle == nullptr || handle == hipStreamLegacy)
    return &current_device().null_stream();
  if (handle == hipStreamPerThread) {
    Thread& t = this_thread();
    for (auto& [device, stream] : t.per_thread_streams)
      if (device == t.device)
        return stream;
    hipStream_t created = nullptr;
    if (create_stream(current_device(), hipStreamDefault, 0, &created) != hipSuccess)
      return nullptr;
    auto* s = reinterpret_cast<Stream*>(created);
    t.per_thread_streams.emplace_back(t.device, s);
    return s;
  }
  auto* s = reinterpret_cast<Stream*>(handle);
  std::shared_lock lock(g_handles_mutex);
  return handles().count(s) ? s : nullptr;
}

hipError_t create_stream(Device& device, unsigned flags, int priority, hipStream_t* out) {
  auto* s = new Stream(device, flags, priority, false);
  {
    std::lock_guard lock(device.submission);
    device.streams.insert(s);
  }
  std::unique_lock lock(g_handles_mutex);
  handles().insert(s);
  *out = reinterpret_cast<hipStream_t>(s);
  return hipSuccess;
}

void destroy_stream(Stream* s) {
  {
    std::unique_lock lock(g_handles_mutex);
    handles().erase(s);
  }
  (void)s->synchronize();
  {
    std::lock_guard lock(s->device().submission);
    s->device().streams.erase(s);
  }
  delete s;
}

} // namespace pumice::hip
