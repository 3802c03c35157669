// SPDX-License-Identifier: MIT
// Dword pairs that a card moves as one 64-bit access: programs pass values next to their flags in them (look-back scans, locks),
// so neither half may be seen without the other.
#include "jit/lifter.h"
#include <algorithm>

using namespace llvm;
namespace pumice::jit {

/// Whether load and store of n dwords go by pairs here. Rows of lanes that follow each other (load_rows) keep pairs whole by
/// themselves; LDS belongs to waves that run in turn on one thread.
bool Lifter::whole_pairs(const Address& a, unsigned n) const {
  if (a.dword_stripes) return false;
  if (!a.pat) return n == 2 || n == 4;
  // Where not all lanes are 8 bytes aligned to each other, the program merged neighbouring dwords: a stencil, for one.
  return n == 2 && a.scope != Scope::lds && std::ranges::all_of(a.pat->lane, [](int64_t o) { return o % 8 == 0; });
}

Value* Lifter::load_uniform_pair(const Address& a, int64_t off) {
  auto* l = b_.CreateAlignedLoad(i64_, safe_pointer(at(a, off), exec_slice(0, 64)), Align(1), a.is_volatile);
  tag(l, a.scope);
  return l;
}

Value* Lifter::load_lane_pair(const Address& a, int64_t off) {
  V* m = exec_slice(0, 64);
  auto* g = b_.CreateMaskedGather(vi64_, lanes_at(a, off), Align(8), m ? m : Constant::getAllOnesValue(vi1_),
                                  Constant::getNullValue(vi64_));
  tag(g, a.scope);
  return g;
}

/// Sixteen lanes at a time: one value for all, or a gather with constant offsets.
Value* Lifter::load_pattern_pair(const Address& a, int64_t off) {
  if (a.pat->zero) return b_.CreateVectorSplat(64, load_uniform_pair(a, off));
  std::vector<V*> parts;
  Type* t = vec_of(i64_, 16);
  for (unsigned k = 0; k < 64; k += 16) {
    V* m = exec_slice(k, 16);
    auto o = std::span(a.pat->lane).subspan(k, 16);
    Instruction* v;
    if (std::ranges::all_of(o, [&](int64_t x) { return x == o[0]; })) {
      v = b_.CreateAlignedLoad(i64_, safe_pointer(at(a, off + o[0]), m), Align(1), a.is_volatile);
      parts.push_back(b_.CreateVectorSplat(16, v));
    } else {
      std::vector<Constant*> e(16);
      for (unsigned l = 0; l < 16; l++) e[l] = ConstantInt::get(i64_, static_cast<uint64_t>(o[l] + off));
      v = b_.CreateMaskedGather(t, b_.CreateGEP(i8_, a.base, ConstantVector::get(e)), Align(8),
                                m ? m : Constant::getAllOnesValue(vec_of(i1_, 16)), Constant::getNullValue(t));
      parts.push_back(v);
    }
    tag(v, a.scope);
  }
  return concat(parts);
}

void Lifter::store_pattern_pair(const Address& a, int64_t off, V* data) {
  for (unsigned k = 0; k < 64; k += 16) {
    V* m = exec_slice(k, 16);
    std::vector<Constant*> e(16);
    for (unsigned l = 0; l < 16; l++) e[l] = ConstantInt::get(i64_, static_cast<uint64_t>(a.pat->lane[k + l] + off));
    tag(b_.CreateMaskedScatter(slice(data, k, 16), b_.CreateGEP(i8_, a.base, ConstantVector::get(e)), Align(8),
                               m ? m : Constant::getAllOnesValue(vec_of(i1_, 16))),
        a.scope);
  }
}

} // namespace pumice::jit
