// SPDX-License-Identifier: MIT
// The frame of a lifted kernel: block order, what crosses block borders, suspension and resumption, the loops over
// waves and workgroups.
#include "jit/lifter.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;
namespace pumice::jit {
using isa::Op;

constexpr uint32_t kSpinIterations = 2048; // of a loop that may wait, before the wave lets others run

Lifter::Lifter(Module& m, const TranslateInput& in, Cfg& cfg)
    : m_(m), c_(m.getContext()), in_(in), g_(cfg), b_(m.getContext(), InstSimplifyFolder(m.getDataLayout())) {
  i1_ = Type::getInt1Ty(c_), i8_ = Type::getInt8Ty(c_), i16_ = Type::getInt16Ty(c_), i32_ = Type::getInt32Ty(c_);
  i64_ = Type::getInt64Ty(c_), f32_ = Type::getFloatTy(c_), f64_ = Type::getDoubleTy(c_), f16_ = Type::getHalfTy(c_);
  ptr_ = PointerType::getUnqual(c_);
  auto v = [](Type* t) { return FixedVectorType::get(t, 64); };
  vi1_ = v(i1_), vi8_ = v(i8_), vi16_ = v(i16_), vi32_ = v(i32_), vi64_ = v(i64_), vf32_ = v(f32_), vf64_ = v(f64_);
  vf16_ = v(f16_), vptr_ = v(ptr_);
  size_t n = g_.blocks.size() + 1; // the last one stands for the wave's initial state
  entry_kinds_.assign(n, std::vector<Kind>(kRegCount));
  exec_nonzero_in_.assign(n, 1);
  slots_.resize(kRegCount);
  regs_.assign(kRegCount, nullptr);
  dirty_.assign(kRegCount, false);
  MDBuilder md(c_);
  MDNode* domain = md.createAnonymousAliasScopeDomain("pumice");
  MDNode* scopes[4];
  for (auto& s : scopes) s = md.createAnonymousAliasScope(domain);
  for (int s = 0; s < 4; s++) {
    std::vector<Metadata*> others;
    for (int o = 0; o < 4; o++)
      if (o != s) others.push_back(scopes[o]);
    scope_md_[s][0] = MDNode::get(c_, {scopes[s]});
    scope_md_[s][1] = MDNode::get(c_, others);
  }
}

void Lifter::tag(Instruction* i, Scope s) {
  if (s == Scope::unknown) return;
  i->setMetadata(LLVMContext::MD_alias_scope, scope_md_[static_cast<int>(s)][0]);
  i->setMetadata(LLVMContext::MD_noalias, scope_md_[static_cast<int>(s)][1]);
}

Value* Lifter::context_field(size_t offset, Type* t) {
  if (dry_) return nullptr;
  auto* l = b_.CreateLoad(t, b_.CreateConstGEP1_64(i8_, ctx_, offset));
  l->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(c_, {}));
  tag(l, Scope::state);
  return l;
}
Value* Lifter::wave_ptr(size_t offset) { return b_.CreateConstGEP1_64(i8_, wave_, offset); }
Value* Lifter::wave_field(size_t offset, Type* t) {
  auto* l = b_.CreateLoad(t, wave_ptr(offset));
  tag(l, Scope::state);
  return l;
}

void Lifter::step_line(const LiftInst& li) {
  if (dry_ || !sub_) return;
  b_.SetCurrentDebugLocation(DILocation::get(c_, static_cast<unsigned>((li.pc - in_.text_address) / 4 + 1), 0, sub_));
}

// ---------------------------------------------------------------- kinds

