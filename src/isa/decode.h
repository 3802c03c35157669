// SPDX-License-Identifier: MIT
// Shared state of the decoder's parts: the instruction words and the operand readers. Internal to
// the room.
#pragma once
#include "isa/table.h"

namespace pumice::isa {

constexpr uint32_t bits(uint32_t word, unsigned hi, unsigned lo) {
  return (word >> lo) & ((hi - lo == 31) ? ~0u : (1u << (hi - lo + 1)) - 1);
}
constexpr bool bit(uint32_t word, unsigned n) {
  return (word >> n) & 1;
}

class Decoder {
public:
  Decoder(Target target, uint32_t lo, uint32_t hi, bool has_hi, Inst& out)
      : target_(target), lo_(lo), hi_(hi), has_hi_(has_hi), out_(out) {}
  bool run();

private:
  // Scalar encodings (decode.cpp).
  bool sop1();
  bool sop2();
  bool sopk();
  bool sopc();
  bool sopp();
  // Vector encodings (decode_vector.cpp).
  bool vop1();
  bool vop2();
  bool vopc();
  bool vop3();
  bool vop3p();
  bool mfma(const Row& r);
  bool accvgpr(const Row& r);
  bool sdwa(const Row& r, unsigned vsrc1);
  bool dpp(const Row& r, unsigned vsrc1);
  bool implicit_operands(const Row& r);
  void integer_modifiers(const Row& r, unsigned neg);
  bool vop3_modifiers(const Row& r, bool has_sdst);
  // Memory encodings (decode_memory.cpp).
  bool smem();
  bool ds();
  bool flat();
  bool mubuf();
  bool mtbuf();
  bool unscoped_float_atomic(const Row& r) const;
  bool buffer_operands(const Row& r, bool acc);

  bool begin(Enc enc, unsigned opcode, unsigned size);
  const Row& row() const { return isa::row(out_.op); }

  /// Any scalar source; 255 takes the literal when `literal` allows it.
  bool scalar_source(Operand& o, unsigned code, Type t, unsigned dwords, bool literal);
  bool scalar_source(Operand& o, unsigned code, Type t) {
    return scalar_source(o, code, t, type_dwords(t), true);
  }
  /// A writable SGPR (or tuple): no constants.
  bool scalar_register(Operand& o, unsigned code, Type t, unsigned dwords);
  bool scalar_register(Operand& o, unsigned code, Type t) {
    return scalar_register(o, code, t, type_dwords(t));
  }
  /// The 9-bit source field of the vector encodings.
  bool vector_source(Operand& o, unsigned code, Type t, bool literal);
  bool vgpr(Operand& o, unsigned number, Type t, unsigned dwords, bool acc = false);
  bool vgpr(Operand& o, unsigned number, Type t) { return vgpr(o, number, t, type_dwords(t)); }
  bool take_literal();

  Target target_;
  uint32_t lo_, hi_;
  bool has_hi_;
  Inst& out_;
};

} // namespace pumice::isa
