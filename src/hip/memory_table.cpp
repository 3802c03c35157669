// SPDX-License-Identifier: MIT
#include "hip/memory_table.h"
#include <mutex>

namespace pumice::hip {

void MemoryTable::add(Allocation a) {
  std::unique_lock lock(mutex_);
  a.id = next_id_++;
  map_[a.base] = a;
}

std::optional<Allocation> MemoryTable::remove(const void* p) {
  std::unique_lock lock(mutex_);
  auto it = map_.find(reinterpret_cast<uintptr_t>(p));
  if (it == map_.end())
    return std::nullopt;
  Allocation a = it->second;
  map_.erase(it);
  return a;
}

std::optional<Allocation> MemoryTable::find(const void* p) const {
  std::shared_lock lock(mutex_);
  uintptr_t address = reinterpret_cast<uintptr_t>(p);
  auto it = map_.upper_bound(address);
  if (it == map_.begin())
    return std::nullopt;
  --it;
  const Allocation& a = it->second;
  if (address >= a.base && (address < a.base + a.size || address == a.base))
    return a;
  return std::nullopt;
}

size_t MemoryTable::bytes(int device, MemoryKind kind) const {
  std::shared_lock lock(mutex_);
  size_t n = 0;
  for (const auto& [base, a] : map_)
    if (a.device == device && a.kind == kind)
      n += a.size;
  return n;
}

MemoryTable& memory_table() {
  static MemoryTable* t = new MemoryTable;
  return *t;
}

} // namespace pumice::hip
