// SPDX-License-Identifier: MIT
// DS instructions: LDS loads, stores, atomics, and the lane permutations that borrow the LDS
// crossbar.
#include "exec/memory.h"

namespace pumice::exec {
namespace {

using isa::MemInfo;
using isa::MemKind;

const MemInfo& info(const Inst& i) {
  return isa::row(i.op).mem;
}
uint32_t lane_value(const Wave& w, const Operand& o, unsigned lane) {
  return w.vgpr[o.vgpr()][lane];
}

/// Calls `f(lane, address)` while no fault happened.
template <class F> void each_lane(Wave& w, F f) {
  for_lanes(w.exec(), [&](unsigned lane) {
    if (w.status != WaveStatus::faulted)
      f(lane);
  });
}

// Byte distance between addresses of the two-address forms.
unsigned pair_stride(const MemInfo& m) {
  return m.elem_bytes * (m.stride64 ? 64u : 1u);
}

void load(Wave& w, const Inst& i) {
  const MemInfo& m = info(i);
  each_lane(w, [&](unsigned lane) {
    uint32_t base = lane_value(w, i.src[0], lane);
    unsigned reg = i.dst[0].vgpr();
    Place p, q;
    if (!m.two_address) {
      if (lds_place(w, i, uint32_t(base + static_cast<uint32_t>(i.offset)), bytes_moved(m), lane,
                    p))
        load_lane(w, m, p, reg, lane);
      return;
    }
    // Both addresses are read before the address register may be overwritten.
    if (!lds_place(w, i, uint32_t(base + i.offset0 * pair_stride(m)), m.elem_bytes, lane, p))
      return;
    if (!lds_place(w, i, uint32_t(base + i.offset1 * pair_stride(m)), m.elem_bytes, lane, q))
      return;
    load_lane(w, m, p, reg, lane);
    load_lane(w, m, q, reg + m.count, lane);
  });
}

void store(Wave& w, const Inst& i) {
  const MemInfo& m = info(i);
  each_lane(w, [&](unsigned lane) {
    uint32_t base = lane_value(w, i.src[0], lane);
    Place p;
    if (!m.two_address) {
      if (lds_place(w, i, uint32_t(base + static_cast<uint32_t>(i.offset)), bytes_moved(m), lane,
                    p))
        store_lane(w, m, p, i.src[1].vgpr(), lane);
      return;
    }
    if (!lds_place(w, i, uint32_t(base + i.offset0 * pair_stride(m)), m.elem_bytes, lane, p))
      return;
    store_lane(w, m, p, i.src[1].vgpr(), lane);
    if (!lds_place(w, i, uint32_t(base + i.offset1 * pair_stride(m)), m.elem_bytes, lane, p))
      return;
    store_lane(w, m, p, i.src[2].vgpr(), lane);
  });
}

bool atomic_place(Wave& w, const Inst& i, uint64_t address, unsigned bytes, unsigned lane,
                  Place& p) {
  if (!lds_place(w, i, address, bytes, lane, p))
    return false;
  if (address % bytes == 0)
    return true;
  fault(w, i, FaultKind::misaligned, address, static_cast<int>(lane));
  return false;
}

void atomic(Wave& w, const Inst& i) {
  const MemInfo& m = info(i);
  Fp fp(w.mode);
  unsigned bytes = m.elem_bytes;
  each_lane(w, [&](unsigned lane) {
    uint32_t base = lane_value(w, i.src[0], lane);
    uint64_t first = read_vgprs(w, i.src[1].vgpr(), lane, bytes);
    uint64_t second = i.src[2].present() ? read_vgprs(w, i.src[2].vgpr(), lane, bytes) : 0;
    Place p, q;
    if (m.two_address) {
      if (!atomic_place(w, i, uint32_t(base + i.offset0 * pair_stride(m)), bytes, lane, p))
        return;
      if (!atomic_place(w, i, uint32_t(base + i.offset1 * pair_stride(m)), bytes, lane, q))
        return;
      uint64_t a = atomic_update(fp, m.atomic, false, bytes, p.pointer, first, 0);
      uint64_t b = atomic_update(fp, m.atomic, false, bytes, q.pointer, second, 0);
      write_vgprs(w, i.dst[0].vgpr(), lane, bytes, a);
      write_vgprs(w, i.dst[0].vgpr() + bytes / 4, lane, bytes, b);
      return;
    }
    if (!atomic_place(w, i, uint32_t(base + static_cast<uint32_t>(i.offset)), bytes, lane, p))
      return;
    // Two-data forms: the first operand is the comparand, mask or limit, the second the new value.
    uint64_t old = i.src[2].present()
                       ? atomic_update(fp, m.atomic, m.is_float, bytes, p.pointer, second, first)
                       : atomic_update(fp, m.atomic, m.is_float, bytes, p.pointer, first, 0);
    if (m.returns)
      write_vgprs(w, i.dst[0].vgpr(), lane, bytes, old);
  });
}

/// Lane that `lane` reads under a ds_swizzle pattern.
unsigned swizzle_source(unsigned offset, unsigned lane) {
  if (offset & 0x8000)
    return (lane & ~3u) + (offset >> 2 * (lane & 3) & 3);
  unsigned in_half = lane & 31;
  in_half = ((in_half & offset) | (offset >> 5 & 31)) ^ (offset >> 10 & 31);
  return (lane & 32) + (in_half & 31);
}

void swizzle(Wave& w, const Inst& i) {
  uint32_t r[kLanes];
  uint64_t exec = w.exec();
  for_lanes(exec, [&](unsigned lane) {
    unsigned from = swizzle_source(static_cast<unsigned>(i.offset), lane);
    r[lane] = exec >> from & 1 ? lane_value(w, i.src[0], from) : 0; // inactive lanes give 0
  });
  for_lanes(exec, [&](unsigned lane) { w.vgpr[i.dst[0].vgpr()][lane] = r[lane]; });
}

void bpermute(Wave& w, const Inst& i) {
  uint32_t r[kLanes];
  uint64_t exec = w.exec();
  for_lanes(exec, [&](unsigned lane) {
    unsigned from = (lane_value(w, i.src[0], lane) + static_cast<uint32_t>(i.offset)) >> 2 & 63;
    r[lane] = exec >> from & 1 ? lane_value(w, i.src[1], from) : 0;
  });
  for_lanes(exec, [&](unsigned lane) { w.vgpr[i.dst[0].vgpr()][lane] = r[lane]; });
}

void permute(Wave& w, const Inst& i) {
  uint32_t r[kLanes] = {};
  uint64_t exec = w.exec();
  for_lanes(exec, [&](unsigned lane) { // the highest writer of a lane wins
    unsigned to = (lane_value(w, i.src[0], lane) + static_cast<uint32_t>(i.offset)) >> 2 & 63;
    r[to] = lane_value(w, i.src[1], lane);
  });
  for_lanes(exec, [&](unsigned lane) { w.vgpr[i.dst[0].vgpr()][lane] = r[lane]; });
}

// M0-based forms.
void read_add_tid(Wave& w, const Inst& i) {
  each_lane(w, [&](unsigned lane) {
    Place p;
    uint64_t address =
        uint64_t{w.sgpr[isa::kM0] & 0xffff} + static_cast<uint32_t>(i.offset) + 4 * lane;
    if (lds_place(w, i, address, 4, lane, p))
      load_lane(w, info(i), p, i.dst[0].vgpr(), lane);
  });
}
void write_add_tid(Wave& w, const Inst& i) {
  each_lane(w, [&](unsigned lane) {
    Place p;
    uint64_t address =
        uint64_t{w.sgpr[isa::kM0] & 0xffff} + static_cast<uint32_t>(i.offset) + 4 * lane;
    if (lds_place(w, i, address, 4, lane, p))
      store_lane(w, info(i), p, i.src[1].vgpr(), lane);
  });
}
/// ds_append and ds_consume: one update by the number of active lanes; every lane gets the old
/// value.
template <isa::AtomicOp kOp> void append(Wave& w, const Inst& i) {
  Place p;
  if (!w.exec())
    return;
  if (!atomic_place(w, i, uint64_t{w.sgpr[isa::kM0] >> 16} + static_cast<uint32_t>(i.offset), 4, 0,
                    p))
    return;
  uint64_t old = atomic_update(Fp(w.mode), kOp, false, 4, p.pointer,
                               static_cast<uint64_t>(std::popcount(w.exec())), 0);
  for_lanes(w.exec(),
            [&](unsigned lane) { w.vgpr[i.dst[0].vgpr()][lane] = static_cast<uint32_t>(old); });
}
void conditional_exchange(Wave& w, const Inst& i) {
  each_lane(w, [&](unsigned lane) {
    Place p;
    uint64_t address = uint64_t{lane_value(w, i.src[0], lane)} + static_cast<uint32_t>(i.offset);
    if (!atomic_place(w, i, address, 8, lane, p))
      return;
    // Each half whose value has bit 31 set replaces memory, without that bit.
    for (unsigned h = 0; h < 2; ++h) {
      uint32_t v = w.vgpr[i.src[1].vgpr() + h][lane];
      auto* at = reinterpret_cast<uint32_t*>(p.pointer + 4 * h);
      uint32_t old = v >> 31 ? __atomic_exchange_n(at, v & 0x7fffffff, __ATOMIC_SEQ_CST)
                             : __atomic_load_n(at, __ATOMIC_SEQ_CST);
      w.vgpr[i.dst[0].vgpr() + h][lane] = old;
    }
  });
}

} // namespace

void bind_lds(Bodies& b) {
  for (size_t n = 1; n < isa::kOpCount; ++n) {
    const isa::Row& r = isa::row(static_cast<Op>(n));
    if (r.enc != isa::Enc::ds || r.mem.space != isa::Space::lds)
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
  b.bind(Op::ds_nop, [](Wave&, const Inst&) {});
  b.bind(Op::ds_swizzle_b32, swizzle);
  b.bind(Op::ds_permute_b32, permute);
  b.bind(Op::ds_bpermute_b32, bpermute);
  b.bind(Op::ds_read_addtid_b32, read_add_tid);
  b.bind(Op::ds_write_addtid_b32, write_add_tid);
  b.bind(Op::ds_append, append<isa::AtomicOp::add>);
  b.bind(Op::ds_consume, append<isa::AtomicOp::sub>);
  b.bind(Op::ds_condxchg32_rtn_b64, conditional_exchange);
}

} // namespace pumice::exec
