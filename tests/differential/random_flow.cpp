// SPDX-License-Identifier: MIT
// Frame of a random program: set-up, nested control flow, dump.
#include "generator.h"
#include <algorithm>

namespace pumice::test {

using isa::Target;

void Generator::prologue() {
  Emitter& e = e_;
  e.smem("s_load_dwordx2", kInS, kKernargS, 0);
  e.smem("s_load_dwordx2", kOutS, kKernargS, 8);
  e.smem("s_load_dwordx2", kMemS, kKernargS, 16);
  e.sop1("s_mov_b64", kSharedS, isa::kSharedBase);
  e.sop1("s_mov_b64", kPrivateS, isa::kPrivateBase);
  e.sop1("s_mov_b32", kGroupS, 8);
  e.sop1("s_mov_b64", kFirstExecS, kExec);
  e.wait();
  // The wave's number: v0 is the work-item's number in its workgroup.
  e.vop2("v_lshrrev_b32", kTempV, imm(6), 0);
  e.vop1("v_readfirstlane_b32", kLdsS, V(kTempV));
  e.sop2("s_mul_i32", kTempS, kGroupS, imm(static_cast<int>(p_.waves_per_group)));
  e.sop2("s_add_u32", kWaveS, kLdsS, kTempS);
  e.sop2("s_mul_i32", kLdsS, kLdsS, kLit), e.word(kLdsBytesPerWave);
  auto advance = [&](unsigned base, uint32_t bytes, uint32_t more) {
    e.sop2("s_mul_i32", kTempS, kWaveS, kLit), e.word(bytes);
    e.sop2("s_add_u32", kTempS, kTempS, kLit), e.word(more);
    e.sop2("s_add_u32", base, base, kTempS);
    e.sop2("s_addc_u32", base + 1, base + 1, imm(0));
  };
  advance(kMemS, kMemBytesPerWave, kMemOrigin);
  e.sop2("s_mul_i32", kTempS, kWaveS, kLit), e.word(0); // patched: bytes of one wave's dump
  dump_at_ = static_cast<uint32_t>(e.words.size()) - 1;
  e.sop2("s_add_u32", kOutS, kOutS, kTempS);
  e.sop2("s_addc_u32", kOutS + 1, kOutS + 1, imm(0));
  // A raw buffer over the wave's memory.
  e.sop1("s_mov_b64", kBufferS, kMemS);
  e.sop2("s_and_b32", kBufferS + 1, kBufferS + 1, kLit), e.word(0xffff);
  e.mov_s(kBufferS + 2, kMemRegion + 1024);
  e.mov_s(kBufferS + 3, 0x00020000 | 7u << 12); // 32-bit float format
  // All lanes get values, those beyond the workgroup's end too.
  e.sop1("s_mov_b64", kExec, imm(-1));
  e.vop3("v_mbcnt_lo_u32_b32", 1, imm(-1), imm(0));
  e.vop3("v_mbcnt_hi_u32_b32", 1, imm(-1), V(1));
  e.smem("s_load_dwordx2", 10, kInS, 4 * below(4096));
  e.smem("s_load_dwordx4", 12, kInS, 4 * below(4096));
  e.smem("s_load_dwordx8", 16, kInS, 4 * below(4096));
  e.smem("s_load_dwordx16", 24, kInS, 4 * below(4096));
  e.vop2("v_lshlrev_b32", kTempV, imm(2), 1);
  e.wait();
  p_.init_begin = static_cast<uint32_t>(e.words.size());
  for (unsigned v = kWorkV0; v < kWorkVEnd; v++) {
    switch (below(10)) {
    case 0: e.mov_v(v, literal()); break;
    case 1: e.vop2("v_add_u32", v, imm(static_cast<int>(below(64))), 1); break;
    case 2: e.vop2("v_lshlrev_b32", v, imm(static_cast<int>(below(8))), 1); break;
    case 3: e.vop1("v_mov_b32", v, kWorkS0 + below(30)); break;
    case 4: e.vop2("v_add_u32", v, kWorkS0 + below(30), 1); break;
    default:
      e.flat(e.opcode("global_load_dword"), 2, kTempV, kInS, 0, v, (4 * below(1023)) & 0xfff);
      break;
    }
  }
  p_.init_end = static_cast<uint32_t>(e.words.size());
  e.wait();
  if (p_.uses_matrix) {
    for (unsigned n = 0; n < 32; n++) e.vop1("v_mov_b32", kMatrixV0 + n, V(kWorkV0 + n));
    for (unsigned n = 0; n < 32; n++) {
      e.word(0xd3800000u | e.opcode("v_accvgpr_write_b32") << 16 | n);
      e.word(V(kWorkV0 + (n * 7 + 3) % 32));
    }
  }
  if (lds_) {
    e.vop2("v_add_u32", 35, kLdsS, kTempV);
    for (unsigned k = 0; k < kLdsBytesPerWave; k += 256) e.ds(e.opcode("ds_write_b32"), 35, kWorkV0 + k / 256, 0, 0, k);
    e.wait();
  }
  if (private_memory_)
    for (unsigned k = 0; k < kPrivateBytes; k += 4) {
      e.mov_v(35, k);
      e.flat(e.opcode("scratch_store_dword"), 1, 35, 0x7f, kWorkV0 + k / 4, 0, 0, p_.target == Target::gfx942 ? 0x2000 : 0);
    }
  e.sop1("s_mov_b64", kExec, kFirstExecS);
  e.sop1("s_mov_b64", kVcc, kWorkS0);
  e.sopc("s_cmp_eq_u32", kWorkS0, kWorkS0 + 1);
}

void Generator::dump_row(unsigned v, bool acc, std::string name) {
  if (acc) {
    e_.word(0xd3800000u | e_.opcode("v_accvgpr_read_b32") << 16 | (kTempV + 1));
    e_.word(0x18000000u | V(v));
    v = kTempV + 1;
  }
  e_.flat(e_.opcode("global_store_dword"), 2, kTempV, kOutS, v, 0, 0);
  e_.vop2("v_add_u32", kTempV, kLit, kTempV), e_.word(256);
  p_.dumped.push_back(std::move(name));
}

void Generator::epilogue() {
  Emitter& e = e_;
  // EXEC, VCC, SCC and the scalar registers go into lanes of one row.
  e.sop2("s_cselect_b32", kTempS, imm(1), imm(0));
  e.sop1("s_mov_b64", kLoopS, kExec);
  e.sop1("s_mov_b64", kExec, imm(-1));
  e.vop1("v_mov_b32", kTempV + 1, imm(0));
  unsigned lane = 0;
  auto scalar = [&](unsigned s) { e.vop3("v_writelane_b32", kTempV + 1, s, imm(static_cast<int>(lane++))); };
  for (unsigned s = kWorkS0; s < kWorkSEnd; s++) scalar(s);
  for (unsigned s : {unsigned(kTempS), kVcc, kVcc + 1, unsigned(kLoopS), unsigned(kLoopS + 1)}) scalar(s);
  e.vop2("v_lshlrev_b32", kTempV, imm(2), 1);
  dump_row(kTempV + 1, false, "scalars s10.. scc vcc exec");
  dump_row(1, false, "v1");
  for (unsigned v = kWorkV0; v < kWorkVEnd; v++) dump_row(v, false, "v" + std::to_string(v));
  p_.matrix_row = p_.dumped.size();
  if (p_.uses_matrix) {
    for (unsigned v = kMatrixV0; v < kMatrixVEnd; v++) dump_row(v, false, "v" + std::to_string(v));
    for (unsigned v = kMatrixA0; v < kMatrixAEnd; v++) dump_row(v, true, "a" + std::to_string(v));
  }
  if (lds_)
    for (unsigned k = 0; k < kLdsBytesPerWave; k += 256) {
      e.vop2("v_lshlrev_b32", kTempV + 2, imm(2), 1);
      e.vop2("v_add_u32", kTempV + 2, kLdsS, kTempV + 2);
      e.ds(e.opcode("ds_read_b32"), kTempV + 2, 0, 0, kTempV + 1, k);
      e.wait();
      dump_row(kTempV + 1, false, "lds " + std::to_string(k));
    }
  if (private_memory_)
    for (unsigned k = 0; k < kPrivateBytes; k += 4) {
      e.mov_v(kTempV + 2, k);
      e.flat(e.opcode("scratch_load_dword"), 1, kTempV + 2, 0x7f, 0, kTempV + 1, 0, p_.target == Target::gfx942 ? 0x2000 : 0);
      e.wait();
      dump_row(kTempV + 1, false, "private " + std::to_string(k));
    }
  e.sopp("s_endpgm");
  p_.dump_bytes_per_wave = static_cast<uint32_t>(p_.dumped.size()) * 256;
  e.words[dump_at_] = p_.dump_bytes_per_wave;
}

void Generator::atom() {
  begin_atom();
  uint32_t k = below(100);
  bool only = !options_.only.empty();
  if (options_.exactly || (only && below(3))) {
    for (auto* rows : {&matrix_, &vector_, &scalar_})
      if (!rows->empty()) random_instruction(*rows);
    if (!memory_.empty()) memory();
  } else if (k < 55 || only) {
    random_instruction(vector_);
  } else if (k < 72) {
    random_instruction(scalar_);
  } else if (p_.uses_matrix && k < 80) {
    random_instruction(matrix_);
  } else if (k < 82) {
    indexed_move();
  } else {
    memory();
  }
  end_atom();
}

/// A lane condition in VCC.
void Generator::condition() {
  static const char* const kCompares[] = {"v_cmp_lt_u32", "v_cmp_gt_i32", "v_cmp_ne_u32", "v_cmp_lt_f32", "v_cmp_eq_u16"};
  e_.vopc(kCompares[below(5)], source9(false), below(3) ? vgpr() : 1);
}

void Generator::structured(unsigned atoms, unsigned depth, bool uniform) {
  unsigned saved = kExecS + 2 * depth, counter = kLoopS + depth;
  switch (below(uniform ? 7 : 5)) {
  case 0: { // if, by lanes
    condition();
    e_.sop1("s_and_saveexec_b64", saved, kVcc);
    size_t skip = coin() ? branch("s_cbranch_execz") : 0;
    body(atoms, depth + 1, false);
    if (skip) land(skip);
    e_.sop2("s_or_b64", kExec, kExec, saved);
    break;
  }
  case 1: { // if and else, by lanes
    condition();
    e_.sop1("s_and_saveexec_b64", saved, kVcc);
    e_.sop2("s_xor_b64", saved, kExec, saved); // lanes of the else part
    size_t skip = branch("s_cbranch_execz");
    body(atoms / 2, depth + 1, false);
    land(skip);
    e_.sop1("s_or_saveexec_b64", saved, saved);
    e_.sop2("s_xor_b64", kExec, kExec, saved);
    skip = branch("s_cbranch_execz");
    body(atoms - atoms / 2, depth + 1, false);
    land(skip);
    e_.sop2("s_or_b64", kExec, kExec, saved);
    break;
  }
  case 2: { // if, by a scalar condition
    e_.sopc(coin() ? "s_cmp_lt_i32" : "s_bitcmp1_b32", kWorkS0 + below(30), coin() ? imm(static_cast<int>(below(32))) : kWorkS0 + below(30));
    size_t other = branch(coin() ? "s_cbranch_scc0" : "s_cbranch_scc1");
    body(atoms / 2, depth + 1, uniform);
    size_t end = branch("s_branch");
    land(other);
    body(atoms - atoms / 2, depth + 1, uniform);
    land(end);
    break;
  }
  case 3: { // loop with a scalar count
    e_.sop1("s_mov_b32", counter, imm(1 + static_cast<int>(below(4))));
    size_t top = e_.words.size();
    body(atoms, depth + 1, uniform);
    e_.sop2("s_sub_u32", counter, counter, imm(1));
    e_.sopc("s_cmp_lg_u32", counter, imm(0));
    e_.sopp("s_cbranch_scc1", static_cast<uint32_t>(top - e_.words.size() - 1));
    break;
  }
  case 4: { // loop whose lanes leave one after the other: VCC-bit counts in the saved mask
    e_.sop1("s_mov_b64", saved, kExec);
    e_.sop1("s_mov_b32", counter, imm(0));
    size_t top = e_.words.size();
    body(atoms, depth + 1, false);
    e_.sop2("s_add_u32", counter, counter, imm(1));
    e_.vop2("v_and_b32", kTempV, imm(3), coin() ? 1 : vgpr());
    e_.vopc("v_cmp_ge_u32", counter, kTempV); // lanes that are through
    e_.sop2("s_andn2_b64", kExec, kExec, kVcc);
    e_.sopp(coin() ? "s_cbranch_execnz" : "s_cbranch_execnz", static_cast<uint32_t>(top - e_.words.size() - 1));
    e_.sop1("s_mov_b64", kExec, saved);
    break;
  }
  case 5: // barrier: EXEC may be anything, every wave comes by
    e_.sopp("s_barrier");
    break;
  case 6: { // call
    e_.sop1("s_getpc_b64", kTargetS, 0);
    call_pcs_.push_back(e_.words.size());
    e_.sop2("s_add_u32", kTargetS, kTargetS, kLit), e_.word(0);
    calls_.push_back(e_.words.size() - 1);
    e_.sop2("s_addc_u32", kTargetS + 1, kTargetS + 1, imm(0));
    e_.sop1("s_swappc_b64", kReturnS, kTargetS);
    break;
  }
  }
}

void Generator::body(unsigned atoms, unsigned depth, bool uniform) {
  while (atoms) {
    if (depth < 4 && atoms > 2 && !options_.exactly && below(9) == 0) {
      unsigned n = 1 + below(std::min(atoms, 12u));
      structured(n, depth, uniform);
      atoms -= n;
    } else {
      atom();
      atoms--;
    }
  }
}

Program Generator::make() {
  static constexpr uint32_t kSizes[] = {64, 64, 128, 256, 100, 33, 192};
  p_.workgroup = kSizes[below(7)];
  p_.waves_per_group = (p_.workgroup + 63) / 64;
  p_.groups = 1 + below(2);
  private_memory_ = below(3) == 0;
  lds_ = below(3) != 0;
  // DX10_CLAMP, IEEE; nearest even, denormals kept.
  p_.rsrc1 = 0xf0u << 12 | (below(4) ? 1u << 21 : 0) | (below(4) ? 1u << 23 : 0);
  prologue();
  p_.body_begin = static_cast<uint32_t>(e_.words.size());
  body(options_.atoms, 0, true);
  p_.body_end = static_cast<uint32_t>(e_.words.size());
  epilogue();
  if (!calls_.empty()) {
    p_.function_start = static_cast<uint32_t>(e_.words.size());
    body(3 + below(6), 3, false);
    e_.sop1("s_setpc_b64", 0, kReturnS);
    for (size_t k = 0; k < calls_.size(); k++)
      e_.words[calls_[k]] = static_cast<uint32_t>((p_.function_start - call_pcs_[k]) * 4);
  }
  p_.words = std::move(e_.words);
  return std::move(p_);
}

Program generate(Target target, uint64_t seed, const GeneratorOptions& options) {
  return Generator(target, seed, options).make();
}

} // namespace pumice::test
