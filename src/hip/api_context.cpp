// SPDX-License-Identifier: MIT
// Contexts: HIP has one primary context per device; a hipCtx_t names a device.
#include "hip/runtime.h"

using namespace pumice::hip;

namespace {
hipCtx_t handle_of(int device) {
  return reinterpret_cast<hipCtx_t>(static_cast<uintptr_t>(device) + 1);
}
int device_of(hipCtx_t ctx) {
  return static_cast<int>(reinterpret_cast<uintptr_t>(ctx)) - 1;
}
} // namespace

extern "C" {
hipError_t hipCtxCreate(hipCtx_t* ctx, unsigned int flags, hipDevice_t device) {
  return api([&] {
    (void)flags;
    if (!ctx)
      return hipErrorInvalidValue;
    if (!Runtime::get().valid(device))
      return hipErrorInvalidDevice;
    Thread& t = this_thread();
    t.context_stack.push_back(t.device);
    t.device = device;
    *ctx = handle_of(device);
    return hipSuccess;
  });
}
hipError_t hipCtxDestroy(hipCtx_t ctx) {
  return api([&] {
    if (!ctx || !Runtime::get().valid(device_of(ctx)))
      return hipErrorInvalidValue;
    Thread& t = this_thread();
    if (!t.context_stack.empty() && t.device == device_of(ctx)) {
      t.device = t.context_stack.back();
      t.context_stack.pop_back();
    }
    return hipSuccess;
  });
}
hipError_t hipCtxPushCurrent(hipCtx_t ctx) {
  return api([&] {
    if (!ctx || !Runtime::get().valid(device_of(ctx)))
      return hipErrorInvalidContext;
    Thread& t = this_thread();
    t.context_stack.push_back(t.device);
    t.device = device_of(ctx);
    return hipSuccess;
  });
}
hipError_t hipCtxPopCurrent(hipCtx_t* ctx) {
  return api([&] {
    Thread& t = this_thread();
    if (ctx)
      *ctx = handle_of(t.device);
    if (t.context_stack.empty())
      return hipErrorInvalidContext;
    t.device = t.context_stack.back();
    t.context_stack.pop_back();
    return hipSuccess;
  });
}
hipError_t hipCtxSetCurrent(hipCtx_t ctx) {
  return api([&] {
    if (!ctx)
      return hipSuccess;
    if (!Runtime::get().valid(device_of(ctx)))
      return hipErrorInvalidContext;
    this_thread().device = device_of(ctx);
    return hipSuccess;
  });
}
hipError_t hipCtxGetCurrent(hipCtx_t* ctx) {
  return api([&] {
    if (!ctx)
      return hipErrorInvalidValue;
    *ctx = handle_of(this_thread().device);
    return hipSuccess;
  });
}
hipError_t hipCtxGetDevice(hipDevice_t* device) {
  return api([&] {
    if (!device)
      return hipErrorInvalidValue;
    *device = this_thread().device;
    return hipSuccess;
  });
}
hipError_t hipCtxGetApiVersion(hipCtx_t, int* version) {
  return api([&] {
    if (!version)
      return hipErrorInvalidValue;
    *version = 4;
    return hipSuccess;
  });
}
hipError_t hipCtxGetCacheConfig(hipFuncCache_t* config) {
  return hipDeviceGetCacheConfig(config);
}
hipError_t hipCtxSetCacheConfig(hipFuncCache_t config) {
  return hipDeviceSetCacheConfig(config);
}
hipError_t hipCtxSetSharedMemConfig(hipSharedMemConfig config) {
  return hipDeviceSetSharedMemConfig(config);
}
hipError_t hipCtxGetSharedMemConfig(hipSharedMemConfig* config) {
  return hipDeviceGetSharedMemConfig(config);
}
hipError_t hipCtxSynchronize(void) {
  return hipDeviceSynchronize();
}
hipError_t hipCtxGetFlags(unsigned int* flags) {
  return hipGetDeviceFlags(flags);
}
hipError_t hipCtxEnablePeerAccess(hipCtx_t peer, unsigned int flags) {
  return hipDeviceEnablePeerAccess(device_of(peer), flags);
}
hipError_t hipCtxDisablePeerAccess(hipCtx_t peer) {
  return hipDeviceDisablePeerAccess(device_of(peer));
}
hipError_t hipDevicePrimaryCtxGetState(hipDevice_t device, unsigned int* flags, int* active) {
  return api([&] {
    if (!flags || !active)
      return hipErrorInvalidValue;
    if (!Runtime::get().valid(device))
      return hipErrorInvalidDevice;
    *flags = 0;
    *active = this_thread().device == device;
    return hipSuccess;
  });
}
hipError_t hipDevicePrimaryCtxRetain(hipCtx_t* ctx, hipDevice_t device) {
  return api([&] {
    if (!ctx)
      return hipErrorInvalidValue;
    if (!Runtime::get().valid(device))
      return hipErrorInvalidDevice;
    *ctx = handle_of(device);
    return hipSuccess;
  });
}
hipError_t hipDevicePrimaryCtxRelease(hipDevice_t device) {
  return api([&] { return Runtime::get().valid(device) ? hipSuccess : hipErrorInvalidDevice; });
}
hipError_t hipDevicePrimaryCtxReset(hipDevice_t device) {
  return api([&] { return Runtime::get().valid(device) ? hipSuccess : hipErrorInvalidDevice; });
}
hipError_t hipDevicePrimaryCtxSetFlags(hipDevice_t device, unsigned int) {
  return api([&] {
    return Runtime::get().valid(device) ? hipErrorContextAlreadyInUse : hipErrorInvalidDevice;
  });
}
}
