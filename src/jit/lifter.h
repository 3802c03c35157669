// SPDX-License-Identifier: MIT
// Lifts one kernel (and the functions it calls) from CDNA machine code to an LLVM function that runs whole workgroups.
//
// The same code runs twice: first "dry", without making IR, to find by fixpoint what form each register has on entry
// of each block (Kind), then for real. Registers cross blocks in stack slots, one per form, that SROA turns into SSA.
// Waves are 64 lanes wide; LLVM's type legalisation splits <64 x i32> into the host's registers.
#pragma once
#include "jit/abi.h"
#include "jit/cfg.h"
#include "jit/mfma.h"
#include "jit/node.h"
#include "jit/translate.h"
#include "llvm/Analysis/InstSimplifyFolder.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Module.h"
#include <deque>
#include <map>
#include <set>
#include <tuple>

namespace llvm {
class DIBuilder;
}

namespace pumice::jit {

inline llvm::Type* vec_of(llvm::Type* t, unsigned n) { return llvm::FixedVectorType::get(t, n); }

class Lifter {
public:
  Lifter(llvm::Module& m, const TranslateInput& in, Cfg& cfg);
  /// Fills the module with `pumice_entry`. Counts what it could not lift in `stats`.
  Status lift(TranslateStats& stats);
  bool suspends() const { return suspends_; }

private:
  using V = llvm::Value;
  using Inst = isa::Inst;
  using Operand = isa::Operand;
  struct Slots {
    llvm::AllocaInst* vec = nullptr;
    llvm::AllocaInst* s32 = nullptr;
    llvm::AllocaInst* s64 = nullptr;
    llvm::AllocaInst* wide = nullptr;
  };
  struct Target64 { // a 64-bit source: exactly one is set
    Pair* pair = nullptr;
    Wide* wide = nullptr;
  };
  enum class Scope : uint8_t { global, lds, scratch, state, unknown };

  // --- driver (lift_function.cpp)
  void solve_kinds();
  void emit_wave_function();
  void emit_entry_function();
  void emit_initial_state();
  Node* initial_ids();
  V* packed_src(const Inst& i, unsigned k, bool hi, bool is_float);
  V* fma16(V* a, V* b, V* c);
  V* scale32(V* x, V* n);
  V* ldexp32(V* x, V* e);
  V* ldexp64(V* x, V* e);
  V* div_fixup32(V* q, V* den, V* num, bool half = false);
  V* div_fmas32(V* x, V* y, V* z, V* scaled);
  V* div_fmas64(V* x, V* y, V* z, V* scaled);
  V* div_fmas64_rule(V* x, V* y, V* z, V* scaled);
  using SliceRule = std::function<std::pair<V*, V*>(llvm::ArrayRef<V*>)>; // value, flag
  std::pair<V*, V*> when_odd(V* odd, V* common, llvm::ArrayRef<V*> in, const SliceRule& rule);
  std::pair<V*, V*> div_scale_rule(V* s0, V* den, V* num, bool dbl);
  V* quotient_is_denormal(V* a, V* b);
  V* div_fixup64(V* q, V* den, V* num);
  V* fp_class(V* x, V* mask, unsigned bits);
  V* trunc_to_half(V* x);
  V* rcp32(V* x);
  V* rsq32(V* x);
  V* exp2_32(V* x);
  V* log2_32(V* x);
  V* sin_turns(V* x, bool cosine);
  bool div_scale(const LiftInst& li, bool dbl);
  V* fmin_max(V* a, V* b, bool max);
  V* clamp01(V* v);
  V* compare_half(llvm::CmpInst::Predicate p, V* a, V* b);
  V* add_to_odd(V* p, V* a);
  void run_block(uint32_t b);
  void leave_block(uint32_t b);
  void store_for(uint32_t to);
  void suspend(uint32_t to, uint32_t flags);
  void save_state(uint32_t to);
  void load_state(uint32_t b);
  llvm::AllocaInst* slot(llvm::AllocaInst*& s, llvm::Type* t);
  // lift_jam.cpp
  unsigned jam_width() const;                  // waves that run a loop together; 0: none do
  bool may_jam(uint32_t b) const;
  llvm::Function* emit_jam(uint32_t b);
  void emit_jams();
  llvm::BasicBlock* meet_others(uint32_t b);
  void met_others(uint32_t b);
  void emit_meetings(V* ctx, V* frame, V* codes, llvm::ArrayRef<V*> group, llvm::function_ref<V*(V*)> wave_at);
  void exit_to_interpreter(const LiftInst& li);
  /// Saves what is `live` here and lets the interpreter go on at `pc`.
  void leave_at(V* pc, const RegSet& live);
  Kind kind_of(unsigned reg);
  Kind meet(const Kind& a, const Kind& b) const;
  bool merge_into(uint32_t to);
  V* condition(const Inst& i);
  V* wave_field(size_t offset, llvm::Type* t);
  V* wave_ptr(size_t offset);
  V* context_field(size_t offset, llvm::Type* t);

