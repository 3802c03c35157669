// SPDX-License-Identifier: MIT
#include "engines/memory_snapshot.h"
#include <algorithm>
#include <cstring>
#include <sys/mman.h>

namespace pumice::engines {
namespace {

constexpr uintptr_t kPage = 4096;
constexpr uint32_t kKernargFlag = 1; // HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT

/// Kernel arguments are written by the host at any time and by no kernel.
bool compared(const device::Allocation& a) {
  return a.size && a.kind != device::Allocation::Kind::mapped && !(a.pool_flags & kKernargFlag);
}

/// Which pages of [first, first + count) have memory. Those without read as zero.
std::vector<unsigned char> resident(uintptr_t first, size_t count, bool shared) {
  std::vector<unsigned char> r(count, 1);
  // A shared page may be in memory without being in this process's map.
  if (!shared && mincore(reinterpret_cast<void*>(first), count * kPage, r.data()) != 0)
    std::fill(r.begin(), r.end(), 1);
  return r;
}

bool is_zero(const uint8_t* p, size_t n) {
  return n == 0 || (p[0] == 0 && std::memcmp(p, p + 1, n - 1) == 0);
}

} // namespace

bool MemorySnapshot::take(uint64_t limit) {
  areas_.clear();
  uint64_t kept = 0;
  for (const device::Allocation& a : device::Memory::all_live()) {
    if (!compared(a))
      continue;
    Area area;
    area.allocation = a;
    area.first_page = a.base & ~(kPage - 1);
    size_t count = (a.base + a.size - area.first_page + kPage - 1) / kPage;
    bool owned = a.kind == device::Allocation::Kind::heap && a.shared_fd < 0;
    std::vector<unsigned char> here = resident(area.first_page, count, !owned);
    area.pages.resize(count);
    for (size_t n = 0; n < count; ++n) {
      const auto* p = reinterpret_cast<const uint8_t*>(area.first_page + n * kPage);
      if (!(here[n] & 1) || is_zero(p, kPage))
        continue;
      kept += kPage;
      if (kept > limit) {
        areas_.clear();
        return false;
      }
      area.pages[n].assign(p, p + kPage);
    }
    areas_.push_back(std::move(area));
  }
  return true;
}

/// Calls f(area, page as it is, page as it was or null, valid bytes [from, to)) for every page of the allocations that
/// still live.
template <class F> void MemorySnapshot::each_page(F f) const {
  std::vector<device::Allocation> live = device::Memory::all_live();
  for (const Area& area : areas_) {
    bool same = std::any_of(live.begin(), live.end(), [&](const device::Allocation& a) {
      return a.base == area.allocation.base && a.id == area.allocation.id && a.size == area.allocation.size;
    });
    if (!same)
      continue;
    uintptr_t end = area.allocation.base + area.allocation.size;
    bool owned = area.allocation.kind == device::Allocation::Kind::heap && area.allocation.shared_fd < 0;
    std::vector<unsigned char> here = resident(area.first_page, area.pages.size(), !owned);
    for (size_t n = 0; n < area.pages.size(); ++n) {
      uintptr_t at = area.first_page + n * kPage;
      bool was_zero = area.pages[n].empty();
      if (was_zero && !(here[n] & 1))
        continue;
      size_t from = at < area.allocation.base ? area.allocation.base - at : 0, to = std::min(end - at, kPage);
      f(area, reinterpret_cast<uint8_t*>(at), was_zero ? nullptr : area.pages[n].data(), from, to);
    }
  }
}

void MemorySnapshot::restore() const {
  each_page([](const Area&, uint8_t* now, const uint8_t* was, size_t from, size_t to) {
    if (was ? std::memcmp(now + from, was + from, to - from) == 0 : is_zero(now + from, to - from))
      return;
    if (was)
      std::memcpy(now + from, was + from, to - from);
    else
      std::memset(now + from, 0, to - from);
  });
}

MemorySnapshot::Difference MemorySnapshot::compare() const {
  Difference d;
  each_page([&](const Area& area, const uint8_t* now, const uint8_t* was, size_t from, size_t to) {
    if (was ? std::memcmp(now + from, was + from, to - from) == 0 : is_zero(now + from, to - from))
      return;
    for (size_t k = from; k < to; ++k) {
      uint8_t old_value = was ? was[k] : 0;
      if (now[k] == old_value)
        continue;
      ++d.bytes;
      if (d.any)
        continue;
      d.any = true;
      d.where = area.allocation;
      d.offset = reinterpret_cast<uintptr_t>(now) + k - area.allocation.base;
      d.old_value = old_value;
      d.new_value = now[k];
    }
  });
  return d;
}

} // namespace pumice::engines