Kind Lifter::kind_of(unsigned reg) {
  if (resident_[reg]) {
    Kind v;
    v.form = Form::vector;
    return v;
  }
  Node* n = regs_[reg];
  if (!n) {
    Kind k = entry_kinds_[cur_block_][reg];
    auto partner_intact = [&](unsigned other) { return other < kRegCount && !regs_[other]; };
    bool half = k.form == Form::pair_lo || k.form == Form::pair_hi || k.form == Form::wide_lo || k.form == Form::wide_hi;
    if (!half) {
      if (k.form == Form::none) k = {Form::uniform, true, false, 32, 0, 0, pats_.zero()};
      return k;
    }
    bool hi = k.form == Form::pair_hi || k.form == Form::wide_hi;
    if (partner_intact(hi ? reg - 1 : reg + 1)) return k;
    n = get(reg);
  }
  Kind k;
  auto halves = [&](bool hi, Form lo_form, Form hi_form) {
    Node* other = hi ? regs_[reg - 1] : (reg + 1 < kRegCount ? regs_[reg + 1] : nullptr);
    if (!other) return false;
    return other->form == (hi ? lo_form : hi_form) && other->pair == n->pair && other->wide == n->wide;
  };
  if (n->form == Form::pair_lo || n->form == Form::pair_hi) {
    bool hi = n->form == Form::pair_hi;
    if (halves(hi, Form::pair_lo, Form::pair_hi)) {
      k.form = n->form;
      k.pat = n->pair->pat;
      k.is_const = n->pair->is_const;
      k.relative = n->pair->relative;
      k.cval = n->pair->cval;
      return k;
    }
  } else if (n->form == Form::wide_lo || n->form == Form::wide_hi) {
    if (halves(n->form == Form::wide_hi, Form::wide_lo, Form::wide_hi)) {
      k.form = n->form;
      return k;
    }
  }
  Node* v = view(n);
  k.form = v->form;
  if (v->form == Form::vector) return k;
  k.is_const = v->is_const;
  k.cval = v->cval;
  k.align = v->align;
  k.bits = v->bits;
  k.pat = v->pat;
  return k;
}

Kind Lifter::meet(const Kind& a, const Kind& b) const {
  if (a.form == Form::none) return b;
  if (b.form == Form::none || a == b) return a;
  auto is_wide = [](const Kind& k) { return k.form == Form::wide_lo || k.form == Form::wide_hi; };
  auto is_pair = [](const Kind& k) { return k.form == Form::pair_lo || k.form == Form::pair_hi; };
  Kind v;
  v.form = Form::vector;
  if (is_wide(a) && is_wide(b)) return a.form == b.form ? a : v;
  if (is_wide(a) || is_wide(b)) return is_wide(a) ? a : b;
  auto base = [&](Kind k) { // 32-bit reading of a half
    if (!is_pair(k)) return k;
    Kind r;
    if (!k.pat->zero) {
      r.form = Form::vector; // a low half could stay affine; not worth the case
      return r;
    }
    r.form = Form::uniform;
    r.pat = k.pat;
    r.is_const = k.is_const && !k.relative;
    r.cval = k.form == Form::pair_hi ? k.cval >> 32 : static_cast<uint32_t>(k.cval);
    return r;
  };
  if (is_pair(a) && is_pair(b) && a.form == b.form && a.pat == b.pat) {
    Kind r = a;
    r.is_const = r.relative = false;
    r.cval = 0;
    return r;
  }
  Kind x = base(a), y = base(b);
  if (x.form == Form::vector || y.form == Form::vector || x.pat != y.pat) return v;
  Kind r = x;
  r.is_const = x.is_const && y.is_const && x.cval == y.cval;
  if (!r.is_const) r.cval = 0;
  r.align = std::min(x.align, y.align);
  r.bits = std::max(x.bits, y.bits);
  return r;
}

bool Lifter::merge_into(uint32_t to) {
  bool changed = false;
  auto& in = entry_kinds_[to];
  for (unsigned r = 0; r < kRegCount; r++) {
    if (!g_.blocks[to].live_in[r] || r == kSccIndex) continue;
    Kind k = kind_of(r);
    Kind m = meet(in[r], k);
    if (in[r].form != Form::none && m.form == Form::uniform && m.bits > in[r].bits) m.bits = 32; // widen
    if (in[r].form != Form::none && m.form == Form::affine && m.bits > in[r].bits) m.bits = 32;
    if (in[r].form != Form::none && m.align < in[r].align && (m.form == Form::uniform || m.form == Form::affine))
      m.align = m.align > 8 ? 8 : m.align;
    if (!(m == in[r])) in[r] = m, changed = true;
  }
  return changed;
}