  // --- nodes (lift_nodes.cpp)
  Node* new_node(Form f);
  Node* constant(uint32_t c);
  Node* uniform(V* s, unsigned bits = 32, unsigned align = 0);
  Node* affine(V* s, const Pattern* p, unsigned bits, unsigned align);
  Node* vector(V* v);
  Pair* pair_const(uint64_t c, bool relative = false);
  Pair* pair_scalar(V* s, const Pattern* p = nullptr);
  Pair* pair_mask(V* m);
  Wide* wide(V* v);
  Wide* wide_index(V* index, V* base, unsigned shift);
  Node* get(unsigned reg);
  void put(unsigned reg, Node* n);
  void put_pair(unsigned reg, Pair* p);
  void put_wide(unsigned reg, Wide* w);
  Node* half_node(Pair* p, bool hi);
  Node* half_node(Wide* w, bool hi);
  Node* view(Node* n);                 // uniform, affine or vector
  V* scalar(Node* n);                  // i32 of a uniform node
  V* vec(Node* n);                     // <64 x i32>
  V* pair_s(Pair* p);                  // i64
  V* pair_m(Pair* p);                  // <64 x i1>
  void hide_halves(Pair* p);
  V* pair_vec(Pair* p);                // <64 x i64>
  V* wide_v(Wide* w);                  // <64 x i64>
  V* wide_lo(Wide* w);
  V* wide_hi(Wide* w);
  Target64 join(Node* lo, Node* hi);
  bool fits_signed(const Node* n) const;
  bool may_guard(const Node* n) const;
  V* vec64(const Target64& t);
  bool no_carry(const Node* n) const;  // base + pat cannot wrap in 32 bits
  V* splat(V* s, llvm::Type* vt);
  V* pattern_vec(const Pattern* p, bool wide64);

  // --- operands and results (lift_operands.cpp)
  Node* read(const Inst& i, const Operand& o);
  Target64 read64(const Inst& i, const Operand& o);
  Node* read_dword(const Inst& i, const Operand& o, unsigned d);
  V* src_u32(const Inst& i, unsigned k);       // vector, SDWA/DPP applied, no float modifiers
  V* src_f32(const Inst& i, unsigned k);
  V* src_f64(const Inst& i, unsigned k);
  V* src_f16(const Inst& i, unsigned k);       // <64 x half>
  V* src_u16(const Inst& i, unsigned k);       // <64 x i16>
  V* src_u64(const Inst& i, unsigned k);
  V* dpp_move(const Inst& i, V* x, V** valid);
  void result_u32(const LiftInst& li, V* v, unsigned dword = 0);
  void result_f32(const LiftInst& li, V* v);
  void result_f64(const LiftInst& li, V* v);
  void result_f16(const LiftInst& li, V* v);
  void result_u16(const LiftInst& li, V* v);
  void result_u64(const LiftInst& li, V* v);
  void result_mask(const LiftInst& li, unsigned k, V* m);
  void result_node(const LiftInst& li, Node* n, unsigned dword = 0);
  void result_pair(const LiftInst& li, const Target64& t);
  void write_vgpr(const LiftInst& li, unsigned dword, Node* n);
  void def_unknown(const LiftInst& li);
  bool plain(const Inst& i) const;             // no SDWA, DPP, float or clamp modifiers

