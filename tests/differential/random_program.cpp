// SPDX-License-Identifier: MIT
#include "random_program.h"
#include "generator.h"
#include "exec/interp.h"
#include <algorithm>
#include <cstring>
#include <set>
#include <string_view>

namespace pumice::test {

using isa::Enc;
using isa::Inst;
using isa::Op;
using isa::Operand;
using isa::Row;
using isa::Type;

namespace {

/// Not in random code: control flow (made by hand), clocks and hardware state, waits for others, and what both targets
/// lack (GWS, tessellation helpers).
bool excluded(const Row& r) {
  if (r.traits & (isa::kBranch | isa::kBarrier | isa::kEndpgm | isa::kWritesMode)) return true;
  static const std::set<std::string_view> kNames = {
      "s_setpc_b64", "s_swappc_b64", "s_getpc_b64", "s_call_b64", "s_rfe_b64", "s_rfe_restore_b64", "s_cbranch_g_fork",
      "s_cbranch_join", "s_cbranch_i_fork", "s_getreg_b32", "s_setreg_b32", "s_setreg_imm32_b32", "s_setvskip",
      "s_set_gpr_idx_on", "s_set_gpr_idx_off", "s_set_gpr_idx_idx", "s_set_gpr_idx_mode", "s_movrels_b32", "s_movrels_b64",
      "s_movreld_b32", "s_movreld_b64", "v_screen_partition_4se_b32", "s_memtime", "s_memrealtime", "v_clrexcp", "s_mov_fed_b32"};
  return kNames.count(r.mnemonic) || r.enc == Enc::sopp;
}

} // namespace

Generator::Generator(isa::Target t, uint64_t seed, const GeneratorOptions& o) : e_(t), rng_(seed * 2 + 1), options_(o) {
  p_.target = t;
  p_.seed = seed;
  p_.uses_matrix = o.only.empty() ? below(5) == 0 : o.only.find("mfma") != std::string::npos;
  for (size_t n = 1; n < isa::kOpCount; ++n) {
    const Row& r = isa::row(static_cast<Op>(n));
    if (r.opcode[static_cast<int>(t)] < 0 || !exec::implemented(r.op) || excluded(r)) continue;
    if (!o.only.empty() && (o.exactly ? o.only != r.mnemonic : !std::string_view(r.mnemonic).starts_with(o.only))) continue;
    if ((r.traits & isa::kTrans) && !o.approximate) continue;
    if (r.traits & isa::kMfma) matrix_.push_back(&r);
    else if (r.enc <= Enc::sopp) scalar_.push_back(&r);
    else if (r.enc == Enc::vop1 || r.enc == Enc::vop2 || r.enc == Enc::vopc || r.enc == Enc::vop3 || r.enc == Enc::vop3p)
      vector_.push_back(&r);
    else memory_.push_back(&r);
  }
}

bool Generator::register_ok(const Operand& o, bool written, bool matrix) const {
  if (!o.present()) return true;
  unsigned n = std::max<unsigned>(o.dwords, 1);
  if (o.is_vgpr()) {
    if (n > 1 && o.code % 2) return false; // tuples start at an even register
    unsigned v = o.code - isa::kVgpr0;
    auto inside = [&](unsigned lo, unsigned hi) { return v >= lo && v + n <= hi; };
    if (o.is_agpr() || matrix) {
      v = o.is_agpr() ? o.code - isa::kAgpr0 : v;
      if (!p_.uses_matrix) return false;
      return o.is_agpr() ? inside(kMatrixA0, kMatrixAEnd) : inside(kMatrixV0, kMatrixVEnd);
    }
    return inside(written ? kWorkV0 : 1, kWorkVEnd);
  }
  if (o.is_sgpr()) {
    if (o.code == isa::kVccLo || (o.code == isa::kVccHi && n == 1)) return true;
    if (!written && (o.code == isa::kExecLo || (o.code == isa::kExecHi && n == 1))) return true;
    return o.code >= kWorkS0 && o.code + n <= kWorkSEnd;
  }
  if (written) return false;
  return o.is_constant() || o.code == isa::kScc || o.code == isa::kVccz || o.code == isa::kExecz;
}

/// Packed modifiers that the manual gives a meaning: none for dot products of bytes and nibbles, no clamp of moves, no
/// upper half of a constant as single (docs/errata.md, E-010).
static bool modifiers_defined(const Inst& i) {
  const Row& r = isa::row(i.op);
  if (r.src_type[0] == Type::v4i8 || r.op == Op::v_dot8_i32_i4 || r.op == Op::v_dot8_u32_u4)
    return !i.op_sel && i.op_sel_hi == 7 && !i.neg && !i.neg_hi;
  if (i.op == Op::v_pk_mov_b32) return !i.clamp && !i.neg && !i.neg_hi && !i.src[0].is_constant() && !i.src[1].is_constant();
  for (unsigned k = 0; k < 3; k++)
    if (r.src_type[k] == Type::v2f32 && !i.src[k].is_vgpr() && !i.src[k].is_sgpr() && ((i.op_sel | i.op_sel_hi) >> k & 1)) return false;
  bool floats = r.src_type[0] == Type::v2f16 || r.src_type[0] == Type::v2f32 || r.src_type[0] == Type::f32;
  return floats || (!i.neg && !i.neg_hi);
}

/// Operands inside the program's registers, one scalar or literal per vector instruction, no other effect.
bool Generator::acceptable(const Inst& i) {
  const Row& r = isa::row(i.op);
  bool matrix = r.traits & isa::kMfma;
  for (const Operand& o : i.dst)
    if (!register_ok(o, true, matrix && o.dwords != 0)) return false;
  for (const Operand& o : i.src)
    if (!register_ok(o, false, matrix && o.dwords > 2)) return false;
  // clamp of an integer made from a float has no meaning.
  if (i.clamp && r.enc == Enc::vop1 && isa::is_float(r.src_type[0]) && !isa::is_float(r.dst_type[0])) return false;
  // op_sel of a constant has no meaning.
  if (i.enc == Enc::vop3)
    for (unsigned k = 0; k < 3; k++)
      if ((i.op_sel >> k & 1) && !i.src[k].is_vgpr() && !i.src[k].is_sgpr()) return false;
  // Parts of a float result: NaN bits would show.
  if (i.is_sdwa && isa::is_float(r.dst_type[0]) &&
      (r.dst_type[0] == Type::f16 ? i.sdwa_dst != isa::SdwaSel::word0 && i.sdwa_dst != isa::SdwaSel::word1 : i.sdwa_dst != isa::SdwaSel::dword))
    return false;
  if (r.traits & isa::kValu) {
    std::set<unsigned> bus;
    for (const Operand& o : i.src)
      if (o.present() && (o.is_sgpr() || o.code == isa::kLiteral)) bus.insert(o.code);
    if (bus.size() > 1) return false;
  }
  if (i.enc == Enc::vop3p && !matrix && !modifiers_defined(i)) return false;
  bool ok = true;
  isa::for_each_def(i, [&](uint16_t code, unsigned n) {
    Operand o;
    o.code = code, o.dwords = static_cast<uint8_t>(n);
    if (code == isa::kScc || register_ok(o, true, matrix) || (o.is_vgpr() && register_ok(o, true, false))) return;
    ok &= code == isa::kExecLo && below(6) == 0; // v_cmpx, s_*_saveexec
  });
  if (i.op == Op::v_accvgpr_mov_b32 || i.op == Op::v_accvgpr_write_b32) ok &= p_.uses_matrix;
  // Overlap of a matrix result with its inputs is not allowed except for the accumulator itself.
  if (matrix)
    for (int k = 0; k < 3; k++) {
      const Operand &a = i.src[k], &d = i.dst[0];
      if (!a.is_vgpr() || (k == 2 && a.code == d.code)) continue;
      ok &= a.code + a.dwords <= d.code || d.code + d.dwords <= a.code;
    }
  return ok;
}

unsigned Generator::source9(bool literal) {
  switch (below(16)) {
  case 0: case 1: return kWorkS0 + below(kWorkSEnd - kWorkS0);
  case 2: return below(2) ? 128 + below(81) : 240 + below(9);
  case 3: return below(3) ? 106 + below(2) : below(2) ? 126 : 251 + below(3);
  case 4: return literal ? kLit : 128 + below(65);
  case 5: return 256 + 1;
  default: return 256 + kWorkV0 + (coin() ? below(kWorkVEnd - kWorkV0) : 2 * below((kWorkVEnd - kWorkV0) / 2));
  }
}
unsigned Generator::scalar8() {
  switch (below(8)) {
  case 0: return 128 + below(81);
  case 1: return coin() ? kLit : 240 + below(9);
  case 2: return below(4) ? 106 + below(2) : 253;
  case 3: return below(4) ? 126 : 251 + below(2);
  default: return kWorkS0 + (coin() ? below(kWorkSEnd - kWorkS0) : 2 * below((kWorkSEnd - kWorkS0) / 2));
  }
}
unsigned Generator::scalar_dst() { return below(6) == 0 ? 106 + below(2) : kWorkS0 + below(kWorkSEnd - kWorkS0); }
unsigned Generator::vgpr() { return kWorkV0 + (coin() ? below(kWorkVEnd - kWorkV0) : 2 * below((kWorkVEnd - kWorkV0) / 2)); }

uint32_t Generator::literal() {
  return interesting_words(rng_(), 1)[0];
}

/// The words of one try at an instruction of this row; decoded and judged by the caller.
std::pair<uint32_t, uint32_t> Generator::encode(const Row& r) {
  uint32_t op = static_cast<uint32_t>(r.opcode[static_cast<int>(p_.target)]);
  auto few = [&](uint32_t mask) { return below(3) ? 0 : static_cast<uint32_t>(rng_()) & mask; };
  uint32_t lit = literal();
  switch (r.enc) {
  case Enc::sop2: return {0x80000000u | op << 23 | scalar_dst() << 16 | scalar8() << 8 | scalar8(), lit};
  case Enc::sop1: return {0xbe800000u | scalar_dst() << 16 | op << 8 | scalar8(), lit};
  case Enc::sopc: return {0xbf000000u | op << 16 | scalar8() << 8 | scalar8(), lit};
  case Enc::sopk: return {0xb0000000u | op << 23 | scalar_dst() << 16 | (lit & 0xffff), 0};
  case Enc::vop3p: {
    if (r.traits & isa::kMfma) {
      auto tuple = [&](bool a) { return a ? 2 * below(16) : kMatrixV0 + 2 * below(16); };
      bool acc = coin(), aa = coin(), ab = coin();
      // Inputs up to two dwords may come from the ordinary registers.
      uint32_t a = aa ? tuple(true) : vgpr() & ~1u, b = ab ? tuple(true) : vgpr() & ~1u;
      unsigned blocks = 0; // log2
      if (const char* b = std::strstr(r.meaning, " blocks")) blocks = b[-1] == '2' ? 1 : b[-1] == '4' ? 2 : 4;
      bool f64 = r.src_type[0] == Type::f64;
      uint32_t cbsz = f64 ? 0 : below(blocks + 1), modifiers = cbsz << 8 | below(1u << cbsz) << 11;
      uint32_t d = acc ? 0 : kMatrixV0;
      if (isa::type_dwords(r.dst_type[0]) < 32) d = tuple(acc);
      uint32_t c = below(4) == 0 ? 128 + below(20) : 256 + (coin() ? d : tuple(acc));
      return {0xd3800000u | op << 16 | uint32_t(acc) << 15 | modifiers | d,
              (256 + a) | (256 + b) << 9 | c << 18 | uint32_t(aa) << 27 | uint32_t(ab) << 28 | few(0xe0000000)};
    }
    if (r.op == Op::v_accvgpr_read_b32) return {0xd3800000u | op << 16 | vgpr(), 256 + below(32) | (coin() ? 0x18000000u : 0)};
    if (r.op == Op::v_accvgpr_write_b32) return {0xd3800000u | op << 16 | below(32), source9(false) | (coin() ? 0x18000000u : 0)};
    uint32_t b = r.src_type[1] == Type::none ? 0 : source9(false), c = r.src_type[2] == Type::none ? 0 : source9(false);
    uint32_t hi_default = coin() ? 0x18000000u : few(0x18000000u);
    return {0xd3800000u | op << 16 | vgpr() | few(0x700) | few(0x3800) | (coin() ? 0x4000u : 0) | few(0x8000),
            source9(false) | b << 9 | c << 18 | hi_default | few(0xe0000000)};
  }
  case Enc::vop3: return encode_vop3(r, op);
  default: break;
  }
  // VOP1, VOP2, VOPC: short, SDWA, DPP or VOP3 form.
  uint32_t word = r.enc == Enc::vop1   ? 0x7e000000u | op << 9 | vgpr() << 17
                  : r.enc == Enc::vop2 ? op << 25 | vgpr() << 17 | vgpr() << 9
                                       : 0x7c000000u | op << 17 | vgpr() << 9;
  if (r.op == Op::v_readfirstlane_b32) word = (word & ~(0xffu << 17)) | scalar_dst() << 17;
  switch (below(8)) {
  case 0: { // SDWA
    uint32_t h = (coin() ? vgpr() : kWorkS0 + below(20)) | below(7) << 16 | below(7) << 24;
    if ((h & 0xff) >= kWorkVEnd || coin()) h = (h & ~0xffu) | vgpr();
    if (r.enc == Enc::vopc) h |= coin() ? 0x8000u | (scalar_dst() & ~1u) << 8 : 0;
    else h |= below(7) << 8 | below(3) << 11 | few(0xe000);
    h |= few(0x38380000) & (coin() ? 0x30300000u : 0x08080000u);
    if (r.enc == Enc::vop1) h &= 0x00ffffff;
    return {word | 249, h};
  }
  case 1: { // DPP
    static constexpr uint16_t kControls[] = {0x130, 0x134, 0x138, 0x13c, 0x140, 0x141, 0x142, 0x143, 0x101, 0x10f, 0x111, 0x11f, 0x121, 0x12f};
    uint32_t control = below(3) == 0 ? kControls[below(14)] : coin() ? below(256) : below(4) ? 0x101 + below(0x2f) : 0x150 + below(16);
    return {word | 250, vgpr() | control << 8 | (coin() ? 0x80000u : 0) | few(0xf00000) |
                            (below(3) ? 0xff000000u : static_cast<uint32_t>(rng_()) & 0xff000000u)};
  }
  case 2: case 3: case 4:
    if (!(r.traits & isa::kOnlyE32))
      return encode_vop3(r, op + (r.enc == Enc::vop1 ? 0x140 : r.enc == Enc::vop2 ? 0x100 : 0));
    [[fallthrough]];
  default: return {word | source9(true), lit};
  }
}

std::pair<uint32_t, uint32_t> Generator::encode_vop3(const Row& r, uint32_t op) {
  auto few = [&](uint32_t mask) { return below(3) ? 0 : static_cast<uint32_t>(rng_()) & mask; };
  bool scalar_result = r.dst_type[0] == Type::mask || r.op == Op::v_readlane_b32;
  uint32_t lo = 0xd0000000u | op << 16 | (scalar_result ? scalar_dst() & (r.op == Op::v_readlane_b32 ? ~0u : ~1u) : vgpr());
  if (r.dst_type[1] == Type::mask) lo |= (scalar_dst() & ~1u) << 8;
  else {
    if (r.mods & 7) lo |= few(0x700);
    if (r.mods & isa::kModOpSel) lo |= few(0x7800);
  }
  if (r.mods & isa::kModClamp) lo |= few(0x8000);
  uint32_t f[3] = {};
  bool accumulates = r.enc == Enc::vop2 && (r.traits & isa::kReadsDst);
  for (int k = 0; k < (accumulates ? 2 : 3); k++) {
    if (r.src_type[k] == Type::none) continue;
    f[k] = r.src_type[k] == Type::mask ? scalar_dst() & ~1u : source9(false);
  }
  if (r.op == Op::v_readlane_b32 || r.op == Op::v_writelane_b32) f[1] = coin() ? 128 + below(64) : kWorkS0 + below(30);
  if (r.op == Op::v_writelane_b32) f[0] = below(3) ? kWorkS0 + below(30) : 128 + below(64);
  uint32_t hi = f[0] | f[1] << 9 | f[2] << 18;
  if (r.mods & 7) hi |= few(0xe0000000);
  if (r.mods & isa::kModOmod) hi |= few(0x18000000);
  return {lo, hi};
}

/// Which NaN an operation gives is not specified (docs/errata.md, E-013), so NaN results become one NaN before anything
/// looks at their bits.
void Generator::settle_nans(const Inst& i) {
  const Row& r = isa::row(i.op);
  if (!(r.traits & isa::kValu) || (r.traits & isa::kMfma) || !i.dst[0].is_vgpr()) return;
  unsigned d = i.dst[0].vgpr();
  switch (r.dst_type[0]) {
  case Type::f32: case Type::v2f32:
    for (unsigned k = 0; k < i.dst[0].dwords; k++) {
      e_.vop3(e_.opcode("v_cmp_u_f32"), kTempS, 0, V(d + k), V(d + k), 0);
      e_.mov_v(kTempV, 0x7fc00000);
      e_.vop3("v_cndmask_b32", d + k, V(d + k), V(kTempV), kTempS);
    }
    break;
  case Type::f64:
    e_.vop3(e_.opcode("v_cmp_u_f64"), kTempS, 0, V(d), V(d), 0);
    e_.mov_v(kTempV, 0x7ff80000);
    e_.vop3("v_cndmask_b32", d, V(d), imm(0), kTempS);
    e_.vop3("v_cndmask_b32", d + 1, V(d + 1), V(kTempV), kTempS);
    break;
  case Type::f16: case Type::v2f16:
    e_.vop3(e_.opcode("v_cmp_u_f16"), kTempS, 0, V(d), V(d), 0);
    e_.mov_v(kTempV, 0x7e00);
    e_.mov_v(kTempV + 1, 0xffff);
    e_.vop3("v_bfi_b32", kTempV, V(kTempV + 1), V(kTempV), V(d));
    e_.vop3("v_cndmask_b32", d, V(d), V(kTempV), kTempS);
    e_.vop2("v_lshrrev_b32", kTempV, imm(16), d);
    e_.vop3(e_.opcode("v_cmp_u_f16"), kTempS, 0, V(kTempV), V(kTempV), 0);
    e_.mov_v(kTempV, 0x7e000000);
    e_.vop3("v_bfi_b32", kTempV, V(kTempV + 1), V(d), V(kTempV));
    e_.vop3("v_cndmask_b32", d, V(d), V(kTempV), kTempS);
    break;
  default: break;
  }
}

bool Generator::random_instruction(const std::vector<const Row*>& rows) {
  if (rows.empty()) return false;
  for (int attempt = 0; attempt < 60; attempt++) {
    const Row& r = *rows[below(static_cast<uint32_t>(rows.size()))];
    for (int again = 0; again < 8; again++) {
      auto [lo, hi] = encode(r);
      uint32_t words[2] = {lo, hi};
      Inst i;
      if (!isa::decode(p_.target, reinterpret_cast<const uint8_t*>(words), 8, i) || i.op != r.op || !acceptable(i)) continue;
      e_.word(lo);
      if (i.size == 8) e_.word(hi);
      settle_nans(i);
      return true;
    }
  }
  return false;
}

std::vector<uint32_t> interesting_words(uint64_t seed, size_t count) {
  std::mt19937_64 rng(seed ^ 0x9e3779b97f4a7c15ull);
  static constexpr uint32_t kEdges[] = {
      0, 1, 2, 31, 32, 33, 63, 64, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 0x00ffffff,
      0x3f800000, 0xbf800000, 0x3f000000, 0x40490fdb, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffc12345, 0x00800000, 0x007fffff,
      0x00000001, 0x80000001, 0x7f7fffff, 0xff7fffff, 0x4f000000, 0xcf000000, 0x4f800000, 0x4b000000, 0x33800000,            // f32
      0x3c003c00, 0x7c00fc00, 0x7e00fe00, 0x7bff0400, 0x03ff0001, 0x80018400, 0x38003c01, 0x7c015555,                          // f16
      0x3ff00000, 0xbff00000, 0x7ff00000, 0xfff00000, 0x7ff80000, 0x000fffff, 0x00100000, 0x7fefffff, 0x41e00000, 0x43f00000}; // f64, high half
  std::vector<uint32_t> w(count);
  for (uint32_t& x : w) {
    switch (rng() % 8) {
    case 0: x = static_cast<uint32_t>(rng()); break;
    case 1: x = static_cast<uint32_t>(rng() % 130); break;
    case 2: x = 0x3f000000u + static_cast<uint32_t>(rng() % 0x02000000); break; // floats about 1
    case 3: x = static_cast<uint32_t>(rng()) & 0x3fff3fff; break;               // halves
    case 4: x = 0u - static_cast<uint32_t>(rng() % 130); break;
    case 5: x = 0x40000000u | (static_cast<uint32_t>(rng()) & 0x807fffff); break;
    default: x = kEdges[rng() % std::size(kEdges)]; break;
    }
  }
  return w;
}

std::string listing(const Program& p) {
  std::string s;
  for (size_t at = 0; at < p.words.size();) {
    Inst i;
    if (!isa::decode(p.target, reinterpret_cast<const uint8_t*>(&p.words[at]), (p.words.size() - at) * 4, i)) return s + "?\n";
    bool shown = (at >= p.init_begin && at < p.init_end) || (at >= p.body_begin && at < p.body_end) || (p.function_start && at >= p.function_start);
    if (shown && i.op != Op::s_nop) {
      char head[24];
      std::snprintf(head, sizeof head, "%5zu: ", at * 4);
      s += head + isa::disassemble(p.target, i, at * 4) + "\n";
    }
    at += i.size / 4;
  }
  return s;
}

} // namespace pumice::test
