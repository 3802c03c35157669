// SPDX-License-Identifier: MIT
// The rows behind the translator: names, headers, call arguments, PTX, libraries, behaviours, finding codes.
// The rows are the .tsv files of rows/, embedded in the program and parsed once, on first use; everything else (rewriting,
// reports, docs/migration) comes from them. Immutable after construction; any thread may read.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pumice::hipify {

constexpr uint32_t kHashStart = 2166136261u;
inline uint32_t hash_step(uint32_t h, char c) { return (h ^ uint8_t(c)) * 16777619u; }
inline uint32_t hash_of(std::string_view s) {
  uint32_t h = kHashStart;
  for (char c : s)
    h = hash_step(h, c);
  return h;
}

enum class NameKind : uint8_t { function, type, constant, macro, device };
enum class Support : uint8_t { none, supported, deprecated, experimental };

/// Words that the rules react to; they stand in the same index as the names.
enum class Keyword : uint8_t {
  none,
  type_scope,  // struct class union
  enumeration, // enum
  name_space,  // namespace
  using_word,  // using
  typedef_word,
  expression,  // return, case, ...: what follows is no declarator
  operator_word,
  template_word,
  asm_word,
  global_function, // __global__
  device_function, // __device__
  shared,          // __shared__
  constant_word,   // const, constexpr
  cub_name,
  cuda_name,
  groups_name, // cooperative_groups
  cute_name,
  wmma_name,   // wmma, of nvcuda
};

struct NameRow {
  std::string_view cuda;
  NameKind kind = NameKind::function;
  std::string_view hip, hip_since;
  Support hip_support = Support::none;
  std::string_view roc, roc_since;
  Support roc_support = Support::none;
  std::string_view added, deprecated, changed, removed; // CUDA versions
  std::string_view library, section;
  int16_t arguments = -1; // index of the first call rule, or -1
  int16_t behaviour = -1; // index of the behaviour row, or -1
  Keyword keyword = Keyword::none;
};

enum class HeaderKind : uint8_t { runtime, mapped, dropped, missing };
struct HeaderRow {
  std::string_view cuda;
  HeaderKind kind = HeaderKind::mapped;
  std::string_view hip, roc, code, note;
};

enum class ArgumentAction : uint8_t { wrap, cast, insert, append, replace, order, rename };
enum class ArgumentTarget : uint8_t { hip, roc };
/// One change to the arguments of calls of `function`; indices count the original call's arguments.
struct ArgumentRow {
  std::string_view function;
  ArgumentTarget target = ArgumentTarget::hip;
  uint8_t index = 0;
  ArgumentAction action = ArgumentAction::wrap;
  std::string_view text; // macro, cast type, inserted or replacing text; for order: the original indices, in their new order
  bool loses = false;    // what is dropped may matter: a finding
};

/// A name or `namespace::name` that translates or stays but behaves otherwise on AMD GPUs, or asks for a check.
struct BehaviourRow {
  std::string_view name, code, handler, what, suggestion;
};

struct LibraryRow {
  std::string_view prefix; // of identifiers
  std::string_view follow; // what the character after the prefix must be: "capital", "upper" (or _), "lower", "any"
  std::string_view library, code, counterpart;
};

/// PTX: `pattern` is an opcode with optional "*" at its end, or "opcode special-register".
struct PtxRow {
  std::string_view pattern, replacement, note;
};

enum class Severity : uint8_t { note, warning, error };
struct CodeRow {
  std::string_view code, group; // "W003", "warp-size"
  Severity severity = Severity::warning;
  std::string_view title, why, suggestion, before, after;
  std::string_view title_zh, why_zh, suggestion_zh; // Chinese
};

class Tables {
public:
  static const Tables& get();

  int32_t find(std::string_view name, uint32_t hash) const {
    // Most identifiers are nobody's: the hash in the slot turns them away without touching a row.
    for (uint32_t at = hash & kSlotMask; slots_[at].row >= 0; at = (at + 1) & kSlotMask)
      if (slots_[at].hash == hash && names_[size_t(slots_[at].row)].cuda == name)
        return slots_[at].row;
    return -1;
  }
  int32_t find(std::string_view name) const { return find(name, hash_of(name)); }
  const NameRow& name(int32_t row) const { return names_[size_t(row)]; }
  /// The name rows, without the keywords behind them.
  std::span<const NameRow> names() const { return {names_.data(), name_count_}; }
  /// True for identifiers that only CUDA's libraries (or a project that imitates them) would use.
  bool looks_like_cuda(std::string_view name) const {
    if (name.size() < 3)
      return false;
    char second = name[1];
    switch (name[0]) { // first letters of the prefixes in rows/libraries.tsv
    case 'c':
      return second == 'u' && library_of(name);
    case 'C':
      return second == 'U' && library_of(name);
    case 'n':
    case 'N':
      return (second == 'v' || second == 'c' || second == 'p' || second == 'V' || second == 'C' || second == 'P') &&
             library_of(name);
    case 'o':
    case 'O':
      return (second == 'p' || second == 'P') && library_of(name);
    case '_':
      return (name.starts_with("__nv_") || name.starts_with("__CUDA") || name.starts_with("__NV_")) && library_of(name);
    default:
      return false;
    }
  }
  const LibraryRow* library_of(std::string_view name) const;
  const HeaderRow* header(std::string_view name) const;
  const BehaviourRow* behaviour(std::string_view name) const;
  const CodeRow& code(std::string_view code) const; // an unknown code is a broken row: checked at start
  const std::vector<HeaderRow>& headers() const { return headers_; }
  const std::vector<ArgumentRow>& arguments() const { return arguments_; }
  const std::vector<BehaviourRow>& behaviours() const { return behaviours_; }
  const std::vector<LibraryRow>& libraries() const { return libraries_; }
  const std::vector<PtxRow>& ptx() const { return ptx_; }
  const std::vector<CodeRow>& codes() const { return codes_; }

private:
  Tables();
  void add_names(std::string_view text);
  void add_headers(std::string_view text);
  void add_arguments(std::string_view text);
  void add_behaviours(std::string_view text);
  void build_index();

  std::vector<NameRow> names_;
  size_t name_count_ = 0;
  struct Slot {
    uint32_t hash = 0;
    int32_t row = -1;
  };
  static constexpr uint32_t kSlotMask = 32767;
  std::vector<Slot> slots_; // open addressing
  std::vector<HeaderRow> headers_;
  std::vector<ArgumentRow> arguments_;
  std::vector<BehaviourRow> behaviours_;
  std::vector<LibraryRow> libraries_;
  std::vector<PtxRow> ptx_;
  std::vector<CodeRow> codes_;
};

/// "12.4" or "6.2.0" as 120400 / 60200; 0 for "-" or anything else.
uint32_t version_number(std::string_view text);

} // namespace pumice::hipify
