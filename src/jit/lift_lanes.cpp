// SPDX-License-Identifier: MIT
// Instructions in which a lane sees another: lane reads and writes, counting, permutes through LDS hardware.
#include "jit/lifter.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;
namespace pumice::jit {
using isa::Op;

/// Stack memory that holds `v`, for reads at a lane number known only at run time.
Value* Lifter::spill_vec(V* v, unsigned slot) {
  AllocaInst*& a = scratch_slots_[slot];
  if (!a) {
    IRBuilder<> eb(&entry_bb_->front());
    a = eb.CreateAlloca(vi32_, nullptr, "lanes");
    a->setAlignment(Align(64));
  }
  if (v) b_.CreateStore(v, a);
  return a;
}

/// Lane `idx[l]` of `x` for each l; indices are taken modulo 64.
Value* Lifter::permute(V* x, V* idx) {
  if (auto* known = dyn_cast<ConstantDataVector>(idx)) { // __shfl_down and its like by constants
    std::vector<int> m(64);
    for (unsigned l = 0; l < 64; l++) m[l] = static_cast<int>(known->getElementAsInteger(l) & 63);
    return shuffle(x, nullptr, m);
  }
  if (in_.avx512) {
    // Two permutes of 32 lanes each and a choice: gathers take far longer on some hosts.
    V* upper = b_.CreateICmpNE(b_.CreateAnd(idx, vsplat(32)), vsplat(0));
    std::vector<V*> parts;
    for (unsigned k = 0; k < 64; k += 16) {
      auto of = [&](unsigned first) {
        return b_.CreateIntrinsic(Intrinsic::x86_avx512_vpermi2var_d_512, {}, {slice(x, first, 16), slice(idx, k, 16), slice(x, first + 16, 16)});
      };
      parts.push_back(b_.CreateSelect(slice(upper, k, 16), of(32), of(0)));
    }
    return concat(parts);
  }
  V* base = spill_vec(x, 0);
  V* ptrs = b_.CreateGEP(i32_, base, b_.CreateZExt(b_.CreateAnd(idx, vsplat(63)), vi64_));
  return b_.CreateMaskedGather(vi32_, ptrs, Align(4), Constant::getAllOnesValue(vi1_), Constant::getNullValue(vi32_));
}

/// Address of VGPR `code` + index in the wave struct.
Value* Lifter::indexed_ptr(uint16_t code) {
  V* n = b_.CreateAdd(b_.CreateAnd(gpr_index_, i32c(0xff)), i32c(code - isa::kVgpr0));
  n = b_.CreateBinaryIntrinsic(Intrinsic::umin, n, i32c(511));
  return b_.CreateGEP(vi32_, wave_ptr(offsetof(exec::Wave, vgpr)), b_.CreateZExt(n, i64_));
}

/// VGPR index mode: between s_set_gpr_idx_on and _off, chosen operands name register + index.
bool Lifter::gpr_index_rule(const LiftInst& li) {
  const Inst& i = li.inst;
  switch (i.op) {
  case Op::s_set_gpr_idx_on: {
    V* idx = read_s(i, i.src[0]);
    gpr_mode_ = static_cast<unsigned>(i.simm16) & 15;
    gpr_index_ = idx;
    put(isa::kM0, uniform(dry_ ? nullptr : b_.CreateOr(b_.CreateAnd(idx, i32c(0xff)), i32c(gpr_mode_ << 12))));
    return true;
  }
  case Op::s_set_gpr_idx_off: gpr_mode_ = 0; return true;
  case Op::s_set_gpr_idx_idx:
    if (!gpr_mode_) return false;
    gpr_index_ = read_s(i, i.src[0]);
    return true;
  default: return false;
  }
}

bool Lifter::cross_lane(const LiftInst& li) {
  const Inst& i = li.inst;
  switch (i.op) {
  case Op::v_readfirstlane_b32: {
    V* x = vec(read(i, i.src[0]));
    V* r;
    if (exec_full()) r = b_.CreateExtractElement(x, uint64_t(0));
    else {
      // Lane 0 when no lane is active.
      V* first = b_.CreateBinaryIntrinsic(Intrinsic::cttz, pair_s(exec()), b_.getFalse());
      first = b_.CreateAnd(first, i64c(63));
      r = b_.CreateLoad(i32_, b_.CreateGEP(i32_, spill_vec(x, 0), first));
    }
    put(i.dst[0].code, uniform(r));
    return true;
  }
  case Op::v_readlane_b32: {
    V* x = vec(read(i, i.src[0]));
    Node* k = view(read(i, i.src[1]));
    V* r = k->is_const ? b_.CreateExtractElement(x, uint64_t(k->cval & 63))
                       : static_cast<V*>(b_.CreateLoad(i32_, b_.CreateGEP(i32_, spill_vec(x, 0),
                                                                          b_.CreateZExt(b_.CreateAnd(scalar(k), i32c(63)), i64_))));
    put(i.dst[0].code, uniform(r));
    return true;
  }
  case Op::v_writelane_b32: {
    unsigned r = reg_index(i.dst[0].code);
    V* old = vec(get(r));
    V* s = scalar(view(read(i, i.src[0])));
    Node* k = view(read(i, i.src[1]));
    V* v;
    if (k->is_const) v = b_.CreateInsertElement(old, s, uint64_t(k->cval & 63));
    else {
      V* here = b_.CreateICmpEQ(pattern_vec(pats_.iota(1), false), splat(b_.CreateAnd(scalar(k), i32c(63)), vi32_));
      v = b_.CreateSelect(here, splat(s, vi32_), old);
    }
    put(r, vector(v));
    return true;
  }
  case Op::v_mbcnt_lo_u32_b32: case Op::v_mbcnt_hi_u32_b32: {
    // Bits of the mask below the lane, plus an addend.
    bool hi = i.op == Op::v_mbcnt_hi_u32_b32;
    Node* m = view(read(i, i.src[0]));
    std::array<int64_t, 64> below{};
    for (int l = 0; l < 64; l++)
      below[l] = hi ? (l < 32 ? 0 : static_cast<int64_t>((1ull << (l - 32)) - 1))
                    : (l >= 32 ? 0xffffffffll : static_cast<int64_t>((1ull << l) - 1));
    V* bits = b_.CreateAnd(vec(m), pattern_vec(pats_.make(below), false));
    result_u32(li, b_.CreateAdd(b_.CreateUnaryIntrinsic(Intrinsic::ctpop, bits), src_u32(i, 1)));
    return true;
  }
  case Op::v_swap_b32: {
    if (!exec_full()) {
      unsigned a = reg_index(i.dst[0].code), b = reg_index(i.dst[1].code);
      V *x = vec(get(a)), *y = vec(get(b));
      put(a, vector(b_.CreateSelect(exec_mask(), y, x)));
      put(b, vector(b_.CreateSelect(exec_mask(), x, y)));
    } else {
      unsigned a = reg_index(i.dst[0].code), b = reg_index(i.dst[1].code);
      Node *x = get(a), *y = get(b);
      put(a, y), put(b, x);
    }
    return true;
  }
  default: return false;
  }
}

} // namespace pumice::jit
