// SPDX-License-Identifier: MIT
#include "device/telemetry.h"
#include "base/options.h"
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <unistd.h>

namespace pumice::device {
namespace {

using namespace telemetry;

std::string command_name() {
  std::ifstream f("/proc/self/comm");
  std::string name;
  std::getline(f, name);
  // The kernel cuts names at 15 bytes; the program's own name is better where it agrees.
  char path[4096];
  ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
  if (n > 0) {
    std::string exe(path, static_cast<size_t>(n));
    exe.erase(0, exe.rfind('/') + 1);
    if (name.empty() || exe.starts_with(name))
      name = exe;
  }
  return name;
}

void clear(Slot& s) {
  auto zero = [](auto& words) {
    for (Word& w : words)
      w.store(0, std::memory_order_relaxed);
  };
  s.kernel_count.store(0, std::memory_order_relaxed);
  zero(s.profile);
  for (Activity& a : s.cards)
    for (Word* w : {&a.state, &a.busy_units, &a.memory_bytes, &a.dispatches, &a.kernel,
                    &a.copied_bytes, &a.peer_bytes, &a.queues})
      w->store(0, std::memory_order_relaxed);
  for (KernelRow& k : s.kernels) {
    if (k.launches.load(std::memory_order_relaxed) == 0)
      continue;
    k.launches.store(0, std::memory_order_relaxed);
    k.busy_units.store(0, std::memory_order_relaxed);
  }
}

} // namespace

Slot* Telemetry::claim() {
  owner_ = owner_word(static_cast<uint32_t>(getpid()));
  if (!owner_)
    return nullptr; // no /proc: nobody could tell that we live
  for (Slot& s : (*mapping_)->slots) {
    uint64_t was = s.owner.load(std::memory_order_acquire);
    if (was && was != owner_ && owner_word(owner_pid(was)) == was)
      continue; // lives
    if (!s.owner.compare_exchange_strong(was, owner_, std::memory_order_acq_rel))
      continue;
    s.ready.store(0, std::memory_order_release);
    return &s;
  }
  return nullptr;
}

Telemetry::Telemetry(const std::vector<std::string>& profiles) {
  auto mapping = Mapping::open(Mapping::path());
  if (mapping.ok()) {
    mapping_ = std::move(*mapping);
    slot_ = claim();
  } else if (options::text(options::Id::log) == "info" ||
             options::text(options::Id::log) == "trace") {
    std::fprintf(stderr, "pumice: %s\n", mapping.status().message.c_str());
  }
  if (!slot_) {
    own_ = std::make_unique<Slot>();
    slot_ = own_.get();
  }
  if (mapping_) {
    injections_ = (*mapping_)->cards.data();
  } else {
    none_ = std::make_unique<Injection[]>(kCards);
    injections_ = none_.get();
  }
  cards_ = slot_->cards.data();
  kernels_ = slot_->kernels.data();
  clear(*slot_);
  size_t count = std::min(profiles.size(), kCards);
  for (size_t i = 0; i < count; ++i) {
    slot_->profile[i].store(profile_hash(profiles[i]), std::memory_order_relaxed);
    fatal_seen_.push_back(injections_[i].fatal.load(std::memory_order_relaxed));
  }
  slot_->card_count.store(count, std::memory_order_relaxed);
  slot_->program.store(command_name());
  slot_->devices.store(options::text(options::Id::devices));
  slot_->ready.store(owner_, std::memory_order_release);
}

Telemetry::~Telemetry() {
  if (own_)
    return;
  slot_->ready.store(0, std::memory_order_release);
  slot_->owner.store(0, std::memory_order_release);
}

uint32_t Telemetry::kernel_number(const std::string& name) {
  std::lock_guard lock(mutex_);
  if (auto it = numbers_.find(name); it != numbers_.end())
    return it->second;
  size_t next = numbers_.size();
  if (next >= kKernels)
    return 0;
  kernels_[next].name.store(name);
  slot_->kernel_count.store(next + 1, std::memory_order_release);
  auto number = static_cast<uint32_t>(next + 1);
  numbers_.emplace(name, number);
  return number;
}

void Telemetry::copied(int source, int destination, uint64_t bytes) {
  bool peer = source >= 0 && destination >= 0 && source != destination;
  for (int card : {source, destination}) {
    if (card < 0)
      continue;
    add(cards_[card].copied_bytes, bytes);
    if (peer)
      add(cards_[card].peer_bytes, bytes);
    if (source == destination)
      break;
  }
}

} // namespace pumice::device
