// SPDX-License-Identifier: MIT
// The maker of random programs; internal to this folder. random_program.cpp has single instructions, random_flow.cpp the
// frame and control flow, random_memory.cpp memory accesses.
#pragma once
#include "emitter.h"
#include "random_program.h"
#include <utility>

namespace pumice::test {

class Generator {
public:
  Generator(isa::Target t, uint64_t seed, const GeneratorOptions& o);
  Program make();

private:
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(rng_() % n); }
  bool coin() { return rng_() & 1; }

  // Single instructions.
  bool register_ok(const isa::Operand& o, bool written, bool matrix) const;
  bool acceptable(const isa::Inst& i);
  unsigned source9(bool literal);
  unsigned scalar8();
  unsigned scalar_dst();
  unsigned vgpr();
  uint32_t literal();
  std::pair<uint32_t, uint32_t> encode(const isa::Row& r);
  std::pair<uint32_t, uint32_t> encode_vop3(const isa::Row& r, uint32_t op);
  bool random_instruction(const std::vector<const isa::Row*>& rows);
  void settle_nans(const isa::Inst& i);

  // Memory.
  void memory();
  void offset_in(uint32_t region, uint32_t bytes, uint32_t align, bool lanes_apart);
  void flat_or_global(const isa::Row& r);
  void scratch(const isa::Row& r);
  void lds(const isa::Row& r);
  void buffer(const isa::Row& r);
  void scalar_memory(const isa::Row& r);
  unsigned data_registers(unsigned dwords);
  void pair_address(unsigned base_s, bool add_base);
  void indexed_move();

  // Frame and control flow.
  void prologue();
  void epilogue();
  void body(unsigned atoms, unsigned depth, bool uniform);
  void atom();
  void structured(unsigned atoms, unsigned depth, bool uniform);
  void condition();
  void begin_atom() { atom_first_ = static_cast<uint32_t>(e_.words.size()); }
  void end_atom() {
    p_.atoms.push_back({atom_first_, static_cast<uint32_t>(e_.words.size()) - atom_first_, true});
  }
  size_t branch(const char* name) {
    e_.sopp(name, 0);
    return e_.words.size() - 1;
  }
  void land(size_t at) { e_.words[at] |= (e_.words.size() - at - 1) & 0xffff; }
  void dump_row(unsigned v, bool acc, std::string name);

  Emitter e_;
  std::mt19937_64 rng_;
  GeneratorOptions options_;
  Program p_{};
  std::vector<const isa::Row*> scalar_, vector_, matrix_, memory_;
  uint32_t atom_first_ = 0;
  bool private_memory_ = false, lds_ = false;
  uint32_t dump_at_ = 0; // offset added to the dump address so far
  std::vector<size_t> calls_; // s_add_u32 literals to patch with the function's place
  std::vector<size_t> call_pcs_;
};

} // namespace pumice::test
