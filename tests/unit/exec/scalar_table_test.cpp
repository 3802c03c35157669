// SPDX-License-Identifier: MIT
// Every scalar ALU instruction on all pairs of edge values against a definition beside its name. a
// is s[2:3], b is s[4:5], the result s[10:11] (old value d); c is SCC before. Definitions return
// the result and SCC after.
#include "single.h"
#include <functional>

namespace {

using namespace pumice;
using u32 = uint32_t;
using i32 = int32_t;
using u64 = uint64_t;
using i64 = int64_t;

struct Out {
  u64 value;
  bool scc;
};
struct In {
  u64 a, b, d;
  bool c;
  u32 x() const { return static_cast<u32>(a); }
  u32 y() const { return static_cast<u32>(b); }
  i32 sx() const { return static_cast<i32>(a); }
  i32 sy() const { return static_cast<i32>(b); }
};
struct Row {
  const char* text;
  unsigned dwords; // of the result; 0: SCC only
  std::function<Out(const In&)> define;
};

Out nz(u64 v) {
  return {v, v != 0};
}
Out nz32(u64 v) {
  return {static_cast<u32>(v), static_cast<u32>(v) != 0};
}
u32 lo(i64 v) {
  return static_cast<u32>(v);
}
bool fits(i64 v) {
  return v == static_cast<i32>(v);
}
i64 count_if(u64 v, int bits, bool one) {
  i64 n = 0;
  for (int k = 0; k < bits; ++k)
    n += (v >> k & 1) == one;
  return n;
}
i64 first(u64 v, int bits, bool one) {
  for (int k = 0; k < bits; ++k)
    if ((v >> k & 1) == one)
      return k;
  return -1;
}
i64 leading(u64 v, int bits) { // zeros before the highest one
  for (int k = bits - 1; k >= 0; --k)
    if (v >> k & 1)
      return bits - 1 - k;
  return -1;
}
i64 leading_sign(u64 v, int bits) {
  bool sign = v >> (bits - 1) & 1;
  for (int k = bits - 2; k >= 0; --k)
    if ((v >> k & 1) != sign)
      return bits - 1 - k;
  return -1;
}
u64 mirror(u64 v, int bits) {
  u64 r = 0;
  for (int k = 0; k < bits; ++k)
    r |= (v >> k & 1) << (bits - 1 - k);
  return r;
}
u64 field(u64 v, int bits, u32 spec, bool sign) {
  int at = static_cast<int>(spec & static_cast<u32>(bits - 1)),
      width = static_cast<int>(spec >> 16 & 127);
  u64 r = 0;
  int got = 0;
  for (int k = 0; k < width && at + k < bits; ++k)
    r |= (v >> (at + k) & 1) << k, ++got;
  if (sign && got && got < 64 && (r >> (got - 1) & 1))
    r |= ~u64{0} << got;
  return bits == 32 ? static_cast<u32>(r) : r;
}
u64 quads(u64 v, int bits, bool spread) {
  u64 r = 0;
  for (int q = 0; q < bits / 4; ++q)
    if (v >> 4 * q & 15)
      r |= spread ? u64{15} << 4 * q : u64{1} << q;
  return r;
}

const Row kRows[] = {
    {"s_add_u32 s10, s2, s4", 1,
     [](const In& n) {
       u64 r = u64{n.x()} + n.y();
       return Out{static_cast<u32>(r), r > 0xffffffff};
     }},
    {"s_sub_u32 s10, s2, s4", 1, [](const In& n) { return Out{n.x() - n.y(), n.x() < n.y()}; }},
    {"s_addc_u32 s10, s2, s4", 1,
     [](const In& n) {
       u64 r = u64{n.x()} + n.y() + n.c;
       return Out{static_cast<u32>(r), r > 0xffffffff};
     }},
    {"s_subb_u32 s10, s2, s4", 1,
     [](const In& n) {
       i64 r = i64{n.x()} - n.y() - n.c;
       return Out{lo(r), r < 0};
     }},
    {"s_add_i32 s10, s2, s4", 1,
     [](const In& n) {
       i64 r = i64{n.sx()} + n.sy();
       return Out{lo(r), !fits(r)};
     }},
    {"s_sub_i32 s10, s2, s4", 1,
     [](const In& n) {
       i64 r = i64{n.sx()} - n.sy();
       return Out{lo(r), !fits(r)};
     }},
    {"s_min_i32 s10, s2, s4", 1,
     [](const In& n) { return Out{lo(std::min(n.sx(), n.sy())), n.sx() < n.sy()}; }},
    {"s_min_u32 s10, s2, s4", 1,
     [](const In& n) { return Out{std::min(n.x(), n.y()), n.x() < n.y()}; }},
    {"s_max_i32 s10, s2, s4", 1,
     [](const In& n) { return Out{lo(std::max(n.sx(), n.sy())), n.sx() > n.sy()}; }},
    {"s_max_u32 s10, s2, s4", 1,
     [](const In& n) { return Out{std::max(n.x(), n.y()), n.x() > n.y()}; }},
    {"s_cselect_b32 s10, s2, s4", 1, [](const In& n) { return Out{n.c ? n.x() : n.y(), n.c}; }},
    {"s_cselect_b64 s[10:11], s[2:3], s[4:5]", 2,
     [](const In& n) { return Out{n.c ? n.a : n.b, n.c}; }},
    {"s_and_b32 s10, s2, s4", 1, [](const In& n) { return nz32(n.a & n.b); }},
    {"s_and_b64 s[10:11], s[2:3], s[4:5]", 2, [](const In& n) { return nz(n.a & n.b); }},
    {"s_or_b32 s10, s2, s4", 1, [](const In& n) { return nz32(n.a | n.b); }},
    {"s_or_b64 s[10:11], s[2:3], s[4:5]", 2, [](const In& n) { return nz(n.a | n.b); }},
    {"s_xor_b32 s10, s2, s4", 1, [](const In& n) { return nz32(n.a ^ n.b); }},
    {"s_xor_b64 s[10:11], s[2:3], s[4:5]", 2, [](const In& n) { return nz(n.a ^ n.b); }},
    {"s_andn2_b32 s10, s2, s4", 1, [](const In& n) { return nz32(n.a & ~n.b); }},
    {"s_andn2_b64 s[10:11], s[2:3], s[4:5]", 2, [](const In& n) { return nz(n.a & ~n.b); }},
    {"s_orn2_b32 s10, s2, s4", 1, [](const In& n) { return nz32(n.a | ~n.b); }},
    {"s_orn2_b64 s[10:11], s[2:3], s[4:5]", 2, [](const In& n) { return nz(n.a | ~n.b); }},
    {"s_nand_b32 s10, s2, s4", 1, [](const In& n) { return nz32(~(n.a & n.b)); }},
    {"s_nand_b64 s[10:11], s[2:3], s[4:5]", 2, [](const In& n) { return nz(~(n.a & n.b)); }},
    {"s_nor_b32 s10, s2, s4", 1, [](const In& n) { return nz32(~(n.a | n.b)); }},
    {"s_nor_b64 s[10:11], s[2:3], s[4:5]", 2, [](const In& n) { return nz(~(n.a | n.b)); }},
    {"s_xnor_b32 s10, s2, s4", 1, [](const In& n) { return nz32(~(n.a ^ n.b)); }},
    {"s_xnor_b64 s[10:11], s[2:3], s[4:5]", 2, [](const In& n) { return nz(~(n.a ^ n.b)); }},
    {"s_lshl_b32 s10, s2, s4", 1, [](const In& n) { return nz32(n.a << n.b % 32); }},
    {"s_lshl_b64 s[10:11], s[2:3], s4", 2, [](const In& n) { return nz(n.a << n.b % 64); }},
    {"s_lshr_b32 s10, s2, s4", 1, [](const In& n) { return nz32(n.x() >> n.b % 32); }},
    {"s_lshr_b64 s[10:11], s[2:3], s4", 2, [](const In& n) { return nz(n.a >> n.b % 64); }},
    {"s_ashr_i32 s10, s2, s4", 1,
     [](const In& n) { return nz32(static_cast<u64>(i64{n.sx()} >> n.b % 32)); }},
    {"s_ashr_i64 s[10:11], s[2:3], s4", 2,
     [](const In& n) { return nz(static_cast<u64>(static_cast<i64>(n.a) >> n.b % 64)); }},
    {"s_bfm_b32 s10, s2, s4", 1,
     [](const In& n) {
       return Out{static_cast<u32>(((u64{1} << n.a % 32) - 1) << n.b % 32), n.c};
     }},
    {"s_bfm_b64 s[10:11], s2, s4", 2,
     [](const In& n) { return Out{((u64{1} << n.a % 64) - 1) << n.b % 64, n.c}; }},
    {"s_mul_i32 s10, s2, s4", 1, [](const In& n) { return Out{n.x() * n.y(), n.c}; }},
    {"s_mul_hi_u32 s10, s2, s4", 1, [](const In& n) { return Out{u64{n.x()} * n.y() >> 32, n.c}; }},
    {"s_mul_hi_i32 s10, s2, s4", 1,
     [](const In& n) { return Out{lo(i64{n.sx()} * n.sy() >> 32), n.c}; }},
    {"s_bfe_u32 s10, s2, s4", 1, [](const In& n) { return nz(field(n.x(), 32, n.y(), false)); }},
    {"s_bfe_i32 s10, s2, s4", 1, [](const In& n) { return nz(field(n.x(), 32, n.y(), true)); }},
    {"s_bfe_u64 s[10:11], s[2:3], s4", 2,
     [](const In& n) { return nz(field(n.a, 64, n.y(), false)); }},
    {"s_bfe_i64 s[10:11], s[2:3], s4", 2,
     [](const In& n) { return nz(field(n.a, 64, n.y(), true)); }},
    {"s_absdiff_i32 s10, s2, s4", 1,
     [](const In& n) {
       u32 d = n.x() - n.y();
       return nz32(d >> 31 ? 0 - d : d);
     }},
    {"s_lshl1_add_u32 s10, s2, s4", 1,
     [](const In& n) {
       u64 r = (u64{n.x()} << 1) + n.y();
       return Out{static_cast<u32>(r), r > 0xffffffff};
     }},
    {"s_lshl2_add_u32 s10, s2, s4", 1,
     [](const In& n) {
       u64 r = (u64{n.x()} << 2) + n.y();
       return Out{static_cast<u32>(r), r > 0xffffffff};
     }},
    {"s_lshl3_add_u32 s10, s2, s4", 1,
     [](const In& n) {
       u64 r = (u64{n.x()} << 3) + n.y();
       return Out{static_cast<u32>(r), r > 0xffffffff};
     }},
    {"s_lshl4_add_u32 s10, s2, s4", 1,
     [](const In& n) {
       u64 r = (u64{n.x()} << 4) + n.y();
       return Out{static_cast<u32>(r), r > 0xffffffff};
     }},
    {"s_pack_ll_b32_b16 s10, s2, s4", 1,
     [](const In& n) { return Out{static_cast<u32>(n.y() << 16 | (n.x() & 0xffff)), n.c}; }},
    {"s_pack_lh_b32_b16 s10, s2, s4", 1,
     [](const In& n) { return Out{(n.y() & 0xffff0000) | (n.x() & 0xffff), n.c}; }},
    {"s_pack_hh_b32_b16 s10, s2, s4", 1,
     [](const In& n) { return Out{(n.y() & 0xffff0000) | n.x() >> 16, n.c}; }},
    {"s_mov_b32 s10, s2", 1, [](const In& n) { return Out{n.x(), n.c}; }},
    {"s_mov_b64 s[10:11], s[2:3]", 2, [](const In& n) { return Out{n.a, n.c}; }},
    {"s_cmov_b32 s10, s2", 1,
     [](const In& n) { return Out{n.c ? n.x() : static_cast<u32>(n.d), n.c}; }},
    {"s_cmov_b64 s[10:11], s[2:3]", 2, [](const In& n) { return Out{n.c ? n.a : n.d, n.c}; }},
    {"s_not_b32 s10, s2", 1, [](const In& n) { return nz32(~n.a); }},
    {"s_not_b64 s[10:11], s[2:3]", 2, [](const In& n) { return nz(~n.a); }},
    {"s_wqm_b32 s10, s2", 1, [](const In& n) { return nz(quads(n.x(), 32, true)); }},
    {"s_wqm_b64 s[10:11], s[2:3]", 2, [](const In& n) { return nz(quads(n.a, 64, true)); }},
    {"s_quadmask_b32 s10, s2", 1, [](const In& n) { return nz(quads(n.x(), 32, false)); }},
    {"s_quadmask_b64 s[10:11], s[2:3]", 2, [](const In& n) { return nz(quads(n.a, 64, false)); }},
    {"s_brev_b32 s10, s2", 1, [](const In& n) { return Out{mirror(n.x(), 32), n.c}; }},
    {"s_brev_b64 s[10:11], s[2:3]", 2, [](const In& n) { return Out{mirror(n.a, 64), n.c}; }},
    {"s_bcnt0_i32_b32 s10, s2", 1,
     [](const In& n) { return nz32(static_cast<u64>(count_if(n.a, 32, false))); }},
    {"s_bcnt0_i32_b64 s10, s[2:3]", 1,
     [](const In& n) { return nz32(static_cast<u64>(count_if(n.a, 64, false))); }},
    {"s_bcnt1_i32_b32 s10, s2", 1,
     [](const In& n) { return nz32(static_cast<u64>(count_if(n.a, 32, true))); }},
    {"s_bcnt1_i32_b64 s10, s[2:3]", 1,
     [](const In& n) { return nz32(static_cast<u64>(count_if(n.a, 64, true))); }},
    {"s_ff0_i32_b32 s10, s2", 1, [](const In& n) { return Out{lo(first(n.a, 32, false)), n.c}; }},
    {"s_ff0_i32_b64 s10, s[2:3]", 1,
     [](const In& n) { return Out{lo(first(n.a, 64, false)), n.c}; }},
    {"s_ff1_i32_b32 s10, s2", 1, [](const In& n) { return Out{lo(first(n.a, 32, true)), n.c}; }},
    {"s_ff1_i32_b64 s10, s[2:3]", 1,
     [](const In& n) { return Out{lo(first(n.a, 64, true)), n.c}; }},
    {"s_flbit_i32_b32 s10, s2", 1, [](const In& n) { return Out{lo(leading(n.x(), 32)), n.c}; }},
    {"s_flbit_i32_b64 s10, s[2:3]", 1, [](const In& n) { return Out{lo(leading(n.a, 64)), n.c}; }},
    {"s_flbit_i32 s10, s2", 1, [](const In& n) { return Out{lo(leading_sign(n.x(), 32)), n.c}; }},
    {"s_flbit_i32_i64 s10, s[2:3]", 1,
     [](const In& n) { return Out{lo(leading_sign(n.a, 64)), n.c}; }},
    {"s_sext_i32_i8 s10, s2", 1,
     [](const In& n) { return Out{lo(static_cast<int8_t>(n.a)), n.c}; }},
    {"s_sext_i32_i16 s10, s2", 1,
     [](const In& n) { return Out{lo(static_cast<int16_t>(n.a)), n.c}; }},
    {"s_bitset0_b32 s10, s2", 1,
     [](const In& n) { return Out{static_cast<u32>(n.d & ~(u64{1} << n.a % 32)), n.c}; }},
    {"s_bitset0_b64 s[10:11], s2", 2,
     [](const In& n) { return Out{n.d & ~(u64{1} << n.a % 64), n.c}; }},
    {"s_bitset1_b32 s10, s2", 1,
     [](const In& n) { return Out{static_cast<u32>(n.d | u64{1} << n.a % 32), n.c}; }},
    {"s_bitset1_b64 s[10:11], s2", 2,
     [](const In& n) { return Out{n.d | u64{1} << n.a % 64, n.c}; }},
    {"s_abs_i32 s10, s2", 1,
     [](const In& n) { return nz32(static_cast<u64>(std::abs(i64{n.sx()}))); }},
    {"s_cmp_eq_i32 s2, s4", 0, [](const In& n) { return Out{0, n.sx() == n.sy()}; }},
    {"s_cmp_lg_i32 s2, s4", 0, [](const In& n) { return Out{0, n.sx() != n.sy()}; }},
    {"s_cmp_gt_i32 s2, s4", 0, [](const In& n) { return Out{0, n.sx() > n.sy()}; }},
    {"s_cmp_ge_i32 s2, s4", 0, [](const In& n) { return Out{0, n.sx() >= n.sy()}; }},
    {"s_cmp_lt_i32 s2, s4", 0, [](const In& n) { return Out{0, n.sx() < n.sy()}; }},
    {"s_cmp_le_i32 s2, s4", 0, [](const In& n) { return Out{0, n.sx() <= n.sy()}; }},
    {"s_cmp_eq_u32 s2, s4", 0, [](const In& n) { return Out{0, n.x() == n.y()}; }},
    {"s_cmp_lg_u32 s2, s4", 0, [](const In& n) { return Out{0, n.x() != n.y()}; }},
    {"s_cmp_gt_u32 s2, s4", 0, [](const In& n) { return Out{0, n.x() > n.y()}; }},
    {"s_cmp_ge_u32 s2, s4", 0, [](const In& n) { return Out{0, n.x() >= n.y()}; }},
    {"s_cmp_lt_u32 s2, s4", 0, [](const In& n) { return Out{0, n.x() < n.y()}; }},
    {"s_cmp_le_u32 s2, s4", 0, [](const In& n) { return Out{0, n.x() <= n.y()}; }},
    {"s_cmp_eq_u64 s[2:3], s[4:5]", 0, [](const In& n) { return Out{0, n.a == n.b}; }},
    {"s_cmp_lg_u64 s[2:3], s[4:5]", 0, [](const In& n) { return Out{0, n.a != n.b}; }},
    {"s_bitcmp0_b32 s2, s4", 0, [](const In& n) { return Out{0, !(n.a >> n.b % 32 & 1)}; }},
    {"s_bitcmp1_b32 s2, s4", 0,
     [](const In& n) { return Out{0, static_cast<bool>(n.a >> n.b % 32 & 1)}; }},
    {"s_bitcmp0_b64 s[2:3], s4", 0, [](const In& n) { return Out{0, !(n.a >> n.b % 64 & 1)}; }},
    {"s_bitcmp1_b64 s[2:3], s4", 0,
     [](const In& n) { return Out{0, static_cast<bool>(n.a >> n.b % 64 & 1)}; }},
    {"s_cmpk_eq_i32 s2, 0xffff", 0, [](const In& n) { return Out{0, n.sx() == -1}; }},
    {"s_cmpk_lg_i32 s2, 0x8000", 0, [](const In& n) { return Out{0, n.sx() != -32768}; }},
    {"s_cmpk_gt_i32 s2, 0xffff", 0, [](const In& n) { return Out{0, n.sx() > -1}; }},
    {"s_cmpk_ge_i32 s2, 2", 0, [](const In& n) { return Out{0, n.sx() >= 2}; }},
    {"s_cmpk_lt_i32 s2, 0x8000", 0, [](const In& n) { return Out{0, n.sx() < -32768}; }},
    {"s_cmpk_le_i32 s2, 2", 0, [](const In& n) { return Out{0, n.sx() <= 2}; }},
    {"s_cmpk_eq_u32 s2, 0xffff", 0, [](const In& n) { return Out{0, n.x() == 0xffff}; }},
    {"s_cmpk_lg_u32 s2, 0x8000", 0, [](const In& n) { return Out{0, n.x() != 0x8000}; }},
    {"s_cmpk_gt_u32 s2, 0x8000", 0, [](const In& n) { return Out{0, n.x() > 0x8000}; }},
    {"s_cmpk_ge_u32 s2, 0xffff", 0, [](const In& n) { return Out{0, n.x() >= 0xffff}; }},
    {"s_cmpk_lt_u32 s2, 0xffff", 0, [](const In& n) { return Out{0, n.x() < 0xffff}; }},
    {"s_cmpk_le_u32 s2, 0x8000", 0, [](const In& n) { return Out{0, n.x() <= 0x8000}; }},
    {"s_addk_i32 s10, 0x7fff", 1,
     [](const In& n) {
       i64 r = i64{static_cast<i32>(n.d)} + 32767;
       return Out{lo(r), !fits(r)};
     }},
    {"s_mulk_i32 s10, 0xfffd", 1,
     [](const In& n) { return Out{static_cast<u32>(n.d) * static_cast<u32>(-3), n.c}; }},
    {"s_cmovk_i32 s10, 0x8001", 1,
     [](const In& n) { return Out{n.c ? 0xffff8001u : static_cast<u32>(n.d), n.c}; }},
};

TEST(ExecScalarTable, EdgeValues) {
  std::vector<std::string> lines;
  for (const Row& r : kRows)
    lines.push_back(r.text);
  auto insts = test::decode_lines(lines, "gfx942");
  ASSERT_FALSE(insts.empty());
  test::SingleWave w;
  for (size_t n = 0; n < insts.size(); ++n)
    for (u64 a : test::edge_bits())
      for (u64 b : test::edge_bits())
        for (bool scc : {false, true}) {
          u64 d = a * 0x9e3779b97f4a7c15 ^ b;
          w.set64(2, a), w.set64(4, b), w.set64(10, d);
          w->scc = scc;
          exec::execute(*w, insts[n]);
          Out expected = kRows[n].define({a, b, d, scc});
          ASSERT_EQ(w->scc, expected.scc)
              << kRows[n].text << std::hex << " a " << a << " b " << b << " scc " << scc;
          if (kRows[n].dwords == 1)
            ASSERT_EQ(w->sgpr[10], expected.value)
                << kRows[n].text << std::hex << " a " << a << " b " << b << " scc " << scc;
          if (kRows[n].dwords == 2)
            ASSERT_EQ(w.get64(10), expected.value)
                << kRows[n].text << std::hex << " a " << a << " b " << b << " scc " << scc;
          if (kRows[n].dwords < 2)
            ASSERT_EQ(w->sgpr[11], static_cast<u32>(d >> 32)) << kRows[n].text;
        }
}

struct MaskRow {
  const char* text;
  u64 (*exec_after)(u64 s, u64 e);
  bool returns_new;
};
const MaskRow kMaskRows[] = {
    {"s_and_saveexec_b64 s[10:11], s[2:3]", [](u64 s, u64 e) { return s & e; }, false},
    {"s_or_saveexec_b64 s[10:11], s[2:3]", [](u64 s, u64 e) { return s | e; }, false},
    {"s_xor_saveexec_b64 s[10:11], s[2:3]", [](u64 s, u64 e) { return s ^ e; }, false},
    {"s_andn2_saveexec_b64 s[10:11], s[2:3]", [](u64 s, u64 e) { return s & ~e; }, false},
    {"s_orn2_saveexec_b64 s[10:11], s[2:3]", [](u64 s, u64 e) { return s | ~e; }, false},
    {"s_nand_saveexec_b64 s[10:11], s[2:3]", [](u64 s, u64 e) { return ~(s & e); }, false},
    {"s_nor_saveexec_b64 s[10:11], s[2:3]", [](u64 s, u64 e) { return ~(s | e); }, false},
    {"s_xnor_saveexec_b64 s[10:11], s[2:3]", [](u64 s, u64 e) { return ~(s ^ e); }, false},
    {"s_andn1_saveexec_b64 s[10:11], s[2:3]", [](u64 s, u64 e) { return ~s & e; }, false},
    {"s_orn1_saveexec_b64 s[10:11], s[2:3]", [](u64 s, u64 e) { return ~s | e; }, false},
    {"s_andn1_wrexec_b64 s[10:11], s[2:3]", [](u64 s, u64 e) { return ~s & e; }, true},
    {"s_andn2_wrexec_b64 s[10:11], s[2:3]", [](u64 s, u64 e) { return s & ~e; }, true},
};

TEST(ExecScalarTable, ExecMasks) {
  std::vector<std::string> lines;
  for (const MaskRow& r : kMaskRows)
    lines.push_back(r.text);
  auto insts = test::decode_lines(lines, "gfx90a");
  ASSERT_FALSE(insts.empty());
  test::SingleWave w;
  for (size_t n = 0; n < insts.size(); ++n)
    for (u64 s : test::edge_bits())
      for (u64 e : test::edge_bits()) {
        w.set64(2, s);
        w->set_exec(e);
        exec::execute(*w, insts[n]);
        u64 after = kMaskRows[n].exec_after(s, e);
        ASSERT_EQ(w->exec(), after) << kMaskRows[n].text;
        ASSERT_EQ(w.get64(10), kMaskRows[n].returns_new ? after : e) << kMaskRows[n].text;
        ASSERT_EQ(w->scc, after != 0) << kMaskRows[n].text;
      }
}

} // namespace
