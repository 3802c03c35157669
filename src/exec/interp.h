// SPDX-License-Identifier: MIT
// The reference interpreter: plain, per lane, the oracle for the JIT.
#pragma once
#include "exec/wave.h"
#include "isa/inst.h"
#include <cstddef>
#include <cstdint>

namespace pumice::exec {

/// Executes one already decoded instruction at w.pc and advances w.pc (or branches).
/// Barriers set status at_barrier with pc after the barrier; s_endpgm sets ended; faults set faulted and w.fault.
/// s_sleep and a bounded number of backward branches may set status yielded.
/// Memory is accessed directly (global address == host address); a SIGSEGV is the caller's to catch.
void execute(Wave& w, const isa::Inst& inst);

/// Decodes and executes from w.pc until the wave's status leaves `ready` or `max_instructions` were run.
/// Text outside [text, text + text_bytes) is an illegal_instruction fault. Returns instructions executed.
uint64_t run(Wave& w, isa::Target target, const uint8_t* text, size_t text_bytes, uint64_t max_instructions);

/// True when `op` has a body.
bool implemented(isa::Op op);

} // namespace pumice::exec
