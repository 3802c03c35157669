// SPDX-License-Identifier: MIT
#include "hip/device.h"
#include "hip/hostcall.h"
#include "hip/memory.h"
#include "hip/runtime.h"
#include "hip/stream.h"
#include <cstring>

namespace pumice::hip {
namespace {

hsa_status_t visit_gpu_pool(hsa_amd_memory_pool_t pool, void* data) {
  auto* found = static_cast<hsa_amd_memory_pool_t*>(data);
  hsa_amd_segment_t segment;
  uint32_t flags = 0;
  bool allowed = false;
  auto get = [&](hsa_amd_memory_pool_info_t what, void* to) {
    return hsa().hsa_amd_memory_pool_get_info(pool, what, to) == HSA_STATUS_SUCCESS;
  };
  if (!get(HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment) || segment != HSA_AMD_SEGMENT_GLOBAL)
    return HSA_STATUS_SUCCESS;
  get(HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags);
  get(HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED, &allowed);
  if (allowed && (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED) && !found->handle)
    *found = pool;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t visit_isa(hsa_isa_t isa, void* data) {
  uint32_t length = 0;
  if (hsa().hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME_LENGTH, &length) != HSA_STATUS_SUCCESS)
    return HSA_STATUS_SUCCESS;
  std::string name(length, 0);
  if (hsa().hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME, name.data()) != HSA_STATUS_SUCCESS)
    return HSA_STATUS_SUCCESS;
  name.resize(std::strlen(name.c_str()));
  auto id = codeobj::parse_target_id(name);
  // The first one is the agent's own; generic ones follow.
  auto* out = static_cast<codeobj::TargetId*>(data);
  if (id && out->processor.empty())
    *out = *id;
  return HSA_STATUS_SUCCESS;
}

} // namespace

Device::Device(int ordinal, hsa_agent_t agent) : ordinal_(ordinal), agent_(agent) {
  hsa().hsa_amd_agent_iterate_memory_pools(agent_, visit_gpu_pool, &device_pool_);
  hsa().hsa_agent_iterate_isas(agent_, visit_isa, &target_);
  read_properties();
}

hsa_amd_memory_pool_t Device::kernarg_pool() const {
  return Runtime::get().kernarg;
}

