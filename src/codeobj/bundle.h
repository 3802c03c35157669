// SPDX-License-Identifier: MIT
// Clang offload bundles: plain (__CLANG_OFFLOAD_BUNDLE__) and compressed (CCOB v1 to v3), fat
// binaries of HIP programs, and the choice of the code object for an agent [clang docs,
// ClangOffloadBundler]. HIP uses this header directly; it depends on base only.
//
// Typical use:
//   auto entries = read_fat_binary(wrapper_data);              // or read_bundle(bytes)
//   auto chosen = select_code_object(*entries, agent_target);  // error text lists what is there
#pragma once
#include "base/result.h"
#include "codeobj/bytes.h"
#include "codeobj/target_id.h"
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pumice::codeobj {

struct BundleEntry {
  std::string id; // "hipv4-amdgcn-amd-amdhsa--gfx942:xnack-", "host-x86_64-unknown-linux-gnu-"
  bool is_device = false;
  TargetId target; // of device entries
  Bytes bytes;     // the code object; may be empty
  /// Keeps `bytes` alive when they were decompressed; null when they lie in the caller's input.
  std::shared_ptr<const std::vector<uint8_t>> storage;
};

/// Reads what `bytes` holds: a bundle (plain or compressed), a bare AMDGPU code object, or a host
/// ELF file with a .hip_fatbin section (all its bundles). Entries view `bytes` unless decompressed.
Result<std::vector<BundleEntry>> read_bundle(Bytes bytes);

/// Same for a blob in this process whose size is not known (what __CudaFatBinaryWrapper points at).
/// The size comes from the blob's own headers, so the blob must be trustworthy host program data.
Result<std::vector<BundleEntry>> read_bundle_at(const void* blob);

/// `wrapper` is the argument of __hipRegisterFatBinary: magic 0x48495046 ("HIPF"), version 1,
/// pointer.
Result<std::vector<BundleEntry>> read_fat_binary(const void* wrapper);
constexpr uint32_t kFatBinaryMagic = 0x48495046;

/// The best entry for the agent. Fails with `incompatible`: text names the agent's ISA, the ISAs
/// present, and the compiler option to add.
Result<const BundleEntry*> select_code_object(const std::vector<BundleEntry>& entries,
                                              const TargetId& agent);
/// "gfx90a:xnack-, gfx942" — device ISAs of the entries, or "none".
std::string list_targets(const std::vector<BundleEntry>& entries);

/// Decompresses a CCOB blob into a plain bundle. Used by read_bundle.
Result<std::vector<uint8_t>> decompress_bundle(Bytes bytes);
bool is_compressed_bundle(Bytes bytes);

} // namespace pumice::codeobj
