// SPDX-License-Identifier: MIT
// The AMDGPU metadata note: kernels, arguments, printf formats [LLVM AMDGPUUsage, Code Object V3+
// Metadata].
#pragma once
#include "codeobj/code_object.h"

namespace pumice::codeobj {

/// Fills kernels and printf_formats from the MessagePack document of an NT_AMDGPU_METADATA note.
Status read_metadata(Bytes document, CodeObject& into);

} // namespace pumice::codeobj