void Device::read_properties() {
  hipDeviceProp_t& p = properties_;
  auto info = [&](int what, void* to) {
    return hsa().hsa_agent_get_info(agent_, static_cast<hsa_agent_info_t>(what), to) ==
           HSA_STATUS_SUCCESS;
  };
  char name[64] = {}, product[64] = {};
  info(HSA_AGENT_INFO_NAME, name);
  info(HSA_AMD_AGENT_INFO_PRODUCT_NAME, product);
  std::strncpy(p.name, product[0] ? product : name, sizeof p.name - 1);
  if (target_.processor.empty())
    target_.processor = name;
  std::strncpy(p.gcnArchName, target_.short_name().c_str(), sizeof p.gcnArchName - 1);

  uint32_t units = 0, clock = 0, memory_clock = 0, width = 0, bdf = 0, domain = 0, revision = 0,
           chip = 0;
  info(HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT, &units);
  info(HSA_AMD_AGENT_INFO_MAX_CLOCK_FREQUENCY, &clock);
  info(HSA_AMD_AGENT_INFO_MEMORY_MAX_FREQUENCY, &memory_clock);
  info(HSA_AMD_AGENT_INFO_MEMORY_WIDTH, &width);
  info(HSA_AMD_AGENT_INFO_BDFID, &bdf);
  info(HSA_AMD_AGENT_INFO_DOMAIN, &domain);
  info(HSA_AMD_AGENT_INFO_ASIC_REVISION, &revision);
  info(HSA_AMD_AGENT_INFO_CHIP_ID, &chip);
  uint64_t ticks = 0;
  if (info(HSA_AMD_AGENT_INFO_TIMESTAMP_FREQUENCY, &ticks) && ticks)
    wall_clock_hz_ = ticks;
  char uuid[24] = {};
  if (info(HSA_AMD_AGENT_INFO_UUID, uuid))
    std::memcpy(p.uuid.bytes, std::strncmp(uuid, "GPU-", 4) ? uuid : uuid + 4, 16);
  uint32_t caches[4] = {};
  info(HSA_AGENT_INFO_CACHE_SIZE, caches);

  size_t memory = 0;
  if (device_pool_.handle)
    hsa().hsa_amd_memory_pool_get_info(device_pool_, HSA_AMD_MEMORY_POOL_INFO_SIZE, &memory);
  p.totalGlobalMem = memory;
  p.sharedMemPerBlock = 65536;
  p.regsPerBlock = 65536;
  p.warpSize = 64;
  p.memPitch = 2147483647;
  p.maxThreadsPerBlock = 1024;
  p.maxThreadsDim[0] = p.maxThreadsDim[1] = p.maxThreadsDim[2] = 1024;
  p.maxGridSize[0] = 2147483647;
  p.maxGridSize[1] = p.maxGridSize[2] = 65536;
  p.clockRate = static_cast<int>(clock * 1000);
  p.memoryClockRate = static_cast<int>(memory_clock * 1000);
  p.memoryBusWidth = static_cast<int>(width);
  p.totalConstMem = 2147483647;
  p.major = 9;
  p.minor = target_.processor == "gfx90a" ? 0 : 4;
  p.textureAlignment = 256;
  p.texturePitchAlignment = 256;
  p.surfaceAlignment = 0;
  p.deviceOverlap = 1;
  p.multiProcessorCount = static_cast<int>(units);
  p.canMapHostMemory = 1;
  p.computeMode = hipComputeModeDefault;
  p.concurrentKernels = 1;
  p.pciBusID = static_cast<int>((bdf >> 8) & 0xff);
  p.pciDeviceID = static_cast<int>((bdf >> 3) & 0x1f);
  p.pciDomainID = static_cast<int>(domain);
  p.asyncEngineCount = 1;
  p.unifiedAddressing = 1;
  p.l2CacheSize = static_cast<int>(caches[1]);
  p.maxThreadsPerMultiProcessor = 2048;
  p.streamPrioritiesSupported = 1;
  p.globalL1CacheSupported = p.localL1CacheSupported = 1;
  p.sharedMemPerMultiprocessor = 65536;
  p.regsPerMultiprocessor = 65536;
  p.managedMemory = 1;
  p.hostNativeAtomicSupported = 1;
  p.singleToDoublePrecisionPerfRatio = target_.processor == "gfx90a" ? 1 : 2;
  p.pageableMemoryAccess = hsa().soft ? 1 : 0;
  p.concurrentManagedAccess = 1;
  p.canUseHostPointerForRegisteredMem = 1;
  p.cooperativeLaunch = 1;
  p.cooperativeMultiDeviceLaunch = 0;
  p.sharedMemPerBlockOptin = 65536;
  p.pageableMemoryAccessUsesHostPageTables = hsa().soft ? 1 : 0;
  p.directManagedMemAccessFromHost = 1;
  p.maxBlocksPerMultiProcessor = 32;
  p.hostRegisterSupported = 1;
  p.memoryPoolsSupported = 1;
  p.ipcEventSupported = 0;
  p.unifiedFunctionPointers = 1;
  p.maxSharedMemoryPerMultiProcessor = 65536;
  p.clockInstructionRate = static_cast<int>(wall_clock_hz_ / 1000);
  p.isLargeBar = 1;
  p.asicRevision = static_cast<int>(revision);
  p.arch.hasGlobalInt32Atomics = p.arch.hasGlobalFloatAtomicExch = p.arch.hasSharedInt32Atomics = 1;
  p.arch.hasSharedFloatAtomicExch = p.arch.hasFloatAtomicAdd = p.arch.hasGlobalInt64Atomics = 1;
  p.arch.hasSharedInt64Atomics = p.arch.hasDoubles = p.arch.hasWarpVote = p.arch.hasWarpBallot = 1;
  p.arch.hasWarpShuffle = p.arch.hasThreadFenceSystem = p.arch.has3dGrid = 1;
}

Stream& Device::null_stream() {
  std::call_once(null_once_, [this] {
    auto* s = new Stream(*this, hipStreamDefault, 0, true);
    std::lock_guard lock(submission);
    null_stream_ = s;
  });
  return *null_stream_;
}

Queue* Device::queue_for_stream(int priority) {
  if (queues_.size() < kMaxQueues) {
    if (Queue* q = Queue::create(*this, false, priority)) {
      queues_.emplace_back(q);
      return q;
    }
    if (queues_.empty())
      return nullptr;
  }
  return queues_[next_queue_++ % queues_.size()].get();
}

Queue* Device::cooperative_queue() {
  if (!cooperative_) {
    cooperative_.reset(Queue::create(*this, true, 0));
    if (!cooperative_)
      return queues_.empty() ? queue_for_stream(0) : queues_[0].get();
  }
  return cooperative_.get();
}

