// SPDX-License-Identifier: MIT
// Kernel launches by host function or module function, function attributes, occupancy.
#include "hip/device.h"
#include "hip/event.h"
#include "hip/graph.h"
#include "hip/module.h"
#include "hip/ops.h"
#include "hip/runtime.h"
#include <algorithm>

using namespace pumice::hip;

namespace {

LaunchParams shape(Kernel* kernel, dim3 grid, dim3 block, size_t lds, void** args) {
  LaunchParams p;
  p.kernel = kernel;
  p.blocks[0] = grid.x;
  p.blocks[1] = grid.y;
  p.blocks[2] = grid.z;
  p.threads[0] = block.x;
  p.threads[1] = block.y;
  p.threads[2] = block.z;
  p.dynamic_lds = static_cast<uint32_t>(std::min<size_t>(lds, UINT32_MAX));
  p.args = args;
  return p;
}

struct TimedEvents {
  hipEvent_t start = nullptr, stop = nullptr;
};

hipError_t launch(Stream& s, LaunchParams& p, TimedEvents events = {}) {
  Event *start = nullptr, *stop = nullptr;
  if (events.start && !(start = resolve_event(events.start)))
    return hipErrorInvalidHandle;
  if (events.stop && !(stop = resolve_event(events.stop)))
    return hipErrorInvalidHandle;
  CompletionRef completion;
  if (start || stop)
    p.completion = &completion;
  HIP_TRY(submit_launch(s, p));
  if (start)
    start->set(completion, true);
  if (stop)
    stop->set(completion, false);
  return hipSuccess;
}

hipError_t launch_function(const void* function, dim3 grid, dim3 block, void** args, size_t lds,
                           hipStream_t stream, bool cooperative, TimedEvents events = {}) {
  if (!function)
    return hipErrorInvalidDeviceFunction;
  Stream* s = resolve_stream(stream);
  if (!s)
    return hipErrorInvalidHandle;
  HIP_CHECK_STICKY(s->device());
  Kernel* kernel = nullptr;
  HIP_TRY(find_kernel(function, s->device(), &kernel));
  if (!args && kernel->explicit_count())
    return hipErrorInvalidValue;
  LaunchParams p = shape(kernel, grid, block, lds, args);
  p.cooperative = cooperative;
  return launch(*s, p, events);
}

// Module launches pass arguments one by one or as a block announced in `extra`.
hipError_t module_arguments(LaunchParams& p, void** params, void** extra) {
  if (params && extra)
    return hipErrorInvalidValue;
  if (params) {
    p.args = params;
    return hipSuccess;
  }
  if (!extra)
    return p.kernel->explicit_count() ? hipErrorInvalidValue : hipSuccess;
  size_t size = 0;
  for (void** e = extra; *e != HIP_LAUNCH_PARAM_END; e += 2) {
    if (*e == HIP_LAUNCH_PARAM_BUFFER_POINTER)
      p.packed = e[1];
    else if (*e == HIP_LAUNCH_PARAM_BUFFER_SIZE)
      size = *static_cast<size_t*>(e[1]);
    else
      return hipErrorInvalidValue;
  }
  if (!p.packed || size < p.kernel->explicit_bytes())
    return hipErrorInvalidValue;
  p.packed_bytes = p.kernel->explicit_bytes();
  return hipSuccess;
}

hipError_t launch_module(hipFunction_t f, dim3 grid, dim3 block, size_t lds, hipStream_t stream,
                         void** params, void** extra, bool cooperative,
                         const uint32_t* items = nullptr, TimedEvents events = {}) {
  auto* kernel = reinterpret_cast<Kernel*>(f);
  if (!kernel)
    return hipErrorInvalidHandle;
  Stream* s = resolve_stream(stream);
  if (!s)
    return hipErrorInvalidHandle;
  HIP_CHECK_STICKY(s->device());
  if (&kernel->device() != &s->device())
    return hipErrorInvalidHandle;
  LaunchParams p = shape(kernel, grid, block, lds, nullptr);
  if (items)
    std::copy(items, items + 3, p.work_items);
  p.cooperative = cooperative;
  HIP_TRY(module_arguments(p, params, extra));
  return launch(*s, p, events);
}

hipError_t launch_items(hipFunction_t f, const uint32_t (&items)[3], const uint32_t (&block)[3],
                        size_t lds, hipStream_t stream, void** params, void** extra,
                        TimedEvents events) {
  dim3 blocks;
  uint32_t* b = &blocks.x;
  for (int i = 0; i < 3; ++i) {
    if (block[i] == 0 || items[i] == 0)
      return hipErrorInvalidConfiguration;
    b[i] = (items[i] + block[i] - 1) / block[i];
  }
  return launch_module(f, blocks, dim3(block[0], block[1], block[2]), lds, stream, params, extra,
                       false, items, events);
}

void attributes_of(const Kernel& k, hipFuncAttributes* a) {
  *a = {};
  a->binaryVersion = k.device().properties().major * 10 + k.device().properties().minor;
  a->ptxVersion = a->binaryVersion;
  a->localSizeBytes = k.private_bytes();
  a->sharedSizeBytes = k.group_bytes();
  a->maxDynamicSharedSizeBytes =
      static_cast<int>(k.device().properties().sharedMemPerBlock - k.group_bytes());
  a->maxThreadsPerBlock = static_cast<int>(k.max_threads());
  a->numRegs = static_cast<int>(k.metadata().vgpr_count);
}

// Accepts host functions; module functions are found by address among them too, as in ROCm.
hipError_t kernel_of(const void* f, Kernel** out) {
  if (!f)
    return hipErrorInvalidDeviceFunction;
  return find_kernel(f, current_device(), out);
}

hipError_t best_block(int* grid, int* block, const Kernel& k, size_t lds, int limit) {
  if (!grid || !block)
    return hipErrorInvalidValue;
  unsigned most = k.max_threads();
  if (limit > 0)
    most = std::min(most, static_cast<unsigned>(limit));
  unsigned best = 0;
  *grid = *block = 0;
  for (unsigned threads = (most + 63) / 64 * 64; threads > 0; threads -= 64) {
    unsigned t = std::min(threads, most);
    unsigned blocks = k.max_blocks_per_unit(t, lds);
    if (blocks * t > best) {
      best = blocks * t;
      *block = static_cast<int>(t);
      *grid = static_cast<int>(blocks) * k.device().properties().multiProcessorCount;
    }
  }
  return hipSuccess;
}

hipError_t active_blocks(int* blocks, const Kernel& k, int threads, size_t lds) {
  if (!blocks || threads <= 0)
    return hipErrorInvalidValue;
  *blocks = static_cast<int>(k.max_blocks_per_unit(static_cast<unsigned>(threads), lds));
  return hipSuccess;
}

} // namespace

