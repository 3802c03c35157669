// SPDX-License-Identifier: MIT
// Matrix instructions. Their accumulators are "resident": they live in the wave struct, not in SSA, so that a
// micro-kernel can work on them in place. Instructions into one accumulator are collected and run as one call.
#include "jit/lifter.h"
#include "jit/mfma.h"
#include <cstring>

using namespace llvm;
namespace pumice::jit {

/// Shape of a dense matrix instruction that the micro-kernels know.
bool Lifter::mfma_shape(const Inst& i, MfmaShape& s) const {
  StringRef n = isa::row(i.op).mnemonic;
  if (!n.consume_front("v_mfma_")) return false;
  bool f64 = n.consume_front("f64_");
  if (!f64 && !n.consume_front("f32_") && !n.consume_front("i32_")) return false;
  unsigned m = 0, m2 = 0, k = 0;
  if (n.consumeInteger(10, m) || !n.consume_front("x") || n.consumeInteger(10, m2) || !n.consume_front("x") || n.consumeInteger(10, k))
    return false;
  if (n.contains("fp8") || n.contains("bf8") || n.contains("xf32")) return false;
  s.type = f64 ? MfmaType::f64 : n.contains("bf16") ? MfmaType::bf16 : n.contains("f16") ? MfmaType::f16
           : n.contains("i8") ? MfmaType::i8 : MfmaType::f32;
  s.m = static_cast<uint8_t>(m);
  s.k = static_cast<uint8_t>(k);
  unsigned bytes = s.type == MfmaType::f64 ? 8 : s.type == MfmaType::f32 ? 4 : s.type == MfmaType::i8 ? 1 : 2;
  s.per_lane = static_cast<uint8_t>(i.src[0].dwords * 4 / bytes);
  unsigned out = i.dst[0].dwords / (f64 ? 2 : 1);
  s.blocks = static_cast<uint8_t>(out * 64 / (m * m));
  return s.per_lane && s.blocks;
}

void Lifter::find_resident() {
  unsigned lowest = kRegCount, highest = 0; // registers that the VGPR index mode may reach
  for (const Block& b : g_.blocks) {
    unsigned mode = 0;
    for (const LiftInst& li : b.insts) {
      const Inst& i = li.inst;
      auto seen = [&](uint16_t code, unsigned n) {
        if (code >= isa::kVgpr0 && code < isa::kVgpr0 + 256) highest = std::max(highest, reg_index(code) + n);
      };
      isa::for_each_use(i, seen);
      isa::for_each_def(i, seen);
      if (i.op == isa::Op::s_set_gpr_idx_on) mode = static_cast<unsigned>(i.simm16) & 15;
      if (i.op == isa::Op::s_set_gpr_idx_off) mode = 0;
      for (unsigned k = 0; k < 4; k++) {
        const Operand& o = k < 3 ? i.src[k] : i.dst[0];
        if ((mode >> k & 1) && o.is_vgpr()) lowest = std::min(lowest, reg_index(o.code));
      }
      MfmaShape s;
      if (!(isa::row(i.op).traits & isa::kMfma) || !mfma_shape(i, s)) continue;
      for (unsigned d = 0; d < i.dst[0].dwords; d++) resident_.set(reg_index(i.dst[0].code + d));
    }
  }
  for (unsigned r = lowest; r < highest; r++) resident_.set(r), indexed_.set(r);
  // Code with calls that return to several places, or very long code, would need a merge of every live vector on every
  // edge: there all vectors live in memory.
  bool many_edges = g_.for_compile_time;
  for (const Block& b : g_.blocks) many_edges |= b.term == Term::setpc && b.succ.size() > 1;
  if (many_edges)
    for (unsigned r = kVgprIndex; r < kSccIndex; r++) resident_.set(r);
}

Value* Lifter::resident_ptr(unsigned reg) { return wave_ptr(offsetof(exec::Wave, vgpr) + size_t(reg - kVgprIndex) * 256); }

/// Runs the collected instructions.
void Lifter::flush_mfma() {
  if (dry_ || pending_mfma_.empty()) return;
  auto pending = std::move(pending_mfma_);
  pending_mfma_.clear();
  for (auto& [reg, p] : pending) {
    unsigned n = static_cast<unsigned>(p.operands.size());
    IRBuilder<> eb(&entry_bb_->front());
    auto* list = eb.CreateAlloca(ArrayType::get(ptr_, n), nullptr, "operands");
    for (unsigned k = 0; k < n; k++) b_.CreateStore(p.operands[k], b_.CreateConstGEP1_64(ptr_, list, k));
    call_rt("pumice_rt_mfma", Type::getVoidTy(c_), {i32c(p.shape), resident_ptr(reg), list, i32c(n / 2)});
    for (unsigned d = 0; d < p.dwords; d++) regs_[reg + d] = nullptr; // read again from the wave struct
  }
}

bool Lifter::mfma(const LiftInst& li) {
  const Inst& i = li.inst;
  MfmaShape s;
  if (!mfma_shape(i, s) || i.cbsz || i.abid || i.blgp || i.neg) return false;
  unsigned d = reg_index(i.dst[0].code), n = i.dst[0].dwords;
  bool in_place = i.src[2].code == i.dst[0].code;
  // Operands first: reading them may flush.
  V* ops[2];
  for (unsigned k = 0; k < 2; k++) {
    std::vector<Node*> key;
    for (unsigned q = 0; q < i.src[k].dwords; q++) key.push_back(read_dword(i, i.src[k], q));
    V*& slot = mfma_panels_[key];
    if (!slot) {
      IRBuilder<> eb(&entry_bb_->front());
      auto* a = eb.CreateAlloca(ArrayType::get(vi32_, key.size()), nullptr, "panel");
      a->setAlignment(Align(64));
      for (unsigned q = 0; q < key.size(); q++)
        b_.CreateAlignedStore(vec(key[q]), b_.CreateConstGEP1_64(vi32_, a, q), Align(64));
      slot = a;
    }
    ops[k] = slot;
  }
  auto overlaps = [&](unsigned first, unsigned count) {
    for (auto& [reg, p] : pending_mfma_)
      if (first < reg + p.dwords && reg < first + count && !(reg == d && p.dwords == n)) return true;
    return false;
  };
  auto it = pending_mfma_.find(d);
  if (overlaps(d, n) || (it != pending_mfma_.end() && (it->second.shape != s.pack() || !in_place))) flush_mfma();
  if (!in_place) { // D = A * B + C: the accumulator starts as a copy of C
    std::vector<V*> c(n);
    for (unsigned q = 0; q < n; q++) c[q] = i.src[2].is_constant() ? mfma_constant(i, q, s) : vec(read_dword(i, i.src[2], q));
    for (unsigned q = 0; q < n; q++) put(d + q, vector(c[q]));
  }
  auto& p = pending_mfma_[d];
  p.shape = s.pack();
  p.dwords = n;
  p.operands.push_back(ops[0]);
  p.operands.push_back(ops[1]);
  for (unsigned q = 0; q < n; q++) regs_[d + q] = nullptr, dirty_[d + q] = true;
  return true;
}

/// Constant C operand of a matrix instruction: the inline value in every element.
Value* Lifter::mfma_constant(const Inst& i, unsigned dword, const MfmaShape& s) {
  uint64_t bits = isa::constant_bits(i, i.src[2]);
  if (s.type == MfmaType::f64) { // read as a double in each element
    double v = 0;
    uint16_t c = i.src[2].code;
    static const double kFloats[] = {0.5, -0.5, 1, -1, 2, -2, 4, -4, 0.15915494309189532};
    if (c >= isa::kHalf && c <= 248) v = kFloats[c - isa::kHalf];
    std::memcpy(&bits, &v, 8);
    if (c >= isa::kInt0 && c <= 208) bits = static_cast<uint64_t>(c <= 192 ? int64_t(c) - 128 : -int64_t(c - 192));
    return vsplat(static_cast<uint32_t>(dword & 1 ? bits >> 32 : bits));
  }
  return vsplat(static_cast<uint32_t>(bits));
}

} // namespace pumice::jit
