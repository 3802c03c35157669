// SPDX-License-Identifier: MIT
// Queue: kernel-dispatch packets, from the check to the completion signal.
#include "device/queue.h"

namespace pumice::device {
namespace {

constexpr uint32_t kMaxWorkgroup = 1024;
// Kernels that took longer than this do not run on the thread that rings the doorbell.
constexpr uint64_t kShortNs = 50'000;

} // namespace

/// One dispatch: the packet's copy (the guest's dispatch_ptr), what the engine was told, and
/// bookkeeping.
class QueueRun : public Run {
public:
  QueueRun(std::shared_ptr<Queue> queue, std::shared_ptr<LoadedKernel> kernel, const Packet& p)
      : Run(nullptr), packet(*reinterpret_cast<KernelDispatchPacket*>((reinterpret_cast<uintptr_t>(storage_) + 63) & ~uintptr_t{63})),
        queue(std::move(queue)), kernel(std::move(kernel)) {
    __builtin_memcpy(static_cast<void*>(&packet), static_cast<const void*>(&p), sizeof packet);
  }
  void finished(bool faulted) override {
    auto q = queue; // the run may go with its last reference
    q->dispatch_finished(*this, faulted);
  }

  // Aligned by hand: what needs more than malloc's alignment is allocated several times as slowly.
  KernelDispatchPacket& packet;
  std::shared_ptr<Queue> queue;
  std::shared_ptr<LoadedKernel> kernel;
  DispatchPacketInfo info{};

private:
  std::byte storage_[sizeof(KernelDispatchPacket) + 63];
};

Status Queue::check(const KernelDispatchPacket& p, const LoadedKernel& kernel) const {
  uint64_t size = 1;
  for (int d = 0; d < 3; ++d) {
    if (!p.workgroup[d] || !p.grid[d])
      return error(Code::invalid_argument, "grid and workgroup sizes must be at least 1");
    size *= p.workgroup[d];
  }
  uint32_t most = kernel.metadata.max_flat_workgroup_size;
  if (most == 0 || most > kMaxWorkgroup)
    most = kMaxWorkgroup;
  if (size > most)
    return error(Code::invalid_argument, "workgroup of " + std::to_string(size) +
                                             " work-items; this kernel was compiled for at most " +
                                             std::to_string(most));
  if (std::max(p.group_segment_size, kernel.code.descriptor.group_segment_fixed_size) >
      max_lds_bytes_)
    return error(Code::out_of_memory, "workgroup wants " + std::to_string(p.group_segment_size) +
                                          " bytes of LDS; the device has " +
                                          std::to_string(max_lds_bytes_));
  if (kernel.device != device_)
    return error(Code::invalid_argument, "kernel is loaded for device " +
                                             std::to_string(kernel.device) +
                                             ", the queue is of device " + std::to_string(device_));
  return ok_status();
}

Queue::Step Queue::dispatch(Packet& p, uint16_t header, uint64_t index, Caller caller) {
  (void)header;
  uint64_t object = p.dispatch.kernel_object;
  if (!last_kernel_ || last_kernel_->kernel_object != object)
    last_kernel_ = context_.loader.kernel(object);
  Signal* completion = p.dispatch.completion;
  auto refuse = [&](QueueError what, const Status& why, const std::string& name) {
    retire(p, index);
    fail(what, describe_refusal(why, name, device_), completion);
    return Step::advance;
  };
  std::shared_ptr<LoadedKernel> kernel = last_kernel_;
  if (!kernel)
    return refuse(QueueError::invalid_code_object,
                  error(Code::not_found, "kernel_object is no loaded kernel descriptor"), "");
  // The first start of a kernel may compile it: that is worker's work.
  bool known = kernel->last_ns.load(std::memory_order_relaxed) != 0;
  if (caller == Caller::submitter && !known)
    return Step::hand_over;
  if (Status s = check(p.dispatch, *kernel); !s.ok())
    return refuse(s.code == Code::out_of_memory ? QueueError::out_of_resources
                                                : QueueError::invalid_argument,
                  s, kernel->code.name);

  if (context_.telemetry.card_failed(device_))
    return refuse(QueueError::card_failed,
                  error(Code::fault, "uncorrectable ECC error on device " +
                                         std::to_string(device_) + " (injected)"),
                  kernel->code.name);

  auto run = std::make_shared<QueueRun>(shared_from_this(), kernel, p);
  const KernelDispatchPacket& copy = run->packet;
  DispatchPacketInfo& info = run->info;
  info.kernel = &kernel->code;
  for (int d = 0; d < 3; ++d) {
    info.grid[d] = copy.grid[d];
    info.workgroup[d] = copy.workgroup[d];
  }
  const codeobj::KernelDescriptor& kd = kernel->code.descriptor;
  info.group_segment_bytes = std::max(copy.group_segment_size, kd.group_segment_fixed_size);
  info.private_segment_bytes = std::max(copy.private_segment_size, kd.private_segment_fixed_size);
  info.kernarg = copy.kernarg;
  info.packet = &run->packet;
  info.queue = header_;
  info.dispatch_id = index;
  info.cooperative = header_->type == 2;
  uint64_t workgroups = info.total_workgroups();
  bool is_short = caller == Caller::submitter && in_flight_.load(std::memory_order_acquire) == 0 && context_.scheduler.idle() &&
                  kernel->last_ns.load(std::memory_order_relaxed) < kShortNs &&
                  workgroups <= kernel->last_groups.load(std::memory_order_relaxed);
  info.by_one = is_short;
  auto started = default_engine().start(info);
  if (!started.ok())
    return refuse(started.status().code == Code::invalid_code_object
                      ? QueueError::invalid_code_object
                      : QueueError::fault,
                  started.status(), kernel->code.name);
  run->dispatch = std::move(*started);
  run->workgroups = workgroups;
  run->priority = priority_;
  uint32_t number = kernel->telemetry_number.load(std::memory_order_relaxed);
  if (number == UINT32_MAX) {
    number = context_.telemetry.kernel_number(kernel->code.name);
    kernel->telemetry_number.store(number, std::memory_order_relaxed);
  }
  uint64_t now = now_ns();
  context_.telemetry.dispatch_begin(device_, number, now);
  in_flight_.fetch_add(1, std::memory_order_acq_rel);
  retire(p, index);
  if (is_short) {
    run->start_ns = now; // one clock reading serves both
    if (context_.scheduler.run_here(run))
      return Step::advance;
    run->start_ns = 0;
  }
  context_.scheduler.submit(run);
  return Step::advance;
}

void Queue::dispatch_finished(QueueRun& run, bool faulted) {
  uint64_t end = now_ns();
  LoadedKernel& k = *run.kernel;
  k.last_groups.store(run.workgroups, std::memory_order_relaxed);
  // A thread that lost its core makes one sample longer; let the estimate grow slowly then.
  constexpr uint64_t kHiccupNs = 1'000'000;
  uint64_t before = k.last_ns.load(std::memory_order_relaxed),
           took = std::max<uint64_t>(end - run.start_ns, 1);
  bool hiccup = before && took > before * 2 && took < kHiccupNs;
  k.last_ns.store(hiccup ? before * 2 : took, std::memory_order_relaxed);
  context_.telemetry.dispatch_end(device_, k.telemetry_number.load(std::memory_order_relaxed),
                                  run.start_ns, end);
  if (faulted) {
    fail(QueueError::fault,
         describe_fault(run.dispatch->fault(), k, context_.memory, context_.loader),
         run.packet.completion);
  } else {
    complete(run.packet.completion, run.start_ns);
  }
  in_flight_.fetch_sub(1, std::memory_order_acq_rel);
  process(Caller::worker);
}

} // namespace pumice::device
