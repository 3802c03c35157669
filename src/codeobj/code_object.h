// SPDX-License-Identifier: MIT
// ELF code objects (v4, v5, v6): what a loader and an engine need to know of them.
#pragma once
#include "base/result.h"
#include <cstdint>
#include <string>
#include <vector>

namespace pumice::codeobj {

/// The 64-byte kernel descriptor, decoded [LLVM AMDGPUUsage, Kernel Descriptor].
struct KernelDescriptor {
  uint32_t group_segment_fixed_size = 0;
  uint32_t private_segment_fixed_size = 0;
  uint32_t kernarg_size = 0;
  int64_t entry_offset = 0;       // from the descriptor's own address
  uint32_t rsrc1 = 0, rsrc2 = 0, rsrc3 = 0;
  uint16_t properties = 0;        // ENABLE_SGPR_* bits
  uint16_t kernarg_preload = 0;   // KERNARG_PRELOAD_SPEC: length 6:0, offset 15:7
};

} // namespace pumice::codeobj
