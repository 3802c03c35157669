// SPDX-License-Identifier: MIT
// Initialisation, versions, devices, properties, limits, peers.
#include "hip/memory.h"
#include "hip/module.h"
#include "hip/runtime.h"
#include "hip/stream.h"
#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace pumice::hip;

namespace {

hipError_t device_at(int ordinal, Device** out) {
  Runtime& rt = Runtime::get();
  if (!rt.valid(ordinal))
    return hipErrorInvalidDevice;
  *out = rt.devices[static_cast<size_t>(ordinal)].get();
  return hipSuccess;
}

hipError_t attribute(const Device& d, hipDeviceAttribute_t what, int* out) {
  const hipDeviceProp_t& p = d.properties();
  auto clamp = [](size_t v) { return static_cast<int>(std::min<size_t>(v, 2147483647)); };
  switch (what) {
  case hipDeviceAttributeEccEnabled:
    *out = p.ECCEnabled;
    break;
  case hipDeviceAttributeAccessPolicyMaxWindowSize:
    *out = p.accessPolicyMaxWindowSize;
    break;
  case hipDeviceAttributeAsyncEngineCount:
    *out = p.asyncEngineCount;
    break;
  case hipDeviceAttributeCanMapHostMemory:
    *out = p.canMapHostMemory;
    break;
  case hipDeviceAttributeCanUseHostPointerForRegisteredMem:
    *out = p.canUseHostPointerForRegisteredMem;
    break;
  case hipDeviceAttributeClockRate:
    *out = p.clockRate;
    break;
  case hipDeviceAttributeComputeMode:
    *out = p.computeMode;
    break;
  case hipDeviceAttributeComputePreemptionSupported:
    *out = p.computePreemptionSupported;
    break;
  case hipDeviceAttributeConcurrentKernels:
    *out = p.concurrentKernels;
    break;
  case hipDeviceAttributeConcurrentManagedAccess:
    *out = p.concurrentManagedAccess;
    break;
  case hipDeviceAttributeCooperativeLaunch:
    *out = p.cooperativeLaunch;
    break;
  case hipDeviceAttributeCooperativeMultiDeviceLaunch:
    *out = p.cooperativeMultiDeviceLaunch;
    break;
  case hipDeviceAttributeDeviceOverlap:
    *out = p.deviceOverlap;
    break;
  case hipDeviceAttributeDirectManagedMemAccessFromHost:
    *out = p.directManagedMemAccessFromHost;
    break;
  case hipDeviceAttributeGlobalL1CacheSupported:
    *out = p.globalL1CacheSupported;
    break;
  case hipDeviceAttributeHostNativeAtomicSupported:
    *out = p.hostNativeAtomicSupported;
    break;
  case hipDeviceAttributeIntegrated:
    *out = p.integrated;
    break;
  case hipDeviceAttributeIsMultiGpuBoard:
    *out = p.isMultiGpuBoard;
    break;
  case hipDeviceAttributeKernelExecTimeout:
    *out = p.kernelExecTimeoutEnabled;
    break;
  case hipDeviceAttributeL2CacheSize:
    *out = p.l2CacheSize;
    break;
  case hipDeviceAttributeLocalL1CacheSupported:
    *out = p.localL1CacheSupported;
    break;
  case hipDeviceAttributeLuid:
    return hipErrorInvalidValue; // no answer that fits an int
  case hipDeviceAttributeLuidDeviceNodeMask:
    *out = static_cast<int>(p.luidDeviceNodeMask);
    break;
  case hipDeviceAttributeComputeCapabilityMajor:
    *out = p.major;
    break;
  case hipDeviceAttributeComputeCapabilityMinor:
    *out = p.minor;
    break;
  case hipDeviceAttributeManagedMemory:
    *out = p.managedMemory;
    break;
  case hipDeviceAttributeMaxBlocksPerMultiProcessor:
    *out = p.maxBlocksPerMultiProcessor;
    break;
  case hipDeviceAttributeMaxBlockDimX:
    *out = p.maxThreadsDim[0];
    break;
  case hipDeviceAttributeMaxBlockDimY:
    *out = p.maxThreadsDim[1];
    break;
  case hipDeviceAttributeMaxBlockDimZ:
    *out = p.maxThreadsDim[2];
    break;
  case hipDeviceAttributeMaxGridDimX:
    *out = p.maxGridSize[0];
    break;
  case hipDeviceAttributeMaxGridDimY:
    *out = p.maxGridSize[1];
    break;
  case hipDeviceAttributeMaxGridDimZ:
    *out = p.maxGridSize[2];
    break;
  case hipDeviceAttributeMaxSurface1D:
    *out = p.maxSurface1D;
    break;
  case hipDeviceAttributeMaxSurface1DLayered:
    *out = p.maxSurface1DLayered[0];
    break;
  case hipDeviceAttributeMaxSurface2D:
    *out = p.maxSurface2D[0];
    break;
  case hipDeviceAttributeMaxSurface2DLayered:
    *out = p.maxSurface2DLayered[0];
    break;
  case hipDeviceAttributeMaxSurface3D:
    *out = p.maxSurface3D[0];
    break;
  case hipDeviceAttributeMaxSurfaceCubemap:
    *out = p.maxSurfaceCubemap;
    break;
  case hipDeviceAttributeMaxSurfaceCubemapLayered:
    *out = p.maxSurfaceCubemapLayered[0];
    break;
  case hipDeviceAttributeMaxTexture1DWidth:
    *out = p.maxTexture1D;
    break;
  case hipDeviceAttributeMaxTexture1DLayered:
    *out = p.maxTexture1DLayered[0];
    break;
  case hipDeviceAttributeMaxTexture1DLinear:
    *out = p.maxTexture1DLinear;
    break;
  case hipDeviceAttributeMaxTexture1DMipmap:
    *out = p.maxTexture1DMipmap;
    break;
  case hipDeviceAttributeMaxTexture2DWidth:
    *out = p.maxTexture2D[0];
    break;
  case hipDeviceAttributeMaxTexture2DHeight:
    *out = p.maxTexture2D[1];
    break;
  case hipDeviceAttributeMaxTexture2DGather:
    *out = p.maxTexture2DGather[0];
    break;
  case hipDeviceAttributeMaxTexture2DLayered:
    *out = p.maxTexture2DLayered[0];
    break;
  case hipDeviceAttributeMaxTexture2DLinear:
    *out = p.maxTexture2DLinear[0];
    break;
  case hipDeviceAttributeMaxTexture2DMipmap:
    *out = p.maxTexture2DMipmap[0];
    break;
  case hipDeviceAttributeMaxTexture3DWidth:
    *out = p.maxTexture3D[0];
    break;
  case hipDeviceAttributeMaxTexture3DHeight:
    *out = p.maxTexture3D[1];
    break;
  case hipDeviceAttributeMaxTexture3DDepth:
    *out = p.maxTexture3D[2];
    break;
  case hipDeviceAttributeMaxTexture3DAlt:
    *out = p.maxTexture3DAlt[0];
    break;
  case hipDeviceAttributeMaxTextureCubemap:
    *out = p.maxTextureCubemap;
    break;
  case hipDeviceAttributeMaxTextureCubemapLayered:
    *out = p.maxTextureCubemapLayered[0];
    break;
  case hipDeviceAttributeMaxThreadsDim:
    *out = p.maxThreadsDim[0];
    break;
  case hipDeviceAttributeMaxThreadsPerBlock:
    *out = p.maxThreadsPerBlock;
    break;
  case hipDeviceAttributeMaxThreadsPerMultiProcessor:
    *out = p.maxThreadsPerMultiProcessor;
    break;
  case hipDeviceAttributeMaxPitch:
    *out = clamp(p.memPitch);
    break;
  case hipDeviceAttributeMemoryBusWidth:
    *out = p.memoryBusWidth;
    break;
  case hipDeviceAttributeMemoryClockRate:
    *out = p.memoryClockRate;
    break;
  case hipDeviceAttributeMultiGpuBoardGroupID:
    *out = p.multiGpuBoardGroupID;
    break;
  case hipDeviceAttributeMultiprocessorCount:
    *out = p.multiProcessorCount;
    break;
  case hipDeviceAttributePageableMemoryAccess:
    *out = p.pageableMemoryAccess;
    break;
  case hipDeviceAttributePageableMemoryAccessUsesHostPageTables:
    *out = p.pageableMemoryAccessUsesHostPageTables;
    break;
  case hipDeviceAttributePciBusId:
    *out = p.pciBusID;
    break;
  case hipDeviceAttributePciDeviceId:
    *out = p.pciDeviceID;
    break;
  case hipDeviceAttributePciDomainID:
    *out = p.pciDomainID;
    break;
  case hipDeviceAttributePersistingL2CacheMaxSize:
    *out = p.persistingL2CacheMaxSize;
    break;
  case hipDeviceAttributeMaxRegistersPerBlock:
    *out = p.regsPerBlock;
    break;
  case hipDeviceAttributeMaxRegistersPerMultiprocessor:
    *out = p.regsPerMultiprocessor;
    break;
  case hipDeviceAttributeReservedSharedMemPerBlock:
    *out = clamp(p.reservedSharedMemPerBlock);
    break;
  case hipDeviceAttributeMaxSharedMemoryPerBlock:
    *out = clamp(p.sharedMemPerBlock);
    break;
  case hipDeviceAttributeSharedMemPerBlockOptin:
    *out = clamp(p.sharedMemPerBlockOptin);
    break;
  case hipDeviceAttributeSharedMemPerMultiprocessor:
    *out = clamp(p.sharedMemPerMultiprocessor);
    break;
  case hipDeviceAttributeSingleToDoublePrecisionPerfRatio:
    *out = p.singleToDoublePrecisionPerfRatio;
    break;
  case hipDeviceAttributeStreamPrioritiesSupported:
    *out = p.streamPrioritiesSupported;
    break;
  case hipDeviceAttributeSurfaceAlignment:
    *out = clamp(p.surfaceAlignment);
    break;
  case hipDeviceAttributeTccDriver:
    *out = p.tccDriver;
    break;
  case hipDeviceAttributeTextureAlignment:
    *out = clamp(p.textureAlignment);
    break;
  case hipDeviceAttributeTexturePitchAlignment:
    *out = clamp(p.texturePitchAlignment);
    break;
  case hipDeviceAttributeTotalConstantMemory:
    *out = clamp(p.totalConstMem);
    break;
  case hipDeviceAttributeTotalGlobalMem:
    *out = clamp(p.totalGlobalMem);
    break;
  case hipDeviceAttributeUnifiedAddressing:
    *out = p.unifiedAddressing;
    break;
  case hipDeviceAttributeWarpSize:
    *out = p.warpSize;
    break;
  case hipDeviceAttributeMemoryPoolsSupported:
    *out = p.memoryPoolsSupported;
    break;
  case hipDeviceAttributeVirtualMemoryManagementSupported:
    *out = 0;
    break;
  case hipDeviceAttributeHostRegisterSupported:
    *out = p.hostRegisterSupported;
    break;
  case hipDeviceAttributeMemoryPoolSupportedHandleTypes:
    *out = static_cast<int>(p.memoryPoolSupportedHandleTypes);
    break;
  case hipDeviceAttributeClockInstructionRate:
    *out = p.clockInstructionRate;
    break;
  case hipDeviceAttributeMaxSharedMemoryPerMultiprocessor:
    *out = clamp(p.maxSharedMemoryPerMultiProcessor);
    break;
  case hipDeviceAttributeHdpMemFlushCntl:
  case hipDeviceAttributeHdpRegFlushCntl:
    return hipErrorInvalidValue; // addresses, not ints
  case hipDeviceAttributeCooperativeMultiDeviceUnmatchedFunc:
    *out = p.cooperativeMultiDeviceUnmatchedFunc;
    break;
  case hipDeviceAttributeCooperativeMultiDeviceUnmatchedGridDim:
    *out = p.cooperativeMultiDeviceUnmatchedGridDim;
    break;
  case hipDeviceAttributeCooperativeMultiDeviceUnmatchedBlockDim:
    *out = p.cooperativeMultiDeviceUnmatchedBlockDim;
    break;
  case hipDeviceAttributeCooperativeMultiDeviceUnmatchedSharedMem:
    *out = p.cooperativeMultiDeviceUnmatchedSharedMem;
    break;
  case hipDeviceAttributeIsLargeBar:
    *out = p.isLargeBar;
    break;
  case hipDeviceAttributeAsicRevision:
    *out = p.asicRevision;
    break;
  case hipDeviceAttributeCanUseStreamWaitValue:
    *out = 1;
    break;
  case hipDeviceAttributeImageSupport:
    *out = 0;
    break;
  case hipDeviceAttributePhysicalMultiProcessorCount:
    *out = p.multiProcessorCount;
    break;
  case hipDeviceAttributeFineGrainSupport:
    *out = 1;
    break;
  case hipDeviceAttributeWallClockRate:
    *out = static_cast<int>(d.wall_clock_hz() / 1000);
    break;
  default:
    return hipErrorInvalidValue;
  }
  return hipSuccess;
}

} // namespace

