// SPDX-License-Identifier: MIT
// Architectural state of one wave and of the workgroup that owns it. Shared by interpreter and JIT:
// the JIT spills registers into the same struct, so either can continue what the other began.
#pragma once
#include "isa/inst.h"
#include <cstddef>
#include <cstdint>

namespace pumice::exec {

constexpr unsigned kLanes = 64;
constexpr unsigned kLdsBytes = 64 * 1024;
/// Flat apertures: a flat address whose upper 32 bits equal these is an LDS / scratch offset in the lower 32.
/// src_shared_base and src_private_base read as (aperture << 32).
constexpr uint32_t kSharedApertureHi = 0x00010000;  // 0x0001'0000'0000'0000: not a user address on x86-64
constexpr uint32_t kPrivateApertureHi = 0x00020000;

enum class WaveStatus : uint8_t { ready, at_barrier, yielded, ended, faulted };

enum class FaultKind : uint8_t {
  none, bad_address, illegal_instruction, trap, unsupported, misaligned, lds_out_of_range, scratch_out_of_range, hang,
  out_of_memory, // the host has none for registers, LDS or scratch of a workgroup
};
const char* fault_kind_name(FaultKind k);

struct FaultInfo {
  FaultKind kind = FaultKind::none;
  uint64_t pc = 0;           // guest (= host) address of the instruction
  uint64_t address = 0;      // offending address where there is one
  int32_t lane = -1;         // -1: unknown
  uint32_t wave = 0;
  uint32_t workgroup[3] = {};
  uint32_t trap_id = 0;      // s_trap immediate
};

struct Workgroup;

struct alignas(64) Wave {
  alignas(64) uint32_t vgpr[512][kLanes]; // 256.. = AccVGPRs
  uint32_t sgpr[128];        // by register code: s0.., flat_scratch 102, vcc 106, ttmp 108, m0 124, exec 126
  uint32_t scc;              // 0 or 1
  uint32_t mode;             // MODE register: round 3:0, denorm 7:4, dx10_clamp 8, ieee 9
  uint64_t pc;
  uint8_t* lds;              // workgroup's LDS window, kLdsBytes long (bounds: Workgroup::lds_bytes)
  uint8_t* scratch;          // lane-interleaved: byte b of lane l at scratch + (b >> 2) * 256 + l * 4 + (b & 3)
  uint32_t scratch_bytes;    // private segment size per lane
  uint32_t lds_bytes;
  uint32_t index;            // wave number in its workgroup
  WaveStatus status;
  Workgroup* group;
  uint64_t jit_scalar[768];  // JIT-private: uniform and affine bases of registers that live across a suspension
  uint64_t jit_stream[96];   // JIT-private: where loads in loops read last (for prefetching)
  uint32_t jit_resume;       // JIT-private: where to continue
  uint32_t interp_only;      // JIT-private: wave left compiled code for good
  FaultInfo fault;

  uint64_t exec() const { uint64_t v; __builtin_memcpy(&v, &sgpr[isa::kExecLo], 8); return v; }
  void set_exec(uint64_t v) { __builtin_memcpy(&sgpr[isa::kExecLo], &v, 8); }
  uint64_t vcc() const { uint64_t v; __builtin_memcpy(&v, &sgpr[isa::kVccLo], 8); return v; }
  void set_vcc(uint64_t v) { __builtin_memcpy(&sgpr[isa::kVccLo], &v, 8); }
};

struct Workgroup {
  uint32_t id[3];            // workgroup coordinates in the grid
  uint32_t wave_count;
  Wave* waves;               // wave_count entries
  uint8_t* lds;
  uint32_t lds_bytes;        // allocated group segment (static + dynamic)
};

/// Address of byte `offset` of `lane`'s private segment.
inline uint8_t* scratch_address(const Wave& w, unsigned lane, uint32_t offset) {
  return w.scratch + static_cast<size_t>(offset >> 2) * 256 + lane * 4 + (offset & 3);
}

} // namespace pumice::exec
