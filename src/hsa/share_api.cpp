// SPDX-License-Identifier: MIT
// Sharing memory with other processes and virtual memory management, both over memfd.
//
// An exported allocation moves onto a memfd. The handle names process, descriptor and inode;
// another process of the same user opens it through /proc, which is the access check.
#include "hsa/runtime.h"
#include <cstring>
#include <fcntl.h>
#include <map>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace pumice;
using namespace pumice::hsa;
using device::Allocation;

namespace {

constexpr hsa_status_t kBadArgument = HSA_STATUS_ERROR_INVALID_ARGUMENT;
constexpr size_t kPage = 4096;
constexpr uint32_t kIpcMagic = 0x50694331;

struct IpcHandle {
  uint32_t magic, pid;
  int32_t fd;
  uint32_t flags;
  uint64_t inode, size;
};
static_assert(sizeof(IpcHandle) == sizeof(hsa_amd_ipc_memory_t));

struct Physical { // hsa_amd_vmem_alloc_handle_t
  int fd;
  size_t size;
  hsa_amd_memory_pool_t pool;
  hsa_amd_memory_type_t type;
  int references = 1;
};
struct Mapping {
  size_t size;
  Physical* physical;
};
struct VirtualMemory {
  std::mutex mutex;
  std::map<uint64_t, std::unique_ptr<Physical>> physical;
  std::map<uintptr_t, size_t> reserved;
  std::map<uintptr_t, Mapping> mapped;
};
VirtualMemory& vm() {
  static auto* v = new VirtualMemory;
  return *v;
}

void drop_locked(VirtualMemory& v, Physical* p) {
  if (--p->references)
    return;
  close(p->fd);
  v.physical.erase(reinterpret_cast<uint64_t>(p));
}

Physical* find_locked(VirtualMemory& v, hsa_amd_vmem_alloc_handle_t h) {
  auto it = v.physical.find(h.handle);
  return it == v.physical.end() ? nullptr : it->second.get();
}

hsa_amd_vmem_alloc_handle_t add_physical(int fd, size_t size, hsa_amd_memory_pool_t pool,
                                         hsa_amd_memory_type_t type) {
  auto p = std::make_unique<Physical>(Physical{fd, size, pool, type});
  hsa_amd_vmem_alloc_handle_t h{reinterpret_cast<uint64_t>(p.get())};
  std::lock_guard lock(vm().mutex);
  vm().physical[h.handle] = std::move(p);
  return h;
}

hsa_status_t attach(Runtime& r, const IpcHandle& h, size_t size, void** out) {
  if (h.pid == static_cast<uint32_t>(getpid()))
    return kBadArgument; // the owner has the address already
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%u/fd/%d", h.pid, h.fd);
  int fd = open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0)
    return kBadArgument;
  struct stat st;
  bool same =
      fstat(fd, &st) == 0 && st.st_ino == h.inode && static_cast<uint64_t>(st.st_size) >= h.size;
  void* p = same ? mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
  close(fd);
  if (p == MAP_FAILED)
    return kBadArgument;
  Allocation a;
  a.base = reinterpret_cast<uintptr_t>(p);
  a.size = size;
  a.heap = static_cast<int>(h.flags) - 1;
  if (a.heap >= static_cast<int>(r.machine().devices().size()))
    a.heap = device::kHostHeap;
  a.kind = Allocation::Kind::shared;
  if (!r.machine().memory().track(a).ok()) {
    munmap(p, size);
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  }
  *out = p;
  return HSA_STATUS_SUCCESS;
}

} // namespace