  // --- EXEC, SCC
  Pair* exec() { return join(get(isa::kExecLo), get(isa::kExecHi)).pair; }
  V* exec_mask() { return pair_m(exec()); }
  bool exec_full();
  void set_exec(Pair* p);
  V* scc();
  void set_scc(V* b);

  // --- rules; each returns false when it has none for the instruction
  bool domain(const LiftInst& li);             // lift_domain.cpp: forms preserved, runs dry too
  bool scalar_rule(const LiftInst& li);        // lift_scalar.cpp
  bool scalar_op32(const LiftInst& li);
  bool scalar_op64(const LiftInst& li);
  bool scalar_compare(const LiftInst& li);
  bool save_exec(const LiftInst& li);
  Pair* logic64(char op, Pair* a, Pair* b, bool not_b = false, bool not_result = false);
  V* read_s(const Inst& i, const Operand& o) { return scalar(view(read(i, o))); }
  V* read_s64(const Inst& i, const Operand& o);
  bool vector_int(const LiftInst& li);         // lift_vint.cpp
  bool vector_int64(const LiftInst& li);
  bool vector_16(const LiftInst& li);          // lift_v16.cpp: 16-bit and packed
  bool vector_float(const LiftInst& li);       // lift_vfloat.cpp
  bool vector_double(const LiftInst& li);
  bool vector_convert(const LiftInst& li);
  bool vector_compare(const LiftInst& li);
  bool vector_math(const LiftInst& li);        // lift_math.cpp
  bool cross_lane(const LiftInst& li);         // lift_lanes.cpp
  bool memory(const LiftInst& li);             // lift_memory.cpp
  bool smem(const LiftInst& li);
  bool lds_access(const LiftInst& li);         // lift_lds.cpp
  bool mfma(const LiftInst& li);               // lift_mfma.cpp
  void fallback(const LiftInst& li);
  bool gpr_index_rule(const LiftInst& li);
  V* indexed_ptr(uint16_t vgpr_code);
  bool mfma_shape(const Inst& i, MfmaShape& s) const;
  V* mfma_constant(const Inst& i, unsigned dword, const MfmaShape& s);
  void find_resident();
  V* resident_ptr(unsigned reg);
  void flush_mfma();

  // --- domain arithmetic
  enum class BinOp : uint8_t { add, sub, mul, shl, lshr, ashr, and_, or_, xor_, umin, umax, smin, smax };
  Node* arith(BinOp op, Node* a, Node* b);
  V* binop(BinOp op, V* a, V* b);
  Target64 add64(const Target64& a, unsigned shift, const Target64& b);
  Node* add_low(Node* a, Node* b);
  void guard_range(Node* n, bool is_signed);

