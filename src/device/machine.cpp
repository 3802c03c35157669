// SPDX-License-Identifier: MIT
#include "device/machine.h"
#include "base/options.h"
#include "device/fault_guard.h"

namespace pumice::device {
namespace {

// The watch hook runs in any thread that changes a watched signal, also while the machine goes
// away.
std::atomic<CopyEngine*> g_copies{nullptr};

void on_watched_signal() {
  Queue::poke_blocked();
  if (CopyEngine* c = g_copies.load(std::memory_order_acquire))
    c->poke();
}

} // namespace

Result<std::unique_ptr<Machine>> Machine::create() {
  TRY_ASSIGN(std::vector<Profile> profiles, parse_devices(options::text(options::Id::devices)));
  std::unique_ptr<Machine> m(new Machine);
  std::vector<uint64_t> bytes;
  for (Profile& p : profiles) {
    Device d;
    d.index = static_cast<int>(m->devices_.size());
    TRY_ASSIGN(d.target, codeobj::parse_target_id(p.target));
    TRY_ASSIGN(d.engine_target, engine_target(d.target.processor));
    bytes.push_back(p.memory_bytes);
    d.profile = std::move(p);
    m->devices_.push_back(std::move(d));
  }
  std::vector<std::string> names;
  for (const Device& d : m->devices_)
    names.push_back(d.profile.name);
  m->telemetry_ = std::make_unique<Telemetry>(names);
  int64_t limit = options::integer(options::Id::mem_limit);
  install_fault_handlers();
  m->memory_ = std::make_unique<Memory>(bytes, limit > 0 ? static_cast<uint64_t>(limit) : 0);
  for (const Device& d : m->devices_)
    m->memory_->mirror_usage(d.index, m->telemetry_->memory_word(d.index));
  m->loader_ = std::make_unique<Loader>(*m->memory_);
  m->scheduler_ = std::make_unique<Scheduler>(pool_threads(), &Queue::poke_blocked);
  m->events_ = std::make_unique<EventThread>();
  m->copies_ = std::make_unique<CopyEngine>();
  g_copies.store(m->copies_.get(), std::memory_order_release);
  set_watch_hook(&on_watched_signal);
  Machine* raw = m.get();
  m->context_ = std::make_unique<QueueContext>(
      QueueContext{*m->loader_, *m->memory_, *m->scheduler_, *m->events_, *m->telemetry_,
                   [raw](const FaultEvent& e) {
                     std::function<void(const FaultEvent&)> f;
                     {
                       std::lock_guard lock(raw->mutex_);
                       f = raw->fault_listener_;
                     }
                     if (f)
                       f(e);
                   }});
  return m;
}

void Machine::forget_after_fork() {
  set_watch_hook(nullptr);
  g_copies.store(nullptr, std::memory_order_release);
  Queue::forget_blocked();
}

Machine::~Machine() {
  std::vector<std::shared_ptr<Queue>> queues;
  {
    std::lock_guard lock(mutex_);
    for (auto& [q, owner] : queues_)
      queues.push_back(std::move(owner));
    queues_.clear();
  }
  for (auto& q : queues)
    q->shut_down();
  queues.clear();
  set_watch_hook(nullptr);
  g_copies.store(nullptr, std::memory_order_release);
  if (!scheduler_) // create() had no memory for it
    return;
  if (scheduler_->shut_down()) {
    copies_.reset();
    events_.reset();
    for (auto& o : loader_->all())
      loader_->unload(o);
    return;
  }
  // A kernel does not end: what its thread may still touch must stay.
  (void)copies_.release();
  (void)events_.release();
  (void)scheduler_.release();
  (void)memory_.release();
  (void)loader_.release();
  (void)context_.release();
  (void)telemetry_.release();
}

std::shared_ptr<Queue> Machine::create_queue(int device, uint32_t size, uint32_t type,
                                             Queue::ErrorCallback on_error) {
  auto q =
      Queue::create(*context_, device, size, type,
                    devices_[static_cast<size_t>(device)].profile.lds_bytes, std::move(on_error));
  if (!q)
    return nullptr;
  std::lock_guard lock(mutex_);
  queues_[q.get()] = q;
  return q;
}

void Machine::destroy_queue(Queue* q) {
  std::shared_ptr<Queue> owner;
  {
    std::lock_guard lock(mutex_);
    auto it = queues_.find(q);
    if (it == queues_.end())
      return;
    owner = std::move(it->second);
    queues_.erase(it);
  }
  owner->shut_down();
}

void Machine::set_fault_listener(std::function<void(const FaultEvent&)> f) {
  std::lock_guard lock(mutex_);
  fault_listener_ = std::move(f);
}

} // namespace pumice::device
