// SPDX-License-Identifier: MIT
// The disassembler's printer: one method per encoding on top of operand and modifier printers.
// Internal to the room; operands and scalar encodings are in disasm.cpp, vector ones in
// disasm_vector.cpp, memory in disasm_memory.cpp.
#pragma once
#include "isa/disasm.h"

namespace pumice::isa {

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

} // namespace pumice::isa
