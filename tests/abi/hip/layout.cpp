// SPDX-License-Identifier: MIT
// Sizes and offsets that binaries built against AMD's headers rely on (x86-64), counted from the public declarations.
#include <cstddef>
#include <hip/hip_runtime_api.h>

static_assert(sizeof(hipDeviceProp_tR0600) == 1472);
static_assert(offsetof(hipDeviceProp_tR0600, totalGlobalMem) == 288);
static_assert(offsetof(hipDeviceProp_tR0600, warpSize) == 308);
static_assert(offsetof(hipDeviceProp_tR0600, multiProcessorCount) == 388);
static_assert(offsetof(hipDeviceProp_tR0600, gcnArchName) == 1160);
static_assert(sizeof(hipDeviceProp_tR0000) == 792);
static_assert(offsetof(hipDeviceProp_tR0000, gcnArchName) == 396);
static_assert(sizeof(hipPointerAttribute_t) == 32);
static_assert(sizeof(hipFuncAttributes) == 56);
static_assert(sizeof(hipMemcpy3DParms) == 160);
static_assert(sizeof(HIP_MEMCPY3D) == 184);
static_assert(sizeof(hip_Memcpy2D) == 128);
static_assert(sizeof(hipKernelNodeParams) == 64);
static_assert(sizeof(hipMemsetParams) == 48);
static_assert(sizeof(hipLaunchParams) == 56);
static_assert(sizeof(hipFunctionLaunchParams) == 56);
static_assert(sizeof(hipIpcMemHandle_t) == 64);
static_assert(sizeof(hipMemPoolProps) == 88);
static_assert(sizeof(hipResourceDesc) == 64);
static_assert(sizeof(hipTextureDesc) == 64);
static_assert(sizeof(dim3) == 12 && sizeof(hipUUID) == 16);
static_assert(hipErrorUnknown == 999 && hipErrorTbd == 1054 && hipErrorCooperativeLaunchTooLarge == 720);
static_assert(hipDeviceAttributeWarpSize == 87 && hipDeviceAttributeMultiprocessorCount == 63);
static_assert(hipDeviceAttributeAmdSpecificBegin == 10000 && hipDeviceAttributeWallClockRate == 10017);
static_assert(hipMemcpyDefault == 4 && hipMemoryTypeDevice == 2 && HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE == 17);
