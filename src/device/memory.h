// SPDX-License-Identifier: MIT
// Device and system memory of this process.
//
// Each device (and the host heap) owns a reserved range of addresses. An allocation is a run of
// pages made accessible in it, followed by at least one inaccessible page; pages get memory when
// touched. Guest addresses are host addresses. Freed addresses come back late (next fit), so that
// stale pointers fault. Sizes are counted when allocated, not when touched: running out is an
// error, never the system's out-of-memory killer. Thread safe.
#pragma once
#include "base/result.h"
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

namespace pumice::device {

constexpr int kHostHeap = -1; // heap index of system memory; devices are 0, 1, ...

struct Allocation {
  enum class Kind : uint8_t { heap, code, locked, shared, mapped };
  uintptr_t base = 0;
  size_t size = 0; // as asked for
  int heap = kHostHeap;
  Kind kind = Kind::heap;
  uint32_t pool_flags = 0; // the pool's global flags, for pointer queries
  uint64_t id = 0;         // unique; tells reuse of an address apart
  void* user_data = nullptr;
  int shared_fd = -1; // memfd once exported

  bool contains(uintptr_t a) const { return a >= base && a - base < size; }
};

struct HeapUsage {
  uint64_t total = 0; // offered: the profile's size, clipped by the process limit
  uint64_t used = 0;
};

class Memory {
public:
  /// `device_bytes[i]` is device i's memory; `limit` bounds all devices together (0 = 3/4 of RAM).
  Memory(const std::vector<uint64_t>& device_bytes, uint64_t limit);
  ~Memory();
  Memory(const Memory&) = delete;

  Result<void*> allocate(int heap, size_t size, uint32_t pool_flags,
                         Allocation::Kind kind = Allocation::Kind::heap);
  /// `p` must be the base of a heap, code or shared allocation.
  Status release(void* p);

  /// Registers host memory that somebody else owns (pinned, imported, mapped).
  Status track(const Allocation& a);
  Status untrack(uintptr_t base);

  std::optional<Allocation> find(uintptr_t address) const;
  /// The allocation that contains `address`, else the closest one before it, else after it.
  std::optional<Allocation> nearest(uintptr_t address) const;
  /// "0x7f.. is 16 bytes past the end of a 4096-byte allocation of device 0 at 0x7f.." for reports.
  std::string describe(uintptr_t address) const;
  Status set_user_data(uintptr_t address, void* data);

  /// Moves the allocation onto a memfd (contents kept) and returns the descriptor, which stays
  /// ours. Guests must not write it meanwhile.
  Result<int> make_shareable(uintptr_t base);

  /// Every live allocation of every Memory of this process, for engines that compare memory.
  static std::vector<Allocation> all_live();

  HeapUsage usage(int heap) const;
  uint64_t limit() const { return limit_; }
  /// What `limit` means: itself, or 3/4 of the host's memory for 0. A device offers at most that.
  static uint64_t effective_limit(uint64_t limit);
  /// Keeps `word` equal to the heap's bytes in use.
  void mirror_usage(int heap, std::atomic<uint64_t>* word);

  /// Called (without locks) with the base of each allocation just before it goes.
  void on_release(std::function<void(const Allocation&)> callback) {
    release_callback_ = std::move(callback);
  }

private:
  struct Heap {
    uintptr_t base = 0;
    size_t reserved = 0, next = 0;
    uint64_t total = 0;
    std::atomic<uint64_t> used{0};
    std::atomic<uint64_t>* mirror = nullptr;
    void show() {
      if (mirror)
        mirror->store(used.load(std::memory_order_relaxed), std::memory_order_relaxed);
    }
    std::map<size_t, size_t> free_blocks; // offset -> size
    // The crowd: one accessible stretch at the end, without guard pages, for programs with so many
    // allocations that each having its own mapping would exceed the system's limit.
    size_t crowd_begin = 0;
    std::map<size_t, size_t> crowd_blocks;
  };
  Heap& heap(int index) { return *heaps_[static_cast<size_t>(index + 1)]; }
  const Heap& heap(int index) const { return *heaps_[static_cast<size_t>(index + 1)]; }
  static void reserve(Heap& h, uint64_t wanted);
  std::optional<size_t> take_block(Heap& h, size_t size, size_t alignment);
  static void return_block(std::map<size_t, size_t>& blocks, size_t offset, size_t size);
  std::optional<size_t> take_guarded(Heap& h, size_t pages);
  static std::optional<size_t> take_from_crowd(Heap& h, size_t pages);

  std::vector<std::unique_ptr<Heap>> heaps_; // [0] host
  std::map<uintptr_t, Allocation> live_;     // by base
  mutable std::shared_mutex mutex_;
  uint64_t limit_ = 0, next_id_ = 1;
  std::atomic<uint64_t> device_used_{0};
  bool right_align_ = false; // PUMICE_CHECK=memory: allocations end at the guard page
  std::function<void(const Allocation&)> release_callback_;
};

} // namespace pumice::device
