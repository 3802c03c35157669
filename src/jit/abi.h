// SPDX-License-Identifier: MIT
// The border between translated code and the rest: what an entry function receives and returns.
// Translated code reads these structs by offset, so every change here must bump kAbiVersion (it keys the disk cache).
#pragma once
#include "exec/wave.h"
#include <cstddef>
#include <cstdint>

namespace pumice::jit {

constexpr uint32_t kAbiVersion = 6;

/// Facts of one dispatch; read-only while it runs.
struct Context {
  uint64_t kernarg, packet, queue;
  uint64_t dispatch_id;
  uint64_t load_bias;             // loaded address - ELF vaddr of the code object
  uint32_t workgroup_count[3];
  uint32_t grid[3];               // work-items
  uint32_t private_bytes, lds_bytes;
  uint32_t wave_count;            // waves per workgroup
  uint32_t mode;                  // initial MODE
  uint64_t text_address, text_size;
  uint32_t target;                // isa::Target, for interpreter fallbacks
  uint32_t spin_limit;            // passes over yielding waves before the workgroup is put aside
  uint64_t fallbacks;             // instructions handed to the interpreter (updated without order)
  const uint32_t* tid_table;      // packed work-item ids [wave][lane] (x | y << 10 | z << 20)
};

/// One workgroup in flight. Owned by a worker, or parked while its waves spin.
struct Frame {
  uint8_t* lds;                   // start of a 4 GiB reservation of which lds_bytes are mapped
  exec::Wave* waves;              // wave_count structs
  uint8_t* scratch;               // wave_count * scratch_stride bytes
  uint64_t scratch_stride;
  uint32_t* resume;               // wave_count resume codes
  uint64_t workgroup;             // linear index of the workgroup being run (for reports)
  uint32_t wave;                  // wave being run (for reports)
  uint32_t group_id[3];
  exec::Workgroup* group;         // for the interpreter
};

/// Resume codes: a point number in the low bits and what the wave waits for.
enum Resume : uint32_t {
  kResumeStart = 0,
  kResumePointMask = 0x00ffffff,
  kResumeMeet = 1u << 25,         // the wave is at a loop that it can run together with its neighbours; it need not
  kResumeFaulted = 1u << 26,
  kResumeDone = 1u << 27,
  kResumeInterp = 1u << 28,       // the wave left compiled code; the interpreter continues it
  kResumeYield = 1u << 29,
  kResumeBarrier = 1u << 30,
};

enum Return : int32_t { kReturnDone = 0, kReturnStuck = 1, kReturnFault = 2 };

/// Runs workgroups [first, last) in order on `frame`. With `resume` != 0 the frame's own workgroup is continued
/// (first == its index, last == first + 1). kReturnStuck leaves frame->workgroup resumable; kReturnFault leaves the
/// fault in frame->waves[frame->wave].fault.
using EntryFn = int32_t (*)(Context*, Frame*, uint64_t first, uint64_t last, uint32_t resume);

} // namespace pumice::jit
