// SPDX-License-Identifier: MIT
// The walk itself: scopes, dispatch to the rules, and the final assembly of text and findings.
#include "compiler/hipify/walker.h"
#include <algorithm>
#include <cstring>

namespace pumice::hipify {

Walker::Walker(std::string_view text, const Options& options)
    : text_(text), options_(options), tables_(Tables::get()) {
  LexedText lexed = lex(text, tables_);
  tokens_ = std::move(lexed.tokens);
  for (const auto& [name, value] : options.defines)
    macros_[name] = value;
  scopes_.push_back({ScopeKind::name_space, false});
  if (options.cuda_version) {
    std::string version = std::to_string(options.cuda_version / 10000 * 1000 + options.cuda_version / 100 % 100 * 10);
    macros_.try_emplace("CUDA_VERSION", version);
    macros_.try_emplace("CUDART_VERSION", version);
  }
  if (options.keep_lines)
    edits_.keep_lines(text);
}

Translation Walker::run() {
  bool unknown = false;
  cuda_file_ = options_.is_cuda || options_.logical_warps;
  bf16_header_ = options_.bf16_header;
  for (const Token& t : tokens_) {
    unknown |= t.looks_like_cuda;
    if (t.row >= 0) {
      const NameRow& row = tables_.name(t.row);
      Keyword k = row.keyword; // namespaces that a project may have too
      cuda_file_ |= k == Keyword::global_function || k == Keyword::device_function || k == Keyword::shared ||
                    (k == Keyword::none && row.kind != NameKind::device);
      unknown |= k == Keyword::cuda_name || k == Keyword::cub_name || k == Keyword::cute_name ||
                 (row.kind == NameKind::device && row.hip_support == Support::none);
      bf16_header_ |= row.kind == NameKind::device && row.cuda.find("bfloat16") != row.cuda.npos;
    }
    cuda_file_ = cuda_file_ || (t.kind == TokenKind::header_name && t.size() > 2 && tables_.header(source(t.begin + 1, t.end - 1)));
    bf16_header_ |= t.kind == TokenKind::header_name && source(t.begin, t.end).find("cuda_bf16.h") != text_.npos;
  }
  if (unknown)
    own_ = declared_names(text_, tokens_, tables_);
  if (options_.launches == LaunchSyntax::hip)
    find_launch_macros();
  for (size_t i = 0; i < tokens_.size(); ++i)
    if (i >= skip_to_)
      step(i);
  Translation out;
  finish(out);
  return out;
}

void Walker::step(size_t i) {
  const Token& t = tokens_[i];
  switch (t.kind) {
  case TokenKind::directive:
    on_directive(i);
    return;
  case TokenKind::directive_end:
    directive_ = {};
    return;
  case TokenKind::identifier:
    ++statistics_.identifiers;
    if (excluded_) {
      if (t.row >= 0 && tables_.name(t.row).keyword == Keyword::none &&
          tables_.name(t.row).hip != tables_.name(t.row).cuda) {
        if (excluded_names_++ == 0)
          excluded_at_ = i;
      }
      return;
    }
    if (t.row >= 0 || t.looks_like_cuda || groups_used_ || !group_aliases_.empty() || !launch_macros_.empty())
      on_identifier(i);
    return;
  case TokenKind::header_name:
    if (!excluded_)
      on_header(i);
    return;
  case TokenKind::number:
    if (!excluded_)
      on_number(i);
    return;
  case TokenKind::string:
    if (!excluded_)
      check_string(i);
    return;
  case TokenKind::punctuator:
    if (excluded_)
      return;
    if (t.punctuator == paste) {
      for (size_t k : {i - 1, i + 1})
        if (k < tokens_.size() && is_identifier(k))
          for (std::string_view part : {"cu", "cuda", "CU", "nv"})
            if (spelling(k) == part)
              report(k, "A010", std::string(part) + " is a part of a pasted name");
    } else if (t.punctuator == launch)
      on_launch(i);
    else if (t.punctuator == ')' && !calls_.empty() && calls_.back().close == i) {
      Call call = calls_.back();
      calls_.pop_back();
      close_call(call);
    }
    if (!t.in_directive)
      track_scope(i);
    return;
  case TokenKind::character:
    return;
  }
}

void Walker::track_scope(size_t i) {
  uint8_t p = tokens_[i].punctuator;
  if (p == '{') {
    const Scope& outer = scopes_.back();
    Scope inner{ScopeKind::block, outer.device};
    if (pending_.name_space)
      inner.kind = ScopeKind::name_space;
    else if (pending_.enumeration)
      inner.kind = ScopeKind::enumeration;
    else if (pending_.type && !pending_.parameters)
      inner = {ScopeKind::type, false};
    else if (pending_.device || pending_.global)
      inner = {ScopeKind::function, true};
    else if (outer.kind != ScopeKind::function && outer.kind != ScopeKind::block)
      inner.kind = pending_.parameters ? ScopeKind::function : ScopeKind::block;
    if (scopes_.size() < 100000)
      scopes_.push_back(inner);
    statistics_.kernels += pending_.global && pending_.parameters;
    device_code_ |= inner.device;
    pending_ = {};
  } else if (p == '}') {
    if (scopes_.size() > 1)
      scopes_.pop_back();
    pending_ = {};
  } else if (p == ';') {
    pending_ = {};
  } else if (p == ')') {
    pending_.parameters = true;
  }
}

Walker::Where Walker::where(size_t i) const {
  if (tokens_[i].in_directive)
    return Where::macro;
  return scopes_.back().device || pending_.global || pending_.device ? Where::device : Where::host;
}

void Walker::report_at(uint32_t offset, std::string_view code, std::string what,
                       std::string suggestion) {
  constexpr size_t kMost = 100000;
  if (findings_.size() >= kMost) {
    if (findings_.size() == kMost)
      findings_.push_back({offset, uint32_t(kMost), &tables_.code("N001"),
                           "more than 100000 findings in this file: the rest is left out", "", false});
    return;
  }
  const CodeRow& row = tables_.code(code);
  std::string message = what.empty() ? std::string(row.title) : std::move(what);
  message += ": ";
  message += row.why;
  if (suggestion.empty())
    suggestion = row.suggestion;
  bool conditional = conditionals_.size() > size_t(!conditionals_.empty() && conditionals_[0].guards);
  findings_.push_back(
      {offset, uint32_t(findings_.size()), &row, std::move(message), std::move(suggestion), conditional});
}
void Walker::report(size_t token, std::string_view code, std::string what, std::string suggestion) {
  report_at(tokens_[token].begin, code, std::move(what), std::move(suggestion));
}

/// The top-level arguments between two matching parentheses; none for ().
std::vector<Walker::Argument> Walker::arguments(size_t open, size_t close) const {
  std::vector<Argument> out;
  size_t first = open + 1;
  int angles = 0; // template argument lists: only after a name, and only until they close
  for (size_t i = open + 1; i < close; ++i) {
    const Token& t = tokens_[i];
    if (t.kind != TokenKind::punctuator)
      continue;
    if ((t.punctuator == '(' || t.punctuator == '[' || t.punctuator == '{') && t.match > int32_t(i) &&
        size_t(t.match) < close) {
      i = size_t(t.match);
    } else if (t.punctuator == '<' && is_identifier(i - 1) && !is(i + 1, '<') && !is(i + 1, '=')) {
      // A template list closes before the argument ends; a comparison does not.
      int depth = 0;
      for (size_t j = i; j < close && j < i + 64; ++j) {
        if (is(j, '<'))
          ++depth;
        else if (is(j, '>') && --depth == 0) {
          angles = int(j);
          break;
        } else if (is(j, '(') || is(j, '[') || is(j, '{')) {
          if (tokens_[j].match > int32_t(j))
            j = size_t(tokens_[j].match);
        } else if (is(j, ';') || is(j, '&') || is(j, '|')) {
          break;
        }
      }
      // `a < b, c > d` as two arguments is far rarer than `pair<int, int>`.
      if (angles > int(i))
        i = size_t(angles);
    } else if (t.punctuator == ',') {
      out.push_back({first, i});
      first = i + 1;
    }
  }
  if (first < close || !out.empty())
    out.push_back({first, close});
  return out;
}

void Walker::finish(Translation& out) {
  if (excluded_names_)
    report(excluded_at_, "A012",
           std::to_string(excluded_names_) + " CUDA names in skipped preprocessor blocks");
  bool wanted = uses_cuda_ || device_code_ || options_.is_cuda;
  if (options_.insert_main_header && wanted && !runtime_header_)
    insert_main_header();
  out.text = edits_.empty() ? std::string(text_) : edits_.apply(text_);
  out.changed = out.text != text_;
  statistics_.bytes = text_.size();
  statistics_.lines = uint64_t(std::count(text_.begin(), text_.end(), '\n'));
  std::sort(findings_.begin(), findings_.end(), [](const RawFinding& a, const RawFinding& b) {
    return a.offset != b.offset ? a.offset < b.offset : a.order < b.order;
  });
  if (!findings_.empty()) {
    LineIndex lines(text_);
    out.findings.reserve(findings_.size());
    for (RawFinding& f : findings_) {
      LineIndex::Position p = lines.of(f.offset);
      out.findings.push_back({options_.file, p.line, p.column, f.code, std::move(f.message),
                              std::move(f.suggestion), f.conditional});
    }
  }
  out.statistics = std::move(statistics_);
}

Translation translate(std::string_view text, const Options& options) {
  if (text.size() > kMaxSourceBytes) {
    Translation out;
    out.text = text;
    out.findings.push_back({options.file, 1, 1, &Tables::get().code("N001"),
                            "larger than the limit: the file was copied unread", ""});
    return out;
  }
  return Walker(text, options).run();
}

std::optional<std::string> not_source(std::string_view text) {
  if (text.size() > kMaxSourceBytes)
    return "larger than 256 MiB";
  if (text.size() >= 2 && ((text[0] == '\xFF' && text[1] == '\xFE') ||
                           (text[0] == '\xFE' && text[1] == '\xFF')))
    return "UTF-16 text; convert it to UTF-8";
  if (std::memchr(text.data(), 0, text.size()))
    return "binary (contains NUL bytes)";
  return std::nullopt;
}

void Statistics::add(const Statistics& o) {
  bytes += o.bytes;
  lines += o.lines;
  identifiers += o.identifiers;
  launches += o.launches;
  kernels += o.kernels;
  headers += o.headers;
  calls += o.calls;
  for (const auto& [k, v] : o.translated)
    translated[k] += v;
  for (const auto& [k, v] : o.unsupported)
    unsupported[k] += v;
  for (const auto& [k, v] : o.unknown)
    unknown[k] += v;
  for (const auto& [k, v] : o.own)
    own[k] += v;
  for (const auto& [k, v] : o.kept)
    kept[k] += v;
}

} // namespace pumice::hipify
