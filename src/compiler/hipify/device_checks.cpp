// SPDX-License-Identifier: MIT
// Language features that differ on AMD GPUs: launch bounds, locks inside a wave, texture references, shared memory size,
// device code in strings.
#include "compiler/hipify/walker.h"
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iterator>

namespace pumice::hipify {
namespace {

/// float4, uchar2, longlong1 and their like.
bool vector_type(std::string_view s) {
  if (s.size() < 4 || s.back() < '1' || s.back() > '4')
    return false;
  s.remove_suffix(1);
  if (s == "float" || s == "double")
    return true;
  if (s.front() == 'u')
    s.remove_prefix(1);
  return s == "char" || s == "short" || s == "int" || s == "long" || s == "longlong";
}

} // namespace

void Walker::check_launch_bounds(size_t i) {
  if (!is(i + 1, '(') || tokens_[i + 1].match < 0)
    return;
  std::vector<Argument> args = arguments(i + 1, size_t(tokens_[i + 1].match));
  if (args.size() >= 2)
    report(args[1].first, args.size() >= 3 ? "D007" : "D004",
           args.size() >= 3 ? "third argument of __launch_bounds__ (blocks per cluster)"
                            : "second argument of __launch_bounds__");
}

/// `while (atomicCAS(...) ...)` without a wave-level choice of one lane.
void Walker::check_spin(size_t i) {
  for (size_t k = i, n = 0; k > 0 && n < 12; ++n) {
    --k;
    if (is(k, ';') || is(k, '{') || is(k, '}'))
      return;
    if (is_identifier(k) && spelling(k) == "while") {
      report(i, "D012", std::string(spelling(i)) + " in a loop condition is a lock that lanes of one wave wait for");
      return;
    }
  }
}

void Walker::check_texture_reference(size_t i) {
  report(i, "D001", std::string(spelling(i)) + " reference");
}

/// Value of literals joined by *, as sizes are written; 0 for anything else.
uint64_t Walker::constant(size_t first, size_t last) const {
  uint64_t product = 1;
  for (size_t k = first; k < last; ++k) {
    bool number = (k - first) % 2 == 0;
    if (number ? tokens_[k].kind != TokenKind::number : !is(k, '*'))
      return 0;
    if (number) {
      uint64_t n = std::strtoull(std::string(spelling(k)).c_str(), nullptr, 0);
      product = n && product < (1ull << 40) / n ? product * n : n ? 1ull << 40 : 0;
    }
  }
  return first < last && (last - first) % 2 ? product : 0;
}

/// `__shared__ T name[N]` with a size in plain sight above 48 KiB.
void Walker::check_shared_memory(size_t i) {
  uint64_t elements = 1;
  uint64_t size = 4;
  bool array = false;
  for (size_t k = i + 1; k < i + 24 && k < tokens_.size() && !is(k, ';') && !is(k, '='); ++k) {
    if (is_identifier(k)) {
      std::string_view s = spelling(k);
      if (s == "double" || s == "float2" || s == "int64_t" || s == "uint64_t" || s == "size_t")
        size = 8;
      else if (s == "char" || s == "uint8_t" || s == "int8_t" || s == "bool")
        size = 1;
      else if (s == "float4" || s == "int4" || s == "double2")
        size = 16;
      else if (s == "half" || s == "__half" || s == "short")
        size = 2;
    } else if (uint64_t n = is(k, '[') && tokens_[k].match > int32_t(k) ? constant(k + 1, size_t(tokens_[k].match)) : 0) {
      array = true;
      elements = n && elements < (1ull << 40) / n ? elements * n : 1ull << 40;
    } else if (is(k, '[')) {
      return; // a size that is not in plain sight
    }
  }
  if (array && elements * size > 48 * 1024)
    report(i, "D005", "an array of " + std::to_string(elements * size) + " bytes of shared memory");
}

void Walker::check_string(size_t i) {
  std::string_view s = spelling(i);
  if (options_.rewrite_strings && !(i > 0 && is(i - 1, '(') && i > 1 && keyword(i - 2) == Keyword::asm_word))
    rewrite_string(i);
  if (s.size() <= 40)
    return;
  if (s.find("__global__") != s.npos || (s.find("__device__") != s.npos && s.find('{') != s.npos))
    report(i, "A013", "a string holds device code");
}

void Walker::rewrite_string(size_t i) {
  const Token& t = tokens_[i];
  auto word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (uint32_t at = t.begin; at < t.end;) {
    if (!word(text_[at])) {
      at += text_[at] == '\\' && at + 1 < t.end ? 2 : 1;
      continue;
    }
    uint32_t begin = at;
    while (at < t.end && word(text_[at]))
      ++at;
    int32_t row = tables_.find(source(begin, at));
    if (row < 0)
      continue;
    const NameRow& r = tables_.name(row);
    if (r.keyword != Keyword::none || r.kind == NameKind::device || r.hip_support == Support::none || r.hip.starts_with('@'))
      continue;
    bool roc = options_.libraries == Libraries::roc && r.roc_support != Support::none && r.library != "cuDNN" &&
               !r.roc.starts_with("miopen");
    std::string_view name = roc ? r.roc : r.hip;
    if (name != r.cuda)
      edits_.replace(begin, at, std::string(name));
  }
}

/// `float4 operator+(float4 a, float4 b)` of the project: HIP's vector types have element-wise operators of the same
/// operands. With a scalar operand the project's function is the better match, and direct CUDA lets it win always.
void Walker::check_vector_operator(size_t i) {
  if (options_.logical_warps || scopes_.back().kind == ScopeKind::type || foreign(i))
    return;
  size_t open = i + 1;
  while (open < i + 4 && !is(open, '('))
    ++open;
  if (open == i + 1 || !is(open, '(') || tokens_[open].match < 0)
    return;
  std::string op(source(tokens_[i + 1].begin, tokens_[open].begin));
  while (!op.empty() && op.back() == ' ')
    op.pop_back();
  constexpr std::string_view kShared[] = {"+",  "-",  "*",  "/",  "%",  "&",  "|",   "^",   "~",  "<<", ">>", "+=",
                                          "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "==", "!=", "++", "--"};
  if (std::find(std::begin(kShared), std::end(kShared), op) == std::end(kShared))
    return;
  std::string_view type;
  for (const Argument& a : arguments(open, size_t(tokens_[open].match))) {
    size_t t = a.first;
    while (t < a.last && keyword(t) == Keyword::constant_word)
      ++t;
    if (t >= a.last || !is_identifier(t) || !vector_type(spelling(t)))
      return;
    if (type.empty())
      type = spelling(t);
  }
  if (!type.empty())
    report(i, "A016", "operator" + op + " of " + std::string(type) + " exists in HIP");
}

} // namespace pumice::hipify
