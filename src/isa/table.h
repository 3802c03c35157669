// SPDX-License-Identifier: MIT
// Look-ups over the row table that decoder, encoder and disassembler share. Internal to the room.
#pragma once
#include "isa/inst.h"

namespace pumice::isa {

/// Row of `opcode` in the opcode space of `enc`; VOP3 includes the promoted VOP1, VOP2 and VOPC
/// rows.
Op lookup(Target target, Enc enc, unsigned opcode);

/// Registers (dwords) that an operand of this type occupies.
constexpr unsigned type_dwords(Type t) {
  switch (t) {
  case Type::none:
    return 0;
  case Type::b64:
  case Type::f64:
  case Type::i64:
  case Type::u64:
  case Type::v2f32:
  case Type::v2b32:
  case Type::v4f16:
  case Type::v4bf16:
  case Type::v8i8:
  case Type::v8f8:
  case Type::mask:
    return 2;
  case Type::b96:
    return 3;
  case Type::b128:
  case Type::v4f32:
  case Type::v8f16:
  case Type::v8bf16:
    return 4;
  case Type::b256:
    return 8;
  case Type::b512:
    return 16;
  case Type::b1024:
    return 32;
  default:
    return 1;
  }
}

/// Floating-point operands: neg and abs change them, and SDWA has neg/abs instead of sext.
constexpr bool is_float(Type t) {
  return t == Type::f16 || t == Type::f32 || t == Type::f64 || t == Type::v2f16 || t == Type::v2f32;
}

constexpr bool has_64bit_operand(const Row& r) {
  for (Type t : r.dst_type)
    if (t != Type::mask && type_dwords(t) == 2)
      return true;
  for (Type t : r.src_type)
    if (t != Type::mask && type_dwords(t) == 2)
      return true;
  return false;
}
constexpr bool is_fp8_conversion(Op op) {
  return op == Op::v_cvt_f32_fp8 || op == Op::v_cvt_f32_bf8 || op == Op::v_cvt_pk_f32_fp8 ||
         op == Op::v_cvt_pk_f32_bf8;
}
/// VOP1/VOP2/VOPC rows with an SDWA form.
constexpr bool has_sdwa(const Row& r) {
  if (is_fp8_conversion(r.op))
    return true;
  return !(r.traits & (kOnlyE32 | kReadsDst)) && !has_64bit_operand(r);
}
/// VOP1/VOP2 rows with a DPP form.
constexpr bool has_dpp(const Row& r) {
  return r.enc != Enc::vopc && !(r.traits & kOnlyE32);
}

} // namespace pumice::isa
