// SPDX-License-Identifier: MIT
// The writing side of telemetry: this process's slot in the user's segment (telemetry_segment.h).
//
// Hooks cost a few uncontended atomic operations and never fail: without a segment they write to
// private memory. One per Machine. Thread safe.
#pragma once
#include "device/signal.h"
#include "device/telemetry_segment.h"
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace pumice::device {

class Telemetry {
public:
  /// `profiles`: profile name of each card, in order.
  explicit Telemetry(const std::vector<std::string>& profiles);
  ~Telemetry();
  Telemetry(const Telemetry&) = delete;

  /// Index + 1 of a kernel in this process's table; 0 when the table is full.
  uint32_t kernel_number(const std::string& name);

  void dispatch_begin(int card, uint32_t kernel, uint64_t now = now_ns()) {
    telemetry::Activity& a = cards_[card];
    uint64_t old = a.state.load(std::memory_order_relaxed), fresh;
    do {
      uint64_t since =
          (old & kCount) ? old & ~kCount : (now >> telemetry::kUnitShift) << kCountBits;
      fresh = since | ((old & kCount) + 1);
    } while (!a.state.compare_exchange_weak(old, fresh, std::memory_order_relaxed));
    a.kernel.store(kernel, std::memory_order_relaxed);
  }
  void dispatch_end(int card, uint32_t kernel, uint64_t start_ns, uint64_t end_ns) {
    telemetry::Activity& a = cards_[card];
    uint64_t old = a.state.load(std::memory_order_relaxed), fresh;
    do {
      fresh = (old & kCount) > 1 ? old - 1 : 0;
    } while (!a.state.compare_exchange_weak(old, fresh, std::memory_order_relaxed));
    uint64_t end = end_ns >> telemetry::kUnitShift;
    if (!fresh && end > old >> kCountBits)
      add(a.busy_units, end - (old >> kCountBits));
    add(a.dispatches, 1);
    if (kernel) {
      telemetry::KernelRow& row = kernels_[kernel - 1];
      add(row.launches, 1);
      add(row.busy_units, end - std::min(end, start_ns >> telemetry::kUnitShift));
    }
  }
  /// The word that mirrors a card's memory in use.
  telemetry::Word* memory_word(int card) { return &cards_[card].memory_bytes; }
  void queues_changed(int card, int64_t by) {
    cards_[card].queues.fetch_add(static_cast<uint64_t>(by), std::memory_order_relaxed);
  }
  /// A copy between two cards, or between the host (-1) and a card.
  void copied(int source, int destination, uint64_t bytes);

  /// An uncorrectable error was injected into the card since this process started.
  bool card_failed(int card) const {
    const telemetry::Injection& i = injections_[card];
    return i.fatal.load(std::memory_order_relaxed) != fatal_seen_[static_cast<size_t>(card)];
  }

private:
  static constexpr unsigned kCountBits = 16;
  static constexpr uint64_t kCount = (1u << kCountBits) - 1;
  // Statistics, not accounts: a lost update of two racing dispatches would be seen by nobody, but
  // an atomic add costs the same here.
  static void add(telemetry::Word& w, uint64_t n) { w.fetch_add(n, std::memory_order_relaxed); }
  telemetry::Slot* claim();

  std::shared_ptr<telemetry::Mapping> mapping_;
  telemetry::Slot* slot_ = nullptr;              // in the segment, or own_
  std::unique_ptr<telemetry::Slot> own_;         // when there is no segment
  std::unique_ptr<telemetry::Injection[]> none_; // likewise
  telemetry::Activity* cards_ = nullptr;
  telemetry::KernelRow* kernels_ = nullptr;
  const telemetry::Injection* injections_ = nullptr;
  std::vector<uint64_t> fatal_seen_;
  uint64_t owner_ = 0;
  std::mutex mutex_;
  std::unordered_map<std::string, uint32_t> numbers_;
};

} // namespace pumice::device
