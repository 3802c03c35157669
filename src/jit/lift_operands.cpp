// SPDX-License-Identifier: MIT
// Operands with their modifiers (neg, abs, op_sel, SDWA, DPP) and results (clamp, omod, SDWA, DPP, EXEC merge).
#include "jit/lifter.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
namespace pumice::jit {

bool Lifter::plain(const Inst& i) const {
  return !i.is_sdwa && !i.is_dpp && !i.neg && !i.abs && !i.clamp && !i.omod && !i.op_sel;
}

bool Lifter::exec_full() {
  Pair* p = exec();
  return p->is_const && !p->relative && p->cval == ~0ull;
}

void Lifter::set_exec(Pair* p) {
  hide_halves(p);
  put_pair(isa::kExecLo, p);
  exec_nonzero_ = p->is_const && p->cval != 0;
}

Value* Lifter::scc() {
  if (dry_) return nullptr;
  if (!scc_known_) {
    scc_ = b_.CreateLoad(i1_, scc_slot_);
    scc_known_ = true;
  }
  return scc_;
}
void Lifter::set_scc(V* b) {
  scc_ = b;
  scc_known_ = true;
  scc_carry_ = nullptr;
  dirty_[kSccIndex] = true;
}

Node* Lifter::read(const Inst& i, const Operand& o) { return read_dword(i, o, 0); }

Node* Lifter::read_dword(const Inst& i, const Operand& o, unsigned d) {
  if (!o.present()) return constant(0);
  if (gpr_mode_ & 7 && o.is_vgpr())
    for (unsigned k = 0; k < 3; k++)
      if ((gpr_mode_ >> k & 1) && &o == &i.src[k]) {
        if (dry_) return vector(nullptr);
        return vector(b_.CreateAlignedLoad(vi32_, indexed_ptr(o.code + d), Align(64)));
      }
  if (o.is_constant()) {
    uint64_t bits = isa::constant_bits(i, o);
    return constant(static_cast<uint32_t>(d ? bits >> 32 : bits));
  }
  if (unsigned r = reg_index(o.code + d); r < kRegCount && o.code != isa::kScc) return get(r);
  switch (o.code) {
  case isa::kScc:
    if (d) return constant(0); // one bit, in 64-bit operands too
    return uniform(dry_ ? nullptr : b_.CreateZExt(scc(), i32_), 1);
  case isa::kVccz: case isa::kExecz: {
    if (d) return constant(0);
    unsigned c = o.code == isa::kVccz ? isa::kVccLo : isa::kExecLo;
    Pair* p = join(get(c), get(c + 1)).pair;
    return uniform(dry_ ? nullptr : b_.CreateZExt(b_.CreateICmpEQ(pair_s(p), i64c(0)), i32_), 1);
  }
  case isa::kSharedBase: return constant(o.dwords == 1 || d ? exec::kSharedApertureHi : 0);
  case isa::kSharedLimit: return constant(o.dwords == 1 || d ? exec::kSharedApertureHi : 0xffffffffu);
  case isa::kPrivateBase: return constant(o.dwords == 1 || d ? exec::kPrivateApertureHi : 0);
  case isa::kPrivateLimit: return constant(o.dwords == 1 || d ? exec::kPrivateApertureHi : 0xffffffffu);
  default: return constant(0);
  }
}

Lifter::Target64 Lifter::read64(const Inst& i, const Operand& o) {
  if (o.is_constant()) return {pair_const(isa::constant_bits(i, o)), nullptr};
  return join(read_dword(i, o, 0), read_dword(i, o, 1));
}

/// Lane permutation of a DPP control; -1 where the source lane lies outside the row or wave.
static void dpp_lanes(unsigned ctrl, int (&src)[64]) {
  for (int l = 0; l < 64; l++) {
    int row = l & ~15, in = l & 15, s = -1;
    if (ctrl <= 0xff) s = (l & ~3) | ((ctrl >> (2 * (l & 3))) & 3);
    else if (ctrl >= 0x101 && ctrl <= 0x10f) s = in + int(ctrl & 15) < 16 ? l + int(ctrl & 15) : -1;
    else if (ctrl >= 0x111 && ctrl <= 0x11f) s = in - int(ctrl & 15) >= 0 ? l - int(ctrl & 15) : -1;
    else if (ctrl >= 0x121 && ctrl <= 0x12f) s = row | ((in - int(ctrl & 15)) & 15);
    else if (ctrl == 0x130) s = l < 63 ? l + 1 : -1;
    else if (ctrl == 0x134) s = (l + 1) & 63;
    else if (ctrl == 0x138) s = l - 1;
    else if (ctrl == 0x13c) s = (l - 1) & 63;
    else if (ctrl == 0x140) s = row | (15 - in);
    else if (ctrl == 0x141) s = (l & ~7) | (7 - (l & 7));
    else if (ctrl == 0x142) s = row - 1;
    else if (ctrl == 0x143) s = l >= 32 ? 31 : -1;
    else if (ctrl >= 0x150 && ctrl <= 0x15f) s = row | int(ctrl & 15);
    src[l] = s;
  }
}

Value* Lifter::dpp_move(const Inst& i, V* x, V** valid) {
  int src[64];
  dpp_lanes(i.dpp_ctrl, src);
  std::vector<int> idx(64);
  std::vector<Constant*> in_range(64), written(64);
  bool all_in_range = true, all_written = true;
  for (int l = 0; l < 64; l++) {
    bool ok = src[l] >= 0;
    bool w = (i.dpp_row_mask >> (l / 16) & 1) && (i.dpp_bank_mask >> ((l / 4) & 3) & 1);
    idx[l] = ok ? src[l] : l;
    all_in_range &= ok;
    w = w && (ok || i.dpp_bound_ctrl);
    all_written &= w;
    in_range[l] = b_.getInt1(ok);
    written[l] = b_.getInt1(w);
  }
  V* moved = shuffle(x, nullptr, idx);
  V* readable = all_in_range ? nullptr : static_cast<V*>(ConstantVector::get(in_range));
  V* mask = all_written ? nullptr : static_cast<V*>(ConstantVector::get(written));
  if (!exec_full()) {
    V* active = shuffle(exec_mask(), nullptr, idx);
    readable = readable ? b_.CreateAnd(readable, active) : active;
    if (!i.dpp_bound_ctrl) mask = mask ? b_.CreateAnd(mask, active) : active;
  }
  if (readable && i.dpp_bound_ctrl) moved = b_.CreateSelect(readable, moved, Constant::getNullValue(moved->getType()));
  *valid = mask;
  return moved;
}

Value* Lifter::src_u32(const Inst& i, unsigned k) {
  V* v = vec(read(i, i.src[k]));
  if (i.is_sdwa && k < 2) {
    bool sx = i.sdwa_sext >> k & 1;
    unsigned shift = 0, bits = 32;
    switch (i.sdwa_sel[k]) {
    case isa::SdwaSel::dword: break;
    case isa::SdwaSel::word0: bits = 16; break;
    case isa::SdwaSel::word1: bits = 16, shift = 16; break;
    default: bits = 8, shift = 8 * static_cast<unsigned>(i.sdwa_sel[k]); break;
    }
    if (bits < 32) {
      v = b_.CreateShl(v, 32 - bits - shift);
      v = sx ? b_.CreateAShr(v, 32 - bits) : b_.CreateLShr(v, 32 - bits);
    }
  }
  if (i.is_dpp && k == 0) v = dpp_move(i, v, &dpp_valid_);
  return v;
}

Value* Lifter::src_f32(const Inst& i, unsigned k) {
  V* v = src_u32(i, k);
  if (i.abs >> k & 1) v = b_.CreateAnd(v, vsplat(0x7fffffff));
  if (i.neg >> k & 1) v = b_.CreateXor(v, vsplat(0x80000000));
  return as_f32(v);
}

Value* Lifter::src_u64(const Inst& i, unsigned k) {
  V* v = vec64(read64(i, i.src[k]));
  if (i.is_dpp && k == 0) v = dpp_move(i, v, &dpp_valid_);
  return v;
}

Value* Lifter::src_f64(const Inst& i, unsigned k) {
  V* v = src_u64(i, k);
  if (i.abs >> k & 1) v = b_.CreateAnd(v, ConstantInt::get(vi64_, ~(1ull << 63)));
  if (i.neg >> k & 1) v = b_.CreateXor(v, ConstantInt::get(vi64_, 1ull << 63));
  return b_.CreateBitCast(v, vf64_);
}

Value* Lifter::src_u16(const Inst& i, unsigned k) {
  V* v = src_u32(i, k);
  if (i.enc == isa::Enc::vop3 && (i.op_sel >> k & 1) && !i.src[k].is_constant()) v = b_.CreateLShr(v, 16);
  return b_.CreateTrunc(v, vi16_);
}

Value* Lifter::src_f16(const Inst& i, unsigned k) {
  V* v = src_u16(i, k);
  if (i.abs >> k & 1) v = b_.CreateAnd(v, ConstantInt::get(vi16_, 0x7fff));
  if (i.neg >> k & 1) v = b_.CreateXor(v, ConstantInt::get(vi16_, 0x8000));
  return b_.CreateBitCast(v, vf16_);
}

/// Writes one dword of a vector result, keeping inactive lanes where something still reads them.
void Lifter::write_vgpr(const LiftInst& li, unsigned dword, Node* n) {
  unsigned r = reg_index(li.inst.dst[0].code + dword);
  if (gpr_mode_ & 8) {
    if (dry_) return;
    V* p = indexed_ptr(li.inst.dst[0].code + dword);
    V* v = vec(n);
    if (!exec_full()) v = b_.CreateSelect(exec_mask(), v, b_.CreateAlignedLoad(vi32_, p, Align(64)));
    b_.CreateAlignedStore(v, p, Align(64));
    for (unsigned k = 0; k < kRegCount; k++)
      if (indexed_[k]) regs_[k] = nullptr; // any of them may have changed
    return;
  }
  if ((li.keep_inactive >> dword & 1) || indexed_[r]) {
    if (!exec_full()) {
      Node* old = get(r);
      if (dry_) n = vector(nullptr);
      else n = vector(b_.CreateSelect(exec_mask(), vec(n), vec(old)));
    }
  }
  put(r, n);
}

void Lifter::result_node(const LiftInst& li, Node* n, unsigned dword) {
  const Operand& d = li.inst.dst[0];
  if (d.is_vgpr()) write_vgpr(li, dword, n);
  else put(d.code + dword, view(n));
}

void Lifter::result_u32(const LiftInst& li, V* v, unsigned dword) {
  const Inst& i = li.inst;
  unsigned r = reg_index(i.dst[0].code + dword);
  if (i.is_sdwa && i.sdwa_dst != isa::SdwaSel::dword) {
    unsigned shift = 0, bits = 16;
    switch (i.sdwa_dst) {
    case isa::SdwaSel::word0: break;
    case isa::SdwaSel::word1: shift = 16; break;
    default: bits = 8, shift = 8 * static_cast<unsigned>(i.sdwa_dst); break;
    }
    uint32_t field = ((bits == 8 ? 0xffu : 0xffffu) << shift);
    V* placed = b_.CreateAnd(b_.CreateShl(v, shift), vsplat(field));
    if (i.sdwa_unused == isa::SdwaUnused::preserve)
      placed = b_.CreateOr(placed, b_.CreateAnd(vec(get(r)), vsplat(~field)));
    else if (i.sdwa_unused == isa::SdwaUnused::sext)
      placed = b_.CreateShl(b_.CreateAShr(b_.CreateShl(v, 32 - bits), 32 - bits), shift);
    v = placed;
  }
  if (i.is_dpp && dpp_valid_) v = b_.CreateSelect(dpp_valid_, v, vec(get(r)));
  write_vgpr(li, dword, vector(v));
}

/// The clamp modifier. omod has no rule: it does nothing while denormal results are kept [E-005], and only kernels with
/// this mode are translated.
Value* Lifter::clamp01(V* v) {
  V *zero = fsplat(0, v->getType()), *one = fsplat(1, v->getType());
  V* r = b_.CreateSelect(b_.CreateFCmpOGT(v, zero), v, zero);
  r = b_.CreateSelect(b_.CreateFCmpOLT(r, one), r, one);
  bool dx10_clamp = in_.descriptor.rsrc1 >> 21 & 1;
  return dx10_clamp ? r : b_.CreateSelect(b_.CreateFCmpUNO(v, v), v, r);
}

void Lifter::result_f32(const LiftInst& li, V* v) {
  const Inst& i = li.inst;
  if (i.clamp) v = clamp01(v);
  result_u32(li, as_i32(v));
}

void Lifter::result_u64(const LiftInst& li, V* v) {
  const Inst& i = li.inst;
  unsigned r = reg_index(i.dst[0].code);
  if (i.is_dpp && dpp_valid_) v = b_.CreateSelect(dpp_valid_, v, vec64(join(get(r), get(r + 1))));
  result_pair(li, {nullptr, wide(v)});
}

/// A 64-bit result; vector destinations keep inactive lanes as needed.
void Lifter::result_pair(const LiftInst& li, const Target64& t) {
  const Operand& d = li.inst.dst[0];
  unsigned r = reg_index(d.code);
  if (d.is_vgpr() && (gpr_mode_ & 8)) {
    for (unsigned q = 0; q < 2; q++) write_vgpr(li, q, t.pair ? half_node(t.pair, q) : half_node(t.wide, q));
    return;
  }
  bool keep = d.is_vgpr() && ((li.keep_inactive & 3) || indexed_[r] || indexed_[r + 1]) && !exec_full();
  if (!keep) {
    if (t.pair) put_pair(r, t.pair);
    else put_wide(r, t.wide);
    return;
  }
  Target64 old = join(get(r), get(r + 1));
  put_wide(r, wide(dry_ ? nullptr : b_.CreateSelect(exec_mask(), vec64(t), vec64(old))));
}

void Lifter::result_f64(const LiftInst& li, V* v) {
  const Inst& i = li.inst;
  if (i.clamp) v = clamp01(v);
  result_u64(li, b_.CreateBitCast(v, vi64_));
}

/// 16-bit results clear the upper half; those of VOP3-only instructions go where op_sel says and keep the other [E-006].
void Lifter::result_u16(const LiftInst& li, V* v) {
  const Inst& i = li.inst;
  V* w = b_.CreateZExt(v, vi32_);
  if (keeps_other_half(i)) {
    bool high = i.op_sel & 8;
    V* old = vec(get(reg_index(i.dst[0].code)));
    w = b_.CreateOr(high ? b_.CreateShl(w, 16) : w, b_.CreateAnd(old, vsplat(high ? 0xffff : 0xffff0000)));
  }
  result_u32(li, w);
}

void Lifter::result_f16(const LiftInst& li, V* v) {
  const Inst& i = li.inst;
  if (i.clamp) v = clamp01(v);
  result_u16(li, b_.CreateBitCast(v, vi16_));
}

/// Lane mask result in dst[k]: bits of inactive lanes are zero.
void Lifter::result_mask(const LiftInst& li, unsigned k, V* m) {
  if (!dry_ && li.inst.is_dpp && dpp_valid_) m = b_.CreateAnd(m, dpp_valid_); // lanes that DPP switches off
  unsigned c = li.inst.dst[k].code;
  Pair* p;
  if (dry_) p = pair_mask(nullptr);
  else if (exec_full()) p = pair_mask(m);
  else p = pair_mask(b_.CreateAnd(m, exec_mask()));
  put_pair(c, p);
}

/// Dry mode: the destination's form after an instruction without a domain rule.
void Lifter::def_unknown(const LiftInst& li) {
  const Inst& i = li.inst;
  for (int k = 0; k < 2; k++) {
    const Operand& d = i.dst[k];
    if (!d.present()) continue;
    for (unsigned q = 0; q < d.dwords; q++) {
      unsigned r = reg_index(d.code + q);
      if (r >= kRegCount) continue;
      if (r < kVgprIndex) {
        if (q == 0 && d.dwords == 2 && !(d.code & 1)) {
          put_pair(r, pair_scalar(nullptr));
          q++;
        } else {
          put(r, uniform(nullptr));
        }
      } else if (q == 0 && d.dwords == 2 &&
                 (d.type == isa::Type::f64 || d.type == isa::Type::i64 || d.type == isa::Type::u64)) {
        put_wide(r, wide(nullptr));
        q++;
      } else {
        put(r, vector(nullptr));
      }
    }
  }
}

} // namespace pumice::jit
