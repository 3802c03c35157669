// SPDX-License-Identifier: MIT
// Helper instructions of division, exact by the rules of exec/divide.cpp [E-002]: with them clang's division sequences
// round correctly. Operands of ordinary size take a short path of their own; the rules that all others need are long, so
// they stand aside as a loop over sixteen lanes, which also compiles in a quarter of the time.
#include "jit/lifter.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;
namespace pumice::jit {
using isa::Op;

namespace {
constexpr unsigned kSlice = 16;
constexpr unsigned kInput = 200, kResult = kInput + 4, kFlag = kResult + 1; // stack memory, see spill64
} // namespace

/// `common`, unless a lane of EXEC is in `odd`: then every lane's result is what `rule` makes of sixteen lanes of each
/// of `in`. A null flag means that there is none; the common flag is false.
std::pair<Value*, Value*> Lifter::when_odd(V* odd, V* common, ArrayRef<V*> in, const SliceRule& rule) {
  if (!exec_full()) odd = b_.CreateAnd(odd, exec_mask());
  if (auto* k = dyn_cast<Constant>(odd); k && k->isNullValue()) return {common, ConstantInt::getFalse(vi1_)};
  auto bb = [&](const char* n) { return BasicBlock::Create(c_, n, wave_fn_); };
  BasicBlock *from = b_.GetInsertBlock(), *rare = bb("odd"), *loop = bb("slices"), *done = bb("sliced"), *join = bb("even");
  b_.CreateCondBr(b_.CreateICmpNE(b_.CreateBitCast(odd, i64_), i64c(0)), rare, join, MDBuilder(c_).createBranchWeights(1, 2000));
  b_.SetInsertPoint(rare);
  for (unsigned k = 0; k < in.size(); k++)
    b_.CreateStore(in[k]->getType() == vi1_ ? b_.CreateBitCast(in[k], i64_) : in[k], spill64(nullptr, kInput + k));
  b_.CreateBr(loop);

  b_.SetInsertPoint(loop);
  PHINode* at = b_.CreatePHI(i64_, 2);
  at->addIncoming(i64c(0), rare);
  auto place = [&](unsigned slot, Type* one) { return b_.CreateGEP(one, spill64(nullptr, slot), at); };
  std::vector<V*> part;
  for (unsigned k = 0; k < in.size(); k++) {
    Type* e = cast<VectorType>(in[k]->getType())->getElementType();
    if (e == i1_) part.push_back(b_.CreateBitCast(b_.CreateLoad(i16_, place(kInput + k, i16_)), vec_of(i1_, kSlice)));
    else part.push_back(b_.CreateAlignedLoad(vec_of(e, kSlice), place(kInput + k, vec_of(e, kSlice)), Align(64)));
  }
  auto [value, flag] = rule(part);
  b_.CreateAlignedStore(value, place(kResult, value->getType()), Align(64));
  if (flag) b_.CreateStore(b_.CreateBitCast(flag, i16_), place(kFlag, i16_));
  V* next = b_.CreateAdd(at, i64c(1));
  at->addIncoming(next, b_.GetInsertBlock());
  b_.CreateCondBr(b_.CreateICmpEQ(next, i64c(64 / kSlice)), done, loop);

  b_.SetInsertPoint(done);
  V* all = b_.CreateAlignedLoad(common->getType(), spill64(nullptr, kResult), Align(64));
  V* flags = flag ? b_.CreateBitCast(b_.CreateLoad(i64_, spill64(nullptr, kFlag)), vi1_) : nullptr;
  b_.CreateBr(join);
  b_.SetInsertPoint(join);
  auto merge = [&](V* even, V* uneven) {
    PHINode* p = b_.CreatePHI(even->getType(), 2);
    p->addIncoming(even, from);
    p->addIncoming(uneven, done);
    return p;
  };
  V* result = merge(common, all);
  return {result, flags ? merge(ConstantInt::getFalse(vi1_), flags) : nullptr};
}

/// |a / b| is not zero but below the smallest normal number. Exact; vectors of any length.
Value* Lifter::quotient_is_denormal(V* a, V* b) {
  auto mag = [&](V* v) { return b_.CreateUnaryIntrinsic(Intrinsic::fabs, v); };
  Type* ft = a->getType();
  Type* dt = vec_of(Type::getDoubleTy(c_), cast<FixedVectorType>(ft)->getNumElements());
  V *ma = mag(a), *mb = mag(b), *inf = ConstantFP::getInfinity(ft);
  V* usable = b_.CreateAnd(b_.CreateFCmpONE(a, fsplat(0, ft)),
                           b_.CreateAnd(b_.CreateFCmpOLT(ma, inf), b_.CreateFCmpOLT(mb, inf)));
  V* less;
  if (ft != dt) { // the product is exact in double
    V* limit = b_.CreateFMul(b_.CreateFPExt(mb, dt), fsplat(0x1p-126, dt));
    less = b_.CreateFCmpOLT(b_.CreateFPExt(ma, dt), limit);
  } else { // |a| < |b| * 2^-1022 on exponent and fraction of normalised numbers, as one integer
    Type* it = VectorType::getInteger(cast<VectorType>(dt));
    auto c = [&](uint64_t v) { return ConstantInt::get(it, v); };
    auto key = [&](V* v) {
      V* bits = b_.CreateBitCast(v, it);
      V* small = b_.CreateICmpULT(bits, c(1ull << 52));
      V* up = b_.CreateBitCast(b_.CreateFMul(v, fsplat(0x1p54, dt)), it);
      return b_.CreateSelect(small, b_.CreateSub(up, c(54ull << 52)), bits);
    };
    less = b_.CreateICmpSLT(key(ma), b_.CreateSub(key(mb), c(1022ull << 52)));
  }
  return b_.CreateAnd(usable, less);
}

namespace {
/// Limits of v_div_scale, as fields of exponents.
struct ScaleLimits {
  unsigned mantissa, field, far, tiny;
  double power, huge; // the scaling; what 1 / x makes denormal
  /// Least difference of exponents at which no quotient is denormal.
  int closest() const { return 4 - static_cast<int>(field / 2); }
};
constexpr ScaleLimits kScale32{23, 0xff, 96, 23, 0x1p64, 0x1p126}, kScale64{52, 0x7ff, 768, 53, 0x1p128, 0x1p1022};
} // namespace

/// v_div_scale's result and flag by all its rules.
std::pair<Value*, Value*> Lifter::div_scale_rule(V* s0, V* den, V* num, bool dbl) {
  const ScaleLimits& l = dbl ? kScale64 : kScale32;
  Type *ft = s0->getType(), *it = VectorType::getInteger(cast<VectorType>(ft));
  auto c = [&](uint64_t v) { return ConstantInt::get(it, v); };
  auto bits = [&](V* v) { return b_.CreateBitCast(v, it); };
  auto ex = [&](V* v) { return b_.CreateAnd(b_.CreateLShr(bits(v), l.mantissa), c(l.field)); };
  V *ed = ex(den), *en = ex(num), *nil = fsplat(0, ft);
  V* zero = b_.CreateOr(b_.CreateFCmpOEQ(den, nil), b_.CreateFCmpOEQ(num, nil));
  V* far = b_.CreateICmpSGE(b_.CreateSub(en, ed), c(l.far));
  V* den_denorm = b_.CreateAnd(b_.CreateICmpEQ(ed, c(0)), b_.CreateFCmpONE(den, nil));
  V* mag = b_.CreateUnaryIntrinsic(Intrinsic::fabs, den);
  V* rcp_denorm = b_.CreateAnd(b_.CreateFCmpOGT(mag, fsplat(l.huge, ft)), b_.CreateFCmpOLT(mag, ConstantFP::getInfinity(ft)));
  V* quo_denorm = quotient_is_denormal(num, den);
  V* num_tiny = b_.CreateICmpULE(en, c(l.tiny));
  V* is_den = b_.CreateICmpEQ(bits(s0), bits(den));
  V* is_num = b_.CreateICmpEQ(bits(s0), bits(num));
  V* up = b_.CreateFMul(s0, fsplat(l.power, ft));
  V* down = b_.CreateFMul(s0, fsplat(1 / l.power, ft));
  Type* flags = num_tiny->getType();
  V *yes = ConstantInt::getTrue(flags), *no = ConstantInt::getFalse(flags);
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
  return {d, vcc};
}

bool Lifter::div_scale(const LiftInst& li, bool dbl) {
  const Inst& i = li.inst;
  const ScaleLimits& l = dbl ? kScale64 : kScale32;
  Type *ft = dbl ? vf64_ : vf32_, *it = dbl ? vi64_ : vi32_;
  auto src = [&](unsigned k) { return dbl ? src_f64(i, k) : src_f32(i, k); };
  auto c = [&](uint64_t v) { return ConstantInt::get(it, v); };
  auto ex = [&](V* v) { return b_.CreateAnd(b_.CreateLShr(b_.CreateBitCast(v, it), l.mantissa), c(l.field)); };
  auto between = [&](V* v, int64_t first, int64_t end) { // first <= v < end
    return b_.CreateICmpULT(b_.CreateSub(v, c(static_cast<uint64_t>(first))), c(static_cast<uint64_t>(end - first)));
  };
  V *s0 = src(0), *den = src(1), *num = src(2), *nil = fsplat(0, ft);
  V *ed = ex(den), *en = ex(num);
  // Exponents of which no rule asks for anything; zeros are common, too.
  int top = static_cast<int>(l.field);
  V* plain = b_.CreateAnd(b_.CreateAnd(between(en, l.tiny + 1, top), between(ed, 1, top - 2)),
                          between(b_.CreateSub(en, ed), l.closest(), l.far));
  V* zero = b_.CreateOr(b_.CreateFCmpOEQ(den, nil), b_.CreateFCmpOEQ(num, nil));
  V* common = b_.CreateSelect(zero, ConstantFP::getNaN(ft), s0);
  auto [d, vcc] = when_odd(b_.CreateNot(b_.CreateOr(plain, zero)), common, {s0, den, num},
                           [&](ArrayRef<V*> s) { return div_scale_rule(s[0], s[1], s[2], dbl); });
  result_mask(li, 1, vcc);
  if (dbl) result_f64(li, d);
  else result_f32(li, d);
  return true;
}

/// The sum of doubles, rounded to odd: a later rounding to fewer bits is then the only one that counts.
Value* Lifter::add_to_odd(V* p, V* a) {
  Type *ft = p->getType(), *it = VectorType::getInteger(cast<VectorType>(ft));
  auto c = [&](uint64_t v) { return ConstantInt::get(it, v); };
  V *s = b_.CreateFAdd(p, a), *t = b_.CreateFSub(s, p);
  V* e = b_.CreateFAdd(b_.CreateFSub(p, b_.CreateFSub(s, t)), b_.CreateFSub(a, t));
  V *bits = b_.CreateBitCast(s, it), *nil = fsplat(0, ft);
  V* adjust = b_.CreateAnd(b_.CreateFCmpONE(e, nil), b_.CreateICmpEQ(b_.CreateAnd(bits, c(1)), c(0)));
  V* away = b_.CreateICmpEQ(b_.CreateFCmpOGT(e, nil), b_.CreateFCmpOGT(s, nil));
  V* step = b_.CreateSelect(away, c(1), c(~0ull));
  return b_.CreateBitCast(b_.CreateSelect(adjust, b_.CreateAdd(bits, step), bits), ft);
}

/// Fused multiply-add; lanes of `scaled` undo the scaling of v_div_scale, and round only once.
Value* Lifter::div_fmas32(V* x, V* y, V* z, V* scaled) {
  auto fma = [&](V* a, V* b, V* c) { return intrinsic(Intrinsic::fma, {a->getType()}, {a, b, c}); };
  auto rule = [&](ArrayRef<V*> s) {
    Type *dt = vec_of(Type::getDoubleTy(c_), kSlice), *it = vec_of(i32_, kSlice);
    auto wide = [&](V* v) { return b_.CreateFPExt(v, dt); };
    // In double: the product is exact, the sum is rounded to odd, scaling is exact.
    V* odd = add_to_odd(b_.CreateFMul(wide(s[0]), wide(s[1])), wide(s[2]));
    V* exponent = b_.CreateAnd(b_.CreateLShr(b_.CreateBitCast(s[2], it), 23), ConstantInt::get(it, 0xff));
    V* up = b_.CreateICmpUGT(exponent, ConstantInt::get(it, 127));
    V* factor = b_.CreateSelect(up, fsplat(0x1p64, dt), fsplat(0x1p-64, dt));
    V* r = b_.CreateFPTrunc(b_.CreateFMul(odd, factor), s[0]->getType());
    return std::pair{b_.CreateSelect(s[3], r, fma(s[0], s[1], s[2])), static_cast<V*>(nullptr)};
  };
  return when_odd(scaled, fma(x, y, z), {x, y, z, scaled}, rule).first;
}

Value* Lifter::div_fmas64(V* x, V* y, V* z, V* scaled) {
  V* common = intrinsic(Intrinsic::fma, {vf64_}, {x, y, z});
  auto rule = [&](ArrayRef<V*> s) { return std::pair{div_fmas64_rule(s[0], s[1], s[2], s[3]), static_cast<V*>(nullptr)}; };
  return when_odd(scaled, common, {x, y, z, scaled}, rule).first;
}

Value* Lifter::div_fmas64_rule(V* x, V* y, V* z, V* scaled) {
  Type *ft = x->getType(), *it = VectorType::getInteger(cast<VectorType>(ft));
  auto fma = [&](V* a, V* b, V* c) { return intrinsic(Intrinsic::fma, {ft}, {a, b, c}); };
  auto c = [&](uint64_t v) { return ConstantInt::get(it, v); };
  V *r = fma(x, y, z), *nil = fsplat(0, ft);
  // What r lacks: z - r + x * y. z - r is exact, x * y in two parts.
  V *p = b_.CreateFMul(x, y), *tail = fma(x, y, b_.CreateFNeg(p)), *d = b_.CreateFSub(z, r);
  V *h = b_.CreateFAdd(d, p), *t = b_.CreateFSub(h, d);
  V* l = b_.CreateFAdd(b_.CreateFSub(d, b_.CreateFSub(h, t)), b_.CreateFSub(p, t));
  V* lack = b_.CreateFAdd(h, b_.CreateFAdd(l, tail));
  // Results that scaling makes denormal: rounded to multiples of 2^-946 first, by adding a number
  // with this unit; only a tie needs to know what r lacks.
  V* anchor = b_.CreateCopySign(fsplat(0x1p-894, ft), r);
  V* sum = b_.CreateFAdd(anchor, r);
  V* rest = b_.CreateFSub(r, b_.CreateFSub(sum, anchor));
  V* tie = b_.CreateFCmpOEQ(b_.CreateUnaryIntrinsic(Intrinsic::fabs, rest), fsplat(0x1p-947, ft));
  V* along = b_.CreateICmpEQ(b_.CreateFCmpOGT(lack, nil), b_.CreateFCmpOGT(rest, nil));
  V* move = b_.CreateAnd(tie, b_.CreateAnd(along, b_.CreateFCmpONE(lack, nil)));
  sum = b_.CreateSelect(move, b_.CreateFAdd(sum, b_.CreateFAdd(rest, rest)), sum);
  V* rounded = b_.CreateCopySign(b_.CreateFSub(sum, anchor), r);
  V* small = b_.CreateFCmpOLT(b_.CreateUnaryIntrinsic(Intrinsic::fabs, r), fsplat(0x1p-894, ft));
  V* down = b_.CreateFMul(b_.CreateSelect(small, rounded, r), fsplat(0x1p-128, ft));
  // Beyond the format before it is scaled: both factors are large then, and z no more than a sticky bit.
  V* part = fsplat(0x1p-64, ft);
  V* beyond = b_.CreateFCmpOEQ(b_.CreateUnaryIntrinsic(Intrinsic::fabs, r), ConstantFP::getInfinity(ft));
  V* less = fma(b_.CreateFMul(x, part), b_.CreateFMul(y, part), z); // no number: a factor was infinite and stays it
  down = b_.CreateSelect(b_.CreateAnd(beyond, b_.CreateFCmpORD(less, less)), less, down);
  V* ez = b_.CreateAnd(b_.CreateLShr(b_.CreateBitCast(z, it), 52), c(0x7ff));
  V* up = b_.CreateFMul(r, fsplat(0x1p128, ft));
  V* undone = b_.CreateSelect(b_.CreateICmpUGT(ez, c(1023)), up, down);
  return b_.CreateSelect(scaled, undone, r);
}

/// `half`: the operands were f16 and no quotient leaves the format on the way.
Value* Lifter::div_fixup32(V* q, V* den, V* num, bool half) {
  V *ib = as_i32(den), *ic = as_i32(num);
  V* sign = b_.CreateAnd(b_.CreateXor(ib, ic), vsplat(0x80000000));
  V* inf = vsplat(0x7f800000);
  V *mb = b_.CreateAnd(ib, vsplat(0x7fffffff)), *mc = b_.CreateAnd(ic, vsplat(0x7fffffff));
  V *b0 = b_.CreateICmpEQ(mb, vsplat(0)), *c0 = b_.CreateICmpEQ(mc, vsplat(0));
  V *bi = b_.CreateICmpEQ(mb, inf), *ci = b_.CreateICmpEQ(mc, inf);
  V* mag = b_.CreateAnd(as_i32(q), vsplat(0x7fffffff));
  V* r = b_.CreateOr(mag, sign);
  if (!half) { // overflow on the way ended in inf - inf [E-003]; far below the denormals: zero
    r = b_.CreateSelect(b_.CreateICmpUGT(mag, inf), b_.CreateOr(sign, inf), r);
    V* diff = b_.CreateSub(b_.CreateLShr(mc, 23), b_.CreateLShr(mb, 23));
    r = b_.CreateSelect(b_.CreateICmpSLT(diff, vsplat(static_cast<uint32_t>(-150))), sign, r);
  }
  r = b_.CreateSelect(b_.CreateOr(ci, b0), b_.CreateOr(sign, inf), r);
  r = b_.CreateSelect(b_.CreateOr(bi, c0), sign, r);
  V* invalid = b_.CreateOr(b_.CreateAnd(b0, c0), b_.CreateAnd(bi, ci));
  r = b_.CreateSelect(invalid, vsplat(0xffc00000), r);
  r = b_.CreateSelect(b_.CreateICmpUGT(mb, inf), b_.CreateOr(ib, vsplat(0x00400000)), r);
  r = b_.CreateSelect(b_.CreateICmpUGT(mc, inf), b_.CreateOr(ic, vsplat(0x00400000)), r);
  return as_f32(r);
}

Value* Lifter::div_fixup64(V* q, V* den, V* num) {
  auto c = [&](uint64_t v) { return ConstantInt::get(vi64_, v); };
  auto in = [&](V* v) { return b_.CreateBitCast(v, vi64_); };
  V *ib = in(den), *ic = in(num);
  V* sign = b_.CreateAnd(b_.CreateXor(ib, ic), c(1ull << 63));
  V* inf = c(0x7ff0000000000000ull);
  V *mb = b_.CreateAnd(ib, c(~(1ull << 63))), *mc = b_.CreateAnd(ic, c(~(1ull << 63)));
  V *b0 = b_.CreateICmpEQ(mb, c(0)), *c0 = b_.CreateICmpEQ(mc, c(0));
  V *bi = b_.CreateICmpEQ(mb, inf), *ci = b_.CreateICmpEQ(mc, inf);
  V* mag = b_.CreateAnd(in(q), c(~(1ull << 63)));
  V* r = b_.CreateOr(mag, sign);
  r = b_.CreateSelect(b_.CreateICmpUGT(mag, inf), b_.CreateOr(sign, inf), r);
  V* diff = b_.CreateSub(b_.CreateLShr(mc, 52), b_.CreateLShr(mb, 52));
  r = b_.CreateSelect(b_.CreateICmpSLT(diff, c(static_cast<uint64_t>(-1075))), sign, r);
  r = b_.CreateSelect(b_.CreateOr(ci, b0), b_.CreateOr(sign, inf), r);
  r = b_.CreateSelect(b_.CreateOr(bi, c0), sign, r);
  V* invalid = b_.CreateOr(b_.CreateAnd(b0, c0), b_.CreateAnd(bi, ci));
  r = b_.CreateSelect(invalid, c(0xfff8000000000000ull), r);
  r = b_.CreateSelect(b_.CreateICmpUGT(mb, inf), b_.CreateOr(ib, c(1ull << 51)), r);
  r = b_.CreateSelect(b_.CreateICmpUGT(mc, inf), b_.CreateOr(ic, c(1ull << 51)), r);
  return b_.CreateBitCast(r, vf64_);
}

} // namespace pumice::jit
