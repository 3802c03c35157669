// SPDX-License-Identifier: MIT
// HIP code inside host ELF files (.hip_fatbin), and sizes of blobs found there.
#pragma once
#include "codeobj/bundle.h"

namespace pumice::codeobj {

/// True for a 64-bit little-endian ELF file that is not an AMDGPU code object.
bool is_host_binary(Bytes bytes);
/// Entries of every bundle in the .hip_fatbin section (one per translation unit, page aligned).
Result<std::vector<BundleEntry>> read_host_binary(Bytes bytes);
/// Size of the trusted CCOB blob at `p`. Version 1 has no size field and cannot be measured.
Result<uint64_t> compressed_size_at(const uint8_t* p);

} // namespace pumice::codeobj