  // --- memory helpers (lift_access.cpp)
  struct Address {            // byte address of each lane
    Scope scope = Scope::global;
    V* base = nullptr;        // i8*: lane l is at base + pat[l]
    const Pattern* pat = nullptr;
    V* lanes = nullptr;       // or any address per lane: <64 x ptr>
    V* index = nullptr;       // or base + (index << shift), with signed 32-bit indices
    unsigned shift = 0;
    V* flat = nullptr;        // or flat addresses: <64 x i64>
    V *flat_low = nullptr, *flat_high = nullptr; // the same without flat_offset, in kernels with private memory
    int64_t flat_offset = 0;
    bool dword_stripes = false; // scratch: dword k of a lane is 256 * k bytes on
    V* offset = nullptr;      // scratch: byte offset in the lane's private segment, i32 (uniform) or per lane
    V* subword = nullptr;     // scratch bytes and halves: i32 bit shift inside the dword (uniform) or per lane
    bool is_volatile = false;
  };
  Address global_address(const Inst& i);
  Address flat_address(const Inst& i);
  V* flat_lanes(V* addr);
  bool has_scratch() const;
  Address scratch_address(Node* off, int64_t imm);
  Address lds_address(Node* off, int64_t imm);
  bool resolve(const LiftInst& li, Address& a);
  V* at(const Address& a, int64_t off);                // base pointer moved by off bytes
  V* lanes_at(const Address& a, int64_t off);          // <64 x ptr>
  V* exec_slice(unsigned first, unsigned n);           // nullptr when EXEC is full
  V* safe_pointer(V* p, V* mask);
  V* load32(const Address& a, int64_t off, Node** uniform_result = nullptr);
  std::vector<V*> load_dwords(const Address& a, unsigned n, Node** uniform_result);
  V* load_small(const Address& a, unsigned bytes);     // zero-extended <64 x i32>
  void store_rows(const Address& a, const std::vector<V*>& data, V* m);
  void store_dwords(const Address& a, const std::vector<V*>& data);
  void store_small(const Address& a, unsigned bytes, V* data);
  void atomic(const LiftInst& li, const Address& a, V* data, V* cmp, bool returns, bool local);
  void tag(llvm::Instruction* i, Scope s);
  void compiler_barrier();
  using Make = llvm::function_ref<std::vector<V*>()>;
  std::vector<V*> when_full(V* m, Make plain, Make masked);
  std::tuple<llvm::BasicBlock*, llvm::BasicBlock*, llvm::BasicBlock*> test_runs(const Address& a, int64_t off);
  V* lane_pointer(const Address& a, int64_t off, unsigned lane);
  std::tuple<llvm::BasicBlock*, llvm::BasicBlock*, llvm::BasicBlock*> test_crosses(const Address& a, V* crosses);
  void prefetch_next(V* p, unsigned stream, unsigned lines);
  bool in_loop(uint32_t block);
  V* scratch_crosses(const Address& a, unsigned bytes);
  void call_flat(const Address& a, const std::vector<V*>& data, unsigned bytes, bool store); // lift_flat.cpp
  std::vector<V*> load_flat(const Address& a, unsigned n, unsigned bytes);
  std::pair<V*, llvm::BasicBlock*> flat_spilled_[2];   // what the stack slots of flat addresses hold, and since which block
  std::vector<V*> load_scratch_unaligned(const Address& a, unsigned bytes);
  void store_scratch_unaligned(const Address& a, const std::vector<V*>& data, unsigned bytes);
  Address flat_of_scratch(const Address& a);
  std::vector<V*> load_rows(const Address& a, unsigned n, V* m);
  bool whole_pairs(const Address& a, unsigned n) const; // lift_pairs.cpp: 64 bits of a lane at once
  V* load_uniform_pair(const Address& a, int64_t off);
  V* load_lane_pair(const Address& a, int64_t off);    // these give <64 x i64>
  V* load_pattern_pair(const Address& a, int64_t off);
  void store_pattern_pair(const Address& a, int64_t off, V* data);
  std::vector<V*> load_aligned_dwords(const Address& a, unsigned n, Node** uniform_result);
  void store_aligned_dwords(const Address& a, const std::vector<V*>& data);
  static constexpr unsigned kMaxRunTests = 24; // per kernel: each adds two blocks
  unsigned run_tests_ = 0;
  static constexpr unsigned kMaxFullTests = 24; // the same
  unsigned full_tests_ = 0;
  static constexpr unsigned kStreams = std::size(decltype(exec::Wave::jit_stream){});
  unsigned streams_ = 0;                               // used so far
  std::map<uint32_t, bool> in_loop_;
  V* call_rt(const char* name, llvm::Type* ret, llvm::ArrayRef<V*> args);
  V* spill_vec(V* v, unsigned slot);           // stack slot holding the vector
  V* permute(V* x, V* idx);
  V* spill64(V* v, unsigned slot);

  // --- small IR helpers
  V* i32c(uint32_t c) { return b_.getInt32(c); }
  V* i64c(uint64_t c) { return b_.getInt64(c); }
  V* vsplat(uint32_t c);
  V* as_f32(V* v);
  V* as_i32(V* v);
  V* fsplat(double d, llvm::Type* vt);
  V* shuffle(V* a, V* b, llvm::ArrayRef<int> m);
  V* concat(std::vector<V*> parts);
  V* slice(V* v, unsigned first, unsigned n);
  V* intrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Type*> ts, llvm::ArrayRef<V*> args);
  void step_line(const LiftInst& li);

