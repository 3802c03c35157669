// SPDX-License-Identifier: MIT
#include "device/memory.h"
#include "base/options.h"
#include <algorithm>
#include <cinttypes>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace pumice::device {
namespace {

constexpr size_t kPage = 4096, kHugePage = 2 << 20;
constexpr size_t kCheckedAlignment = 16; // of allocations that end at their guard page
// Linux allows 65530 mappings; each guarded allocation takes two.
constexpr size_t kGuardedAllocations = 20'000, kCrowdMaxBytes = 1 << 20;

size_t round_up(size_t n, size_t to) {
  return (n + to - 1) / to * to;
}

uint64_t host_bytes() {
  return static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

void make_inaccessible(uintptr_t at, size_t size) {
  // Mapping anew returns the pages and merges the hole with its neighbours.
  mmap(reinterpret_cast<void*>(at), size, PROT_NONE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

std::string size_text(uint64_t n) {
  return std::to_string(n) + " bytes";
}

} // namespace

namespace {
std::mutex g_registry_mutex;
std::vector<const Memory*> g_registry;
} // namespace

std::vector<Allocation> Memory::all_live() {
  std::lock_guard registry(g_registry_mutex);
  std::vector<Allocation> all;
  for (const Memory* m : g_registry) {
    std::shared_lock lock(m->mutex_);
    for (const auto& [base, a] : m->live_)
      all.push_back(a);
  }
  return all;
}

Memory::Memory(const std::vector<uint64_t>& device_bytes, uint64_t limit)
    : limit_(effective_limit(limit)) {
  {
    std::lock_guard registry(g_registry_mutex);
    g_registry.push_back(this);
  }
  options::warn_of_unknown();
  std::string checks = options::text(options::Id::check);
  right_align_ = checks.find("memory") != std::string::npos;
  heaps_.push_back(std::make_unique<Heap>());
  heaps_[0]->total = host_bytes();
  for (uint64_t bytes : device_bytes) {
    heaps_.push_back(std::make_unique<Heap>());
    heaps_.back()->total = std::min(bytes, limit_);
  }
  for (auto& h : heaps_)
    reserve(*h, h->total);
}

uint64_t Memory::effective_limit(uint64_t limit) {
  return limit ? limit : host_bytes() / 4 * 3;
}

void Memory::mirror_usage(int index, std::atomic<uint64_t>* word) {
  std::unique_lock lock(mutex_);
  Heap& h = heap(index);
  h.mirror = word;
  h.show();
}

void Memory::reserve(Heap& h, uint64_t wanted) {
  // Four times the memory: guard pages and late reuse need room. Limits on address space (ulimit
  // -v) shrink the range.
  for (size_t size = round_up(wanted, kHugePage) * 4; size >= (size_t{64} << 20); size /= 2) {
    void* p = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
      continue;
    h.base = reinterpret_cast<uintptr_t>(p);
    h.reserved = size;
    size_t first = round_up(h.base + kPage, kHugePage) - h.base; // block offsets keep big alignment
    h.next = first;
    size_t crowd = std::min<size_t>(size / 8, size_t{64} << 30) / kPage * kPage;
    h.crowd_begin = size - crowd;
    h.free_blocks[first] = h.crowd_begin - first;
    if (mprotect(reinterpret_cast<void*>(h.base + h.crowd_begin), crowd, PROT_READ | PROT_WRITE) ==
        0)
      h.crowd_blocks[h.crowd_begin] = crowd;
    return;
  }
}

Memory::~Memory() {
  {
    std::lock_guard registry(g_registry_mutex);
    std::erase(g_registry, this);
  }
  for (auto& h : heaps_)
    if (h->base)
      munmap(reinterpret_cast<void*>(h->base), h->reserved);
}

std::optional<size_t> Memory::take_block(Heap& h, size_t size, size_t alignment) {
  auto try_block = [&](std::map<size_t, size_t>::iterator it,
                       size_t from) -> std::optional<size_t> {
    size_t begin = it->first, end = it->first + it->second;
    size_t at = round_up(h.base + std::max(begin, from), alignment) - h.base;
    if (at > end || end - at < size)
      return std::nullopt;
    h.free_blocks.erase(it);
    if (at > begin)
      h.free_blocks[begin] = at - begin;
    if (at + size < end)
      h.free_blocks[at + size] = end - at - size;
    h.next = at + size;
    return at;
  };
  // From where the last search ended, then from the start: addresses come back as late as possible.
  auto from = h.free_blocks.upper_bound(h.next);
  if (from != h.free_blocks.begin())
    if (auto r = try_block(std::prev(from), h.next))
      return r;
  for (auto it = from; it != h.free_blocks.end(); ++it)
    if (auto r = try_block(it, 0))
      return r;
  for (auto it = h.free_blocks.begin(); it != h.free_blocks.end(); ++it)
    if (auto r = try_block(it, 0))
      return r;
  return std::nullopt;
}

void Memory::return_block(std::map<size_t, size_t>& blocks, size_t offset, size_t size) {
  auto after = blocks.lower_bound(offset);
  if (after != blocks.end() && after->first == offset + size) {
    size += after->second;
    after = blocks.erase(after);
  }
  if (after != blocks.begin()) {
    auto before = std::prev(after);
    if (before->first + before->second == offset) {
      before->second += size;
      return;
    }
  }
  blocks[offset] = size;
}

std::optional<size_t> Memory::take_guarded(Heap& h, size_t pages) {
  bool big = pages >= kHugePage;
  auto offset = take_block(h, pages + kPage, big ? kHugePage : kPage);
  if (!offset)
    return std::nullopt;
  auto* p = reinterpret_cast<void*>(h.base + *offset);
  if (mprotect(p, pages, PROT_READ | PROT_WRITE) != 0) {
    return_block(h.free_blocks, *offset, pages + kPage);
    return std::nullopt;
  }
  if (big)
    madvise(p, pages, MADV_HUGEPAGE);
  return offset;
}

std::optional<size_t> Memory::take_from_crowd(Heap& h, size_t pages) {
  for (auto it = h.crowd_blocks.begin(); it != h.crowd_blocks.end(); ++it) {
    if (it->second < pages)
      continue;
    size_t at = it->first, left = it->second - pages;
    h.crowd_blocks.erase(it);
    if (left)
      h.crowd_blocks[at + pages] = left;
    return at;
  }
  return std::nullopt;
}

Result<void*> Memory::allocate(int index, size_t size, uint32_t pool_flags, Allocation::Kind kind) {
  Heap& h = heap(index);
  if (size == 0)
    return error(Code::invalid_argument, "allocation of zero bytes");
  if (size > h.total)
    return error(Code::out_of_memory, "allocation of " + size_text(size) +
                                          " is larger than the memory offered (" +
                                          size_text(h.total) + ")");
  std::unique_lock lock(mutex_);
  bool over = h.used + size > h.total || (index >= 0 && device_used_ + size > limit_);
  if (over)
    return error(Code::out_of_memory, "no room for " + size_text(size) + ": " + size_text(h.used) +
                                          " of " + size_text(h.total) + " are in use");
  size_t pages = round_up(size, kPage);
  std::optional<size_t> offset;
  if (live_.size() >= kGuardedAllocations && pages <= kCrowdMaxBytes)
    offset = take_from_crowd(h, pages);
  if (!offset)
    offset = take_guarded(h, pages);
  if (!offset)
    return error(Code::out_of_memory,
                 "no address range, or the system refuses memory, for " + size_text(size));
  uintptr_t at = h.base + *offset;
  Allocation a;
  a.base = right_align_ && kind == Allocation::Kind::heap
               ? at + pages - round_up(size, kCheckedAlignment)
               : at;
  a.size = size;
  a.heap = index;
  a.kind = kind;
  a.pool_flags = pool_flags;
  a.id = next_id_++;
  live_[a.base] = a;
  h.used += size;
  h.show();
  if (index >= 0)
    device_used_ += size;
  return reinterpret_cast<void*>(a.base);
}

Status Memory::release(void* p) {
  auto base = reinterpret_cast<uintptr_t>(p);
  Allocation a;
  {
    std::shared_lock lock(mutex_);
    auto it = live_.find(base);
    if (it == live_.end() || it->second.kind == Allocation::Kind::locked ||
        it->second.kind == Allocation::Kind::mapped)
      return error(Code::not_found, "address was not allocated here, or is freed already");
    a = it->second;
  }
  if (release_callback_)
    release_callback_(a);
  std::unique_lock lock(mutex_);
  auto it = live_.find(base);
  if (it == live_.end() || it->second.id != a.id)
    return error(Code::not_found, "address is freed already");
  a = it->second;
  live_.erase(it);
  Heap& h = heap(a.heap);
  uintptr_t start = base / kPage * kPage;
  size_t pages = round_up(base + a.size, kPage) - start;
  if (a.shared_fd >= 0)
    close(a.shared_fd);
  if (start - h.base >= h.crowd_begin) {
    mmap(reinterpret_cast<void*>(start), pages, PROT_READ | PROT_WRITE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    return_block(h.crowd_blocks, start - h.base, pages);
  } else {
    make_inaccessible(start, pages);
    return_block(h.free_blocks, start - h.base, pages + kPage);
  }
  h.used -= a.size;
  h.show();
  if (a.heap >= 0)
    device_used_ -= a.size;
  return ok_status();
}

Status Memory::track(const Allocation& a) {
  std::unique_lock lock(mutex_);
  auto [it, fresh] = live_.emplace(a.base, a);
  if (!fresh)
    return error(Code::invalid_argument, "address range is known already");
  it->second.id = next_id_++;
  return ok_status();
}

Status Memory::untrack(uintptr_t base) {
  std::unique_lock lock(mutex_);
  auto it = live_.find(base);
  if (it == live_.end())
    return error(Code::not_found, "address range is not known");
  live_.erase(it);
  return ok_status();
}

std::optional<Allocation> Memory::find(uintptr_t address) const {
  std::shared_lock lock(mutex_);
  auto it = live_.upper_bound(address);
  if (it == live_.begin())
    return std::nullopt;
  --it;
  if (it->second.contains(address))
    return it->second;
  return std::nullopt;
}

std::optional<Allocation> Memory::nearest(uintptr_t address) const {
  std::shared_lock lock(mutex_);
  if (live_.empty())
    return std::nullopt;
  auto it = live_.upper_bound(address);
  if (it == live_.begin())
    return it->second;
  const Allocation& before = std::prev(it)->second;
  if (before.contains(address) || it == live_.end())
    return before;
  // Running over the end is the usual mistake; prefer `before` unless `after` is much closer.
  uintptr_t past = address - (before.base + before.size), ahead = it->second.base - address;
  return ahead < past / 8 ? it->second : before;
}

std::string Memory::describe(uintptr_t address) const {
  char text[256];
  auto a = nearest(address);
  if (!a)
    return "no allocations exist";
  std::string owner = a->heap == kHostHeap ? "host" : "device " + std::to_string(a->heap);
  const char* what = a->kind == Allocation::Kind::code ? "code object" : "allocation";
  if (a->contains(address))
    std::snprintf(text, sizeof text, "byte %zu of a %zu-byte %s %s at 0x%" PRIxPTR,
                  static_cast<size_t>(address - a->base), a->size, owner.c_str(), what, a->base);
  else if (address >= a->base)
    std::snprintf(text, sizeof text, "%zu bytes past the end of a %zu-byte %s %s at 0x%" PRIxPTR,
                  static_cast<size_t>(address - a->base - a->size), a->size, owner.c_str(), what,
                  a->base);
  else
    std::snprintf(text, sizeof text, "%zu bytes before a %zu-byte %s %s at 0x%" PRIxPTR,
                  static_cast<size_t>(a->base - address), a->size, owner.c_str(), what, a->base);
  return text;
}

Status Memory::set_user_data(uintptr_t address, void* data) {
  std::unique_lock lock(mutex_);
  auto it = live_.upper_bound(address);
  if (it == live_.begin() || !(--it)->second.contains(address))
    return error(Code::not_found, "address is in no allocation");
  it->second.user_data = data;
  return ok_status();
}

Result<int> Memory::make_shareable(uintptr_t base) {
  std::unique_lock lock(mutex_);
  auto it = live_.find(base);
  if (it == live_.end())
    return error(Code::not_found, "address is no allocation's base");
  Allocation& a = it->second;
  if (a.shared_fd >= 0)
    return a.shared_fd;
  if (a.kind != Allocation::Kind::heap || a.base % kPage)
    return error(Code::invalid_argument, "this kind of allocation cannot be shared");
  size_t pages = round_up(a.size, kPage);
  int fd = memfd_create("pumice", MFD_CLOEXEC);
  if (fd < 0)
    return error(Code::system, std::string("memfd_create: ") + std::strerror(errno));
  if (ftruncate(fd, static_cast<off_t>(pages)) != 0) {
    close(fd);
    return error(Code::out_of_memory, "no memory for a shared copy");
  }
  auto* p = reinterpret_cast<char*>(a.base);
  for (size_t done = 0; done < pages;) { // write() reads our pages; holes stay holes in neither
    ssize_t n =
        pwrite(fd, p + done, std::min<size_t>(pages - done, 1 << 30), static_cast<off_t>(done));
    if (n <= 0) {
      close(fd);
      return error(Code::out_of_memory, "no memory for a shared copy");
    }
    done += static_cast<size_t>(n);
  }
  if (mmap(p, pages, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED) {
    close(fd);
    return error(Code::system, std::string("mmap: ") + std::strerror(errno));
  }
  a.shared_fd = fd;
  return fd;
}

HeapUsage Memory::usage(int index) const {
  const Heap& h = heap(index);
  uint64_t used = h.used;
  if (index < 0)
    return {h.total, used};
  // What other devices hold of the common limit is not available here.
  uint64_t others = device_used_ - used, room = limit_ > others ? limit_ - others : 0;
  uint64_t hidden = h.total > room ? h.total - room : 0;
  return {h.total, used + hidden};
}

} // namespace pumice::device
