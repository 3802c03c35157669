// SPDX-License-Identifier: MIT
// Scalar memory: loads, stores, atomics, clocks. Addresses are dword-aligned by dropping their low
// bits.
#include "exec/memory.h"
#include <chrono>
#include <cstring>

namespace pumice::exec {
namespace {

using isa::MemInfo;
using isa::MemKind;

struct Target {
  uint64_t address;
  uint64_t limit; // bytes from the address that are inside a buffer; ~0 for plain addresses
};

Target target_of(const Wave& w, const Inst& i) {
  uint64_t offset = i.src[1].present() ? read_scalar(w, i, i.src[1]) : 0;
  offset += static_cast<uint64_t>(static_cast<int64_t>(i.offset));
  uint64_t base = w.sgpr[i.src[0].code] | static_cast<uint64_t>(w.sgpr[i.src[0].code + 1]) << 32;
  if (i.src[0].dwords != 4)
    return {(base + offset) & ~uint64_t{3}, ~uint64_t{0}};
  // Buffer: 48-bit base, range in bytes (records of `stride` bytes).
  uint32_t stride = static_cast<uint32_t>(base >> 48) & 0x3fff, records = w.sgpr[i.src[0].code + 2];
  uint64_t range = stride ? uint64_t{records} * stride : records;
  offset &= ~uint64_t{3};
  base &= 0xfffffffffffc;
  return {base + offset, offset < range ? range - offset : 0};
}

void load(Wave& w, const Inst& i) {
  Target t = target_of(w, i);
  uint32_t v[16] = {};
  unsigned count = i.dst[0].dwords;
  for (unsigned n = 0; n < count; ++n)
    if (4 * n + 4 <= t.limit)
      v[n] = __atomic_load_n(reinterpret_cast<uint32_t*>(t.address + 4 * n), __ATOMIC_RELAXED);
  if (i.dst[0].code == isa::kNull)
    return;
  for (unsigned n = 0; n < count && i.dst[0].code + n < 128u; ++n)
    w.sgpr[i.dst[0].code + n] = v[n];
}

void store(Wave& w, const Inst& i) {
  Target t = target_of(w, i);
  for (unsigned n = 0; n < i.src[2].dwords; ++n)
    if (4 * n + 4 <= t.limit)
      __atomic_store_n(reinterpret_cast<uint32_t*>(t.address + 4 * n), w.sgpr[i.src[2].code + n],
                       __ATOMIC_RELAXED);
}

void atomic(Wave& w, const Inst& i) {
  const MemInfo& m = isa::row(i.op).mem;
  Target t = target_of(w, i);
  unsigned bytes = m.elem_bytes;
  if (t.limit < bytes)
    return;
  if (t.address % bytes)
    return fault(w, i, FaultKind::misaligned, t.address);
  auto data = [&](unsigned at) {
    uint64_t v = w.sgpr[i.src[2].code + at];
    return bytes == 8 ? v | static_cast<uint64_t>(w.sgpr[i.src[2].code + at + 1]) << 32 : v;
  };
  uint64_t compare = m.atomic == isa::AtomicOp::cmpswap ? data(bytes / 4) : 0;
  uint64_t old = atomic_update(Fp(w.mode), m.atomic, false, bytes,
                               reinterpret_cast<uint8_t*>(t.address), data(0), compare);
  if (i.dst[0].present())
    write_scalar(w, i.dst[0], old);
}

uint64_t nanoseconds() {
  auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

} // namespace

void bind_smem(Bodies& b) {
  for (size_t n = 1; n < isa::kOpCount; ++n) {
    const isa::Row& r = isa::row(static_cast<Op>(n));
    if (r.enc != isa::Enc::smem || std::strncmp(r.mnemonic, "s_scratch", 9) == 0)
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
  for (Op op :
       {Op::s_dcache_inv, Op::s_dcache_wb, Op::s_dcache_inv_vol, Op::s_dcache_wb_vol,
        Op::s_dcache_discard, Op::s_dcache_discard_x2, Op::s_atc_probe, Op::s_atc_probe_buffer})
    b.bind(op, [](Wave&, const Inst&) {});
  // The core clock is taken as 1 GHz; the real-time counter runs at 100 MHz.
  b.bind(Op::s_memtime, [](Wave& w, const Inst& i) { write_scalar(w, i.dst[0], nanoseconds()); });
  b.bind(Op::s_memrealtime,
         [](Wave& w, const Inst& i) { write_scalar(w, i.dst[0], nanoseconds() / 10); });
}

} // namespace pumice::exec
