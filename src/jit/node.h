// SPDX-License-Identifier: MIT
// The value domain of the lifter: how a 32-bit register's content is known at one point.
// Nodes live in an arena for one lifted function; values cached in them are valid in the block that made them.
#pragma once
#include "jit/pattern.h"
#include <cstdint>

namespace llvm {
class Value;
}

namespace pumice::jit {

enum class Form : uint8_t {
  none,
  uniform,   // every lane holds `s` (SGPRs are always this form or a half of a pair)
  affine,    // lane l holds s + pat[l] (mod 2^32)
  pair_lo, pair_hi, // halves of a 64-bit quantity s64 + pat[l]
  vector,    // <64 x i32>
  wide_lo, wide_hi, // halves of a <64 x i64>
};

/// 64-bit quantity with a scalar base.
struct Pair {
  llvm::Value* s = nullptr;     // i64; may be made lazily from `mask`
  llvm::Value* mask = nullptr;  // <64 x i1> view of the same bits (lane masks)
  llvm::Value* vec = nullptr;   // cached <64 x i64>
  const Pattern* pat = nullptr;
  bool is_const = false;        // s == cval (+ load bias when relative)
  bool relative = false;
  uint64_t cval = 0;
};

/// 64-bit quantity per lane: `v`, or base + (sign_extend(index) << shift), from which `v` is made when it is needed.
/// Addresses in the second form gather and scatter sixteen lanes at a time.
struct Wide {
  llvm::Value* v = nullptr; // <64 x i64>
  llvm::Value* index = nullptr; // <64 x i32>
  llvm::Value* base = nullptr;  // i64; null: 0
  unsigned shift = 0;           // at most 3
  llvm::Value* lo = nullptr;
  llvm::Value* hi = nullptr;
};

struct Node {
  Form form = Form::none;
  bool is_const = false;
  uint32_t cval = 0;
  uint8_t align = 0;   // base is a multiple of 1 << align
  uint8_t bits = 32;   // base < 1 << bits (unsigned)
  llvm::Value* s = nullptr;   // i32 base
  llvm::Value* vec = nullptr; // <64 x i32> (form vector, or cached)
  const Pattern* pat = nullptr;
  Pair* pair = nullptr;
  Wide* wide = nullptr;
  Node* sign_of = nullptr;    // this node is (sign_of >> 31) arithmetic
  // Low half of a 64-bit addition whose carry is still to come: lo == a + b.
  Node* add_a = nullptr;
  Node* add_b = nullptr;
};

/// The part of a node that control flow preserves: what a block may assume of a register on entry.
struct Kind {
  Form form = Form::none; // none: not reached yet
  bool is_const = false;
  bool relative = false;
  uint8_t align = 0, bits = 32;
  uint64_t cval = 0;
  const Pattern* pat = nullptr;
  bool operator==(const Kind&) const = default;
};

} // namespace pumice::jit
