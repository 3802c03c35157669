// SPDX-License-Identifier: MIT
// FLAT, GLOBAL and SCRATCH loads, stores and atomics. A flat address whose upper half is an
// aperture goes to LDS or to the lane's private segment (wave.h).
#include "exec/memory.h"

namespace pumice::exec {
namespace {

using isa::Enc;
using isa::MemInfo;
using isa::MemKind;

/// Resolves the lane's address; false after a fault.
bool place(Wave& w, const Inst& i, unsigned bytes, unsigned lane, Place& p) {
  int64_t offset = i.offset;
  if (i.enc == Enc::scratch) {
    uint32_t at = static_cast<uint32_t>(offset);
    if (i.src[0].present())
      at += w.vgpr[i.src[0].vgpr()][lane];
    if (i.src[1].present())
      at += static_cast<uint32_t>(read_scalar(w, i, i.src[1]));
    return scratch_place(w, i, at, bytes, lane, p);
  }
  uint64_t address;
  if (i.src[1].present())
    address =
        read_scalar(w, i, i.src[1]) + w.vgpr[i.src[0].vgpr()][lane] + static_cast<uint64_t>(offset);
  else
    address = read_vgprs(w, i.src[0].vgpr(), lane, 8) + static_cast<uint64_t>(offset);
  if (i.enc == Enc::flat) {
    uint32_t high = static_cast<uint32_t>(address >> 32), low = static_cast<uint32_t>(address);
    if (high == kSharedApertureHi)
      return lds_place(w, i, low, bytes, lane, p);
    if (high == kPrivateApertureHi)
      return scratch_place(w, i, low, bytes, lane, p);
  }
  p = global_place(address);
  return true;
}

template <class F> void each_lane(Wave& w, const Inst& i, unsigned bytes, F f) {
  for_lanes(w.exec(), [&](unsigned lane) {
    Place p;
    if (w.status != WaveStatus::faulted && place(w, i, bytes, lane, p))
      f(lane, p);
  });
}

void load(Wave& w, const Inst& i) {
  const MemInfo& m = isa::row(i.op).mem;
  each_lane(w, i, bytes_moved(m), [&](unsigned lane, const Place& p) {
    if (i.dst[0].present())
      return load_lane(w, m, p, i.dst[0].vgpr(), lane);
    // To LDS: M0 plus the instruction offset is the wave's base, each lane gets the next dword.
    uint32_t v = 0;
    read_bytes(w, lane, p, &v, bytes_moved(m));
    if (m.sign_extend)
      v = static_cast<uint32_t>(static_cast<int32_t>(v << (32 - 8 * m.elem_bytes)) >>
                                (32 - 8 * m.elem_bytes));
    Place to;
    if (lds_place(w, i,
                  uint64_t{w.sgpr[isa::kM0] & 0xffff} + static_cast<uint32_t>(i.offset) + 4 * lane,
                  4, lane, to))
      write_bytes(w, lane, to, &v, 4);
  });
}

void store(Wave& w, const Inst& i) {
  const MemInfo& m = isa::row(i.op).mem;
  each_lane(w, i, bytes_moved(m),
            [&](unsigned lane, const Place& p) { store_lane(w, m, p, i.src[2].vgpr(), lane); });
}

void atomic(Wave& w, const Inst& i) {
  const MemInfo& m = isa::row(i.op).mem;
  unsigned bytes = m.elem_bytes, data = i.src[2].vgpr();
  each_lane(w, i, bytes, [&](unsigned lane, const Place& p) {
    uint64_t address = p.kind == Place::scratch ? p.offset : reinterpret_cast<uint64_t>(p.pointer);
    if (address % bytes)
      return fault(w, i, FaultKind::misaligned, address, static_cast<int>(lane));
    uint64_t value = read_vgprs(w, data, lane, bytes);
    uint64_t compare =
        m.atomic == isa::AtomicOp::cmpswap ? read_vgprs(w, data + bytes / 4, lane, bytes) : 0;
    uint64_t old = atomic_update(w, m, p, lane, value, compare);
    if (i.dst[0].present())
      write_vgprs(w, i.dst[0].vgpr(), lane, bytes, old);
  });
}

} // namespace

void bind_flat(Bodies& b) {
  for (size_t n = 1; n < isa::kOpCount; ++n) {
    const isa::Row& r = isa::row(static_cast<Op>(n));
    if (r.enc != Enc::flat && r.enc != Enc::global && r.enc != Enc::scratch)
      continue;
    switch (r.mem.kind) {
    case MemKind::load:
      b.bind(r.op, load);
      break;
    case MemKind::store:
      b.bind(r.op, store);
      break;
    case MemKind::atomic:
      b.bind(r.op, atomic);
      break;
    default:
      break;
    }
  }
}

} // namespace pumice::exec