extern "C" {

hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, size_t lds, hipStream_t stream) {
  this_thread().configurations.push_back({grid, block, lds, stream});
  return hipSuccess;
}
hipError_t __hipPopCallConfiguration(dim3* grid, dim3* block, size_t* lds, hipStream_t* stream) {
  auto& stack = this_thread().configurations;
  if (stack.empty())
    return hipErrorMissingConfiguration;
  *grid = stack.back().grid;
  *block = stack.back().block;
  *lds = stack.back().dynamic_lds;
  *stream = stack.back().stream;
  stack.pop_back();
  return hipSuccess;
}
hipError_t hipConfigureCall(dim3 grid, dim3 block, size_t lds, hipStream_t stream) {
  return __hipPushCallConfiguration(grid, block, lds, stream);
}

hipError_t hipLaunchKernel(const void* function, dim3 grid, dim3 block, void** args, size_t lds,
                           hipStream_t stream) {
  return api([&] { return launch_function(function, grid, block, args, lds, stream, false); });
}
hipError_t hipLaunchKernel_spt(const void* function, dim3 grid, dim3 block, void** args, size_t lds,
                               hipStream_t stream) {
  return api([&] {
    return launch_function(function, grid, block, args, lds, stream ? stream : hipStreamPerThread,
                           false);
  });
}
hipError_t hipExtLaunchKernel(const void* function, dim3 grid, dim3 block, void** args, size_t lds,
                              hipStream_t stream, hipEvent_t start, hipEvent_t stop, int) {
  return api([&] {
    return launch_function(function, grid, block, args, lds, stream, false, {start, stop});
  });
}
hipError_t hipLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** args,
                                      unsigned int lds, hipStream_t stream) {
  return api([&] { return launch_function(function, grid, block, args, lds, stream, true); });
}
hipError_t hipLaunchCooperativeKernel_spt(const void* function, dim3 grid, dim3 block, void** args,
                                          uint32_t lds, hipStream_t stream) {
  return api([&] {
    return launch_function(function, grid, block, args, lds, stream ? stream : hipStreamPerThread,
                           true);
  });
}

