// SPDX-License-Identifier: MIT
// MUBUF loads, stores and atomics: raw and structured buffers with range checks, and the swizzled
// descriptors that clang uses for the gfx90a stack, which address the wave's private segment.
// Format conversions are not implemented.
#include "exec/memory.h"

namespace pumice::exec {
namespace {

using isa::Enc;
using isa::MemInfo;
using isa::MemKind;

/// The 128-bit buffer descriptor.
struct Descriptor {
  uint64_t base;
  uint32_t stride, records;
  bool swizzled; // swizzle or add-thread-id: the private segment
  Descriptor(const Wave& w, const Operand& o) {
    const uint32_t* d = &w.sgpr[o.code];
    base = d[0] | static_cast<uint64_t>(d[1] & 0xffff) << 32;
    if (base >> 47)
      base |= 0xffff000000000000;
    stride = d[1] >> 16 & 0x3fff;
    records = d[2];
    swizzled = d[1] >> 31 || (d[3] >> 23 & 1);
  }
};

/// Resolves the lane's address; out-of-range places read zero and drop writes. False after a fault.
bool place(Wave& w, const Inst& i, const Descriptor& d, unsigned bytes, unsigned lane, Place& p) {
  uint32_t offset = static_cast<uint32_t>(i.offset), index = 0,
           soffset = static_cast<uint32_t>(read_scalar(w, i, i.src[2]));
  unsigned vaddr = i.src[0].present() ? i.src[0].vgpr() : 0;
  if (i.idxen)
    index = w.vgpr[vaddr++][lane];
  if (i.offen)
    offset += w.vgpr[vaddr][lane];
  // The stack pointer counts bytes of the whole wave: 64 lanes.
  if (d.swizzled)
    return scratch_place(w, i, uint64_t{offset} + soffset / kLanes, bytes, lane, p);
  bool structured = d.stride != 0 && i.idxen;
  bool outside = structured
                     ? index >= d.records || offset + uint64_t{bytes} > d.stride
                     : uint64_t{offset} + uint64_t{index} * d.stride + bytes + soffset > d.records;
  if (outside) {
    p = {};
    return true;
  }
  p = global_place(d.base + soffset + uint64_t{index} * d.stride + offset);
  return true;
}

template <class F> void each_lane(Wave& w, const Inst& i, unsigned bytes, F f) {
  Descriptor d(w, i.src[1]);
  for_lanes(w.exec(), [&](unsigned lane) {
    Place p;
    if (w.status != WaveStatus::faulted && place(w, i, d, bytes, lane, p))
      f(lane, p);
  });
}

void load(Wave& w, const Inst& i) {
  const MemInfo& m = isa::row(i.op).mem;
  each_lane(w, i, bytes_moved(m), [&](unsigned lane, const Place& p) {
    if (i.dst[0].present())
      return load_lane(w, m, p, i.dst[0].vgpr(), lane);
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
            [&](unsigned lane, const Place& p) { store_lane(w, m, p, i.src[3].vgpr(), lane); });
}

void atomic(Wave& w, const Inst& i) {
  const MemInfo& m = isa::row(i.op).mem;
  unsigned bytes = m.elem_bytes, data = i.src[3].vgpr();
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

void bind_buffer(Bodies& b) {
  for (size_t n = 1; n < isa::kOpCount; ++n) {
    const isa::Row& r = isa::row(static_cast<Op>(n));
    if (r.enc != Enc::mubuf)
      continue;
    switch (r.mem.kind) {
    case MemKind::load:
      if (r.mem.elem_bytes)
        b.bind(r.op, load);
      break;
    case MemKind::store:
      if (r.mem.elem_bytes)
        b.bind(r.op, store);
      break;
    case MemKind::atomic:
      b.bind(r.op, atomic);
      break;
    default:
      break;
    }
  }
  // Caches are coherent here.
  for (Op op : {Op::buffer_wbl2, Op::buffer_invl2, Op::buffer_inv, Op::buffer_wbinvl1,
                Op::buffer_wbinvl1_vol})
    b.bind(op, [](Wave&, const Inst&) {});
}

} // namespace pumice::exec
