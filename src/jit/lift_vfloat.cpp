// SPDX-License-Identifier: MIT
// Vector floating point: arithmetic, compares, conversions.
#include "jit/lifter.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;
namespace pumice::jit {
using isa::Op;

/// IEEE 754-2008 minNum/maxNum with -0 < +0: a quiet NaN loses against a number.
Value* Lifter::fmin_max(V* a, V* b, bool max) {
  Type* t = a->getType();
  Type* it = t == vf32_ ? vi32_ : t == vf64_ ? vi64_ : vi16_;
  bool ieee = in_.descriptor.rsrc1 >> 23 & 1; // a signaling NaN gives a quiet one; else it counts as any NaN
  if (in_.avx512 && t != vf16_ && ieee) {
    // VRANGE has exactly these semantics (imm: 0 min, 1 max; sign from the comparison).
    unsigned n = t == vf32_ ? 16 : 8;
    auto id = t == vf32_ ? Intrinsic::x86_avx512_mask_range_ps_512 : Intrinsic::x86_avx512_mask_range_pd_512;
    std::vector<V*> parts;
    for (unsigned k = 0; k < 64; k += n) {
      V *x = slice(a, k, n), *y = slice(b, k, n);
      V* all = n == 16 ? static_cast<V*>(b_.getInt16(0xffff)) : b_.getInt8(0xff);
      parts.push_back(b_.CreateIntrinsic(id, {}, {x, y, i32c(max ? 5 : 4), x, all, i32c(4)}));
    }
    return concat(parts);
  }
  // -0 and +0 compare equal: AND keeps +0 unless both are -0, OR keeps -0.
  V *ia = b_.CreateBitCast(a, it), *ib = b_.CreateBitCast(b, it);
  V* tie = b_.CreateBitCast(max ? b_.CreateAnd(ia, ib) : b_.CreateOr(ia, ib), t);
  V* pick = b_.CreateSelect(max ? b_.CreateFCmpOGT(a, b) : b_.CreateFCmpOLT(a, b), a, b);
  V* r = b_.CreateSelect(b_.CreateFCmpOEQ(a, b), tie, pick);
  r = b_.CreateSelect(b_.CreateFCmpUNO(b, b), a, r);
  r = b_.CreateSelect(b_.CreateFCmpUNO(a, a), b, r);
  if (!ieee) return r;
  uint64_t quiet = t == vf32_ ? 1ull << 22 : t == vf64_ ? 1ull << 51 : 1ull << 9;
  auto signaling = [&](V* v, V* bits) {
    V* clear = b_.CreateICmpEQ(b_.CreateAnd(bits, ConstantInt::get(it, quiet)), ConstantInt::get(it, 0));
    return b_.CreateAnd(b_.CreateFCmpUNO(v, v), clear);
  };
  auto quieted = [&](V* bits) { return b_.CreateBitCast(b_.CreateOr(bits, ConstantInt::get(it, quiet)), t); };
  r = b_.CreateSelect(signaling(b, ib), quieted(ib), r);
  return b_.CreateSelect(signaling(a, ia), quieted(ia), r);
}

bool Lifter::vector_float(const LiftInst& li) {
  const Inst& i = li.inst;
  auto s = [&](unsigned k) { return src_f32(i, k); };
  auto out = [&](V* v) {
    result_f32(li, v);
    return true;
  };
  auto fma = [&](V* a, V* b, V* c) { return intrinsic(Intrinsic::fma, {vf32_}, {a, b, c}); };
  auto un = [&](Intrinsic::ID id) { return out(b_.CreateUnaryIntrinsic(id, s(0))); };
  switch (i.op) {
  case Op::v_add_f32: return out(b_.CreateFAdd(s(0), s(1)));
  case Op::v_sub_f32: return out(b_.CreateFSub(s(0), s(1)));
  case Op::v_subrev_f32: { V* a = s(0); return out(b_.CreateFSub(s(1), a)); }
  case Op::v_mul_f32: return out(b_.CreateFMul(s(0), s(1)));
  case Op::v_mul_legacy_f32: {
    V *a = s(0), *b = s(1), *z = fsplat(0, vf32_);
    V* zero = b_.CreateOr(b_.CreateFCmpOEQ(a, z), b_.CreateFCmpOEQ(b, z));
    return out(b_.CreateSelect(zero, z, b_.CreateFMul(a, b)));
  }
  case Op::v_fma_f32: case Op::v_fmac_f32: return out(fma(s(0), s(1), s(2)));
  case Op::v_mad_f32: case Op::v_mac_f32: return false; // flush denormals
  case Op::v_fmamk_f32: return out(fma(s(0), s(1), s(2)));
  case Op::v_fmaak_f32: return out(fma(s(0), s(1), s(2)));
  case Op::v_min_f32: return out(fmin_max(s(0), s(1), false));
  case Op::v_max_f32: return out(fmin_max(s(0), s(1), true));
  case Op::v_min3_f32: { V* a = fmin_max(s(0), s(1), false); return out(fmin_max(a, s(2), false)); }
  case Op::v_max3_f32: { V* a = fmin_max(s(0), s(1), true); return out(fmin_max(a, s(2), true)); }
  case Op::v_med3_f32: {
    V *a = s(0), *b = s(1), *c = s(2);
    // med3(a,b,c) = max(min(a,b), min(max(a,b), c)); with a NaN it is the minimum of the others.
    V* m = fmin_max(fmin_max(a, b, false), fmin_max(fmin_max(a, b, true), c, false), true);
    V* nan = b_.CreateOr(b_.CreateFCmpUNO(a, b), b_.CreateFCmpUNO(c, c));
    V* low = fmin_max(fmin_max(a, b, false), c, false);
    return out(b_.CreateSelect(nan, low, m));
  }
  case Op::v_floor_f32: return un(Intrinsic::floor);
  case Op::v_ceil_f32: return un(Intrinsic::ceil);
  case Op::v_trunc_f32: return un(Intrinsic::trunc);
  case Op::v_rndne_f32: return un(Intrinsic::roundeven);
  case Op::v_fract_f32: {
    V* x = s(0);
    V* r = b_.CreateFSub(x, b_.CreateUnaryIntrinsic(Intrinsic::floor, x));
    V* top = as_f32(vsplat(0x3f7fffff)); // largest float below 1
    V* cut = b_.CreateSelect(b_.CreateFCmpOGT(r, top), top, r);
    return out(cut);
  }
  case Op::v_ldexp_f32: {
    V *x = s(0), *e = src_u32(i, 1);
    return out(ldexp32(x, e));
  }
  case Op::v_cndmask_b32: return false;
  case Op::v_frexp_exp_i32_f32: case Op::v_frexp_mant_f32: {
    V* x = s(0);
    V* bits = as_i32(x);
    V* mag = b_.CreateAnd(bits, vsplat(0x7fffffff));
    // Denormals are scaled up first.
    V* small = b_.CreateICmpULT(mag, vsplat(0x00800000));
    V* scaled = b_.CreateSelect(small, b_.CreateFMul(x, fsplat(16777216.0, vf32_)), x);
    V* sb = as_i32(scaled);
    V* special = b_.CreateOr(b_.CreateICmpUGE(mag, vsplat(0x7f800000)), b_.CreateICmpEQ(mag, vsplat(0)));
    if (i.op == Op::v_frexp_mant_f32) {
      V* m = b_.CreateOr(b_.CreateAnd(sb, vsplat(0x807fffff)), vsplat(0x3f000000));
      return out(b_.CreateSelect(special, x, as_f32(m)));
    }
    V* e = b_.CreateAnd(b_.CreateLShr(sb, 23), vsplat(0xff));
    e = b_.CreateSub(e, b_.CreateSelect(small, vsplat(126 + 24), vsplat(126)));
    result_u32(li, b_.CreateSelect(special, vsplat(0), e));
    return true;
  }
  case Op::v_div_fixup_f32: return out(div_fixup32(s(0), s(1), s(2)));
  case Op::v_div_fmas_f32: {
    V* vcc = pair_m(join(get(isa::kVccLo), get(isa::kVccHi)).pair);
    return out(div_fmas32(s(0), s(1), s(2), vcc));
  }
  default: return false;
  }
}

/// x * 2^n, rounded once, n a finite whole number. AVX-512 only.
Value* Lifter::scale32(V* x, V* n) {
  constexpr unsigned kAll = 0xffff, kRoundByMode = 4;
  std::vector<V*> parts;
  for (unsigned k = 0; k < 64; k += 16) {
    V* s = slice(x, k, 16);
    parts.push_back(b_.CreateIntrinsic(Intrinsic::x86_avx512_mask_scalef_ps_512, {},
                                       {s, slice(n, k, 16), s, b_.getInt16(kAll), b_.getInt32(kRoundByMode)}));
  }
  return concat(parts);
}

/// x * 2^e with e clamped so that at most two exact scalings and one rounding happen.
Value* Lifter::ldexp32(V* x, V* e) {
  if (in_.avx512) return scale32(x, b_.CreateSIToFP(e, vf32_)); // exponents that do not fit a float are far outside anyway
  V* k = b_.CreateBinaryIntrinsic(Intrinsic::smin, b_.CreateBinaryIntrinsic(Intrinsic::smax, e, vsplat(static_cast<uint32_t>(-300))), vsplat(300));
  // In double the product is exact (|exponent| <= 449), and converting back rounds once.
  V* scale = b_.CreateBitCast(b_.CreateShl(b_.CreateZExt(b_.CreateAdd(k, vsplat(1023)), vi64_), 52), vf64_);
  V* r = b_.CreateFPTrunc(b_.CreateFMul(b_.CreateFPExt(x, vf64_), scale), vf32_);
  return r;
}

bool Lifter::vector_double(const LiftInst& li) {
  const Inst& i = li.inst;
  auto s = [&](unsigned k) { return src_f64(i, k); };
  auto out = [&](V* v) {
    result_f64(li, v);
    return true;
  };
  auto un = [&](Intrinsic::ID id) { return out(b_.CreateUnaryIntrinsic(id, s(0))); };
  auto c = [&](uint64_t v) { return ConstantInt::get(vi64_, v); };
  switch (i.op) {
  case Op::v_add_f64: return out(b_.CreateFAdd(s(0), s(1)));
  case Op::v_mul_f64: return out(b_.CreateFMul(s(0), s(1)));
  case Op::v_fma_f64: case Op::v_fmac_f64: return out(intrinsic(Intrinsic::fma, {vf64_}, {s(0), s(1), s(2)}));
  case Op::v_min_f64: return out(fmin_max(s(0), s(1), false));
  case Op::v_max_f64: return out(fmin_max(s(0), s(1), true));
  case Op::v_floor_f64: return un(Intrinsic::floor);
  case Op::v_ceil_f64: return un(Intrinsic::ceil);
  case Op::v_trunc_f64: return un(Intrinsic::trunc);
  case Op::v_rndne_f64: return un(Intrinsic::roundeven);
  case Op::v_fract_f64: {
    V* x = s(0);
    V* r = b_.CreateFSub(x, b_.CreateUnaryIntrinsic(Intrinsic::floor, x));
    V* top = b_.CreateBitCast(c(0x3fefffffffffffffull), vf64_);
    return out(b_.CreateSelect(b_.CreateFCmpOGT(r, top), top, r));
  }
  case Op::v_ldexp_f64: {
    V *x = s(0), *e = b_.CreateSExt(src_u32(i, 1), vi64_);
    return out(ldexp64(x, e));
  }
  case Op::v_frexp_mant_f64: case Op::v_frexp_exp_i32_f64: {
    V* x = s(0);
    V* mag = b_.CreateAnd(b_.CreateBitCast(x, vi64_), c(~(1ull << 63)));
    V* small = b_.CreateICmpULT(mag, c(1ull << 52));
    V* scaled = b_.CreateSelect(small, b_.CreateFMul(x, fsplat(0x1p54, vf64_)), x);
    V* sb = b_.CreateBitCast(scaled, vi64_);
    V* special = b_.CreateOr(b_.CreateICmpUGE(mag, c(0x7ffull << 52)), b_.CreateICmpEQ(mag, c(0)));
    if (i.op == Op::v_frexp_mant_f64) {
      V* m = b_.CreateOr(b_.CreateAnd(sb, c(0x800fffffffffffffull)), c(0x3feull << 52));
      return out(b_.CreateSelect(special, x, b_.CreateBitCast(m, vf64_)));
    }
    V* e = b_.CreateAnd(b_.CreateLShr(sb, 52), c(0x7ff));
    e = b_.CreateSub(e, b_.CreateSelect(small, c(1022 + 54), c(1022)));
    result_u32(li, b_.CreateTrunc(b_.CreateSelect(special, c(0), e), vi32_));
    return true;
  }
  case Op::v_div_fixup_f64: return out(div_fixup64(s(0), s(1), s(2)));
  case Op::v_div_fmas_f64: {
    V* vcc = pair_m(join(get(isa::kVccLo), get(isa::kVccHi)).pair);
    return out(div_fmas64(s(0), s(1), s(2), vcc));
  }
  default: return false;
  }
}

Value* Lifter::ldexp64(V* x, V* e) {
  auto c = [&](int64_t v) { return ConstantInt::get(vi64_, static_cast<uint64_t>(v)); };
  V* k = b_.CreateBinaryIntrinsic(Intrinsic::smin, b_.CreateBinaryIntrinsic(Intrinsic::smax, e, c(-2200)), c(2200));
  auto pow2 = [&](V* p) { return b_.CreateBitCast(b_.CreateShl(b_.CreateAdd(p, c(1023)), 52), vf64_); };
  // Up to three powers of two; for negative totals only the last product can round: the first ones stop short of the
  // denormal range because the mantissa is normalised before.
  V* mag = b_.CreateAnd(b_.CreateBitCast(x, vi64_), c(INT64_MAX));
  V* small = b_.CreateICmpULT(mag, c(1ll << 52));
  V* y = b_.CreateSelect(small, b_.CreateFMul(x, fsplat(0x1p54, vf64_)), x);
  k = b_.CreateSub(k, b_.CreateSelect(small, c(54), c(0)));
  // Bring y near 1: exponent ex, then one scaling by ex + k through at most two steps of which the first is exact.
  V* yb = b_.CreateBitCast(y, vi64_);
  V* ex = b_.CreateSub(b_.CreateAnd(b_.CreateLShr(yb, 52), c(0x7ff)), c(1023));
  V* unit = b_.CreateBitCast(b_.CreateOr(b_.CreateAnd(yb, c(static_cast<int64_t>(0x800fffffffffffffull))), c(1023ll << 52)), vf64_);
  V* total = b_.CreateAdd(ex, k);
  total = b_.CreateBinaryIntrinsic(Intrinsic::smin, b_.CreateBinaryIntrinsic(Intrinsic::smax, total, c(-1500)), c(1500));
  V* first = b_.CreateBinaryIntrinsic(Intrinsic::smin, b_.CreateBinaryIntrinsic(Intrinsic::smax, total, c(-1000)), c(1000));
  V* rest = b_.CreateSub(total, first);
  V* r = b_.CreateFMul(b_.CreateFMul(unit, pow2(first)), pow2(rest));
  V* special = b_.CreateOr(b_.CreateICmpUGE(mag, c(0x7ffll << 52)), b_.CreateICmpEQ(mag, c(0)));
  return b_.CreateSelect(special, x, r);
}

/// Halves compared as integers: LLVM 19 swaps the operands of a masked vcmpph that reads a spilled one without swapping
/// the relation.
Value* Lifter::compare_half(CmpInst::Predicate p, V* a, V* b) {
  auto c = [&](uint64_t v) { return ConstantInt::get(vi16_, v); };
  V *nan = nullptr, *key[2];
  for (int k = 0; k < 2; k++) {
    V* bits = b_.CreateBitCast(k ? b : a, vi16_);
    V* magnitude = b_.CreateAnd(bits, c(0x7fff));
    V* is_nan = b_.CreateICmpUGT(magnitude, c(0x7c00));
    nan = k ? b_.CreateOr(nan, is_nan) : is_nan;
    key[k] = b_.CreateSelect(b_.CreateICmpSLT(bits, c(0)), b_.CreateNeg(magnitude), magnitude);
  }
  if (p == CmpInst::FCMP_UNO) return nan;
  if (p == CmpInst::FCMP_ORD) return b_.CreateNot(nan);
  CmpInst::Predicate ip = CmpInst::ICMP_EQ;
  switch (p) {
  case CmpInst::FCMP_OLT: case CmpInst::FCMP_ULT: ip = CmpInst::ICMP_SLT; break;
  case CmpInst::FCMP_OLE: case CmpInst::FCMP_ULE: ip = CmpInst::ICMP_SLE; break;
  case CmpInst::FCMP_OGT: case CmpInst::FCMP_UGT: ip = CmpInst::ICMP_SGT; break;
  case CmpInst::FCMP_OGE: case CmpInst::FCMP_UGE: ip = CmpInst::ICMP_SGE; break;
  case CmpInst::FCMP_ONE: case CmpInst::FCMP_UNE: ip = CmpInst::ICMP_NE; break;
  default: break;
  }
  V* m = b_.CreateICmp(ip, key[0], key[1]);
  return CmpInst::isUnordered(p) ? b_.CreateOr(m, nan) : b_.CreateAnd(m, b_.CreateNot(nan));
}

bool Lifter::vector_compare(const LiftInst& li) {
  const Inst& i = li.inst;
  StringRef name = isa::row(i.op).mnemonic;
  bool x = name.consume_front("v_cmpx_");
  if (!x && !name.consume_front("v_cmp_")) return false;
  auto [rel, type] = name.rsplit('_');
  V* m = nullptr;
  if (rel == "class") {
    if (type == "f32") m = fp_class(src_f32(i, 0), src_u32(i, 1), 32);
    else if (type == "f64") m = fp_class(src_f64(i, 0), src_u32(i, 1), 64);
    else m = fp_class(src_f16(i, 0), src_u32(i, 1), 16);
  } else if (type.starts_with("f")) {
    auto p = StringSwitch<CmpInst::Predicate>(rel)
                 .Case("f", CmpInst::FCMP_FALSE).Case("lt", CmpInst::FCMP_OLT).Case("eq", CmpInst::FCMP_OEQ)
                 .Case("le", CmpInst::FCMP_OLE).Case("gt", CmpInst::FCMP_OGT).Case("lg", CmpInst::FCMP_ONE)
                 .Case("ge", CmpInst::FCMP_OGE).Case("o", CmpInst::FCMP_ORD).Case("u", CmpInst::FCMP_UNO)
                 .Case("nge", CmpInst::FCMP_ULT).Case("nlg", CmpInst::FCMP_UEQ).Case("ngt", CmpInst::FCMP_ULE)
                 .Case("nle", CmpInst::FCMP_UGT).Case("neq", CmpInst::FCMP_UNE).Case("nlt", CmpInst::FCMP_UGE)
                 .Default(CmpInst::FCMP_TRUE);
    V *a, *b;
    if (type == "f32") a = src_f32(i, 0), b = src_f32(i, 1);
    else if (type == "f64") a = src_f64(i, 0), b = src_f64(i, 1);
    else a = src_f16(i, 0), b = src_f16(i, 1);
    if (p == CmpInst::FCMP_TRUE || p == CmpInst::FCMP_FALSE)
      m = ConstantInt::get(vi1_, p == CmpInst::FCMP_TRUE);
    else if (type == "f16")
      m = compare_half(p, a, b);
    else
      m = b_.CreateFCmp(p, a, b);
  } else {
    bool sg = type.starts_with("i");
    auto p = StringSwitch<CmpInst::Predicate>(rel)
                 .Case("lt", sg ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT).Case("le", sg ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE)
                 .Case("gt", sg ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT).Case("ge", sg ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE)
                 .Case("eq", CmpInst::ICMP_EQ).Default(CmpInst::ICMP_NE);
    if (rel == "f" || rel == "t") {
      m = ConstantInt::get(vi1_, rel == "t");
    } else if (type.ends_with("32")) {
      Node *a = view(read(i, i.src[0])), *b = view(read(i, i.src[1]));
      if (plain(i) && a->form == Form::uniform && b->form == Form::uniform) {
        V* c = b_.CreateSExt(b_.CreateICmp(p, a->s, b->s), i64_);
        Pair* r = pair_scalar(exec_full() ? c : b_.CreateAnd(c, pair_s(exec())));
        put_pair(i.dst[0].code, r);
        if (x) set_exec(r);
        return true;
      }
      m = b_.CreateICmp(p, src_u32(i, 0), src_u32(i, 1));
    } else if (type.ends_with("64")) {
      m = b_.CreateICmp(p, src_u64(i, 0), src_u64(i, 1));
    } else {
      m = b_.CreateICmp(p, src_u16(i, 0), src_u16(i, 1));
    }
  }
  result_mask(li, 0, m);
  if (x) {
    unsigned c = i.dst[0].code;
    set_exec(join(get(c), get(c + 1)).pair);
  }
  return true;
}

/// Class test: bits 0 sNaN, 1 qNaN, 2 -inf, 3 -normal, 4 -denormal, 5 -0, 6 +0, 7 +denormal, 8 +normal, 9 +inf.
Value* Lifter::fp_class(V* x, V* mask, unsigned bits) {
  Type* it = bits == 32 ? vi32_ : bits == 64 ? vi64_ : vi16_;
  auto c = [&](uint64_t v) { return ConstantInt::get(it, v); };
  unsigned mant = bits == 32 ? 23 : bits == 64 ? 52 : 10;
  uint64_t inf = bits == 32 ? 0x7f800000ull : bits == 64 ? 0x7ff0000000000000ull : 0x7c00;
  uint64_t sign = 1ull << (bits - 1);
  V* b = b_.CreateBitCast(x, it);
  V* mag = b_.CreateAnd(b, c(sign - 1));
  V* neg = b_.CreateICmpNE(b_.CreateAnd(b, c(sign)), c(0));
  V* cls = b_.CreateSelect(neg, vsplat(1 << 3), vsplat(1 << 8));
  cls = b_.CreateSelect(b_.CreateICmpULT(mag, c(1ull << mant)), b_.CreateSelect(neg, vsplat(1 << 4), vsplat(1 << 7)), cls);
  cls = b_.CreateSelect(b_.CreateICmpEQ(mag, c(0)), b_.CreateSelect(neg, vsplat(1 << 5), vsplat(1 << 6)), cls);
  cls = b_.CreateSelect(b_.CreateICmpEQ(mag, c(inf)), b_.CreateSelect(neg, vsplat(1 << 2), vsplat(1 << 9)), cls);
  V* quiet = b_.CreateICmpNE(b_.CreateAnd(b, c(1ull << (mant - 1))), c(0));
  cls = b_.CreateSelect(b_.CreateICmpUGT(mag, c(inf)), b_.CreateSelect(quiet, vsplat(2), vsplat(1)), cls);
  return b_.CreateICmpNE(b_.CreateAnd(cls, mask), vsplat(0));
}

bool Lifter::vector_convert(const LiftInst& li) {
  const Inst& i = li.inst;
  auto u = [&](V* v) { result_u32(li, v); return true; };
  auto f = [&](V* v) { result_f32(li, v); return true; };
  auto d = [&](V* v) { result_f64(li, v); return true; };
  auto sat = [&](V* v, bool sg, Type* to) {
    return intrinsic(sg ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat, {to, v->getType()}, {v});
  };
  auto rt = [&](Intrinsic::ID id, V* v) { return b_.CreateUnaryIntrinsic(id, v); };
  switch (i.op) {
  case Op::v_cvt_f32_i32: return f(b_.CreateSIToFP(src_u32(i, 0), vf32_));
  case Op::v_cvt_f32_u32: return f(b_.CreateUIToFP(src_u32(i, 0), vf32_));
  case Op::v_cvt_u32_f32: return u(sat(src_f32(i, 0), false, vi32_));
  case Op::v_cvt_i32_f32: return u(sat(src_f32(i, 0), true, vi32_));
  case Op::v_cvt_flr_i32_f32: return u(sat(rt(Intrinsic::floor, src_f32(i, 0)), true, vi32_));
  case Op::v_cvt_rpi_i32_f32: { // x + 0.5 would round
    V *x = src_f32(i, 0), *low = rt(Intrinsic::floor, x);
    V* up = b_.CreateFCmpOGE(b_.CreateFSub(x, low), fsplat(0.5, vf32_));
    return u(sat(b_.CreateFAdd(low, b_.CreateSelect(up, fsplat(1, vf32_), fsplat(0, vf32_))), true, vi32_));
  }
  case Op::v_cvt_f64_i32: return d(b_.CreateSIToFP(src_u32(i, 0), vf64_));
  case Op::v_cvt_f64_u32: return d(b_.CreateUIToFP(src_u32(i, 0), vf64_));
  case Op::v_cvt_i32_f64: return u(sat(src_f64(i, 0), true, vi32_));
  case Op::v_cvt_u32_f64: return u(sat(src_f64(i, 0), false, vi32_));
  case Op::v_cvt_f32_f64: return f(b_.CreateFPTrunc(src_f64(i, 0), vf32_));
  case Op::v_cvt_f64_f32: return d(b_.CreateFPExt(src_f32(i, 0), vf64_));
  case Op::v_cvt_f32_f16: return f(b_.CreateFPExt(src_f16(i, 0), vf32_));
  case Op::v_cvt_f16_f32: {
    result_f16(li, b_.CreateFPTrunc(src_f32(i, 0), vf16_));
    return true;
  }
  case Op::v_cvt_f16_u16: { result_f16(li, b_.CreateUIToFP(src_u16(i, 0), vf16_)); return true; }
  case Op::v_cvt_f16_i16: { result_f16(li, b_.CreateSIToFP(src_u16(i, 0), vf16_)); return true; }
  case Op::v_cvt_u16_f16: case Op::v_cvt_i16_f16: {
    // By way of 32 bits: LLVM 19 turns a NaN half into 0x8000 where the host converts halves itself.
    bool sg = i.op == Op::v_cvt_i16_f16;
    V* w = sat(b_.CreateFPExt(src_f16(i, 0), vf32_), sg, vi32_);
    if (sg) w = b_.CreateBinaryIntrinsic(Intrinsic::smax, w, vsplat(0xffff8000u));
    w = b_.CreateBinaryIntrinsic(sg ? Intrinsic::smin : Intrinsic::umin, w, vsplat(sg ? 0x7fff : 0xffff));
    result_u16(li, b_.CreateTrunc(w, vi16_));
    return true;
  }
  case Op::v_cvt_f32_ubyte0: case Op::v_cvt_f32_ubyte1: case Op::v_cvt_f32_ubyte2: case Op::v_cvt_f32_ubyte3: {
    unsigned k = i.op == Op::v_cvt_f32_ubyte0 ? 0 : i.op == Op::v_cvt_f32_ubyte1 ? 8 : i.op == Op::v_cvt_f32_ubyte2 ? 16 : 24;
    return f(b_.CreateUIToFP(b_.CreateAnd(b_.CreateLShr(src_u32(i, 0), k), vsplat(0xff)), vf32_));
  }
  case Op::v_cvt_pkrtz_f16_f32: {
    V* r[2];
    for (unsigned k = 0; k < 2; k++) r[k] = b_.CreateZExt(trunc_to_half(src_f32(i, k)), vi32_);
    return u(b_.CreateOr(r[0], b_.CreateShl(r[1], 16)));
  }
  case Op::v_cvt_pk_u16_u32: case Op::v_cvt_pk_i16_i32: {
    bool sg = i.op == Op::v_cvt_pk_i16_i32;
    V* r[2];
    for (unsigned k = 0; k < 2; k++) {
      V* x = src_u32(i, k);
      if (sg) x = b_.CreateBinaryIntrinsic(Intrinsic::smin, b_.CreateBinaryIntrinsic(Intrinsic::smax, x, vsplat(static_cast<uint32_t>(-32768))), vsplat(32767));
      else x = b_.CreateBinaryIntrinsic(Intrinsic::umin, x, vsplat(65535));
      r[k] = b_.CreateAnd(x, vsplat(0xffff));
    }
    return u(b_.CreateOr(r[0], b_.CreateShl(r[1], 16)));
  }
  case Op::v_cvt_pk_u8_f32: {
    V *x = sat(rt(Intrinsic::roundeven, src_f32(i, 0)), false, vi8_), *k = b_.CreateShl(b_.CreateAnd(src_u32(i, 1), vsplat(3)), 3);
    V* keep = b_.CreateAnd(src_u32(i, 2), b_.CreateNot(b_.CreateShl(vsplat(0xff), k)));
    return u(b_.CreateOr(keep, b_.CreateShl(b_.CreateZExt(x, vi32_), k)));
  }
  default: return false;
  }
}

/// Float to half bits, rounding towards zero.
Value* Lifter::trunc_to_half(V* x) {
  V* n = b_.CreateFPTrunc(x, vf16_);
  V* back = b_.CreateFPExt(n, vf32_);
  V* nb = b_.CreateBitCast(n, vi16_);
  V* mx = b_.CreateAnd(as_i32(x), vsplat(0x7fffffff));
  V* mb = b_.CreateAnd(as_i32(back), vsplat(0x7fffffff));
  // Rounded away from zero (to infinity included): one unit less. Infinite inputs stay.
  V* away = b_.CreateAnd(b_.CreateICmpUGT(mb, mx), b_.CreateICmpULT(mx, vsplat(0x7f800000)));
  return b_.CreateSelect(away, b_.CreateSub(nb, ConstantInt::get(vi16_, 1)), nb);
}

} // namespace pumice::jit