void Device::track(CompletionRef completion, std::vector<CompletionRef> dependencies) {
  if (tracked_.size() >= 32) std::erase_if(tracked_, [](const auto& t) { return t.first->done(); });
  tracked_.emplace_back(std::move(completion), std::move(dependencies));
}

hipError_t Device::synchronize() {
  std::vector<CompletionRef> pending;
  {
    std::lock_guard lock(submission);
    auto add = [&](Stream* s) {
      if (s && s->last_ && !s->last_->done())
        pending.push_back(s->last_);
    };
    add(null_stream_);
    for (Stream* s : streams)
      add(s);
  }
  for (const CompletionRef& c : pending)
    c->wait();
  if (hostcall_)
    hostcall_->serve(); // text of kernels that just ended
  collect_freed(false);
  return sticky_error();
}

void Device::set_sticky(hipError_t e) {
  int none = hipSuccess;
  sticky_.compare_exchange_strong(none, e);
}

void Device::queue_failed(Queue& queue, hsa_status_t status) {
  hipError_t e = hipErrorLaunchFailure;
  switch (static_cast<int>(status)) {
  case HSA_STATUS_ERROR_MEMORY_FAULT:
  case HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION:
  case HSA_STATUS_ERROR_INVALID_ALLOCATION:
    e = hipErrorIllegalAddress;
    break;
  case HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION:
  case HSA_STATUS_ERROR_INVALID_ISA:
    e = hipErrorLaunchFailure;
    break;
  case HSA_STATUS_ERROR_FATAL:
    if (hsa().soft) // ours says so for an uncorrectable memory error only
      e = hipErrorECCNotCorrectable;
    break;
  case HSA_STATUS_ERROR_OUT_OF_RESOURCES:
  case HSA_STATUS_ERROR_OUT_OF_REGISTERS:
    e = hipErrorLaunchOutOfResources;
    break;
  default:
    break;
  }
  if (hostcall_)
    hostcall_->serve();
  if (assert_reported.exchange(false))
    e = hipErrorAssert;
  if (!hsa().soft)
    log_hsa_error("a kernel failed", status); // ours prints its own report
  set_sticky(e);
  if (hsa().soft) return; // our library completes the rest of the queue itself
  // Called on an HSA thread while a submitter may wait for this queue with the mutex held, so another thread does it.
  std::thread([this, failed = &queue] {
    std::lock_guard lock(submission);
    // After a reset the queue is gone, and the new ones are none of this fault's business.
    bool present = cooperative_.get() == failed;
    for (auto& q : queues_) present |= q.get() == failed;
    if (!present || !failed->failed()) return;
    for (auto& q : queues_) q->abandon();
    if (cooperative_) cooperative_->abandon();
  }).detach();
}

void Device::reset() {
  (void)synchronize();
  std::lock_guard lock(submission);
  if (null_stream_)
    null_stream_->drop_state();
  for (Stream* s : streams)
    s->drop_state();
  queues_.clear();
  cooperative_.reset();
  next_queue_ = 0;
  sticky_.store(hipSuccess);
}

Hostcall* Device::hostcall() {
  std::call_once(hostcall_once_, [this] { hostcall_ = Hostcall::start(*this); });
  return hostcall_;
}

void* Device::device_heap() {
  std::call_once(heap_once_, [this] {
    // Bookkeeping of the device library's allocator, all zero at first; slabs come through
    // hostcall.
    constexpr size_t kBytes = 256 << 10;
    void* p = nullptr;
    if (hsa().hsa_amd_memory_pool_allocate(device_pool_, kBytes, 0, &p) != HSA_STATUS_SUCCESS)
      return;
    hsa().hsa_amd_memory_fill(p, 0, kBytes / 4);
    heap_ = p;
  });
  return heap_;
}

void Device::free_later(void* p, CompletionRef when) {
  std::lock_guard lock(freed_mutex_);
  freed_.emplace_back(p, std::move(when));
}

void Device::collect_freed(bool wait) {
  std::vector<std::pair<void*, CompletionRef>> ready;
  {
    std::lock_guard lock(freed_mutex_);
    for (size_t i = 0; i < freed_.size();) {
      if (wait || !freed_[i].second || freed_[i].second->done()) {
        ready.push_back(std::move(freed_[i]));
        freed_[i] = std::move(freed_.back());
        freed_.pop_back();
      } else
        ++i;
    }
  }
  for (auto& [p, when] : ready) {
    if (when)
      when->wait();
    (void)release_memory(p);
  }
}

} // namespace pumice::hip