extern "C" {

hsa_status_t HSA_API hsa_amd_ipc_memory_create(void* ptr, size_t len,
                                               hsa_amd_ipc_memory_t* handle) {
  return api([&](Runtime& r) {
    if (!ptr || !len || !handle)
      return kBadArgument;
    auto a = r.machine().memory().find(reinterpret_cast<uintptr_t>(ptr));
    if (!a || a->base != reinterpret_cast<uintptr_t>(ptr) || len > a->size)
      return kBadArgument;
    auto fd = r.machine().memory().make_shareable(a->base);
    if (!fd.ok())
      return to_hsa(fd.status());
    struct stat st;
    if (fstat(*fd, &st) != 0)
      return HSA_STATUS_ERROR;
    IpcHandle h{kIpcMagic, static_cast<uint32_t>(getpid()),
                *fd,       static_cast<uint32_t>(a->heap + 1),
                st.st_ino, a->size};
    std::memcpy(handle, &h, sizeof h);
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t HSA_API hsa_amd_ipc_memory_attach(const hsa_amd_ipc_memory_t* handle, size_t len,
                                               uint32_t num_agents,
                                               const hsa_agent_t* mapping_agents,
                                               void** mapped_ptr) {
  return api([&](Runtime& r) {
    if (!handle || !mapped_ptr || (num_agents && !mapping_agents))
      return kBadArgument;
    IpcHandle h;
    std::memcpy(&h, handle, sizeof h);
    if (h.magic != kIpcMagic || len > h.size || !h.size)
      return kBadArgument;
    return attach(r, h, len ? len : h.size, mapped_ptr);
  });
}

hsa_status_t HSA_API hsa_amd_ipc_memory_detach(void* mapped_ptr) {
  return api([&](Runtime& r) {
    auto a = r.machine().memory().find(reinterpret_cast<uintptr_t>(mapped_ptr));
    if (!a || a->kind != Allocation::Kind::shared ||
        a->base != reinterpret_cast<uintptr_t>(mapped_ptr))
      return kBadArgument;
    (void)r.machine().memory().untrack(a->base);
    munmap(mapped_ptr, a->size);
    return HSA_STATUS_SUCCESS;
  });
}

// Signals live in private memory; sharing them is not possible yet.
hsa_status_t HSA_API hsa_amd_ipc_signal_create(hsa_signal_t, hsa_amd_ipc_signal_t*) {
  return api([](Runtime&) { return HSA_STATUS_ERROR_OUT_OF_RESOURCES; });
}
hsa_status_t HSA_API hsa_amd_ipc_signal_attach(const hsa_amd_ipc_signal_t*, hsa_signal_t*) {
  return api([](Runtime&) { return HSA_STATUS_ERROR_OUT_OF_RESOURCES; });
}

hsa_status_t HSA_API hsa_amd_portable_export_dmabuf(const void* ptr, size_t size, int* dmabuf,
                                                    uint64_t* offset) {
  return api([&](Runtime& r) {
    if (!ptr || !size || !dmabuf || !offset)
      return kBadArgument;
    auto a = r.machine().memory().find(reinterpret_cast<uintptr_t>(ptr));
    if (!a)
      return HSA_STATUS_ERROR_INVALID_ALLOCATION;
    auto fd = r.machine().memory().make_shareable(a->base);
    if (!fd.ok())
      return to_hsa(fd.status());
    *dmabuf = fcntl(*fd, F_DUPFD_CLOEXEC, 0);
    *offset = reinterpret_cast<uintptr_t>(ptr) - a->base;
    return *dmabuf >= 0 ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  });
}
hsa_status_t HSA_API hsa_amd_portable_close_dmabuf(int dmabuf) {
  return api([&](Runtime&) {
    return close(dmabuf) == 0 ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_RESOURCE_FREE;
  });
}

hsa_status_t HSA_API hsa_amd_vmem_address_reserve_align(void** va, size_t size, uint64_t address,
                                                        uint64_t alignment, uint64_t) {
  return api([&](Runtime&) {
    if (!va || !size || size % kPage || (alignment & (alignment - 1)))
      return kBadArgument;
    size_t extra = alignment > kPage ? alignment : 0;
    void* p = mmap(reinterpret_cast<void*>(address), size + extra, PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
      return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    auto at = reinterpret_cast<uintptr_t>(p),
         aligned = extra ? (at + alignment - 1) & ~(alignment - 1) : at;
    if (aligned > at)
      munmap(p, aligned - at);
    if (extra > aligned - at)
      munmap(reinterpret_cast<void*>(aligned + size), extra - (aligned - at));
    std::lock_guard lock(vm().mutex);
    vm().reserved[aligned] = size;
    *va = reinterpret_cast<void*>(aligned);
    return HSA_STATUS_SUCCESS;
  });
}
hsa_status_t HSA_API hsa_amd_vmem_address_reserve(void** va, size_t size, uint64_t address,
                                                  uint64_t flags) {
  return hsa_amd_vmem_address_reserve_align(va, size, address, 0, flags);
}
hsa_status_t HSA_API hsa_amd_vmem_address_free(void* va, size_t size) {
  return api([&](Runtime&) {
    std::lock_guard lock(vm().mutex);
    auto it = vm().reserved.find(reinterpret_cast<uintptr_t>(va));
    if (it == vm().reserved.end() || it->second != size)
      return HSA_STATUS_ERROR_INVALID_ALLOCATION;
    auto m = vm().mapped.lower_bound(it->first);
    if (m != vm().mapped.end() && m->first < it->first + size)
      return static_cast<hsa_status_t>(HSA_STATUS_ERROR_RESOURCE_FREE);
    munmap(va, size);
    vm().reserved.erase(it);
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t HSA_API hsa_amd_vmem_handle_create(hsa_amd_memory_pool_t pool, size_t size,
                                                hsa_amd_memory_type_t type, uint64_t,
                                                hsa_amd_vmem_alloc_handle_t* memory_handle) {
  return api([&](Runtime& r) {
    Pool* p = r.pool(pool.handle);
    if (!p || p->segment != HSA_AMD_SEGMENT_GLOBAL)
      return kBadArgument;
    if (!size || size % kPage || !memory_handle)
      return kBadArgument;
    device::HeapUsage u = r.machine().memory().usage(p->heap);
    if (size > u.total - std::min(u.total, u.used))
      return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    int fd = memfd_create("pumice-vmem", MFD_CLOEXEC);
    if (fd < 0)
      return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    if (ftruncate(fd, static_cast<off_t>(size)) != 0) {
      close(fd);
      return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    *memory_handle = add_physical(fd, size, pool, type);
    return HSA_STATUS_SUCCESS;
  });
}
hsa_status_t HSA_API hsa_amd_vmem_handle_release(hsa_amd_vmem_alloc_handle_t memory_handle) {
  return api([&](Runtime&) {
    std::lock_guard lock(vm().mutex);
    Physical* p = find_locked(vm(), memory_handle);
    if (!p)
      return HSA_STATUS_ERROR_INVALID_ALLOCATION;
    drop_locked(vm(), p);
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t HSA_API hsa_amd_vmem_map(void* va, size_t size, size_t in_offset,
                                      hsa_amd_vmem_alloc_handle_t memory_handle, uint64_t) {
  return api([&](Runtime& r) {
    auto at = reinterpret_cast<uintptr_t>(va);
    std::lock_guard lock(vm().mutex);
    Physical* p = find_locked(vm(), memory_handle);
    auto range = vm().reserved.upper_bound(at);
    if (!p || in_offset || size != p->size || range == vm().reserved.begin())
      return kBadArgument;
    --range;
    if (at % kPage || at - range->first > range->second ||
        size > range->second - (at - range->first))
      return kBadArgument;
    // Inaccessible until hsa_amd_vmem_set_access, as on hardware.
    if (mmap(va, size, PROT_NONE, MAP_SHARED | MAP_FIXED, p->fd, 0) == MAP_FAILED)
      return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    ++p->references;
    vm().mapped[at] = {size, p};
    Allocation a;
    a.base = at;
    a.size = size;
    if (Pool* pool = r.pool(p->pool.handle)) {
      a.heap = pool->heap;
      a.pool_flags = pool->flags;
    }
    a.kind = Allocation::Kind::mapped;
    (void)r.machine().memory().track(a);
    return HSA_STATUS_SUCCESS;
  });
}
hsa_status_t HSA_API hsa_amd_vmem_unmap(void* va, size_t size) {
  return api([&](Runtime& r) {
    std::lock_guard lock(vm().mutex);
    auto it = vm().mapped.find(reinterpret_cast<uintptr_t>(va));
    if (it == vm().mapped.end() || it->second.size != size)
      return HSA_STATUS_ERROR_INVALID_ALLOCATION;
    mmap(va, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    drop_locked(vm(), it->second.physical);
    (void)r.machine().memory().untrack(it->first);
    vm().mapped.erase(it);
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t HSA_API hsa_amd_vmem_set_access(void* va, size_t size,
                                             const hsa_amd_memory_access_desc_t* desc,
                                             size_t desc_cnt) {
  return api([&](Runtime& r) {
    if (!va || !size || !desc || !desc_cnt)
      return kBadArgument;
    int protection = PROT_NONE; // one address space: the widest permission of any agent
    for (size_t i = 0; i < desc_cnt; ++i) {
      if (!r.agent(desc[i].agent_handle))
        return HSA_STATUS_ERROR_INVALID_AGENT;
      if (desc[i].permissions & HSA_ACCESS_PERMISSION_RO)
        protection |= PROT_READ;
      if (desc[i].permissions & HSA_ACCESS_PERMISSION_WO)
        protection |= PROT_READ | PROT_WRITE;
    }
    return mprotect(va, size, protection) == 0 ? HSA_STATUS_SUCCESS
                                               : HSA_STATUS_ERROR_INVALID_ALLOCATION;
  });
}
hsa_status_t HSA_API hsa_amd_vmem_get_access(void* va, hsa_access_permission_t* perms,
                                             hsa_agent_t agent_handle) {
  return api([&](Runtime& r) {
    if (!va || !perms)
      return kBadArgument;
    if (!r.agent(agent_handle))
      return HSA_STATUS_ERROR_INVALID_AGENT;
    std::lock_guard lock(vm().mutex);
    auto it = vm().mapped.upper_bound(reinterpret_cast<uintptr_t>(va));
    if (it == vm().mapped.begin())
      return HSA_STATUS_ERROR_INVALID_ALLOCATION;
    --it;
    if (reinterpret_cast<uintptr_t>(va) - it->first >= it->second.size)
      return HSA_STATUS_ERROR_INVALID_ALLOCATION;
    *perms = HSA_ACCESS_PERMISSION_RW;
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t HSA_API hsa_amd_vmem_export_shareable_handle(int* dmabuf_fd,
                                                          hsa_amd_vmem_alloc_handle_t handle,
                                                          uint64_t) {
  return api([&](Runtime&) {
    if (!dmabuf_fd)
      return kBadArgument;
    std::lock_guard lock(vm().mutex);
    Physical* p = find_locked(vm(), handle);
    if (!p)
      return HSA_STATUS_ERROR_INVALID_ALLOCATION;
    *dmabuf_fd = fcntl(p->fd, F_DUPFD_CLOEXEC, 0);
    return *dmabuf_fd >= 0 ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  });
}
hsa_status_t HSA_API hsa_amd_vmem_import_shareable_handle(int dmabuf_fd,
                                                          hsa_amd_vmem_alloc_handle_t* handle) {
  return api([&](Runtime& r) {
    struct stat st;
    if (!handle || fstat(dmabuf_fd, &st) != 0 || st.st_size <= 0)
      return kBadArgument;
    int fd = fcntl(dmabuf_fd, F_DUPFD_CLOEXEC, 0);
    if (fd < 0)
      return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    Agent* owner = r.agents().size() > 1 ? r.agents()[1].get() : r.cpu();
    hsa_amd_memory_pool_t pool{reinterpret_cast<uint64_t>(owner->pools.front().get())};
    *handle = add_physical(fd, static_cast<size_t>(st.st_size), pool, MEMORY_TYPE_NONE);
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t HSA_API hsa_amd_vmem_retain_alloc_handle(hsa_amd_vmem_alloc_handle_t* memory_handle,
                                                      void* addr) {
  return api([&](Runtime&) {
    if (!memory_handle || !addr)
      return kBadArgument;
    std::lock_guard lock(vm().mutex);
    auto it = vm().mapped.find(reinterpret_cast<uintptr_t>(addr));
    if (it == vm().mapped.end())
      return HSA_STATUS_ERROR_INVALID_ALLOCATION;
    ++it->second.physical->references;
    *memory_handle = {reinterpret_cast<uint64_t>(it->second.physical)};
    return HSA_STATUS_SUCCESS;
  });
}
hsa_status_t HSA_API hsa_amd_vmem_get_alloc_properties_from_handle(
    hsa_amd_vmem_alloc_handle_t memory_handle, hsa_amd_memory_pool_t* pool,
    hsa_amd_memory_type_t* type) {
  return api([&](Runtime&) {
    if (!pool || !type)
      return kBadArgument;
    std::lock_guard lock(vm().mutex);
    Physical* p = find_locked(vm(), memory_handle);
    if (!p)
      return HSA_STATUS_ERROR_INVALID_ALLOCATION;
    *pool = p->pool;
    *type = p->type;
    return HSA_STATUS_SUCCESS;
  });
}

} // extern "C"
