// SPDX-License-Identifier: MIT
// What translation of one kernel takes and gives. No LLVM here: the runtime side includes this too.
#pragma once
#include "base/result.h"
#include "codeobj/code_object.h"
#include "isa/inst.h"
#include "jit/cfg.h"
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pumice::jit {

/// What compiled code is specialised for.
struct Variant {
  uint16_t workgroup[3] = {1, 1, 1};
  bool partial_groups = false; // the grid is no multiple of the workgroup
  bool small_grid = true;      // grid[0] * 1 fits 31 bits: x indices never look negative
  bool operator==(const Variant&) const = default;
  uint32_t items() const { return uint32_t(workgroup[0]) * workgroup[1] * workgroup[2]; }
  uint32_t waves() const { return (items() + 63) / 64; }
};

struct TranslateInput {
  isa::Target target;
  std::string name;
  const uint8_t* text;
  uint64_t text_address, text_size, load_bias, entry;
  codeobj::KernelDescriptor descriptor;
  std::vector<FunctionRange> functions;
  std::vector<uint64_t> data_targets; // addresses in the text that data holds
  Variant variant;
  std::string cpu, features;   // LLVM names; empty: this host
  std::string dump_dir;        // IR and assembly go here when set
  bool quick = false;          // for compile time: half of it, for slower code
  bool native_fp16 = false, avx512 = false; // of the host; filled by translate
};

struct TranslateStats {
  uint64_t guest_instructions = 0;
  std::map<std::string, uint32_t> fallbacks;   // mnemonic -> static count handed to the interpreter
  std::map<std::string, uint32_t> approximate; // mnemonic -> static count of approximate functions
  double lift_ms = 0, optimise_ms = 0, codegen_ms = 0;
};

/// ELF relocatable object with `pumice_entry`, loadable by jit/object_loader.h.
struct TranslateOutput {
  std::vector<uint8_t> object;
  TranslateStats stats;
  bool suspends = false;
};

/// Exported by the translator library (libpumice-translator.so) under the name "pumice_translate".
using TranslateFn = Status (*)(const TranslateInput&, TranslateOutput&);
/// "pumice_count_instructions"
using CountFn = CodeSize (*)(const TranslateInput&);

} // namespace pumice::jit
