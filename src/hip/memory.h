// SPDX-License-Identifier: MIT
// Allocation and release of device, pinned and managed memory through HSA pools; every allocation
// is in memory_table().
#pragma once
#include "hip/device.h"
#include "hip/memory_table.h"
#include <hip/hip_runtime_api.h>

namespace pumice::hip {

hipError_t allocate_device(Device& device, size_t bytes, unsigned flags, void** out);
/// Pinned memory that all devices reach; `kind` is host or managed.
hipError_t allocate_host(Device& device, size_t bytes, unsigned flags, MemoryKind kind, void** out);
/// Removes and frees. hipErrorInvalidValue for addresses that no allocation starts at.
hipError_t release_memory(void* p);
/// 2 MiB aligned memory for the device's own allocator; null when there is none.
void* allocate_device_slab(Device& device, size_t bytes);
/// Free and total device memory in bytes.
void memory_info(Device& device, size_t* free_bytes, size_t* total_bytes);

} // namespace pumice::hip
