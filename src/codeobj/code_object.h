// SPDX-License-Identifier: MIT
// ELF code objects (v3 to v6): what a loader and an engine need to know of them
// [LLVM AMDGPUUsage, ELF Code Object]. Reading only; placing in memory is the loader's work.
// All input is untrusted: malformed bytes give invalid_code_object, never a crash.
#pragma once
#include "base/result.h"
#include "codeobj/bytes.h"
#include "codeobj/target_id.h"
#include <cstdint>
#include <string>
#include <vector>

namespace pumice::codeobj {

/// The 64-byte kernel descriptor, decoded [LLVM AMDGPUUsage, Kernel Descriptor].
struct KernelDescriptor {
  uint32_t group_segment_fixed_size = 0;
  uint32_t private_segment_fixed_size = 0;
  uint32_t kernarg_size = 0;
  int64_t entry_offset = 0; // from the descriptor's own address
  uint32_t rsrc1 = 0, rsrc2 = 0, rsrc3 = 0;
  uint16_t properties = 0;      // ENABLE_SGPR_* bits
  uint16_t kernarg_preload = 0; // KERNARG_PRELOAD_SPEC: length 6:0, offset 15:7
};
constexpr size_t kKernelDescriptorSize = 64;
/// `bytes` holds at least kKernelDescriptorSize bytes.
KernelDescriptor decode_kernel_descriptor(const uint8_t* bytes);

/// A PT_LOAD segment. file_size <= memory_size, and its file part lies inside the code object.
struct Segment {
  uint64_t vaddr = 0, memory_size = 0, file_offset = 0, file_size = 0;
  bool readable = false, writable = false, executable = false;
};

struct Symbol {
  enum class Kind : uint8_t { object, function, other };
  std::string name;
  Kind kind = Kind::other;
  uint64_t value = 0; // vaddr
  uint64_t size = 0;
  bool defined = false;
  bool local = false;
  bool weak = false;
};

enum class RelocationType : uint8_t {
  abs32_lo = 1,
  abs32_hi = 2,
  abs64 = 3,
  rel32 = 4,
  rel64 = 5,
  abs32 = 6,
  rel32_lo = 10,
  rel32_hi = 11,
  relative64 = 13
};
struct Relocation {
  RelocationType type;
  uint64_t offset = 0; // vaddr of the patched place; checked to lie inside a segment
  uint32_t symbol = 0; // index into dynamic_symbols; 0 = none
  int64_t addend = 0;
};

/// One kernel argument. value_kind is the metadata's text: by_value, global_buffer,
/// dynamic_shared_pointer, hidden_block_count_x, ...
struct KernelArg {
  std::string name, value_kind, type_name, address_space, access;
  uint32_t offset = 0, size = 0, pointee_align = 0;
  bool hidden() const { return value_kind.rfind("hidden_", 0) == 0; }
};

struct KernelMetadata {
  std::string name;   // as in the source, mangled
  std::string symbol; // "name.kd"
  uint32_t kernarg_size = 0, kernarg_align = 0;
  uint32_t group_size = 0, private_size = 0;
  uint32_t wavefront_size = 64, max_flat_workgroup_size = 0;
  uint32_t sgpr_count = 0, vgpr_count = 0, agpr_count = 0, sgpr_spills = 0, vgpr_spills = 0;
  uint32_t required_workgroup[3] = {}; // zeros: none
  bool uses_dynamic_stack = false;
  std::string kind; // "normal", "init", "fini"
  std::vector<KernelArg> args;
};

struct CodeObject {
  TargetId target;
  unsigned version = 0; // 3..6
  std::vector<Segment> segments;
  uint64_t vaddr_begin = 0, vaddr_end = 0; // span of all segments
  std::vector<Symbol> dynamic_symbols;     // index = symbol number of relocations
  std::vector<Symbol> symbols;             // .symtab where present (local functions too)
  std::vector<Relocation> relocations;
  std::vector<KernelMetadata> kernels;
  std::vector<std::string> printf_formats; // amdhsa.printf

  const KernelMetadata* kernel(std::string_view name_or_symbol) const;
};

/// Parses and checks the whole object. The result does not refer to `bytes`.
Result<CodeObject> parse_code_object(Bytes bytes);

/// True when `bytes` starts like an AMDGPU ELF file; says nothing of the rest.
bool is_code_object(Bytes bytes);
/// Size of the ELF file at the start of `bytes` (end of its section headers and contents).
Result<uint64_t> elf_size(Bytes bytes);
/// Contents of a named section of any 64-bit little-endian ELF file; empty when absent.
Bytes elf_section(Bytes elf, std::string_view name);
/// The code object's identity in caches: 64 bits over all bytes; not cryptographic.
uint64_t hash_bytes(Bytes bytes);

} // namespace pumice::codeobj