void Lifter::solve_kinds() {
  dry_ = true;
  uint32_t init = static_cast<uint32_t>(g_.blocks.size());
  cur_block_ = init;
  std::fill(regs_.begin(), regs_.end(), nullptr);
  emit_initial_state();
  merge_into(g_.entry);
  exec_nonzero_in_.assign(g_.blocks.size() + 1, 1);
  std::vector<bool> queued(g_.blocks.size(), false), visited(g_.blocks.size(), false);
  std::set<std::pair<uint32_t, uint32_t>> work{{0, g_.entry}};
  while (!work.empty()) {
    auto [rpo, b] = *work.begin();
    work.erase(work.begin());
    visited[b] = true;
    run_block(b);
    const Block& blk = g_.blocks[b];
    for (size_t k = 0; k < blk.succ.size(); k++) {
      uint32_t to = blk.succ[k];
      bool nz = exec_nonzero_;
      Op last = blk.insts.back().inst.op;
      if (last == Op::s_cbranch_execz && k == 1) nz = true;
      if (last == Op::s_cbranch_execnz && k == 0) nz = true;
      bool changed = merge_into(to);
      if (!nz && exec_nonzero_in_[to]) exec_nonzero_in_[to] = 0, changed = true;
      if (changed || !visited[to]) work.insert({g_.blocks[to].rpo, to});
    }
    nodes_.clear(), pairs_.clear(), wides_.clear(), joins_.clear(), carry_of_.clear();
  }
}

// ---------------------------------------------------------------- blocks

void Lifter::run_block(uint32_t b) {
  cur_block_ = b;
  std::fill(regs_.begin(), regs_.end(), nullptr);
  std::fill(dirty_.begin(), dirty_.end(), false);
  joins_.clear();
  carry_of_.clear();
  guarded_.clear();
  pending_mfma_.clear();
  mfma_panels_.clear();
  gpr_mode_ = 0;
  step_ = nullptr;
  scc_known_ = false;
  scc_ = nullptr;
  scc_carry_ = nullptr;
  exec_nonzero_ = exec_nonzero_in_[b];
  for (const LiftInst& li : g_.blocks[b].insts) {
    cur_ = &li;
    dpp_valid_ = nullptr;
    step_line(li);
    const isa::Row& row = isa::row(li.inst.op);
    if (row.traits & isa::kBranch || li.inst.op == Op::s_endpgm || li.inst.op == Op::s_trap) continue;
    if (dry_) {
      if (scalar_rule(li) || domain(li) || smem(li)) continue;
      def_unknown(li);
      bool exec_written = false;
      isa::for_each_def(li.inst, [&](uint16_t code, unsigned n) {
        if (code <= isa::kExecHi && code + n > isa::kExecLo) exec_written = true;
        if (code == isa::kScc) set_scc(nullptr);
      });
      if (exec_written) set_exec(pair_scalar(nullptr));
      continue;
    }
    if (row.traits & isa::kTrans) stats_->approximate[row.mnemonic]++;
    bool done = scalar_rule(li) || domain(li) || smem(li);
    if (!done && (row.traits & isa::kMfma)) done = mfma(li);
    if (!done && row.mem.kind != isa::MemKind::none) done = memory(li);
    if (!done)
      done = cross_lane(li) || vector_compare(li) || vector_int(li) || vector_int64(li) || vector_16(li) ||
             vector_float(li) || vector_double(li) || vector_convert(li) || vector_math(li);
    if (!done) fallback(li);
    if (jam_ && row.mem.kind == isa::MemKind::store) jam_->stored = true;
  }
  flush_mfma();
  const LiftInst& last = g_.blocks[b].insts.back();
  if (last.inst.op == Op::s_swappc_b64 || last.inst.op == Op::s_call_b64) {
    // The target is read before the link register is written: both may be the same pair.
    if (last.inst.op == Op::s_swappc_b64) call_target_ = read64(last.inst, last.inst.src[0]).pair;
    put_pair(last.inst.dst[0].code, pair_const(last.pc + last.inst.size - in_.load_bias, true));
  } else if (last.inst.op == Op::s_setpc_b64) {
    call_target_ = read64(last.inst, last.inst.src[0]).pair;
  }
  cur_ = nullptr;
}

AllocaInst* Lifter::slot(AllocaInst*& s, Type* t) {
  if (!s) {
    IRBuilder<> eb(&entry_bb_->front());
    s = eb.CreateAlloca(t);
  }
  return s;
}

