// SPDX-License-Identifier: MIT
// SOP2 and SOP1: scalar arithmetic, bit operations, EXEC saving, relative moves.
#include "exec/scalar.h"
#include <algorithm>

namespace pumice::exec {
namespace {

using u32 = uint32_t;
using i32 = int32_t;
using u64 = uint64_t;
using i64 = int64_t;

template <class T> int leading_same_as_sign(T v) {
  using U = std::make_unsigned_t<T>;
  U u = static_cast<U>(v < 0 ? ~v : v);
  return u == 0 ? -1 : std::countl_zero(u);
}
// Field of S1: offset in the low bits, width in bits 22:16.
template <class T> T field_of(T v, u32 spec) {
  constexpr unsigned kBits = sizeof(T) * 8;
  using U = std::make_unsigned_t<T>;
  unsigned offset = spec & (kBits - 1), width = std::min(spec >> 16 & 0x7f, kBits - offset);
  if (width == 0)
    return 0;
  U up = static_cast<U>(v) << (kBits - offset - width);
  return static_cast<T>(static_cast<T>(up) >> (kBits - width));
}
u64 quads_with_a_bit(u64 v) {
  return (v | v >> 1 | v >> 2 | v >> 3) & 0x1111111111111111;
}
u64 quad_mask(u64 v) {
  u64 quads = quads_with_a_bit(v), packed = 0;
  for (unsigned i = 0; i < 16; ++i)
    packed |= (quads >> 4 * i & 1) << i;
  return packed;
}
template <class T> T reversed(T v) {
  T r = 0;
  for (unsigned i = 0; i < sizeof(T) * 8; ++i)
    r |= (v >> i & 1) << (sizeof(T) * 8 - 1 - i);
  return r;
}

WithScc<u32> shift_add(u32 x, unsigned n, u32 y) {
  u64 r = (u64{x} << n) + y;
  return {static_cast<u32>(r), r >> 32 != 0};
}

void bind_arithmetic(Bodies& b) {
  bind_scalar(b, Op::s_add_u32, [](Wave&, u32 x, u32 y) { return WithScc<u32>{x + y, x + y < x}; });
  bind_scalar(b, Op::s_sub_u32, [](Wave&, u32 x, u32 y) { return WithScc<u32>{x - y, x < y}; });
  bind_scalar(b, Op::s_add_i32, [](Wave&, i32 x, i32 y) {
    i32 r;
    bool overflow = __builtin_add_overflow(x, y, &r);
    return WithScc<i32>{r, overflow};
  });
  bind_scalar(b, Op::s_sub_i32, [](Wave&, i32 x, i32 y) {
    i32 r;
    bool overflow = __builtin_sub_overflow(x, y, &r);
    return WithScc<i32>{r, overflow};
  });
  bind_scalar(b, Op::s_addc_u32, [](Wave& w, u32 x, u32 y) {
    u64 r = u64{x} + y + w.scc;
    return WithScc<u32>{static_cast<u32>(r), r >> 32 != 0};
  });
  bind_scalar(b, Op::s_subb_u32, [](Wave& w, u32 x, u32 y) {
    return WithScc<u32>{x - y - w.scc, u64{y} + w.scc > x};
  });
  bind_scalar(b, Op::s_min_i32,
              [](Wave&, i32 x, i32 y) { return WithScc<i32>{std::min(x, y), x < y}; });
  bind_scalar(b, Op::s_min_u32,
              [](Wave&, u32 x, u32 y) { return WithScc<u32>{std::min(x, y), x < y}; });
  bind_scalar(b, Op::s_max_i32,
              [](Wave&, i32 x, i32 y) { return WithScc<i32>{std::max(x, y), x > y}; });
  bind_scalar(b, Op::s_max_u32,
              [](Wave&, u32 x, u32 y) { return WithScc<u32>{std::max(x, y), x > y}; });
  bind_scalar(b, Op::s_cselect_b32, [](Wave& w, u32 x, u32 y) { return w.scc ? x : y; });
  bind_scalar(b, Op::s_cselect_b64, [](Wave& w, u64 x, u64 y) { return w.scc ? x : y; });
  bind_scalar(b, Op::s_mul_i32, [](Wave&, u32 x, u32 y) { return x * y; });
  bind_scalar(b, Op::s_mul_hi_u32,
              [](Wave&, u32 x, u32 y) { return static_cast<u32>(u64{x} * y >> 32); });
  bind_scalar(b, Op::s_mul_hi_i32,
              [](Wave&, i32 x, i32 y) { return static_cast<u32>(i64{x} * y >> 32); });
  bind_scalar(b, Op::s_absdiff_i32, [](Wave&, i32 x, i32 y) {
    u32 d = static_cast<u32>(x) - static_cast<u32>(y);
    return nonzero(static_cast<i32>(d) < 0 ? 0 - d : d);
  });
  bind_scalar(b, Op::s_abs_i32, [](Wave&, i32 x) {
    return nonzero(x < 0 ? 0u - static_cast<u32>(x) : static_cast<u32>(x));
  });
  bind_scalar(b, Op::s_lshl1_add_u32, [](Wave&, u32 x, u32 y) { return shift_add(x, 1, y); });
  bind_scalar(b, Op::s_lshl2_add_u32, [](Wave&, u32 x, u32 y) { return shift_add(x, 2, y); });
  bind_scalar(b, Op::s_lshl3_add_u32, [](Wave&, u32 x, u32 y) { return shift_add(x, 3, y); });
  bind_scalar(b, Op::s_lshl4_add_u32, [](Wave&, u32 x, u32 y) { return shift_add(x, 4, y); });
  bind_scalar(b, Op::s_pack_ll_b32_b16, [](Wave&, u32 x, u32 y) { return (x & 0xffff) | y << 16; });
  bind_scalar(b, Op::s_pack_lh_b32_b16,
              [](Wave&, u32 x, u32 y) { return (x & 0xffff) | (y & 0xffff0000); });
  bind_scalar(b, Op::s_pack_hh_b32_b16,
              [](Wave&, u32 x, u32 y) { return x >> 16 | (y & 0xffff0000); });
}

void bind_logic(Bodies& b) {
  bind_scalar(b, Op::s_and_b32, [](Wave&, u32 x, u32 y) { return nonzero(x & y); });
  bind_scalar(b, Op::s_and_b64, [](Wave&, u64 x, u64 y) { return nonzero(x & y); });
  bind_scalar(b, Op::s_or_b32, [](Wave&, u32 x, u32 y) { return nonzero(x | y); });
  bind_scalar(b, Op::s_or_b64, [](Wave&, u64 x, u64 y) { return nonzero(x | y); });
  bind_scalar(b, Op::s_xor_b32, [](Wave&, u32 x, u32 y) { return nonzero(x ^ y); });
  bind_scalar(b, Op::s_xor_b64, [](Wave&, u64 x, u64 y) { return nonzero(x ^ y); });
  bind_scalar(b, Op::s_andn2_b32, [](Wave&, u32 x, u32 y) { return nonzero(x & ~y); });
  bind_scalar(b, Op::s_andn2_b64, [](Wave&, u64 x, u64 y) { return nonzero(x & ~y); });
  bind_scalar(b, Op::s_orn2_b32, [](Wave&, u32 x, u32 y) { return nonzero(x | ~y); });
  bind_scalar(b, Op::s_orn2_b64, [](Wave&, u64 x, u64 y) { return nonzero(x | ~y); });
  bind_scalar(b, Op::s_nand_b32, [](Wave&, u32 x, u32 y) { return nonzero(~(x & y)); });
  bind_scalar(b, Op::s_nand_b64, [](Wave&, u64 x, u64 y) { return nonzero(~(x & y)); });
  bind_scalar(b, Op::s_nor_b32, [](Wave&, u32 x, u32 y) { return nonzero(~(x | y)); });
  bind_scalar(b, Op::s_nor_b64, [](Wave&, u64 x, u64 y) { return nonzero(~(x | y)); });
  bind_scalar(b, Op::s_xnor_b32, [](Wave&, u32 x, u32 y) { return nonzero(~(x ^ y)); });
  bind_scalar(b, Op::s_xnor_b64, [](Wave&, u64 x, u64 y) { return nonzero(~(x ^ y)); });
  bind_scalar(b, Op::s_not_b32, [](Wave&, u32 x) { return nonzero(~x); });
  bind_scalar(b, Op::s_not_b64, [](Wave&, u64 x) { return nonzero(~x); });
  bind_scalar(b, Op::s_lshl_b32, [](Wave&, u32 x, u32 n) { return nonzero(x << (n & 31)); });
  bind_scalar(b, Op::s_lshl_b64, [](Wave&, u64 x, u32 n) { return nonzero(x << (n & 63)); });
  bind_scalar(b, Op::s_lshr_b32, [](Wave&, u32 x, u32 n) { return nonzero(x >> (n & 31)); });
  bind_scalar(b, Op::s_lshr_b64, [](Wave&, u64 x, u32 n) { return nonzero(x >> (n & 63)); });
  bind_scalar(b, Op::s_ashr_i32, [](Wave&, i32 x, u32 n) { return nonzero(x >> (n & 31)); });
  bind_scalar(b, Op::s_ashr_i64, [](Wave&, i64 x, u32 n) { return nonzero(x >> (n & 63)); });
  bind_scalar(b, Op::s_bfm_b32,
              [](Wave&, u32 n, u32 at) { return ((1u << (n & 31)) - 1) << (at & 31); });
  bind_scalar(b, Op::s_bfm_b64,
              [](Wave&, u32 n, u32 at) { return ((u64{1} << (n & 63)) - 1) << (at & 63); });
  bind_scalar(b, Op::s_bfe_u32, [](Wave&, u32 x, u32 f) { return nonzero(field_of(x, f)); });
  bind_scalar(b, Op::s_bfe_i32, [](Wave&, i32 x, u32 f) { return nonzero(field_of(x, f)); });
  bind_scalar(b, Op::s_bfe_u64, [](Wave&, u64 x, u32 f) { return nonzero(field_of(x, f)); });
  bind_scalar(b, Op::s_bfe_i64, [](Wave&, i64 x, u32 f) { return nonzero(field_of(x, f)); });
}

void bind_bits(Bodies& b) {
  bind_scalar(b, Op::s_wqm_b32,
              [](Wave&, u32 x) { return nonzero(static_cast<u32>(quads_with_a_bit(x) * 15)); });
  bind_scalar(b, Op::s_wqm_b64, [](Wave&, u64 x) { return nonzero(quads_with_a_bit(x) * 15); });
  bind_scalar(b, Op::s_quadmask_b32,
              [](Wave&, u32 x) { return nonzero(static_cast<u32>(quad_mask(x))); });
  bind_scalar(b, Op::s_quadmask_b64, [](Wave&, u64 x) { return nonzero(quad_mask(x)); });
  bind_scalar(b, Op::s_brev_b32, [](Wave&, u32 x) { return reversed(x); });
  bind_scalar(b, Op::s_brev_b64, [](Wave&, u64 x) { return reversed(x); });
  bind_scalar(b, Op::s_bcnt0_i32_b32, [](Wave&, u32 x) { return nonzero(std::popcount(~x)); });
  bind_scalar(b, Op::s_bcnt0_i32_b64, [](Wave&, u64 x) { return nonzero(std::popcount(~x)); });
  bind_scalar(b, Op::s_bcnt1_i32_b32, [](Wave&, u32 x) { return nonzero(std::popcount(x)); });
  bind_scalar(b, Op::s_bcnt1_i32_b64, [](Wave&, u64 x) { return nonzero(std::popcount(x)); });
  bind_scalar(b, Op::s_ff0_i32_b32, [](Wave&, u32 x) { return ~x ? std::countr_one(x) : -1; });
  bind_scalar(b, Op::s_ff0_i32_b64, [](Wave&, u64 x) { return ~x ? std::countr_one(x) : -1; });
  bind_scalar(b, Op::s_ff1_i32_b32, [](Wave&, u32 x) { return x ? std::countr_zero(x) : -1; });
  bind_scalar(b, Op::s_ff1_i32_b64, [](Wave&, u64 x) { return x ? std::countr_zero(x) : -1; });
  bind_scalar(b, Op::s_flbit_i32_b32, [](Wave&, u32 x) { return x ? std::countl_zero(x) : -1; });
  bind_scalar(b, Op::s_flbit_i32_b64, [](Wave&, u64 x) { return x ? std::countl_zero(x) : -1; });
  bind_scalar(b, Op::s_flbit_i32, [](Wave&, i32 x) { return leading_same_as_sign(x); });
  bind_scalar(b, Op::s_flbit_i32_i64, [](Wave&, i64 x) { return leading_same_as_sign(x); });
  bind_scalar(b, Op::s_sext_i32_i8, [](Wave&, i32 x) { return i32{static_cast<int8_t>(x)}; });
  bind_scalar(b, Op::s_sext_i32_i16, [](Wave&, i32 x) { return i32{static_cast<int16_t>(x)}; });
  bind_scalar(b, Op::s_bitreplicate_b64_b32, [](Wave&, u32 x) {
    u64 r = 0;
    for (unsigned i = 0; i < 32; ++i)
      r |= (u64{x} >> i & 1) * 3 << 2 * i;
    return r;
  });
  // These keep the rest of their destination.
  b.bind(Op::s_bitset0_b32, [](Wave& w, const Inst& i) {
    write_scalar(w, i.dst[0],
                 read_scalar(w, i, i.dst[0]) & ~(1u << (read_scalar(w, i, i.src[0]) & 31)));
  });
  b.bind(Op::s_bitset0_b64, [](Wave& w, const Inst& i) {
    write_scalar(w, i.dst[0],
                 read_scalar(w, i, i.dst[0]) & ~(u64{1} << (read_scalar(w, i, i.src[0]) & 63)));
  });
  b.bind(Op::s_bitset1_b32, [](Wave& w, const Inst& i) {
    write_scalar(w, i.dst[0],
                 read_scalar(w, i, i.dst[0]) | 1u << (read_scalar(w, i, i.src[0]) & 31));
  });
  b.bind(Op::s_bitset1_b64, [](Wave& w, const Inst& i) {
    write_scalar(w, i.dst[0],
                 read_scalar(w, i, i.dst[0]) | u64{1} << (read_scalar(w, i, i.src[0]) & 63));
  });
}

void bind_moves(Bodies& b) {
  bind_scalar(b, Op::s_mov_b32, [](Wave&, u32 x) { return x; });
  bind_scalar(b, Op::s_mov_b64, [](Wave&, u64 x) { return x; });
  Body cmov = [](Wave& w, const Inst& i) {
    if (w.scc)
      write_scalar(w, i.dst[0], read_scalar(w, i, i.src[0]));
  };
  b.bind(Op::s_cmov_b32, cmov);
  b.bind(Op::s_cmov_b64, cmov);
  // Relative moves: M0 is added to the register number; outside the SGPRs nothing happens.
  Body from_relative = [](Wave& w, const Inst& i) {
    Operand o = i.src[0];
    o.code = static_cast<uint16_t>(o.code + w.sgpr[isa::kM0]);
    if (o.code + o.dwords <= 102u)
      write_scalar(w, i.dst[0], read_scalar(w, i, o));
  };
  Body to_relative = [](Wave& w, const Inst& i) {
    Operand o = i.dst[0];
    o.code = static_cast<uint16_t>(o.code + w.sgpr[isa::kM0]);
    if (o.code + o.dwords <= 102u)
      write_scalar(w, o, read_scalar(w, i, i.src[0]));
  };
  b.bind(Op::s_movrels_b32, from_relative);
  b.bind(Op::s_movrels_b64, from_relative);
  b.bind(Op::s_movreld_b32, to_relative);
  b.bind(Op::s_movreld_b64, to_relative);
}

/// D = old EXEC; EXEC = f(S0, EXEC); SCC = EXEC != 0.
template <class F> void bind_saveexec(Bodies& b, Op op, F) {
  b.bind(op, [](Wave& w, const Inst& i) {
    u64 s = read_scalar(w, i, i.src[0]), old = w.exec();
    write_scalar(w, i.dst[0], old);
    w.set_exec(F{}(s, old));
    w.scc = w.exec() != 0;
  });
}
/// EXEC = f(S0, EXEC); D = EXEC; SCC = EXEC != 0.
template <class F> void bind_wrexec(Bodies& b, Op op, F) {
  b.bind(op, [](Wave& w, const Inst& i) {
    u64 r = F{}(read_scalar(w, i, i.src[0]), w.exec());
    write_scalar(w, i.dst[0], r);
    w.set_exec(r);
    w.scc = r != 0;
  });
}

void bind_exec(Bodies& b) {
  bind_saveexec(b, Op::s_and_saveexec_b64, [](u64 s, u64 e) { return s & e; });
  bind_saveexec(b, Op::s_or_saveexec_b64, [](u64 s, u64 e) { return s | e; });
  bind_saveexec(b, Op::s_xor_saveexec_b64, [](u64 s, u64 e) { return s ^ e; });
  bind_saveexec(b, Op::s_andn2_saveexec_b64, [](u64 s, u64 e) { return s & ~e; });
  bind_saveexec(b, Op::s_orn2_saveexec_b64, [](u64 s, u64 e) { return s | ~e; });
  bind_saveexec(b, Op::s_nand_saveexec_b64, [](u64 s, u64 e) { return ~(s & e); });
  bind_saveexec(b, Op::s_nor_saveexec_b64, [](u64 s, u64 e) { return ~(s | e); });
  bind_saveexec(b, Op::s_xnor_saveexec_b64, [](u64 s, u64 e) { return ~(s ^ e); });
  bind_saveexec(b, Op::s_andn1_saveexec_b64, [](u64 s, u64 e) { return ~s & e; });
  bind_saveexec(b, Op::s_orn1_saveexec_b64, [](u64 s, u64 e) { return ~s | e; });
  bind_wrexec(b, Op::s_andn1_wrexec_b64, [](u64 s, u64 e) { return ~s & e; });
  bind_wrexec(b, Op::s_andn2_wrexec_b64, [](u64 s, u64 e) { return s & ~e; });
}

} // namespace

void bind_scalar1(Bodies& b) {
  bind_arithmetic(b);
  bind_logic(b);
  bind_bits(b);
  bind_moves(b);
  bind_exec(b);
}

} // namespace pumice::exec