  llvm::Module& m_;
  llvm::LLVMContext& c_;
  const TranslateInput& in_;
  Cfg& g_;
  TranslateStats* stats_ = nullptr;
  llvm::IRBuilder<llvm::InstSimplifyFolder> b_;
  llvm::Type *i1_, *i8_, *i16_, *i32_, *i64_, *f32_, *f64_, *f16_, *ptr_;
  llvm::Type *vi1_, *vi8_, *vi16_, *vi32_, *vi64_, *vf32_, *vf64_, *vf16_, *vptr_;
  Patterns pats_;
  std::deque<Node> nodes_;
  std::deque<Pair> pairs_;
  std::deque<Wide> wides_;

  bool dry_ = true;
  llvm::Function* wave_fn_ = nullptr;
  llvm::Value *ctx_ = nullptr, *frame_ = nullptr, *wave_ = nullptr, *lds_ = nullptr, *scratch_ = nullptr;
  llvm::Value *wave_index_ = nullptr, *group_id_[3] = {};
  llvm::BasicBlock* entry_bb_ = nullptr;
  std::vector<llvm::BasicBlock*> bbs_;
  std::vector<std::vector<Kind>> entry_kinds_; // [block][reg]
  std::vector<uint8_t> exec_nonzero_in_;       // [block]
  std::vector<Slots> slots_;
  std::map<unsigned, llvm::AllocaInst*> scratch_slots_;
  llvm::AllocaInst* scc_slot_ = nullptr;
  std::vector<Node*> regs_;                    // current block; nullptr: still as on entry
  std::vector<bool> dirty_;
  V* scc_ = nullptr;
  bool scc_known_ = false;
  Node* scc_carry_ = nullptr;                  // SCC is the carry of this low sum
  bool exec_nonzero_ = false;
  uint32_t cur_block_ = 0;
  const LiftInst* cur_ = nullptr;              // instruction being lifted; nullptr in a terminator
  V* dpp_valid_ = nullptr;                     // lanes the current DPP instruction writes
  std::map<std::pair<Node*, Node*>, Target64> joins_;
  std::map<Pair*, Node*> carry_of_;            // lane mask that is the carry of a low sum
  std::set<uint32_t> resume_points_;
  llvm::DISubprogram* sub_ = nullptr;
  llvm::DISubprogram* entry_sub_ = nullptr;
  llvm::AllocaInst* spin_slot_ = nullptr;
  Pair* call_target_ = nullptr;
  llvm::MDNode* scope_md_[4][2] = {};
  std::map<std::pair<Node*, bool>, bool> guarded_;
  bool suspends_ = false;
  struct Jam {
    llvm::BasicBlock* leave = nullptr;         // to where an iteration goes that has to be begun again
    bool stored = false;                       // the current wave's iteration has written to memory
    bool failed = false;                       // something in the loop cannot run in a jam
  };
  Jam* jam_ = nullptr;                         // the one being emitted
  std::map<uint32_t, llvm::Function*> jams_;   // by block
  V* step_ = nullptr;                          // of the current block's first stream: bytes between iterations
  llvm::AllocaInst* alone_slot_ = nullptr;     // iterations of such loops before the meeting
  llvm::DIBuilder* di_ = nullptr;
  std::vector<V*> two_results_[2];
  struct PendingMfma {
    uint32_t shape = 0;
    unsigned dwords = 0;
    std::vector<V*> operands;
  };
  RegSet resident_;                            // registers that live in the wave struct
  RegSet indexed_;                             // of these, the ones reached through the VGPR index mode
  unsigned gpr_mode_ = 0;                      // VGPR index mode: bits SRC0 SRC1 SRC2 DST
  V* gpr_index_ = nullptr;
  std::map<unsigned, PendingMfma> pending_mfma_; // by first accumulator register
  std::map<std::vector<Node*>, V*> mfma_panels_; // operands of this block already in memory
};

} // namespace pumice::jit
