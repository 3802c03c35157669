// SPDX-License-Identifier: MIT
// Stream-ordered allocation. A pool counts what came from it; memory itself comes from the device's
// HSA pool.
#include "hip/memory.h"
#include "hip/ops.h"
#include "hip/runtime.h"
#include <algorithm>
#include <atomic>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

using namespace pumice::hip;

namespace {

struct Pool {
  int device = 0;
  std::atomic<uint64_t> used{0}, high{0}, threshold{0};
  int follow_events = 1, opportunistic = 1, internal = 1;
};
struct Pools {
  std::mutex mutex;
  std::unordered_set<Pool*> all;
  std::unordered_map<int, Pool*> defaults, current;
  std::unordered_map<void*, std::pair<Pool*, size_t>> owner;
};
Pools& pools() {
  static Pools* p = new Pools;
  return *p;
}
Pool* default_pool(int device) {
  Pools& ps = pools();
  Pool*& p = ps.defaults[device];
  if (!p) {
    p = new Pool;
    p->device = device;
    ps.all.insert(p);
  }
  return p;
}
Pool* current_pool(int device) {
  Pool*& p = pools().current[device];
  if (!p)
    p = default_pool(device);
  return p;
}
Pool* valid(hipMemPool_t h) {
  auto* p = reinterpret_cast<Pool*>(h);
  return pools().all.count(p) ? p : nullptr;
}
hipMemPool_t handle(Pool* p) {
  return reinterpret_cast<hipMemPool_t>(p);
}

hipError_t allocate_async(void** ptr, size_t size, Pool* pool, hipStream_t stream) {
  if (!ptr)
    return hipErrorInvalidValue;
  Stream* s = resolve_stream(stream);
  if (!s)
    return hipErrorInvalidHandle;
  *ptr = nullptr;
  if (size == 0)
    return hipSuccess;
  HIP_CHECK_STICKY(s->device());
  Device& d = *Runtime::get().devices[static_cast<size_t>(pool->device)];
  HIP_TRY(allocate_device(d, size, 0, ptr));
  if (capturing(*s)) {
    AllocOp op;
    op.address = *ptr;
    op.bytes = size;
    return submit(*s, op);
  }
  std::lock_guard lock(pools().mutex);
  pools().owner[*ptr] = {pool, size};
  uint64_t now = pool->used += size;
  if (now > pool->high)
    pool->high = now;
  return hipSuccess;
}

} // namespace

