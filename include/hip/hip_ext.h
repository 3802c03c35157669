/* SPDX-License-Identifier: MIT */
/* Extensions of the AMD platform: launches with timing events and grids in work-items. */
#ifndef HIP_INCLUDE_HIP_HIP_EXT_H
#define HIP_INCLUDE_HIP_HIP_EXT_H
#include <hip/amd_detail/amd_user_macros_off.h>
#include <hip/hip_runtime.h>

#ifdef __cplusplus
extern "C" {
#endif
HIP_PUBLIC_API hipError_t hipExtModuleLaunchKernel(
    hipFunction_t f, uint32_t globalWorkSizeX, uint32_t globalWorkSizeY, uint32_t globalWorkSizeZ,
    uint32_t localWorkSizeX, uint32_t localWorkSizeY, uint32_t localWorkSizeZ,
    size_t sharedMemBytes, hipStream_t hStream, void** kernelParams, void** extra,
    hipEvent_t startEvent __dparm(0), hipEvent_t stopEvent __dparm(0), uint32_t flags __dparm(0));
HIP_PUBLIC_API hipError_t hipHccModuleLaunchKernel(
    hipFunction_t f, uint32_t globalWorkSizeX, uint32_t globalWorkSizeY, uint32_t globalWorkSizeZ,
    uint32_t localWorkSizeX, uint32_t localWorkSizeY, uint32_t localWorkSizeZ,
    size_t sharedMemBytes, hipStream_t hStream, void** kernelParams, void** extra,
    hipEvent_t startEvent __dparm(0), hipEvent_t stopEvent __dparm(0));
#ifdef __cplusplus
}

/// Launches `kernel` and records the begin and end of its execution into the events.
template <typename... Parameters, typename... Args>
inline void hipExtLaunchKernelGGL(void (*kernel)(Parameters...), const dim3& grid,
                                  const dim3& block, uint32_t dynamic_lds, hipStream_t stream,
                                  hipEvent_t start, hipEvent_t stop, uint32_t flags, Args... args) {
  static_assert(sizeof...(Parameters) == sizeof...(Args),
                "the kernel takes another number of arguments");
  auto launch = [&](Parameters... converted) {
    void* pointers[sizeof...(Parameters) + 1] = {
        const_cast<void*>(static_cast<const volatile void*>(&converted))...};
    (void)hipExtLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, pointers,
                             dynamic_lds, stream, start, stop, static_cast<int>(flags));
  };
  launch(static_cast<Parameters>(args)...);
}
#endif
#include <hip/amd_detail/amd_user_macros_on.h>
#endif
