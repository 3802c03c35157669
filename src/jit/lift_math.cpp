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

/// A division: one instruction for the host, where an estimate with its repairs takes ten that are hardly faster and take
/// long to compile.
Value* Lifter::rcp32(V* x) { return b_.CreateFDiv(fsplat(1, vf32_), x); }

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
  return in_.avx512 ? scale32(p, n) : ldexp32(p, intrinsic(Intrinsic::fptosi_sat, {vi32_, vf32_}, {n}));
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
