// SPDX-License-Identifier: MIT
// Random legal kernels made from the instruction rows, for comparing engines with each other.
//
// A program loads its registers from memory (or makes them from lane numbers and constants), runs random instructions
// inside random structured control flow, and writes every register it may have changed to memory. It never leaves its
// own memory, its lanes and waves do not race, and it uses no instruction whose result is not defined by registers
// and memory (clocks, hardware registers, traps). Deterministic for a seed.
#pragma once
#include "isa/inst.h"
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace pumice::test {

/// Registers by role; everything else is left alone.
enum Layout : unsigned {
  kWorkV0 = 2, kWorkVEnd = 34,     // random instructions read and write these VGPRs; v1 is the lane number
  kTempV = 34,                     // addresses: v34..v39
  kMatrixV0 = 64, kMatrixVEnd = 96, kMatrixA0 = 0, kMatrixAEnd = 32,
  kKernargS = 4, kWorkS0 = 10, kWorkSEnd = 40,
  kInS = 40, kOutS = 42, kMemS = 44, kSharedS = 46, kPrivateS = 48, kExecS = 50, kGroupS = 60, kWaveS = 61, kTempS = 62,
  kBufferS = 64, kLoopS = 68, kFirstExecS = 76, kLdsS = 78, kReturnS = 80, kTargetS = 82,
};

constexpr uint32_t kMemBytesPerWave = 8192, kMemOrigin = 2048, kMemRegion = 4096;
constexpr uint32_t kLdsBytesPerWave = 2560, kLdsRegion = 1024, kPrivateBytes = 64;
constexpr uint32_t kInBytes = 64 * 1024;

/// A stretch of code that can be taken out (by s_nop) without harm to the rest; control flow is not.
struct Atom {
  uint32_t first, count; // words
  bool removable;
};

struct Program {
  isa::Target target;
  uint64_t seed;
  std::vector<uint32_t> words;
  std::vector<Atom> atoms;
  uint32_t init_begin = 0, init_end = 0; // words that give the work registers their values
  uint32_t body_begin = 0, body_end = 0;
  uint32_t function_start = 0; // word index of a called function; 0 = none
  uint32_t workgroup = 64, groups = 1, waves_per_group = 1;
  uint32_t dump_bytes_per_wave = 0;
  uint32_t rsrc1 = 0;
  bool uses_matrix = false;
  size_t matrix_row = 0; // first dump row of the 64 matrix registers; even
  std::vector<std::string> dumped; // names of the 256-byte rows of a wave's dump
};

struct GeneratorOptions {
  unsigned atoms = 60;
  bool approximate = false; // rcp, exp, ... too
  std::string only;         // many instructions whose mnemonic begins so ...
  bool exactly = false;     // ... or is this
};

Program generate(isa::Target target, uint64_t seed, const GeneratorOptions& options);

/// Words of interesting values: small numbers, edges of float, half and double, random bits.
std::vector<uint32_t> interesting_words(uint64_t seed, size_t count);

/// Disassembly without s_nop; the set-up's loads and the dump are left out.
std::string listing(const Program& p);

} // namespace pumice::test
