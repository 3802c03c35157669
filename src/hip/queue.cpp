// SPDX-License-Identifier: MIT
#include "hip/queue.h"
#include "hip/device.h"
#include "hip/runtime.h"
#include <cstring>
#include <sched.h>

namespace pumice::hip {
namespace {
constexpr uint32_t kQueuePackets = 1024;
constexpr uint64_t kRingBytes = 2u << 20;

constexpr uint16_t header_of(hsa_packet_type_t type, bool barrier) {
  return static_cast<uint16_t>((type << HSA_PACKET_HEADER_TYPE) |
                               (barrier << HSA_PACKET_HEADER_BARRIER) |
                               (HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE) |
                               (HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE));
}
} // namespace

Queue* Queue::create(Device& device, bool cooperative, int priority) {
  auto* q = new Queue(device);
  hsa_status_t s =
      hsa().hsa_queue_create(device.agent(), kQueuePackets,
                             cooperative ? HSA_QUEUE_TYPE_COOPERATIVE : HSA_QUEUE_TYPE_MULTI,
                             &Queue::on_error, q, UINT32_MAX, UINT32_MAX, &q->queue_);
  if (s == HSA_STATUS_SUCCESS) {
    void* ring = nullptr;
    s = hsa().hsa_amd_memory_pool_allocate(device.kernarg_pool(), kRingBytes, 0, &ring);
    if (s == HSA_STATUS_SUCCESS) {
      hsa_agent_t agent = device.agent();
      hsa().hsa_amd_agents_allow_access(1, &agent, nullptr, ring);
      q->ring_ = static_cast<uint8_t*>(ring);
      q->ring_size_ = kRingBytes;
    }
  }
  if (s != HSA_STATUS_SUCCESS) {
    log_hsa_error("creating a queue", s);
    delete q;
    return nullptr;
  }
  hsa().hsa_amd_profiling_set_profiler_enabled(q->queue_, 1);
  if (priority != 0)
    hsa().hsa_amd_queue_set_priority(q->queue_, priority < 0 ? HSA_AMD_QUEUE_PRIORITY_HIGH
                                                             : HSA_AMD_QUEUE_PRIORITY_LOW);
  return q;
}

Queue::~Queue() {
  if (queue_)
    hsa().hsa_queue_destroy(queue_);
  if (ring_)
    hsa().hsa_amd_memory_pool_free(ring_);
}

void Queue::on_error(hsa_status_t status, hsa_queue_t*, void* data) {
  auto* q = static_cast<Queue*>(data);
  q->failed_.store(true, std::memory_order_release);
  q->device_.queue_failed(*q, status);
}

void Queue::abandon() {
  for (Flight& f : flights_)
    if (f.completion && !f.completion->done())
      hsa().hsa_signal_store_screlease(f.completion->signal, 0);
}

bool Queue::idle() {
  retire();
  return flights_.empty();
}

void Queue::retire() {
  while (!flights_.empty() &&
         (!flights_.front().completion || flights_.front().completion->done())) {
    // A packet without a completion is done when a later one is.
    if (!flights_.front().completion) {
      bool later = false;
      for (size_t i = 1; i < flights_.size() && !later; ++i)
        later = flights_[i].completion && flights_[i].completion->done();
      if (!later)
        return;
    }
    ring_tail_ = flights_.front().ring_end;
    flights_.pop_front();
  }
}

uint8_t* Queue::argument_space(size_t bytes) {
  bytes = (bytes + 63) & ~size_t{63};
  retire();
  for (;;) {
    uint64_t at = ring_head_ % ring_size_;
    uint64_t start = at + bytes <= ring_size_ ? ring_head_ : ring_head_ + (ring_size_ - at);
    if (flights_.empty())
      ring_tail_ = ring_head_;
    if (start + bytes - ring_tail_ <= ring_size_) {
      ring_head_ = start + bytes;
      return ring_ + start % ring_size_;
    }
    for (Flight& f : flights_) {
      if (!f.completion)
        continue;
      CompletionRef oldest = f.completion;
      oldest->wait();
      break;
    }
    retire();
  }
}

uint64_t Queue::reserve_packet() {
  uint64_t index = hsa().hsa_queue_add_write_index_relaxed(queue_, 1);
  while (index - hsa().hsa_queue_load_read_index_scacquire(queue_) >= queue_->size && !failed())
    sched_yield();
  return index;
}

void Queue::publish(uint64_t index, uint16_t header, uint16_t setup) {
  auto* slot = static_cast<uint8_t*>(queue_->base_address) + (index % queue_->size) * 64;
  uint32_t word = header | (static_cast<uint32_t>(setup) << 16);
  __atomic_store_n(reinterpret_cast<uint32_t*>(slot), word, __ATOMIC_RELEASE);
  hsa().hsa_signal_store_screlease(queue_->doorbell_signal, static_cast<hsa_signal_value_t>(index));
}

void Queue::dispatch(const DispatchParams& p, void* arguments, const CompletionRef& completion) {
  uint64_t index = reserve_packet();
  auto* k = reinterpret_cast<hsa_kernel_dispatch_packet_t*>(
      static_cast<uint8_t*>(queue_->base_address) + (index % queue_->size) * 64);
  k->workgroup_size_x = p.workgroup[0];
  k->workgroup_size_y = p.workgroup[1];
  k->workgroup_size_z = p.workgroup[2];
  k->reserved0 = 0;
  k->grid_size_x = p.grid[0];
  k->grid_size_y = p.grid[1];
  k->grid_size_z = p.grid[2];
  k->private_segment_size = p.private_bytes;
  k->group_segment_size = p.group_bytes;
  k->kernel_object = p.kernel_object;
  k->kernarg_address = arguments;
  k->reserved2 = 0;
  k->completion_signal = completion->signal;
  flights_.push_back({completion, ring_head_, {}});
  publish(index, header_of(HSA_PACKET_TYPE_KERNEL_DISPATCH, true),
          static_cast<uint16_t>(p.dimensions << HSA_KERNEL_DISPATCH_PACKET_SETUP_DIMENSIONS));
}

void Queue::barrier(const std::vector<CompletionRef>& deps, const CompletionRef& completion) {
  size_t i = 0;
  do {
    uint64_t index = reserve_packet();
    auto* b = reinterpret_cast<hsa_barrier_and_packet_t*>(
        static_cast<uint8_t*>(queue_->base_address) + (index % queue_->size) * 64);
    std::memset(reinterpret_cast<uint8_t*>(b) + 4, 0, 60);
    Flight flight{nullptr, ring_head_, {}};
    for (int d = 0; d < 5 && i < deps.size(); ++d, ++i) {
      b->dep_signal[d] = deps[i]->signal;
      flight.keep.push_back(deps[i]);
    }
    if (i >= deps.size() && completion) {
      b->completion_signal = completion->signal;
      flight.completion = completion;
    }
    flights_.push_back(std::move(flight));
    publish(index, header_of(HSA_PACKET_TYPE_BARRIER_AND, true), 0);
  } while (i < deps.size());
}

} // namespace pumice::hip
