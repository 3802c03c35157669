// SPDX-License-Identifier: MIT
// Disassembler text, equal to llvm-objdump's: operands and scalar encodings.
#include "isa/disasm_printer.h"

namespace pumice::isa {
namespace {

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

std::string range(const char* bank, unsigned first, unsigned dwords) {
  std::string text = bank;
  if (dwords == 1)
    return text + std::to_string(first);
  return text + '[' + std::to_string(first) + ':' + std::to_string(first + dwords - 1) + ']';
}

} // namespace

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

std::string disassemble(Target target, const Inst& inst, uint64_t) {
  return Printer(target, inst).run();
}

} // namespace pumice::isa