extern "C" {

hipError_t hipInit(unsigned int flags) {
  return api([&] { return flags == 0 ? hipSuccess : hipErrorInvalidValue; });
}
hipError_t hipDriverGetVersion(int* version) {
  return api(
      [&] {
        if (!version)
          return hipErrorInvalidValue;
        *version = HIP_VERSION;
        return hipSuccess;
      },
      Init::no);
}
hipError_t hipRuntimeGetVersion(int* version) {
  return hipDriverGetVersion(version);
}

hipError_t hipGetDeviceCount(int* count) {
  return api(
      [&] {
        if (!count)
          return hipErrorInvalidValue;
        *count = 0;
        hipError_t e = Runtime::ensure();
        if (e != hipSuccess)
          return e;
        *count = static_cast<int>(Runtime::get().devices.size());
        return hipSuccess;
      },
      Init::no);
}
hipError_t hipGetDevice(int* device) {
  return api([&] {
    if (!device)
      return hipErrorInvalidValue;
    *device = this_thread().device;
    return hipSuccess;
  });
}
hipError_t hipSetDevice(int device) {
  return api([&] {
    if (!Runtime::get().valid(device))
      return hipErrorInvalidDevice;
    this_thread().device = device;
    return hipSuccess;
  });
}
hipError_t hipSetValidDevices(int* list, int count) {
  return api([&] {
    if (count < 0 || (count > 0 && !list))
      return hipErrorInvalidValue;
    for (int i = 0; i < count; ++i)
      if (!Runtime::get().valid(list[i]))
        return hipErrorInvalidDevice;
    return hipSuccess;
  });
}
hipError_t hipDeviceSynchronize(void) {
  return api([&] { return current_device().synchronize(); });
}
hipError_t hipDeviceReset(void) {
  return api([&] {
    current_device().reset();
    return hipSuccess;
  });
}

hipError_t hipGetDevicePropertiesR0600(hipDeviceProp_tR0600* prop, int ordinal) {
  return api([&] {
    Device* d = nullptr;
    if (!prop)
      return hipErrorInvalidValue;
    HIP_TRY(device_at(ordinal, &d));
    *prop = d->properties();
    return hipSuccess;
  });
}
hipError_t hipGetDevicePropertiesR0000(hipDeviceProp_tR0000* prop, int ordinal) {
  return api([&] {
    Device* d = nullptr;
    if (!prop)
      return hipErrorInvalidValue;
    HIP_TRY(device_at(ordinal, &d));
    const hipDeviceProp_t& p = d->properties();
    std::memset(prop, 0, sizeof *prop);
    std::memcpy(prop->name, p.name, sizeof prop->name);
    std::memcpy(prop->gcnArchName, p.gcnArchName, sizeof prop->gcnArchName);
    prop->gcnArch = p.minor == 0 ? 910 : 942;
#define COPY(f) prop->f = p.f
    COPY(totalGlobalMem);
    COPY(sharedMemPerBlock);
    COPY(regsPerBlock);
    COPY(warpSize);
    COPY(maxThreadsPerBlock);
    COPY(clockRate);
    COPY(memoryClockRate);
    COPY(memoryBusWidth);
    COPY(totalConstMem);
    COPY(major);
    COPY(minor);
    COPY(multiProcessorCount);
    COPY(l2CacheSize);
    COPY(maxThreadsPerMultiProcessor);
    COPY(computeMode);
    COPY(clockInstructionRate);
    COPY(arch);
    COPY(concurrentKernels);
    COPY(pciDomainID);
    COPY(pciBusID);
    COPY(pciDeviceID);
    COPY(maxSharedMemoryPerMultiProcessor);
    COPY(isMultiGpuBoard);
    COPY(canMapHostMemory);
    COPY(integrated);
    COPY(cooperativeLaunch);
    COPY(cooperativeMultiDeviceLaunch);
    COPY(maxTexture1DLinear);
    COPY(maxTexture1D);
    COPY(memPitch);
    COPY(textureAlignment);
    COPY(texturePitchAlignment);
    COPY(kernelExecTimeoutEnabled);
    COPY(ECCEnabled);
    COPY(tccDriver);
    COPY(isLargeBar);
    COPY(asicRevision);
    COPY(managedMemory);
    COPY(directManagedMemAccessFromHost);
    COPY(concurrentManagedAccess);
    COPY(pageableMemoryAccess);
    COPY(pageableMemoryAccessUsesHostPageTables);
#undef COPY
    std::memcpy(prop->maxThreadsDim, p.maxThreadsDim, sizeof p.maxThreadsDim);
    std::memcpy(prop->maxGridSize, p.maxGridSize, sizeof p.maxGridSize);
    return hipSuccess;
  });
}
#undef hipGetDeviceProperties
#undef hipChooseDevice
// Names without a layout version are the layout of ROCm 5.
HIP_PUBLIC_API hipError_t hipGetDeviceProperties(hipDeviceProp_tR0000* prop, int ordinal) {
  return hipGetDevicePropertiesR0000(prop, ordinal);
}
hipError_t hipChooseDeviceR0600(int* device, const hipDeviceProp_tR0600* prop) {
  return api([&] {
    if (!device || !prop)
      return hipErrorInvalidValue;
    // The first device that offers at least what is asked for, else the first.
    *device = 0;
    for (const auto& d : Runtime::get().devices) {
      const hipDeviceProp_t& p = d->properties();
      if (p.major >= prop->major && p.totalGlobalMem >= prop->totalGlobalMem &&
          p.multiProcessorCount >= prop->multiProcessorCount &&
          p.maxThreadsPerBlock >= prop->maxThreadsPerBlock) {
        *device = d->ordinal();
        break;
      }
    }
    return hipSuccess;
  });
}
hipError_t hipChooseDeviceR0000(int* device, const hipDeviceProp_tR0000* prop) {
  return api([&] {
    if (!device || !prop)
      return hipErrorInvalidValue;
    *device = 0;
    return hipSuccess;
  });
}
HIP_PUBLIC_API hipError_t hipChooseDevice(int* device, const hipDeviceProp_tR0000* prop) {
  return hipChooseDeviceR0000(device, prop);
}

hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t what, int ordinal) {
  return api([&] {
    Device* d = nullptr;
    if (!value)
      return hipErrorInvalidValue;
    HIP_TRY(device_at(ordinal, &d));
    return attribute(*d, what, value);
  });
}
hipError_t hipDeviceGet(hipDevice_t* device, int ordinal) {
  return api([&] {
    if (!device)
      return hipErrorInvalidValue;
    if (!Runtime::get().valid(ordinal))
      return hipErrorInvalidDevice;
    *device = ordinal;
    return hipSuccess;
  });
}
hipError_t hipDeviceGetName(char* name, int length, hipDevice_t ordinal) {
  return api([&] {
    Device* d = nullptr;
    if (!name || length <= 0)
      return hipErrorInvalidValue;
    HIP_TRY(device_at(ordinal, &d));
    std::snprintf(name, static_cast<size_t>(length), "%s", d->properties().name);
    return hipSuccess;
  });
}
hipError_t hipDeviceGetUuid(hipUUID* uuid, hipDevice_t ordinal) {
  return api([&] {
    Device* d = nullptr;
    if (!uuid)
      return hipErrorInvalidValue;
    HIP_TRY(device_at(ordinal, &d));
    *uuid = d->properties().uuid;
    return hipSuccess;
  });
}
hipError_t hipDeviceComputeCapability(int* major, int* minor, hipDevice_t ordinal) {
  return api([&] {
    Device* d = nullptr;
    if (!major || !minor)
      return hipErrorInvalidValue;
    HIP_TRY(device_at(ordinal, &d));
    *major = d->properties().major;
    *minor = d->properties().minor;
    return hipSuccess;
  });
}
hipError_t hipDeviceTotalMem(size_t* bytes, hipDevice_t ordinal) {
  return api([&] {
    Device* d = nullptr;
    if (!bytes)
      return hipErrorInvalidValue;
    HIP_TRY(device_at(ordinal, &d));
    *bytes = d->properties().totalGlobalMem;
    return hipSuccess;
  });
}
hipError_t hipDeviceGetPCIBusId(char* text, int length, int ordinal) {
  return api([&] {
    Device* d = nullptr;
    if (!text || length <= 0)
      return hipErrorInvalidValue;
    HIP_TRY(device_at(ordinal, &d));
    const hipDeviceProp_t& p = d->properties();
    std::snprintf(text, static_cast<size_t>(length), "%04x:%02x:%02x.0", p.pciDomainID, p.pciBusID,
                  p.pciDeviceID);
    return hipSuccess;
  });
}
hipError_t hipDeviceGetByPCIBusId(int* device, const char* text) {
  return api([&] {
    if (!device || !text)
      return hipErrorInvalidValue;
    int domain = 0, bus = 0, dev = 0, function = 0;
    if (std::sscanf(text, "%x:%x:%x.%x", &domain, &bus, &dev, &function) < 3)
      return hipErrorInvalidValue;
    for (const auto& d : Runtime::get().devices) {
      const hipDeviceProp_t& p = d->properties();
      if (p.pciDomainID == domain && p.pciBusID == bus && p.pciDeviceID == dev) {
        *device = d->ordinal();
        return hipSuccess;
      }
    }
    return hipErrorInvalidValue;
  });
}
hipError_t hipDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return api([&] {
    if (least)
      *least = 1;
    if (greatest)
      *greatest = -1;
    return hipSuccess;
  });
}

