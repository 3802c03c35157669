// SPDX-License-Identifier: MIT
// Disassembler text, equal to llvm-objdump's. One printer per encoding on top of operand and
// modifier printers.
#include "isa/disasm.h"

namespace pumice::isa {
namespace {

class Printer {
public:
  Printer(Target target, const Inst& inst) : target_(target), i_(inst), r_(isa::row(inst.op)) {}
  std::string run();

private:
  void scalar();
  void smem();
  void vector();
  void vop3p();
  void mfma();
  void ds();
  void flat();
  void buffer();

  void name(const char* suffix = "") { text_ += r_.mnemonic, text_ += suffix; }
  /// Starts the next operand: blank after the mnemonic, comma after another operand.
  void next() {
    text_ += first_ ? " " : ", ";
    first_ = false;
  }
  void item(const std::string& s) { next(), text_ += s; }
  void operand(const Operand& o) { item(operand_text(o)); }
  void flag(bool on, const char* s) {
    if (on)
      text_ += s;
  }
  std::string operand_text(const Operand& o) const;
  std::string constant_text(const Operand& o) const;
  std::string source_text(unsigned index) const;
  void list(const char* label, unsigned value, unsigned count);
  void cache_flags();
  void vector_suffix();
  void output_modifiers();

  Target target_;
  const Inst& i_;
  const Row& r_;
  std::string text_;
  bool first_ = true;
};

// Width in which a constant of this type is shown.
unsigned value_bits(Type t) {
  switch (t) {
  case Type::b16:
  case Type::f16:
  case Type::i16:
  case Type::u16:
  case Type::bf16:
    return 16;
  case Type::b64:
  case Type::f64:
  case Type::i64:
  case Type::u64:
  case Type::mask:
  case Type::b256:
    return 64;
  default:
    return 32;
  }
}

std::string small_or_hex(unsigned k) {
  return k <= 64 ? std::to_string(k) : hex(k);
}

std::string range(const char* bank, unsigned first, unsigned dwords) {
  std::string text = bank;
  if (dwords == 1)
    return text + std::to_string(first);
  return text + '[' + std::to_string(first) + ':' + std::to_string(first + dwords - 1) + ']';
}

// Values that have an inline encoding print as that constant even when they came as a literal.
std::string Printer::constant_text(const Operand& o) const {
  static constexpr const char* kFloats[9] = {"0.5",  "-0.5", "1.0",  "-1.0",      "2.0",
                                             "-2.0", "4.0",  "-4.0", "0.15915494"};
  uint64_t value = constant_bits(i_, o);
  bool wide = value_bits(o.type) == 64, half = value_bits(o.type) == 16;
  int64_t integer = wide   ? static_cast<int64_t>(value)
                    : half ? static_cast<int16_t>(value)
                           : static_cast<int32_t>(value);
  bool integer_half = half && !is_float(o.type) && i_.op != Op::v_ldexp_f16;
  if (integer_half && o.code == kLiteral)
    integer = static_cast<int32_t>(i_.literal);
  if (integer >= -16 && integer <= 64)
    return std::to_string(integer);
  for (unsigned n = 0; n < 9 && !integer_half; ++n) {
    Operand inline_constant{static_cast<uint16_t>(kHalf + n), o.dwords, o.type};
    if (constant_bits(i_, inline_constant) == value)
      return wide && n == 8 ? "0.15915494309189532" : kFloats[n];
  }
  return hex(o.code == kLiteral && !half ? i_.literal : value);
}

std::string Printer::operand_text(const Operand& o) const {
  if (o.is_constant())
    return constant_text(o);
  if (o.code >= kAgpr0)
    return range("a", o.code - kAgpr0, o.dwords);
  if (o.code >= kVgpr0)
    return range("v", o.code - kVgpr0, o.dwords);
  if (o.code < kFlatScratchLo)
    return range("s", o.code, o.dwords);
  if (o.code >= kTtmp0 && o.code < kM0)
    return range("ttmp", o.code - kTtmp0, o.dwords);
  bool pair = o.dwords == 2;
  switch (o.code) {
  case kFlatScratchLo:
    return pair ? "flat_scratch" : "flat_scratch_lo";
  case kFlatScratchLo + 1:
    return "flat_scratch_hi";
  case kXnackLo:
    return pair ? "xnack_mask" : "xnack_mask_lo";
  case kXnackLo + 1:
    return "xnack_mask_hi";
  case kVccLo:
    return pair ? "vcc" : "vcc_lo";
  case kVccHi:
    return "vcc_hi";
  case kM0:
    return "m0";
  case kNull:
    return "null";
  case kExecLo:
    return pair ? "exec" : "exec_lo";
  case kExecHi:
    return "exec_hi";
  case kSharedBase:
    return "src_shared_base";
  case kSharedLimit:
    return "src_shared_limit";
  case kPrivateBase:
    return "src_private_base";
  case kPrivateLimit:
    return "src_private_limit";
  case kPopsWaveId:
    return "src_pops_exiting_wave_id";
  case kVccz:
    return "src_vccz";
  case kExecz:
    return "src_execz";
  case kScc:
    return "src_scc";
  case kLdsDirect:
    return "src_lds_direct";
  default:
    return "?";
  }
}

std::string Printer::source_text(unsigned index) const {
  const Operand& o = i_.src[index];
  bool neg = i_.neg >> index & 1, abs = i_.abs >> index & 1;
  std::string text = operand_text(o);
  if ((i_.sdwa_sext >> index & 1))
    return "sext(" + text + ')';
  if (abs)
    text = '|' + text + '|';
  // -1 and neg(1) differ, so constants get the long form.
  if (neg)
    text = o.is_constant() && !abs ? "neg(" + text + ')' : '-' + text;
  return text;
}

void Printer::list(const char* label, unsigned value, unsigned count) {
  text_ += label;
  text_ += '[';
  for (unsigned n = 0; n < count; ++n)
    text_ += (n ? "," : "") + std::to_string(value >> n & 1);
  text_ += ']';
}

void Printer::scalar() {
  name();
  unsigned k = static_cast<unsigned>(i_.simm16) & 0xffff;
  switch (i_.op) {
  case Op::s_nop:
  case Op::s_setkill:
  case Op::s_sethalt:
  case Op::s_sleep:
  case Op::s_setprio:
  case Op::s_trap:
  case Op::s_incperflevel:
  case Op::s_decperflevel:
    return item(small_or_hex(k));
  case Op::s_endpgm:
    return k ? item(std::to_string(k)) : void();
  case Op::s_waitcnt:
    return item(waitcnt_text(k));
  case Op::s_sendmsg:
  case Op::s_sendmsghalt:
    return item(sendmsg_text(k));
  case Op::s_set_gpr_idx_mode:
    return item(gpr_idx_text(k));
  case Op::s_set_gpr_idx_on:
    operand(i_.src[0]);
    return item(gpr_idx_text(k));
  case Op::s_getreg_b32:
    operand(i_.dst[0]);
    return item(hwreg_text(target_, k));
  case Op::s_setreg_b32:
  case Op::s_setreg_imm32_b32:
    item(hwreg_text(target_, k));
    return operand(i_.src[0]);
  default:
    break;
  }
  if (i_.dst[0].present())
    operand(i_.dst[0]);
  for (const Operand& o : i_.src)
    if (o.present())
      operand(o);
  if ((r_.traits & kBranch) && (i_.enc == Enc::sopp || i_.enc == Enc::sopk))
    return item(std::to_string(k));
  if (i_.enc == Enc::sopk)
    item(hex(k));
}

void Printer::smem() {
  name();
  if (r_.src_type[0] == Type::none) {
    if (i_.dst[0].present())
      operand(i_.dst[0]);
    return;
  }
  if (i_.op == Op::s_atc_probe || i_.op == Op::s_atc_probe_buffer)
    item(small_or_hex(static_cast<unsigned>(i_.simm16)));
  if (i_.src[2].present())
    operand(i_.src[2]);
  else if (i_.dst[0].present())
    operand(i_.dst[0]);
  operand(i_.src[0]);
  std::string offset = i_.offset < 0 ? "-" + hex(-static_cast<int64_t>(i_.offset)) : hex(i_.offset);
  if (i_.src[1].present()) {
    operand(i_.src[1]);
    if (i_.offen)
      text_ += " offset:" + offset;
  } else {
    item(offset);
  }
  flag(i_.sc0, " glc");
}

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

void Printer::ds() {
  name();
  if (i_.dst[0].present())
    operand(i_.dst[0]);
  for (const Operand& o : i_.src)
    if (o.present())
      operand(o);
  if (r_.mem.two_address) {
    if (i_.offset0)
      text_ += " offset0:" + std::to_string(i_.offset0);
    if (i_.offset1)
      text_ += " offset1:" + std::to_string(i_.offset1);
  } else if (i_.op == Op::ds_swizzle_b32) {
    text_ += swizzle_text(static_cast<unsigned>(i_.offset));
  } else if (i_.offset) {
    text_ += " offset:" + std::to_string(i_.offset);
  }
  flag(i_.gds, " gds");
}

void Printer::cache_flags() {
  bool gfx942 = target_ == Target::gfx942;
  flag(i_.sc0, gfx942 ? " sc0" : " glc");
  flag(i_.nt, gfx942 ? " nt" : " slc");
  flag(i_.sc1, gfx942 ? " sc1" : " scc");
}

void Printer::flat() {
  name();
  if (i_.dst[0].present())
    operand(i_.dst[0]);
  bool scratch = i_.enc == Enc::scratch;
  if (i_.src[0].present())
    operand(i_.src[0]);
  else if (scratch)
    item("off");
  if (i_.src[2].present())
    operand(i_.src[2]);
  if (i_.enc != Enc::flat)
    i_.src[1].present() ? operand(i_.src[1]) : item("off");
  if (i_.offset)
    text_ += " offset:" + std::to_string(i_.offset);
  cache_flags();
  flag(i_.lds, " lds");
}

void Printer::buffer() {
  name();
  if (r_.src_type[1] == Type::none)
    return cache_flags();
  if (i_.src[3].present())
    operand(i_.src[3]);
  else if (i_.dst[0].present())
    operand(i_.dst[0]);
  if (r_.src_type[0] != Type::none)
    i_.src[0].present() ? operand(i_.src[0]) : item("off");
  operand(i_.src[1]);
  operand(i_.src[2]);
  if (i_.enc == Enc::mtbuf)
    text_ += buffer_format_text(i_.dfmt, i_.nfmt);
  flag(i_.idxen, " idxen");
  flag(i_.offen, " offen");
  if (i_.offset)
    text_ += " offset:" + std::to_string(i_.offset);
  bool store_lds = i_.op == Op::buffer_store_lds_dword;
  flag(i_.lds && store_lds, " lds");
  cache_flags();
  flag(i_.lds && !store_lds, " lds");
}

std::string Printer::run() {
  switch (i_.enc) {
  case Enc::sop1:
  case Enc::sop2:
  case Enc::sopk:
  case Enc::sopc:
  case Enc::sopp:
    scalar();
    break;
  case Enc::smem:
    smem();
    break;
  case Enc::vop1:
  case Enc::vop2:
  case Enc::vopc:
  case Enc::vop3:
    vector();
    break;
  case Enc::vop3p:
    vop3p();
    break;
  case Enc::ds:
    ds();
    break;
  case Enc::flat:
  case Enc::global:
  case Enc::scratch:
    flat();
    break;
  case Enc::mubuf:
  case Enc::mtbuf:
    buffer();
    break;
  }
  return text_;
}

} // namespace

std::string disassemble(Target target, const Inst& inst, uint64_t) {
  return Printer(target, inst).run();
}

} // namespace pumice::isa
