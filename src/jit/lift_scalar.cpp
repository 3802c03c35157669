// SPDX-License-Identifier: MIT
// Scalar ALU. Runs dry too: constants, code addresses and EXEC masks are followed through it.
#include "jit/lifter.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
namespace pumice::jit {
using isa::Op;

Value* Lifter::read_s64(const Inst& i, const Operand& o) {
  Target64 t = read64(i, o);
  return t.pair ? pair_s(t.pair) : (dry_ ? nullptr : b_.CreateExtractElement(wide_v(t.wide), uint64_t(0)));
}

/// a OP (not) b on 64-bit scalars; constants fold, lane masks stay masks.
Pair* Lifter::logic64(char op, Pair* a, Pair* b, bool not_b, bool not_result) {
  auto plain_const = [](Pair* p) { return p->is_const && !p->relative; };
  uint64_t cb = not_b ? ~b->cval : b->cval;
  if (plain_const(a) && plain_const(b)) {
    uint64_t r = op == '&' ? a->cval & cb : op == '|' ? a->cval | cb : a->cval ^ cb;
    return pair_const(not_result ? ~r : r);
  }
  if (!not_result) {
    if (plain_const(b)) {
      if (op == '&' && cb == ~0ull) return a;
      if (op == '&' && cb == 0) return pair_const(0);
      if (op == '|' && cb == ~0ull) return pair_const(~0ull);
      if (op != '&' && cb == 0) return a;
    }
    if (plain_const(a)) {
      if (op == '&' && a->cval == 0) return pair_const(0);
      if (op == '|' && a->cval == ~0ull) return pair_const(~0ull);
      if (!not_b && ((op == '&' && a->cval == ~0ull) || (op != '&' && a->cval == 0))) return b;
    }
  }
  if (dry_) return pair_scalar(nullptr);
  bool as_mask = (a->mask && !a->s) || (b->mask && !b->s);
  V* x = as_mask ? pair_m(a) : pair_s(a);
  V* y = as_mask ? pair_m(b) : pair_s(b);
  if (not_b) y = b_.CreateNot(y);
  V* r = op == '&' ? b_.CreateAnd(x, y) : op == '|' ? b_.CreateOr(x, y) : b_.CreateXor(x, y);
  if (not_result) r = b_.CreateNot(r);
  return as_mask ? pair_mask(r) : pair_scalar(r);
}

bool Lifter::save_exec(const LiftInst& li) {
  const Inst& i = li.inst;
  char op;
  bool not_src = false, not_exec = false, not_result = false;
  switch (i.op) {
  case Op::s_and_saveexec_b64: op = '&'; break;
  case Op::s_or_saveexec_b64: op = '|'; break;
  case Op::s_xor_saveexec_b64: op = '^'; break;
  case Op::s_andn2_saveexec_b64: op = '&', not_exec = true; break;
  case Op::s_orn2_saveexec_b64: op = '|', not_exec = true; break;
  case Op::s_andn1_saveexec_b64: op = '&', not_src = true; break;
  case Op::s_orn1_saveexec_b64: op = '|', not_src = true; break;
  case Op::s_nand_saveexec_b64: op = '&', not_result = true; break;
  case Op::s_nor_saveexec_b64: op = '|', not_result = true; break;
  case Op::s_xnor_saveexec_b64: op = '^', not_result = true; break;
  default: return false;
  }
  Target64 s = read64(i, i.src[0]);
  if (!s.pair) return false;
  Pair* old = exec();
  Pair* r = not_exec ? logic64(op, s.pair, old, true, not_result)
                     : not_src ? logic64(op, old, s.pair, true, not_result) : logic64(op, s.pair, old, false, not_result);
  put_pair(i.dst[0].code, old);
  set_exec(r);
  set_scc(dry_ ? nullptr : b_.CreateICmpNE(pair_s(r), i64c(0)));
  return true;
}

bool Lifter::scalar_compare(const LiftInst& li) {
  const Inst& i = li.inst;
  CmpInst::Predicate p;
  bool wide64 = false;
  switch (i.op) {
  case Op::s_cmp_eq_i32: case Op::s_cmp_eq_u32: case Op::s_cmpk_eq_i32: case Op::s_cmpk_eq_u32: p = CmpInst::ICMP_EQ; break;
  case Op::s_cmp_lg_i32: case Op::s_cmp_lg_u32: case Op::s_cmpk_lg_i32: case Op::s_cmpk_lg_u32: p = CmpInst::ICMP_NE; break;
  case Op::s_cmp_gt_i32: case Op::s_cmpk_gt_i32: p = CmpInst::ICMP_SGT; break;
  case Op::s_cmp_ge_i32: case Op::s_cmpk_ge_i32: p = CmpInst::ICMP_SGE; break;
  case Op::s_cmp_lt_i32: case Op::s_cmpk_lt_i32: p = CmpInst::ICMP_SLT; break;
  case Op::s_cmp_le_i32: case Op::s_cmpk_le_i32: p = CmpInst::ICMP_SLE; break;
  case Op::s_cmp_gt_u32: case Op::s_cmpk_gt_u32: p = CmpInst::ICMP_UGT; break;
  case Op::s_cmp_ge_u32: case Op::s_cmpk_ge_u32: p = CmpInst::ICMP_UGE; break;
  case Op::s_cmp_lt_u32: case Op::s_cmpk_lt_u32: p = CmpInst::ICMP_ULT; break;
  case Op::s_cmp_le_u32: case Op::s_cmpk_le_u32: p = CmpInst::ICMP_ULE; break;
  case Op::s_cmp_eq_u64: p = CmpInst::ICMP_EQ; wide64 = true; break;
  case Op::s_cmp_lg_u64: p = CmpInst::ICMP_NE; wide64 = true; break;
  case Op::s_bitcmp0_b32: case Op::s_bitcmp1_b32: {
    V* r = nullptr;
    if (!dry_) {
      V* bit = b_.CreateAnd(b_.CreateLShr(read_s(i, i.src[0]), b_.CreateAnd(read_s(i, i.src[1]), i32c(31))), i32c(1));
      r = b_.CreateICmpEQ(bit, i32c(i.op == Op::s_bitcmp1_b32));
    }
    set_scc(r);
    return true;
  }
  case Op::s_bitcmp0_b64: case Op::s_bitcmp1_b64: {
    V* r = nullptr;
    if (!dry_) {
      V* k = b_.CreateZExt(b_.CreateAnd(read_s(i, i.src[1]), i32c(63)), i64_);
      V* bit = b_.CreateAnd(b_.CreateLShr(read_s64(i, i.src[0]), k), i64c(1));
      r = b_.CreateICmpEQ(bit, i64c(i.op == Op::s_bitcmp1_b64));
    }
    set_scc(r);
    return true;
  }
  default: return false;
  }
  V* r = nullptr;
  if (!dry_) {
    if (wide64) r = b_.CreateICmp(p, read_s64(i, i.src[0]), read_s64(i, i.src[1]));
    else {
      // SOPK: the register is compared with the immediate, zero-extended for _u32.
      V *a, *b;
      if (i.enc == isa::Enc::sopk) {
        bool is_unsigned = std::string_view(isa::row(i.op).mnemonic).ends_with("u32");
        Operand reg = i.src[0].is_sgpr() ? i.src[0] : i.dst[0];
        a = scalar(view(read(i, reg)));
        b = i32c(is_unsigned ? static_cast<uint16_t>(i.simm16) : static_cast<uint32_t>(i.simm16));
      } else {
        a = read_s(i, i.src[0]);
        b = read_s(i, i.src[1]);
      }
      r = b_.CreateICmp(p, a, b);
    }
  }
  set_scc(r);
  return true;
}

bool Lifter::scalar_op32(const LiftInst& li) {
  const Inst& i = li.inst;
  unsigned d = i.dst[0].code;
  auto nonzero = [&](Node* n) { set_scc(dry_ ? nullptr : b_.CreateICmpNE(n->s, i32c(0))); };
  auto logic = [&](BinOp op, bool not_b = false, bool not_r = false) {
    Node *a = view(read(i, i.src[0])), *b = view(read(i, i.src[1]));
    if (not_b) b = arith(BinOp::xor_, b, constant(~0u));
    Node* r = arith(op, a, b);
    if (not_r) r = arith(BinOp::xor_, r, constant(~0u));
    put(d, r);
    nonzero(r);
    return true;
  };
  auto minmax = [&](BinOp op, CmpInst::Predicate p) {
    Node *a = view(read(i, i.src[0])), *b = view(read(i, i.src[1]));
    V* c = dry_ ? nullptr : b_.CreateICmp(p, scalar(a), scalar(b));
    put(d, arith(op, a, b));
    set_scc(c);
    return true;
  };
  switch (i.op) {
  case Op::s_mov_b32: put(d, view(read(i, i.src[0]))); return true;
  case Op::s_movk_i32: put(d, constant(static_cast<uint32_t>(i.simm16))); return true;
  case Op::s_add_u32: case Op::s_add_i32: {
    Node *a = read(i, i.src[0]), *b = read(i, i.src[1]);
    Node* r = i.op == Op::s_add_u32 ? add_low(a, b) : arith(BinOp::add, a, b);
    V* c = nullptr;
    if (!dry_) {
      V *x = scalar(view(a)), *y = scalar(view(b));
      if (i.op == Op::s_add_u32) c = b_.CreateICmpULT(r->s, x);
      else c = b_.CreateICmpSLT(b_.CreateAnd(b_.CreateXor(x, r->s), b_.CreateXor(y, r->s)), i32c(0));
    }
    put(d, r);
    set_scc(c);
    if (i.op == Op::s_add_u32) scc_carry_ = r;
    return true;
  }
  case Op::s_addc_u32: {
    Node *a = read(i, i.src[0]), *b = read(i, i.src[1]);
    Node* low = scc_carry_;
    if (low && d > 0 && regs_[d - 1] == low) {
      Target64 x = join(low->add_a, a), y = join(low->add_b, b), sum = add64(x, 0, y);
      if (sum.pair) {
        V* c = dry_ ? nullptr : b_.CreateICmpULT(pair_s(sum.pair), pair_s(x.pair));
        put_pair(d - 1, sum.pair);
        set_scc(c);
        return true;
      }
    }
    V *r = nullptr, *c = nullptr;
    if (!dry_) {
      V *x = b_.CreateZExt(scalar(view(a)), i64_), *y = b_.CreateZExt(scalar(view(b)), i64_);
      V* t = b_.CreateAdd(b_.CreateAdd(x, y), b_.CreateZExt(scc(), i64_));
      r = b_.CreateTrunc(t, i32_);
      c = b_.CreateICmpNE(b_.CreateLShr(t, 32), i64c(0));
    }
    put(d, uniform(r));
    set_scc(c);
    return true;
  }
  case Op::s_sub_u32: case Op::s_sub_i32: {
    Node *a = view(read(i, i.src[0])), *b = view(read(i, i.src[1]));
    Node* r = arith(BinOp::sub, a, b);
    V* c = nullptr;
    if (!dry_) {
      if (i.op == Op::s_sub_u32) c = b_.CreateICmpULT(scalar(a), scalar(b));
      else
        c = b_.CreateICmpSLT(b_.CreateAnd(b_.CreateXor(scalar(a), scalar(b)), b_.CreateXor(scalar(a), r->s)), i32c(0));
    }
    put(d, r);
    set_scc(c);
    return true;
  }
  case Op::s_subb_u32: {
    V *r = nullptr, *c = nullptr;
    if (!dry_) {
      V *x = b_.CreateZExt(read_s(i, i.src[0]), i64_), *y = b_.CreateZExt(read_s(i, i.src[1]), i64_);
      V* t = b_.CreateSub(b_.CreateSub(x, y), b_.CreateZExt(scc(), i64_));
      r = b_.CreateTrunc(t, i32_);
      c = b_.CreateICmpSLT(t, i64c(0));
    }
    put(d, uniform(r));
    set_scc(c);
    return true;
  }
  case Op::s_mul_i32: put(d, arith(BinOp::mul, read(i, i.src[0]), read(i, i.src[1]))); return true;
  case Op::s_addk_i32: {
    Node *a = view(read(i, i.dst[0])), *r = arith(BinOp::add, a, constant(static_cast<uint32_t>(i.simm16)));
    V* c = nullptr;
    if (!dry_) {
      V* k = i32c(static_cast<uint32_t>(i.simm16));
      c = b_.CreateICmpSLT(b_.CreateAnd(b_.CreateXor(scalar(a), r->s), b_.CreateXor(k, r->s)), i32c(0));
    }
    put(d, r);
    set_scc(c);
    return true;
  }
  case Op::s_mulk_i32: put(d, arith(BinOp::mul, read(i, i.dst[0]), constant(static_cast<uint32_t>(i.simm16)))); return true;
  case Op::s_and_b32: return logic(BinOp::and_);
  case Op::s_or_b32: return logic(BinOp::or_);
  case Op::s_xor_b32: return logic(BinOp::xor_);
  case Op::s_andn2_b32: return logic(BinOp::and_, true);
  case Op::s_orn2_b32: return logic(BinOp::or_, true);
  case Op::s_nand_b32: return logic(BinOp::and_, false, true);
  case Op::s_nor_b32: return logic(BinOp::or_, false, true);
  case Op::s_xnor_b32: return logic(BinOp::xor_, false, true);
  case Op::s_not_b32: {
    Node* r = arith(BinOp::xor_, read(i, i.src[0]), constant(~0u));
    put(d, r);
    nonzero(r);
    return true;
  }
  case Op::s_lshl_b32: return logic(BinOp::shl);
  case Op::s_lshr_b32: return logic(BinOp::lshr);
  case Op::s_ashr_i32: return logic(BinOp::ashr);
  case Op::s_min_i32: return minmax(BinOp::smin, CmpInst::ICMP_SLT);
  case Op::s_max_i32: return minmax(BinOp::smax, CmpInst::ICMP_SGT);
  case Op::s_min_u32: return minmax(BinOp::umin, CmpInst::ICMP_ULT);
  case Op::s_max_u32: return minmax(BinOp::umax, CmpInst::ICMP_UGT);
  case Op::s_lshl1_add_u32: case Op::s_lshl2_add_u32: case Op::s_lshl3_add_u32: case Op::s_lshl4_add_u32: {
    unsigned k = i.op == Op::s_lshl1_add_u32 ? 1 : i.op == Op::s_lshl2_add_u32 ? 2 : i.op == Op::s_lshl3_add_u32 ? 3 : 4;
    Node *a = view(read(i, i.src[0])), *b = view(read(i, i.src[1]));
    Node* r = arith(BinOp::add, arith(BinOp::shl, a, constant(k)), b);
    V* c = nullptr;
    if (!dry_) {
      V* t = b_.CreateAdd(b_.CreateShl(b_.CreateZExt(scalar(a), i64_), k), b_.CreateZExt(scalar(b), i64_));
      c = b_.CreateICmpNE(b_.CreateLShr(t, 32), i64c(0));
    }
    put(d, r);
    set_scc(c);
    return true;
  }
  case Op::s_cselect_b32: {
    Node *a = view(read(i, i.src[0])), *b = view(read(i, i.src[1]));
    put(d, uniform(dry_ ? nullptr : b_.CreateSelect(scc(), scalar(a), scalar(b)), std::max(a->bits, b->bits),
                   std::min(a->align, b->align)));
    return true;
  }
  case Op::s_cmov_b32: {
    Node *a = view(read(i, i.src[0])), *b = view(get(d));
    put(d, uniform(dry_ ? nullptr : b_.CreateSelect(scc(), scalar(a), scalar(b))));
    return true;
  }
  case Op::s_cmovk_i32: {
    Node* b = view(get(d));
    put(d, uniform(dry_ ? nullptr : b_.CreateSelect(scc(), i32c(static_cast<uint32_t>(i.simm16)), scalar(b))));
    return true;
  }
  default: break;
  }
  // Below: results are plain scalars, nothing to know beforehand.
  if (dry_) return false;
  auto simple = [&](V* r, bool sets_scc) {
    Node* n = uniform(r);
    put(d, n);
    if (sets_scc) nonzero(n);
    return true;
  };
  auto unary = [&](Intrinsic::ID id) { return b_.CreateUnaryIntrinsic(id, read_s(i, i.src[0])); };
  switch (i.op) {
  case Op::s_mul_hi_u32: case Op::s_mul_hi_i32: {
    bool sg = i.op == Op::s_mul_hi_i32;
    V *x = read_s(i, i.src[0]), *y = read_s(i, i.src[1]);
    x = sg ? b_.CreateSExt(x, i64_) : b_.CreateZExt(x, i64_);
    y = sg ? b_.CreateSExt(y, i64_) : b_.CreateZExt(y, i64_);
    return simple(b_.CreateTrunc(b_.CreateLShr(b_.CreateMul(x, y), 32), i32_), false);
  }
  case Op::s_brev_b32: return simple(unary(Intrinsic::bitreverse), false);
  case Op::s_bcnt1_i32_b32: return simple(unary(Intrinsic::ctpop), true);
  case Op::s_bcnt0_i32_b32: return simple(b_.CreateUnaryIntrinsic(Intrinsic::ctpop, b_.CreateNot(read_s(i, i.src[0]))), true);
  case Op::s_bcnt1_i32_b64:
    return simple(b_.CreateTrunc(b_.CreateUnaryIntrinsic(Intrinsic::ctpop, read_s64(i, i.src[0])), i32_), true);
  case Op::s_bcnt0_i32_b64:
    return simple(b_.CreateTrunc(b_.CreateUnaryIntrinsic(Intrinsic::ctpop, b_.CreateNot(read_s64(i, i.src[0]))), i32_), true);
  case Op::s_ff1_i32_b32: case Op::s_flbit_i32_b32: {
    V* x = read_s(i, i.src[0]);
    V* r = b_.CreateBinaryIntrinsic(i.op == Op::s_ff1_i32_b32 ? Intrinsic::cttz : Intrinsic::ctlz, x, b_.getFalse());
    return simple(b_.CreateSelect(b_.CreateICmpEQ(x, i32c(0)), i32c(~0u), r), false);
  }
  case Op::s_ff0_i32_b32: {
    V* x = b_.CreateNot(read_s(i, i.src[0]));
    V* r = b_.CreateBinaryIntrinsic(Intrinsic::cttz, x, b_.getFalse());
    return simple(b_.CreateSelect(b_.CreateICmpEQ(x, i32c(0)), i32c(~0u), r), false);
  }
  case Op::s_ff1_i32_b64: case Op::s_flbit_i32_b64: {
    V* x = read_s64(i, i.src[0]);
    V* r = b_.CreateTrunc(
        b_.CreateBinaryIntrinsic(i.op == Op::s_ff1_i32_b64 ? Intrinsic::cttz : Intrinsic::ctlz, x, b_.getFalse()), i32_);
    return simple(b_.CreateSelect(b_.CreateICmpEQ(x, i64c(0)), i32c(~0u), r), false);
  }
  case Op::s_flbit_i32: {
    V* x = read_s(i, i.src[0]);
    V* y = b_.CreateXor(x, b_.CreateAShr(x, 31));
    V* r = b_.CreateBinaryIntrinsic(Intrinsic::ctlz, y, b_.getFalse());
    return simple(b_.CreateSelect(b_.CreateICmpEQ(y, i32c(0)), i32c(~0u), r), false);
  }
  case Op::s_abs_i32: {
    V* x = read_s(i, i.src[0]);
    return simple(b_.CreateBinaryIntrinsic(Intrinsic::abs, x, b_.getFalse()), true);
  }
  case Op::s_absdiff_i32: {
    V* x = b_.CreateSub(read_s(i, i.src[0]), read_s(i, i.src[1]));
    return simple(b_.CreateBinaryIntrinsic(Intrinsic::abs, x, b_.getFalse()), true);
  }
  case Op::s_sext_i32_i8: return simple(b_.CreateSExt(b_.CreateTrunc(read_s(i, i.src[0]), i8_), i32_), false);
  case Op::s_sext_i32_i16: return simple(b_.CreateSExt(b_.CreateTrunc(read_s(i, i.src[0]), i16_), i32_), false);
  case Op::s_bitset0_b32: case Op::s_bitset1_b32: {
    V* bit = b_.CreateShl(i32c(1), b_.CreateAnd(read_s(i, i.src[0]), i32c(31)));
    V* old = scalar(view(get(d)));
    return simple(i.op == Op::s_bitset1_b32 ? b_.CreateOr(old, bit) : b_.CreateAnd(old, b_.CreateNot(bit)), false);
  }
  case Op::s_bfm_b32: {
    V *w = b_.CreateAnd(read_s(i, i.src[0]), i32c(31)), *o = b_.CreateAnd(read_s(i, i.src[1]), i32c(31));
    return simple(b_.CreateShl(b_.CreateSub(b_.CreateShl(i32c(1), w), i32c(1)), o), false);
  }
  case Op::s_bfe_u32: case Op::s_bfe_i32: {
    V *x = read_s(i, i.src[0]), *f = read_s(i, i.src[1]);
    V* o = b_.CreateAnd(f, i32c(31));
    V* w = b_.CreateAnd(b_.CreateLShr(f, 16), i32c(0x7f));
    // Through 64 bits so that widths of 32 and more need no special case.
    bool sg = i.op == Op::s_bfe_i32;
    V* w64 = b_.CreateZExt(b_.CreateBinaryIntrinsic(Intrinsic::umin, w, i32c(32)), i64_);
    V* x64 = sg ? b_.CreateSExt(x, i64_) : b_.CreateZExt(x, i64_);
    x64 = sg ? b_.CreateAShr(x64, b_.CreateZExt(o, i64_)) : b_.CreateLShr(x64, b_.CreateZExt(o, i64_));
    V* k = b_.CreateSub(i64c(64), w64);
    V* z = b_.CreateICmpEQ(w64, i64c(0));
    V* k1 = b_.CreateSelect(z, i64c(0), k);
    V* r = b_.CreateShl(x64, k1);
    r = sg ? b_.CreateAShr(r, k1) : b_.CreateLShr(r, k1);
    return simple(b_.CreateTrunc(b_.CreateSelect(z, i64c(0), r), i32_), true);
  }
  case Op::s_pack_ll_b32_b16: case Op::s_pack_lh_b32_b16: case Op::s_pack_hh_b32_b16: {
    V *a = read_s(i, i.src[0]), *b = read_s(i, i.src[1]);
    V* lo = i.op == Op::s_pack_hh_b32_b16 ? b_.CreateLShr(a, 16) : b_.CreateAnd(a, i32c(0xffff));
    V* hi = i.op == Op::s_pack_ll_b32_b16 ? b_.CreateShl(b, 16) : b_.CreateAnd(b, i32c(0xffff0000));
    return simple(b_.CreateOr(lo, hi), false);
  }
  default: return false;
  }
}

bool Lifter::scalar_op64(const LiftInst& li) {
  const Inst& i = li.inst;
  unsigned d = i.dst[0].code;
  auto put64 = [&](Pair* p) {
    if (d == isa::kExecLo) set_exec(p);
    else put_pair(d, p);
  };
  auto nonzero = [&](Pair* p) { set_scc(dry_ ? nullptr : b_.CreateICmpNE(pair_s(p), i64c(0))); };
  auto logic = [&](char op, bool not_b = false, bool not_r = false) {
    Target64 a = read64(i, i.src[0]), b = read64(i, i.src[1]);
    if (!a.pair || !b.pair) return false;
    Pair* r = logic64(op, a.pair, b.pair, not_b, not_r);
    put64(r);
    nonzero(r);
    return true;
  };
  switch (i.op) {
  case Op::s_mov_b64: {
    Target64 t = read64(i, i.src[0]);
    if (!t.pair) return false;
    put64(t.pair);
    return true;
  }
  case Op::s_getpc_b64: put64(pair_const(li.pc + 4 - in_.load_bias, true)); return true;
  case Op::s_and_b64: return logic('&');
  case Op::s_or_b64: return logic('|');
  case Op::s_xor_b64: return logic('^');
  case Op::s_andn2_b64: return logic('&', true);
  case Op::s_orn2_b64: return logic('|', true);
  case Op::s_nand_b64: return logic('&', false, true);
  case Op::s_nor_b64: return logic('|', false, true);
  case Op::s_xnor_b64: return logic('^', false, true);
  case Op::s_not_b64: {
    Target64 a = read64(i, i.src[0]);
    if (!a.pair) return false;
    Pair* r = logic64('^', a.pair, pair_const(~0ull));
    put64(r);
    nonzero(r);
    return true;
  }
  case Op::s_cselect_b64: {
    Target64 a = read64(i, i.src[0]), b = read64(i, i.src[1]);
    if (!a.pair || !b.pair) return false;
    put64(pair_scalar(dry_ ? nullptr : b_.CreateSelect(scc(), pair_s(a.pair), pair_s(b.pair))));
    return true;
  }
  case Op::s_cmov_b64: {
    Target64 a = read64(i, i.src[0]), b = join(get(d), get(d + 1));
    if (!a.pair || !b.pair) return false;
    put64(pair_scalar(dry_ ? nullptr : b_.CreateSelect(scc(), pair_s(a.pair), pair_s(b.pair))));
    return true;
  }
  default: break;
  }
  if (dry_) {
    if (d == isa::kExecLo && i.dst[0].present()) {
      set_exec(pair_scalar(nullptr));
      return true;
    }
    return false;
  }
  auto simple = [&](V* r, bool sets) {
    Pair* p = pair_scalar(r);
    put64(p);
    if (sets) nonzero(p);
    return true;
  };
  auto amount = [&] { return b_.CreateZExt(b_.CreateAnd(read_s(i, i.src[1]), i32c(63)), i64_); };
  switch (i.op) {
  case Op::s_lshl_b64: return simple(b_.CreateShl(read_s64(i, i.src[0]), amount()), true);
  case Op::s_lshr_b64: return simple(b_.CreateLShr(read_s64(i, i.src[0]), amount()), true);
  case Op::s_ashr_i64: return simple(b_.CreateAShr(read_s64(i, i.src[0]), amount()), true);
  case Op::s_brev_b64: return simple(b_.CreateUnaryIntrinsic(Intrinsic::bitreverse, read_s64(i, i.src[0])), false);
  case Op::s_bfm_b64: {
    V* w = b_.CreateZExt(b_.CreateAnd(read_s(i, i.src[0]), i32c(63)), i64_);
    return simple(b_.CreateShl(b_.CreateSub(b_.CreateShl(i64c(1), w), i64c(1)), amount()), false);
  }
  case Op::s_bfe_u64: case Op::s_bfe_i64: {
    V *x = read_s64(i, i.src[0]), *f = read_s(i, i.src[1]);
    bool sg = i.op == Op::s_bfe_i64;
    V* o = b_.CreateZExt(b_.CreateAnd(f, i32c(63)), i64_);
    V* w = b_.CreateZExt(b_.CreateBinaryIntrinsic(Intrinsic::umin, b_.CreateAnd(b_.CreateLShr(f, 16), i32c(0x7f)), i32c(64)), i64_);
    x = sg ? b_.CreateAShr(x, o) : b_.CreateLShr(x, o);
    V* z = b_.CreateICmpEQ(w, i64c(0));
    V* k = b_.CreateSelect(z, i64c(0), b_.CreateSub(i64c(64), w));
    V* r = b_.CreateShl(x, k);
    r = sg ? b_.CreateAShr(r, k) : b_.CreateLShr(r, k);
    return simple(b_.CreateSelect(z, i64c(0), r), true);
  }
  case Op::s_bitset0_b64: case Op::s_bitset1_b64: {
    V* bit = b_.CreateShl(i64c(1), b_.CreateZExt(b_.CreateAnd(read_s(i, i.src[0]), i32c(63)), i64_));
    V* old = pair_s(join(get(d), get(d + 1)).pair);
    return simple(i.op == Op::s_bitset1_b64 ? b_.CreateOr(old, bit) : b_.CreateAnd(old, b_.CreateNot(bit)), false);
  }
  case Op::s_wqm_b64: {
    V* x = read_s64(i, i.src[0]);
    x = b_.CreateOr(x, b_.CreateLShr(x, 1));
    x = b_.CreateAnd(b_.CreateOr(x, b_.CreateLShr(x, 2)), i64c(0x1111111111111111ull));
    return simple(b_.CreateMul(x, i64c(15)), true);
  }
  default: return false;
  }
}

bool Lifter::scalar_rule(const LiftInst& li) {
  const Inst& i = li.inst;
  switch (i.op) {
  case Op::s_nop: case Op::s_waitcnt: case Op::s_barrier: case Op::s_setprio:
  case Op::s_icache_inv: case Op::s_dcache_inv: case Op::s_dcache_wb: case Op::s_dcache_inv_vol: case Op::s_dcache_wb_vol:
  case Op::s_sethalt: case Op::s_sendmsg: case Op::s_sleep: case Op::s_incperflevel: case Op::s_decperflevel:
  case Op::s_ttracedata: case Op::s_wakeup:
  case Op::buffer_wbl2: case Op::buffer_inv: case Op::buffer_wbinvl1: case Op::buffer_wbinvl1_vol: case Op::buffer_invl2:
    return true;
  default: break;
  }
  return gpr_index_rule(li) || save_exec(li) || scalar_compare(li) || scalar_op64(li) || scalar_op32(li);
}

} // namespace pumice::jit
