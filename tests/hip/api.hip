// SPDX-License-Identifier: MIT
// Host-side API: properties, attributes, errors, contexts, occupancy, name lookup. Runs without an execution engine.
#include "check.h"
#include <cstring>

__global__ __launch_bounds__(256) void small(float* p) {
  __shared__ float s[512];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = s[255 - threadIdx.x];
}

int main() {
  int version = 0, count = 0, device = -1;
  HIP(hipInit(0));
  HIP(hipRuntimeGetVersion(&version));
  CHECK_EQ(version, HIP_VERSION);
  HIP(hipDriverGetVersion(&version));
  HIP(hipGetDeviceCount(&count));
  CHECK(count >= 1);
  HIP(hipGetDevice(&device));
  CHECK_EQ(device, 0);
  EXPECT_ERROR(hipSetDevice(count), hipErrorInvalidDevice);
  CHECK_EQ(hipPeekAtLastError(), hipErrorInvalidDevice);
  CHECK_EQ(hipGetLastError(), hipErrorInvalidDevice);
  CHECK_EQ(hipGetLastError(), hipSuccess);

  hipDeviceProp_t p;
  HIP(hipGetDeviceProperties(&p, 0));
  CHECK(!std::strncmp(p.gcnArchName, "gfx90a", 6) || !std::strncmp(p.gcnArchName, "gfx942", 6));
  CHECK(std::strlen(p.name) > 3);
  CHECK_EQ(p.warpSize, 64);
  CHECK_EQ(p.maxThreadsPerBlock, 1024);
  CHECK_EQ(p.sharedMemPerBlock, size_t(65536));
  CHECK(p.multiProcessorCount >= 104);
  CHECK(p.totalGlobalMem > (size_t(1) << 30));
  CHECK_EQ(p.major, 9);
  struct {
    hipDeviceAttribute_t which;
    int value;
  } const attributes[] = {
      {hipDeviceAttributeWarpSize, p.warpSize},
      {hipDeviceAttributeMultiprocessorCount, p.multiProcessorCount},
      {hipDeviceAttributeMaxThreadsPerBlock, 1024},
      {hipDeviceAttributeMaxSharedMemoryPerBlock, 65536},
      {hipDeviceAttributeClockRate, p.clockRate},
      {hipDeviceAttributeComputeCapabilityMajor, p.major},
      {hipDeviceAttributeComputeCapabilityMinor, p.minor},
      {hipDeviceAttributeMemoryBusWidth, p.memoryBusWidth},
      {hipDeviceAttributeL2CacheSize, p.l2CacheSize},
      {hipDeviceAttributeMaxBlockDimX, 1024},
      {hipDeviceAttributeManagedMemory, 1},
  };
  for (const auto& a : attributes) {
    int v = -1;
    HIP(hipDeviceGetAttribute(&v, a.which, 0));
    CHECK_EQ(v, a.value);
  }
  int v = 0;
  EXPECT_ERROR(hipDeviceGetAttribute(&v, hipDeviceAttribute_t(5000), 0), hipErrorInvalidValue);
  EXPECT_ERROR(hipDeviceGetAttribute(nullptr, hipDeviceAttributeWarpSize, 0), hipErrorInvalidValue);
  EXPECT_ERROR(hipGetDeviceProperties(&p, 99), hipErrorInvalidDevice);
  char name[64], bus[32];
  HIP(hipDeviceGetName(name, sizeof name, 0));
  CHECK(!std::strcmp(name, p.name));
  HIP(hipDeviceGetPCIBusId(bus, sizeof bus, 0));
  int found = -1;
  HIP(hipDeviceGetByPCIBusId(&found, bus));
  CHECK_EQ(found, 0);
  size_t total = 0;
  HIP(hipDeviceTotalMem(&total, 0));
  CHECK_EQ(total, p.totalGlobalMem);

  CHECK(!std::strcmp(hipGetErrorName(hipErrorOutOfMemory), "hipErrorOutOfMemory"));
  CHECK(!std::strcmp(hipGetErrorString(hipErrorInvalidValue), "invalid argument"));
  CHECK(!std::strcmp(hipGetErrorString(hipSuccess), "no error"));
  const char* text = nullptr;
  HIP(hipDrvGetErrorName(hipErrorNotFound, &text));
  CHECK(!std::strcmp(text, "hipErrorNotFound"));

  hipFuncAttributes fa;
  HIP(hipFuncGetAttributes(&fa, reinterpret_cast<const void*>(small)));
  CHECK_EQ(fa.maxThreadsPerBlock, 256);
  CHECK_EQ(fa.sharedSizeBytes, size_t(2048));
  CHECK(fa.numRegs > 0);
  int blocks = 0, grid = 0, block = 0;
  HIP(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, small, 256, 0));
  CHECK_EQ(blocks, 8); // 32 waves of 64 fill the unit before local memory does
  HIP(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, small, 256, 30000));
  CHECK_EQ(blocks, 2);
  HIP(hipOccupancyMaxPotentialBlockSize(&grid, &block, small, 0, 0));
  CHECK_EQ(block, 256);
  CHECK_EQ(grid, 8 * p.multiProcessorCount);
  EXPECT_ERROR(hipFuncGetAttributes(&fa, reinterpret_cast<const void*>(&main)), hipErrorInvalidDeviceFunction);

  hipCtx_t context;
  HIP(hipCtxGetCurrent(&context));
  HIP(hipCtxPushCurrent(context));
  HIP(hipCtxPopCurrent(&context));
  HIP(hipDevicePrimaryCtxRetain(&context, 0));
  size_t limit = 0;
  HIP(hipDeviceSetLimit(hipLimitMallocHeapSize, 32 << 20));
  HIP(hipDeviceGetLimit(&limit, hipLimitMallocHeapSize));
  CHECK_EQ(limit, size_t(32 << 20));
  EXPECT_ERROR(hipDeviceGetLimit(&limit, hipLimit_t(99)), hipErrorUnsupportedLimit);
  unsigned flags = 99;
  HIP(hipSetDeviceFlags(hipDeviceScheduleBlockingSync));
  HIP(hipGetDeviceFlags(&flags));
  CHECK_EQ(flags, unsigned(hipDeviceScheduleBlockingSync));

  void* address = nullptr;
  hipDriverProcAddressQueryResult result;
  HIP(hipGetProcAddress("hipMalloc", &address, 600, 0, &result));
  CHECK(address != nullptr);
  CHECK_EQ(result, HIP_GET_PROC_ADDRESS_SUCCESS);
  CHECK(hipGetProcAddress("hipNothing", &address, 600, 0, &result) != hipSuccess);
  CHECK_EQ(result, HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);

  // Textures answer as a device without image hardware does.
  hipArray_t array = nullptr;
  hipChannelFormatDesc desc = hipCreateChannelDesc<float>();
  CHECK_EQ(desc.x, 32);
  EXPECT_ERROR(hipMallocArray(&array, &desc, 16, 16), hipErrorNotSupported);

  if (count > 1) {
    int can = 0;
    HIP(hipDeviceCanAccessPeer(&can, 0, 1));
    CHECK_EQ(can, 1);
    HIP(hipDeviceEnablePeerAccess(1, 0));
    EXPECT_ERROR(hipDeviceEnablePeerAccess(1, 0), hipErrorPeerAccessAlreadyEnabled);
    int *a = nullptr, *b = nullptr, in[16], out[16] = {};
    for (int i = 0; i < 16; ++i) in[i] = i + 1;
    HIP(hipMalloc(&a, 64));
    HIP(hipSetDevice(1));
    HIP(hipMalloc(&b, 64));
    HIP(hipMemcpy(a, in, 64, hipMemcpyHostToDevice));
    HIP(hipMemcpyPeer(b, 1, a, 0, 64));
    HIP(hipMemcpy(out, b, 64, hipMemcpyDeviceToHost));
    CHECK(std::memcmp(in, out, 64) == 0);
    hipPointerAttribute_t pa;
    HIP(hipPointerGetAttributes(&pa, b));
    CHECK_EQ(pa.device, 1);
    HIP(hipSetDevice(0));
  }
  return finish();
}
