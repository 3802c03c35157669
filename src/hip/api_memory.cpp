// SPDX-License-Identifier: MIT
// Allocation, registration, pointer queries.
#include "hip/memory.h"
#include "hip/ops.h"
#include "hip/runtime.h"
#include <cstring>

using namespace pumice::hip;

namespace {

hipError_t host_alloc(void** ptr, size_t size, unsigned flags) {
  if (!ptr)
    return hipErrorInvalidValue;
  constexpr unsigned kKnown = hipHostMallocPortable | hipHostMallocMapped |
                              hipHostMallocWriteCombined | hipHostMallocNumaUser |
                              hipHostMallocCoherent | hipHostMallocNonCoherent;
  if (flags & ~kKnown)
    return hipErrorInvalidValue;
  if ((flags & hipHostMallocCoherent) && (flags & hipHostMallocNonCoherent))
    return hipErrorInvalidValue;
  *ptr = nullptr;
  if (size == 0)
    return hipSuccess;
  return allocate_host(current_device(), size, flags, MemoryKind::host, ptr);
}

hipError_t device_alloc(void** ptr, size_t size, unsigned flags) {
  if (!ptr)
    return hipErrorInvalidValue;
  *ptr = nullptr;
  if (size == 0)
    return hipSuccess;
  HIP_CHECK_STICKY(current_device());
  return allocate_device(current_device(), size, flags, ptr);
}

hipError_t free_any(void* ptr, bool host) {
  if (!ptr)
    return hipSuccess;
  auto a = memory_table().find(ptr);
  if (!a || a->base != reinterpret_cast<uintptr_t>(ptr) || a->kind == MemoryKind::symbol ||
      a->kind == MemoryKind::registered)
    return hipErrorInvalidValue;
  if (host && !a->host_side())
    return hipErrorInvalidValue;
  // Freeing waits for work that may use the memory; a broken device has none.
  (void)Runtime::get().devices[static_cast<size_t>(a->device)]->synchronize();
  return release_memory(ptr);
}

hipMemoryType type_of(const Allocation& a) {
  switch (a.kind) {
  case MemoryKind::host:
  case MemoryKind::registered:
    return hipMemoryTypeHost;
  case MemoryKind::managed:
    return hipMemoryTypeManaged;
  default:
    return hipMemoryTypeDevice;
  }
}

constexpr size_t kPitchAlign = 256;
size_t pitch_of(size_t width) {
  return (width + kPitchAlign - 1) & ~(kPitchAlign - 1);
}

hipError_t pointer_attribute(void* data, hipPointer_attribute what, void* ptr) {
  if (!data)
    return hipErrorInvalidValue;
  auto a = memory_table().find(ptr);
  if (!a)
    return hipErrorInvalidValue;
  auto put = [&](auto v) {
    std::memcpy(data, &v, sizeof v);
    return hipSuccess;
  };
  switch (what) {
  case HIP_POINTER_ATTRIBUTE_MEMORY_TYPE:
    return put(static_cast<unsigned>(type_of(*a)));
  case HIP_POINTER_ATTRIBUTE_DEVICE_POINTER:
    return put(ptr);
  case HIP_POINTER_ATTRIBUTE_HOST_POINTER:
    if (!a->host_side() && a->kind != MemoryKind::managed)
      return hipErrorInvalidValue;
    return put(ptr);
  case HIP_POINTER_ATTRIBUTE_BUFFER_ID:
    return put(static_cast<unsigned long long>(a->id));
  case HIP_POINTER_ATTRIBUTE_IS_MANAGED:
    return put(static_cast<unsigned>(a->kind == MemoryKind::managed));
  case HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    return put(a->device);
  case HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    return put(reinterpret_cast<void*>(a->base));
  case HIP_POINTER_ATTRIBUTE_RANGE_SIZE:
    return put(a->size);
  case HIP_POINTER_ATTRIBUTE_MAPPED:
    return put(1u);
  case HIP_POINTER_ATTRIBUTE_IS_LEGACY_HIP_IPC_CAPABLE:
  case HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS:
  case HIP_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    return put(0u);
  case HIP_POINTER_ATTRIBUTE_ACCESS_FLAGS:
    return put(3u);
  case HIP_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
    return put(0u);
  case HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
    return put(static_cast<void*>(nullptr));
  default:
    return hipErrorNotSupported;
  }
}

} // namespace

