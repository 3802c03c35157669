// SPDX-License-Identifier: MIT
// Nodes: making them, and turning one form into another.
#include "jit/lifter.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
namespace pumice::jit {

Node* Lifter::new_node(Form f) {
  nodes_.emplace_back();
  nodes_.back().form = f;
  return &nodes_.back();
}

static unsigned bit_width(uint32_t v) { return v ? 32 - __builtin_clz(v) : 0; }

Node* Lifter::constant(uint32_t c) {
  Node* n = new_node(Form::uniform);
  n->is_const = true;
  n->cval = c;
  n->align = c ? __builtin_ctz(c) : 32;
  n->bits = bit_width(c);
  n->pat = pats_.zero();
  if (!dry_) n->s = i32c(c);
  return n;
}

Node* Lifter::uniform(V* s, unsigned bits, unsigned align) {
  if (auto* k = dyn_cast_or_null<ConstantInt>(s)) return constant(static_cast<uint32_t>(k->getZExtValue()));
  if (bits == 0 || bits <= align) return constant(0); // below 2^bits and a multiple of 2^align
  Node* n = new_node(Form::uniform);
  n->s = s;
  n->bits = std::min(bits, 32u);
  n->align = std::min(align, 32u);
  n->pat = pats_.zero();
  return n;
}

Node* Lifter::affine(V* s, const Pattern* p, unsigned bits, unsigned align) {
  if (p->zero) return uniform(s, bits, align);
  if (bits <= align) bits = 0, align = 32; // the base is zero
  Node* n = new_node(Form::affine);
  n->s = s;
  n->pat = p;
  n->bits = std::min(bits, 32u);
  n->align = std::min(align, 32u);
  if (n->bits == 0 && !dry_) n->s = i32c(0);
  return n;
}

Node* Lifter::vector(V* v) {
  Node* n = new_node(Form::vector);
  n->vec = v;
  return n;
}

Pair* Lifter::pair_const(uint64_t c, bool relative) {
  pairs_.emplace_back();
  Pair* p = &pairs_.back();
  p->is_const = true;
  p->relative = relative;
  p->cval = c;
  p->pat = pats_.zero();
  if (!dry_) {
    p->s = i64c(c);
    if (relative) p->s = b_.CreateAdd(context_field(offsetof(Context, load_bias), i64_), p->s);
  }
  return p;
}

Pair* Lifter::pair_scalar(V* s, const Pattern* pat) {
  if (!pat) pat = pats_.zero();
  if (auto* k = dyn_cast_or_null<ConstantInt>(s); k && pat->zero) return pair_const(k->getZExtValue());
  pairs_.emplace_back();
  Pair* p = &pairs_.back();
  p->s = s;
  p->pat = pat;
  return p;
}

Pair* Lifter::pair_mask(V* m) {
  pairs_.emplace_back();
  Pair* p = &pairs_.back();
  p->mask = m;
  p->pat = pats_.zero();
  return p;
}

Wide* Lifter::wide(V* v) {
  wides_.emplace_back();
  wides_.back().v = v;
  return &wides_.back();
}

Wide* Lifter::wide_index(V* index, V* base, unsigned shift) {
  Wide* w = wide(nullptr);
  w->index = index, w->base = base, w->shift = shift;
  return w;
}

Node* Lifter::half_node(Pair* p, bool hi) {
  if (p->is_const && !p->relative && p->pat->zero)
    return [&] {
      Node* n = constant(static_cast<uint32_t>(hi ? p->cval >> 32 : p->cval));
      n->form = hi ? Form::pair_hi : Form::pair_lo;
      n->pair = p;
      return n;
    }();
  Node* n = new_node(hi ? Form::pair_hi : Form::pair_lo);
  n->pair = p;
  n->pat = p->pat;
  return n;
}

Node* Lifter::half_node(Wide* w, bool hi) {
  Node* n = new_node(hi ? Form::wide_hi : Form::wide_lo);
  n->wide = w;
  return n;
}

void Lifter::put(unsigned reg, Node* n) {
  if (resident_[reg] && !dry_) {
    if (!pending_mfma_.empty()) flush_mfma();
    tag(b_.CreateAlignedStore(vec(n), resident_ptr(reg), Align(64)), Scope::state);
  }
  regs_[reg] = n;
  dirty_[reg] = true;
}
void Lifter::put_pair(unsigned reg, Pair* p) {
  put(reg, half_node(p, false));
  put(reg + 1, half_node(p, true));
}
void Lifter::put_wide(unsigned reg, Wide* w) {
  put(reg, half_node(w, false));
  put(reg + 1, half_node(w, true));
}

/// The register as it stands now; on first use in a block, as the block's entry kind says.
Node* Lifter::get(unsigned reg) {
  if (regs_[reg]) return regs_[reg];
  if (resident_[reg]) {
    if (dry_) return regs_[reg] = vector(nullptr);
    if (!pending_mfma_.empty()) flush_mfma();
    auto* l = b_.CreateAlignedLoad(vi32_, resident_ptr(reg), Align(64));
    tag(l, Scope::state);
    return regs_[reg] = vector(l);
  }
  const Kind& k = entry_kinds_[cur_block_][reg];
  auto load = [&](AllocaInst*& slot, Type* t, const char* name) -> V* {
    if (dry_) return nullptr;
    if (!slot) {
      IRBuilder<> eb(&entry_bb_->front());
      slot = eb.CreateAlloca(t, nullptr, name);
    }
    return b_.CreateLoad(t, slot);
  };
  Slots& s = slots_[reg];
  Node* n = nullptr;
  switch (k.form) {
  case Form::none: n = constant(0); break;
  case Form::uniform:
    n = k.is_const ? constant(static_cast<uint32_t>(k.cval)) : uniform(load(s.s32, i32_, "s"), k.bits, k.align);
    break;
  case Form::affine: n = affine(load(s.s32, i32_, "a"), k.pat, k.bits, k.align); break;
  case Form::vector: n = vector(load(s.vec, vi32_, "v")); break;
  case Form::pair_lo: case Form::pair_hi: {
    unsigned base = k.form == Form::pair_hi ? reg - 1 : reg;
    unsigned other = k.form == Form::pair_hi ? reg - 1 : reg + 1;
    Pair* p = k.is_const ? pair_const(k.cval, k.relative) : pair_scalar(load(slots_[base].s64, i64_, "p"), k.pat);
    n = half_node(p, k.form == Form::pair_hi);
    Form want = k.form == Form::pair_hi ? Form::pair_lo : Form::pair_hi;
    if (!regs_[other] && other < kRegCount && entry_kinds_[cur_block_][other].form == want)
      regs_[other] = half_node(p, want == Form::pair_hi);
    break;
  }
  case Form::wide_lo: case Form::wide_hi: {
    unsigned base = k.form == Form::wide_hi ? reg - 1 : reg;
    unsigned other = k.form == Form::wide_hi ? reg - 1 : reg + 1;
    Wide* w = wide(load(slots_[base].wide, vi64_, "w"));
    n = half_node(w, k.form == Form::wide_hi);
    Form want = k.form == Form::wide_hi ? Form::wide_lo : Form::wide_hi;
    if (!regs_[other] && entry_kinds_[cur_block_][other].form == want)
      regs_[other] = half_node(w, want == Form::wide_hi);
    break;
  }
  }
  regs_[reg] = n;
  return n;
}

/// A 32-bit reading of halves: uniform or affine where that is exact, else vector.
Node* Lifter::view(Node* n) {
  switch (n->form) {
  case Form::uniform: case Form::affine: case Form::vector: return n;
  case Form::pair_lo:
    if (n->is_const) {
      Node* c = constant(n->cval);
      return c;
    }
    if (n->pair->pat->zero) {
      Node* u = uniform(dry_ ? nullptr : (n->s ? n->s : (n->s = b_.CreateTrunc(pair_s(n->pair), i32_))));
      return u;
    }
    return affine(dry_ ? nullptr : (n->s ? n->s : (n->s = b_.CreateTrunc(pair_s(n->pair), i32_))),
                  pats_.map(n->pair->pat, [](int64_t v) { return static_cast<int64_t>(static_cast<int32_t>(v)); }), 32, 0);
  case Form::pair_hi:
    if (n->is_const) return constant(n->cval);
    if (n->pair->pat->zero)
      return uniform(dry_ ? nullptr : (n->s ? n->s : (n->s = b_.CreateTrunc(b_.CreateLShr(pair_s(n->pair), 32), i32_))));
    return vector(dry_ ? nullptr : vec(n));
  case Form::wide_lo: case Form::wide_hi: return vector(dry_ ? nullptr : vec(n));
  case Form::none: break;
  }
  return constant(0);
}

Value* Lifter::scalar(Node* n) {
  if (dry_) return nullptr;
  if (n->form == Form::uniform || n->form == Form::affine) return n->s;
  Node* v = view(n);
  if (v->form == Form::uniform) return v->s;
  // A vector where an SGPR was expected: lane 0 (unreachable for well-formed code).
  return b_.CreateExtractElement(vec(n), uint64_t(0));
}

Value* Lifter::splat(V* s, Type* vt) {
  return b_.CreateVectorSplat(cast<FixedVectorType>(vt)->getNumElements(), s);
}
Value* Lifter::vsplat(uint32_t c) { return ConstantInt::get(vi32_, c); }

Value* Lifter::pattern_vec(const Pattern* p, bool wide64) {
  std::vector<Constant*> e(64);
  for (int l = 0; l < 64; l++)
    e[l] = wide64 ? ConstantInt::get(i64_, static_cast<uint64_t>(p->lane[l]))
                  : ConstantInt::get(i32_, static_cast<uint32_t>(p->lane[l]));
  return ConstantVector::get(e);
}

Value* Lifter::vec(Node* n) {
  if (dry_) return nullptr;
  if (n->vec) return n->vec;
  switch (n->form) {
  case Form::uniform: return n->vec = splat(n->s, vi32_);
  case Form::affine: return n->vec = b_.CreateAdd(splat(n->s, vi32_), pattern_vec(n->pat, false));
  case Form::pair_lo: return n->vec = vec(view(n));
  case Form::pair_hi:
    if (n->is_const || n->pair->pat->zero) return n->vec = vec(view(n));
    return n->vec = b_.CreateTrunc(b_.CreateLShr(pair_vec(n->pair), 32), vi32_);
  case Form::wide_lo: return n->vec = wide_lo(n->wide);
  case Form::wide_hi: return n->vec = wide_hi(n->wide);
  default: return Constant::getNullValue(vi32_);
  }
}

Value* Lifter::pair_s(Pair* p) {
  if (dry_) return nullptr;
  if (!p->s) p->s = b_.CreateBitCast(p->mask, i64_);
  return p->s;
}
Value* Lifter::pair_m(Pair* p) {
  if (dry_) return nullptr;
  if (!p->mask) {
    hide_halves(p);
    p->mask = b_.CreateBitCast(pair_s(p), vi1_);
  }
  return p->mask;
}
/// LLVM 19's X86 combiner may go round for ever on lanes of a mask that is made of two 32-bit halves (EXEC back from lanes of a
/// VGPR), one of which it knows: here it sees where they come from no more.
void Lifter::hide_halves(Pair* p) {
  using namespace PatternMatch;
  if (dry_ || !p->s || !match(p->s, m_c_Or(m_Shl(m_Value(), m_SpecificInt(32)), m_Value()))) return;
  auto* t = FunctionType::get(i64_, {i64_}, false);
  p->s = b_.CreateCall(t, InlineAsm::get(t, "", "=r,0", false), {p->s});
}
Value* Lifter::pair_vec(Pair* p) {
  if (dry_) return nullptr;
  if (!p->vec) {
    p->vec = splat(pair_s(p), vi64_);
    if (!p->pat->zero) p->vec = b_.CreateAdd(p->vec, pattern_vec(p->pat, true));
  }
  return p->vec;
}
Value* Lifter::wide_v(Wide* w) {
  if (dry_) return nullptr;
  if (!w->v) {
    w->v = b_.CreateSExt(w->index, vi64_);
    if (w->shift) w->v = b_.CreateShl(w->v, w->shift);
    if (w->base) w->v = b_.CreateAdd(w->v, splat(w->base, vi64_));
  }
  return w->v;
}
Value* Lifter::wide_lo(Wide* w) {
  if (dry_) return nullptr;
  if (!w->lo) w->lo = b_.CreateTrunc(wide_v(w), vi32_);
  return w->lo;
}
Value* Lifter::wide_hi(Wide* w) {
  if (dry_) return nullptr;
  if (!w->hi) w->hi = b_.CreateTrunc(b_.CreateLShr(wide_v(w), 32), vi32_);
  return w->hi;
}

Value* Lifter::vec64(const Target64& t) {
  if (dry_) return nullptr;
  return t.pair ? pair_vec(t.pair) : wide_v(t.wide);
}

bool Lifter::no_carry(const Node* n) const {
  if (n->form == Form::uniform) return true;
  if (n->pat->min < 0) return false;
  uint64_t max = static_cast<uint64_t>(n->pat->max);
  if (n->align >= 32 || (n->align > 0 && max < (1ull << n->align))) return n->align < 32 || max < (1ull << 32);
  return n->bits < 32 && max + (1ull << n->bits) <= (1ull << 32);
}

bool Lifter::fits_signed(const Node* n) const {
  return n->pat->min >= 0 && n->bits < 31 && uint64_t(n->pat->max) + (1ull << n->bits) <= (1ull << 31);
}

/// A run-time check may stand in for the proof that lane offsets do not wrap. Only worth it for short spans, where a
/// failing check is rare: a wave that fails it is interpreted to its end.
bool Lifter::may_guard(const Node* n) const {
  return cur_ && n->pat->max - n->pat->min < (1 << 20);
}

/// The 64-bit quantity whose halves are `lo` and `hi`.
Lifter::Target64 Lifter::join(Node* lo, Node* hi) {
  if (lo->form == Form::pair_lo && hi->form == Form::pair_hi && lo->pair == hi->pair) return {lo->pair, nullptr};
  if (lo->form == Form::wide_lo && hi->form == Form::wide_hi && lo->wide == hi->wide) return {nullptr, lo->wide};
  auto key = std::make_pair(lo, hi);
  if (auto it = joins_.find(key); it != joins_.end()) return it->second;
  Node *a = view(lo), *h = view(hi);
  Target64 t;
  if (a->form == Form::uniform && h->form == Form::uniform) {
    if (a->is_const && h->is_const) t.pair = pair_const(uint64_t(h->cval) << 32 | a->cval);
    else
      t.pair = pair_scalar(dry_ ? nullptr
                                : b_.CreateOr(b_.CreateZExt(a->s, i64_), b_.CreateShl(b_.CreateZExt(h->s, i64_), 32)));
  } else if (a->form == Form::affine && hi->sign_of == lo && (fits_signed(a) || may_guard(a))) {
    if (!fits_signed(a)) guard_range(a, true);
    t.pair = pair_scalar(dry_ ? nullptr : b_.CreateSExt(a->s, i64_), a->pat);
  } else if (a->form == Form::affine && h->form == Form::uniform && (no_carry(a) || may_guard(a))) {
    if (!no_carry(a)) guard_range(a, false);
    t.pair = pair_scalar(dry_ ? nullptr
                              : b_.CreateOr(b_.CreateZExt(a->s, i64_), b_.CreateShl(b_.CreateZExt(h->s, i64_), 32)),
                         a->pat);
  } else if (hi->sign_of == lo) {
    t.wide = wide_index(vec(a), nullptr, 0);
    t.wide->lo = vec(a);
    t.wide->hi = vec(h);
  } else {
    V* w = nullptr;
    if (!dry_) {
      w = b_.CreateZExt(vec(a), vi64_);
      if (!(h->is_const && h->cval == 0)) w = b_.CreateOr(w, b_.CreateShl(b_.CreateZExt(vec(h), vi64_), 32));
    }
    t.wide = wide(w);
    t.wide->lo = dry_ ? nullptr : vec(a);
    t.wide->hi = dry_ ? nullptr : vec(h);
  }
  joins_[key] = t;
  return t;
}

Value* Lifter::as_f32(V* v) { return b_.CreateBitCast(v, vf32_); }
Value* Lifter::as_i32(V* v) { return b_.CreateBitCast(v, vi32_); }
Value* Lifter::fsplat(double d, Type* vt) { return ConstantFP::get(vt, d); }
Value* Lifter::shuffle(V* a, V* b, ArrayRef<int> m) {
  return b_.CreateShuffleVector(a, b ? b : PoisonValue::get(a->getType()), m);
}
Value* Lifter::slice(V* v, unsigned first, unsigned n) {
  std::vector<int> m(n);
  for (unsigned k = 0; k < n; k++) m[k] = first + k;
  return shuffle(v, nullptr, m);
}
Value* Lifter::concat(std::vector<V*> parts) {
  while (parts.size() > 1) {
    std::vector<V*> next;
    for (size_t k = 0; k + 1 < parts.size(); k += 2) {
      unsigned n = cast<FixedVectorType>(parts[k]->getType())->getNumElements();
      std::vector<int> m(2 * n);
      for (unsigned q = 0; q < 2 * n; q++) m[q] = q;
      next.push_back(shuffle(parts[k], parts[k + 1], m));
    }
    parts = std::move(next);
  }
  return parts[0];
}
Value* Lifter::intrinsic(Intrinsic::ID id, ArrayRef<Type*> ts, ArrayRef<V*> args) {
  return b_.CreateIntrinsic(id, ts, args);
}

} // namespace pumice::jit
