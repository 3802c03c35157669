// SPDX-License-Identifier: MIT
// A small stand-in for the device: assembles guest code with LLVM's tools at test time or takes
// what the build compiled, loads it and runs it on the interpreter. Only what the interpreter's
// tests need; the real loader and dispatcher are other rooms'.
#pragma once
#include "exec/interp.h"
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pumice::test {

class DeviceProgram {
public:
  /// The program that the build made of `source`.c for `cpu` ("gfx90a", "gfx942") at `level`
  /// ("-O0"); CMakeLists.txt lists them. Null where it is not there or is no program.
  static std::unique_ptr<DeviceProgram> built(const std::string& source, const std::string& cpu,
                                              const std::string& level);

  isa::Target target() const { return target_; }
  bool has_kernel(const std::string& name) const;

  struct Result {
    exec::FaultInfo fault;
    bool finished = false;
    uint64_t instructions = 0;
  };
  /// Runs one workgroup after the other, waves round-robin; `arguments` is the kernarg segment.
  Result run(const std::string& kernel, std::vector<uint8_t> arguments, uint32_t workgroups,
             uint32_t workgroup_size, uint64_t max_instructions = 50'000'000);

private:
  struct Symbol {
    std::string name;
    uint64_t value;
  };
  isa::Target target_ = isa::Target::gfx942;
  std::vector<uint8_t> image_; // loaded segments, address = &image_[virtual address]
  uint8_t* base_ = nullptr;
  uint64_t text_ = 0, text_bytes_ = 0;
  std::vector<Symbol> symbols_;
  bool load(const std::string& path);
};

/// Assembles `text` and returns its machine code; empty with a message on stderr when the assembler
/// refuses.
std::vector<uint8_t> assemble(const std::string& text, const std::string& cpu);

/// A folder for this process's temporary files, removed at exit.
const std::string& scratch_folder();

} // namespace pumice::test
