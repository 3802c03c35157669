// SPDX-License-Identifier: MIT
// Memory vocabulary of the bodies: places in global memory, LDS or scratch, moves between them and
// registers, atomics. Global accesses touch host memory directly; a bad address is a SIGSEGV that
// the engine turns into a fault. Internal to the room.
#pragma once
#include "exec/state.h"
#include <cstring>

namespace pumice::exec {

/// One lane's address. Scratch is lane-interleaved, so it has no plain pointer.
struct Place {
  enum Kind : uint8_t {
    memory,
    scratch,
    none
  } kind = none; // none: reads as zero, writes are dropped
  uint8_t* pointer = nullptr;
  uint32_t offset = 0; // scratch: byte offset in the lane's private segment
};

/// Place of LDS byte `address`; faults (and returns false) when `bytes` do not fit the workgroup's
/// allocation.
bool lds_place(Wave& w, const Inst& i, uint64_t address, unsigned bytes, unsigned lane, Place& p);
bool scratch_place(Wave& w, const Inst& i, uint64_t offset, unsigned bytes, unsigned lane,
                   Place& p);
inline Place global_place(uint64_t address) {
  return {Place::memory, reinterpret_cast<uint8_t*>(address), 0};
}

void read_bytes(const Wave& w, unsigned lane, const Place& p, void* to, unsigned bytes);
void write_bytes(Wave& w, unsigned lane, const Place& p, const void* from, unsigned bytes);

/// Loads as the row's MemInfo says into `reg`.. of the lane.
void load_lane(Wave& w, const isa::MemInfo& m, const Place& p, unsigned reg, unsigned lane);
/// Stores as the row's MemInfo says from `reg`.. of the lane.
void store_lane(Wave& w, const isa::MemInfo& m, const Place& p, unsigned reg, unsigned lane);

/// Read-modify-write of 4 or 8 bytes with host atomics; returns the old value. `compare` is for
/// cmpswap, mskor, wrap. The float forms use `fp` for denormals and NaN.
uint64_t atomic_update(const Fp& fp, isa::AtomicOp op, bool is_float, unsigned bytes, uint8_t* at,
                       uint64_t value, uint64_t compare);

/// The same on any place. Private memory belongs to its lane, so it needs no atomicity; `none`
/// gives 0.
uint64_t atomic_update(Wave& w, const isa::MemInfo& m, const Place& p, unsigned lane,
                       uint64_t value, uint64_t compare);

/// Bytes per address that the row moves.
inline unsigned bytes_moved(const isa::MemInfo& m) {
  return m.elem_bytes < 4 ? m.elem_bytes : m.count * 4u;
}

inline uint64_t read_vgprs(const Wave& w, unsigned reg, unsigned lane, unsigned bytes) {
  uint64_t v = w.vgpr[reg][lane];
  return bytes == 8 ? v | static_cast<uint64_t>(w.vgpr[reg + 1][lane]) << 32 : v;
}
inline void write_vgprs(Wave& w, unsigned reg, unsigned lane, unsigned bytes, uint64_t v) {
  w.vgpr[reg][lane] = static_cast<uint32_t>(v);
  if (bytes == 8)
    w.vgpr[reg + 1][lane] = static_cast<uint32_t>(v >> 32);
}

} // namespace pumice::exec
