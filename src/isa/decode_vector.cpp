// SPDX-License-Identifier: MIT
// Vector encodings: VOP1, VOP2, VOPC with their SDWA and DPP forms, VOP3, VOP3P and the matrix
// instructions.
#include "isa/decode.h"

namespace pumice::isa {
namespace {

constexpr unsigned kSdwaSource = 249, kDppSource = 250;

unsigned source_count(const Row& r) {
  unsigned n = 0;
  while (n < 3 && r.src_type[n] != Type::none)
    ++n;
  return n;
}
// The fields src0, src1, src2 of the wide encodings that this row uses: accumulators, carries in
// VCC and literals that the short forms leave out are not among them for VOP2 rows, except the
// carry-in, which VOP3 names.
unsigned vop3_field_count(const Row& r) {
  if (r.enc == Enc::vop2 && (r.traits & kReadsDst))
    return 2;
  return source_count(r);
}

// neg and abs change this source.
bool has_sign_modifiers(const Row& r, unsigned i) {
  return is_float(r.src_type[i]) || (r.src_type[i] == Type::b32 && (r.mods & (1u << i)));
}

} // namespace

// Operands that the short encodings imply.
bool Decoder::implicit_operands(const Row& r) {
  if (r.dst_type[1] == Type::mask)
    out_.dst[1] = {kVccLo, 2, Type::mask};
  if (r.src_type[2] == Type::mask)
    out_.src[2] = {kVccLo, 2, Type::mask};
  if (r.enc == Enc::vop2 && (r.traits & kReadsDst)) {
    out_.src[2] = out_.dst[0];
    out_.src[2].type = r.src_type[2];
  }
  return true;
}

bool Decoder::vop1() {
  if (!begin(Enc::vop1, bits(lo_, 16, 9), 4))
    return false;
  const Row& r = row();
  unsigned src0 = bits(lo_, 8, 0), vdst = bits(lo_, 24, 17);
  if (r.src_type[0] == Type::none)
    return vdst == 0; // v_nop, v_clrexcp
  switch (out_.op) {
  case Op::v_readfirstlane_b32:
    return scalar_register(out_.dst[0], vdst, Type::b32) && src0 >= kVgpr0 &&
           vector_source(out_.src[0], src0, Type::b32, false);
  case Op::v_swap_b32:
    if (src0 < kVgpr0)
      return false;
    vgpr(out_.dst[0], vdst, Type::b32);
    vgpr(out_.dst[1], src0 - kVgpr0, Type::b32);
    out_.src[0] = out_.dst[1];
    out_.src[1] = out_.dst[0];
    return true;
  case Op::v_accvgpr_mov_b32:
    return src0 >= kVgpr0 && vgpr(out_.dst[0], vdst, Type::b32, 1, true) &&
           vgpr(out_.src[0], src0 - kVgpr0, Type::b32, 1, true);
  default:
    break;
  }
  if (!vgpr(out_.dst[0], vdst, r.dst_type[0]))
    return false;
  if (src0 == kSdwaSource)
    return has_sdwa(r) && sdwa(r, 0);
  if (src0 == kDppSource)
    return has_dpp(r) && dpp(r, 0);
  return vector_source(out_.src[0], src0, r.src_type[0], true);
}

bool Decoder::vop2() {
  if (!begin(Enc::vop2, bits(lo_, 30, 25), 4))
    return false;
  const Row& r = row();
  unsigned src0 = bits(lo_, 8, 0), vsrc1 = bits(lo_, 16, 9);
  if (!vgpr(out_.dst[0], bits(lo_, 24, 17), r.dst_type[0]) || !implicit_operands(r))
    return false;
  switch (out_.op) {
  case Op::v_madmk_f32:
  case Op::v_fmamk_f32:
  case Op::v_madmk_f16:
    if (!take_literal())
      return false;
    out_.src[1] = {kLiteral, 1, r.src_type[1]};
    return vector_source(out_.src[0], src0, r.src_type[0], true) &&
           vgpr(out_.src[2], vsrc1, r.src_type[2]);
  case Op::v_madak_f32:
  case Op::v_fmaak_f32:
  case Op::v_madak_f16:
    if (!take_literal())
      return false;
    out_.src[2] = {kLiteral, 1, r.src_type[2]};
    return vector_source(out_.src[0], src0, r.src_type[0], true) &&
           vgpr(out_.src[1], vsrc1, r.src_type[1]);
  default:
    break;
  }
  if (src0 == kSdwaSource)
    return has_sdwa(r) && sdwa(r, vsrc1);
  if (src0 == kDppSource)
    return has_dpp(r) && dpp(r, vsrc1);
  return vector_source(out_.src[0], src0, r.src_type[0], true) &&
         vgpr(out_.src[1], vsrc1, r.src_type[1]);
}

bool Decoder::vopc() {
  if (!begin(Enc::vopc, bits(lo_, 24, 17), 4))
    return false;
  const Row& r = row();
  unsigned src0 = bits(lo_, 8, 0), vsrc1 = bits(lo_, 16, 9);
  out_.dst[0] = {kVccLo, 2, Type::mask};
  if (src0 == kSdwaSource)
    return has_sdwa(r) && sdwa(r, vsrc1);
  return vector_source(out_.src[0], src0, r.src_type[0], true) &&
         vgpr(out_.src[1], vsrc1, r.src_type[1]);
}

bool Decoder::sdwa(const Row& r, unsigned vsrc1) {
  if (!has_hi_)
    return false;
  out_.size = 8;
  out_.is_sdwa = true;
  bool compare = r.enc == Enc::vopc;
  unsigned sources = r.enc == Enc::vop1 ? source_count(r) : 2;
  // A source is a VGPR, or (bit 23 / 31) any scalar source but a literal.
  auto source = [&](unsigned i, unsigned number, bool scalar) {
    return scalar ? number < kLiteral && vector_source(out_.src[i], number, r.src_type[i], false)
                  : vgpr(out_.src[i], number, r.src_type[i]);
  };
  auto select = [&](SdwaSel& s, unsigned value) {
    s = static_cast<SdwaSel>(value);
    return value <= 6;
  };
  unsigned reserved = bits(hi_, 31, 0);
  if (compare) {
    if (bit(hi_, 15) && !scalar_register(out_.dst[0], bits(hi_, 14, 8), Type::mask))
      return false;
  } else {
    unsigned unused = bits(hi_, 12, 11);
    if (unused > 2 || !select(out_.sdwa_dst, bits(hi_, 10, 8)))
      return false;
    out_.sdwa_unused = static_cast<SdwaUnused>(unused);
    out_.clamp = bit(hi_, 13);
    out_.omod = static_cast<uint8_t>(bits(hi_, 15, 14));
    if (out_.omod && !is_float(r.dst_type[0]))
      return false;
    // The fp8 conversions always write whole registers.
    if (is_fp8_conversion(out_.op)) {
      if (out_.sdwa_dst != SdwaSel::dword)
        return false;
      out_.sdwa_unused = SdwaUnused::pad;
    }
  }
  for (unsigned i = 0; i < 2; ++i) {
    unsigned field = reserved >> (16 + 8 * i) & 0xff;
    if (i >= sources) {
      if (field)
        return false;
      continue;
    }
    if (!source(i, i == 0 ? bits(hi_, 7, 0) : vsrc1, field & 0x80) ||
        !select(out_.sdwa_sel[i], field & 7))
      return false;
    bool floating = has_sign_modifiers(r, i);
    if (floating ? field & 8 : field & 0x30)
      return false;
    if (field & 8)
      out_.sdwa_sext |= 1u << i;
    if (field & 0x10)
      out_.neg |= 1u << i;
    if (field & 0x20)
      out_.abs |= 1u << i;
  }
  return true;
}

bool Decoder::dpp(const Row& r, unsigned vsrc1) {
  if (!has_hi_)
    return false;
  out_.size = 8;
  out_.is_dpp = true;
  unsigned sources = r.enc == Enc::vop1 ? source_count(r) : 2;
  out_.dpp_ctrl = static_cast<uint16_t>(bits(hi_, 16, 8));
  out_.dpp_bound_ctrl = bit(hi_, 19);
  out_.dpp_bank_mask = static_cast<uint8_t>(bits(hi_, 27, 24));
  out_.dpp_row_mask = static_cast<uint8_t>(bits(hi_, 31, 28));
  if (sources > 0 && !vgpr(out_.src[0], bits(hi_, 7, 0), r.src_type[0]))
    return false;
  if (sources > 1 && !vgpr(out_.src[1], vsrc1, r.src_type[1]))
    return false;
  for (unsigned i = 0; i < 2; ++i) {
    unsigned field = bits(hi_, 21 + 2 * i, 20 + 2 * i);
    if (!field)
      continue;
    if (i >= sources || !(r.mods & (1u << i)))
      return false;
    integer_modifiers(r, (field & 1) << i);
    if (!has_sign_modifiers(r, i))
      continue;
    if (field & 1)
      out_.neg |= 1u << i;
    if (field & 2)
      out_.abs |= 1u << i;
  }
  unsigned c = out_.dpp_ctrl;
  bool row_newbcast = c >= 0x150 && c <= 0x15f;
  if (has_64bit_operand(r))
    return row_newbcast;
  return c <= 0xff || (c >= 0x101 && c <= 0x10f) || (c >= 0x111 && c <= 0x11f) ||
         (c >= 0x121 && c <= 0x12f) || c == 0x130 || c == 0x134 || c == 0x138 || c == 0x13c ||
         (c >= 0x140 && c <= 0x143) || row_newbcast;
}

// neg (or the raw bits) of sources that have no sign: ignored, but LLVM prints neg of an integer
// source beside a float one as sext.
void Decoder::integer_modifiers(const Row& r, unsigned neg) {
  if (!is_float(r.src_type[0]) || !(r.mods & kModClamp))
    return;
  for (unsigned i = 1; i < 3; ++i)
    if (!has_sign_modifiers(r, i))
      out_.sdwa_sext |= neg & 1u << i;
}

// clamp, omod, neg, abs, op_sel of the VOP3 encoding; bits without a meaning for the row must be
// zero or are ignored as the row's Mod bits say.
bool Decoder::vop3_modifiers(const Row& r, bool has_sdst) {
  unsigned neg = bits(hi_, 31, 29), abs = has_sdst ? 0 : bits(lo_, 10, 8), sources = r.mods & 7;
  if ((neg & ~sources) || (abs & ~sources))
    return false;
  out_.clamp = bit(lo_, 15);
  out_.omod = static_cast<uint8_t>(bits(hi_, 28, 27));
  if (out_.clamp && !(r.mods & kModClamp))
    return false;
  if (out_.omod && !(r.mods & kModOmod))
    return false;
  integer_modifiers(r, neg);
  for (unsigned i = 0; i < 3; ++i)
    if (!has_sign_modifiers(r, i))
      sources &= ~(1u << i);
  out_.neg = static_cast<uint8_t>(neg & sources);
  out_.abs = static_cast<uint8_t>(abs & sources);
  if (!(r.mods & kModOpSel))
    return true;
  out_.op_sel = static_cast<uint8_t>(bits(lo_, 14, 11));
  return !(out_.op_sel & 4) || (r.mods & kModSrc2);
}

bool Decoder::vop3() {
  if (!begin(Enc::vop3, bits(lo_, 25, 16), 8))
    return false;
  const Row& r = row();
  unsigned vdst = bits(lo_, 7, 0), fields = vop3_field_count(r);
  bool has_sdst = r.dst_type[1] == Type::mask;
  unsigned field[3] = {bits(hi_, 8, 0), bits(hi_, 17, 9), bits(hi_, 26, 18)};
  if (r.dst_type[0] == Type::none)
    return vdst == 0 && bits(lo_, 15, 8) == 0 && hi_ == 0; // v_nop, v_clrexcp
  if (r.dst_type[0] == Type::mask || out_.op == Op::v_readlane_b32) {
    if (!scalar_register(out_.dst[0], vdst, r.dst_type[0]))
      return false;
  } else if (!vgpr(out_.dst[0], vdst, r.dst_type[0])) {
    return false;
  }
  if (has_sdst && !scalar_register(out_.dst[1], bits(lo_, 14, 8), Type::mask))
    return false;
  for (unsigned i = 0; i < 3; ++i) {
    if (i >= fields) {
      if (field[i])
        return false;
      continue;
    }
    if (r.src_type[i] == Type::mask) {
      if (field[i] >= kExecLo || !scalar_register(out_.src[i], field[i], Type::mask))
        return false;
    } else if (!vector_source(out_.src[i], field[i], r.src_type[i], false)) {
      return false;
    }
  }
  if (out_.op == Op::v_mqsad_u32_u8 && !out_.src[2].is_vgpr())
    return false;
  if (out_.op == Op::v_readlane_b32 && (!out_.src[0].is_vgpr() || out_.src[1].is_vgpr()))
    return false;
  if (out_.op == Op::v_writelane_b32 && (out_.src[0].is_vgpr() || out_.src[1].is_vgpr()))
    return false;
  if (r.enc == Enc::vop2 && (r.traits & kReadsDst))
    implicit_operands(r);
  return vop3_modifiers(r, has_sdst);
}

bool Decoder::accvgpr(const Row& r) {
  bool read = out_.op == Op::v_accvgpr_read_b32;
  unsigned src = bits(hi_, 8, 0);
  if (bits(lo_, 13, 8) || bits(hi_, 26, 9) || bits(hi_, 31, 29))
    return false;
  if (!vgpr(out_.dst[0], bits(lo_, 7, 0), Type::b32, 1, !read))
    return false;
  if (read)
    return src >= kVgpr0 && vgpr(out_.src[0], src - kVgpr0, Type::b32, 1, true);
  return vector_source(out_.src[0], src, Type::b32, false);
}

bool Decoder::mfma(const Row& r) {
  bool sparse = r.traits & kReadsDst, acc_cd = bit(lo_, 15);
  out_.cbsz = static_cast<uint8_t>(bits(lo_, 10, 8));
  out_.abid = static_cast<uint8_t>(bits(lo_, 14, 11));
  out_.blgp = static_cast<uint8_t>(bits(hi_, 31, 29));
  if (sparse && out_.blgp)
    return false;
  unsigned field[3] = {bits(hi_, 8, 0), bits(hi_, 17, 9), bits(hi_, 26, 18)};
  for (unsigned i = 0; i < 2; ++i) {
    if (field[i] < kVgpr0)
      return false;
    if (!vgpr(out_.src[i], field[i] - kVgpr0, r.src_type[i], type_dwords(r.src_type[i]),
              bit(hi_, 27 + i)))
      return false;
  }
  if (!vgpr(out_.dst[0], bits(lo_, 7, 0), r.dst_type[0], type_dwords(r.dst_type[0]), acc_cd))
    return false;
  if (sparse)
    return field[2] >= kVgpr0 && vgpr(out_.src[2], field[2] - kVgpr0, Type::b32);
  if (field[2] >= kVgpr0)
    return vgpr(out_.src[2], field[2] - kVgpr0, r.src_type[2], type_dwords(r.src_type[2]), acc_cd);
  // Accumulator input as an inline constant.
  out_.src[2] = {static_cast<uint16_t>(field[2]), static_cast<uint8_t>(type_dwords(r.src_type[2])),
                 r.src_type[2]};
  return out_.src[2].is_constant() && field[2] != kLiteral;
}

bool Decoder::vop3p() {
  if (!begin(Enc::vop3p, bits(lo_, 22, 16), 8))
    return false;
  const Row& r = row();
  if (r.traits & kMfma)
    return mfma(r);
  if (out_.op == Op::v_accvgpr_read_b32 || out_.op == Op::v_accvgpr_write_b32)
    return accvgpr(r);
  unsigned field[3] = {bits(hi_, 8, 0), bits(hi_, 17, 9), bits(hi_, 26, 18)},
           sources = source_count(r);
  if (!vgpr(out_.dst[0], bits(lo_, 7, 0), r.dst_type[0]))
    return false;
  for (unsigned i = 0; i < 3; ++i) {
    if (i >= sources ? field[i] != 0 : !vector_source(out_.src[i], field[i], r.src_type[i], false))
      return false;
  }
  unsigned used = (1u << sources) - 1, op_sel = bits(lo_, 13, 11), neg_hi = bits(lo_, 10, 8),
           neg = bits(hi_, 31, 29);
  unsigned op_sel_hi = bits(hi_, 28, 27) | bit(lo_, 14) << 2;
  if ((op_sel | neg_hi | neg) & ~used)
    return false;
  out_.clamp = bit(lo_, 15);
  out_.op_sel = static_cast<uint8_t>(op_sel);
  out_.op_sel_hi = static_cast<uint8_t>(op_sel_hi & used);
  out_.neg = static_cast<uint8_t>(neg);
  out_.neg_hi = static_cast<uint8_t>(neg_hi);
  return true;
}

} // namespace pumice::isa
