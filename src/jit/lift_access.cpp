// SPDX-License-Identifier: MIT
// Vector loads and stores at the address forms of the value domain: uniform, contiguous, constant pattern, anything.
#include "jit/lifter.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/MDBuilder.h"
#include <algorithm>

using namespace llvm;
namespace pumice::jit {

// Loops of several waves (lift_jam.cpp): iterations to look ahead (0 to 12 tried on Zen 5: best from 2 to 8), and cache lines of a
// wave's access up to which neighbours are worth waiting for (16 lines are a kilobyte already; a jam of them was slower).
constexpr uint64_t kJamAhead = 6;
constexpr unsigned kJamLines = 4;

Value* Lifter::at(const Address& a, int64_t off) {
  if (a.dword_stripes) off = off / 4 * 256;
  return off ? b_.CreateConstGEP1_64(i8_, a.base, static_cast<uint64_t>(off)) : a.base;
}

Value* Lifter::lanes_at(const Address& a, int64_t off) {
  if (a.flat) return flat_lanes(off ? b_.CreateAdd(a.flat, ConstantInt::get(vi64_, static_cast<uint64_t>(off))) : a.flat);
  if (a.dword_stripes) off = off / 4 * 256;
  if (a.index) {
    Type* unit = b_.getIntNTy(8u << a.shift);
    return b_.CreateGEP(unit, at(a, off), b_.CreateSExt(a.index, vi64_));
  }
  if (a.lanes) return off ? b_.CreateGEP(i8_, a.lanes, ConstantInt::get(vi64_, static_cast<uint64_t>(off))) : a.lanes;
  std::vector<Constant*> e(64);
  for (int l = 0; l < 64; l++) e[l] = ConstantInt::get(i64_, static_cast<uint64_t>(a.pat->lane[l] + off));
  return b_.CreateGEP(i8_, a.base, ConstantVector::get(e));
}

Value* Lifter::exec_slice(unsigned first, unsigned n) {
  if (exec_full()) return nullptr;
  return n == 64 ? exec_mask() : slice(exec_mask(), first, n);
}

/// `p` where some lane of `mask` is set, else an address that can be read.
Value* Lifter::safe_pointer(V* p, V* mask) {
  if (!mask) return p;
  if (mask == exec_mask() && exec_nonzero_) return p;
  unsigned n = cast<FixedVectorType>(mask->getType())->getNumElements();
  V* bits = n == 64 && mask == exec_mask() ? pair_s(exec()) : b_.CreateBitCast(mask, b_.getIntNTy(n));
  return b_.CreateSelect(b_.CreateICmpNE(bits, ConstantInt::get(bits->getType(), 0)), p, ctx_);
}

/// Keeps polling loads where the program put them.
void Lifter::compiler_barrier() {
  auto* t = FunctionType::get(Type::getVoidTy(c_), false);
  b_.CreateCall(t, InlineAsm::get(t, "", "~{memory}", true));
}

/// One dword per lane. When every lane reads the same address and `uniform_result` is given, that gets a uniform node.
Value* Lifter::load32(const Address& a, int64_t off, Node** uniform_result) {
  auto mem = [&](Instruction* l) -> V* {
    tag(l, a.scope);
    return l;
  };
  if (a.pat) {
    if (a.pat->zero) {
      V* p = safe_pointer(at(a, off), exec_slice(0, 64));
      V* s = mem(b_.CreateAlignedLoad(i32_, p, Align(1), a.is_volatile));
      if (uniform_result) {
        *uniform_result = uniform(s);
        return nullptr;
      }
      return splat(s, vi32_);
    }
    if (a.pat->stride == 4) {
      V* m = exec_slice(0, 64);
      if (a.scope == Scope::global && streams_ < kStreams && in_loop(cur_block_)) prefetch_next(at(a, off), streams_++, 4);
      if (!m) return mem(b_.CreateAlignedLoad(vi32_, at(a, off), Align(1), a.is_volatile));
      V* p = at(a, off);
      return when_full(m, [&] { return std::vector{mem(b_.CreateAlignedLoad(vi32_, p, Align(1), a.is_volatile))}; },
                       [&] { return std::vector{mem(b_.CreateMaskedLoad(vi32_, p, Align(1), m, Constant::getNullValue(vi32_)))}; })[0];
    }
    // Sixteen lanes at a time: equal, contiguous, or a gather with constant offsets.
    std::vector<V*> parts;
    std::map<std::vector<int64_t>, V*> seen;
    for (unsigned k = 0; k < 64; k += 16) {
      std::vector<int64_t> o(a.pat->lane.begin() + k, a.pat->lane.begin() + k + 16);
      bool full = exec_full();
      if (full)
        if (auto it = seen.find(o); it != seen.end()) {
          parts.push_back(it->second);
          continue;
        }
      bool same = true, run = true;
      for (int l = 1; l < 16; l++) same &= o[l] == o[0], run &= o[l] == o[0] + 4 * l;
      Type* t = vec_of(i32_, 16);
      V* m = exec_slice(k, 16);
      V* v;
      if (same) {
        v = b_.CreateVectorSplat(16, mem(b_.CreateAlignedLoad(i32_, safe_pointer(at(a, off + o[0]), m), Align(1), a.is_volatile)));
      } else if (run) {
        V* p = at(a, off + o[0]);
        v = m ? mem(b_.CreateMaskedLoad(t, p, Align(1), m, Constant::getNullValue(t)))
              : mem(b_.CreateAlignedLoad(t, p, Align(1), a.is_volatile));
      } else {
        bool narrow = a.pat->min + off > INT32_MIN && a.pat->max + off < INT32_MAX;
        Type* it = narrow ? i32_ : i64_;
        std::vector<Constant*> e(16);
        for (int l = 0; l < 16; l++) e[l] = ConstantInt::get(it, static_cast<uint64_t>(o[l] + (a.dword_stripes ? off / 4 * 256 : off)), true);
        V* ps = b_.CreateGEP(i8_, a.base, ConstantVector::get(e));
        v = mem(b_.CreateMaskedGather(t, ps, Align(4), m ? m : Constant::getAllOnesValue(vec_of(i1_, 16)), Constant::getNullValue(t)));
      }
      seen[o] = v;
      parts.push_back(v);
    }
    return concat(parts);
  }
  V* m = exec_slice(0, 64);
  auto gather = [&] {
    return mem(b_.CreateMaskedGather(vi32_, lanes_at(a, off), Align(4), m ? m : Constant::getAllOnesValue(vi1_),
                                     Constant::getNullValue(vi32_)));
  };
  if (a.scope != Scope::global || a.flat || a.shift > 2 || run_tests_ >= kMaxRunTests) return gather();
  // Addresses that are no pattern known beforehand often still come in runs, such as rows of a matrix.
  run_tests_++;
  auto [fast, slow, join] = test_runs(a, off);
  b_.SetInsertPoint(fast);
  std::vector<V*> parts;
  Type* t = vec_of(i32_, 16);
  bool ahead = streams_ + 4 <= kStreams && in_loop(cur_block_);
  for (unsigned k = 0; k < 64; k += 16) {
    V* p = lane_pointer(a, off, k);
    if (ahead) prefetch_next(p, streams_++, 1);
    V* mk = m ? slice(m, k, 16) : nullptr;
    parts.push_back(mk ? mem(b_.CreateMaskedLoad(t, p, Align(1), mk, Constant::getNullValue(t)))
                       : mem(b_.CreateAlignedLoad(t, p, Align(1), a.is_volatile)));
  }
  V* x = concat(parts);
  b_.CreateBr(join);
  b_.SetInsertPoint(slow);
  V* y = gather();
  b_.CreateBr(join);
  b_.SetInsertPoint(join);
  PHINode* phi = b_.CreatePHI(vi32_, 2);
  phi->addIncoming(x, fast);
  phi->addIncoming(y, slow);
  return phi;
}

/// Host pointer of one lane of an address that is no pattern.
Value* Lifter::lane_pointer(const Address& a, int64_t off, unsigned lane) {
  if (!a.index) return b_.CreateExtractElement(lanes_at(a, off), uint64_t(lane));
  V* k = b_.CreateSExt(b_.CreateExtractElement(a.index, uint64_t(lane)), i64_);
  return b_.CreateGEP(b_.getIntNTy(8u << a.shift), at(a, off), k);
}

bool Lifter::in_loop(uint32_t block) {
  auto [it, fresh] = in_loop_.try_emplace(block, false);
  if (!fresh) return it->second;
  std::vector<bool> seen(g_.blocks.size());
  std::vector<uint32_t> todo = g_.blocks[block].succ;
  while (!todo.empty() && !it->second) {
    uint32_t b = todo.back();
    todo.pop_back();
    if (b == block) it->second = true;
    if (seen[b]) continue;
    seen[b] = true;
    todo.insert(todo.end(), g_.blocks[b].succ.begin(), g_.blocks[b].succ.end());
  }
  return it->second;
}

/// Asks for the lines that this load will want in the next iteration if it goes on with the same step: columns of a matrix,
/// which the host's own prefetchers do not see. A wrong guess (the first iteration has no last address) is harmless.
void Lifter::prefetch_next(V* p, unsigned stream, unsigned lines) {
  V* slot = wave_ptr(offsetof(exec::Wave, jit_stream) + 8 * size_t(stream));
  V* now = b_.CreatePtrToInt(p, i64_);
  auto* last = b_.CreateLoad(i64_, slot);
  tag(last, Scope::state);
  tag(b_.CreateStore(now, slot), Scope::state);
  // Short loops come around before the line does: look further ahead in them. The shortest ones only stream: 6 KiB ahead, and
  // their lines go to the second cache, as steps of a power of two crowd into few sets of the first. A jam's are fewer: first cache.
  size_t length = g_.blocks[cur_block_].insts.size();
  bool only_streams = lines > 1 && length <= 16;
  uint64_t ahead = only_streams ? 96 / lines : std::clamp<uint64_t>(64 / length, 1, 8);
  if (jam_) ahead = kJamAhead;
  V* step = b_.CreateSub(now, last);
  if (only_streams && lines <= kJamLines && !step_) step_ = step;
  V* next = b_.CreateIntToPtr(b_.CreateAdd(now, b_.CreateMul(step, i64c(ahead))), ptr_);
  for (unsigned k = 0; k < lines; k++)
    intrinsic(Intrinsic::prefetch, {ptr_}, {b_.CreateConstGEP1_64(i8_, next, 64 * k), i32c(0), i32c(only_streams && !jam_ ? 2 : 3), i32c(1)});
}

/// Branches on whether each sixteen lanes hold consecutive dword addresses.
std::tuple<BasicBlock*, BasicBlock*, BasicBlock*> Lifter::test_runs(const Address& a, int64_t off) {
  std::vector<int> first(64);
  std::array<int64_t, 64> step;
  for (int l = 0; l < 64; l++) first[l] = l & ~15, step[l] = (4 >> a.shift) * (l & 15);
  V* at = a.index ? a.index : b_.CreatePtrToInt(lanes_at(a, off), vi64_);
  V* firsts = shuffle(at, nullptr, first);
  V* run = b_.CreateICmpEQ(at, b_.CreateAdd(firsts, pattern_vec(pats_.make(step), !a.index)));
  if (a.index) run = b_.CreateAnd(run, b_.CreateICmpSLT(firsts, vsplat(INT32_MAX - 64))); // no wrapping inside a run
  V* same = b_.CreateICmpEQ(b_.CreateBitCast(run, i64_), i64c(~0ull));
  auto* fast = BasicBlock::Create(c_, "runs", wave_fn_);
  auto* slow = BasicBlock::Create(c_, "gather", wave_fn_);
  auto* join = BasicBlock::Create(c_, "joined", wave_fn_);
  b_.CreateCondBr(same, fast, slow);
  return {fast, slow, join};
}

/// Two forms of a contiguous access: `plain` where all lanes of `m` are set, as in most waves (some hosts take twice as long
/// for masked accesses), else `masked`. Both give values of the same types.
std::vector<Value*> Lifter::when_full(V* m, Make plain, Make masked) {
  if (full_tests_ >= kMaxFullTests) return masked();
  full_tests_++;
  auto* full = BasicBlock::Create(c_, "full", wave_fn_);
  auto* part = BasicBlock::Create(c_, "part", wave_fn_);
  auto* join = BasicBlock::Create(c_, "whole", wave_fn_);
  b_.CreateCondBr(b_.CreateICmpEQ(b_.CreateBitCast(m, i64_), i64c(~0ull)), full, part, MDBuilder(c_).createBranchWeights(16, 1));
  b_.SetInsertPoint(full);
  std::vector<V*> x = plain();
  b_.CreateBr(join);
  b_.SetInsertPoint(part);
  std::vector<V*> y = masked();
  b_.CreateBr(join);
  b_.SetInsertPoint(join);
  for (size_t k = 0; k < x.size(); k++) {
    PHINode* phi = b_.CreatePHI(x[k]->getType(), 2);
    phi->addIncoming(x[k], full);
    phi->addIncoming(y[k], part);
    x[k] = phi;
  }
  return x;
}

/// Lanes of a scratch access whose last `bytes` bytes reach into the next dword of the lane; null when none can.
Value* Lifter::scratch_crosses(const Address& a, unsigned bytes) {
  if (!a.dword_stripes || bytes == 1) return nullptr;
  V* x = bytes == 2 ? b_.CreateICmpEQ(a.subword, vsplat(24)) : b_.CreateICmpNE(a.subword, vsplat(0));
  if (auto* k = dyn_cast<Constant>(x); k && k->isNullValue()) return nullptr;
  return exec_full() ? x : b_.CreateAnd(x, exec_mask());
}

/// Branches on whether a scratch access is unaligned in some lane of `crosses`: blocks for yes, no and after.
std::tuple<BasicBlock*, BasicBlock*, BasicBlock*> Lifter::test_crosses(const Address& a, V* crosses) {
  (void)pair_s(exec()), (void)exec_slice(0, 64); // made here: both branches use them
  auto* yes = BasicBlock::Create(c_, "unaligned", wave_fn_);
  auto* no = BasicBlock::Create(c_, "aligned", wave_fn_);
  auto* join = BasicBlock::Create(c_, "joined", wave_fn_);
  bool uniform = !a.offset->getType()->isVectorTy();
  V* any = uniform ? b_.CreateICmpNE(b_.CreateAnd(a.offset, i32c(3)), i32c(0))
                   : b_.CreateICmpNE(b_.CreateBitCast(crosses, i64_), i64c(0));
  b_.CreateCondBr(any, yes, no, MDBuilder(c_).createBranchWeights(1, 1000));
  return {yes, no, join};
}

/// n dwords per lane, in order.
std::vector<Value*> Lifter::load_dwords(const Address& a, unsigned n, Node** uniform_result) {
  if (a.flat_low) return load_flat(a, n, 4 * n);
  V* crosses = scratch_crosses(a, 4);
  if (!crosses) return load_aligned_dwords(a, n, uniform_result);
  if (auto* k = dyn_cast<Constant>(a.subword); k && !k->isNullValue()) return load_scratch_unaligned(a, 4 * n);
  auto [yes, no, join] = test_crosses(a, crosses);
  b_.SetInsertPoint(yes);
  std::vector<V*> x = load_scratch_unaligned(a, 4 * n);
  b_.CreateBr(join);
  b_.SetInsertPoint(no);
  std::vector<V*> y = load_aligned_dwords(a, n, nullptr);
  no = b_.GetInsertBlock();
  b_.CreateBr(join);
  b_.SetInsertPoint(join);
  for (unsigned q = 0; q < n; q++) {
    PHINode* phi = b_.CreatePHI(vi32_, 2);
    phi->addIncoming(x[q], yes);
    phi->addIncoming(y[q], no);
    x[q] = phi;
  }
  return x;
}

/// 2 or 4 dwords of each lane where lanes follow each other: whole vectors, then de-interleave. Lanes of `m` (null: all).
std::vector<Value*> Lifter::load_rows(const Address& a, unsigned n, V* m) {
  std::vector<V*> out(n);
  std::vector<std::vector<V*>> parts(n);
  Type* t = vec_of(i32_, 16);
  for (unsigned k = 0; k < 64; k += 16) {
    std::vector<V*> z(n);
    V* mk = m ? slice(m, k, 16) : nullptr;
    for (unsigned q = 0; q < n; q++) {
      V* p = at(a, int64_t(k) * 4 * n + 64 * q);
      Instruction* l;
      if (!mk) l = b_.CreateAlignedLoad(t, p, Align(1), a.is_volatile);
      else {
        std::vector<int> idx(16);
        for (unsigned e = 0; e < 16; e++) idx[e] = (16 * q + e) / n;
        l = b_.CreateMaskedLoad(t, p, Align(1), shuffle(mk, nullptr, idx), Constant::getNullValue(t));
      }
      tag(l, a.scope);
      z[q] = l;
    }
    if (n == 2) {
      for (unsigned q = 0; q < 2; q++) {
        std::vector<int> idx(16);
        for (unsigned l = 0; l < 16; l++) idx[l] = 2 * l + q;
        parts[q].push_back(shuffle(z[0], z[1], idx));
      }
    } else {
      auto pick = [&](V* x, V* y, int q0, int q1) {
        std::vector<int> idx(16);
        for (int l = 0; l < 8; l++) idx[l] = q0 + 4 * l, idx[8 + l] = q1 + 4 * l;
        return shuffle(x, y, idx);
      };
      V *p = pick(z[0], z[1], 0, 1), *q = pick(z[2], z[3], 0, 1), *r = pick(z[0], z[1], 2, 3), *s = pick(z[2], z[3], 2, 3);
      std::vector<int> lo(16), hi(16);
      for (int l = 0; l < 8; l++) lo[l] = l, lo[8 + l] = 16 + l, hi[l] = 8 + l, hi[8 + l] = 24 + l;
      parts[0].push_back(shuffle(p, q, lo)), parts[1].push_back(shuffle(p, q, hi));
      parts[2].push_back(shuffle(r, s, lo)), parts[3].push_back(shuffle(r, s, hi));
    }
  }
  for (unsigned q = 0; q < n; q++) out[q] = concat(parts[q]);
  return out;
}

std::vector<Value*> Lifter::load_aligned_dwords(const Address& a, unsigned n, Node** uniform_result) {
  std::vector<V*> out(n, nullptr);
  if (a.is_volatile) compiler_barrier();
  if (a.pat && !a.dword_stripes && (n == 2 || n == 4) && a.pat->stride == 4 * int64_t(n)) {
    V* m = exec_slice(0, 64);
    if (a.scope == Scope::global && streams_ < kStreams && in_loop(cur_block_)) prefetch_next(at(a, 0), streams_++, 4 * n);
    if (!m) return load_rows(a, n, nullptr);
    return when_full(m, [&] { return load_rows(a, n, nullptr); }, [&] { return load_rows(a, n, m); });
  }
  if (whole_pairs(a, n)) {
    for (unsigned q = 0; q < n; q += 2) {
      if (a.pat && a.pat->zero && uniform_result) {
        V* w = load_uniform_pair(a, 4 * q);
        uniform_result[q] = uniform(b_.CreateTrunc(w, i32_));
        uniform_result[q + 1] = uniform(b_.CreateTrunc(b_.CreateLShr(w, 32), i32_));
        continue;
      }
      V* w = a.pat ? load_pattern_pair(a, 4 * q) : load_lane_pair(a, 4 * q);
      out[q] = b_.CreateTrunc(w, vi32_);
      out[q + 1] = b_.CreateTrunc(b_.CreateLShr(w, 32), vi32_);
    }
    return out;
  }
  for (unsigned q = 0; q < n; q++) out[q] = load32(a, 4 * q, uniform_result ? &uniform_result[q] : nullptr);
  return out;
}

/// A byte or half per lane, zero-extended.
Value* Lifter::load_small(const Address& a, unsigned bytes) {
  if (a.flat_low) return load_flat(a, 1, bytes)[0];
  if (a.is_volatile) compiler_barrier();
  Type* et = bytes == 1 ? i8_ : i16_;
  V* m = exec_slice(0, 64);
  V* keep = vsplat(bytes == 1 ? 0xff : 0xffff);
  if (a.dword_stripes) { // scratch: inside its own dword
    if (scratch_crosses(a, bytes)) return load_scratch_unaligned(a, bytes)[0];
    V* w = load32(a, 0);
    return b_.CreateAnd(b_.CreateLShr(w, a.subword), keep);
  }
  if (a.pat && a.pat->zero) {
    auto* l = b_.CreateAlignedLoad(et, safe_pointer(at(a, 0), m), Align(1), a.is_volatile);
    tag(l, a.scope);
    return splat(b_.CreateZExt(l, i32_), vi32_);
  }
  if (a.pat && a.pat->stride == int64_t(bytes)) {
    Type* t = vec_of(et, 64);
    Instruction* l = m ? static_cast<Instruction*>(b_.CreateMaskedLoad(t, at(a, 0), Align(1), m, Constant::getNullValue(t)))
                       : b_.CreateAlignedLoad(t, at(a, 0), Align(1), a.is_volatile);
    tag(l, a.scope);
    return b_.CreateZExt(l, vi32_);
  }
  // The aligned dword around the address never crosses into another page.
  V* p = b_.CreatePtrToInt(lanes_at(a, 0), vi64_);
  V* word = b_.CreateIntToPtr(b_.CreateAnd(p, ConstantInt::get(vi64_, ~3ull)), vptr_);
  V* shift = b_.CreateShl(b_.CreateTrunc(b_.CreateAnd(p, ConstantInt::get(vi64_, 3)), vi32_), 3);
  V* all = m ? m : static_cast<V*>(Constant::getAllOnesValue(vi1_));
  auto* g = b_.CreateMaskedGather(vi32_, word, Align(4), all, Constant::getNullValue(vi32_));
  tag(g, a.scope);
  V* v = b_.CreateLShr(g, shift);
  if (bytes == 2) { // an odd address whose half spans two dwords
    V* split = b_.CreateAnd(b_.CreateICmpEQ(shift, vsplat(24)), all);
    V* next = b_.CreateGEP(i8_, word, ConstantInt::get(vi64_, 4));
    auto* g2 = b_.CreateMaskedGather(vi32_, next, Align(4), split, Constant::getNullValue(vi32_));
    tag(g2, a.scope);
    v = b_.CreateOr(v, b_.CreateSelect(split, b_.CreateShl(g2, 8), vsplat(0)));
  }
  return b_.CreateAnd(v, keep);
}

void Lifter::store_dwords(const Address& a, const std::vector<V*>& data) {
  if (a.flat_low) return call_flat(a, data, 4 * static_cast<unsigned>(data.size()), true);
  V* crosses = scratch_crosses(a, 4);
  if (!crosses) return store_aligned_dwords(a, data);
  if (auto* k = dyn_cast<Constant>(a.subword); k && !k->isNullValue()) return store_scratch_unaligned(a, data, 4 * static_cast<unsigned>(data.size()));
  auto [yes, no, join] = test_crosses(a, crosses);
  b_.SetInsertPoint(yes);
  store_scratch_unaligned(a, data, 4 * static_cast<unsigned>(data.size()));
  b_.CreateBr(join);
  b_.SetInsertPoint(no);
  store_aligned_dwords(a, data);
  b_.CreateBr(join);
  b_.SetInsertPoint(join);
}

/// The other way of load_rows.
void Lifter::store_rows(const Address& a, const std::vector<V*>& data, V* m) {
  unsigned n = static_cast<unsigned>(data.size());
  for (unsigned k = 0; k < 64; k += 16) {
    std::vector<V*> s(n);
    for (unsigned q = 0; q < n; q++) s[q] = slice(data[q], k, 16);
    std::vector<V*> z(n);
    if (n == 2) {
      for (int h = 0; h < 2; h++) {
        std::vector<int> idx(16);
        for (int l = 0; l < 8; l++) idx[2 * l] = 8 * h + l, idx[2 * l + 1] = 16 + 8 * h + l;
        z[h] = shuffle(s[0], s[1], idx);
      }
    } else {
      for (int h = 0; h < 4; h++) { // lanes 4h..4h+3
        std::vector<int> ab(16), cd(16), mix(16);
        for (int l = 0; l < 4; l++) {
          ab[4 * l] = cd[4 * l] = 4 * h + l, ab[4 * l + 1] = cd[4 * l + 1] = 16 + 4 * h + l;
          ab[4 * l + 2] = cd[4 * l + 2] = 4 * h + l, ab[4 * l + 3] = cd[4 * l + 3] = 16 + 4 * h + l;
          mix[4 * l] = 4 * l, mix[4 * l + 1] = 4 * l + 1, mix[4 * l + 2] = 16 + 4 * l, mix[4 * l + 3] = 16 + 4 * l + 1;
        }
        z[h] = shuffle(shuffle(s[0], s[1], ab), shuffle(s[2], s[3], cd), mix);
      }
    }
    V* mk = m ? slice(m, k, 16) : nullptr;
    for (unsigned q = 0; q < n; q++) {
      V* p = at(a, int64_t(k) * 4 * n + 64 * q);
      Instruction* st;
      if (!mk) st = b_.CreateAlignedStore(z[q], p, Align(1), a.is_volatile);
      else {
        std::vector<int> idx(16);
        for (unsigned e = 0; e < 16; e++) idx[e] = (16 * q + e) / n;
        st = b_.CreateMaskedStore(z[q], p, Align(1), shuffle(mk, nullptr, idx));
      }
      tag(st, a.scope);
    }
  }
}

void Lifter::store_aligned_dwords(const Address& a, const std::vector<V*>& data) {
  unsigned n = static_cast<unsigned>(data.size());
  V* m = exec_slice(0, 64);
  if (a.pat && !a.dword_stripes && (n == 2 || n == 4) && a.pat->stride == 4 * int64_t(n)) {
    if (!m) return store_rows(a, data, nullptr);
    when_full(m, [&] { return store_rows(a, data, nullptr), std::vector<V*>(); }, [&] { return store_rows(a, data, m), std::vector<V*>(); });
    return;
  }
  if (whole_pairs(a, n)) {
    for (unsigned q = 0; q < n; q += 2) {
      V* w = b_.CreateOr(b_.CreateZExt(data[q], vi64_), b_.CreateShl(b_.CreateZExt(data[q + 1], vi64_), 32));
      if (a.pat) store_pattern_pair(a, 4 * q, w);
      else tag(b_.CreateMaskedScatter(w, lanes_at(a, 4 * q), Align(8), m ? m : Constant::getAllOnesValue(vi1_)), a.scope);
    }
    return;
  }
  for (unsigned q = 0; q < n; q++) {
    Instruction* st = nullptr;
    if (a.pat && a.pat->stride == 4) {
      V* p = at(a, 4 * q);
      auto plain = [&]() -> std::vector<V*> { return tag(b_.CreateAlignedStore(data[q], p, Align(1), a.is_volatile), a.scope), std::vector<V*>(); };
      if (!m) plain();
      else when_full(m, plain, [&] { return tag(b_.CreateMaskedStore(data[q], p, Align(1), m), a.scope), std::vector<V*>(); });
      continue;
    }
    if (!a.pat) {
      auto scatter = [&] {
        tag(b_.CreateMaskedScatter(data[q], lanes_at(a, 4 * q), Align(4), m ? m : Constant::getAllOnesValue(vi1_)), a.scope);
      };
      if (n != 1 || a.scope != Scope::global || a.flat || a.shift > 2 || run_tests_ >= kMaxRunTests) {
        scatter();
        continue;
      }
      run_tests_++;
      auto [fast, slow, join] = test_runs(a, 4 * q);
      b_.SetInsertPoint(fast);
      for (unsigned k = 0; k < 64; k += 16) {
        V *p = lane_pointer(a, 4 * q, k), *d = slice(data[q], k, 16);
        if (m) tag(b_.CreateMaskedStore(d, p, Align(1), slice(m, k, 16)), a.scope);
        else tag(b_.CreateAlignedStore(d, p, Align(1), a.is_volatile), a.scope);
      }
      b_.CreateBr(join);
      b_.SetInsertPoint(slow);
      scatter();
      b_.CreateBr(join);
      b_.SetInsertPoint(join);
      continue;
    }
    for (unsigned k = 0; k < 64; k += 16) {
      const int64_t* o = &a.pat->lane[k];
      bool run = true;
      for (int l = 1; l < 16; l++) run &= o[l] == o[0] + 4 * l;
      V *d = slice(data[q], k, 16), *mk = exec_slice(k, 16);
      if (run) {
        V* p = at(a, 4 * q + o[0]);
        st = mk ? static_cast<Instruction*>(b_.CreateMaskedStore(d, p, Align(1), mk)) : b_.CreateAlignedStore(d, p, Align(1));
      } else {
        std::vector<Constant*> e(16);
        int64_t move = a.dword_stripes ? 256 * q : 4 * q;
        bool narrow = a.pat->min + move > INT32_MIN && a.pat->max + move < INT32_MAX;
        for (int l = 0; l < 16; l++) e[l] = ConstantInt::get(narrow ? i32_ : i64_, static_cast<uint64_t>(o[l] + move), true);
        st = b_.CreateMaskedScatter(d, b_.CreateGEP(i8_, a.base, ConstantVector::get(e)), Align(4),
                                    mk ? mk : Constant::getAllOnesValue(vec_of(i1_, 16)));
      }
      tag(st, a.scope);
    }
  }
}

void Lifter::store_small(const Address& a, unsigned bytes, V* data) {
  if (a.flat_low) return call_flat(a, {data}, bytes, true);
  V* m = exec_slice(0, 64);
  if (a.dword_stripes) {
    if (scratch_crosses(a, bytes)) return store_scratch_unaligned(a, {data}, bytes);
    V* field = b_.CreateShl(vsplat(bytes == 1 ? 0xff : 0xffff), a.subword);
    Address w = a;
    V* old = load32(w, 0);
    V* v = b_.CreateOr(b_.CreateAnd(old, b_.CreateNot(field)), b_.CreateAnd(b_.CreateShl(data, a.subword), field));
    store_aligned_dwords(w, {v});
    return;
  }
  V* d = b_.CreateTrunc(data, bytes == 1 ? vi8_ : vi16_);
  if (a.pat && a.pat->stride == int64_t(bytes)) {
    Instruction* st = m ? static_cast<Instruction*>(b_.CreateMaskedStore(d, at(a, 0), Align(1), m))
                        : b_.CreateAlignedStore(d, at(a, 0), Align(1), a.is_volatile);
    tag(st, a.scope);
    return;
  }
  V* addrs = spill64(b_.CreatePtrToInt(lanes_at(a, 0), vi64_), 0);
  call_rt("pumice_rt_scatter_small", Type::getVoidTy(c_), {addrs, spill_vec(data, 1), pair_s(exec()), i32c(bytes)});
}

Value* Lifter::spill64(V* v, unsigned slot) {
  AllocaInst*& a = scratch_slots_[100 + slot];
  if (!a) {
    IRBuilder<> eb(&entry_bb_->front());
    a = eb.CreateAlloca(vi64_, nullptr, "lanes64");
    a->setAlignment(Align(64));
  }
  if (v) b_.CreateStore(v, a);
  return a;
}

/// Read-modify-write per active lane, in lane order, by a runtime function.
void Lifter::atomic(const LiftInst& li, const Address& a, V* data, V* cmp, bool returns, bool local) {
  const Inst& i = li.inst;
  const isa::MemInfo& mi = isa::row(i.op).mem;
  bool wide64 = mi.elem_bytes == 8;
  V* addrs = spill64(b_.CreatePtrToInt(lanes_at(a, 0), vi64_), 0);
  auto spill = [&](V* v, unsigned slot) { return wide64 ? spill64(v, slot) : spill_vec(v, slot); };
  V* d = data ? spill(data, 1) : ConstantPointerNull::get(PointerType::getUnqual(c_));
  V* c = cmp ? spill(cmp, 2) : ConstantPointerNull::get(PointerType::getUnqual(c_));
  V* out = ConstantPointerNull::get(PointerType::getUnqual(c_));
  if (returns) out = spill(Constant::getNullValue(wide64 ? vi64_ : vi32_), 3);
  uint32_t flags = uint32_t(mi.atomic) | uint32_t(wide64) << 8 | uint32_t(mi.is_float) << 9 | uint32_t(local) << 10;
  flags |= (in_.descriptor.rsrc1 >> 23 & 1) << 11; // IEEE
  call_rt("pumice_rt_atomic", Type::getVoidTy(c_), {i32c(flags), addrs, d, c, out, pair_s(exec())});
  if (!returns) return;
  if (wide64) result_u64(li, b_.CreateLoad(vi64_, out));
  else result_u32(li, b_.CreateLoad(vi32_, out));
}

} // namespace pumice::jit
