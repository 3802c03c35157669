// SPDX-License-Identifier: MIT
#include "hip/runtime.h"
#include "base/options.h"
#include "hip/stream.h"
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <pthread.h>

namespace pumice::hip {
namespace {

bool log_enabled() {
  return options::text(options::Id::log) != "off";
}

struct PoolSearch {
  hsa_amd_memory_pool_t fine{0}, coarse{0}, kernarg{0};
};

hsa_status_t visit_cpu_pool(hsa_amd_memory_pool_t pool, void* data) {
  auto* found = static_cast<PoolSearch*>(data);
  hsa_amd_segment_t segment;
  if (hsa().hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment) !=
          HSA_STATUS_SUCCESS ||
      segment != HSA_AMD_SEGMENT_GLOBAL)
    return HSA_STATUS_SUCCESS;
  uint32_t flags = 0;
  hsa().hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags);
  if ((flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT) && !found->kernarg.handle)
    found->kernarg = pool;
  if ((flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED) && !found->fine.handle)
    found->fine = pool;
  if ((flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED) && !found->coarse.handle)
    found->coarse = pool;
  return HSA_STATUS_SUCCESS;
}

struct AgentSearch {
  std::vector<hsa_agent_t> gpus;
  hsa_agent_t cpu{0};
};

hsa_status_t visit_agent(hsa_agent_t agent, void* data) {
  auto* found = static_cast<AgentSearch*>(data);
  hsa_device_type_t type;
  hsa_status_t s = hsa().hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type);
  if (s != HSA_STATUS_SUCCESS)
    return s;
  if (type == HSA_DEVICE_TYPE_GPU)
    found->gpus.push_back(agent);
  if (type == HSA_DEVICE_TYPE_CPU && !found->cpu.handle)
    found->cpu = agent;
  return HSA_STATUS_SUCCESS;
}

// HIP_VISIBLE_DEVICES, then CUDA_VISIBLE_DEVICES: ordinals to keep, in that order; the list ends at
// the first bad one.
std::vector<hsa_agent_t> visible(const std::vector<hsa_agent_t>& all) {
  const char* list = std::getenv("HIP_VISIBLE_DEVICES");
  if (!list)
    list = std::getenv("CUDA_VISIBLE_DEVICES");
  if (!list)
    return all;
  std::vector<hsa_agent_t> kept;
  for (const char* p = list; *p;) {
    char* end = nullptr;
    long i = std::strtol(p, &end, 10);
    if (end == p || i < 0 || static_cast<size_t>(i) >= all.size())
      break;
    kept.push_back(all[static_cast<size_t>(i)]);
    p = end;
    while (*p == ',' || *p == ' ')
      ++p;
  }
  return kept;
}

} // namespace

void log_warning(const std::string& message) {
  if (log_enabled())
    std::fprintf(stderr, "pumice: hip: %s\n", message.c_str());
}

void log_hsa_error(const char* doing, hsa_status_t status) {
  const char* text = nullptr;
  hsa().hsa_status_string(status, &text);
  log_warning(std::string(doing) + ": " + (text ? text : "unknown HSA status"));
}

Runtime& Runtime::get() {
  static Runtime* r = new Runtime; // never destroyed: programs call HIP from static destructors
  return *r;
}

hipError_t Runtime::ensure() {
  constexpr int kForked = 1 << 20; // no hipError_t
  static std::once_flag once;
  static std::atomic<int> result{-1};
  int known = result.load(std::memory_order_acquire);
  if (known == hipSuccess) [[likely]]
    return hipSuccess;
  if (known == kForked) {
    static std::atomic_flag told; // at the first call that is refused: most children only call exec
    if (!told.test_and_set())
      std::fprintf(stderr, "pumice: HIP was in use (or a __managed__ variable existed) when this process was forked: the child has no "
                           "device. Fork before the first HIP call, or call exec in the child.\n");
    return hipErrorNotInitialized;
  }
  if (known > 0)
    return static_cast<hipError_t>(known);
  std::call_once(once, [] {
    result.store(get().init(), std::memory_order_release);
    // Threads, locks and queues of the parent do not exist in a child.
    pthread_atfork(nullptr, nullptr, [] {
      if (result.load(std::memory_order_relaxed) == hipSuccess)
        result.store(kForked, std::memory_order_relaxed);
    });
  });
  return static_cast<hipError_t>(result.load(std::memory_order_acquire));
}

