// SPDX-License-Identifier: MIT
// Random memory accesses: an address inside the wave's own memory, then the access. Lanes that write stay apart, so that
// no result depends on the order of lanes.
#include "generator.h"
#include <algorithm>
#include <bit>
#include <string_view>

namespace pumice::test {

using isa::Enc;
using isa::MemKind;
using isa::Op;
using isa::Row;
using isa::Target;

/// v34 = a byte offset in [0, region - bytes] of every lane.
void Generator::offset_in(uint32_t region, uint32_t bytes, uint32_t align, bool lanes_apart) {
  uint32_t form = below(3);
  if (form == 0) { // affine
    static constexpr uint32_t kStrides[] = {0, 1, 2, 4, 8, 12, 16, 20, 24, 32, 48, 64};
    std::vector<uint32_t> fit;
    for (uint32_t s : kStrides)
      if (s % align == 0 && 63 * s + bytes <= region && (!lanes_apart || s >= bytes)) fit.push_back(s);
    if (!fit.empty()) {
      uint32_t s = fit[below(static_cast<uint32_t>(fit.size()))], room = region - bytes - 63 * s, c = below(room + 1) / align * align;
      if (std::has_single_bit(s) && coin()) e_.vop2("v_lshlrev_b32", kTempV, imm(std::countr_zero(s)), 1);
      else e_.vop2("v_mul_u32_u24", kTempV, imm(static_cast<int>(s)), 1);
      if (coin()) { // descending lanes
        e_.mov_v(kTempV + 1, 63 * s + c);
        e_.vop2("v_sub_u32", kTempV, V(kTempV + 1), kTempV);
      } else if (c) {
        e_.vop2("v_add_u32", kTempV, kLit, kTempV), e_.word(c);
      }
      return;
    }
  }
  if (form == 1 && !lanes_apart) { // the same in all lanes
    uint32_t mask = (std::bit_floor(region - bytes + 1) - 1) & ~(align - 1);
    e_.sop2("s_and_b32", kTempS, kWorkS0 + below(30), kLit), e_.word(mask);
    e_.vop1("v_mov_b32", kTempV, kTempS);
    return;
  }
  uint32_t slot = lanes_apart ? region / 64 : region, most = slot - bytes;
  uint32_t mask = (std::bit_floor(most + 1) - 1) & ~(align - 1);
  e_.vop2("v_and_b32", kTempV, kLit, vgpr()), e_.word(mask);
  if (!lanes_apart) return;
  e_.vop2("v_mul_u32_u24", kTempV + 1, imm(static_cast<int>(slot)), 1);
  e_.vop2("v_add_u32", kTempV, V(kTempV), kTempV + 1);
}

unsigned Generator::data_registers(unsigned dwords) {
  unsigned v = kWorkV0 + below(kWorkVEnd - kWorkV0 - std::max(dwords, 1u) + 1);
  return dwords > 1 ? v & ~1u : v;
}

/// v[36:37] = base (an SGPR pair, or only its upper half) + v34.
void Generator::pair_address(unsigned base_s, bool add_base) {
  if (!add_base) {
    e_.vop1("v_mov_b32", 36, V(kTempV));
    e_.vop1("v_mov_b32", 37, base_s + 1);
  } else if (p_.target == Target::gfx942 && coin()) {
    e_.vop1("v_mov_b32", kTempV + 1, imm(0));
    e_.vop3("v_lshl_add_u64", 36, V(kTempV), imm(0), base_s);
  } else {
    e_.vop1("v_mov_b32", 37, base_s + 1);
    e_.vop3("v_add_co_u32", 36, base_s, V(kTempV), 0, kTempS);
    e_.vop3("v_addc_co_u32", 37, imm(0), V(37), kTempS, kTempS);
  }
}

void Generator::flat_or_global(const Row& r) {
  const isa::MemInfo& m = r.mem;
  bool atomic = m.kind == MemKind::atomic, writes = m.kind != MemKind::load;
  uint32_t bytes = atomic ? m.elem_bytes : m.elem_bytes < 4 ? m.elem_bytes : m.count * 4u;
  uint32_t align = atomic ? bytes : coin() ? std::min(bytes, 4u) : 1;
  unsigned dst = data_registers(isa::type_dwords(r.dst_type[0])), data = data_registers(isa::type_dwords(r.src_type[2]));
  uint32_t bits = atomic && coin() ? 1u << 16 : 0, op = static_cast<uint32_t>(r.opcode[static_cast<int>(p_.target)]);
  if (r.enc == Enc::global) {
    offset_in(kMemRegion, bytes, align, writes);
    uint32_t offset = (below(2048) - 1024) / align * align;
    if (coin()) {
      e_.flat(op, 2, kTempV, kMemS, data, dst, offset, bits);
    } else {
      pair_address(kMemS, true);
      e_.flat(op, 2, 36, 0x7f, data, dst, offset, bits);
    }
  } else {
    uint32_t where = below(4);
    bool float_lds = m.is_float && atomic; // not all of them exist on LDS
    if (where == 0 && lds_ && !float_lds) {
      offset_in(kLdsRegion, bytes, align, writes);
      e_.vop2("v_add_u32", kTempV, kLdsS, kTempV);
      pair_address(kSharedS, false);
      e_.flat(op, 0, 36, 0, data, dst, below(512) / align * align, bits);
    } else if (where == 1 && private_memory_ && !atomic) {
      offset_in(kPrivateBytes - 16, bytes, align, false);
      pair_address(kPrivateS, false);
      e_.flat(op, 0, 36, 0, data, dst, below(17) / align * align, bits);
    } else {
      offset_in(kMemRegion, bytes, align, writes);
      pair_address(kMemS, true);
      e_.flat(op, 0, 36, 0, data, dst, below(1024) / align * align, bits);
    }
  }
  e_.wait();
}

void Generator::scratch(const Row& r) {
  if (!private_memory_) return;
  const isa::MemInfo& m = r.mem;
  uint32_t bytes = m.elem_bytes < 4 ? m.elem_bytes : m.count * 4u, align = coin() ? std::min(bytes, 4u) : 1;
  unsigned dst = data_registers(isa::type_dwords(r.dst_type[0])), data = data_registers(isa::type_dwords(r.src_type[2]));
  uint32_t op = static_cast<uint32_t>(r.opcode[static_cast<int>(p_.target)]);
  uint32_t offset = below(17) / align * align;
  bool sve = p_.target == Target::gfx942;
  if (coin()) {
    offset_in(kPrivateBytes - 16, bytes, align, false);
    e_.flat(op, 1, kTempV, 0x7f, data, dst, offset, sve ? 0x2000 : 0);
  } else {
    e_.sop2("s_and_b32", kTempS, kWorkS0 + below(30), imm(32 - static_cast<int>(bytes) >= 16 ? 12 : 4));
    e_.flat(op, 1, 0, kTempS, data, dst, offset);
  }
  e_.wait();
}

void Generator::lds(const Row& r) {
  const isa::MemInfo& m = r.mem;
  uint32_t op = static_cast<uint32_t>(r.opcode[static_cast<int>(p_.target)]);
  unsigned dst = data_registers(isa::type_dwords(r.dst_type[0])), d0 = data_registers(isa::type_dwords(r.src_type[1])),
           d1 = r.src_type[2] == isa::Type::none ? 0 : data_registers(isa::type_dwords(r.src_type[2]));
  unsigned used_d0 = r.src_type[1] == isa::Type::none ? 0 : d0, used_dst = r.dst_type[0] == isa::Type::none ? 0 : dst;
  if (r.op == Op::ds_swizzle_b32 || r.op == Op::ds_permute_b32 || r.op == Op::ds_bpermute_b32) {
    bool swizzle = r.op == Op::ds_swizzle_b32;
    unsigned address = vgpr();
    uint32_t offset = swizzle ? (coin() ? 0x8000 | below(256) : below(0x8000)) : coin() ? 0 : 4 * below(64);
    if (r.op == Op::ds_permute_b32) { // two lanes to one place have no order
      e_.vop2("v_xor_b32", kTempV, imm(static_cast<int>(below(64))), 1);
      e_.vop2("v_lshlrev_b32", kTempV, imm(2), kTempV);
      address = kTempV;
    }
    e_.ds(op, address, swizzle ? 0 : d0, 0, dst, offset);
    return e_.wait();
  }
  if (!lds_ || m.space == isa::Space::gds || m.kind == MemKind::none || r.op == Op::ds_nop) return;
  if (r.traits & isa::kReadsM0) { // M0 is an address
    bool counts = r.op == Op::ds_append || r.op == Op::ds_consume;
    e_.sop1("s_mov_b32", isa::kM0, kLdsS);
    if (counts) e_.sop2("s_lshl_b32", isa::kM0, isa::kM0, imm(16));
    e_.ds(op, 0, used_d0, 0, used_dst, 4 * below(64));
    return e_.wait();
  }
  bool atomic = m.kind == MemKind::atomic, writes = m.kind != MemKind::load;
  uint32_t elem = atomic ? m.elem_bytes : m.elem_bytes < 4 ? m.elem_bytes : m.two_address ? m.elem_bytes : m.count * 4u;
  if (m.two_address) {
    uint32_t o0 = 0, o1 = 1;
    if (!writes) o0 = below(m.stride64 ? 2 : 16), o1 = below(m.stride64 ? 2 : 16);
    else if (coin()) std::swap(o0, o1);
    if (m.stride64 && writes) { // elements of a lane 64 apart: lanes next to each other
      e_.vop2("v_mul_u32_u24", kTempV, imm(static_cast<int>(elem)), 1);
    } else {
      offset_in(kLdsRegion, writes ? 2 * elem : elem, atomic ? elem : coin() ? std::min(elem, 4u) : 1, writes);
    }
    e_.vop2("v_add_u32", kTempV, kLdsS, kTempV);
    e_.ds(op, kTempV, used_d0, d1, used_dst, o0 | o1 << 8);
  } else {
    uint32_t align = atomic ? elem : coin() ? std::min(elem, 4u) : 1;
    offset_in(kLdsRegion, elem, align, writes);
    e_.vop2("v_add_u32", kTempV, kLdsS, kTempV);
    e_.ds(op, kTempV, used_d0, d1, used_dst, below(1024) / align * align);
  }
  e_.wait();
}

void Generator::buffer(const Row& r) {
  const isa::MemInfo& m = r.mem;
  bool atomic = m.kind == MemKind::atomic, writes = m.kind == MemKind::store || atomic;
  if (m.kind != MemKind::load && !writes) return;
  uint32_t bytes = atomic ? m.elem_bytes : m.elem_bytes < 4 ? m.elem_bytes : m.count * 4u;
  if (std::string_view(r.mnemonic).find("format") != std::string_view::npos) bytes = 16;
  uint32_t align = 4;
  uint32_t op = static_cast<uint32_t>(r.opcode[static_cast<int>(p_.target)]);
  unsigned data = data_registers(std::max(isa::type_dwords(r.dst_type[0]), isa::type_dwords(r.src_type[3])));
  uint32_t bits = 1u << 12 | (atomic && coin() ? 1u << 14 : 0);
  align = std::max(align, atomic ? bytes : 4u);
  offset_in(kMemRegion, bytes, align, writes);
  // Now and then beyond the end: reads give zero, writes vanish.
  uint32_t offset = below(4) == 0 ? below(4096) / align * align : below(1024) / align * align;
  e_.mubuf(op, kTempV, data, kBufferS, imm(static_cast<int>(below(2) * 8)), offset, bits);
  e_.wait();
}

void Generator::scalar_memory(const Row& r) {
  if (r.mem.kind != MemKind::load) return;
  std::string_view name = r.mnemonic;
  if (name.find("scratch") != std::string_view::npos) return;
  unsigned n = r.mem.count, align = n == 1 ? 1 : n == 2 ? 2 : 4;
  unsigned lowest = (kWorkS0 + align - 1) / align * align, places = (kWorkSEnd - n - lowest) / align + 1;
  unsigned d = lowest + align * below(places);
  bool buffer = name.find("buffer") != std::string_view::npos;
  uint32_t op = static_cast<uint32_t>(r.opcode[static_cast<int>(p_.target)]);
  unsigned base = buffer ? kBufferS : coin() ? kInS : kMemS;
  if (base != kInS) { // the scalar cache knows nothing of vector stores
    e_.word(0xc0000000u | e_.opcode("s_dcache_inv") << 18), e_.word(0);
    e_.wait();
  }
  if (coin()) {
    e_.word(0xc0020000u | op << 18 | d << 6 | base / 2);
    e_.word(4 * below(1000));
  } else {
    e_.sop2("s_and_b32", kTempS, kWorkS0 + below(30), kLit), e_.word(0xffc);
    e_.word(0xc0000000u | op << 18 | d << 6 | base / 2);
    e_.word(kTempS);
  }
  e_.wait();
}

/// Reads or writes the vector register that a scalar chooses, as clang does for dynamic indices.
void Generator::indexed_move() {
  e_.sop2("s_and_b32", kTempS, kWorkS0 + below(30), imm(7));
  bool source = coin();
  e_.word(0xbf000000u | e_.opcode("s_set_gpr_idx_on") << 16 | (source ? 1u : 8u) << 8 | kTempS);
  e_.vop1("v_mov_b32", kWorkV0 + below(24), V(kWorkV0 + below(24)));
  e_.sopp("s_set_gpr_idx_off");
}

void Generator::memory() {
  if (memory_.empty()) return;
  // Encodings first, so that rare ones come up.
  static constexpr Enc kKinds[] = {Enc::global, Enc::global, Enc::ds, Enc::ds, Enc::flat, Enc::scratch, Enc::smem, Enc::mubuf};
  Enc wanted = kKinds[below(8)];
  std::vector<const Row*> rows;
  for (const Row* r : memory_)
    if (r->enc == wanted) rows.push_back(r);
  if (rows.empty()) rows = memory_;
  const Row& r = *rows[below(static_cast<uint32_t>(rows.size()))];
  // Loads to LDS take M0 and have no register result; not here.
  if ((r.enc == Enc::global || r.enc == Enc::scratch) && (r.traits & isa::kReadsM0)) return;
  switch (r.enc) {
  case Enc::flat: case Enc::global: return flat_or_global(r);
  case Enc::scratch: return scratch(r);
  case Enc::ds: return lds(r);
  case Enc::smem: return scalar_memory(r);
  case Enc::mubuf: return buffer(r);
  default: return;
  }
}

} // namespace pumice::test