hipError_t hipDeviceGetLimit(size_t* value, enum hipLimit_t limit) {
  return api([&] {
    if (!value)
      return hipErrorInvalidValue;
    Device& d = current_device();
    switch (limit) {
    case hipLimitStackSize:
      *value = d.limit_stack;
      return hipSuccess;
    case hipLimitPrintfFifoSize:
      *value = d.limit_printf;
      return hipSuccess;
    case hipLimitMallocHeapSize:
      *value = d.limit_heap;
      return hipSuccess;
    default:
      return hipErrorUnsupportedLimit;
    }
  });
}
hipError_t hipDeviceSetLimit(enum hipLimit_t limit, size_t value) {
  return api([&] {
    Device& d = current_device();
    switch (limit) {
    case hipLimitStackSize:
      d.limit_stack = value;
      return hipSuccess;
    case hipLimitPrintfFifoSize:
      d.limit_printf = value;
      return hipSuccess;
    case hipLimitMallocHeapSize:
      d.limit_heap = value;
      return hipSuccess;
    default:
      return hipErrorUnsupportedLimit;
    }
  });
}
hipError_t hipGetDeviceFlags(unsigned int* flags) {
  return api([&] {
    if (!flags)
      return hipErrorInvalidValue;
    *flags = current_device().flags;
    return hipSuccess;
  });
}
hipError_t hipSetDeviceFlags(unsigned flags) {
  return api([&] {
    if (flags & ~(hipDeviceScheduleMask | hipDeviceMapHost | hipDeviceLmemResizeToMax))
      return hipErrorInvalidValue;
    current_device().flags = flags;
    return hipSuccess;
  });
}
// Cache and bank preferences have no effect on this hardware either.
hipError_t hipDeviceSetCacheConfig(hipFuncCache_t) {
  return api([] { return hipSuccess; });
}
hipError_t hipDeviceGetCacheConfig(hipFuncCache_t* config) {
  return api([&] {
    if (!config)
      return hipErrorInvalidValue;
    *config = hipFuncCachePreferNone;
    return hipSuccess;
  });
}
hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig* config) {
  return api([&] {
    if (!config)
      return hipErrorInvalidValue;
    *config = hipSharedMemBankSizeFourByte;
    return hipSuccess;
  });
}
hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig) {
  return api([] { return hipSuccess; });
}