hipError_t Runtime::init() {
  auto api = load_hsa();
  if (!api) {
    log_warning(api.status().message);
    return hipErrorNoDevice;
  }
  if (hsa_status_t s = hsa().hsa_init(); s != HSA_STATUS_SUCCESS) {
    log_hsa_error("initialising the HSA library", s);
    return hipErrorNoDevice;
  }
  AgentSearch agents;
  hsa().hsa_iterate_agents(visit_agent, &agents);
  cpu_agent = agents.cpu;
  PoolSearch pools;
  if (cpu_agent.handle)
    hsa().hsa_amd_agent_iterate_memory_pools(cpu_agent, visit_cpu_pool, &pools);
  host_fine = pools.fine.handle ? pools.fine : pools.coarse;
  host_coarse = pools.coarse.handle ? pools.coarse : host_fine;
  kernarg = pools.kernarg.handle ? pools.kernarg : host_fine;
  hsa().hsa_amd_profiling_async_copy_enable(true);
  int ordinal = 0;
  for (hsa_agent_t gpu : visible(agents.gpus))
    devices.push_back(std::make_unique<Device>(ordinal++, gpu));
  if (devices.empty())
    return hipErrorNoDevice;
  if (!host_fine.handle) {
    log_warning("the HSA library offers no host memory pool");
    return hipErrorInitializationError;
  }
  return hipSuccess;
}

Thread& this_thread() {
  thread_local Thread t;
  return t;
}

Thread::~Thread() {
  for (auto& [device, stream] : per_thread_streams)
    destroy_stream(stream);
}

hipError_t from_hsa(hsa_status_t status) {
  switch (static_cast<int>(status)) {
  case HSA_STATUS_SUCCESS:
    return hipSuccess;
  case HSA_STATUS_ERROR_OUT_OF_RESOURCES:
    return hipErrorOutOfMemory;
  case HSA_STATUS_ERROR_INVALID_ARGUMENT:
  case HSA_STATUS_ERROR_INVALID_ALLOCATION:
    return hipErrorInvalidValue;
  case HSA_STATUS_ERROR_INVALID_AGENT:
    return hipErrorInvalidDevice;
  case HSA_STATUS_ERROR_INVALID_CODE_OBJECT:
  case HSA_STATUS_ERROR_INVALID_EXECUTABLE:
    return hipErrorInvalidImage;
  case HSA_STATUS_ERROR_INVALID_SYMBOL_NAME:
  case HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL:
    return hipErrorInvalidSymbol;
  case HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS:
    return hipErrorNoBinaryForGpu;
  default:
    return hipErrorUnknown;
  }
}

hipError_t from_status(const Status& status) {
  switch (status.code) {
  case Code::ok:
    return hipSuccess;
  case Code::invalid_argument:
    return hipErrorInvalidValue;
  case Code::invalid_code_object:
    return hipErrorInvalidImage;
  case Code::incompatible:
    return hipErrorNoBinaryForGpu;
  case Code::not_found:
    return hipErrorNotFound;
  case Code::out_of_memory:
    return hipErrorOutOfMemory;
  case Code::unimplemented:
    return hipErrorNotSupported;
  case Code::fault:
    return hipErrorLaunchFailure;
  case Code::system:
    return hipErrorOperatingSystem;
  case Code::internal:
    return hipErrorUnknown;
  }
  return hipErrorUnknown;
}

} // namespace pumice::hip
