// SPDX-License-Identifier: MIT
// Disassembler text of the vector encodings.
#include "isa/disasm_printer.h"

namespace pumice::isa {

void Printer::vector_suffix() {
  bool short_form = r_.enc == Enc::vop1 || r_.enc == Enc::vop2 || r_.enc == Enc::vopc;
  if (i_.is_sdwa)
    return name("_sdwa");
  if (i_.is_dpp)
    return name("_dpp");
  if (!short_form || (r_.traits & kOnlyE32 && i_.op != Op::v_pk_fmac_f16) ||
      r_.dst_type[0] == Type::none)
    return name();
  name(i_.enc == Enc::vop3 ? "_e64" : "_e32");
}

void Printer::output_modifiers() {
  static constexpr const char* kOmod[4] = {"", " mul:2", " mul:4", " div:2"};
  flag(i_.clamp, " clamp");
  text_ += kOmod[i_.omod & 3];
}

void Printer::vector() {
  vector_suffix();
  if (i_.dst[0].present())
    operand(i_.dst[0]);
  if (i_.dst[1].present() && i_.op != Op::v_swap_b32)
    operand(i_.dst[1]);
  bool hidden_accumulator = r_.enc == Enc::vop2 && (r_.traits & kReadsDst);
  unsigned sources = 0;
  for (unsigned n = 0; n < 3; ++n) {
    if (!i_.src[n].present() || (hidden_accumulator && n == 2) ||
        (i_.op == Op::v_swap_b32 && n == 1))
      continue;
    bool k_literal = i_.src[n].code == kLiteral && (r_.traits & kOnlyE32) &&
                     (n == 2 || (n == 1 && r_.op != Op::v_pk_fmac_f16));
    item(k_literal ? hex(i_.literal) : source_text(n));
    ++sources;
  }
  if (i_.is_sdwa) {
    static constexpr const char* kSel[7] = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3",
                                            "WORD_0", "WORD_1", "DWORD"};
    static constexpr const char* kUnused[3] = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"};
    output_modifiers();
    auto sel = [&](SdwaSel s) { text_ += kSel[static_cast<unsigned>(s)]; };
    if (r_.enc != Enc::vopc && !is_fp8_conversion(i_.op)) {
      text_ += " dst_sel:", sel(i_.sdwa_dst);
      text_ += " dst_unused:", text_ += kUnused[static_cast<unsigned>(i_.sdwa_unused)];
    }
    if (i_.src[0].present())
      text_ += " src0_sel:", sel(i_.sdwa_sel[0]);
    if (r_.enc != Enc::vop1)
      text_ += " src1_sel:", sel(i_.sdwa_sel[1]);
  } else if (i_.is_dpp) {
    text_ += ' ' + dpp_ctrl_text(i_.dpp_ctrl) + " row_mask:" + hex(i_.dpp_row_mask) +
             " bank_mask:" + hex(i_.dpp_bank_mask);
    flag(i_.dpp_bound_ctrl, " bound_ctrl:1");
  } else {
    unsigned shown = r_.mods & kModSrc2 ? 3 : sources;
    if (i_.op_sel)
      list(" op_sel:", (i_.op_sel & 7) | (i_.op_sel & 8) >> (3 - shown), shown + 1);
    output_modifiers();
  }
}

void Printer::vop3p() {
  if (r_.traits & kMfma)
    return mfma();
  name();
  operand(i_.dst[0]);
  bool mix =
      i_.op == Op::v_fma_mix_f32 || i_.op == Op::v_fma_mixlo_f16 || i_.op == Op::v_fma_mixhi_f16;
  bool accvgpr = i_.op == Op::v_accvgpr_read_b32 || i_.op == Op::v_accvgpr_write_b32;
  unsigned sources = 0;
  for (; sources < 3 && i_.src[sources].present(); ++sources) {
    if (!mix) {
      operand(i_.src[sources]);
      continue;
    }
    Inst shown = i_; // neg_hi is abs here
    shown.abs = i_.neg_hi;
    item(Printer(target_, shown).source_text(sources));
  }
  if (accvgpr)
    return;
  unsigned all = (1u << sources) - 1;
  if (i_.op_sel)
    list(" op_sel:", i_.op_sel, sources);
  if (i_.op_sel_hi != (mix ? 0 : all))
    list(" op_sel_hi:", i_.op_sel_hi, sources);
  if (!mix && i_.neg)
    list(" neg_lo:", i_.neg, sources);
  if (!mix && i_.neg_hi)
    list(" neg_hi:", i_.neg_hi, sources);
  flag(i_.clamp, " clamp");
}

void Printer::mfma() {
  name();
  operand(i_.dst[0]);
  for (unsigned n = 0; n < 3; ++n)
    operand(i_.src[n]);
  if (i_.cbsz)
    text_ += " cbsz:" + std::to_string(i_.cbsz);
  if (i_.abid)
    text_ += " abid:" + std::to_string(i_.abid);
  bool f64_neg = target_ == Target::gfx942 && r_.src_type[0] == Type::f64;
  if (i_.blgp && f64_neg)
    list(" neg:", i_.blgp, 3);
  else if (i_.blgp)
    text_ += " blgp:" + std::to_string(i_.blgp);
}

} // namespace pumice::isa
