// SPDX-License-Identifier: MIT
// Streaming loops of several waves in lockstep. A wave alone would read 256 bytes here and 256 bytes a long step further on;
// its neighbours in the workgroup read what lies between. Memory is at its best (twice as fast on some hosts) when neighbouring lines
// are asked for together, so the waves meet at the loop's header and one function runs an iteration of each in turn.
#include "jit/lifter.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;
namespace pumice::jit {

namespace {
constexpr size_t kJamLength = 16;           // instructions; longer loops compute
constexpr uint32_t kAloneIterations = 4;    // before a wave waits for the others: by then the step is known, and short loops have ended
constexpr uint64_t kFarStep = 4 << 10;      // bytes, either way; what is nearer the host's prefetchers see
constexpr uint32_t kNeverAgain = 1u << 30;  // iterations counted, for waves that met the others already
} // namespace

unsigned Lifter::jam_width() const {
  uint32_t n = in_.variant.waves();
  return n % 4 == 0 ? 4 : n % 2 == 0 ? 2 : 0;
}

bool Lifter::may_jam(uint32_t b) const {
  const Block& blk = g_.blocks[b];
  if (!jam_width() || g_.for_compile_time || blk.insts.size() > kJamLength || blk.term != Term::cond) return false;
  if ((blk.succ[0] == b) == (blk.succ[1] == b) || blk.spin_header) return false;
  bool streams = false;
  for (const LiftInst& li : blk.insts) {
    const isa::Row& row = isa::row(li.inst.op);
    if (row.traits & isa::kMfma || row.mem.kind == isa::MemKind::atomic || row.mem.kind == isa::MemKind::other) return false;
    streams |= row.mem.kind == isa::MemKind::load;
  }
  return streams;
}

/// void jam(Context*, Frame*, Wave* first, i32 index of the first, i32 group x, y, z): runs block `b` for jam_width() waves that
/// are suspended at it, until one of them leaves the loop; all are suspended again, where they go on alone.
Function* Lifter::emit_jam(uint32_t b) {
  const Block& blk = g_.blocks[b];
  struct State {
    std::vector<Slots> slots;
    std::map<unsigned, AllocaInst*> scratch_slots;
    AllocaInst *scc = nullptr, *stays = nullptr;
    V *wave = nullptr, *index = nullptr, *scratch = nullptr;
  };
  unsigned width = jam_width();
  std::vector<State> states(width);
  Jam jam;
  TranslateStats stats = *stats_;
  auto* sub = sub_;
  auto* fty = FunctionType::get(Type::getVoidTy(c_), {ptr_, ptr_, ptr_, i32_, i32_, i32_, i32_}, false);
  wave_fn_ = Function::Create(fty, GlobalValue::InternalLinkage, "jam", m_);
  wave_fn_->addFnAttr(Attribute::NoInline);
  wave_fn_->addFnAttr(Attribute::NoUnwind);
  wave_fn_->addParamAttr(0, Attribute::NoAlias);
  auto* file = sub->getFile();
  sub_ = di_->createFunction(file, "jam", "jam", file, 1, sub->getType(), 1, DINode::FlagZero, DISubprogram::SPFlagDefinition);
  wave_fn_->setSubprogram(sub_);
  auto bb = [&](const char* n) { return BasicBlock::Create(c_, n, wave_fn_); };
  entry_bb_ = bb("entry");
  auto *loop = bb("loop"), *out = bb("out");
  jam.leave = out;
  b_.SetInsertPoint(entry_bb_);
  b_.SetCurrentDebugLocation(DILocation::get(c_, 0, 0, sub_));
  ctx_ = wave_fn_->getArg(0), frame_ = wave_fn_->getArg(1);
  for (int d = 0; d < 3; d++) group_id_[d] = wave_fn_->getArg(4 + d);
  for (State& s : states) s.scc = b_.CreateAlloca(i1_), s.stays = b_.CreateAlloca(i1_);
  auto frame_field = [&](size_t off) { return b_.CreateConstGEP1_64(i8_, frame_, off); };
  lds_ = b_.CreateLoad(ptr_, frame_field(offsetof(Frame, lds)));
  V* scratch = b_.CreateLoad(ptr_, frame_field(offsetof(Frame, scratch)));
  V* stride = b_.CreateLoad(i64_, frame_field(offsetof(Frame, scratch_stride)));
  V* codes = b_.CreateLoad(ptr_, frame_field(offsetof(Frame, resume)));
  auto as_wave = [&](State& s, function_ref<void()> f) {
    std::swap(slots_, s.slots), std::swap(scratch_slots_, s.scratch_slots), flat_spilled_[0] = flat_spilled_[1] = {};
    scc_slot_ = s.scc, wave_ = s.wave, wave_index_ = s.index, scratch_ = s.scratch;
    streams_ = run_tests_ = full_tests_ = 0;
    f();
    std::swap(slots_, s.slots), std::swap(scratch_slots_, s.scratch_slots), flat_spilled_[0] = flat_spilled_[1] = {};
  };
  jam_ = &jam;
  for (unsigned k = 0; k < width; k++) {
    State& s = states[k];
    s.slots.resize(kRegCount);
    s.index = b_.CreateAdd(wave_fn_->getArg(3), i32c(k));
    s.wave = b_.CreateConstGEP1_64(i8_, wave_fn_->getArg(2), k * sizeof(exec::Wave));
    s.scratch = b_.CreateGEP(i8_, scratch, b_.CreateMul(stride, b_.CreateZExt(s.index, i64_)));
    b_.CreateStore(b_.getFalse(), s.scc);
    as_wave(s, [&] { load_state(b); });
  }
  b_.CreateBr(loop);

  b_.SetInsertPoint(loop);
  for (State& s : states) b_.CreateStore(b_.getTrue(), s.stays);
  V* all = b_.getTrue();
  for (State& s : states)
    as_wave(s, [&] {
      b_.CreateStore(s.index, frame_field(offsetof(Frame, wave)), /*isVolatile=*/true); // for reports of faults
      jam.stored = false;
      run_block(b);
      if (!step_) jam.failed = true; // nobody will ask for it
      V* taken = condition(blk.insts.back().inst);
      V* stays = blk.succ[0] == b ? taken : b_.CreateNot(taken);
      store_for(blk.succ[0]), store_for(blk.succ[1]);
      b_.CreateStore(stays, s.stays);
      all = b_.CreateAnd(all, stays);
    });
  b_.CreateCondBr(all, loop, out);

  // A wave whose iteration could not be finished begins it again, alone.
  b_.SetInsertPoint(out);
  uint32_t exit = blk.succ[0] == b ? blk.succ[1] : blk.succ[0];
  for (State& s : states)
    as_wave(s, [&] {
      auto *stays = bb("stays"), *leaves = bb("leaves"), *next = bb("next");
      b_.CreateCondBr(b_.CreateLoad(i1_, s.stays), stays, leaves);
      for (auto [block, to] : {std::pair{stays, b}, {leaves, exit}}) {
        b_.SetInsertPoint(block);
        save_state(to);
        b_.CreateStore(i32c(to + 1), b_.CreateGEP(i32_, codes, b_.CreateZExt(s.index, i64_)));
        b_.CreateBr(next);
      }
      b_.SetInsertPoint(next);
    });
  b_.CreateRetVoid();
  jam_ = nullptr;
  sub_ = sub;
  *stats_ = stats;
  streams_ = run_tests_ = full_tests_ = 0;
  slots_.assign(kRegCount, {});
  scratch_slots_.clear(), flat_spilled_[0] = flat_spilled_[1] = {};
  Function* f = wave_fn_;
  if (!jam.failed) return f;
  f->deleteBody();
  f->eraseFromParent();
  return nullptr;
}

void Lifter::emit_jams() {
  for (uint32_t b : g_.order)
    if (may_jam(b))
      if (Function* f = emit_jam(b)) jams_[b] = f;
}

/// On the way back to the header of a loop that can be jammed: waits for the other waves, once.
BasicBlock* Lifter::meet_others(uint32_t b) {
  auto *count = BasicBlock::Create(c_, "count", wave_fn_), *far = BasicBlock::Create(c_, "far", wave_fn_),
       *wait = BasicBlock::Create(c_, "wait", wave_fn_);
  auto ip = b_.saveIP();
  b_.SetInsertPoint(count);
  V* n = b_.CreateAdd(b_.CreateLoad(i32_, alone_slot_), i32c(1));
  b_.CreateStore(n, alone_slot_);
  auto* unlikely = MDBuilder(c_).createBranchWeights(1, 2000);
  b_.CreateCondBr(b_.CreateICmpEQ(n, i32c(kAloneIterations)), far, bbs_[b], unlikely);
  b_.SetInsertPoint(far);
  b_.CreateCondBr(b_.CreateICmpUGE(b_.CreateAdd(step_, i64c(kFarStep)), i64c(2 * kFarStep)), wait, bbs_[b]);
  b_.SetInsertPoint(wait);
  resume_points_.insert(g_.blocks[b].succ.begin(), g_.blocks[b].succ.end());
  suspend(b, kResumeMeet);
  b_.restoreIP(ip);
  return count;
}

void Lifter::met_others(uint32_t b) {
  if (jams_.count(b)) b_.CreateStore(i32c(kNeverAgain), alone_slot_);
}

/// Between two passes over the waves of a workgroup: those that wait for each other go on together.
void Lifter::emit_meetings(V* ctx, V* frame, V* codes, ArrayRef<V*> group, function_ref<V*(V*)> wave_at) {
  unsigned width = jam_width();
  Function* f = b_.GetInsertBlock()->getParent();
  for (uint32_t first = 0; first < in_.variant.waves(); first += width) {
    auto *meet = BasicBlock::Create(c_, "meet", f), *next = BasicBlock::Create(c_, "next", f);
    auto code = [&](uint32_t w) { return b_.CreateLoad(i32_, b_.CreateConstGEP1_64(i32_, codes, w)); };
    V* c0 = code(first);
    V* same = b_.getTrue();
    for (unsigned k = 1; k < width; k++) same = b_.CreateAnd(same, b_.CreateICmpEQ(c0, code(first + k)));
    b_.CreateCondBr(same, meet, next);
    b_.SetInsertPoint(meet);
    SwitchInst* sw = b_.CreateSwitch(c0, next);
    for (auto [b, jam] : jams_) {
      auto* go = BasicBlock::Create(c_, "together", f);
      b_.SetInsertPoint(go);
      V* w = i32c(first);
      b_.CreateCall(jam, {ctx, frame, wave_at(w), w, group[0], group[1], group[2]});
      b_.CreateBr(next);
      sw->addCase(b_.getInt32((b + 1) | kResumeMeet), go);
    }
    b_.SetInsertPoint(next);
  }
}

} // namespace pumice::jit
