// SPDX-License-Identifier: MIT
// Contents of all memory that kernels of this process may write, page by page; pages never touched take no room.
#pragma once
#include "device/memory.h"
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pumice::engines {

class MemorySnapshot {
public:
  /// False (and an empty snapshot) when more than `limit` bytes would have to be kept.
  bool take(uint64_t limit);
  /// Writes the contents back where memory differs now. Allocations that are gone or new are left alone.
  void restore() const;

  struct Difference {
    bool any = false;
    uint64_t bytes = 0;         // that differ
    device::Allocation where{}; // of the first one
    uint64_t offset = 0;
    uint8_t old_value = 0, new_value = 0; // in the snapshot; now
  };
  /// Against memory as it is now.
  Difference compare() const;

private:
  struct Area {
    device::Allocation allocation;
    uintptr_t first_page = 0;
    std::vector<std::vector<uint8_t>> pages; // empty: all zero
  };
  template <class F> void each_page(F f) const;
  std::vector<Area> areas_;
};

} // namespace pumice::engines
