// SPDX-License-Identifier: MIT
// Initial wave state [LLVM AMDGPUUsage, Initial Kernel Execution State] and the loops over workgroups and waves.
#include "jit/lifter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/MDBuilder.h"
#include <bit>

using namespace llvm;
namespace pumice::jit {

namespace {
unsigned width(uint64_t v) { return v ? 64 - std::countl_zero(v) : 0; }
} // namespace

/// Work-item ids of wave `wave_index_`: affine when the workgroup's shape gives every wave the same pattern.
Node* Lifter::initial_ids() {
  const Variant& v = in_.variant;
  unsigned comps = (in_.descriptor.rsrc2 >> 11) & 3; // 0: x, 1: x y, 2: x y z
  uint64_t X = v.workgroup[0], Y = v.workgroup[1], Z = v.workgroup[2];
  auto pack = [&](uint64_t x, uint64_t y, uint64_t z) -> int64_t {
    return static_cast<int64_t>(x | (comps >= 1 ? y << 10 : 0) | (comps >= 2 ? z << 20 : 0));
  };
  std::array<int64_t, 64> lanes{};
  if (v.waves() == 1) {
    for (uint64_t l = 0; l < 64; l++) lanes[l] = l < X * Y * Z ? pack(l % X, l / X % Y, l / (X * Y)) : 0;
    return affine(dry_ ? nullptr : i32c(0), pats_.make(lanes), 0, 32);
  }
  V* w = wave_index_;
  auto pick = [&](V* x, V* y, V* z) -> V* {
    if (dry_) return nullptr;
    V* r = x;
    if (comps >= 1) r = b_.CreateOr(r, b_.CreateShl(y, 10));
    if (comps >= 2) r = b_.CreateOr(r, b_.CreateShl(z, 20));
    return r;
  };
  auto udiv = [&](V* a, uint64_t k) -> V* { return dry_ ? nullptr : b_.CreateUDiv(a, i32c(static_cast<uint32_t>(k))); };
  auto urem = [&](V* a, uint64_t k) -> V* { return dry_ ? nullptr : b_.CreateURem(a, i32c(static_cast<uint32_t>(k))); };
  auto mul = [&](V* a, uint64_t k) -> V* { return dry_ ? nullptr : b_.CreateMul(a, i32c(static_cast<uint32_t>(k))); };
  V* zero = dry_ ? nullptr : i32c(0);
  unsigned bits = comps >= 2 && Z > 1 ? 20 + width(Z - 1) : comps >= 1 && Y > 1 ? 10 + width(Y - 1) : width(X - 1);
  if (X % 64 == 0) {
    uint64_t per_row = X / 64;
    for (int64_t l = 0; l < 64; l++) lanes[l] = l;
    V *row = udiv(w, per_row), *x = mul(urem(w, per_row), 64);
    return affine(pick(x, urem(row, Y), udiv(row, Y)), pats_.make(lanes), bits, 6);
  }
  if (64 % X == 0) {
    uint64_t rows = 64 / X;
    if (Y % rows == 0) {
      for (uint64_t l = 0; l < 64; l++) lanes[l] = pack(l % X, l / X, 0);
      V* row = mul(w, rows);
      return affine(pick(zero, urem(row, Y), udiv(row, Y)), pats_.make(lanes), bits, 10 + width(rows) - 1);
    }
    if (rows % Y == 0) {
      for (uint64_t l = 0; l < 64; l++) lanes[l] = pack(l % X, l / X % Y, l / (X * Y));
      return affine(pick(zero, zero, mul(w, rows / Y)), pats_.make(lanes), bits, 20 + width(rows / Y) - 1);
    }
  }
  if (dry_) return vector(nullptr);
  V* row = b_.CreateGEP(vi32_, context_field(offsetof(Context, tid_table), ptr_), w);
  V* ids = b_.CreateAlignedLoad(vi32_, row, Align(64));
  uint32_t keep = 0x3ff | (comps >= 1 ? 0xffc00 : 0) | (comps >= 2 ? 0x3ff00000 : 0);
  return vector(b_.CreateAnd(ids, vsplat(keep)));
}

void Lifter::emit_initial_state() {
  const auto& d = in_.descriptor;
  const Variant& var = in_.variant;
  unsigned s = 0;
  auto pointer = [&](size_t off) {
    put_pair(s, pair_scalar(context_field(off, i64_)));
    s += 2;
  };
  if (d.properties & 1) { // private segment buffer: base 0, swizzled, add-tid; every access is scratch
    put(s, constant(0)), put(s + 1, constant(0x80000000u)), put(s + 2, constant(~0u)), put(s + 3, constant(0x00f00000u | 1u << 23));
    s += 4;
  }
  if (d.properties & 2) pointer(offsetof(Context, packet));
  if (d.properties & 4) pointer(offsetof(Context, queue));
  if (d.properties & 8) pointer(offsetof(Context, kernarg));
  if (d.properties & 16) pointer(offsetof(Context, dispatch_id));
  if (d.properties & 32) { // flat scratch init: offset 0, size
    put(s, constant(0)), put(s + 1, uniform(context_field(offsetof(Context, private_bytes), i32_)));
    s += 2;
  }
  if (d.properties & 64) put(s++, uniform(context_field(offsetof(Context, private_bytes), i32_)));
  unsigned preload = d.kernarg_preload & 0x7f, preload_at = d.kernarg_preload >> 7;
  if (preload) {
    V* base = context_field(offsetof(Context, kernarg), i64_);
    for (unsigned k = 0; k < preload; k++)
      put(s++, uniform(dry_ ? nullptr
                            : b_.CreateLoad(i32_, b_.CreateIntToPtr(b_.CreateAdd(base, i64c(4 * (preload_at + k))), ptr_))));
  }
  s = (d.rsrc2 >> 1) & 31;
  for (int k = 0; k < 3; k++) {
    if (!(d.rsrc2 >> (7 + k) & 1)) continue;
    unsigned bits = (var.small_grid ? 31 : 32) - (width(var.workgroup[k]) - 1);
    put(s++, uniform(dry_ ? nullptr : group_id_[k], bits));
  }
  if (d.rsrc2 >> 10 & 1) put(s++, constant(0)); // workgroup info
  bool architected = in_.target == isa::Target::gfx942;
  if ((d.rsrc2 & 1) && !architected) put(s++, constant(0)); // private segment wave byte offset
  put(kVgprIndex, initial_ids());
  // EXEC
  uint32_t items = var.items(), waves = var.waves(), rest = items % 64;
  Pair* exec = nullptr;
  if (rest == 0) exec = pair_const(~0ull);
  else if (waves == 1) exec = pair_const((1ull << rest) - 1);
  else
    exec = pair_scalar(dry_ ? nullptr
                            : b_.CreateSelect(b_.CreateICmpEQ(wave_index_, i32c(waves - 1)), i64c((1ull << rest) - 1),
                                              i64c(~0ull)));
  if (var.partial_groups) {
    V* bits = nullptr;
    if (!dry_) {
      V* row = b_.CreateGEP(vi32_, context_field(offsetof(Context, tid_table), ptr_), wave_index_);
      V* ids = b_.CreateAlignedLoad(vi32_, row, Align(64));
      V* ok = pair_m(exec);
      for (int k = 0; k < 3; k++) {
        V* id = b_.CreateAnd(b_.CreateLShr(ids, 10 * k), vsplat(0x3ff));
        V* left = b_.CreateSub(context_field(offsetof(Context, grid) + 4 * k, i32_),
                               b_.CreateMul(group_id_[k], i32c(var.workgroup[k])));
        ok = b_.CreateAnd(ok, b_.CreateICmpULT(id, splat(left, vi32_)));
      }
      bits = b_.CreateBitCast(ok, i64_);
    }
    exec = pair_scalar(bits);
  }
  set_exec(exec);
  exec_nonzero_ = !var.partial_groups;
  put(isa::kM0, constant(0));
  dirty_[kSccIndex] = true;
  set_scc(dry_ ? nullptr : b_.getFalse());
}

/// i32 pumice_entry(Context*, Frame*, i64 first, i64 last, i32 resume); see abi.h.
void Lifter::emit_entry_function() {
  auto* fty = FunctionType::get(i32_, {ptr_, ptr_, i64_, i64_, i32_}, false);
  Function* f = Function::Create(fty, GlobalValue::ExternalLinkage, "pumice_entry", m_);
  f->addFnAttr(Attribute::NoUnwind);
  f->setSubprogram(entry_sub_);
  V *ctx = f->getArg(0), *frame = f->getArg(1), *first = f->getArg(2), *last = f->getArg(3), *resume = f->getArg(4);
  f->addParamAttr(0, Attribute::NoAlias);
  auto bb = [&](const char* n) { return BasicBlock::Create(c_, n, f); };
  auto field = [&](V* base, size_t off, Type* t) { return b_.CreateLoad(t, b_.CreateConstGEP1_64(i8_, base, off)); };
  auto set = [&](size_t off, V* v) { b_.CreateStore(v, b_.CreateConstGEP1_64(i8_, frame, off)); };
  auto *entry = bb("entry"), *group = bb("group"), *next = bb("next"), *done = bb("done"), *fault = bb("fault"), *begin = bb("begin");
  b_.SetInsertPoint(entry);
  b_.SetCurrentDebugLocation(DILocation::get(c_, 0, 0, entry_sub_));
  V* cx = field(ctx, offsetof(Context, workgroup_count), i32_);
  V* cy = field(ctx, offsetof(Context, workgroup_count) + 4, i32_);
  V* waves = field(frame, offsetof(Frame, waves), ptr_);
  V* codes = field(frame, offsetof(Frame, resume), ptr_);
  V* spin_limit = field(ctx, offsetof(Context, spin_limit), i32_);
  uint32_t n = in_.variant.waves();
  b_.CreateCondBr(b_.CreateICmpULT(first, last), begin, done);

  // Divisions once, counting from there on: they would take as long as a short workgroup.
  b_.SetInsertPoint(begin);
  V *cx64 = b_.CreateZExt(cx, i64_), *cy64 = b_.CreateZExt(cy, i64_), *row = b_.CreateUDiv(first, cx64);
  V* id0[3] = {b_.CreateTrunc(b_.CreateURem(first, cx64), i32_), b_.CreateTrunc(b_.CreateURem(row, cy64), i32_),
               b_.CreateTrunc(b_.CreateUDiv(row, cy64), i32_)};
  b_.CreateBr(group);

  b_.SetInsertPoint(group);
  PHINode *idx = b_.CreatePHI(i64_, 2, "idx"), *gx = b_.CreatePHI(i32_, 2), *gy = b_.CreatePHI(i32_, 2), *gz = b_.CreatePHI(i32_, 2);
  idx->addIncoming(first, begin);
  gx->addIncoming(id0[0], begin), gy->addIncoming(id0[1], begin), gz->addIncoming(id0[2], begin);
  set(offsetof(Frame, workgroup), idx);
  set(offsetof(Frame, group_id), gx), set(offsetof(Frame, group_id) + 4, gy), set(offsetof(Frame, group_id) + 8, gz);
  auto wave_at = [&](V* w) {
    return b_.CreateGEP(i8_, waves, b_.CreateMul(b_.CreateZExt(w, i64_), i64c(sizeof(exec::Wave))));
  };
  auto run = [&](V* w, V* code) { return b_.CreateCall(wave_fn_, {ctx, frame, wave_at(w), w, gx, gy, gz, code}); };

  if (!suspends_) {
    auto *loop = bb("waves"), *odd = bb("odd"), *more = bb("more");
    V* zero = i32c(0);
    auto* from = b_.GetInsertBlock();
    b_.CreateBr(loop);
    b_.SetInsertPoint(loop);
    PHINode* w = b_.CreatePHI(i32_, 2, "w");
    w->addIncoming(zero, from);
    set(offsetof(Frame, wave), w);
    V* r = run(w, zero);
    b_.CreateCondBr(b_.CreateICmpEQ(r, i32c(kResumeDone)), more, odd, MDBuilder(c_).createBranchWeights(100000, 1));
    b_.SetInsertPoint(odd); // left for the interpreter, or faulted
    auto* finish = bb("finish");
    b_.CreateCondBr(b_.CreateICmpEQ(r, i32c(kResumeInterp | kResumeYield)), finish, fault);
    b_.SetInsertPoint(finish);
    V* r2 = call_rt("pumice_rt_finish_wave", i32_, {ctx, frame, w});
    b_.CreateCondBr(b_.CreateICmpEQ(r2, i32c(kResumeDone)), more, fault);
    b_.SetInsertPoint(more);
    V* w1 = b_.CreateAdd(w, i32c(1));
    w->addIncoming(w1, more);
    b_.CreateCondBr(b_.CreateICmpULT(w1, i32c(n)), loop, next);
  } else {
    auto *clear = bb("clear"), *pass = bb("pass"), *loop = bb("waves"), *live = bb("live"), *native = bb("native"),
         *interp = bb("interp"), *ran = bb("ran"), *more = bb("more"), *end = bb("end_pass"), *again = bb("again"),
         *spun = bb("spun"), *stuck = bb("stuck");
    auto* from = b_.GetInsertBlock();
    V* fresh = b_.CreateICmpEQ(resume, i32c(0));
    b_.CreateCondBr(fresh, clear, pass);
    b_.SetInsertPoint(clear);
    b_.CreateMemSet(codes, b_.getInt8(0), uint64_t(n) * 4, Align(4));
    b_.CreateBr(pass);
    b_.SetInsertPoint(pass);
    PHINode* skip = b_.CreatePHI(i32_, 4, "skip");   // states that sit this pass out
    PHINode* spins = b_.CreatePHI(i32_, 4, "spins");
    skip->addIncoming(i32c(kResumeDone | kResumeBarrier), from), spins->addIncoming(i32c(0), from);
    skip->addIncoming(i32c(kResumeDone), clear), spins->addIncoming(i32c(0), clear);
    b_.CreateBr(loop);
    b_.SetInsertPoint(loop);
    PHINode* w = b_.CreatePHI(i32_, 2, "w");
    PHINode* any = b_.CreatePHI(i32_, 2, "any");     // union of the states after this pass
    PHINode* all = b_.CreatePHI(i32_, 2, "all");     // their intersection
    w->addIncoming(i32c(0), pass), any->addIncoming(i32c(0), pass), all->addIncoming(i32c(~0u), pass);
    V* cp = b_.CreateGEP(i32_, codes, b_.CreateZExt(w, i64_));
    V* st = b_.CreateLoad(i32_, cp);
    b_.CreateCondBr(b_.CreateICmpEQ(b_.CreateAnd(st, skip), i32c(0)), live, more);
    b_.SetInsertPoint(live);
    set(offsetof(Frame, wave), w);
    b_.CreateCondBr(b_.CreateICmpEQ(b_.CreateAnd(st, i32c(kResumeInterp)), i32c(0)), native, interp,
                    MDBuilder(c_).createBranchWeights(100000, 1));
    b_.SetInsertPoint(native);
    V* r1 = run(w, b_.CreateAnd(st, i32c(kResumePointMask)));
    b_.CreateBr(ran);
    auto* native_end = b_.GetInsertBlock();
    b_.SetInsertPoint(interp);
    V* r2 = call_rt("pumice_rt_interp_wave", i32_, {ctx, frame, w});
    b_.CreateBr(ran);
    b_.SetInsertPoint(ran);
    PHINode* r = b_.CreatePHI(i32_, 2);
    r->addIncoming(r1, native_end), r->addIncoming(r2, interp);
    b_.CreateStore(r, cp);
    b_.CreateCondBr(b_.CreateICmpEQ(b_.CreateAnd(r, i32c(kResumeFaulted)), i32c(0)), more, fault,
                    MDBuilder(c_).createBranchWeights(100000, 1));
    b_.SetInsertPoint(more);
    PHINode* now = b_.CreatePHI(i32_, 2);
    now->addIncoming(st, loop), now->addIncoming(r, ran);
    V* any1 = b_.CreateOr(any, now);
    V* all1 = b_.CreateAnd(all, now);
    V* w1 = b_.CreateAdd(w, i32c(1));
    w->addIncoming(w1, more), any->addIncoming(any1, more), all->addIncoming(all1, more);
    b_.CreateCondBr(b_.CreateICmpULT(w1, i32c(n)), loop, end);
    b_.SetInsertPoint(end);
    b_.CreateCondBr(b_.CreateICmpNE(b_.CreateAnd(all1, i32c(kResumeDone)), i32c(0)), next, again);
    b_.SetInsertPoint(again);
    // A wave that yielded, or that just left for the interpreter, has not reached the barrier.
    V* moving = b_.CreateICmpNE(b_.CreateAnd(any1, i32c(kResumeYield)), i32c(0));
    auto* plain = bb("plain");
    if (!jams_.empty()) {
      auto *meet = bb("meetings"), *none = bb("no_meetings");
      b_.CreateCondBr(b_.CreateICmpNE(b_.CreateAnd(any1, i32c(kResumeMeet)), i32c(0)), meet, none);
      b_.SetInsertPoint(meet);
      emit_meetings(ctx, frame, codes, {gx, gy, gz}, wave_at);
      auto* met = b_.GetInsertBlock();
      skip->addIncoming(i32c(kResumeDone | kResumeBarrier), met), spins->addIncoming(i32c(0), met);
      b_.CreateBr(pass);
      b_.SetInsertPoint(none);
    }
    b_.CreateCondBr(moving, spun, plain, MDBuilder(c_).createBranchWeights(1, 1000));
    b_.SetInsertPoint(plain);
    skip->addIncoming(i32c(kResumeDone), plain), spins->addIncoming(i32c(0), plain);
    b_.CreateBr(pass);
    b_.SetInsertPoint(spun);
    V* s1 = b_.CreateAdd(spins, i32c(1));
    skip->addIncoming(i32c(kResumeDone | kResumeBarrier), spun), spins->addIncoming(s1, spun);
    b_.CreateCondBr(b_.CreateICmpUGT(s1, spin_limit), stuck, pass);
    b_.SetInsertPoint(stuck);
    b_.CreateRet(i32c(kReturnStuck));
  }
  b_.SetInsertPoint(next);
  V* idx1 = b_.CreateAdd(idx, i64c(1));
  V *x1 = b_.CreateAdd(gx, i32c(1)), *row_ends = b_.CreateICmpEQ(x1, cx);
  V *y1 = b_.CreateAdd(gy, b_.CreateZExt(row_ends, i32_)), *plane_ends = b_.CreateICmpEQ(y1, cy);
  idx->addIncoming(idx1, next);
  gx->addIncoming(b_.CreateSelect(row_ends, i32c(0), x1), next);
  gy->addIncoming(b_.CreateSelect(plane_ends, i32c(0), y1), next);
  gz->addIncoming(b_.CreateAdd(gz, b_.CreateZExt(plane_ends, i32_)), next);
  b_.CreateCondBr(b_.CreateICmpULT(idx1, last), group, done);
  b_.SetInsertPoint(done);
  b_.CreateRet(i32c(kReturnDone));
  b_.SetInsertPoint(fault);
  b_.CreateRet(i32c(kReturnFault));
}

} // namespace pumice::jit