hipError_t hipDeviceCanAccessPeer(int* can, int device, int peer) {
  return api([&] {
    if (!can)
      return hipErrorInvalidValue;
    Device *d = nullptr, *p = nullptr;
    HIP_TRY(device_at(device, &d));
    HIP_TRY(device_at(peer, &p));
    *can = 0;
    if (device == peer)
      return hipSuccess;
    hsa_amd_memory_pool_access_t access = HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED;
    hsa().hsa_amd_agent_memory_pool_get_info(d->agent(), p->device_pool(),
                                             HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS, &access);
    *can = access != HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED;
    return hipSuccess;
  });
}
hipError_t hipDeviceEnablePeerAccess(int peer, unsigned int flags) {
  return api([&] {
    if (flags)
      return hipErrorInvalidValue;
    Device* p = nullptr;
    HIP_TRY(device_at(peer, &p));
    Device& d = current_device();
    if (p == &d)
      return hipErrorInvalidDevice;
    {
      std::lock_guard lock(d.submission);
      if (!d.peers.insert(peer).second)
        return hipErrorPeerAccessAlreadyEnabled;
    }
    // Allocations made before; later ones get access when they are made.
    hsa_agent_t agents[] = {d.agent(), p->agent()};
    memory_table().for_each([&](const Allocation& a) {
      if (a.kind == MemoryKind::device && a.device == peer)
        hsa().hsa_amd_agents_allow_access(2, agents, nullptr, reinterpret_cast<void*>(a.base));
    });
    return hipSuccess;
  });
}
hipError_t hipDeviceDisablePeerAccess(int peer) {
  return api([&] {
    Device* p = nullptr;
    HIP_TRY(device_at(peer, &p));
    Device& d = current_device();
    std::lock_guard lock(d.submission);
    return d.peers.erase(peer) ? hipSuccess : hipErrorPeerAccessNotEnabled;
  });
}
hipError_t hipDeviceGetP2PAttribute(int* value, hipDeviceP2PAttr what, int device, int peer) {
  return api([&] {
    if (!value)
      return hipErrorInvalidValue;
    Device *d = nullptr, *p = nullptr;
    HIP_TRY(device_at(device, &d));
    HIP_TRY(device_at(peer, &p));
    if (device == peer)
      return hipErrorInvalidDevice;
    switch (what) {
    case hipDevP2PAttrPerformanceRank:
    case hipDevP2PAttrHipArrayAccessSupported:
      *value = 0;
      return hipSuccess;
    case hipDevP2PAttrAccessSupported:
    case hipDevP2PAttrNativeAtomicSupported:
      return hipDeviceCanAccessPeer(value, device, peer);
    default:
      return hipErrorInvalidValue;
    }
  });
}
hipError_t hipExtGetLinkTypeAndHopCount(int device, int peer, uint32_t* type, uint32_t* hops) {
  return api([&] {
    if (!type || !hops)
      return hipErrorInvalidValue;
    Device *d = nullptr, *p = nullptr;
    HIP_TRY(device_at(device, &d));
    HIP_TRY(device_at(peer, &p));
    if (device == peer)
      return hipErrorInvalidValue;
    uint32_t n = 0;
    hsa().hsa_amd_agent_memory_pool_get_info(d->agent(), p->device_pool(),
                                             HSA_AMD_AGENT_MEMORY_POOL_INFO_NUM_LINK_HOPS, &n);
    std::vector<hsa_amd_memory_pool_link_info_t> links(std::max(1u, n));
    *hops = n;
    *type = HSA_AMD_LINK_INFO_TYPE_XGMI;
    if (n && hsa().hsa_amd_agent_memory_pool_get_info(d->agent(), p->device_pool(),
                                                      HSA_AMD_AGENT_MEMORY_POOL_INFO_LINK_INFO,
                                                      links.data()) == HSA_STATUS_SUCCESS)
      *type = links[0].link_type;
    return hipSuccess;
  });
}
hipError_t hipProfilerStart() {
  return hipErrorNotSupported;
}
hipError_t hipProfilerStop() {
  return hipErrorNotSupported;
}
}
