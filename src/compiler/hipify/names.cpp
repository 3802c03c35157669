// SPDX-License-Identifier: MIT
// Identifiers: which are CUDA's, what becomes of them, which belong to the project.
#include "compiler/hipify/walker.h"

namespace pumice::hipify {
namespace {

/// Members of namespace cuda that libcu++ declares; a project's own `cuda::` names differ.
bool libcuxx_member(std::string_view s) {
  for (std::string_view m :
       {"atomic", "atomic_ref", "atomic_thread_fence", "barrier", "pipeline", "std", "memcpy_async",
        "aligned_size_t", "thread_scope_system", "thread_scope_device", "thread_scope_block",
        "thread_scope_thread", "latch", "counting_semaphore", "binary_semaphore", "make_pipeline",
        "pipeline_shared_state", "pipeline_consumer_wait_prior", "ptx", "device", "annotated_ptr",
        "access_property", "proclaim_return_type", "stream_ref", "minimum", "maximum"})
    if (s == m)
      return true;
  return false;
}

/// Names that HIP lacks and the headers of include/pumice/cuda have.
bool in_overloads(std::string_view s) {
  return s == "CUctxCreateParams" || s == "CUctxCreateParams_st" || s == "umin" || s == "umax" || s == "llmin" || s == "llmax" || s == "ullmin" || s == "ullmax";
}

bool same_name_functions(const NameRow& row) { return row.hip == row.cuda; }

} // namespace

bool Walker::is_own(std::string_view name) const {
  std::string key(name);
  return own_.count(key) || (options_.own_names && options_.own_names->count(key));
}

/// Members of objects and names of other namespaces stay. `::name` and `cudaError::name` are CUDA's.
bool Walker::foreign(size_t i) const {
  if (i == 0)
    return false;
  if (is(i - 1, arrow))
    return true;
  if (is(i - 1, '.'))
    return !(i >= 3 && is(i - 2, '.') && is(i - 3, '.'));
  if (is(i - 1, scope) && i >= 2) {
    if (is(i - 2, '>'))
      return true; // Template<...>::name
    if (!is_identifier(i - 2) || tokens_[i - 1].space_before)
      return false; // ::name
    const Token& q = tokens_[i - 2];
    return q.row < 0 || tables_.name(q.row).keyword != Keyword::none;
  }
  return false;
}

/// `type name(...)` or `type name;` directly in a class body.
bool Walker::declared_as_member(size_t i) const {
  if (scopes_.back().kind != ScopeKind::type || i == 0 || tokens_[i].in_directive)
    return false;
  bool after_type = (is_identifier(i - 1) && keyword(i - 1) != Keyword::expression) ||
                    is(i - 1, '*') || is(i - 1, '&') || is(i - 1, '>') || is(i - 1, '~');
  bool declarator = is(i + 1, '(') || is(i + 1, ';') || is(i + 1, '=') || is(i + 1, ',') ||
                    is(i + 1, '[') || is(i + 1, '{');
  return after_type && declarator;
}

void Walker::on_identifier(size_t i) {
  const Token& t = tokens_[i];
  if (t.row < 0) {
    if (!t.in_directive && !launch_macros_.empty() && expand_launch_macro(i))
      return;
    if (t.looks_like_cuda) {
      on_unknown_name(i);
    } else {
      std::string name(spelling(i));
      if (groups_used_ && (is(i + 1, '(') || is(i + 1, '<')) && !foreign(i) && !(i > 0 && (is(i - 1, scope) || is_identifier(i - 1))))
        if (const BehaviourRow* b = tables_.behaviour("cooperative_groups::" + name))
          report_group(i, *b);
      if (group_aliases_.count(name) && is(i + 1, scope) && is_identifier(i + 2)) {
        if (const BehaviourRow* b =
                tables_.behaviour("cooperative_groups::" + std::string(spelling(i + 2))))
          report_group(i, *b);
      }
    }
    return;
  }
  const NameRow& row = tables_.name(t.row);
  switch (row.keyword) {
  case Keyword::none:
    on_known_name(i, row);
    return;
  case Keyword::type_scope:
    // Not a template parameter, and not inside a parameter list.
    if (!t.in_directive && !(i > 0 && (is(i - 1, '<') || is(i - 1, ','))))
      pending_.type = true;
    return;
  case Keyword::enumeration:
    if (!t.in_directive)
      pending_.enumeration = true;
    return;
  case Keyword::name_space:
    if (!t.in_directive && !(i > 0 && keyword(i - 1) == Keyword::using_word))
      pending_.name_space = true;
    if (is_identifier(i + 1) && is(i + 2, '=') && keyword(i + 3) == Keyword::groups_name)
      group_aliases_.insert(std::string(spelling(i + 1)));
    return;
  case Keyword::global_function:
    if (!t.in_directive)
      pending_.global = true;
    uses_cuda_ = true;
    return;
  case Keyword::device_function:
    if (!t.in_directive)
      pending_.device = true;
    uses_cuda_ = true;
    return;
  case Keyword::operator_word:
    check_vector_operator(i);
    return;
  case Keyword::shared:
    pending_.shared = true;
    check_shared_memory(i);
    return;
  case Keyword::constant_word:
    pending_.constant = true;
    return;
  case Keyword::asm_word:
    on_asm(i);
    return;
  case Keyword::cub_name:
  case Keyword::cuda_name:
  case Keyword::groups_name:
  case Keyword::cute_name:
  case Keyword::wmma_name:
    on_namespace_name(i, row.keyword);
    return;
  default:
    return;
  }
}

/// A member of cooperative_groups that HIP lacks; direct CUDA has the reductions.
void Walker::report_group(size_t i, const BehaviourRow& row) {
  if (options_.logical_warps)
    for (std::string_view have : {"reduce", "plus", "less", "greater", "bit_and", "bit_or", "bit_xor"})
      if (row.name.substr(row.name.rfind(':') + 1) == have)
        return;
  report(i, row.code, std::string(row.what));
}

void Walker::on_namespace_name(size_t i, Keyword kind) {
  bool qualified = i > 1 && is(i - 1, scope) && is_identifier(i - 2) && !tokens_[i - 1].space_before;
  bool qualifies = is(i + 1, scope);
  bool directive = i > 1 && keyword(i - 1) == Keyword::name_space && keyword(i - 2) == Keyword::using_word;
  bool alias = i > 0 && is(i - 1, '=') && is(i + 1, ';');
  switch (kind) {
  case Keyword::cub_name:
    if (!qualified && (qualifies || directive || alias) && !is_own("cub")) {
      edits_.replace(tokens_[i].begin, tokens_[i].end, "hipcub");
      ++statistics_.kept["cub"];
    }
    return;
  case Keyword::groups_name:
    if (directive)
      groups_used_ = true;
    if (qualifies && is_identifier(i + 2))
      if (const BehaviourRow* b =
              tables_.behaviour("cooperative_groups::" + std::string(spelling(i + 2))))
        report_group(i, *b);
    return;
  case Keyword::cuda_name:
    if (i > 0 && (is(i - 1, '(') || is(i - 1, ',')) && is(i + 1, ',') && !is_own("cuda") && (i < 3 || spelling(i - 2) != "asm"))
      report(i, "A010", "cuda as an argument, perhaps of a macro that joins names");
    if (!qualified && qualifies && is_identifier(i + 2) && !is_own("cuda") &&
        libcuxx_member(spelling(i + 2)))
      report(i, "D011", "cuda::" + std::string(spelling(i + 2)) + " of libcu++");
    return;
  case Keyword::cute_name:
    if (!qualified && (qualifies || directive) && !is_own("cute"))
      report(i, "L001", "namespace cute");
    return;
  case Keyword::wmma_name:
    if (qualifies && !qualified)
      report(i, "D010", "wmma::" + std::string(is_identifier(i + 2) ? spelling(i + 2) : ""));
    return;
  default:
    return;
  }
}

void Walker::on_unknown_name(size_t i) {
  std::string name = tokens_[i].spliced ? clean_spelling(text_, tokens_[i]) : std::string(spelling(i));
  if (is_own(name)) {
    ++statistics_.own[name];
    return;
  }
  if (foreign(i) || declared_as_member(i)) {
    ++statistics_.kept[name];
    return;
  }
  const LibraryRow* library = tables_.library_of(name);
  if (library->code.empty()) {
    ++statistics_.kept[name];
    return;
  }
  ++statistics_.unknown[name];
  if (i > 0 && (is(i - 1, paste) || is(i + 1, paste))) {
    report(i, "A010", name + " is a part of a pasted name");
    return;
  }
  bool product = library->code.starts_with('L') || library->code == "D010";
  report(i, library->code,
         product ? name + " (" + std::string(library->library) + ")"
                 : name + " is not in the tables of " + std::string(library->library),
         product ? "use " + std::string(library->counterpart) : "");
}

void Walker::on_known_name(size_t i, const NameRow& row) {
  const Token& t = tokens_[i];
  if (row.kind == NameKind::device) {
    // Device functions have short names that projects use too: only calls count.
    bool call = is(i + 1, '(') || is(i + 1, '<');
    // What another file declares under such a name does not silence this one.
    if (!call || foreign(i) || declared_as_member(i) || own_.count(std::string(row.cuda)))
      return;
    if (options_.logical_warps && use_logical_warp(i, row))
      return;
    if (row.hip_support == Support::none) {
      bool declaration = i > 0 && is_identifier(i - 1) && keyword(i - 1) != Keyword::expression;
      if (!declaration && !(options_.logical_warps && in_overloads(row.cuda))) { // host code may call some of them too (umin)
        ++statistics_.unsupported[t.row];
        report(i, "A001", std::string(row.cuda) + " (device function)");
      }
      if (row.behaviour >= 0)
        behaviour(i, tables_.behaviours()[size_t(row.behaviour)]);
      return;
    }
    ++statistics_.translated[t.row];
    if (!same_name_functions(row))
      edits_.replace(t.begin, t.end, std::string(row.hip));
    if (row.behaviour >= 0)
      behaviour(i, tables_.behaviours()[size_t(row.behaviour)]);
    return;
  }
  if (foreign(i) || declared_as_member(i)) {
    ++statistics_.kept[std::string(row.cuda)];
    if (options_.logical_warps && row.cuda == "warpSize")
      check_warp_size(i);
    return;
  }
  // `texture` and `surface` are everyday words: only the templates are CUDA's.
  if (row.behaviour >= 0 && tables_.behaviours()[size_t(row.behaviour)].handler == "texture_reference" &&
      !is(i + 1, '<'))
    return;
  if (is_own(row.cuda) && row.hip_support == Support::none) {
    ++statistics_.own[std::string(row.cuda)];
    return;
  }
  if (row.library == "CUDA Runtime" && row.kind == NameKind::function && is(i + 1, '(') && !tokens_[i].in_directive && scopes_.back().device &&
      conditionals_.size() == size_t(!conditionals_.empty() && conditionals_[0].guards))
    report(i, "D003", std::string(row.cuda) + " in device code: the device's runtime belongs to dynamic parallelism");
  if (i > 0 && (is(i - 1, paste) || is(i + 1, paste)) && !same_name_functions(row))
    report(i, "A010", std::string(row.cuda) + " is a part of a pasted name");
  if (row.behaviour >= 0)
    behaviour(i, tables_.behaviours()[size_t(row.behaviour)]);
  if (legacy_blas_ && row.library == "cuBLAS" && row.kind == NameKind::function &&
      tables_.find(std::string(row.cuda) + "_v2") >= 0) {
    ++statistics_.unsupported[t.row];
    report(i, "A015", std::string(row.cuda) + " without a handle");
    return;
  }
  translate_name(i, row);
}

void Walker::translate_name(size_t i, const NameRow& row) {
  const Token& t = tokens_[i];
  bool roc_mode = options_.libraries == Libraries::roc;
  bool to_roc = roc_mode && row.roc_support != Support::none;
  bool roc_missing = roc_mode && row.roc_support == Support::none && row.roc.empty() &&
                     row.hip_support != Support::none &&
                     (row.library == "cuBLAS" || row.library == "cuSPARSE" ||
                      row.library == "cuRAND" || row.library == "cuSOLVER");
  if (row.library == "cuDNN") {
    to_roc = (options_.miopen || roc_mode) && row.roc_support != Support::none;
    roc_missing = (options_.miopen || roc_mode) && !to_roc;
  } else if (row.roc.starts_with("miopen")) {
    to_roc = options_.miopen;
  }
  if (to_roc && options_.hip_data_types && row.roc.starts_with("rocblas_datatype"))
    to_roc = false;
  std::string_view name = to_roc ? row.roc : row.hip;
  // hipBLAS declares its calls with hip_bfloat16; cuda_bf16.h's functions are hip_bf16.h's, with the other type.
  if (name == "hip_bfloat16" && bf16_header_)
    name = "__hip_bfloat16";
  std::string_view since = to_roc ? row.roc_since : row.hip_since;
  Support support = to_roc ? row.roc_support : row.hip_support;
  std::string_view target = to_roc || roc_missing ? "the roc libraries" : "HIP";
  std::string cuda(row.cuda);

  bool newer = version_number(since) > options_.rocm_version;
  if (support == Support::none || roc_missing) {
    ++statistics_.unsupported[t.row];
    std::string what = cuda + " has no counterpart in " + std::string(target);
    if (!row.added.empty())
      what += " (" + std::string(row.library) + ", since CUDA " + std::string(row.added) + ")";
    if (row.behaviour < 0 && !(options_.logical_warps && in_overloads(row.cuda))) // a behaviour row says it better
      report(i, "A001", what);
    return;
  }
  if (support == Support::experimental && newer && !options_.experimental) {
    ++statistics_.unsupported[t.row];
    report(i, "A007", cuda + " is experimental (" + std::string(name) + ")");
    return;
  }
  if (newer && !options_.experimental)
    report(i, "A004", std::string(name) + " came with ROCm " + std::string(since));
  if (support == Support::deprecated)
    report(i, "A003", std::string(name) + " is deprecated");
  if (!row.changed.empty() && row.behaviour < 0 &&
      (options_.cuda_version == 0 || options_.cuda_version >= version_number(row.changed)))
    report(i, "A005",
           cuda + " changed in version " + std::string(row.changed) + " of " +
               std::string(row.library));
  if (!row.removed.empty() &&
      (options_.cuda_version == 0 || options_.cuda_version >= version_number(row.removed)))
    report(i, "A006", cuda + " was removed in CUDA " + std::string(row.removed));
  ++statistics_.translated[t.row];
  if (row.library != "Other")
    uses_cuda_ = true;
  if (name == "@empty") // a macro that expands to nothing, with the blank behind it
    edits_.replace(t.begin, t.end + (t.end < text_.size() && text_[t.end] == ' '), "");
  else if (name != row.cuda)
    edits_.replace(t.begin, t.end, std::string(name));
  if (row.arguments >= 0 && is(i + 1, '('))
    open_call(i, row);
}

void Walker::behaviour(size_t i, const BehaviourRow& row) {
  std::string_view handler = row.handler;
  if (options_.keep_version_macros && (row.code == "A014" || row.code == "D013"))
    return;
  if (handler.empty()) {
    report(i, row.code, std::string(row.what), std::string(row.suggestion));
    return;
  }
  if (options_.logical_warps && row.code.starts_with('W')) {
    if (handler == "warp_size")
      check_warp_size(i);
    return;
  }
  if (handler == "lane_mask")
    check_lane_mask(i);
  else if (handler == "ballot")
    check_ballot(i);
  else if (handler == "bits_of_ballot")
    check_bits_of_ballot(i);
  else if (handler == "warp_size")
    check_warp_size(i);
  else if (handler == "launch_bounds")
    check_launch_bounds(i);
  else if (handler == "spin")
    check_spin(i);
  else if (handler == "texture_reference")
    check_texture_reference(i);
}

} // namespace pumice::hipify
