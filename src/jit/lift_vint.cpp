// SPDX-License-Identifier: MIT
// Vector integer instructions, 32 and 64 bits wide, that have no scalar form worth keeping.
#include "jit/lifter.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
namespace pumice::jit {
using isa::Op;

bool Lifter::vector_int(const LiftInst& li) {
  const Inst& i = li.inst;
  auto s = [&](unsigned k) { return src_u32(i, k); };
  auto out = [&](V* v) {
    result_u32(li, v);
    return true;
  };
  auto shift = [&](V* v) { return b_.CreateAnd(v, vsplat(31)); };
  auto mulhi = [&](V* a, V* b, bool sg) {
    V* x = sg ? b_.CreateSExt(a, vi64_) : b_.CreateZExt(a, vi64_);
    V* y = sg ? b_.CreateSExt(b, vi64_) : b_.CreateZExt(b, vi64_);
    return b_.CreateTrunc(b_.CreateLShr(b_.CreateMul(x, y), 32), vi32_);
  };
  auto mask_src = [&](unsigned k) { return pair_m(read64(i, i.src[k]).pair); };
  auto u24 = [&](V* v) { return b_.CreateAnd(v, vsplat(0xffffff)); };
  auto i24 = [&](V* v) { return b_.CreateAShr(b_.CreateShl(v, 8), 8); };
  if (i.clamp) { // saturating forms
    switch (i.op) {
    case Op::v_add_u32: return out(b_.CreateBinaryIntrinsic(Intrinsic::uadd_sat, s(0), s(1)));
    case Op::v_sub_u32: return out(b_.CreateBinaryIntrinsic(Intrinsic::usub_sat, s(0), s(1)));
    case Op::v_subrev_u32: { V* a = s(0); return out(b_.CreateBinaryIntrinsic(Intrinsic::usub_sat, s(1), a)); }
    case Op::v_add_i32: return out(b_.CreateBinaryIntrinsic(Intrinsic::sadd_sat, s(0), s(1)));
    case Op::v_sub_i32: return out(b_.CreateBinaryIntrinsic(Intrinsic::ssub_sat, s(0), s(1)));
    default: return false;
    }
  }
  switch (i.op) {
  case Op::v_mov_b32: { // with modifiers: SDWA, DPP or float neg/abs
    V* v = s(0);
    if (i.abs & 1) v = b_.CreateAnd(v, vsplat(0x7fffffff));
    if (i.neg & 1) v = b_.CreateXor(v, vsplat(0x80000000));
    return out(v);
  }
  case Op::v_not_b32: return out(b_.CreateNot(s(0)));
  case Op::v_bfrev_b32: return out(b_.CreateUnaryIntrinsic(Intrinsic::bitreverse, s(0)));
  case Op::v_add_u32: case Op::v_add_i32: return out(b_.CreateAdd(s(0), s(1)));
  case Op::v_sub_u32: case Op::v_sub_i32: return out(b_.CreateSub(s(0), s(1)));
  case Op::v_subrev_u32: { V* a = s(0); return out(b_.CreateSub(s(1), a)); }
  case Op::v_and_b32: return out(b_.CreateAnd(s(0), s(1)));
  case Op::v_or_b32: return out(b_.CreateOr(s(0), s(1)));
  case Op::v_xor_b32: return out(b_.CreateXor(s(0), s(1)));
  case Op::v_xnor_b32: return out(b_.CreateNot(b_.CreateXor(s(0), s(1))));
  case Op::v_lshlrev_b32: { V* a = shift(s(0)); return out(b_.CreateShl(s(1), a)); }
  case Op::v_lshrrev_b32: { V* a = shift(s(0)); return out(b_.CreateLShr(s(1), a)); }
  case Op::v_ashrrev_i32: { V* a = shift(s(0)); return out(b_.CreateAShr(s(1), a)); }
  case Op::v_min_u32: return out(b_.CreateBinaryIntrinsic(Intrinsic::umin, s(0), s(1)));
  case Op::v_max_u32: return out(b_.CreateBinaryIntrinsic(Intrinsic::umax, s(0), s(1)));
  case Op::v_min_i32: return out(b_.CreateBinaryIntrinsic(Intrinsic::smin, s(0), s(1)));
  case Op::v_max_i32: return out(b_.CreateBinaryIntrinsic(Intrinsic::smax, s(0), s(1)));
  case Op::v_mul_lo_u32: return out(b_.CreateMul(s(0), s(1)));
  case Op::v_mul_hi_u32: return out(mulhi(s(0), s(1), false));
  case Op::v_mul_hi_i32: return out(mulhi(s(0), s(1), true));
  case Op::v_mul_u32_u24: return out(b_.CreateMul(u24(s(0)), u24(s(1))));
  case Op::v_mul_i32_i24: return out(b_.CreateMul(i24(s(0)), i24(s(1))));
  case Op::v_mul_hi_u32_u24: return out(mulhi(u24(s(0)), u24(s(1)), false));
  case Op::v_mul_hi_i32_i24: return out(mulhi(i24(s(0)), i24(s(1)), true));
  case Op::v_cndmask_b32: {
    V *a = s(0), *b = s(1);
    if (i.abs & 1) a = b_.CreateAnd(a, vsplat(0x7fffffff));
    if (i.abs & 2) b = b_.CreateAnd(b, vsplat(0x7fffffff));
    if (i.neg & 1) a = b_.CreateXor(a, vsplat(0x80000000));
    if (i.neg & 2) b = b_.CreateXor(b, vsplat(0x80000000));
    return out(b_.CreateSelect(mask_src(2), b, a));
  }
  case Op::v_sub_co_u32: case Op::v_add_co_u32: case Op::v_subrev_co_u32: { // SDWA / DPP forms
    V *a = s(0), *b = s(1);
    if (i.op == Op::v_subrev_co_u32) std::swap(a, b);
    bool add = i.op == Op::v_add_co_u32;
    V* r = add ? b_.CreateAdd(a, b) : b_.CreateSub(a, b);
    result_mask(li, 1, add ? b_.CreateICmpULT(r, a) : b_.CreateICmpULT(a, b));
    return out(r);
  }
  case Op::v_addc_co_u32: case Op::v_subb_co_u32: case Op::v_subbrev_co_u32: {
    V *a = s(0), *b = s(1), *c = mask_src(2);
    if (i.op == Op::v_subbrev_co_u32) std::swap(a, b);
    V* cin = b_.CreateZExt(c, vi32_);
    V *r, *m;
    if (i.op == Op::v_addc_co_u32) {
      V* t = b_.CreateAdd(a, b);
      r = b_.CreateAdd(t, cin);
      m = b_.CreateOr(b_.CreateICmpULT(t, a), b_.CreateICmpULT(r, t));
    } else {
      V* t = b_.CreateSub(a, b);
      r = b_.CreateSub(t, cin);
      m = b_.CreateOr(b_.CreateICmpULT(a, b), b_.CreateICmpULT(t, cin));
    }
    result_mask(li, 1, m);
    return out(r);
  }
  case Op::v_bfe_u32: case Op::v_bfe_i32: {
    V *x = s(0), *o = shift(s(1)), *w = shift(s(2));
    // A field that reaches past bit 31 takes its sign from there.
    V* y = i.op == Op::v_bfe_u32 ? b_.CreateLShr(x, o) : b_.CreateAShr(x, o);
    V* k = b_.CreateAnd(b_.CreateSub(vsplat(32), w), vsplat(31));
    if (i.op == Op::v_bfe_u32)
      return out(b_.CreateAnd(y, b_.CreateSub(b_.CreateShl(vsplat(1), w), vsplat(1))));
    y = b_.CreateAShr(b_.CreateShl(y, k), k);
    return out(b_.CreateSelect(b_.CreateICmpEQ(w, vsplat(0)), vsplat(0), y));
  }
  case Op::v_bfi_b32: {
    V *m = s(0), *a = s(1), *b = s(2);
    return out(b_.CreateOr(b_.CreateAnd(m, a), b_.CreateAnd(b_.CreateNot(m), b)));
  }
  case Op::v_bfm_b32: {
    V *w = shift(s(0)), *o = shift(s(1));
    return out(b_.CreateShl(b_.CreateSub(b_.CreateShl(vsplat(1), w), vsplat(1)), o));
  }
  case Op::v_lshl_add_u32: { V* t = b_.CreateShl(s(0), shift(s(1))); return out(b_.CreateAdd(t, s(2))); }
  case Op::v_add_lshl_u32: { V* t = b_.CreateAdd(s(0), s(1)); return out(b_.CreateShl(t, shift(s(2)))); }
  case Op::v_lshl_or_b32: { V* t = b_.CreateShl(s(0), shift(s(1))); return out(b_.CreateOr(t, s(2))); }
  case Op::v_and_or_b32: { V* t = b_.CreateAnd(s(0), s(1)); return out(b_.CreateOr(t, s(2))); }
  case Op::v_or3_b32: { V* t = b_.CreateOr(s(0), s(1)); return out(b_.CreateOr(t, s(2))); }
  case Op::v_add3_u32: { V* t = b_.CreateAdd(s(0), s(1)); return out(b_.CreateAdd(t, s(2))); }
  case Op::v_xad_u32: { V* t = b_.CreateXor(s(0), s(1)); return out(b_.CreateAdd(t, s(2))); }
  case Op::v_mad_u32_u24: return out(b_.CreateAdd(b_.CreateMul(u24(s(0)), u24(s(1))), s(2)));
  case Op::v_mad_i32_i24: return out(b_.CreateAdd(b_.CreateMul(i24(s(0)), i24(s(1))), s(2)));
  case Op::v_alignbit_b32: case Op::v_alignbyte_b32: {
    V *hi = s(0), *lo = s(1), *k = s(2);
    k = i.op == Op::v_alignbit_b32 ? b_.CreateAnd(k, vsplat(31)) : b_.CreateShl(b_.CreateAnd(k, vsplat(3)), 3);
    return out(intrinsic(Intrinsic::fshr, {vi32_}, {hi, lo, k}));
  }
  case Op::v_min3_u32: return out(b_.CreateBinaryIntrinsic(Intrinsic::umin, b_.CreateBinaryIntrinsic(Intrinsic::umin, s(0), s(1)), s(2)));
  case Op::v_max3_u32: return out(b_.CreateBinaryIntrinsic(Intrinsic::umax, b_.CreateBinaryIntrinsic(Intrinsic::umax, s(0), s(1)), s(2)));
  case Op::v_min3_i32: return out(b_.CreateBinaryIntrinsic(Intrinsic::smin, b_.CreateBinaryIntrinsic(Intrinsic::smin, s(0), s(1)), s(2)));
  case Op::v_max3_i32: return out(b_.CreateBinaryIntrinsic(Intrinsic::smax, b_.CreateBinaryIntrinsic(Intrinsic::smax, s(0), s(1)), s(2)));
  case Op::v_med3_i32: case Op::v_med3_u32: {
    auto mn = i.op == Op::v_med3_i32 ? Intrinsic::smin : Intrinsic::umin;
    auto mx = i.op == Op::v_med3_i32 ? Intrinsic::smax : Intrinsic::umax;
    V *a = s(0), *b = s(1), *c = s(2);
    V *lo = b_.CreateBinaryIntrinsic(mn, a, b), *hi = b_.CreateBinaryIntrinsic(mx, a, b);
    return out(b_.CreateBinaryIntrinsic(mx, lo, b_.CreateBinaryIntrinsic(mn, hi, c)));
  }
  case Op::v_bcnt_u32_b32: return out(b_.CreateAdd(b_.CreateUnaryIntrinsic(Intrinsic::ctpop, s(0)), s(1)));
  case Op::v_ffbl_b32: case Op::v_ffbh_u32: {
    V* x = s(0);
    V* r = b_.CreateBinaryIntrinsic(i.op == Op::v_ffbl_b32 ? Intrinsic::cttz : Intrinsic::ctlz, x, b_.getFalse());
    return out(b_.CreateSelect(b_.CreateICmpEQ(x, vsplat(0)), vsplat(~0u), r));
  }
  case Op::v_ffbh_i32: {
    V* x = s(0);
    V* y = b_.CreateXor(x, b_.CreateAShr(x, 31));
    V* r = b_.CreateBinaryIntrinsic(Intrinsic::ctlz, y, b_.getFalse());
    return out(b_.CreateSelect(b_.CreateICmpEQ(y, vsplat(0)), vsplat(~0u), r));
  }
  case Op::v_sad_u32: {
    V *a = s(0), *b = s(1), *c = s(2);
    V* d = b_.CreateSub(b_.CreateBinaryIntrinsic(Intrinsic::umax, a, b), b_.CreateBinaryIntrinsic(Intrinsic::umin, a, b));
    return out(b_.CreateAdd(d, c));
  }
  case Op::v_perm_b32: {
    // Selector byte: 0..7 a byte of {S0,S1} (S1 low), 8..11 sign of 16-bit words, 12 zero, >= 13 ones.
    V *hi = s(0), *lo = s(1), *sel = s(2);
    Node* k = view(read(i, i.src[2]));
    V* r = nullptr;
    if (k->is_const) {
      for (unsigned q = 0; q < 4; q++) {
        unsigned c = k->cval >> (8 * q) & 0xff;
        V* byte;
        if (c < 8) byte = b_.CreateAnd(b_.CreateLShr(c < 4 ? lo : hi, 8 * (c & 3)), vsplat(0xff));
        else if (c < 12) {
          V* w = c < 10 ? lo : hi;
          byte = b_.CreateAnd(b_.CreateAShr((c & 1) ? w : b_.CreateShl(w, 16), 31), vsplat(0xff));
        } else byte = vsplat(c == 12 ? 0 : 0xff);
        byte = b_.CreateShl(byte, 8 * q);
        r = r ? b_.CreateOr(r, byte) : byte;
      }
      return out(r);
    }
    V* both = b_.CreateOr(b_.CreateZExt(lo, vi64_), b_.CreateShl(b_.CreateZExt(hi, vi64_), 32));
    for (unsigned q = 0; q < 4; q++) {
      V* c = b_.CreateAnd(b_.CreateLShr(sel, 8 * q), vsplat(0xff));
      V* sh = b_.CreateShl(b_.CreateZExt(b_.CreateAnd(c, vsplat(7)), vi64_), 3);
      V* byte = b_.CreateTrunc(b_.CreateAnd(b_.CreateLShr(both, sh), ConstantInt::get(vi64_, 0xff)), vi32_);
      V* wsh = b_.CreateAdd(b_.CreateShl(b_.CreateZExt(b_.CreateAnd(c, vsplat(3)), vi64_), 4), ConstantInt::get(vi64_, 15));
      V* sign = b_.CreateAnd(b_.CreateLShr(both, wsh), ConstantInt::get(vi64_, 1));
      V* sign_byte = b_.CreateSelect(b_.CreateICmpNE(sign, ConstantInt::get(vi64_, 0)), vsplat(0xff), vsplat(0));
      byte = b_.CreateSelect(b_.CreateICmpUGE(c, vsplat(8)), sign_byte, byte);
      byte = b_.CreateSelect(b_.CreateICmpEQ(c, vsplat(12)), vsplat(0), byte);
      byte = b_.CreateSelect(b_.CreateICmpUGT(c, vsplat(12)), vsplat(0xff), byte);
      byte = b_.CreateShl(byte, 8 * q);
      r = r ? b_.CreateOr(r, byte) : byte;
    }
    return out(r);
  }
  default: return false;
  }
}

bool Lifter::vector_int64(const LiftInst& li) {
  const Inst& i = li.inst;
  auto s = [&](unsigned k) { return src_u64(i, k); };
  auto amount = [&](unsigned k) { return b_.CreateZExt(b_.CreateAnd(src_u32(i, k), vsplat(63)), vi64_); };
  auto out = [&](V* v) {
    result_u64(li, v);
    return true;
  };
  switch (i.op) {
  case Op::v_lshlrev_b64: { V* k = amount(0); return out(b_.CreateShl(s(1), k)); }
  case Op::v_lshrrev_b64: { V* k = amount(0); return out(b_.CreateLShr(s(1), k)); }
  case Op::v_ashrrev_i64: { V* k = amount(0); return out(b_.CreateAShr(s(1), k)); }
  case Op::v_lshl_add_u64: {
    V* k = b_.CreateZExt(b_.CreateAnd(src_u32(i, 1), vsplat(7)), vi64_);
    return out(b_.CreateAdd(b_.CreateShl(s(0), k), s(2)));
  }
  case Op::v_mov_b64: return out(s(0));
  case Op::v_mad_i64_i32: {
    if (i.clamp) return false;
    V *a = b_.CreateSExt(src_u32(i, 0), vi64_), *b = b_.CreateSExt(src_u32(i, 1), vi64_), *c = s(2);
    V* p = b_.CreateMul(a, b);
    V* r = b_.CreateAdd(p, c);
    V* over = b_.CreateICmpSLT(b_.CreateAnd(b_.CreateXor(p, r), b_.CreateXor(c, r)), ConstantInt::get(vi64_, 0));
    result_mask(li, 1, over);
    return out(r);
  }
  default: return false;
  }
}

} // namespace pumice::jit
