// SPDX-License-Identifier: MIT
// #include lines: mapped in place with their quotes; repeated results are dropped (the line stays, empty, so that line numbers
// hold); the main header is inserted where nothing brought it.
#include "compiler/hipify/walker.h"
#include <algorithm>

namespace pumice::hipify {
namespace {
constexpr size_t kMostIncludes = 1000; // beyond, repeated headers stay
}

/// True when an include that surely was read before, given the #if branches, brought `header`.
bool Walker::already_included(std::string_view header) const {
  std::vector<uint32_t> here = path();
  for (const Included& in : included_) {
    if (in.header != header || in.path.size() > here.size())
      continue;
    if (std::equal(in.path.begin(), in.path.end(), here.begin()))
      return true;
  }
  return false;
}

void Walker::on_header(size_t i) {
  const Token& t = tokens_[i];
  if (t.size() < 3)
    return;
  char open = text_[t.begin], close = open == '<' ? '>' : '"';
  std::string_view name = source(t.begin + 1, t.end - (text_[t.end - 1] == close ? 1 : 0));
  uint32_t begin = tokens_[i - 2].begin; // the #
  if (first_include_ == kNowhere)
    first_include_ = outer_if_ != kNowhere && !conditionals_.empty() ? outer_if_ : begin;
  const HeaderRow* row = tables_.header(name);
  if (!row || (row->cuda != name && is_own(name))) {
    if (open == '"')
      foreign_headers_ = true;
    if (name == "hip/hip_runtime.h")
      runtime_header_ = true;
    // What is left of cuBLAS in a translated source is its legacy interface.
    if (name == "hipblas.h" || name == "rocblas.h")
      legacy_blas_ = true;
    // Only HIP's headers can make a later one superfluous.
    if (included_.size() < kMostIncludes && (name.find("hip") != name.npos || name.find("roc") != name.npos))
      included_.push_back({std::string(name), path()});
    return;
  }
  bool roc = options_.libraries == Libraries::roc || (options_.miopen && name == "cudnn.h");
  std::string_view mapped = roc && !row->roc.empty() ? row->roc : row->hip;
  bool direct = options_.logical_warps && name == "cooperative_groups/reduce.h"; // include/pumice/cuda has it
  if (options_.logical_warps && (name == "nvrtc.h" || name == "cuda.h"))
    mapped = name == "cuda.h" ? "pumice/cuda/driver_forms.h" : "pumice/cuda/hiprtc_arrays.h";
  if (!row->code.empty() && !direct)
    report(i, row->code, std::string(name) + (row->note.empty() ? "" : ": " + std::string(row->note)));
  if (row->kind == HeaderKind::missing)
    return;
  ++statistics_.headers;
  if (name == "cublas.h" && !already_included(mapped))
    legacy_blas_ = true;
  else if (name == "cublas_v2.h" || name == "cublas_api.h")
    legacy_blas_ = false;
  uses_cuda_ = true;
  if (row->kind == HeaderKind::runtime)
    runtime_header_ = true;
  if (row->kind == HeaderKind::dropped || already_included(mapped)) {
    edits_.replace(begin, t.end, "");
    return;
  }
  if (included_.size() < kMostIncludes)
    included_.push_back({std::string(mapped), path()});
  edits_.replace(t.begin, t.end, open + std::string(mapped) + close);
}

void Walker::note_directive(size_t i, std::string_view name) {
  auto line_end = [&] {
    size_t end = text_.find('\n', tokens_[i].begin);
    return end == text_.npos ? uint32_t(text_.size()) : uint32_t(end + 1);
  };
  ++directives_;
  if (name == "pragma" && is_identifier(i + 2) && spelling(i + 2) == "once") {
    if (pragma_once_end_ == kNowhere)
      pragma_once_end_ = line_end();
    return;
  }
  bool first = directives_ == 1 || (directives_ == 2 && pragma_once_end_ != kNowhere);
  if (name == "ifndef" && first && is_identifier(i + 2)) {
    guard_ = spelling(i + 2);
    guard_end_ = line_end();
  } else if (name == "define" && !guard_.empty() && is_identifier(i + 2) && spelling(i + 2) == guard_ &&
             first_include_ == kNowhere) {
    is_guard_ = true;
    if (pragma_once_end_ == kNowhere)
      guard_end_ = line_end();
  }
}

/// After #pragma once or the include guard, whichever comes first in the file; else before the first include; else before the
/// first token.
void Walker::insert_main_header() {
  uint32_t at = kNowhere;
  bool guarded = guard_end_ != kNowhere && is_guard_;
  if (pragma_once_end_ != kNowhere && (!guarded || pragma_once_end_ < guard_end_))
    at = pragma_once_end_;
  else if (guarded)
    at = guard_end_;
  else if (first_include_ != kNowhere)
    at = first_include_;
  else if (!tokens_.empty())
    at = tokens_[0].begin;
  else
    at = 0;
  // Only at the start of a line; text before the first token of a line is white space or a comment.
  while (at > 0 && at <= text_.size() && text_[at - 1] != '\n')
    --at;
  if (at == 0 && text_.starts_with("\xEF\xBB\xBF"))
    at = 3;
  edits_.insert(at, "#include <hip/hip_runtime.h>\n");
}

} // namespace pumice::hipify