extern "C" {

hipError_t hipMallocAsync(void** ptr, size_t size, hipStream_t stream) {
  return api([&] {
    Pool* p = nullptr;
    {
      std::lock_guard lock(pools().mutex);
      Stream* s = resolve_stream(stream);
      if (!s)
        return hipErrorInvalidHandle;
      p = current_pool(s->device().ordinal());
    }
    return allocate_async(ptr, size, p, stream);
  });
}
hipError_t hipMallocFromPoolAsync(void** ptr, size_t size, hipMemPool_t pool, hipStream_t stream) {
  return api([&] {
    Pool* p = nullptr;
    {
      std::lock_guard lock(pools().mutex);
      p = valid(pool);
    }
    if (!p)
      return hipErrorInvalidValue;
    return allocate_async(ptr, size, p, stream);
  });
}
hipError_t hipFreeAsync(void* ptr, hipStream_t stream) {
  return api([&] {
    Stream* s = resolve_stream(stream);
    if (!s)
      return hipErrorInvalidHandle;
    if (!ptr)
      return hipErrorInvalidValue;
    auto a = memory_table().find(ptr);
    if (!a || a->base != reinterpret_cast<uintptr_t>(ptr) || a->kind == MemoryKind::symbol)
      return hipErrorInvalidValue;
    {
      std::lock_guard lock(pools().mutex);
      if (auto it = pools().owner.find(ptr); it != pools().owner.end()) {
        it->second.first->used -= it->second.second;
        pools().owner.erase(it);
      }
    }
    return submit(*s, FreeOp(ptr));
  });
}

hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t* pool, int device) {
  return api([&] {
    if (!pool)
      return hipErrorInvalidValue;
    if (!Runtime::get().valid(device))
      return hipErrorInvalidDevice;
    std::lock_guard lock(pools().mutex);
    *pool = handle(default_pool(device));
    return hipSuccess;
  });
}
hipError_t hipDeviceGetMemPool(hipMemPool_t* pool, int device) {
  return api([&] {
    if (!pool)
      return hipErrorInvalidValue;
    if (!Runtime::get().valid(device))
      return hipErrorInvalidDevice;
    std::lock_guard lock(pools().mutex);
    *pool = handle(current_pool(device));
    return hipSuccess;
  });
}
hipError_t hipDeviceSetMemPool(int device, hipMemPool_t pool) {
  return api([&] {
    if (!Runtime::get().valid(device))
      return hipErrorInvalidDevice;
    std::lock_guard lock(pools().mutex);
    Pool* p = valid(pool);
    if (!p)
      return hipErrorInvalidValue;
    if (p->device != device)
      return hipErrorInvalidDevice;
    pools().current[device] = p;
    return hipSuccess;
  });
}
hipError_t hipMemPoolCreate(hipMemPool_t* pool, const hipMemPoolProps* props) {
  return api([&] {
    if (!pool || !props || props->allocType != hipMemAllocationTypePinned ||
        props->location.type != hipMemLocationTypeDevice)
      return hipErrorInvalidValue;
    if (!Runtime::get().valid(props->location.id))
      return hipErrorInvalidValue;
    std::lock_guard lock(pools().mutex);
    auto* p = new Pool;
    p->device = props->location.id;
    pools().all.insert(p);
    *pool = handle(p);
    return hipSuccess;
  });
}
hipError_t hipMemPoolDestroy(hipMemPool_t pool) {
  return api([&] {
    std::lock_guard lock(pools().mutex);
    Pool* p = valid(pool);
    if (!p || pools().defaults[p->device] == p)
      return hipErrorInvalidValue;
    if (pools().current[p->device] == p)
      pools().current.erase(p->device);
    std::erase_if(pools().owner, [&](const auto& o) { return o.second.first == p; });
    pools().all.erase(p);
    delete p;
    return hipSuccess;
  });
}
hipError_t hipMemPoolTrimTo(hipMemPool_t pool, size_t) {
  return api([&] {
    std::lock_guard lock(pools().mutex);
    return valid(pool) ? hipSuccess : hipErrorInvalidValue; // nothing is kept
  });
}
hipError_t hipMemPoolGetAttribute(hipMemPool_t pool, hipMemPoolAttr what, void* value) {
  return api([&] {
    std::lock_guard lock(pools().mutex);
    Pool* p = valid(pool);
    if (!p || !value)
      return hipErrorInvalidValue;
    auto* u = static_cast<uint64_t*>(value);
    auto* i = static_cast<int*>(value);
    switch (what) {
    case hipMemPoolReuseFollowEventDependencies:
      *i = p->follow_events;
      break;
    case hipMemPoolReuseAllowOpportunistic:
      *i = p->opportunistic;
      break;
    case hipMemPoolReuseAllowInternalDependencies:
      *i = p->internal;
      break;
    case hipMemPoolAttrReleaseThreshold:
      *u = p->threshold;
      break;
    case hipMemPoolAttrReservedMemCurrent:
    case hipMemPoolAttrUsedMemCurrent:
      *u = p->used;
      break;
    case hipMemPoolAttrReservedMemHigh:
    case hipMemPoolAttrUsedMemHigh:
      *u = p->high;
      break;
    default:
      return hipErrorInvalidValue;
    }
    return hipSuccess;
  });
}
hipError_t hipMemPoolSetAttribute(hipMemPool_t pool, hipMemPoolAttr what, void* value) {
  return api([&] {
    std::lock_guard lock(pools().mutex);
    Pool* p = valid(pool);
    if (!p || !value)
      return hipErrorInvalidValue;
    switch (what) {
    case hipMemPoolReuseFollowEventDependencies:
      p->follow_events = *static_cast<int*>(value);
      break;
    case hipMemPoolReuseAllowOpportunistic:
      p->opportunistic = *static_cast<int*>(value);
      break;
    case hipMemPoolReuseAllowInternalDependencies:
      p->internal = *static_cast<int*>(value);
      break;
    case hipMemPoolAttrReleaseThreshold:
      p->threshold = *static_cast<uint64_t*>(value);
      break;
    case hipMemPoolAttrReservedMemHigh:
    case hipMemPoolAttrUsedMemHigh:
      if (*static_cast<uint64_t*>(value) != 0)
        return hipErrorInvalidValue;
      p->high = p->used.load();
      break;
    default:
      return hipErrorInvalidValue;
    }
    return hipSuccess;
  });
}
hipError_t hipMemPoolSetAccess(hipMemPool_t pool, const hipMemAccessDesc* list, size_t count) {
  return api([&] {
    std::lock_guard lock(pools().mutex);
    Pool* p = valid(pool);
    if (!p || !list || count == 0)
      return hipErrorInvalidValue;
    for (size_t i = 0; i < count; ++i) {
      if (!Runtime::get().valid(list[i].location.id))
        return hipErrorInvalidDevice;
      if (list[i].location.id == p->device && list[i].flags == hipMemAccessFlagsProtNone)
        return hipErrorInvalidDevice;
    }
    return hipSuccess; // every device reaches all memory
  });
}
hipError_t hipMemPoolGetAccess(hipMemAccessFlags* flags, hipMemPool_t pool,
                               hipMemLocation* location) {
  return api([&] {
    std::lock_guard lock(pools().mutex);
    if (!flags || !valid(pool) || !location || location->type != hipMemLocationTypeDevice)
      return hipErrorInvalidValue;
    *flags = hipMemAccessFlagsProtReadWrite;
    return hipSuccess;
  });
}
}
