// SPDX-License-Identifier: MIT
// One translation: walks the tokens of a text once and gathers edits, findings and statistics. Internal to the translator;
// its rules are spread over names.cpp, calls.cpp, launches.cpp, headers.cpp, conditions.cpp, ptx.cpp, warp_checks.cpp and
// device_checks.cpp. Lives for one call of translate(); single-threaded.
#pragma once
#include "compiler/hipify/edits.h"
#include "compiler/hipify/lexer.h"
#include "compiler/hipify/translate.h"

namespace pumice::hipify {

class Walker {
public:
  Walker(std::string_view text, const Options& options);
  Translation run();

private:
  enum class Where : uint8_t { host, device, macro };
  enum class ScopeKind : uint8_t { name_space, type, enumeration, function, block };
  struct Scope {
    ScopeKind kind;
    bool device;
  };
  /// What the current declaration has shown so far; reset at ; { and }.
  struct Pending {
    bool device = false, global = false, type = false, enumeration = false, name_space = false,
         parameters = false, constant = false, shared = false;
  };
  struct Call {
    size_t name, open, close;
    size_t first_edit;
  };
  struct Argument {
    size_t first, last; // tokens, last exclusive
  };
  struct RawFinding {
    uint32_t offset, order;
    const CodeRow* code;
    std::string message, suggestion;
    bool conditional;
  };
  enum class Truth : uint8_t { no, yes, unknown };
  struct Conditional {
    Truth taken_before; // did an earlier branch hold
    bool active;        // is this branch translated
    bool outer_active;
    uint32_t id;        // of the branch, for header de-duplication
    std::vector<Scope> scopes{}; // open at the #if: each branch opens and closes braces from there
    bool guards = false;         // includes the whole file or tests nothing but a guard
  };
  struct Included {
    std::string header;
    std::vector<uint32_t> path;
  };
  struct Macro { // function-like macro whose body is a kernel launch
    size_t open = 0, body = 0, body_end = 0; // open 0: an object-like macro that ends at >>>
  };

  // walker.cpp
  const Token& at(size_t i) const { return tokens_[i]; }
  std::string_view spelling(size_t i) const {
    return text_.substr(tokens_[i].begin, tokens_[i].size());
  }
  bool is(size_t i, uint8_t punctuator) const {
    return i < tokens_.size() && tokens_[i].kind == TokenKind::punctuator &&
           tokens_[i].punctuator == punctuator;
  }
  bool is_identifier(size_t i) const {
    return i < tokens_.size() && tokens_[i].kind == TokenKind::identifier;
  }
  Keyword keyword(size_t i) const {
    return is_identifier(i) && tokens_[i].row >= 0 ? tables_.name(tokens_[i].row).keyword
                                                   : Keyword::none;
  }
  std::string_view source(uint32_t begin, uint32_t end) const {
    return text_.substr(begin, end - begin);
  }
  void report(size_t token, std::string_view code, std::string what = {}, std::string suggestion = {});
  void report_at(uint32_t offset, std::string_view code, std::string what = {},
                 std::string suggestion = {});
  Where where(size_t i) const;
  void step(size_t i);
  void track_scope(size_t i);
  void finish(Translation& out);
  std::vector<Argument> arguments(size_t open, size_t close) const;

  // names.cpp
  void on_identifier(size_t i);
  void on_known_name(size_t i, const NameRow& row);
  void on_unknown_name(size_t i);
  void on_namespace_name(size_t i, Keyword keyword);
  void report_group(size_t i, const BehaviourRow& row);
  void translate_name(size_t i, const NameRow& row);
  bool foreign(size_t i) const;            // a member, or qualified by a namespace that is not CUDA's
  bool declared_as_member(size_t i) const; // names a member in a class body
  bool is_own(std::string_view name) const;
  void behaviour(size_t i, const BehaviourRow& row);

  // calls.cpp
  void open_call(size_t name, const NameRow& row);
  void close_call(const Call& call);

  // launches.cpp
  void on_launch(size_t i);
  size_t kernel_begin(size_t launch) const;
  size_t launch_close(size_t launch) const;
  std::string launch_prefix(std::string_view kernel) const;
  void note_kernel(size_t i);
  void find_launch_macros();
  bool expand_launch_macro(size_t i);

  // headers.cpp
  void on_header(size_t i);
  void insert_main_header();
  bool already_included(std::string_view header) const;
  void note_directive(size_t i, std::string_view name);

  // conditions.cpp
  void on_directive(size_t i);
  void on_define(size_t name);
  Truth defined(const std::string& macro) const;
  Truth evaluate(size_t first, size_t last) const;
  std::vector<uint32_t> path() const;

  // ptx.cpp
  void on_asm(size_t i);

  // warp_checks.cpp
  void on_number(size_t i);
  void check_half_wave(size_t i, bool one);
  void check_lane_mask(size_t i);
  void check_ballot(size_t i);
  void check_bits_of_ballot(size_t i);
  void check_warp_size(size_t i);
  bool use_logical_warp(size_t i, const NameRow& row);
  void check_warp_constant(size_t name, size_t value);
  bool thread_like(size_t last) const;

  // device_checks.cpp
  void check_launch_bounds(size_t i);
  void check_spin(size_t i);
  void check_texture_reference(size_t i);
  uint64_t constant(size_t first, size_t last) const;
  void check_shared_memory(size_t i);
  void check_string(size_t i);
  void rewrite_string(size_t i);
  void check_vector_operator(size_t i);

  std::string_view text_;
  const Options& options_;
  const Tables& tables_;
  std::vector<Token> tokens_;
  std::unordered_set<std::string> own_;
  Edits edits_;
  std::vector<RawFinding> findings_;
  Statistics statistics_;
  bool uses_cuda_ = false; // anything that needs the main header
  bool device_code_ = false;
  bool cuda_file_ = false; // any CUDA name, header or launch: inline assembly may be PTX

  std::vector<Scope> scopes_;
  Pending pending_;
  std::vector<Call> calls_;
  size_t skip_to_ = 0; // tokens before this index were consumed by a rule

  // Directives.
  std::string_view directive_;
  std::vector<Conditional> conditionals_;
  uint32_t branches_ = 0;
  bool excluded_ = false;
  bool foreign_headers_ = false; // a project header was included: macros may come from there
  std::unordered_map<std::string, std::string> macros_;
  std::unordered_set<std::string> undefined_;
  uint32_t excluded_names_ = 0;
  size_t excluded_at_ = 0;

  // Headers.
  std::vector<Included> included_;
  bool runtime_header_ = false;
  static constexpr uint32_t kNowhere = UINT32_MAX;
  uint32_t first_include_ = kNowhere, pragma_once_end_ = kNowhere, guard_end_ = kNowhere;
  uint32_t outer_if_ = kNowhere;
  std::string guard_;
  bool is_guard_ = false; // the macro of the first #ifndef is defined right after it
  size_t directives_ = 0;

  std::unordered_set<std::string> group_aliases_;
  bool groups_used_ = false; // using namespace cooperative_groups
  bool bf16_header_ = false;
  bool legacy_blas_ = false; // cublas.h without cublas_v2.h
  std::unordered_set<std::string> template_kernels_;
  std::unordered_map<std::string, Macro> launch_macros_;
  std::unordered_set<std::string> ballots_; // variables that hold a ballot
};

} // namespace pumice::hipify
