// SPDX-License-Identifier: MIT
#include "device/queue.h"
#include <algorithm>
#include <cstring>
#include <new>
#include <sys/mman.h>

namespace pumice::device {
namespace {

constexpr uint64_t kMagic = 0x50756d6963655121; // tells our headers from other memory
constexpr uint64_t kShutdownNs = 2'000'000'000;

struct Block { // what follows the ring
  QueueHeader header;
  uint64_t magic = kMagic;
  Queue* owner = nullptr;
};

// Queues whose next packet waits for signals.
std::mutex g_blocked_mutex;
std::vector<std::weak_ptr<Queue>>& blocked_list() {
  static auto* list = new std::vector<std::weak_ptr<Queue>>;
  return *list;
}
std::atomic<uint32_t> g_blocked_count{0};

} // namespace

std::shared_ptr<Queue> Queue::create(QueueContext& context, int device, uint32_t size,
                                     uint32_t type, uint32_t max_lds_bytes,
                                     ErrorCallback on_error) {
  std::shared_ptr<Queue> q(new Queue(context, device, max_lds_bytes, std::move(on_error)));
  q->ring_bytes_ = std::max<size_t>(size_t{size} * sizeof(Packet), 4096);
  void* ring = mmap(nullptr, q->ring_bytes_ + sizeof(Block), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (ring == MAP_FAILED)
    return nullptr;
  q->ring_ = static_cast<Packet*>(ring);
  auto* block = new (static_cast<char*>(ring) + q->ring_bytes_) Block{};
  block->owner = q.get();
  QueueHeader* h = &block->header;
  q->header_ = h;
  h->doorbell = create_signal(-1);
  h->inactive_signal = create_signal(0);
  if (!h->doorbell || !h->inactive_signal)
    return nullptr;
  for (uint32_t i = 0; i < size; ++i)
    q->ring_[i].raw.header.store(static_cast<uint16_t>(PacketType::invalid),
                                 std::memory_order_relaxed);
  static std::atomic<uint64_t> next_id{0};
  h->type = type;
  h->features = 1; // kernel dispatch
  h->base = ring;
  h->size = size;
  h->id = next_id++;
  h->group_aperture_hi = exec::kSharedApertureHi;
  h->private_aperture_hi = exec::kPrivateApertureHi;
  h->read_index_offset = static_cast<uint32_t>(offsetof(QueueHeader, read_index));
  h->properties = 1u << 1; // 64-bit pointers
  h->doorbell->queue = h;
  h->doorbell->kind = Signal::doorbell;
  context.telemetry.queues_changed(device, 1);
  return q;
}

Queue::~Queue() {
  if (!ring_)
    return;
  if (header_) {
    if (header_->doorbell && header_->doorbell->queue)
      context_.telemetry.queues_changed(device_, -1);
    if (header_->doorbell) {
      header_->doorbell->queue = nullptr;
      destroy_signal(header_->doorbell);
    }
    if (header_->inactive_signal)
      destroy_signal(header_->inactive_signal);
  }
  munmap(ring_, ring_bytes_ + sizeof(Block));
}

Queue* Queue::from_header(QueueHeader* header) {
  auto* block = reinterpret_cast<Block*>(header);
  return header && block->magic == kMagic ? block->owner : nullptr;
}

void Queue::ring_doorbell() {
  process(Caller::submitter);
}

void Queue::process(Caller caller) {
  if (requests_.fetch_add(1, std::memory_order_acq_rel) != 0)
    return; // the owner will look again
  process_owned(caller);
}

void Queue::process_owned(Caller caller) {
  uint32_t served = requests_.load(std::memory_order_acquire);
  for (;;) {
    if (!process_packets(caller))
      return; // a worker owns the queue now
    if (requests_.compare_exchange_strong(served, 0, std::memory_order_acq_rel))
      return;
  }
}

bool Queue::process_packets(Caller caller) {
  for (;;) {
    if (failed()) {
      drain();
      return true;
    }
    uint64_t index = header_->read_index.load(std::memory_order_relaxed);
    if (index >= header_->write_index.load(std::memory_order_acquire))
      return true;
    Packet& p = ring_[index & (header_->size - 1)];
    uint16_t header = p.raw.header.load(std::memory_order_acquire);
    if (packet_type(header) == PacketType::invalid)
      return true; // not published yet
    if ((header & kBarrierBit) && in_flight_.load(std::memory_order_acquire) != 0)
      return true;
    switch (step(p, header, index, caller)) {
    case Step::advance:
      break;
    case Step::wait:
      return true;
    case Step::hand_over:
      context_.scheduler.post([self = shared_from_this()] { self->process_owned(Caller::worker); });
      return false;
    }
  }
}

Queue::Step Queue::step(Packet& p, uint16_t header, uint64_t index, Caller caller) {
  switch (packet_type(header)) {
  case PacketType::kernel_dispatch:
    return dispatch(p, header, index, caller);
  case PacketType::barrier_and:
  case PacketType::barrier_or: {
    Step s = barrier(p, header);
    if (s == Step::advance) {
      Signal* completion = p.barrier.completion;
      retire(p, index);
      complete(completion, now_ns());
    }
    return s;
  }
  case PacketType::vendor:
    if (p.raw.format == kVendorBarrierValue) {
      Step s = barrier_value(p);
      if (s == Step::advance) {
        Signal* completion = p.barrier_value.completion;
        retire(p, index);
        complete(completion, now_ns());
      }
      return s;
    }
    [[fallthrough]];
  default: {
    Signal* completion = p.raw.completion;
    std::string what = "packet type " + std::to_string(header & 0xff) + " is not supported";
    retire(p, index);
    fail(QueueError::invalid_packet,
         describe_refusal(error(Code::invalid_argument, what), "", device_), completion);
    return Step::advance;
  }
  }
}

Queue::Step Queue::barrier(Packet& p, uint16_t header) {
  bool any = packet_type(header) == PacketType::barrier_or;
  bool has_dependency = false, satisfied = !any;
  for (Signal* s : p.barrier.dependency) {
    if (!s)
      continue;
    has_dependency = true;
    bool zero = s->value.load(std::memory_order_seq_cst) == 0;
    satisfied = any ? satisfied || zero : satisfied && zero;
  }
  if (satisfied || !has_dependency) {
    unblock();
    return Step::advance;
  }
  if (blocked_on_.empty()) {
    auto& d = p.barrier.dependency;
    block_on({d[0], d[1], d[2], d[3], d[4]});
    return barrier(p, header); // it may have changed before we watched
  }
  return Step::wait;
}

Queue::Step Queue::barrier_value(Packet& p) {
  Signal* s = p.barrier_value.signal;
  bool ok = !s || holds(static_cast<Condition>(p.barrier_value.condition & 3),
                        s->value.load(std::memory_order_seq_cst) & p.barrier_value.mask,
                        p.barrier_value.value);
  if (ok) {
    unblock();
    return Step::advance;
  }
  if (blocked_on_.empty()) {
    block_on({s});
    return barrier_value(p);
  }
  return Step::wait;
}

void Queue::block_on(std::initializer_list<Signal*> signals) {
  for (Signal* s : signals) {
    if (!s)
      continue;
    add_watcher(s);
    blocked_on_.push_back(s);
  }
  {
    std::lock_guard lock(g_blocked_mutex);
    blocked_list().push_back(weak_from_this());
    g_blocked_count.fetch_add(1, std::memory_order_seq_cst);
  }
  // Sleeping workers poll while queues are blocked: guests' writes to signals notify nobody.
  context_.scheduler.nudge();
}

void Queue::unblock() {
  if (blocked_on_.empty())
    return;
  for (Signal* s : blocked_on_)
    remove_watcher(s);
  blocked_on_.clear();
  std::lock_guard lock(g_blocked_mutex);
  auto& list = blocked_list();
  auto gone = std::remove_if(list.begin(), list.end(), [this](const std::weak_ptr<Queue>& w) {
    auto q = w.lock();
    return !q || q.get() == this;
  });
  list.erase(gone, list.end());
  g_blocked_count.store(static_cast<uint32_t>(list.size()), std::memory_order_seq_cst);
}

bool Queue::poke_blocked() {
  if (g_blocked_count.load(std::memory_order_seq_cst) == 0)
    return false;
  // Processing completes packets, which notifies signals, which pokes again: flatten the recursion.
  static thread_local bool inside = false, again = false;
  if (inside) {
    again = true;
    return true;
  }
  inside = true;
  do {
    again = false;
    std::vector<std::shared_ptr<Queue>> queues;
    {
      std::lock_guard lock(g_blocked_mutex);
      for (auto& w : blocked_list())
        if (auto q = w.lock())
          queues.push_back(std::move(q));
    }
    for (auto& q : queues)
      q->process(Caller::submitter);
  } while (again);
  inside = false;
  return g_blocked_count.load(std::memory_order_seq_cst) != 0;
}

void Queue::forget_blocked() {
  // Without the lock: another thread of the parent may have held it.
  blocked_list().clear();
  g_blocked_count = 0;
}

void Queue::retire(Packet& p, uint64_t index) {
  p.raw.header.store(static_cast<uint16_t>(PacketType::invalid), std::memory_order_release);
  header_->read_index.store(index + 1, std::memory_order_release);
}

void Queue::complete(Signal* completion, uint64_t start_ns) {
  if (!completion)
    return;
  completion->start_ts = start_ns;
  completion->end_ts = now_ns();
  subtract_and_notify(completion, 1);
}

void Queue::fail(QueueError what, FaultEvent event, Signal* completion) {
  bool first = !failed_.exchange(true, std::memory_order_acq_rel);
  if (first)
    publish_fault(event);
  auto self = shared_from_this();
  context_.events.post([self, what, first, event = std::move(event), completion] {
    if (first) {
      if (self->context_.on_fault)
        self->context_.on_fault(event);
      if (self->on_error_ && self->callback_on_)
        self->on_error_(what, event);
      store_and_notify(self->header_->inactive_signal, 1);
      self->draining_.store(true, std::memory_order_release);
    }
    if (completion)
      subtract_and_notify(completion, 1);
    self->process(Caller::worker);
  });
}

void Queue::drain() {
  if (!draining_.load(std::memory_order_acquire))
    return; // the callback comes first
  unblock();
  for (;;) {
    uint64_t index = header_->read_index.load(std::memory_order_relaxed);
    if (index >= header_->write_index.load(std::memory_order_acquire))
      return;
    Packet& p = ring_[index & (header_->size - 1)];
    if (packet_type(p.raw.header.load(std::memory_order_acquire)) == PacketType::invalid)
      return;
    Signal* completion = p.raw.completion;
    retire(p, index);
    if (completion)
      subtract_and_notify(completion, 1);
  }
}

void Queue::shut_down() {
  callback_on_ = false;
  failed_.store(true, std::memory_order_release);
  draining_.store(true, std::memory_order_release);
  process(Caller::worker);
  uint64_t deadline = now_ns() + kShutdownNs;
  while (
      (in_flight_.load(std::memory_order_acquire) || requests_.load(std::memory_order_acquire)) &&
      now_ns() < deadline)
    std::this_thread::sleep_for(std::chrono::microseconds(50));
}

} // namespace pumice::device
