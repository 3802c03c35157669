// SPDX-License-Identifier: MIT
// Integer and move instructions whose results may keep a scalar base. Everything here also runs dry.
#include "jit/lifter.h"
#include <bit>

using namespace llvm;
namespace pumice::jit {
using isa::Op;

Value* Lifter::binop(BinOp op, V* a, V* b) {
  Type* t = a->getType();
  unsigned w = t->getScalarSizeInBits();
  auto amount = [&](V* x) { return b_.CreateAnd(x, ConstantInt::get(t, w - 1)); };
  switch (op) {
  case BinOp::add: return b_.CreateAdd(a, b);
  case BinOp::sub: return b_.CreateSub(a, b);
  case BinOp::mul: return b_.CreateMul(a, b);
  case BinOp::shl: return b_.CreateShl(a, amount(b));
  case BinOp::lshr: return b_.CreateLShr(a, amount(b));
  case BinOp::ashr: return b_.CreateAShr(a, amount(b));
  case BinOp::and_: return b_.CreateAnd(a, b);
  case BinOp::or_: return b_.CreateOr(a, b);
  case BinOp::xor_: return b_.CreateXor(a, b);
  case BinOp::umin: return b_.CreateBinaryIntrinsic(Intrinsic::umin, a, b);
  case BinOp::umax: return b_.CreateBinaryIntrinsic(Intrinsic::umax, a, b);
  case BinOp::smin: return b_.CreateBinaryIntrinsic(Intrinsic::smin, a, b);
  case BinOp::smax: return b_.CreateBinaryIntrinsic(Intrinsic::smax, a, b);
  }
  return nullptr;
}

static int64_t s32(int64_t v) { return static_cast<int32_t>(v); }
static unsigned bits_of(uint64_t v) { return v ? 64 - std::countl_zero(v) : 0; }

/// Bits that the base may have set.
static uint64_t base_ones(const Node* n) {
  return n->bits > n->align ? ((1ull << n->bits) - 1) & ~((1ull << std::min<unsigned>(n->align, 63)) - 1) : 0;
}

/// Bits that the pattern sets in some lane; ~0 when it has negative offsets.
static uint64_t pattern_ones(const Node* n) {
  if (n->pat->min < 0) return ~0ull;
  uint64_t ones = 0;
  for (int64_t v : n->pat->lane) ones |= static_cast<uint64_t>(v);
  return ones;
}

/// Base and pattern share no bit: their sum is their union, and what acts on single bits acts on each apart.
static bool apart(const Node* n) { return !(base_ones(n) & pattern_ones(n)) && !(pattern_ones(n) >> 32); }

/// Bits that some lane may have set; 0 when that is not known (or the node is zero).
static uint64_t possible_ones(const Node* n) {
  if (n->form == Form::uniform) return base_ones(n);
  return apart(n) ? base_ones(n) | pattern_ones(n) : 0;
}

/// 32-bit arithmetic that keeps uniform and affine forms where the result has one.
Node* Lifter::arith(BinOp op, Node* a, Node* b) {
  a = view(a);
  b = view(b);
  auto sc = [&]() -> V* { return dry_ ? nullptr : binop(op, a->s, b->s); };
  bool ua = a->form == Form::uniform, ub = b->form == Form::uniform;
  if (ua && ub) {
    unsigned al = 0, nb = 32;
    if (a->is_const && b->is_const) {
      uint32_t x = a->cval, y = b->cval, r = 0;
      switch (op) {
      case BinOp::add: r = x + y; break;
      case BinOp::sub: r = x - y; break;
      case BinOp::mul: r = x * y; break;
      case BinOp::shl: r = x << (y & 31); break;
      case BinOp::lshr: r = x >> (y & 31); break;
      case BinOp::ashr: r = static_cast<uint32_t>(static_cast<int32_t>(x) >> (y & 31)); break;
      case BinOp::and_: r = x & y; break;
      case BinOp::or_: r = x | y; break;
      case BinOp::xor_: r = x ^ y; break;
      case BinOp::umin: r = std::min(x, y); break;
      case BinOp::umax: r = std::max(x, y); break;
      case BinOp::smin: r = static_cast<uint32_t>(std::min<int32_t>(x, y)); break;
      case BinOp::smax: r = static_cast<uint32_t>(std::max<int32_t>(x, y)); break;
      }
      return constant(r);
    }
    switch (op) {
    case BinOp::add: al = std::min(a->align, b->align); nb = std::max(a->bits, b->bits) + 1; break;
    case BinOp::sub: al = std::min(a->align, b->align); break;
    case BinOp::or_: case BinOp::xor_: al = std::min(a->align, b->align); nb = std::max(a->bits, b->bits); break;
    case BinOp::and_: al = std::max(a->align, b->align); nb = std::min(a->bits, b->bits); break;
    case BinOp::mul: al = a->align + b->align; nb = a->bits + b->bits; break;
    case BinOp::shl: if (b->is_const) al = a->align + (b->cval & 31), nb = a->bits + (b->cval & 31); break;
    case BinOp::lshr:
      nb = a->bits;
      if (b->is_const) {
        unsigned k = b->cval & 31;
        al = a->align > k ? a->align - k : 0;
        nb = a->bits > k ? a->bits - k : 0;
      }
      break;
    case BinOp::umin: nb = std::min(a->bits, b->bits); break;
    case BinOp::umax: nb = std::max(a->bits, b->bits); break;
    default: break;
    }
    return uniform(sc(), nb, al);
  }
  bool aa = ua || a->form == Form::affine, ab = ub || b->form == Form::affine;
  if (aa && ab) {
    auto with = [&](const Pattern* p, unsigned nb, unsigned al) { return affine(sc(), p, nb, al); };
    switch (op) {
    case BinOp::add: case BinOp::sub:
      return with(pats_.zip(a->pat, b->pat, [&](int64_t x, int64_t y) { return s32(op == BinOp::add ? x + y : x - y); }),
                  op == BinOp::add ? std::max(a->bits, b->bits) + 1 : 32, std::min(a->align, b->align));
    case BinOp::shl:
      if (ub && b->is_const) {
        unsigned k = b->cval & 31;
        return with(pats_.map(a->pat, [&](int64_t x) { return s32(x << k); }), a->bits + k, a->align + k);
      }
      break;
    case BinOp::mul: {
      Node *x = ub ? a : b, *y = ub ? b : a;
      if (y->form == Form::uniform && y->is_const)
        return with(pats_.map(x->pat, [&](int64_t v) { return s32(v * static_cast<int64_t>(y->cval)); }),
                    x->bits + y->bits, x->align + y->align);
      break;
    }
    case BinOp::or_: case BinOp::xor_: {
      // Terms without a common bit: the same as their sum.
      uint64_t ma = possible_ones(a), mb = possible_ones(b);
      if (ma && mb && !(ma & mb))
        return with(pats_.zip(a->pat, b->pat, [](int64_t p, int64_t q) { return p + q; }), std::max(a->bits, b->bits),
                    std::min(a->align, b->align));
      Node *x = ua ? b : a, *y = ua ? a : b; // x affine
      if (y->form == Form::uniform && no_carry(x)) {
        unsigned top = bits_of(static_cast<uint64_t>(x->pat->max)); // pattern lives in bits [0, top)
        if (x->align >= top) {
          if (y->is_const) {
            // Bits below `top` touch only the pattern, bits above only the base.
            uint32_t low = y->cval & ((1ull << top) - 1);
            const Pattern* p =
                pats_.map(x->pat, [&](int64_t v) { return op == BinOp::or_ ? (v | low) : (v ^ low); });
            V* base = dry_ ? nullptr : binop(op, x->s, i32c(y->cval & ~static_cast<uint32_t>((1ull << top) - 1)));
            return affine(base, p, std::max(x->bits, y->bits), std::min<unsigned>(x->align, top));
          }
          if (y->align >= top) return with(x->pat, std::max(x->bits, y->bits), std::min(x->align, y->align));
        }
      } else if (!ua && !ub && no_carry(a) && no_carry(b)) {
        unsigned top = bits_of(static_cast<uint64_t>(std::max(a->pat->max, b->pat->max)));
        if (std::min(a->align, b->align) >= top)
          return with(pats_.zip(a->pat, b->pat, [&](int64_t p, int64_t q) { return op == BinOp::or_ ? (p | q) : (p ^ q); }),
                      std::max(a->bits, b->bits), std::min(a->align, b->align));
      }
      break;
    }
    case BinOp::and_: {
      Node *x = ua ? b : a, *y = ua ? a : b;
      if (y->form == Form::uniform && y->is_const && no_carry(x)) {
        unsigned top = bits_of(static_cast<uint64_t>(x->pat->max));
        if (x->align >= top || apart(x)) {
          const Pattern* p = pats_.map(x->pat, [&](int64_t v) { return v & static_cast<int64_t>(y->cval); });
          return with(p, std::min(x->bits, y->bits), std::max(x->align, y->align));
        }
      }
      break;
    }
    case BinOp::lshr: case BinOp::ashr:
      if (ub && b->is_const && no_carry(a) && a->bits < 32) {
        unsigned k = b->cval & 31, top = bits_of(static_cast<uint64_t>(a->pat->max));
        if (a->align >= top || a->align >= k || apart(a)) {
          // Either base and pattern have no bits in common, or the base contributes none that are shifted out.
          bool fits = a->bits < 31 && uint64_t(a->pat->max) + (1ull << a->bits) <= (1ull << 31);
          if (op == BinOp::lshr || fits)
            return with(pats_.map(a->pat, [&](int64_t v) { return v >> k; }), a->bits > k ? a->bits - k : 0,
                        a->align > k ? a->align - k : 0);
        }
      }
      break;
    default: break;
    }
  }
  return vector(dry_ ? nullptr : binop(op, vec(a), vec(b)));
}

Lifter::Target64 Lifter::add64(const Target64& a, unsigned shift, const Target64& b) {
  if (a.pair && b.pair) {
    Pair *x = a.pair, *y = b.pair;
    if (x->is_const && y->is_const && !(x->relative && (y->relative || shift)))
      return {pair_const((x->cval << shift) + y->cval, x->relative || y->relative), nullptr};
    const Pattern* p = pats_.zip(x->pat, y->pat, [&](int64_t u, int64_t v) {
      return static_cast<int64_t>((static_cast<uint64_t>(u) << shift) + static_cast<uint64_t>(v));
    });
    V* s = nullptr;
    if (!dry_) {
      s = pair_s(x);
      if (shift) s = b_.CreateShl(s, shift);
      s = b_.CreateAdd(s, pair_s(y));
    }
    return {pair_scalar(s, p), nullptr};
  }
  // An index and a scalar base stay that.
  auto scalar_base = [](const Target64& t) { return t.pair && t.pair->pat->zero; };
  if (!dry_ && a.wide && a.wide->index && a.wide->shift + shift <= 3 && scalar_base(b)) {
    V* base = pair_s(b.pair);
    if (a.wide->base) base = b_.CreateAdd(b_.CreateShl(a.wide->base, shift), base);
    return {nullptr, wide_index(a.wide->index, base, a.wide->shift + shift)};
  }
  if (!dry_ && b.wide && b.wide->index && scalar_base(a)) {
    V* base = b_.CreateShl(pair_s(a.pair), shift);
    if (b.wide->base) base = b_.CreateAdd(base, b.wide->base);
    return {nullptr, wide_index(b.wide->index, base, b.wide->shift)};
  }
  V* v = nullptr;
  if (!dry_) {
    v = vec64(a);
    if (shift) v = b_.CreateShl(v, shift);
    v = b_.CreateAdd(v, vec64(b));
  }
  return {nullptr, wide(v)};
}

/// Low half of a 64-bit addition; remembers its terms so that the high half can make one 64-bit add of both.
Node* Lifter::add_low(Node* a, Node* b) {
  Node* n = arith(BinOp::add, a, b);
  if (n->is_const && n->form == Form::uniform) { // constants are shared by nobody; still keep the terms
    Node* c = constant(n->cval);
    n = c;
  }
  n->add_a = a;
  n->add_b = b;
  return n;
}

bool Lifter::domain(const LiftInst& li) {
  const Inst& i = li.inst;
  if (!(isa::row(i.op).traits & isa::kValu)) return false;
  auto two = [&](BinOp op, bool swap = false) {
    if (!plain(i)) return false;
    Node *a = read(i, i.src[0]), *b = read(i, i.src[1]);
    if (swap) std::swap(a, b);
    result_node(li, arith(op, a, b));
    return true;
  };
  auto three = [&](BinOp first, BinOp second) { // D = (S0 first S1) second S2
    if (!plain(i)) return false;
    Node* t = arith(first, read(i, i.src[0]), read(i, i.src[1]));
    result_node(li, arith(second, t, read(i, i.src[2])));
    return true;
  };
  switch (i.op) {
  case Op::v_mov_b32: case Op::v_accvgpr_read_b32: case Op::v_accvgpr_write_b32: case Op::v_accvgpr_mov_b32: {
    if (!plain(i)) return false;
    Node* n = read(i, i.src[0]);
    // A lone half of a pair moves as 32 bits; the copy of both halves is rejoined by the pair's identity.
    result_node(li, n);
    return true;
  }
  case Op::v_mov_b64: {
    if (!plain(i)) return false;
    result_pair(li, read64(i, i.src[0]));
    return true;
  }
  case Op::v_add_u32: return two(BinOp::add);
  case Op::v_sub_u32: return two(BinOp::sub);
  case Op::v_subrev_u32: return two(BinOp::sub, true);
  case Op::v_mul_lo_u32: return two(BinOp::mul);
  case Op::v_lshlrev_b32: return two(BinOp::shl, true);
  case Op::v_lshrrev_b32: return two(BinOp::lshr, true);
  case Op::v_ashrrev_i32: {
    if (!plain(i)) return false;
    Node *k = view(read(i, i.src[0])), *x = read(i, i.src[1]);
    Node* n = arith(BinOp::ashr, x, k);
    if (k->is_const && (k->cval & 31) == 31 && n->form == Form::vector)
      n->sign_of = x;
    result_node(li, n);
    return true;
  }
  case Op::v_and_b32: return two(BinOp::and_);
  case Op::v_or_b32: return two(BinOp::or_);
  case Op::v_xor_b32: return two(BinOp::xor_);
  case Op::v_min_u32: return two(BinOp::umin);
  case Op::v_max_u32: return two(BinOp::umax);
  case Op::v_min_i32: return two(BinOp::smin);
  case Op::v_max_i32: return two(BinOp::smax);
  case Op::v_mul_u32_u24: case Op::v_mul_i32_i24: {
    if (!plain(i)) return false;
    Node *a = view(read(i, i.src[0])), *b = view(read(i, i.src[1]));
    unsigned limit = i.op == Op::v_mul_u32_u24 ? 24 : 23;
    auto small = [&](Node* n) {
      return n->form != Form::vector && n->bits <= limit && n->pat->min >= 0 &&
             uint64_t(n->pat->max) + (n->bits ? (1ull << n->bits) - 1 : 0) < (1ull << limit);
    };
    if (!small(a) || !small(b)) {
      if (dry_) return false;
      auto cut = [&](Node* n) {
        return i.op == Op::v_mul_u32_u24 ? b_.CreateAnd(vec(n), vsplat(0xffffff))
                                         : b_.CreateAShr(b_.CreateShl(vec(n), 8), 8);
      };
      result_u32(li, b_.CreateMul(cut(a), cut(b)));
      return true;
    }
    result_node(li, arith(BinOp::mul, a, b));
    return true;
  }
  case Op::v_mad_u32_u24: case Op::v_mad_i32_i24: {
    if (!plain(i)) return false;
    Node *a = view(read(i, i.src[0])), *b = view(read(i, i.src[1]));
    unsigned limit = i.op == Op::v_mad_u32_u24 ? 24 : 23;
    auto small = [&](Node* n) {
      return n->form != Form::vector && n->bits <= limit && n->pat->min >= 0 &&
             uint64_t(n->pat->max) + (n->bits ? (1ull << n->bits) - 1 : 0) < (1ull << limit);
    };
    if (!small(a) || !small(b)) {
      if (dry_) return false;
      auto cut = [&](Node* n) {
        return i.op == Op::v_mad_u32_u24 ? b_.CreateAnd(vec(n), vsplat(0xffffff))
                                         : b_.CreateAShr(b_.CreateShl(vec(n), 8), 8);
      };
      result_u32(li, b_.CreateAdd(b_.CreateMul(cut(a), cut(b)), vec(read(i, i.src[2]))));
      return true;
    }
    result_node(li, arith(BinOp::add, arith(BinOp::mul, a, b), read(i, i.src[2])));
    return true;
  }
  case Op::v_lshl_add_u32: return three(BinOp::shl, BinOp::add);
  case Op::v_lshl_or_b32: return three(BinOp::shl, BinOp::or_);
  case Op::v_add_lshl_u32: return three(BinOp::add, BinOp::shl);
  case Op::v_add3_u32: return three(BinOp::add, BinOp::add);
  case Op::v_or3_b32: return three(BinOp::or_, BinOp::or_);
  case Op::v_and_or_b32: return three(BinOp::and_, BinOp::or_);
  case Op::v_xad_u32: return three(BinOp::xor_, BinOp::add);
  case Op::v_bfe_u32: {
    if (!plain(i)) return false;
    Node *x = read(i, i.src[0]), *off = view(read(i, i.src[1])), *width = view(read(i, i.src[2]));
    if (!off->is_const || !width->is_const) {
      if (dry_) return false;
      V* w = b_.CreateAnd(vec(width), vsplat(31));
      V* mask = b_.CreateSub(b_.CreateShl(vsplat(1), w), vsplat(1));
      result_u32(li, b_.CreateAnd(b_.CreateLShr(vec(x), b_.CreateAnd(vec(off), vsplat(31))), mask));
      return true;
    }
    // Masking first keeps packed work-item ids apart before the shift.
    unsigned o = off->cval & 31, w = width->cval & 31;
    uint32_t field = static_cast<uint32_t>((((1ull << w) - 1) << o));
    result_node(li, arith(BinOp::lshr, arith(BinOp::and_, x, constant(field)), constant(o)));
    return true;
  }
  case Op::v_add_co_u32: case Op::v_sub_co_u32: case Op::v_subrev_co_u32: {
    if (!plain(i)) return false;
    Node *a = read(i, i.src[0]), *b = read(i, i.src[1]);
    if (i.op == Op::v_subrev_co_u32) std::swap(a, b);
    bool add = i.op == Op::v_add_co_u32;
    Node* n = add ? add_low(a, b) : arith(BinOp::sub, a, b);
    Pair* carry = pair_mask(nullptr);
    if (!dry_) {
      V* m = add ? b_.CreateICmpULT(vec(n), vec(a)) : b_.CreateICmpULT(vec(a), vec(b));
      if (!exec_full()) m = b_.CreateAnd(m, exec_mask());
      carry->mask = m;
    }
    put_pair(i.dst[1].code, carry);
    if (add) carry_of_[carry] = n;
    result_node(li, n);
    return true;
  }
  case Op::v_addc_co_u32: {
    if (!plain(i)) return false;
    Node *a = read(i, i.src[0]), *b = read(i, i.src[1]);
    Pair* cin = read64(i, i.src[2]).pair;
    auto it = carry_of_.find(cin);
    unsigned d = reg_index(i.dst[0].code);
    if (it == carry_of_.end() || !(d > kVgprIndex)) return false;
    Node* low = it->second;
    // Find the register that still holds the low sum; it becomes the pair's low half.
    for (unsigned cand : {d - 1, reg_index(i.dst[0].code + 1)}) {
      if (cand >= kRegCount || regs_[cand] != low) continue;
      if (cand != d - 1) break;
      Target64 sum = add64(join(low->add_a, a), 0, join(low->add_b, b));
      if (li.keep_inactive && !exec_full()) return false;
      Pair* cout = pair_mask(nullptr);
      if (!dry_) { // carry out is rarely read; dead code removal takes it away
        V* m = b_.CreateICmpULT(vec64(sum), vec64(join(low->add_a, a)));
        if (!exec_full()) m = b_.CreateAnd(m, exec_mask());
        cout->mask = m;
      }
      if (sum.pair) put_pair(d - 1, sum.pair);
      else put_wide(d - 1, sum.wide);
      put_pair(i.dst[1].code, cout);
      return true;
    }
    return false;
  }
  case Op::v_lshl_add_u64: {
    if (!plain(i)) return false;
    Node* k = view(read(i, i.src[1]));
    if (!k->is_const) return false;
    result_pair(li, add64(read64(i, i.src[0]), k->cval & 7, read64(i, i.src[2])));
    return true;
  }
  case Op::v_lshlrev_b64: {
    if (!plain(i)) return false;
    Node* k = view(read(i, i.src[0]));
    if (!k->is_const) return false;
    Target64 x = read64(i, i.src[1]);
    unsigned sh = k->cval & 63;
    if (x.pair) {
      Pair* p = x.pair;
      if (p->is_const && !p->relative) result_pair(li, {pair_const(p->cval << sh), nullptr});
      else
        result_pair(li, {pair_scalar(dry_ ? nullptr : b_.CreateShl(pair_s(p), sh), pats_.map(p->pat, [&](int64_t v) {
                           return static_cast<int64_t>(static_cast<uint64_t>(v) << sh);
                         })),
                         nullptr});
    } else {
      Wide* w = x.wide;
      if (w->index && w->shift + sh <= 3)
        result_pair(li, {nullptr, wide_index(w->index, w->base ? b_.CreateShl(w->base, sh) : nullptr, w->shift + sh)});
      else result_pair(li, {nullptr, wide(dry_ ? nullptr : b_.CreateShl(wide_v(w), sh))});
    }
    return true;
  }
  case Op::v_mad_u64_u32: {
    if (i.clamp) return false;
    if (!plain(i)) return false;
    Node *a = view(read(i, i.src[0])), *b = view(read(i, i.src[1]));
    Target64 c = read64(i, i.src[2]);
    bool ua = a->form == Form::uniform, ub = b->form == Form::uniform;
    Target64 prod;
    if (ua && ub) {
      prod.pair = a->is_const && b->is_const
                      ? pair_const(uint64_t(a->cval) * b->cval)
                      : pair_scalar(dry_ ? nullptr : b_.CreateMul(b_.CreateZExt(a->s, i64_), b_.CreateZExt(b->s, i64_)));
    } else if ((ua && a->is_const && b->form == Form::affine && no_carry(b)) ||
               (ub && b->is_const && a->form == Form::affine && no_carry(a))) {
      Node *x = ua ? b : a, *k = ua ? a : b;
      prod.pair = pair_scalar(dry_ ? nullptr : b_.CreateMul(b_.CreateZExt(x->s, i64_), i64c(k->cval)),
                              pats_.map(x->pat, [&](int64_t v) { return v * static_cast<int64_t>(k->cval); }));
    } else {
      prod.wide = wide(dry_ ? nullptr : b_.CreateMul(b_.CreateZExt(vec(a), vi64_), b_.CreateZExt(vec(b), vi64_)));
    }
    Target64 sum = add64(prod, 0, c);
    Pair* cout = pair_mask(nullptr);
    if (!dry_) {
      V* m = b_.CreateICmpULT(vec64(sum), vec64(c));
      if (!exec_full()) m = b_.CreateAnd(m, exec_mask());
      cout->mask = m;
    }
    put_pair(i.dst[1].code, cout);
    result_pair(li, sum);
    return true;
  }
  case Op::v_mbcnt_lo_u32_b32: case Op::v_mbcnt_hi_u32_b32: { // with all ones: the lane number
    Node* m = view(read(i, i.src[0]));
    if (!plain(i) || !m->is_const || m->cval != ~0u) return false;
    std::array<int64_t, 64> below{};
    for (int l = 0; l < 64; l++) below[l] = i.op == Op::v_mbcnt_lo_u32_b32 ? std::min(l, 32) : std::max(l - 32, 0);
    Node* n = affine(dry_ ? nullptr : i32c(0), pats_.make(below), 0, 32);
    result_node(li, arith(BinOp::add, n, read(i, i.src[1])));
    return true;
  }
  case Op::v_readfirstlane_b32: case Op::v_readlane_b32: {
    Node* x = view(read(i, i.src[0]));
    if (x->form == Form::uniform) {
      put(i.dst[0].code, x);
      return true;
    }
    return false;
  }
  default: return false;
  }
}

} // namespace pumice::jit