/// Stores every register that `to` expects into the slot of the form it expects.
void Lifter::store_for(uint32_t to) {
  const auto& want = entry_kinds_[to];
  const auto& here = entry_kinds_[cur_block_];
  auto same = [](const Kind& a, const Kind& b) {
    return a.form == b.form && a.is_const == b.is_const && a.pat == b.pat && a.relative == b.relative && a.cval == b.cval;
  };
  for (unsigned r = 0; r < kRegCount; r++) {
    if (!g_.blocks[to].live_in[r] || r == kSccIndex || resident_[r]) continue;
    const Kind& k = want[r];
    if (k.is_const) continue;
    bool lo = k.form == Form::pair_lo || k.form == Form::wide_lo, hi = k.form == Form::pair_hi || k.form == Form::wide_hi;
    unsigned base = hi ? r - 1 : r;
    bool untouched = !dirty_[r] && same(here[r], k) && (!(lo || hi) || !dirty_[hi ? r - 1 : r + 1]);
    if (untouched) continue;
    switch (k.form) {
    case Form::uniform: b_.CreateStore(scalar(view(get(r))), slot(slots_[r].s32, i32_)); break;
    case Form::affine: b_.CreateStore(view(get(r))->s, slot(slots_[r].s32, i32_)); break;
    case Form::vector: b_.CreateStore(vec(get(r)), slot(slots_[r].vec, vi32_)); break;
    case Form::pair_lo: case Form::pair_hi: {
      Target64 t = join(get(base), get(base + 1));
      PUMICE_CHECK(t.pair);
      b_.CreateStore(pair_s(t.pair), slot(slots_[base].s64, i64_));
      break;
    }
    case Form::wide_lo: case Form::wide_hi:
      b_.CreateStore(vec64(join(get(base), get(base + 1))), slot(slots_[base].wide, vi64_));
      break;
    case Form::none: break;
    }
  }
  if (g_.blocks[to].live_in[kSccIndex] && scc_known_ && dirty_[kSccIndex]) b_.CreateStore(scc_, scc_slot_);
}

static size_t vgpr_offset(unsigned reg) { return offsetof(exec::Wave, vgpr) + size_t(reg - kVgprIndex) * 256; }

/// Copies what `to` expects from the slots into the wave struct and leaves the function.
void Lifter::suspend(uint32_t to, uint32_t flags) {
  suspends_ = true;
  resume_points_.insert(to);
  save_state(to);
  b_.CreateRet(i32c((to + 1) | flags));
}

void Lifter::save_state(uint32_t to) {
  auto put_state = [&](V* v, size_t off) { tag(b_.CreateStore(v, wave_ptr(off)), Scope::state); };
  for (unsigned r = 0; r < kRegCount; r++) {
    if (!g_.blocks[to].live_in[r] || resident_[r]) continue;
    if (r == kSccIndex) {
      put_state(b_.CreateZExt(b_.CreateLoad(i1_, scc_slot_), i32_), offsetof(exec::Wave, scc));
      continue;
    }
    const Kind& k = entry_kinds_[to][r];
    if (k.is_const) continue;
    size_t scalar_off = offsetof(exec::Wave, jit_scalar) + size_t(r) * 8;
    switch (k.form) {
    case Form::uniform: case Form::affine: put_state(b_.CreateLoad(i32_, slots_[r].s32), scalar_off); break;
    case Form::vector: put_state(b_.CreateLoad(vi32_, slots_[r].vec), vgpr_offset(r)); break;
    case Form::pair_lo: put_state(b_.CreateLoad(i64_, slots_[r].s64), scalar_off); break;
    case Form::pair_hi:
      put_state(b_.CreateLoad(i64_, slots_[r - 1].s64), offsetof(exec::Wave, jit_scalar) + size_t(r - 1) * 8);
      break;
    case Form::wide_lo: put_state(b_.CreateTrunc(b_.CreateLoad(vi64_, slots_[r].wide), vi32_), vgpr_offset(r)); break;
    case Form::wide_hi:
      put_state(b_.CreateTrunc(b_.CreateLShr(b_.CreateLoad(vi64_, slots_[r - 1].wide), 32), vi32_), vgpr_offset(r));
      break;
    case Form::none: break;
    }
  }
}

