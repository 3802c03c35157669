// SPDX-License-Identifier: MIT
// Control-flow graph of a kernel and the functions it may call, with the register analyses that lifting needs.
// Knows nothing of LLVM.
#pragma once
#include "base/result.h"
#include "isa/inst.h"
#include <bitset>
#include <cstdint>
#include <map>
#include <vector>

namespace pumice::jit {

/// Dense register numbering of the analyses: SGPR codes 0..127, then 512 VGPRs, then SCC.
constexpr unsigned kVgprIndex = 128, kSccIndex = 640, kRegCount = 641;
using RegSet = std::bitset<kRegCount>;
/// Index of a register code, or kRegCount when the code is no register (constants, VCCZ, ...).
unsigned reg_index(uint16_t code);

struct LiftInst {
  isa::Inst inst;
  uint64_t pc;
  /// Bit d: dword d of the vector result must keep inactive lanes (something reads them later).
  uint32_t keep_inactive = 0;
  /// EXEC is what the wave started with: no lane outside it is ever looked at.
  bool exec_is_initial = false;
};

/// Code longer than this (in instructions) is translated for compile time: short blocks, vectors in memory.
constexpr uint64_t kLongCode = 3000, kLongBlock = 32;

enum class Term : uint8_t { fallthrough, branch, cond, endpgm, barrier, call, setpc, yield, trap };

struct Block {
  uint64_t start = 0;
  std::vector<LiftInst> insts;
  Term term = Term::fallthrough;
  std::vector<uint32_t> succ;  // cond: [taken, fallthrough]
  std::vector<uint32_t> pred;
  RegSet live_in;
  bool spin_header = false;    // target of a back edge of a loop that may wait for another wave
  bool computed_jump = false;  // a call or tail call whose target is a value
  bool may_leave = false;      // computed_jump may reach functions that this graph does not have
  uint32_t rpo = 0;
  std::vector<bool> spin_edge; // per succ: back edge into a spin_header
};

struct FunctionRange {
  uint64_t address, size;
  bool kernel; // nothing calls it
};

struct Cfg {
  std::vector<Block> blocks;
  uint32_t entry = 0;
  std::map<uint64_t, uint32_t> block_at;    // start address -> block
  std::vector<uint32_t> order;              // reverse post-order
  std::vector<uint32_t> call_targets;       // blocks an indirect call may reach
  uint64_t inst_count = 0;
  bool for_compile_time = false;            // quick, or longer than kLongCode
};

struct CfgInput {
  isa::Target target;
  const uint8_t* text;      // loaded text; address text_address
  uint64_t text_address, text_size;
  uint64_t entry;
  std::vector<FunctionRange> functions;
  std::vector<uint64_t> data_targets; // addresses in the text that data holds
  bool barrier_is_nop;      // one wave per workgroup
  bool whole_waves = false; // every wave starts with all lanes: EXEC cannot grow beyond that
  bool quick = false;       // translate for compile time
};

/// Decodes everything reachable. Error invalid_code_object names the address of undecodable bytes.
Result<Cfg> build_cfg(const CfgInput& in);

struct CodeSize {
  uint64_t instructions = 0; // reachable from the entry; 0 for undecodable code
  uint64_t cost = 0;         // of translation: four times as many for code with calls
};
/// Much cheaper than build_cfg.
CodeSize count_reachable(const CfgInput& in);

/// Registers that are live where `block` ends. A block that may leave keeps what its callee may expect.
RegSet live_out(const Cfg& g, const Block& block);

/// Liveness before `inst` from liveness after it.
void step_back(const LiftInst& inst, RegSet& live);

/// A 16-bit result that leaves the other half of its register alone [E-006].
bool keeps_other_half(const isa::Inst& inst);

/// True when `inst` leaves parts of its vector destination as they were (SDWA preserve, D16, DPP masks, op_sel half).
bool preserves_dst(const isa::Inst& inst);

} // namespace pumice::jit
