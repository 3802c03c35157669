// SPDX-License-Identifier: MIT
// Assembly test cases: tests/isa/<encoding>/<name>.s with the state before and after in comments.
//   ; TARGETS gfx942                 only these targets (default: both)
//   ; INIT s4 = 0x10                 scalar register, vcc, exec, m0, scc, mode
//   ; INIT v1 = lane * 4             vector register, every lane
//   ; INIT lds[0..15] = i + 100      dwords of LDS (global[..] likewise; s[0:1] of every case holds
//   its address) ; EXPECT v2[0..15,17] = lane     lanes; without [..] every lane ; EXPECT s0 = 5 ;
//   FAULT trap                     the run ends in this fault ; SOURCE manual|llvm|derived where
//   the expectation comes from
// Expressions are C's over 64-bit integers with the variables lane and i and the functions f16(x),
// f32(x), f64lo(x), f64hi(x) of a number, which give bits.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace pumice::test {

struct CaseLine {
  std::string place, expression;
  std::vector<unsigned> indices; // lanes or dwords; empty: all lanes
  int line;
};
struct CaseFile {
  std::string text, fault;
  std::vector<std::string> targets;
  std::vector<CaseLine> init, expect;
};

/// Parses; `error` is not empty when the file is malformed.
CaseFile read_case(const std::string& path, std::string& error);
/// Value of an expression; sets `error` on bad syntax.
uint64_t evaluate(const std::string& expression, uint64_t lane, std::string& error);

} // namespace pumice::test