extern "C" {

hipError_t hipMalloc(void** ptr, size_t size) {
  return api([&] { return device_alloc(ptr, size, hipDeviceMallocDefault); });
}
hipError_t hipExtMallocWithFlags(void** ptr, size_t size, unsigned int flags) {
  return api([&] {
    if (flags > hipDeviceMallocContiguous)
      return hipErrorInvalidValue;
    return device_alloc(ptr, size, flags);
  });
}
hipError_t hipMallocManaged(void** ptr, size_t size, unsigned int flags) {
  return api([&] {
    if (!ptr || size == 0 ||
        (flags != hipMemAttachGlobal && flags != hipMemAttachHost && flags != hipMemAttachSingle))
      return hipErrorInvalidValue;
    return allocate_host(current_device(), size, flags, MemoryKind::managed, ptr);
  });
}
hipError_t hipHostMalloc(void** ptr, size_t size, unsigned int flags) {
  return api([&] { return host_alloc(ptr, size, flags); });
}
hipError_t hipHostAlloc(void** ptr, size_t size, unsigned int flags) {
  return api([&] { return host_alloc(ptr, size, flags); });
}
hipError_t hipMallocHost(void** ptr, size_t size) {
  return api([&] { return host_alloc(ptr, size, 0); });
}
hipError_t hipMemAllocHost(void** ptr, size_t size) {
  return api([&] { return host_alloc(ptr, size, 0); });
}
hipError_t hipFree(void* ptr) {
  return api([&] { return free_any(ptr, false); });
}
hipError_t hipHostFree(void* ptr) {
  return api([&] { return free_any(ptr, true); });
}
hipError_t hipFreeHost(void* ptr) {
  return api([&] { return free_any(ptr, true); });
}

hipError_t hipMallocPitch(void** ptr, size_t* pitch, size_t width, size_t height) {
  return api([&] {
    if (!ptr || !pitch)
      return hipErrorInvalidValue;
    *pitch = pitch_of(width);
    return device_alloc(ptr, *pitch * height, 0);
  });
}
hipError_t hipMemAllocPitch(hipDeviceptr_t* ptr, size_t* pitch, size_t width, size_t height,
                            unsigned int element) {
  return api([&] {
    if (!ptr || !pitch || width == 0 || height == 0)
      return hipErrorInvalidValue;
    if (element != 4 && element != 8 && element != 16)
      return hipErrorInvalidValue;
    *pitch = pitch_of(width);
    return device_alloc(ptr, *pitch * height, 0);
  });
}
hipError_t hipMalloc3D(hipPitchedPtr* ptr, hipExtent extent) {
  return api([&] {
    if (!ptr)
      return hipErrorInvalidValue;
    size_t pitch = pitch_of(extent.width);
    void* p = nullptr;
    HIP_TRY(device_alloc(&p, pitch * extent.height * extent.depth, 0));
    *ptr = {p, pitch, extent.width, extent.height};
    return hipSuccess;
  });
}

hipError_t hipHostRegister(void* ptr, size_t size, unsigned int flags) {
  return api([&] {
    constexpr unsigned kKnown = hipHostRegisterPortable | hipHostRegisterMapped |
                                hipHostRegisterIoMemory | hipHostRegisterReadOnly;
    if (!ptr || size == 0 || (flags & ~kKnown))
      return hipErrorInvalidValue;
    if (memory_table().find(ptr))
      return hipErrorHostMemoryAlreadyRegistered;
    std::vector<hsa_agent_t> agents;
    for (const auto& d : Runtime::get().devices)
      agents.push_back(d->agent());
    void* device_pointer = nullptr;
    HIP_TRY(from_hsa(hsa().hsa_amd_memory_lock(ptr, size, agents.data(),
                                               static_cast<int>(agents.size()), &device_pointer)));
    Allocation a;
    a.base = reinterpret_cast<uintptr_t>(ptr);
    a.size = size;
    a.kind = MemoryKind::registered;
    a.device = this_thread().device;
    a.flags = flags;
    a.device_pointer = device_pointer;
    memory_table().add(a);
    return hipSuccess;
  });
}
hipError_t hipHostUnregister(void* ptr) {
  return api([&] {
    if (!ptr)
      return hipErrorInvalidValue;
    auto a = memory_table().find(ptr);
    if (!a || a->kind != MemoryKind::registered || a->base != reinterpret_cast<uintptr_t>(ptr))
      return hipErrorHostMemoryNotRegistered;
    (void)current_device().synchronize();
    memory_table().remove(ptr);
    return from_hsa(hsa().hsa_amd_memory_unlock(ptr));
  });
}
hipError_t hipHostGetDevicePointer(void** out, void* ptr, unsigned int flags) {
  return api([&] {
    if (!out || !ptr || flags)
      return hipErrorInvalidValue;
    auto a = memory_table().find(ptr);
    if (!a || (!a->host_side() && a->kind != MemoryKind::managed))
      return hipErrorInvalidValue;
    auto offset = reinterpret_cast<uintptr_t>(ptr) - a->base;
    *out = static_cast<uint8_t*>(a->device_pointer) + offset;
    return hipSuccess;
  });
}
hipError_t hipHostGetFlags(unsigned int* flags, void* ptr) {
  return api([&] {
    if (!flags || !ptr)
      return hipErrorInvalidValue;
    auto a = memory_table().find(ptr);
    if (!a || !a->host_side())
      return hipErrorInvalidValue;
    *flags = a->flags;
    return hipSuccess;
  });
}

hipError_t hipMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  return api([&] {
    if (!free_bytes || !total_bytes)
      return hipErrorInvalidValue;
    memory_info(current_device(), free_bytes, total_bytes);
    return hipSuccess;
  });
}
hipError_t hipMemPtrGetInfo(void* ptr, size_t* size) {
  return api([&] {
    if (!ptr || !size)
      return hipErrorInvalidValue;
    auto a = memory_table().find(ptr);
    if (!a)
      return hipErrorInvalidValue;
    *size = a->size;
    return hipSuccess;
  });
}
hipError_t hipMemGetAddressRange(hipDeviceptr_t* base, size_t* size, hipDeviceptr_t ptr) {
  return api([&] {
    auto a = memory_table().find(ptr);
    if (!a)
      return hipErrorNotFound;
    if (base)
      *base = reinterpret_cast<void*>(a->base);
    if (size)
      *size = a->size;
    return hipSuccess;
  });
}

hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* ptr) {
  return api([&] {
    if (!attributes || !ptr)
      return hipErrorInvalidValue;
    auto a = memory_table().find(ptr);
    std::memset(attributes, 0, sizeof *attributes);
    if (!a) {
      attributes->type = hipMemoryTypeUnregistered;
      attributes->device = hipInvalidDeviceId;
      return hipSuccess;
    }
    auto* p = const_cast<void*>(ptr);
    attributes->type = type_of(*a);
    attributes->device = a->device;
    attributes->devicePointer = p;
    if (a->kind == MemoryKind::registered)
      attributes->devicePointer =
          static_cast<uint8_t*>(a->device_pointer) + (reinterpret_cast<uintptr_t>(ptr) - a->base);
    attributes->hostPointer = a->host_side() || a->kind == MemoryKind::managed ? p : nullptr;
    attributes->isManaged = a->kind == MemoryKind::managed;
    attributes->allocationFlags = a->flags;
    return hipSuccess;
  });
}
hipError_t hipPointerGetAttribute(void* data, hipPointer_attribute what, hipDeviceptr_t ptr) {
  return api([&] { return pointer_attribute(data, what, ptr); });
}
hipError_t hipDrvPointerGetAttributes(unsigned int count, hipPointer_attribute* which, void** data,
                                      hipDeviceptr_t ptr) {
  return api([&] {
    if (!which || !data)
      return hipErrorInvalidValue;
    for (unsigned i = 0; i < count; ++i) {
      hipError_t e = pointer_attribute(data[i], which[i], ptr);
      // Unknown addresses answer null, as the driver-style call documents.
      if (e != hipSuccess && data[i])
        std::memset(data[i], 0, sizeof(int));
    }
    return hipSuccess;
  });
}
hipError_t hipPointerSetAttribute(const void* value, hipPointer_attribute what,
                                  hipDeviceptr_t ptr) {
  return api([&] {
    if (!value || !ptr)
      return hipErrorInvalidValue;
    if (what != HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS)
      return hipErrorInvalidValue;
    return memory_table().find(ptr) ? hipSuccess : hipErrorInvalidDevicePointer;
  });
}

