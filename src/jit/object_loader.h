// SPDX-License-Identifier: MIT
// Loads the relocatable ELF objects that the translator makes. Small on purpose: one text section, read-only data, and
// calls to a fixed table of runtime functions, so that cached code runs without LLVM.
#pragma once
#include "base/result.h"
#include <cstdint>
#include <memory>
#include <vector>

namespace pumice::jit {

class LoadedObject {
public:
  ~LoadedObject();
  LoadedObject(const LoadedObject&) = delete;
  void* entry() const { return entry_; }
  /// True when `pc` lies in this object's code.
  uint64_t begin() const { return begin_; }
  uint64_t end() const { return end_; }
  bool contains(uint64_t pc) const { return pc >= begin_ && pc < end_; }
  /// Line number (code offset / 4 + 1) recorded for host address `pc`; 0 when unknown.
  uint32_t line_at(uint64_t pc) const;
  size_t mapped_bytes() const { return map_size_; }
  /// Bytes of stack that a call of the entry may take: the frames of all functions together.
  uint64_t stack_bytes() const { return stack_bytes_; }

private:
  LoadedObject() = default;
  friend Result<std::unique_ptr<LoadedObject>> load_object(const std::vector<uint8_t>& object);
  void* map_ = nullptr;
  size_t map_size_ = 0;
  void* entry_ = nullptr;
  uint64_t begin_ = 0, end_ = 0, stack_bytes_ = 0;
  std::vector<uint8_t> debug_line_;   // relocated
  std::vector<uint8_t> debug_line_str_;
};

/// Maps and links `object` (ET_REL, x86-64). Errors: invalid_code_object for anything unexpected.
Result<std::unique_ptr<LoadedObject>> load_object(const std::vector<uint8_t>& object);

/// Address of a function that translated code may call, or nullptr. Defined in runtime.cpp.
void* runtime_symbol(const char* name);

} // namespace pumice::jit
