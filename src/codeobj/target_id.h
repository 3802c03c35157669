// SPDX-License-Identifier: MIT
// Target ids: "gfx942:sramecc+:xnack-", with or without the triple before it
// [LLVM AMDGPUUsage, Target ID], and the rules that decide which code runs on which agent.
#pragma once
#include "base/result.h"
#include <cstdint>
#include <string>
#include <string_view>

namespace pumice::codeobj {

enum class Feature : uint8_t {
  unsupported, // the processor has no such mode
  any,         // code: works in both modes
  off,
  on,
};

struct TargetId {
  std::string processor; // "gfx942", "gfx9-4-generic"
  Feature sramecc = Feature::any;
  Feature xnack = Feature::any;

  /// "gfx942:sramecc+:xnack-"; features in any mode are left out.
  std::string short_name() const;
  /// "amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-", the HSA ISA name.
  std::string isa_name() const;
  bool operator==(const TargetId&) const = default;
};

/// Accepts "gfx942", "gfx942:xnack-", "amdgcn-amd-amdhsa--gfx942...", and the bundle forms
/// "hipv4-amdgcn-amd-amdhsa--gfx942" and "hip-amdgcn-amd-amdhsa-gfx906".
Result<TargetId> parse_target_id(std::string_view text);

/// From e_flags of an AMDGPU ELF file whose EI_ABIVERSION is `elf_abi` (1 = code object v3 .. 4 =
/// v6).
Result<TargetId> target_from_elf_flags(uint32_t e_flags, unsigned elf_abi);

enum class Match : uint8_t { none, generic, any_features, exact };
/// How well code built for `code` fits an agent that runs as `agent` (whose features are on/off).
/// Higher is better; `none` must not be loaded.
Match match(const TargetId& code, const TargetId& agent);

} // namespace pumice::codeobj