/// The reverse: from the wave struct into the slots.
void Lifter::load_state(uint32_t to) {
  auto take = [&](Type* t, size_t off) -> V* {
    auto* l = b_.CreateLoad(t, wave_ptr(off));
    tag(l, Scope::state);
    return l;
  };
  for (unsigned r = 0; r < kRegCount; r++) {
    if (!g_.blocks[to].live_in[r] || resident_[r]) continue;
    if (r == kSccIndex) {
      b_.CreateStore(b_.CreateICmpNE(take(i32_, offsetof(exec::Wave, scc)), i32c(0)), scc_slot_);
      continue;
    }
    const Kind& k = entry_kinds_[to][r];
    if (k.is_const) continue;
    size_t scalar_off = offsetof(exec::Wave, jit_scalar) + size_t(r) * 8;
    switch (k.form) {
    case Form::uniform: case Form::affine: b_.CreateStore(take(i32_, scalar_off), slot(slots_[r].s32, i32_)); break;
    case Form::vector: b_.CreateStore(take(vi32_, vgpr_offset(r)), slot(slots_[r].vec, vi32_)); break;
    case Form::pair_lo: b_.CreateStore(take(i64_, scalar_off), slot(slots_[r].s64, i64_)); break;
    case Form::pair_hi:
      b_.CreateStore(take(i64_, offsetof(exec::Wave, jit_scalar) + size_t(r - 1) * 8), slot(slots_[r - 1].s64, i64_));
      break;
    case Form::wide_lo: case Form::wide_hi: {
      unsigned base = k.form == Form::wide_hi ? r - 1 : r;
      // Both halves were saved when both are live; a lone half makes the other irrelevant.
      V* lo = b_.CreateZExt(take(vi32_, vgpr_offset(base)), vi64_);
      V* hi = b_.CreateShl(b_.CreateZExt(take(vi32_, vgpr_offset(base + 1)), vi64_), 32);
      b_.CreateStore(b_.CreateOr(lo, hi), slot(slots_[base].wide, vi64_));
      break;
    }
    case Form::none: break;
    }
  }
}

/// Saves every register that anything from `cur_` on may read into the wave struct and lets the interpreter go on
/// from there. Values computed here are not cached in nodes: this code is off the main path.
void Lifter::exit_to_interpreter(const LiftInst& li) {
  if (jam_) {
    if (jam_->stored) jam_->failed = true;
    b_.CreateBr(jam_->leave);
    return;
  }
  const Block& blk = g_.blocks[cur_block_];
  RegSet live = live_out(g_, blk);
  for (size_t k = blk.insts.size(); k-- > 0;) {
    step_back(blk.insts[k], live);
    if (blk.insts[k].pc == li.pc) break;
  }
  leave_at(b_.CreateAdd(context_field(offsetof(Context, load_bias), i64_), i64c(li.pc - in_.load_bias)), live);
}

void Lifter::leave_at(V* pc, const RegSet& live) {
  auto put_state = [&](V* v, size_t off) { tag(b_.CreateStore(v, wave_ptr(off)), Scope::state); };
  std::vector<Node*> saved = regs_;
  for (unsigned r = 0; r < kRegCount; r++) {
    if (!live[r] || resident_[r]) continue;
    if (r == kSccIndex) {
      V* s = scc_known_ ? scc_ : b_.CreateLoad(i1_, scc_slot_);
      put_state(b_.CreateZExt(s, i32_), offsetof(exec::Wave, scc));
      continue;
    }
    Node copy = *get(r);
    Pair pair;
    Wide w;
    if (copy.pair) pair = *copy.pair, copy.pair = &pair;
    if (copy.wide) w = *copy.wide, copy.wide = &w;
    if (r < kVgprIndex) {
      V* s = copy.form == Form::uniform ? copy.s
             : copy.is_const ? static_cast<V*>(i32c(copy.cval))
             : copy.form == Form::pair_lo ? b_.CreateTrunc(pair_s(&pair), i32_)
                                          : b_.CreateTrunc(b_.CreateLShr(pair_s(&pair), 32), i32_);
      put_state(s, offsetof(exec::Wave, sgpr) + size_t(r) * 4);
    } else {
      put_state(vec(&copy), vgpr_offset(r));
    }
  }
  regs_ = saved; // entry values loaded here do not dominate the main path
  put_state(pc, offsetof(exec::Wave, pc));
  b_.CreateRet(i32c(kResumeInterp | kResumeYield));
}

void Lifter::guard_range(Node* n, bool is_signed) {
  auto key = std::make_pair(n, is_signed);
  if (dry_ || guarded_.count(key)) return;
  guarded_[key] = true;
  flush_mfma();
  V* base = is_signed ? b_.CreateSExt(n->s, i64_) : b_.CreateZExt(n->s, i64_);
  V *lo = b_.CreateAdd(base, i64c(static_cast<uint64_t>(n->pat->min))),
    *hi = b_.CreateAdd(base, i64c(static_cast<uint64_t>(n->pat->max)));
  int64_t min = is_signed ? INT32_MIN : 0, max = is_signed ? INT32_MAX : static_cast<int64_t>(UINT32_MAX);
  V* bad = b_.CreateICmpSGT(hi, i64c(static_cast<uint64_t>(max)));
  if (n->pat->min < 0) bad = b_.CreateOr(bad, b_.CreateICmpSLT(lo, i64c(static_cast<uint64_t>(min))));
  auto* exit = BasicBlock::Create(c_, "leave", wave_fn_);
  auto* go = BasicBlock::Create(c_, "go", wave_fn_);
  b_.CreateCondBr(bad, exit, go, MDBuilder(c_).createBranchWeights(1, 100000));
  b_.SetInsertPoint(exit);
  exit_to_interpreter(*cur_);
  b_.SetInsertPoint(go);
}