hipError_t hipModuleLaunchKernel(hipFunction_t f, unsigned int gx, unsigned int gy, unsigned int gz,
                                 unsigned int bx, unsigned int by, unsigned int bz,
                                 unsigned int lds, hipStream_t stream, void** params,
                                 void** extra) {
  return api([&] {
    return launch_module(f, dim3(gx, gy, gz), dim3(bx, by, bz), lds, stream, params, extra, false);
  });
}
hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t f, unsigned int gx, unsigned int gy,
                                            unsigned int gz, unsigned int bx, unsigned int by,
                                            unsigned int bz, unsigned int lds, hipStream_t stream,
                                            void** params) {
  return api([&] {
    return launch_module(f, dim3(gx, gy, gz), dim3(bx, by, bz), lds, stream, params, nullptr, true);
  });
}
HIP_PUBLIC_API hipError_t hipExtModuleLaunchKernel(hipFunction_t f, uint32_t gx, uint32_t gy,
                                                   uint32_t gz, uint32_t bx, uint32_t by,
                                                   uint32_t bz, size_t lds, hipStream_t stream,
                                                   void** params, void** extra, hipEvent_t start,
                                                   hipEvent_t stop, uint32_t) {
  return api([&] {
    return launch_items(f, {gx, gy, gz}, {bx, by, bz}, lds, stream, params, extra, {start, stop});
  });
}
HIP_PUBLIC_API hipError_t hipHccModuleLaunchKernel(hipFunction_t f, uint32_t gx, uint32_t gy,
                                                   uint32_t gz, uint32_t bx, uint32_t by,
                                                   uint32_t bz, size_t lds, hipStream_t stream,
                                                   void** params, void** extra, hipEvent_t start,
                                                   hipEvent_t stop) {
  return api([&] {
    return launch_items(f, {gx, gy, gz}, {bx, by, bz}, lds, stream, params, extra, {start, stop});
  });
}

hipError_t hipModuleLoad(hipModule_t* module, const char* path) {
  return api([&] {
    if (!module || !path || !*path)
      return hipErrorInvalidValue;
    FILE* f = std::fopen(path, "rb");
    if (!f)
      return hipErrorFileNotFound;
    std::vector<uint8_t> bytes;
    uint8_t chunk[65536];
    for (size_t n; (n = std::fread(chunk, 1, sizeof chunk, f)) > 0;)
      bytes.insert(bytes.end(), chunk, chunk + n);
    std::fclose(f);
    if (bytes.empty())
      return hipErrorInvalidImage;
    Module* m = nullptr;
    HIP_TRY(load_module(current_device(), bytes.data(), bytes.size(), &m));
    *module = reinterpret_cast<hipModule_t>(m);
    return hipSuccess;
  });
}
hipError_t hipModuleLoadData(hipModule_t* module, const void* image) {
  return api([&] {
    if (!module || !image)
      return hipErrorInvalidValue;
    Module* m = nullptr;
    HIP_TRY(load_module(current_device(), image, 0, &m));
    *module = reinterpret_cast<hipModule_t>(m);
    return hipSuccess;
  });
}
hipError_t hipModuleLoadDataEx(hipModule_t* module, const void* image, unsigned int, hipJitOption*,
                               void**) {
  return hipModuleLoadData(module, image); // the options are for code that is compiled at load time
}
hipError_t hipModuleUnload(hipModule_t module) {
  return api([&] {
    auto* m = reinterpret_cast<Module*>(module);
    if (!valid_module(m))
      return hipErrorInvalidResourceHandle;
    (void)m->device->synchronize();
    unload_module(m);
    return hipSuccess;
  });
}
hipError_t hipModuleGetFunction(hipFunction_t* function, hipModule_t module, const char* name) {
  return api([&] {
    auto* m = reinterpret_cast<Module*>(module);
    if (!function || !name || !*name)
      return hipErrorInvalidValue;
    if (!valid_module(m))
      return hipErrorInvalidResourceHandle;
    Kernel* k = m->image->kernel(name);
    if (!k)
      return hipErrorNotFound;
    *function = reinterpret_cast<hipFunction_t>(k);
    return hipSuccess;
  });
}
hipError_t hipModuleGetGlobal(hipDeviceptr_t* ptr, size_t* bytes, hipModule_t module,
                              const char* name) {
  return api([&] {
    auto* m = reinterpret_cast<Module*>(module);
    if ((!ptr && !bytes) || !name || !*name)
      return hipErrorInvalidValue;
    if (!valid_module(m))
      return hipErrorInvalidResourceHandle;
    DeviceVariable v;
    if (!m->image->variable(name, &v))
      return hipErrorNotFound;
    if (ptr)
      *ptr = v.address;
    if (bytes)
      *bytes = v.size;
    return hipSuccess;
  });
}