hipError_t hipMemPrefetchAsync(const void* ptr, size_t count, int device, hipStream_t stream) {
  return api([&] {
    if (!ptr || count == 0)
      return hipErrorInvalidValue;
    if (device != hipCpuDeviceId && !Runtime::get().valid(device))
      return hipErrorInvalidDevice;
    if (!resolve_stream(stream))
      return hipErrorInvalidHandle;
    auto a = memory_table().find(ptr);
    return a && a->kind == MemoryKind::managed
               ? hipSuccess
               : hipErrorInvalidValue; // already reachable everywhere
  });
}
hipError_t hipMemAdvise(const void* ptr, size_t count, hipMemoryAdvise advice, int device) {
  return api([&] {
    if (!ptr || count == 0)
      return hipErrorInvalidValue;
    if (device != hipCpuDeviceId && !Runtime::get().valid(device))
      return hipErrorInvalidDevice;
    if (advice < hipMemAdviseSetReadMostly ||
        (advice > hipMemAdviseUnsetAccessedBy && advice != hipMemAdviseSetCoarseGrain &&
         advice != hipMemAdviseUnsetCoarseGrain))
      return hipErrorInvalidValue;
    return memory_table().find(ptr) ? hipSuccess : hipErrorInvalidValue;
  });
}
hipError_t hipMemRangeGetAttribute(void* data, size_t size, hipMemRangeAttribute what,
                                   const void* ptr, size_t count) {
  return api([&] {
    if (!data || size < 4 || !ptr || count == 0)
      return hipErrorInvalidValue;
    auto a = memory_table().find(ptr);
    if (!a || a->kind != MemoryKind::managed)
      return hipErrorInvalidValue;
    int v = 0;
    switch (what) {
    case hipMemRangeAttributeReadMostly:
      v = 0;
      break;
    case hipMemRangeAttributePreferredLocation:
    case hipMemRangeAttributeLastPrefetchLocation:
    case hipMemRangeAttributeAccessedBy:
      v = hipInvalidDeviceId;
      break;
    case hipMemRangeAttributeCoherencyMode:
      v = hipMemRangeCoherencyModeFineGrain;
      break;
    default:
      return hipErrorInvalidValue;
    }
    for (size_t i = 0; i + 4 <= size; i += 4)
      std::memcpy(static_cast<uint8_t*>(data) + i, &v, 4);
    return hipSuccess;
  });
}
hipError_t hipMemRangeGetAttributes(void** data, size_t* sizes, hipMemRangeAttribute* which,
                                    size_t n, const void* ptr, size_t count) {
  return api([&] {
    if (!data || !sizes || !which)
      return hipErrorInvalidValue;
    for (size_t i = 0; i < n; ++i)
      HIP_TRY(hipMemRangeGetAttribute(data[i], sizes[i], which[i], ptr, count));
    return hipSuccess;
  });
}
hipError_t hipStreamAttachMemAsync(hipStream_t stream, void* ptr, size_t length,
                                   unsigned int flags) {
  return api([&] {
    (void)length;
    if (!ptr ||
        (flags != hipMemAttachGlobal && flags != hipMemAttachHost && flags != hipMemAttachSingle))
      return hipErrorInvalidValue;
    if (!resolve_stream(stream))
      return hipErrorInvalidHandle;
    auto a = memory_table().find(ptr);
    return a && a->kind == MemoryKind::managed ? hipSuccess : hipErrorInvalidValue;
  });
}

hipError_t hipIpcGetMemHandle(hipIpcMemHandle_t* handle, void* ptr) {
  return api([&] {
    if (!handle || !ptr)
      return hipErrorInvalidValue;
    auto a = memory_table().find(ptr);
    if (!a || a->kind != MemoryKind::device)
      return hipErrorInvalidValue;
    hsa_amd_ipc_memory_t ipc{};
    HIP_TRY(
        from_hsa(hsa().hsa_amd_ipc_memory_create(reinterpret_cast<void*>(a->base), a->size, &ipc)));
    std::memset(handle, 0, sizeof *handle);
    std::memcpy(handle->reserved, &ipc, sizeof ipc);
    uint64_t rest[2] = {a->size, reinterpret_cast<uintptr_t>(ptr) - a->base};
    std::memcpy(handle->reserved + sizeof ipc, rest, sizeof rest);
    return hipSuccess;
  });
}
hipError_t hipIpcOpenMemHandle(void** ptr, hipIpcMemHandle_t handle, unsigned int flags) {
  return api([&] {
    if (!ptr || flags != hipIpcMemLazyEnablePeerAccess)
      return hipErrorInvalidValue;
    hsa_amd_ipc_memory_t ipc{};
    uint64_t rest[2];
    std::memcpy(&ipc, handle.reserved, sizeof ipc);
    std::memcpy(rest, handle.reserved + sizeof ipc, sizeof rest);
    hsa_agent_t agent = current_device().agent();
    void* base = nullptr;
    HIP_TRY(from_hsa(hsa().hsa_amd_ipc_memory_attach(&ipc, rest[0], 1, &agent, &base)));
    Allocation a;
    a.base = reinterpret_cast<uintptr_t>(base);
    a.size = rest[0];
    a.kind = MemoryKind::device;
    a.device = this_thread().device;
    memory_table().add(a);
    *ptr = static_cast<uint8_t*>(base) + rest[1];
    return hipSuccess;
  });
}
hipError_t hipIpcCloseMemHandle(void* ptr) {
  return api([&] {
    auto a = memory_table().find(ptr);
    if (!a)
      return hipErrorInvalidValue;
    (void)current_device().synchronize();
    void* base = reinterpret_cast<void*>(a->base);
    memory_table().remove(base);
    return from_hsa(hsa().hsa_amd_ipc_memory_detach(base));
  });
}
}