/// One instruction by the interpreter: its sources go to the wave struct, its results come back from there.
void Lifter::fallback(const LiftInst& li) {
  if (jam_) jam_->failed = true; // what follows is thrown away
  stats_->fallbacks[isa::row(li.inst.op).mnemonic]++;
  flush_mfma();
  auto put_state = [&](V* v, size_t off) { tag(b_.CreateStore(v, wave_ptr(off)), Scope::state); };
  RegSet uses;
  step_back(li, uses);
  isa::for_each_def(li.inst, [&](uint16_t code, unsigned n) { // partially written destinations
    for (unsigned d = 0; d < n; d++)
      if (unsigned r = reg_index(code + d); r < kRegCount) uses.set(r);
  });
  uses.set(isa::kM0);
  uses.set(isa::kVccLo), uses.set(isa::kVccHi);
  for (unsigned r = 0; r < kSccIndex; r++) {
    if (!uses[r]) continue;
    if (r < kVgprIndex) put_state(scalar(view(get(r))), offsetof(exec::Wave, sgpr) + size_t(r) * 4);
    else put_state(vec(get(r)), vgpr_offset(r));
  }
  put_state(b_.CreateZExt(scc(), i32_), offsetof(exec::Wave, scc));
  V* pc = b_.CreateAdd(context_field(offsetof(Context, load_bias), i64_), i64c(li.pc - in_.load_bias));
  V* r = call_rt("pumice_rt_interpret", i32_, {ctx_, frame_, wave_index_, pc});
  auto* bad = BasicBlock::Create(c_, "faulted", wave_fn_);
  auto* go = BasicBlock::Create(c_, "go", wave_fn_);
  b_.CreateCondBr(b_.CreateICmpNE(r, i32c(0)), bad, go, MDBuilder(c_).createBranchWeights(1, 100000));
  b_.SetInsertPoint(bad);
  b_.CreateRet(i32c(kResumeFaulted));
  b_.SetInsertPoint(go);
  isa::for_each_def(li.inst, [&](uint16_t code, unsigned n) {
    if (code == isa::kScc) {
      set_scc(b_.CreateICmpNE(wave_field(offsetof(exec::Wave, scc), i32_), i32c(0)));
      return;
    }
    for (unsigned d = 0; d < n; d++) {
      unsigned reg = reg_index(code + d);
      if (reg >= kRegCount) continue;
      if (resident_[reg]) {
        regs_[reg] = nullptr;
      } else if (reg >= kVgprIndex) {
        put(reg, vector(wave_field(vgpr_offset(reg), vi32_)));
      } else if (d == 0 && n == 2 && !(code & 1)) {
        Pair* p = pair_scalar(wave_field(offsetof(exec::Wave, sgpr) + size_t(reg) * 4, i64_));
        if (reg == isa::kExecLo) set_exec(p);
        else put_pair(reg, p);
        d++;
      } else {
        put(reg, uniform(wave_field(offsetof(exec::Wave, sgpr) + size_t(reg) * 4, i32_)));
      }
    }
  });
}

Value* Lifter::call_rt(const char* name, Type* ret, ArrayRef<V*> args) {
  std::vector<Type*> ts;
  for (V* a : args) ts.push_back(a->getType());
  FunctionCallee f = m_.getOrInsertFunction(name, FunctionType::get(ret, ts, false));
  auto* call = b_.CreateCall(f, args);
  call->setDoesNotThrow();
  return call;
}

Value* Lifter::condition(const Inst& i) {
  auto pair_zero = [&](unsigned c, bool zero) {
    Pair* p = join(get(c), get(c + 1)).pair;
    return zero ? b_.CreateICmpEQ(pair_s(p), i64c(0)) : b_.CreateICmpNE(pair_s(p), i64c(0));
  };
  switch (i.op) {
  case Op::s_cbranch_scc0: return b_.CreateNot(scc());
  case Op::s_cbranch_scc1: return scc();
  case Op::s_cbranch_vccz: return pair_zero(isa::kVccLo, true);
  case Op::s_cbranch_vccnz: return pair_zero(isa::kVccLo, false);
  case Op::s_cbranch_execz: return pair_zero(isa::kExecLo, true);
  default: return pair_zero(isa::kExecLo, false);
  }
}

