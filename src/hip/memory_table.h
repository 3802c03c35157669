// SPDX-License-Identifier: MIT
// What HIP knows about addresses: every allocation and registration, found by any address inside
// it. Thread safe.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <shared_mutex>

namespace pumice::hip {

enum class MemoryKind : uint8_t { device, host, managed, registered, symbol };

struct Allocation {
  uintptr_t base = 0;
  size_t size = 0;
  MemoryKind kind = MemoryKind::device;
  int device = 0;
  unsigned flags = 0;
  void* device_pointer = nullptr; // registered host memory: address for kernels
  uint64_t id = 0;
  bool pool_owned = false; // from hipMallocAsync

  bool host_side() const { return kind == MemoryKind::host || kind == MemoryKind::registered; }
};

class MemoryTable {
public:
  void add(Allocation a);
  /// The allocation that starts at `p`, removed.
  std::optional<Allocation> remove(const void* p);
  /// The allocation that contains `p`.
  std::optional<Allocation> find(const void* p) const;
  size_t bytes(int device, MemoryKind kind) const;
  template <class F> void for_each(F&& f) const {
    std::shared_lock lock(mutex_);
    for (const auto& [base, a] : map_)
      f(a);
  }

private:
  mutable std::shared_mutex mutex_;
  std::map<uintptr_t, Allocation> map_;
  uint64_t next_id_ = 1;
};

MemoryTable& memory_table();

} // namespace pumice::hip
