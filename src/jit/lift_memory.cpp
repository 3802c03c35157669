// SPDX-License-Identifier: MIT
// Memory instructions: scalar loads, FLAT/GLOBAL/SCRATCH, the MUBUF forms of the stack, LDS.
#include "jit/lifter.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
namespace pumice::jit {
using isa::MemKind;
using isa::Op;
using isa::Space;

bool Lifter::smem(const LiftInst& li) {
  const Inst& i = li.inst;
  if (i.enc != isa::Enc::smem) return false;
  if (i.op == Op::s_memtime || i.op == Op::s_memrealtime) {
    put_pair(i.dst[0].code, pair_scalar(dry_ ? nullptr : call_rt(i.op == Op::s_memtime ? "pumice_rt_clock" : "pumice_rt_realtime", i64_, {})));
    return true;
  }
  const isa::MemInfo& mi = isa::row(i.op).mem;
  if (mi.space != Space::scalar || mi.kind != MemKind::load || i.src[0].dwords != 2) return false;
  Target64 base = read64(i, i.src[0]);
  if (!base.pair) return false;
  V* addr = nullptr;
  if (!dry_) {
    addr = pair_s(base.pair);
    if (i.src[1].present()) addr = b_.CreateAdd(addr, b_.CreateZExt(read_s(i, i.src[1]), i64_));
    if (i.offset) addr = b_.CreateAdd(addr, i64c(static_cast<uint64_t>(static_cast<int64_t>(i.offset))));
    addr = b_.CreateAnd(addr, i64c(~3ull));
    addr = b_.CreateIntToPtr(addr, ptr_);
  }
  unsigned d = i.dst[0].code, n = i.dst[0].dwords;
  for (unsigned q = 0; q < n;) {
    auto load = [&](Type* t) -> V* {
      if (dry_) return nullptr;
      auto* l = b_.CreateAlignedLoad(t, b_.CreateConstGEP1_64(i8_, addr, 4 * q), Align(4));
      tag(l, Scope::global);
      return l;
    };
    if (n - q >= 2 && !((d + q) & 1)) {
      Pair* p = pair_scalar(load(i64_));
      if (d + q == isa::kExecLo) set_exec(p);
      else put_pair(d + q, p);
      q += 2;
    } else {
      put(d + q, uniform(load(i32_)));
      q++;
    }
  }
  return true;
}

Lifter::Address Lifter::global_address(const Inst& i) {
  Address a;
  Target64 t;
  if (i.src[1].present()) {
    Pair* base = read64(i, i.src[1]).pair;
    Node* off = view(read(i, i.src[0]));
    if (off->form == Form::uniform || (off->form == Form::affine && (no_carry(off) || may_guard(off)))) {
      if (!no_carry(off)) guard_range(off, false);
      Pair* p = pair_scalar(b_.CreateZExt(off->s, i64_), off->pat);
      t = add64({p, nullptr}, 0, {base, nullptr});
    } else {
      // Unsigned offsets as signed indices around the middle of their range.
      t.wide = wide_index(b_.CreateXor(vec(off), vsplat(1u << 31)), b_.CreateAdd(pair_s(base), i64c(1ull << 31)), 0);
    }
  } else {
    t = read64(i, i.src[0]);
  }
  if (t.pair) {
    V* s = pair_s(t.pair);
    if (i.offset) s = b_.CreateAdd(s, i64c(static_cast<uint64_t>(static_cast<int64_t>(i.offset))));
    a.base = b_.CreateIntToPtr(s, ptr_);
    a.pat = t.pair->pat;
  } else if (t.wide->index) {
    V* s = t.wide->base ? t.wide->base : i64c(0);
    if (i.offset) s = b_.CreateAdd(s, i64c(static_cast<uint64_t>(static_cast<int64_t>(i.offset))));
    a.base = b_.CreateIntToPtr(s, ptr_);
    a.index = t.wide->index;
    a.shift = t.wide->shift;
  } else {
    V* v = wide_v(t.wide);
    if (i.offset) v = b_.CreateAdd(v, ConstantInt::get(vi64_, static_cast<uint64_t>(static_cast<int64_t>(i.offset))));
    a.lanes = b_.CreateIntToPtr(v, vptr_);
  }
  return a;
}

Lifter::Address Lifter::scratch_address(Node* off, int64_t imm) {
  Address a;
  a.scope = Scope::scratch;
  a.dword_stripes = true;
  off = view(off);
  if (imm) off = arith(BinOp::add, off, constant(static_cast<uint32_t>(imm)));
  if (off->form == Form::uniform) {
    V* row = b_.CreateShl(b_.CreateZExt(b_.CreateLShr(off->s, 2), i64_), 8);
    a.base = b_.CreateGEP(i8_, scratch_, row);
    a.pat = pats_.iota(4);
    a.offset = off->s;
    a.subword = splat(b_.CreateShl(b_.CreateAnd(off->s, i32c(3)), 3), vi32_);
  } else {
    V* v = vec(off);
    a.offset = v;
    V* byte = b_.CreateShl(b_.CreateZExt(b_.CreateLShr(v, 2), vi64_), 8);
    byte = b_.CreateAdd(byte, pattern_vec(pats_.iota(4), true));
    a.lanes = b_.CreateGEP(i8_, scratch_, byte);
    a.subword = b_.CreateShl(b_.CreateAnd(v, vsplat(3)), 3);
  }
  return a;
}

/// A flat address may lie in an aperture, which its upper half tells: each lane's host address is computed per dword,
/// since the dwords of a lane's scratch are apart.
Lifter::Address Lifter::flat_address(const Inst& i) {
  Address a = global_address(i);
  Address f;
  f.scope = Scope::unknown;
  f.flat = b_.CreatePtrToInt(lanes_at(a, 0), vi64_);
  if (has_scratch()) {
    f.flat_low = vec(read_dword(i, i.src[0], 0)), f.flat_high = vec(read_dword(i, i.src[0], 1));
    f.flat_offset = i.offset;
  }
  return f;
}

bool Lifter::has_scratch() const {
  return in_.descriptor.private_segment_fixed_size || (in_.descriptor.properties & (1 << 11));
}

Value* Lifter::flat_lanes(V* addr) {
  V* hi = b_.CreateTrunc(b_.CreateLShr(addr, 32), vi32_);
  V* lo = b_.CreateAnd(addr, ConstantInt::get(vi64_, 0xffffffffull));
  V* in_lds = b_.CreateICmpEQ(hi, vsplat(exec::kSharedApertureHi));
  V* out = b_.CreateSelect(in_lds, b_.CreateAdd(lo, splat(b_.CreatePtrToInt(lds_, i64_), vi64_)), addr);
  if (has_scratch()) {
    V* in_scratch = b_.CreateICmpEQ(hi, vsplat(exec::kPrivateApertureHi));
    V* s = b_.CreateShl(b_.CreateLShr(lo, 2), 8);
    s = b_.CreateAdd(s, b_.CreateAnd(lo, ConstantInt::get(vi64_, 3)));
    s = b_.CreateAdd(s, pattern_vec(pats_.iota(4), true));
    s = b_.CreateAdd(s, splat(b_.CreatePtrToInt(scratch_, i64_), vi64_));
    out = b_.CreateSelect(in_scratch, s, out);
  }
  return b_.CreateIntToPtr(out, vptr_);
}

Lifter::Address Lifter::lds_address(Node* off, int64_t imm) {
  Address a;
  a.scope = Scope::lds;
  off = view(off);
  if (off->form == Form::vector) {
    V* v = vec(off);
    if (imm) v = b_.CreateAdd(v, vsplat(static_cast<uint32_t>(imm))); // wraps: bases may be negative
    a.index = b_.CreateXor(v, vsplat(1u << 31));
    a.base = b_.CreateConstGEP1_64(i8_, lds_, 1ull << 31);
  } else {
    V* s = off->bits < 31 ? b_.CreateZExt(off->s, i64_) : b_.CreateSExt(off->s, i64_);
    a.base = b_.CreateGEP(i8_, lds_, s);
    if (imm) a.base = b_.CreateConstGEP1_64(i8_, a.base, static_cast<uint64_t>(imm));
    a.pat = off->pat;
  }
  return a;
}

bool Lifter::resolve(const LiftInst& li, Address& a) {
  const Inst& i = li.inst;
  switch (isa::row(i.op).mem.space) {
  case Space::global: a = global_address(i); break;
  case Space::flat: a = flat_address(i); break;
  case Space::scratch: {
    Node* off = i.src[0].present() ? read(i, i.src[0]) : constant(0);
    if (i.src[1].present()) off = arith(BinOp::add, off, read(i, i.src[1]));
    a = scratch_address(off, i.offset);
    break;
  }
  case Space::buffer: {
    Node* w3 = view(read_dword(i, i.src[1], 3));
    if (!w3->is_const || !(w3->cval >> 23 & 1) || i.idxen || i.lds) return false; // only the stack's descriptor
    Node* off = i.offen ? read(i, i.src[0]) : constant(0);
    // The scalar offset is not swizzled: it counts bytes of all 64 lanes together.
    if (i.src[2].present()) off = arith(BinOp::add, off, arith(BinOp::lshr, read(i, i.src[2]), constant(6)));
    a = scratch_address(off, i.offset);
    break;
  }
  default: return false;
  }
  a.is_volatile = i.sc0 || i.sc1;
  return true;
}

bool Lifter::memory(const LiftInst& li) {
  const Inst& i = li.inst;
  const isa::MemInfo& mi = isa::row(i.op).mem;
  if (mi.space == Space::lds) return lds_access(li);
  if (i.tfe || i.lds) return false;
  bool buffer = mi.space == Space::buffer;
  if (!buffer && mi.space != Space::global && mi.space != Space::flat && mi.space != Space::scratch) return false;
  if (mi.kind == MemKind::other || mi.kind == MemKind::none) return false;
  if (mi.kind == MemKind::load && !i.dst[0].present()) return false; // a load to LDS
  if (buffer && mi.kind == MemKind::atomic) return false;
  if (buffer && StringRef(isa::row(i.op).mnemonic).contains("format")) return false;
  Address a;
  if (!resolve(li, a)) return false;
  const Operand& data = buffer ? i.src[3] : i.src[2];
  if (mi.kind == MemKind::atomic) {
    a.is_volatile = false;
    bool wide64 = mi.elem_bytes == 8;
    if (mi.atomic == isa::AtomicOp::other || mi.atomic == isa::AtomicOp::wrap || mi.atomic == isa::AtomicOp::mskor) return false;
    V *d, *c = nullptr;
    auto value = [&](unsigned first) {
      return wide64 ? vec64(join(read_dword(i, data, first), read_dword(i, data, first + 1))) : vec(read_dword(i, data, first));
    };
    d = value(0);
    if (mi.atomic == isa::AtomicOp::cmpswap) c = value(wide64 ? 2 : 1);
    atomic(li, a, d, c, i.sc0, false);
    return true;
  }
  if (mi.kind == MemKind::load) {
    if (mi.elem_bytes < 4) {
      V* v = load_small(a, mi.elem_bytes);
      if (mi.sign_extend) {
        unsigned sh = 32 - 8 * mi.elem_bytes;
        v = b_.CreateAShr(b_.CreateShl(v, sh), sh);
      }
      if (mi.d16) {
        V* old = vec(get(reg_index(i.dst[0].code)));
        V* half = b_.CreateAnd(v, vsplat(0xffff));
        v = mi.d16_hi ? b_.CreateOr(b_.CreateShl(half, 16), b_.CreateAnd(old, vsplat(0xffff)))
                      : b_.CreateOr(half, b_.CreateAnd(old, vsplat(0xffff0000)));
      }
      result_u32(li, v);
      return true;
    }
    unsigned n = i.dst[0].dwords;
    std::vector<Node*> u(n, nullptr);
    std::vector<V*> v = load_dwords(a, n, u.data());
    for (unsigned q = 0; q < n; q++) write_vgpr(li, q, v[q] ? vector(v[q]) : u[q]);
    return true;
  }
  if (mi.elem_bytes < 4) {
    V* d = vec(read(i, data));
    if (mi.d16_hi) d = b_.CreateLShr(d, 16);
    store_small(a, mi.elem_bytes, d);
    return true;
  }
  std::vector<V*> d(data.dwords);
  for (unsigned q = 0; q < data.dwords; q++) d[q] = vec(read_dword(i, data, q));
  if (a.is_volatile) compiler_barrier();
  store_dwords(a, d);
  return true;
}

bool Lifter::lds_access(const LiftInst& li) {
  const Inst& i = li.inst;
  const isa::MemInfo& mi = isa::row(i.op).mem;
  if (i.gds) return false;
  switch (i.op) {
  case Op::ds_bpermute_b32: {
    V* x = vec(read(i, i.src[1]));
    if (!exec_full()) x = b_.CreateSelect(exec_mask(), x, vsplat(0)); // inactive sources read as zero
    V* idx = b_.CreateLShr(b_.CreateAdd(vec(read(i, i.src[0])), vsplat(static_cast<uint32_t>(i.offset))), 2);
    result_u32(li, permute(x, idx));
    return true;
  }
  case Op::ds_permute_b32: {
    V* mem = spill_vec(Constant::getNullValue(vi32_), 0);
    V* idx = b_.CreateLShr(b_.CreateAdd(vec(read(i, i.src[0])), vsplat(static_cast<uint32_t>(i.offset))), 2);
    V* ptrs = b_.CreateGEP(i32_, mem, b_.CreateZExt(b_.CreateAnd(idx, vsplat(63)), vi64_));
    b_.CreateMaskedScatter(vec(read(i, i.src[1])), ptrs, Align(4), exec_mask());
    result_u32(li, b_.CreateLoad(vi32_, mem));
    return true;
  }
  case Op::ds_swizzle_b32: {
    unsigned o = static_cast<uint16_t>(i.offset);
    if (o >= 0xc000) return false; // rotate and FFT modes
    std::vector<int> idx(64);
    for (int l = 0; l < 64; l++) {
      if (o & 0x8000) idx[l] = (l & ~3) | ((o >> (2 * (l & 3))) & 3);
      else idx[l] = (l & 32) | ((((l & 31) & (o & 31)) | (o >> 5 & 31)) ^ (o >> 10 & 31));
    }
    V* x = vec(read(i, i.src[0]));
    if (!exec_full()) x = b_.CreateSelect(exec_mask(), x, vsplat(0));
    result_u32(li, shuffle(x, nullptr, idx));
    return true;
  }
  default: break;
  }
  if (mi.kind == MemKind::other || mi.kind == MemKind::none) return false;
  if (isa::row(i.op).traits & isa::kReadsM0) return false; // addressed by M0 and lane number
  if (mi.kind == MemKind::atomic) {
    if (mi.two_address || mi.atomic == isa::AtomicOp::other || mi.atomic == isa::AtomicOp::wrap || mi.atomic == isa::AtomicOp::mskor)
      return false;
    Address a = lds_address(read(i, i.src[0]), static_cast<uint32_t>(i.offset));
    bool wide64 = mi.elem_bytes == 8;
    auto value = [&](const Operand& o) -> V* {
      if (!o.present()) return nullptr;
      return wide64 ? vec64(join(read_dword(i, o, 0), read_dword(i, o, 1))) : vec(read(i, o));
    };
    V *d = value(i.src[1]), *c = nullptr;
    if (mi.atomic == isa::AtomicOp::cmpswap) c = d, d = value(i.src[2]); // data0 compares, data1 is stored
    atomic(li, a, d, c, mi.returns, true);
    return true;
  }
  unsigned elem = mi.elem_bytes >= 4 ? mi.elem_bytes : 0;
  if (mi.two_address) {
    int64_t scale = int64_t(elem) * (mi.stride64 ? 64 : 1);
    for (int k = 0; k < 2; k++) {
      Address a = lds_address(read(i, i.src[0]), (k ? i.offset1 : i.offset0) * scale);
      unsigned n = elem / 4;
      if (mi.kind == MemKind::load) {
        two_results_[k] = load_dwords(a, n, nullptr);
      } else {
        const Operand& o = i.src[1 + k];
        std::vector<V*> d(n);
        for (unsigned q = 0; q < n; q++) d[q] = vec(read_dword(i, o, q));
        store_dwords(a, d);
      }
    }
    if (mi.kind == MemKind::load) { // written after both reads: the address register may be overwritten
      unsigned n = elem / 4;
      for (int k = 0; k < 2; k++)
        for (unsigned q = 0; q < n; q++) write_vgpr(li, k * n + q, vector(two_results_[k][q]));
    }
    return true;
  }
  Address a = lds_address(read(i, i.src[0]), static_cast<uint32_t>(i.offset));
  if (mi.kind == MemKind::load) {
    if (mi.elem_bytes < 4) {
      V* v = load_small(a, mi.elem_bytes);
      if (mi.sign_extend) {
        unsigned sh = 32 - 8 * mi.elem_bytes;
        v = b_.CreateAShr(b_.CreateShl(v, sh), sh);
      }
      if (mi.d16) {
        V* old = vec(get(reg_index(i.dst[0].code)));
        V* half = b_.CreateAnd(v, vsplat(0xffff));
        v = mi.d16_hi ? b_.CreateOr(b_.CreateShl(half, 16), b_.CreateAnd(old, vsplat(0xffff)))
                      : b_.CreateOr(half, b_.CreateAnd(old, vsplat(0xffff0000)));
      }
      result_u32(li, v);
      return true;
    }
    unsigned n = i.dst[0].dwords;
    std::vector<Node*> u(n, nullptr);
    std::vector<V*> v = load_dwords(a, n, u.data());
    for (unsigned q = 0; q < n; q++) write_vgpr(li, q, v[q] ? vector(v[q]) : u[q]);
    return true;
  }
  const Operand& o = i.src[1];
  if (mi.elem_bytes < 4) {
    V* d = vec(read(i, o));
    if (mi.d16_hi) d = b_.CreateLShr(d, 16);
    store_small(a, mi.elem_bytes, d);
    return true;
  }
  std::vector<V*> d(o.dwords);
  for (unsigned q = 0; q < o.dwords; q++) d[q] = vec(read_dword(i, o, q));
  store_dwords(a, d);
  return true;
}

} // namespace pumice::jit