void Lifter::leave_block(uint32_t b) {
  Block& blk = g_.blocks[b];
  const LiftInst& last = blk.insts.back();
  V* cond = blk.term == Term::cond ? condition(last.inst) : nullptr;
  V* target = nullptr;
  if (blk.computed_jump || (blk.succ.size() != 1 && blk.term == Term::setpc))
    target = b_.CreateSub(pair_s(call_target_), context_field(offsetof(Context, load_bias), i64_));
  std::set<uint32_t> stored;
  for (uint32_t to : blk.succ)
    if (stored.insert(to).second) store_for(to);
  // Where edge k really goes: a check in front of a loop header that may be waited in.
  auto edge_to = [&](size_t k) -> BasicBlock* {
    uint32_t to = blk.succ[k];
    if (to == b && step_ && jams_.count(b)) return meet_others(b);
    if (!blk.spin_edge[k]) return bbs_[to];
    auto* check = BasicBlock::Create(c_, "spin", wave_fn_);
    auto* yield = BasicBlock::Create(c_, "yield", wave_fn_);
    auto ip = b_.saveIP();
    b_.SetInsertPoint(check);
    V* n = b_.CreateAdd(b_.CreateLoad(i32_, spin_slot_), i32c(1));
    b_.CreateStore(n, spin_slot_);
    b_.CreateCondBr(b_.CreateICmpUGT(n, i32c(kSpinIterations)), yield, bbs_[to], MDBuilder(c_).createBranchWeights(1, 2000));
    b_.SetInsertPoint(yield);
    suspend(to, kResumeYield);
    b_.restoreIP(ip);
    return check;
  };
  switch (blk.term) {
  case Term::endpgm: b_.CreateRet(i32c(kResumeDone)); return;
  case Term::trap: {
    V* pc = b_.CreateAdd(context_field(offsetof(Context, load_bias), i64_), i64c(last.pc - in_.load_bias));
    call_rt("pumice_rt_trap", Type::getVoidTy(c_), {wave_, pc, i32c(static_cast<uint32_t>(last.inst.simm16)), pair_s(exec())});
    b_.CreateRet(i32c(kResumeFaulted));
    return;
  }
  case Term::barrier: suspend(blk.succ[0], kResumeBarrier); return;
  case Term::yield: suspend(blk.succ[0], kResumeYield); return;
  case Term::cond: {
    BasicBlock *t = edge_to(0), *f = edge_to(1);
    b_.CreateCondBr(cond, t, f);
    return;
  }
  case Term::call: case Term::setpc:
    if (target) {
      auto* bad = BasicBlock::Create(c_, "nowhere", wave_fn_);
      SwitchInst* sw = b_.CreateSwitch(target, bad);
      std::set<uint32_t> seen;
      for (size_t k = 0; k < blk.succ.size(); k++)
        if (seen.insert(blk.succ[k]).second)
          sw->addCase(b_.getInt64(g_.blocks[blk.succ[k]].start - in_.load_bias), edge_to(k));
      b_.SetInsertPoint(bad);
      if (blk.may_leave) { // a function that is not here?
        auto* leave = BasicBlock::Create(c_, "leave", wave_fn_);
        auto* nowhere = BasicBlock::Create(c_, "nowhere", wave_fn_);
        V* offset = b_.CreateSub(target, i64c(in_.text_address - in_.load_bias));
        b_.CreateCondBr(b_.CreateICmpULT(offset, i64c(in_.text_size)), leave, nowhere);
        b_.SetInsertPoint(leave);
        leave_at(pair_s(call_target_), live_out(g_, blk));
        b_.SetInsertPoint(nowhere);
      }
      V* pc = b_.CreateAdd(context_field(offsetof(Context, load_bias), i64_), i64c(last.pc - in_.load_bias));
      call_rt("pumice_rt_bad_jump", Type::getVoidTy(c_), {wave_, pc, target});
      b_.CreateRet(i32c(kResumeFaulted));
      return;
    }
    [[fallthrough]];
  default: b_.CreateBr(edge_to(0)); return;
  }
}

// ---------------------------------------------------------------- function

