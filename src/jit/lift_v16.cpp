// SPDX-License-Identifier: MIT
// 16-bit and packed (VOP3P) arithmetic.
#include "jit/lifter.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
namespace pumice::jit {
using isa::Op;

/// Half `hi` of packed operand `k` of a VOP3P instruction, as <64 x i16>; neg applied for floats.
Value* Lifter::packed_src(const Inst& i, unsigned k, bool hi, bool is_float) {
  bool upper = hi ? (i.op_sel_hi >> k & 1) : (i.op_sel >> k & 1);
  V* v = vec(read(i, i.src[k]));
  if (upper) v = b_.CreateLShr(v, 16);
  v = b_.CreateTrunc(v, vi16_);
  if (is_float && ((hi ? i.neg_hi : i.neg) >> k & 1)) v = b_.CreateXor(v, ConstantInt::get(vi16_, 0x8000));
  return v;
}

Value* Lifter::fma16(V* a, V* b, V* c) {
  if (in_.native_fp16) return intrinsic(Intrinsic::fma, {vf16_}, {a, b, c});
  // In double: the product is exact, the sum is rounded to odd, so that the rounding to half is the only one.
  auto wide = [&](V* v) { return b_.CreateFPExt(v, vf64_); };
  V* sum = b_.CreateBitCast(add_to_odd(b_.CreateFMul(wide(a), wide(b)), wide(c)), vi64_);
  // Once more to odd, to single: the host converts single to half itself, double to half by a library call.
  V *low = ConstantInt::get(vi64_, 0x1fffffff), *unit = ConstantInt::get(vi64_, 0x20000000), *nil = ConstantInt::get(vi64_, 0);
  V* rest = b_.CreateICmpNE(b_.CreateAnd(sum, low), nil);
  V* odd = b_.CreateOr(b_.CreateAnd(sum, ConstantInt::get(vi64_, ~0x1fffffffull)), b_.CreateSelect(rest, unit, nil));
  V* single = b_.CreateFPTrunc(b_.CreateBitCast(odd, vf64_), vf32_);
  return b_.CreateFPTrunc(single, vf16_);
}

bool Lifter::vector_16(const LiftInst& li) {
  const Inst& i = li.inst;
  auto u = [&](unsigned k) { return src_u16(i, k); };
  auto h = [&](unsigned k) { return src_f16(i, k); };
  auto ou = [&](V* v) { result_u16(li, v); return true; };
  auto oh = [&](V* v) { result_f16(li, v); return true; };
  auto c16 = [&](uint64_t c) { return ConstantInt::get(vi16_, c); };
  auto sh = [&](V* v) { return b_.CreateAnd(v, c16(15)); };
  auto bin = [&](Intrinsic::ID id, V* a, V* b) { return b_.CreateBinaryIntrinsic(id, a, b); };
  switch (i.op) {
  case Op::v_add_u16: if (i.clamp) return ou(bin(Intrinsic::uadd_sat, u(0), u(1))); return ou(b_.CreateAdd(u(0), u(1)));
  case Op::v_sub_u16: if (i.clamp) return ou(bin(Intrinsic::usub_sat, u(0), u(1))); return ou(b_.CreateSub(u(0), u(1)));
  case Op::v_subrev_u16: {
    V *a = u(0), *b = u(1);
    return ou(i.clamp ? bin(Intrinsic::usub_sat, b, a) : b_.CreateSub(b, a));
  }
  case Op::v_add_i16: return ou(i.clamp ? bin(Intrinsic::sadd_sat, u(0), u(1)) : b_.CreateAdd(u(0), u(1)));
  case Op::v_sub_i16: return ou(i.clamp ? bin(Intrinsic::ssub_sat, u(0), u(1)) : b_.CreateSub(u(0), u(1)));
  case Op::v_mul_lo_u16: return ou(b_.CreateMul(u(0), u(1)));
  case Op::v_mad_u16: case Op::v_mad_i16: case Op::v_mad_legacy_u16: case Op::v_mad_legacy_i16: if (i.clamp) return false; return ou(b_.CreateAdd(b_.CreateMul(u(0), u(1)), u(2)));
  case Op::v_mad_u32_u16: {
    if (i.clamp) return false;
    V *a = b_.CreateZExt(u(0), vi32_), *b = b_.CreateZExt(u(1), vi32_);
    result_u32(li, b_.CreateAdd(b_.CreateMul(a, b), src_u32(i, 2)));
    return true;
  }
  case Op::v_mad_i32_i16: {
    if (i.clamp) return false;
    V *a = b_.CreateSExt(u(0), vi32_), *b = b_.CreateSExt(u(1), vi32_);
    result_u32(li, b_.CreateAdd(b_.CreateMul(a, b), src_u32(i, 2)));
    return true;
  }
  case Op::v_lshlrev_b16: { V* a = sh(u(0)); return ou(b_.CreateShl(u(1), a)); }
  case Op::v_lshrrev_b16: { V* a = sh(u(0)); return ou(b_.CreateLShr(u(1), a)); }
  case Op::v_ashrrev_i16: { V* a = sh(u(0)); return ou(b_.CreateAShr(u(1), a)); }
  case Op::v_min_u16: return ou(bin(Intrinsic::umin, u(0), u(1)));
  case Op::v_max_u16: return ou(bin(Intrinsic::umax, u(0), u(1)));
  case Op::v_min_i16: return ou(bin(Intrinsic::smin, u(0), u(1)));
  case Op::v_max_i16: return ou(bin(Intrinsic::smax, u(0), u(1)));
  case Op::v_add_f16: return oh(b_.CreateFAdd(h(0), h(1)));
  case Op::v_sub_f16: return oh(b_.CreateFSub(h(0), h(1)));
  case Op::v_subrev_f16: { V* a = h(0); return oh(b_.CreateFSub(h(1), a)); }
  case Op::v_mul_f16: return oh(b_.CreateFMul(h(0), h(1)));
  case Op::v_fma_f16: return oh(fma16(h(0), h(1), h(2)));
  case Op::v_min_f16: return oh(fmin_max(h(0), h(1), false));
  case Op::v_max_f16: return oh(fmin_max(h(0), h(1), true));
  case Op::v_pack_b32_f16: {
    V *a = b_.CreateBitCast(h(0), vi16_), *b = b_.CreateBitCast(h(1), vi16_);
    result_u32(li, b_.CreateOr(b_.CreateZExt(a, vi32_), b_.CreateShl(b_.CreateZExt(b, vi32_), 16)));
    return true;
  }
  default: break;
  }
  if (i.enc != isa::Enc::vop3p) return false;
  // Packed pairs: the same operation on each half.
  auto each = [&](bool is_float, auto f) {
    V* half[2];
    for (int q = 0; q < 2; q++) {
      auto src = [&](unsigned k) -> V* {
        V* x = packed_src(i, k, q, is_float);
        return is_float ? b_.CreateBitCast(x, vf16_) : x;
      };
      V* r = f(src);
      if (is_float && i.clamp) r = clamp01(r);
      half[q] = b_.CreateZExt(b_.CreateBitCast(r, vi16_), vi32_);
    }
    result_u32(li, b_.CreateOr(half[0], b_.CreateShl(half[1], 16)));
    return true;
  };
  bool sat = i.clamp;
  switch (i.op) {
  case Op::v_pk_add_f16: return each(true, [&](auto s) { return b_.CreateFAdd(s(0), s(1)); });
  case Op::v_pk_mul_f16: return each(true, [&](auto s) { return b_.CreateFMul(s(0), s(1)); });
  case Op::v_pk_fma_f16: return each(true, [&](auto s) { return fma16(s(0), s(1), s(2)); });
  case Op::v_pk_min_f16: return each(true, [&](auto s) { return fmin_max(s(0), s(1), false); });
  case Op::v_pk_max_f16: return each(true, [&](auto s) { return fmin_max(s(0), s(1), true); });
  case Op::v_pk_add_u16: return each(false, [&](auto s) { return sat ? bin(Intrinsic::uadd_sat, s(0), s(1)) : b_.CreateAdd(s(0), s(1)); });
  case Op::v_pk_add_i16: return each(false, [&](auto s) { return sat ? bin(Intrinsic::sadd_sat, s(0), s(1)) : b_.CreateAdd(s(0), s(1)); });
  case Op::v_pk_sub_u16: return each(false, [&](auto s) { return sat ? bin(Intrinsic::usub_sat, s(0), s(1)) : b_.CreateSub(s(0), s(1)); });
  case Op::v_pk_sub_i16: return each(false, [&](auto s) { return sat ? bin(Intrinsic::ssub_sat, s(0), s(1)) : b_.CreateSub(s(0), s(1)); });
  case Op::v_pk_mul_lo_u16: return each(false, [&](auto s) { return b_.CreateMul(s(0), s(1)); });
  case Op::v_pk_mad_u16: case Op::v_pk_mad_i16:
    if (sat) return false;
    return each(false, [&](auto s) { return b_.CreateAdd(b_.CreateMul(s(0), s(1)), s(2)); });
  case Op::v_pk_lshlrev_b16: return each(false, [&](auto s) { V* a = sh(s(0)); return b_.CreateShl(s(1), a); });
  case Op::v_pk_lshrrev_b16: return each(false, [&](auto s) { V* a = sh(s(0)); return b_.CreateLShr(s(1), a); });
  case Op::v_pk_ashrrev_i16: return each(false, [&](auto s) { V* a = sh(s(0)); return b_.CreateAShr(s(1), a); });
  case Op::v_pk_min_u16: return each(false, [&](auto s) { return bin(Intrinsic::umin, s(0), s(1)); });
  case Op::v_pk_max_u16: return each(false, [&](auto s) { return bin(Intrinsic::umax, s(0), s(1)); });
  case Op::v_pk_min_i16: return each(false, [&](auto s) { return bin(Intrinsic::smin, s(0), s(1)); });
  case Op::v_pk_max_i16: return each(false, [&](auto s) { return bin(Intrinsic::smax, s(0), s(1)); });
  case Op::v_pk_fma_f32: case Op::v_pk_mul_f32: case Op::v_pk_add_f32: case Op::v_pk_mov_b32: {
    V* half[2];
    for (unsigned q = 0; q < 2; q++) {
      auto s = [&](unsigned k) -> V* {
        bool upper = q ? (i.op_sel_hi >> k & 1) : (i.op_sel >> k & 1);
        V* v = vec(i.src[k].is_constant() ? read_dword(i, i.src[k], 0) : read_dword(i, i.src[k], upper));
        if (i.op != Op::v_pk_mov_b32 && ((q ? i.neg_hi : i.neg) >> k & 1)) v = b_.CreateXor(v, vsplat(0x80000000));
        return as_f32(v);
      };
      V* r;
      if (i.op == Op::v_pk_fma_f32) r = intrinsic(Intrinsic::fma, {vf32_}, {s(0), s(1), s(2)});
      else if (i.op == Op::v_pk_mul_f32) r = b_.CreateFMul(s(0), s(1));
      else if (i.op == Op::v_pk_add_f32) r = b_.CreateFAdd(s(0), s(1));
      else { // D.lo = S0[op_sel[0]], D.hi = S1[op_sel[1]]
        unsigned k = q;
        bool upper = i.op_sel >> k & 1;
        r = as_f32(vec(i.src[k].is_constant() ? read_dword(i, i.src[k], 0) : read_dword(i, i.src[k], upper)));
      }
      if (i.clamp && i.op != Op::v_pk_mov_b32) r = clamp01(r);
      half[q] = as_i32(r);
    }
    for (unsigned q = 0; q < 2; q++) write_vgpr(li, q, vector(half[q]));
    return true;
  }
  case Op::v_fma_mix_f32: case Op::v_fma_mixlo_f16: case Op::v_fma_mixhi_f16: {
    // op_sel_hi[k]: 16-bit source, op_sel[k]: its upper half; neg_hi is abs.
    V* s[3];
    for (unsigned k = 0; k < 3; k++) {
      V* raw = vec(read(i, i.src[k]));
      V* f;
      if (i.op_sel_hi >> k & 1) {
        V* x = (i.op_sel >> k & 1) ? b_.CreateLShr(raw, 16) : raw;
        f = b_.CreateFPExt(b_.CreateBitCast(b_.CreateTrunc(x, vi16_), vf16_), vf32_);
      } else {
        f = as_f32(raw);
      }
      if (i.neg_hi >> k & 1) f = as_f32(b_.CreateAnd(as_i32(f), vsplat(0x7fffffff)));
      if (i.neg >> k & 1) f = b_.CreateFNeg(f);
      s[k] = f;
    }
    V* r = intrinsic(Intrinsic::fma, {vf32_}, {s[0], s[1], s[2]});
    if (i.clamp) r = clamp01(r);
    if (i.op == Op::v_fma_mix_f32) {
      result_u32(li, as_i32(r));
      return true;
    }
    V* h16 = b_.CreateZExt(b_.CreateBitCast(b_.CreateFPTrunc(r, vf16_), vi16_), vi32_);
    V* old = vec(get(reg_index(i.dst[0].code)));
    if (i.op == Op::v_fma_mixlo_f16) result_u32(li, b_.CreateOr(h16, b_.CreateAnd(old, vsplat(0xffff0000))));
    else result_u32(li, b_.CreateOr(b_.CreateShl(h16, 16), b_.CreateAnd(old, vsplat(0xffff))));
    return true;
  }
  case Op::v_dot2_f32_f16: {
    V* acc = as_f32(vec(read(i, i.src[2])));
    if (i.neg & 4) acc = b_.CreateFNeg(acc);
    if (i.clamp) return false;
    for (int q = 0; q < 2; q++) {
      auto f = [&](unsigned k) { return b_.CreateFPExt(b_.CreateBitCast(packed_src(i, k, q, true), vf16_), vf32_); };
      acc = intrinsic(Intrinsic::fma, {vf32_}, {f(0), f(1), acc});
    }
    result_u32(li, as_i32(acc));
    return true;
  }
  case Op::v_dot4_i32_i8: case Op::v_dot4_u32_u8: {
    if (i.clamp) return false;
    bool sg = i.op == Op::v_dot4_i32_i8;
    V *a = vec(read(i, i.src[0])), *b = vec(read(i, i.src[1])), *acc = vec(read(i, i.src[2]));
    auto byte = [&](V* x, unsigned q) {
      x = b_.CreateShl(x, 24 - 8 * q);
      return sg ? b_.CreateAShr(x, 24) : b_.CreateLShr(x, 24);
    };
    for (unsigned q = 0; q < 4; q++) acc = b_.CreateAdd(acc, b_.CreateMul(byte(a, q), byte(b, q)));
    result_u32(li, acc);
    return true;
  }
  default: return false;
  }
}

} // namespace pumice::jit
