// SPDX-License-Identifier: MIT
// Decoder entry, operand readers and the scalar encodings. Accepts exactly what LLVM's disassembler
// accepts without complaint, so that reserved bits and register classes are checked, except that
// misaligned SGPR tuples are aligned down as LLVM does.
#include "isa/decode.h"
#include <cstring>

namespace pumice::isa {

bool Decoder::begin(Enc enc, unsigned opcode, unsigned size) {
  out_.op = lookup(target_, enc, opcode);
  out_.enc = enc;
  out_.size = static_cast<uint8_t>(size);
  return out_.op != Op::invalid && (size == 4 || has_hi_);
}

bool Decoder::take_literal() {
  if (!has_hi_)
    return false;
  out_.literal = hi_;
  out_.size = 8;
  return true;
}

bool Decoder::scalar_register(Operand& o, unsigned code, Type t, unsigned dwords) {
  o = {static_cast<uint16_t>(code), static_cast<uint8_t>(dwords), t};
  if (code > kExecHi)
    return false;
  if (dwords == 1 || code == kNull)
    return true;
  // Tuples start at a multiple of two or four registers and stay inside their bank.
  unsigned align = dwords == 2 ? 2 : 4;
  if (code < kFlatScratchLo) {
    code -= code % align;
    if (code + dwords > kFlatScratchLo + 2)
      return false; // the last quad overlaps flat_scratch
  } else if (code >= kTtmp0 && code < kM0) {
    code -= (code - kTtmp0) % align;
    if (code + dwords > kM0)
      return false;
  } else {
    if (dwords != 2 || code % 2 || code == kM0)
      return false;
  }
  o.code = static_cast<uint16_t>(code);
  return true;
}

bool Decoder::scalar_source(Operand& o, unsigned code, Type t, unsigned dwords, bool literal) {
  if (code <= kExecHi)
    return scalar_register(o, code, t, dwords);
  o = {static_cast<uint16_t>(code), static_cast<uint8_t>(dwords), t};
  if (dwords > 2)
    return false;
  if (code == kLiteral)
    return literal && take_literal();
  if (o.is_constant())
    return true;
  return (code >= kSharedBase && code <= kPopsWaveId) || (code >= kVccz && code <= kScc);
}

bool Decoder::vgpr(Operand& o, unsigned number, Type t, unsigned dwords, bool acc) {
  o = {static_cast<uint16_t>((acc ? kAgpr0 : kVgpr0) + number), static_cast<uint8_t>(dwords), t};
  return number + dwords <= 256; // hardware wants even tuples, LLVM takes any
}

bool Decoder::vector_source(Operand& o, unsigned code, Type t, bool literal) {
  if (code >= kVgpr0)
    return vgpr(o, code - kVgpr0, t);
  if (code == kLdsDirect && type_dwords(t) == 1) {
    o = {kLdsDirect, 1, t};
    return true;
  }
  return scalar_source(o, code, t, type_dwords(t), literal);
}

bool Decoder::sop1() {
  if (!begin(Enc::sop1, bits(lo_, 15, 8), 4))
    return false;
  const Row& r = row();
  if (r.dst_type[0] != Type::none &&
      !scalar_register(out_.dst[0], bits(lo_, 22, 16), r.dst_type[0]))
    return false;
  unsigned ssrc = bits(lo_, 7, 0);
  switch (out_.op) { // no constants
  case Op::s_setpc_b64:
  case Op::s_rfe_b64:
  case Op::s_cbranch_join:
  case Op::s_movrels_b32:
  case Op::s_movrels_b64:
    return scalar_source(out_.src[0], ssrc, r.src_type[0]) && !out_.src[0].is_constant();
  default:
    return r.src_type[0] == Type::none || scalar_source(out_.src[0], ssrc, r.src_type[0]);
  }
}

bool Decoder::sop2() {
  if (!begin(Enc::sop2, bits(lo_, 29, 23), 4))
    return false;
  const Row& r = row();
  if (r.dst_type[0] != Type::none &&
      !scalar_register(out_.dst[0], bits(lo_, 22, 16), r.dst_type[0]))
    return false;
  return scalar_source(out_.src[0], bits(lo_, 7, 0), r.src_type[0]) &&
         scalar_source(out_.src[1], bits(lo_, 15, 8), r.src_type[1]);
}

bool Decoder::sopk() {
  if (!begin(Enc::sopk, bits(lo_, 27, 23), 4))
    return false;
  const Row& r = row();
  out_.simm16 = static_cast<int16_t>(lo_);
  if (out_.op == Op::s_setreg_imm32_b32) {
    out_.src[0] = {kLiteral, 1, Type::b32};
    return take_literal();
  }
  if (r.dst_type[0] != Type::none)
    return scalar_register(out_.dst[0], bits(lo_, 22, 16), r.dst_type[0]);
  return scalar_register(out_.src[0], bits(lo_, 22, 16), r.src_type[0]);
}

bool Decoder::sopc() {
  if (!begin(Enc::sopc, bits(lo_, 22, 16), 4))
    return false;
  const Row& r = row();
  if (!scalar_source(out_.src[0], bits(lo_, 7, 0), r.src_type[0]))
    return false;
  if (out_.op == Op::s_set_gpr_idx_on) { // the second field is the mode itself
    out_.simm16 = static_cast<int32_t>(bits(lo_, 15, 8));
    return true;
  }
  return scalar_source(out_.src[1], bits(lo_, 15, 8), r.src_type[1]);
}

bool Decoder::sopp() {
  if (!begin(Enc::sopp, bits(lo_, 22, 16), 4))
    return false;
  out_.simm16 = static_cast<int16_t>(lo_);
  switch (out_.op) { // no immediate
  case Op::s_barrier:
  case Op::s_wakeup:
  case Op::s_icache_inv:
  case Op::s_ttracedata:
  case Op::s_endpgm_saved:
  case Op::s_set_gpr_idx_off:
  case Op::s_endpgm_ordered_ps_done:
    return out_.simm16 == 0;
  default:
    return true;
  }
}

bool Decoder::run() {
  if (!bit(lo_, 31)) {
    switch (bits(lo_, 30, 25)) {
    case 0x3f:
      return vop1();
    case 0x3e:
      return vopc();
    default:
      return vop2();
    }
  }
  if (bits(lo_, 31, 30) == 2) {
    switch (bits(lo_, 31, 23)) {
    case 0x17d:
      return sop1();
    case 0x17e:
      return sopc();
    case 0x17f:
      return sopp();
    default:
      return bits(lo_, 31, 28) == 0xb ? sopk() : sop2();
    }
  }
  switch (bits(lo_, 31, 26)) {
  case 0x30:
    return smem();
  case 0x34:
    return bits(lo_, 25, 23) == 7 ? vop3p() : vop3();
  case 0x36:
    return ds();
  case 0x37:
    return flat();
  case 0x38:
    return mubuf();
  case 0x3a:
    return mtbuf();
  default:
    return false; // exports and images do not exist on these targets
  }
}

bool decode(Target target, const uint8_t* code, size_t size_bytes, Inst& out) {
  if (size_bytes < 4)
    return false;
  uint32_t lo, hi = 0;
  std::memcpy(&lo, code, 4);
  if (size_bytes >= 8)
    std::memcpy(&hi, code + 4, 4);
  out = Inst{};
  return Decoder(target, lo, hi, size_bytes >= 8, out).run();
}

} // namespace pumice::isa