void Lifter::emit_wave_function() {
  dry_ = false;
  emit_jams();
  auto* fty = FunctionType::get(i32_, {ptr_, ptr_, ptr_, i32_, i32_, i32_, i32_, i32_}, false);
  wave_fn_ = Function::Create(fty, GlobalValue::InternalLinkage, "wave", m_);
  wave_fn_->addFnAttr(Attribute::AlwaysInline);
  wave_fn_->addFnAttr(Attribute::NoUnwind);
  wave_fn_->setSubprogram(sub_);
  ctx_ = wave_fn_->getArg(0), frame_ = wave_fn_->getArg(1), wave_ = wave_fn_->getArg(2), wave_index_ = wave_fn_->getArg(3);
  for (int d = 0; d < 3; d++) group_id_[d] = wave_fn_->getArg(4 + d);
  V* resume = wave_fn_->getArg(7);
  wave_fn_->addParamAttr(0, Attribute::NoAlias); // the frame and the wave are written by runtime calls too
  entry_bb_ = BasicBlock::Create(c_, "entry", wave_fn_);
  auto* start = BasicBlock::Create(c_, "start", wave_fn_);
  b_.SetInsertPoint(entry_bb_);
  b_.SetCurrentDebugLocation(DILocation::get(c_, 0, 0, sub_));
  scc_slot_ = b_.CreateAlloca(i1_, nullptr, "scc");
  spin_slot_ = b_.CreateAlloca(i32_, nullptr, "spin");
  b_.CreateStore(b_.getFalse(), scc_slot_);
  alone_slot_ = b_.CreateAlloca(i32_, nullptr, "alone");
  b_.CreateStore(i32c(0), spin_slot_);
  b_.CreateStore(i32c(0), alone_slot_);
  lds_ = b_.CreateLoad(ptr_, b_.CreateConstGEP1_64(i8_, frame_, offsetof(Frame, lds)));
  V* sbase = b_.CreateLoad(ptr_, b_.CreateConstGEP1_64(i8_, frame_, offsetof(Frame, scratch)));
  V* stride = b_.CreateLoad(i64_, b_.CreateConstGEP1_64(i8_, frame_, offsetof(Frame, scratch_stride)));
  scratch_ = b_.CreateGEP(i8_, sbase, b_.CreateMul(stride, b_.CreateZExt(wave_index_, i64_)));
  auto* to_start = b_.CreateSwitch(resume, start);
  for (size_t k = 0; k < g_.blocks.size(); k++) bbs_.push_back(nullptr);
  for (uint32_t b : g_.order) bbs_[b] = BasicBlock::Create(c_, "b" + std::to_string(b), wave_fn_);
  b_.SetInsertPoint(start);
  cur_block_ = static_cast<uint32_t>(g_.blocks.size());
  std::fill(regs_.begin(), regs_.end(), nullptr);
  std::fill(dirty_.begin(), dirty_.end(), true);
  joins_.clear();
  emit_initial_state();
  store_for(g_.entry);
  b_.CreateBr(bbs_[g_.entry]);
  for (uint32_t b : g_.order) {
    b_.SetInsertPoint(bbs_[b]);
    run_block(b);
    leave_block(b);
  }
  for (uint32_t to : resume_points_) {
    auto* bb = BasicBlock::Create(c_, "resume" + std::to_string(to), wave_fn_);
    b_.SetInsertPoint(bb);
    b_.SetCurrentDebugLocation(DILocation::get(c_, 0, 0, sub_));
    load_state(to);
    met_others(to);
    b_.CreateBr(bbs_[to]);
    to_start->addCase(b_.getInt32(to + 1), bb);
  }
}

Status Lifter::lift(TranslateStats& stats) {
  stats_ = &stats;
  DIBuilder di(m_);
  di_ = &di;
  auto* file = di.createFile("code", ".");
  di.createCompileUnit(dwarf::DW_LANG_C, file, "pumice", true, "", 0, "", DICompileUnit::LineTablesOnly);
  auto* ty = di.createSubroutineType(di.getOrCreateTypeArray({}));
  sub_ = di.createFunction(file, "wave", "wave", file, 1, ty, 1, DINode::FlagZero, DISubprogram::SPFlagDefinition);
  entry_sub_ = di.createFunction(file, "pumice_entry", "pumice_entry", file, 1, ty, 1, DINode::FlagZero,
                                 DISubprogram::SPFlagDefinition);
  m_.addModuleFlag(Module::Warning, "Debug Info Version", DEBUG_METADATA_VERSION);
  m_.addModuleFlag(Module::Warning, "Dwarf Version", 4);
  find_resident();
  solve_kinds();
  emit_wave_function();
  emit_entry_function();
  di.finalize();
  return ok_status();
}

} // namespace pumice::jit
