// SPDX-License-Identifier: MIT
// Memory encodings: SMEM, DS, FLAT/GLOBAL/SCRATCH, MUBUF, MTBUF.
#include "isa/decode.h"

namespace pumice::isa {
namespace {

int32_t sign_extend(uint32_t value, unsigned width) {
  return static_cast<int32_t>(value << (32 - width)) >> (32 - width);
}

// Loads of one element can go to LDS instead of a VGPR.
bool can_load_to_lds(const Row& r) {
  return r.mem.kind == MemKind::load && r.mem.count == 1 && !r.mem.d16;
}

} // namespace

// Floating-point atomics of gfx90a have no scc bit.
bool Decoder::unscoped_float_atomic(const Row& r) const {
  return target_ == Target::gfx90a && r.mem.kind == MemKind::atomic && r.mem.is_float;
}

bool Decoder::smem() {
  if (!begin(Enc::smem, bits(lo_, 25, 18), 8))
    return false;
  const Row& r = row();
  unsigned sdata = bits(lo_, 12, 6);
  bool atomic = r.mem.kind == MemKind::atomic;
  out_.sc0 = bit(lo_, 16) && r.mem.kind != MemKind::other;
  Type data = r.dst_type[0];
  if (r.src_type[0] == Type::none) { // s_dcache_*, s_memtime
    if (data != Type::none && !scalar_register(out_.dst[0], sdata, data))
      return false;
    return !bit(lo_, 17) && (data == Type::none || sdata != kExecLo);
  }
  // The data register is neither M0 nor EXEC.
  if (r.mem.kind != MemKind::other && (sdata == kM0 || sdata >= kExecLo))
    return false;
  if (!scalar_register(out_.src[0], bits(lo_, 5, 0) * 2, r.src_type[0]))
    return false;
  if (r.mem.kind == MemKind::load || (atomic && out_.sc0)) {
    unsigned dwords = atomic ? type_dwords(r.src_type[2]) : type_dwords(data);
    if (!scalar_register(out_.dst[0], sdata, data, dwords))
      return false;
    out_.dst[0].dwords = static_cast<uint8_t>(type_dwords(data));
  }
  if (out_.op == Op::s_atc_probe || out_.op == Op::s_atc_probe_buffer) {
    out_.simm16 = static_cast<int32_t>(sdata);
  } else if (r.src_type[2] != Type::none && !scalar_register(out_.src[2], sdata, r.src_type[2])) {
    return false;
  }
  bool imm = bit(lo_, 17), soffset = bit(lo_, 14);
  out_.offen = imm;
  if (imm)
    out_.offset = sign_extend(bits(hi_, 20, 0), 21);
  if (soffset)
    return scalar_register(out_.src[1], bits(hi_, 31, 25), Type::u32);
  return imm || scalar_register(out_.src[1], bits(hi_, 6, 0), Type::u32);
}

bool Decoder::ds() {
  if (!begin(Enc::ds, bits(lo_, 24, 17), 8))
    return false;
  const Row& r = row();
  bool acc = bit(lo_, 25);
  out_.gds = bit(lo_, 16);
  if (r.mem.space == Space::gds && !out_.gds)
    return false;
  out_.gds = r.mem.space == Space::gds; // both targets have GWS but no GDS memory
  if (out_.op == Op::ds_permute_b32 || out_.op == Op::ds_bpermute_b32) {
    if (bit(lo_, 16))
      return false;
  }
  if (r.mem.two_address) {
    out_.offset0 = static_cast<uint8_t>(bits(lo_, 7, 0));
    out_.offset1 = static_cast<uint8_t>(bits(lo_, 15, 8));
  } else {
    out_.offset = static_cast<int32_t>(bits(lo_, 15, 0));
  }
  unsigned field[3] = {bits(hi_, 7, 0), bits(hi_, 15, 8), bits(hi_, 23, 16)};
  for (unsigned i = 0; i < 3; ++i) {
    Type t = r.src_type[i];
    if (t == Type::none
            ? field[i] != 0
            : !vgpr(out_.src[i], field[i], t, type_dwords(t), (i > 0 || out_.gds) && acc))
      return false;
  }
  Type d = r.dst_type[0];
  bool registers = d != Type::none || r.src_type[0] != Type::none || r.src_type[1] != Type::none;
  if (!registers && acc)
    return false;
  if (out_.op == Op::ds_nop && (lo_ & 0x1ffff))
    return false;
  unsigned vdst = bits(hi_, 31, 24);
  return d == Type::none ? vdst == 0 : vgpr(out_.dst[0], vdst, d, type_dwords(d), acc);
}

bool Decoder::flat() {
  static constexpr Enc kSegments[4] = {Enc::flat, Enc::scratch, Enc::global, Enc::flat};
  unsigned segment = bits(lo_, 15, 14);
  if (segment == 3 || !begin(kSegments[segment], bits(lo_, 24, 18), 8))
    return false;
  const Row& r = row();
  Enc enc = out_.enc;
  bool acc = bit(hi_, 23), atomic = r.mem.kind == MemKind::atomic;
  out_.sc0 = bit(lo_, 16);
  out_.nt = bit(lo_, 17);
  out_.sc1 = bit(lo_, 25);
  if (unscoped_float_atomic(r) && out_.sc1)
    return false;
  if (bit(lo_, 13)) {
    // gfx90a: load to LDS; gfx942: scratch uses its vector address.
    if (target_ == Target::gfx942 ? enc != Enc::scratch : enc == Enc::flat || !can_load_to_lds(r))
      return false;
    out_.lds = target_ == Target::gfx90a;
  }
  out_.offset =
      enc == Enc::flat ? static_cast<int32_t>(bits(lo_, 12, 0)) : sign_extend(bits(lo_, 12, 0), 13);
  unsigned addr = bits(hi_, 7, 0), data = bits(hi_, 15, 8), saddr = bits(hi_, 22, 16),
           vdst = bits(hi_, 31, 24);
  if (enc == Enc::flat && saddr != 0)
    return false;
  bool has_saddr = enc != Enc::flat && saddr != 0x7f;
  bool has_vaddr = true;
  if (enc == Enc::scratch)
    has_vaddr = target_ == Target::gfx942 ? bit(lo_, 13) : !has_saddr;
  if (has_saddr && !scalar_register(out_.src[1], saddr, enc == Enc::global ? Type::u64 : Type::u32))
    return false;
  if (has_vaddr) {
    Type t = enc == Enc::scratch || has_saddr ? Type::u32 : Type::u64;
    if (!vgpr(out_.src[0], addr, t))
      return false;
  }
  Type t = r.src_type[2];
  if (t != Type::none && !vgpr(out_.src[2], data, t, type_dwords(t), acc))
    return false;
  bool to_lds = out_.lds || (r.mem.kind == MemKind::load && r.dst_type[0] == Type::none);
  if (to_lds && acc)
    return false;
  if (to_lds || r.dst_type[0] == Type::none || (atomic && !out_.sc0))
    return true;
  return vgpr(out_.dst[0], vdst, r.dst_type[0], type_dwords(r.dst_type[0]), acc);
}

bool Decoder::buffer_operands(const Row& r, bool acc) {
  unsigned vaddr = bits(hi_, 7, 0), vdata = bits(hi_, 15, 8), srsrc = bits(hi_, 20, 16),
           soffset = bits(hi_, 31, 24);
  unsigned addresses = unsigned(out_.offen) + unsigned(out_.idxen);
  if (addresses && !vgpr(out_.src[0], vaddr, addresses == 2 ? Type::u64 : Type::u32))
    return false;
  if (!scalar_register(out_.src[1], srsrc * 4, Type::b128))
    return false;
  if (!scalar_source(out_.src[2], soffset, Type::u32, 1, false))
    return false;
  bool atomic = r.mem.kind == MemKind::atomic;
  Type t = r.src_type[3];
  if (t != Type::none && !vgpr(out_.src[3], vdata, t, type_dwords(t), acc))
    return false;
  if (r.dst_type[0] == Type::none || out_.lds || (atomic && !out_.sc0))
    return true;
  return vgpr(out_.dst[0], vdata, r.dst_type[0], type_dwords(r.dst_type[0]), acc);
}

bool Decoder::mubuf() {
  if (!begin(Enc::mubuf, bits(lo_, 24, 18), 8))
    return false;
  const Row& r = row();
  out_.offset = static_cast<int32_t>(bits(lo_, 11, 0));
  out_.offen = bit(lo_, 12);
  out_.idxen = bit(lo_, 13);
  out_.sc0 = bit(lo_, 14);
  out_.sc1 = bit(lo_, 15);
  out_.lds = bit(lo_, 16);
  out_.nt = bit(lo_, 17);
  bool scoped = out_.sc0 || out_.sc1, acc = bit(hi_, 23);
  if (r.src_type[1] == Type::none) { // cache control
    out_.offset = 0;
    out_.nt = false;
    bool takes_scope = out_.op == Op::buffer_inv || out_.op == Op::buffer_wbl2;
    if (target_ == Target::gfx90a)
      out_.sc0 = out_.sc1 = false;
    return !out_.lds && !out_.offen && !out_.idxen && !acc && (takes_scope || !scoped);
  }
  if (unscoped_float_atomic(r) && out_.sc1)
    return false;
  if (out_.op == Op::buffer_store_lds_dword) {
    if (!out_.lds || acc || out_.offen || out_.idxen)
      return false;
  } else if (out_.lds && (!can_load_to_lds(r) || acc)) {
    return false;
  }
  return buffer_operands(r, bit(hi_, 23));
}

bool Decoder::mtbuf() {
  if (!begin(Enc::mtbuf, bits(lo_, 18, 15), 8))
    return false;
  out_.offset = static_cast<int32_t>(bits(lo_, 11, 0));
  out_.offen = bit(lo_, 12);
  out_.idxen = bit(lo_, 13);
  out_.sc0 = bit(lo_, 14);
  out_.dfmt = static_cast<uint8_t>(bits(lo_, 22, 19));
  out_.nfmt = static_cast<uint8_t>(bits(lo_, 25, 23));
  out_.sc1 = bit(hi_, 21);
  out_.nt = bit(hi_, 22);
  return buffer_operands(row(), bit(hi_, 23));
}

} // namespace pumice::isa
