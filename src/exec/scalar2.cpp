// SPDX-License-Identifier: MIT
// SOPK and SOPC: scalar immediates, compares, VGPR index mode.
#include "exec/scalar.h"

namespace pumice::exec {
namespace {

using u32 = uint32_t;
using i32 = int32_t;
using u64 = uint64_t;

constexpr u32 kGprIndexEnable = 1u << 27; // MODE

u32 k_unsigned(const Inst& i) {
  return static_cast<u32>(i.simm16) & 0xffff;
}

template <class F> void bind_cmpk_i(Bodies& b, Op op, F) {
  b.bind(op, [](Wave& w, const Inst& i) {
    w.scc = F{}(static_cast<i32>(read_scalar(w, i, i.src[0])), i.simm16);
  });
}
template <class F> void bind_cmpk_u(Bodies& b, Op op, F) {
  b.bind(op, [](Wave& w, const Inst& i) {
    w.scc = F{}(static_cast<u32>(read_scalar(w, i, i.src[0])), k_unsigned(i));
  });
}

void bind_immediates(Bodies& b) {
  b.bind(Op::s_movk_i32,
         [](Wave& w, const Inst& i) { write_scalar(w, i.dst[0], static_cast<u32>(i.simm16)); });
  b.bind(Op::s_cmovk_i32, [](Wave& w, const Inst& i) {
    if (w.scc)
      write_scalar(w, i.dst[0], static_cast<u32>(i.simm16));
  });
  b.bind(Op::s_addk_i32, [](Wave& w, const Inst& i) {
    i32 r;
    w.scc = __builtin_add_overflow(static_cast<i32>(read_scalar(w, i, i.dst[0])), i.simm16, &r);
    write_scalar(w, i.dst[0], static_cast<u32>(r));
  });
  b.bind(Op::s_mulk_i32, [](Wave& w, const Inst& i) {
    write_scalar(w, i.dst[0],
                 static_cast<u32>(read_scalar(w, i, i.dst[0])) * static_cast<u32>(i.simm16));
  });
  bind_cmpk_i(b, Op::s_cmpk_eq_i32, [](i32 x, i32 k) { return x == k; });
  bind_cmpk_i(b, Op::s_cmpk_lg_i32, [](i32 x, i32 k) { return x != k; });
  bind_cmpk_i(b, Op::s_cmpk_gt_i32, [](i32 x, i32 k) { return x > k; });
  bind_cmpk_i(b, Op::s_cmpk_ge_i32, [](i32 x, i32 k) { return x >= k; });
  bind_cmpk_i(b, Op::s_cmpk_lt_i32, [](i32 x, i32 k) { return x < k; });
  bind_cmpk_i(b, Op::s_cmpk_le_i32, [](i32 x, i32 k) { return x <= k; });
  bind_cmpk_u(b, Op::s_cmpk_eq_u32, [](u32 x, u32 k) { return x == k; });
  bind_cmpk_u(b, Op::s_cmpk_lg_u32, [](u32 x, u32 k) { return x != k; });
  bind_cmpk_u(b, Op::s_cmpk_gt_u32, [](u32 x, u32 k) { return x > k; });
  bind_cmpk_u(b, Op::s_cmpk_ge_u32, [](u32 x, u32 k) { return x >= k; });
  bind_cmpk_u(b, Op::s_cmpk_lt_u32, [](u32 x, u32 k) { return x < k; });
  bind_cmpk_u(b, Op::s_cmpk_le_u32, [](u32 x, u32 k) { return x <= k; });
}

void bind_compares(Bodies& b) {
  bind_scalar(b, Op::s_cmp_eq_i32, [](Wave&, i32 x, i32 y) { return x == y; });
  bind_scalar(b, Op::s_cmp_lg_i32, [](Wave&, i32 x, i32 y) { return x != y; });
  bind_scalar(b, Op::s_cmp_gt_i32, [](Wave&, i32 x, i32 y) { return x > y; });
  bind_scalar(b, Op::s_cmp_ge_i32, [](Wave&, i32 x, i32 y) { return x >= y; });
  bind_scalar(b, Op::s_cmp_lt_i32, [](Wave&, i32 x, i32 y) { return x < y; });
  bind_scalar(b, Op::s_cmp_le_i32, [](Wave&, i32 x, i32 y) { return x <= y; });
  bind_scalar(b, Op::s_cmp_eq_u32, [](Wave&, u32 x, u32 y) { return x == y; });
  bind_scalar(b, Op::s_cmp_lg_u32, [](Wave&, u32 x, u32 y) { return x != y; });
  bind_scalar(b, Op::s_cmp_gt_u32, [](Wave&, u32 x, u32 y) { return x > y; });
  bind_scalar(b, Op::s_cmp_ge_u32, [](Wave&, u32 x, u32 y) { return x >= y; });
  bind_scalar(b, Op::s_cmp_lt_u32, [](Wave&, u32 x, u32 y) { return x < y; });
  bind_scalar(b, Op::s_cmp_le_u32, [](Wave&, u32 x, u32 y) { return x <= y; });
  bind_scalar(b, Op::s_cmp_eq_u64, [](Wave&, u64 x, u64 y) { return x == y; });
  bind_scalar(b, Op::s_cmp_lg_u64, [](Wave&, u64 x, u64 y) { return x != y; });
  bind_scalar(b, Op::s_bitcmp0_b32, [](Wave&, u32 x, u32 n) { return (x >> (n & 31) & 1) == 0; });
  bind_scalar(b, Op::s_bitcmp1_b32, [](Wave&, u32 x, u32 n) { return (x >> (n & 31) & 1) == 1; });
  bind_scalar(b, Op::s_bitcmp0_b64, [](Wave&, u64 x, u32 n) { return (x >> (n & 63) & 1) == 0; });
  bind_scalar(b, Op::s_bitcmp1_b64, [](Wave&, u64 x, u32 n) { return (x >> (n & 63) & 1) == 1; });
}

// VGPR index mode: while on, M0[7:0] is added to the vector registers that M0[15:12] names
// (interp.cpp).
void bind_index_mode(Bodies& b) {
  b.bind(Op::s_set_gpr_idx_on, [](Wave& w, const Inst& i) {
    w.mode |= kGprIndexEnable;
    u32 index = static_cast<u32>(read_scalar(w, i, i.src[0])) & 0xff;
    w.sgpr[isa::kM0] =
        (w.sgpr[isa::kM0] & ~0xf0ffu) | index | (static_cast<u32>(i.simm16) & 15) << 12;
  });
  b.bind(Op::s_set_gpr_idx_off, [](Wave& w, const Inst&) { w.mode &= ~kGprIndexEnable; });
  b.bind(Op::s_set_gpr_idx_mode, [](Wave& w, const Inst& i) {
    w.sgpr[isa::kM0] = (w.sgpr[isa::kM0] & ~0xf000u) | (static_cast<u32>(i.simm16) & 15) << 12;
  });
  b.bind(Op::s_set_gpr_idx_idx, [](Wave& w, const Inst& i) {
    w.sgpr[isa::kM0] =
        (w.sgpr[isa::kM0] & ~0xffu) | (static_cast<u32>(read_scalar(w, i, i.src[0])) & 0xff);
  });
}

} // namespace

void bind_scalar2(Bodies& b) {
  bind_immediates(b);
  bind_compares(b);
  bind_index_mode(b);
}

} // namespace pumice::exec
