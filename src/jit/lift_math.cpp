// SPDX-License-Identifier: MIT
// Transcendental and division-helper instructions. Within a few units in the last place; the hardware's
// own last bits differ (not checked on silicon).
#include "jit/lifter.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsX86.h"
#include <cmath>

using namespace llvm;
namespace pumice::jit {
using isa::Op;

namespace {
struct Rt {
  IRBuilder<InstSimplifyFolder>& b;
  Type* t;
  Value* fma(Value* x, Value* y, Value* z) { return b.CreateIntrinsic(Intrinsic::fma, {t}, {x, y, z}); }
  Value* c(double v) { return ConstantFP::get(t, v); }
};
} // namespace

Value* Lifter::rcp32(V* x) {
  if (!in_.avx512) return b_.CreateFDiv(fsplat(1, vf32_), x);
  std::vector<V*> parts;
  for (unsigned k = 0; k < 64; k += 16) {
    V* s = slice(x, k, 16);
    parts.push_back(b_.CreateIntrinsic(Intrinsic::x86_avx512_rcp14_ps_512, {}, {s, s, b_.getInt16(0xffff)}));
  }
  V* y0 = concat(parts);
  Rt r{b_, vf32_};
  V* e = r.fma(b_.CreateFNeg(x), y0, r.c(1));
  V* y = r.fma(y0, e, y0);
  // Zero, infinity, overflow to infinity: the residual is not a number near zero and the estimate already exact.
  V* ok = b_.CreateFCmpOLT(b_.CreateUnaryIntrinsic(Intrinsic::fabs, e), r.c(0.5));
  y = b_.CreateSelect(ok, y, y0);
  // A mantissa of ones is what the step gets wrong: it lands on the power of two just below. Division needs it right.
  V* bits = as_i32(x);
  V* ones = b_.CreateICmpEQ(b_.CreateAnd(bits, vsplat(0x7fffff)), vsplat(0x7fffff));
  V* normal = b_.CreateICmpULT(b_.CreateAnd(bits, vsplat(0x7fffffff)), vsplat(0x7e800000));
  return as_f32(b_.CreateOr(as_i32(y), b_.CreateZExt(b_.CreateAnd(ones, normal), vi32_)));
}

Value* Lifter::rsq32(V* x) {
  if (!in_.avx512) return b_.CreateFDiv(fsplat(1, vf32_), b_.CreateUnaryIntrinsic(Intrinsic::sqrt, x));
  std::vector<V*> parts;
  for (unsigned k = 0; k < 64; k += 16) {
    V* s = slice(x, k, 16);
    parts.push_back(b_.CreateIntrinsic(Intrinsic::x86_avx512_rsqrt14_ps_512, {}, {s, s, b_.getInt16(0xffff)}));
  }
  V* y0 = concat(parts);
  Rt r{b_, vf32_};
  V* h = b_.CreateFMul(x, y0);
  V* e = r.fma(b_.CreateFNeg(h), y0, r.c(1));
  V* y = r.fma(b_.CreateFMul(y0, r.c(0.5)), e, y0);
  return b_.CreateSelect(b_.CreateFCmpORD(e, e), y, y0);
}

/// 2^x: Taylor polynomial of degree 7 on [-1/2, 1/2], then scaled by the integer part.
Value* Lifter::exp2_32(V* x) {
  Rt r{b_, vf32_};
  // Beyond these bounds the result is 0 or infinity anyway; NaN passes through the comparison.
  V* big = b_.CreateFCmpOGT(x, r.c(200));
  V* tiny = b_.CreateFCmpOLT(x, r.c(-200));
  V* cx = b_.CreateSelect(big, r.c(200), b_.CreateSelect(tiny, r.c(-200), x));
  V* n = b_.CreateUnaryIntrinsic(Intrinsic::roundeven, cx);
  V* f = b_.CreateFSub(cx, n);
  double ln2 = std::log(2.0), c = 1;
  double coef[8];
  for (int k = 0; k < 8; k++) {
    coef[k] = c;
    c *= ln2 / (k + 1);
  }
  V* p = r.c(coef[7]);
  for (int k = 6; k >= 0; k--) p = r.fma(p, f, r.c(coef[k]));
  return ldexp32(p, intrinsic(Intrinsic::fptosi_sat, {vi32_, vf32_}, {n}));
}

/// log2 of positive floats: mantissa in [sqrt(1/2), sqrt 2), atanh series.
Value* Lifter::log2_32(V* x) {
  Rt r{b_, vf32_};
  V* bits = as_i32(x);
  V* small = b_.CreateFCmpOLT(x, as_f32(vsplat(0x00800000)));
  V* xs = b_.CreateSelect(small, b_.CreateFMul(x, r.c(8388608.0)), x);
  V* b = as_i32(xs);
  V* shifted = b_.CreateSub(b, vsplat(0x3f3504f3)); // bits of sqrt(1/2)
  V* e = b_.CreateAShr(shifted, 23);
  V* m = as_f32(b_.CreateAdd(b_.CreateAnd(shifted, vsplat(0x007fffff)), vsplat(0x3f3504f3)));
  V* ef = b_.CreateSIToFP(b_.CreateSub(e, b_.CreateSelect(small, vsplat(23), vsplat(0))), vf32_);
  V* d = b_.CreateFSub(m, r.c(1));
  V* s = b_.CreateFDiv(d, b_.CreateFAdd(m, r.c(1)));
  V* z = b_.CreateFMul(s, s);
  double k = 2 / std::log(2.0);
  V* p = r.c(k / 11);
  for (int n : {9, 7, 5, 3}) p = r.fma(p, z, r.c(k / n));
  // s * k in two parts: the constant's tail and the division's residual keep the last bits near 1.
  V* khi = r.c(static_cast<float>(k));
  V* tail = b_.CreateFMul(b_.CreateFMul(s, z), p);
  V* lo = r.fma(s, r.c(k - static_cast<float>(k)), tail);
  V* log_m = r.fma(s, khi, lo);
  V* v = b_.CreateFAdd(ef, log_m);
  V* zero = b_.CreateFCmpOEQ(x, r.c(0));
  V* inf = b_.CreateICmpEQ(bits, vsplat(0x7f800000));
  V* bad = b_.CreateOr(b_.CreateFCmpOLT(x, r.c(0)), b_.CreateFCmpUNO(x, x));
  v = b_.CreateSelect(zero, as_f32(vsplat(0xff800000)), v);
  v = b_.CreateSelect(inf, x, v);
  return b_.CreateSelect(bad, as_f32(vsplat(0x7fc00000)), v);
}

/// sin or cos of 2*pi*x.
Value* Lifter::sin_turns(V* x, bool cosine) {
  Rt r{b_, vf32_};
  V* f = b_.CreateFSub(x, b_.CreateUnaryIntrinsic(Intrinsic::roundeven, x)); // exact
  V* q4 = b_.CreateUnaryIntrinsic(Intrinsic::roundeven, b_.CreateFMul(f, r.c(4)));
  V* g = r.fma(q4, r.c(-0.25), f);                                           // exact, |g| <= 1/8
  V* q = intrinsic(Intrinsic::fptosi_sat, {vi32_, vf32_}, {q4});
  if (cosine) q = b_.CreateAdd(q, vsplat(1));
  double pi2 = 2 * M_PI;
  V* z = b_.CreateFMul(g, g);
  auto series = [&](int first, int last) { // sum of (-1)^(k/2) (2 pi)^k / k! z^((k - first)/2)
    V* p = nullptr;
    for (int k = last; k >= first; k -= 2) {
      double c = (k / 2 % 2 ? -1.0 : 1.0) * std::pow(pi2, k) / std::tgamma(k + 1.0);
      p = p ? r.fma(p, z, r.c(c)) : r.c(c);
    }
    return p;
  };
  V* sin = b_.CreateFMul(g, series(1, 11));
  V* cos = series(0, 10);
  V* odd = b_.CreateICmpNE(b_.CreateAnd(q, vsplat(1)), vsplat(0));
  V* v = b_.CreateSelect(odd, cos, sin);
  V* flip = b_.CreateShl(b_.CreateAnd(q, vsplat(2)), 30);
  v = as_f32(b_.CreateXor(as_i32(v), flip));
  V* bad = b_.CreateFCmpUEQ(b_.CreateUnaryIntrinsic(Intrinsic::fabs, x), as_f32(vsplat(0x7f800000)));
  return b_.CreateSelect(bad, as_f32(vsplat(0x7fc00000)), v);
}

/// |a / b| is not zero but below the smallest normal number. Exact.
Value* Lifter::quotient_is_denormal(V* a, V* b) {
  auto mag = [&](V* v) { return b_.CreateUnaryIntrinsic(Intrinsic::fabs, v); };
  Type* ft = a->getType();
  V *ma = mag(a), *mb = mag(b), *inf = ConstantFP::getInfinity(ft);
  V* usable = b_.CreateAnd(b_.CreateFCmpONE(a, fsplat(0, ft)),
                           b_.CreateAnd(b_.CreateFCmpOLT(ma, inf), b_.CreateFCmpOLT(mb, inf)));
  V* less;
  if (ft == vf32_) { // the product is exact in double
    V* limit = b_.CreateFMul(b_.CreateFPExt(mb, vf64_), fsplat(0x1p-126, vf64_));
    less = b_.CreateFCmpOLT(b_.CreateFPExt(ma, vf64_), limit);
  } else { // |a| < |b| * 2^-1022 on exponent and fraction of normalised numbers, as one integer
    auto c = [&](uint64_t v) { return ConstantInt::get(vi64_, v); };
    auto key = [&](V* v) {
      V* bits = b_.CreateBitCast(v, vi64_);
      V* small = b_.CreateICmpULT(bits, c(1ull << 52));
      V* up = b_.CreateBitCast(b_.CreateFMul(v, fsplat(0x1p54, vf64_)), vi64_);
      return b_.CreateSelect(small, b_.CreateSub(up, c(54ull << 52)), bits);
    };
    less = b_.CreateICmpSLT(key(ma), b_.CreateSub(key(mb), c(1022ull << 52)));
  }
  return b_.CreateAnd(usable, less);
}

/// The rules of exec/divide.cpp [E-002]: with them clang's division sequences round correctly.
bool Lifter::div_scale(const LiftInst& li, bool dbl) {
  const Inst& i = li.inst;
  Type* ft = dbl ? vf64_ : vf32_;
  Type* it = dbl ? vi64_ : vi32_;
  auto src = [&](unsigned k) { return dbl ? src_f64(i, k) : src_f32(i, k); };
  auto c = [&](uint64_t v) { return ConstantInt::get(it, v); };
  auto bits = [&](V* v) { return b_.CreateBitCast(v, it); };
  V *s0 = src(0), *den = src(1), *num = src(2), *nil = fsplat(0, ft);
  unsigned mant = dbl ? 52 : 23;
  auto ex = [&](V* v) { return b_.CreateAnd(b_.CreateLShr(bits(v), mant), c(dbl ? 0x7ff : 0xff)); };
  V *ed = ex(den), *en = ex(num);
  V* zero = b_.CreateOr(b_.CreateFCmpOEQ(den, nil), b_.CreateFCmpOEQ(num, nil));
  V* far = b_.CreateICmpSGE(b_.CreateSub(en, ed), c(dbl ? 768 : 96));
  V* den_denorm = b_.CreateAnd(b_.CreateICmpEQ(ed, c(0)), b_.CreateFCmpONE(den, nil));
  V* mag = b_.CreateUnaryIntrinsic(Intrinsic::fabs, den);
  V* rcp_denorm = b_.CreateAnd(b_.CreateFCmpOGT(mag, fsplat(dbl ? 0x1p1022 : 0x1p126, ft)),
                               b_.CreateFCmpOLT(mag, ConstantFP::getInfinity(ft)));
  V* quo_denorm = quotient_is_denormal(num, den);
  V* num_tiny = b_.CreateICmpULE(en, c(dbl ? 53 : 23));
  V* is_den = b_.CreateICmpEQ(bits(s0), bits(den));
  V* is_num = b_.CreateICmpEQ(bits(s0), bits(num));
  V* up = b_.CreateFMul(s0, fsplat(dbl ? 0x1p128 : 0x1p64, ft));
  V* down = b_.CreateFMul(s0, fsplat(dbl ? 0x1p-128 : 0x1p-64, ft));
  V *yes = ConstantInt::getTrue(vi1_), *no = ConstantInt::getFalse(vi1_);
  // Cases in order of precedence, built from the last to the first.
  V *d = s0, *vcc = no;
  auto when = [&](V* cond, V* value, V* flag) {
    d = b_.CreateSelect(cond, value, d);
    vcc = b_.CreateSelect(cond, flag, vcc);
  };
  when(num_tiny, up, no);
  when(quo_denorm, b_.CreateSelect(is_num, up, s0), yes);
  when(rcp_denorm, down, no);
  when(b_.CreateAnd(rcp_denorm, quo_denorm), b_.CreateSelect(is_den, down, s0), yes);
  when(den_denorm, up, no);
  when(far, b_.CreateSelect(is_den, up, s0), yes);
  when(b_.CreateFCmpUNO(den, num), s0, no);
  when(zero, ConstantFP::getNaN(ft), no);
  result_mask(li, 1, vcc);
  if (dbl) result_f64(li, d);
  else result_f32(li, d);
  return true;
}

/// The sum of doubles, rounded to odd: a later rounding to fewer bits is then the only one that counts.
Value* Lifter::add_to_odd(V* p, V* a) {
  auto c = [&](uint64_t v) { return ConstantInt::get(vi64_, v); };
  V *s = b_.CreateFAdd(p, a), *t = b_.CreateFSub(s, p);
  V* e = b_.CreateFAdd(b_.CreateFSub(p, b_.CreateFSub(s, t)), b_.CreateFSub(a, t));
  V *bits = b_.CreateBitCast(s, vi64_), *nil = fsplat(0, vf64_);
  V* adjust = b_.CreateAnd(b_.CreateFCmpONE(e, nil), b_.CreateICmpEQ(b_.CreateAnd(bits, c(1)), c(0)));
  V* away = b_.CreateICmpEQ(b_.CreateFCmpOGT(e, nil), b_.CreateFCmpOGT(s, nil));
  V* step = b_.CreateSelect(away, c(1), c(~0ull));
  return b_.CreateBitCast(b_.CreateSelect(adjust, b_.CreateAdd(bits, step), bits), vf64_);
}

/// Fused multiply-add; lanes of `scaled` undo the scaling of v_div_scale, and round only once.
Value* Lifter::div_fmas32(V* x, V* y, V* z, V* scaled) {
  auto wide = [&](V* v) { return b_.CreateFPExt(v, vf64_); };
  // In double: the product is exact, the sum is rounded to odd, scaling is exact.
  V* odd = add_to_odd(b_.CreateFMul(wide(x), wide(y)), wide(z));
  V* up = b_.CreateICmpUGT(b_.CreateAnd(b_.CreateLShr(as_i32(z), 23), vsplat(0xff)), vsplat(127));
  V* factor = b_.CreateSelect(up, fsplat(0x1p64, vf64_), fsplat(0x1p-64, vf64_));
  V* r = b_.CreateFPTrunc(b_.CreateFMul(odd, factor), vf32_);
  return b_.CreateSelect(scaled, r, intrinsic(Intrinsic::fma, {vf32_}, {x, y, z}));
}

Value* Lifter::div_fmas64(V* x, V* y, V* z, V* scaled) {
  auto fma = [&](V* a, V* b, V* c) { return intrinsic(Intrinsic::fma, {vf64_}, {a, b, c}); };
  auto c = [&](uint64_t v) { return ConstantInt::get(vi64_, v); };
  V *r = fma(x, y, z), *nil = fsplat(0, vf64_);
  // What r lacks: z - r + x * y. z - r is exact, x * y in two parts.
  V *p = b_.CreateFMul(x, y), *tail = fma(x, y, b_.CreateFNeg(p)), *d = b_.CreateFSub(z, r);
  V *h = b_.CreateFAdd(d, p), *t = b_.CreateFSub(h, d);
  V* l = b_.CreateFAdd(b_.CreateFSub(d, b_.CreateFSub(h, t)), b_.CreateFSub(p, t));
  V* lack = b_.CreateFAdd(h, b_.CreateFAdd(l, tail));
  // Results that scaling makes denormal: rounded to multiples of 2^-946 first, by adding a number
  // with this unit; only a tie needs to know what r lacks.
  V* anchor = b_.CreateCopySign(fsplat(0x1p-894, vf64_), r);
  V* sum = b_.CreateFAdd(anchor, r);
  V* rest = b_.CreateFSub(r, b_.CreateFSub(sum, anchor));
  V* tie = b_.CreateFCmpOEQ(b_.CreateUnaryIntrinsic(Intrinsic::fabs, rest), fsplat(0x1p-947, vf64_));
  V* along = b_.CreateICmpEQ(b_.CreateFCmpOGT(lack, nil), b_.CreateFCmpOGT(rest, nil));
  V* move = b_.CreateAnd(tie, b_.CreateAnd(along, b_.CreateFCmpONE(lack, nil)));
  sum = b_.CreateSelect(move, b_.CreateFAdd(sum, b_.CreateFAdd(rest, rest)), sum);
  V* rounded = b_.CreateCopySign(b_.CreateFSub(sum, anchor), r);
  V* small = b_.CreateFCmpOLT(b_.CreateUnaryIntrinsic(Intrinsic::fabs, r), fsplat(0x1p-894, vf64_));
  V* down = b_.CreateFMul(b_.CreateSelect(small, rounded, r), fsplat(0x1p-128, vf64_));
  V* ez = b_.CreateAnd(b_.CreateLShr(b_.CreateBitCast(z, vi64_), 52), c(0x7ff));
  V* up = b_.CreateFMul(r, fsplat(0x1p128, vf64_));
  V* undone = b_.CreateSelect(b_.CreateICmpUGT(ez, c(1023)), up, down);
  return b_.CreateSelect(scaled, undone, r);
}

bool Lifter::vector_math(const LiftInst& li) {
  const Inst& i = li.inst;
  auto s = [&] { return src_f32(i, 0); };
  auto f = [&](V* v) { result_f32(li, v); return true; };
  auto h = [&](V* v) { result_f16(li, b_.CreateFPTrunc(v, vf16_)); return true; };
  auto hs = [&] { return b_.CreateFPExt(src_f16(i, 0), vf32_); };
  auto one = [&](V* v) { return b_.CreateFDiv(fsplat(1, v->getType()), v); };
  auto root = [&](V* v) { return b_.CreateUnaryIntrinsic(Intrinsic::sqrt, v); };
  switch (i.op) {
  case Op::v_rcp_f32: case Op::v_rcp_iflag_f32: return f(rcp32(s()));
  case Op::v_rsq_f32: return f(rsq32(s()));
  case Op::v_sqrt_f32: return f(root(s()));
  case Op::v_exp_f32: case Op::v_exp_legacy_f32: return f(exp2_32(s()));
  case Op::v_log_f32: case Op::v_log_legacy_f32: return f(log2_32(s()));
  case Op::v_sin_f32: return f(sin_turns(s(), false));
  case Op::v_cos_f32: return f(sin_turns(s(), true));
  case Op::v_rcp_f16: return h(one(hs()));
  case Op::v_rsq_f16: return h(one(root(hs())));
  case Op::v_sqrt_f16: return h(root(hs()));
  case Op::v_exp_f16: return h(exp2_32(hs()));
  case Op::v_log_f16: return h(log2_32(hs()));
  case Op::v_sin_f16: return h(sin_turns(hs(), false));
  case Op::v_cos_f16: return h(sin_turns(hs(), true));
  case Op::v_rcp_f64: result_f64(li, one(src_f64(i, 0))); return true;
  case Op::v_rsq_f64: result_f64(li, one(root(src_f64(i, 0)))); return true;
  case Op::v_sqrt_f64: result_f64(li, root(src_f64(i, 0))); return true;
  case Op::v_floor_f16: result_f16(li, b_.CreateUnaryIntrinsic(Intrinsic::floor, src_f16(i, 0))); return true;
  case Op::v_ceil_f16: result_f16(li, b_.CreateUnaryIntrinsic(Intrinsic::ceil, src_f16(i, 0))); return true;
  case Op::v_trunc_f16: result_f16(li, b_.CreateUnaryIntrinsic(Intrinsic::trunc, src_f16(i, 0))); return true;
  case Op::v_rndne_f16: result_f16(li, b_.CreateUnaryIntrinsic(Intrinsic::roundeven, src_f16(i, 0))); return true;
  case Op::v_ldexp_f16: {
    V* e = b_.CreateSExt(src_u16(i, 1), vi32_);
    result_f16(li, b_.CreateFPTrunc(ldexp32(b_.CreateFPExt(src_f16(i, 0), vf32_), e), vf16_));
    return true;
  }
  case Op::v_div_scale_f32: return div_scale(li, false);
  case Op::v_div_scale_f64: return div_scale(li, true);
  case Op::v_div_fixup_f16: {
    // The half-precision quotient arrives computed; only special operands need the sign and class fixed.
    V *q = b_.CreateFPExt(src_f16(i, 0), vf32_), *d = b_.CreateFPExt(src_f16(i, 1), vf32_), *n = b_.CreateFPExt(src_f16(i, 2), vf32_);
    return h(div_fixup32(q, d, n, true));
  }
  default: return false;
  }
}

} // namespace pumice::jit