hipError_t hipGetFuncBySymbol(hipFunction_t* function, const void* symbol) {
  return api([&] {
    if (!function)
      return hipErrorInvalidValue;
    Kernel* k = nullptr;
    HIP_TRY(kernel_of(symbol, &k));
    *function = reinterpret_cast<hipFunction_t>(k);
    return hipSuccess;
  });
}
hipError_t hipFuncGetAttributes(struct hipFuncAttributes* attributes, const void* f) {
  return api([&] {
    if (!attributes)
      return hipErrorInvalidValue;
    Kernel* k = nullptr;
    HIP_TRY(kernel_of(f, &k));
    attributes_of(*k, attributes);
    return hipSuccess;
  });
}
hipError_t hipFuncGetAttribute(int* value, hipFunction_attribute what, hipFunction_t f) {
  return api([&] {
    auto* k = reinterpret_cast<Kernel*>(f);
    if (!value)
      return hipErrorInvalidValue;
    if (!k)
      return hipErrorInvalidDeviceFunction;
    hipFuncAttributes a;
    attributes_of(*k, &a);
    switch (what) {
    case HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = a.maxThreadsPerBlock;
      break;
    case HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      *value = static_cast<int>(a.sharedSizeBytes);
      break;
    case HIP_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      *value = static_cast<int>(a.constSizeBytes);
      break;
    case HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      *value = static_cast<int>(a.localSizeBytes);
      break;
    case HIP_FUNC_ATTRIBUTE_NUM_REGS:
      *value = a.numRegs;
      break;
    case HIP_FUNC_ATTRIBUTE_PTX_VERSION:
      *value = a.ptxVersion;
      break;
    case HIP_FUNC_ATTRIBUTE_BINARY_VERSION:
      *value = a.binaryVersion;
      break;
    case HIP_FUNC_ATTRIBUTE_CACHE_MODE_CA:
      *value = a.cacheModeCA;
      break;
    case HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value = a.maxDynamicSharedSizeBytes;
      break;
    case HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      *value = a.preferredShmemCarveout;
      break;
    default:
      return hipErrorInvalidValue;
    }
    return hipSuccess;
  });
}
hipError_t hipFuncSetAttribute(const void* f, hipFuncAttribute what, int value) {
  return api([&] {
    Kernel* k = nullptr;
    HIP_TRY(kernel_of(f, &k));
    if (what != hipFuncAttributeMaxDynamicSharedMemorySize &&
        what != hipFuncAttributePreferredSharedMemoryCarveout)
      return hipErrorInvalidValue;
    // All of the local memory may be dynamic without asking; only impossible sizes are refused.
    if (what == hipFuncAttributeMaxDynamicSharedMemorySize &&
        (value < 0 || static_cast<size_t>(value) + k->group_bytes() > 65536))
      return hipErrorInvalidValue;
    return hipSuccess;
  });
}
hipError_t hipFuncSetCacheConfig(const void*, hipFuncCache_t) {
  return api([] { return hipSuccess; });
}
hipError_t hipFuncSetSharedMemConfig(const void*, hipSharedMemConfig) {
  return api([] { return hipSuccess; });
}

const char* hipKernelNameRef(const hipFunction_t f) {
  return f ? reinterpret_cast<const Kernel*>(f)->name().c_str() : nullptr;
}
const char* hipKernelNameRefByPtr(const void* function, hipStream_t) {
  thread_local std::string name;
  name = function_name(function);
  return name.empty() ? nullptr : name.c_str();
}

hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* f, int threads,
                                                        size_t lds) {
  return api([&] {
    Kernel* k = nullptr;
    HIP_TRY(kernel_of(f, &k));
    return active_blocks(blocks, *k, threads, lds);
  });
}
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* f,
                                                                 int threads, size_t lds,
                                                                 unsigned int flags) {
  return api([&] {
    if (flags > hipOccupancyDisableCachingOverride)
      return hipErrorInvalidValue;
    Kernel* k = nullptr;
    HIP_TRY(kernel_of(f, &k));
    return active_blocks(blocks, *k, threads, lds);
  });
}
hipError_t hipOccupancyMaxPotentialBlockSize(int* grid, int* block, const void* f, size_t lds,
                                             int limit) {
  return api([&] {
    Kernel* k = nullptr;
    HIP_TRY(kernel_of(f, &k));
    return best_block(grid, block, *k, lds, limit);
  });
}
hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, hipFunction_t f,
                                                              int threads, size_t lds) {
  return api([&] {
    auto* k = reinterpret_cast<Kernel*>(f);
    return k ? active_blocks(blocks, *k, threads, lds) : hipErrorInvalidValue;
  });
}
hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, hipFunction_t f,
                                                                       int threads, size_t lds,
                                                                       unsigned int) {
  return hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(blocks, f, threads, lds);
}
hipError_t hipModuleOccupancyMaxPotentialBlockSize(int* grid, int* block, hipFunction_t f,
                                                   size_t lds, int limit) {
  return api([&] {
    auto* k = reinterpret_cast<Kernel*>(f);
    return k ? best_block(grid, block, *k, lds, limit) : hipErrorInvalidValue;
  });
}
hipError_t hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, hipFunction_t f,
                                                            size_t lds, int limit, unsigned int) {
  return hipModuleOccupancyMaxPotentialBlockSize(grid, block, f, lds, limit);
}
}
