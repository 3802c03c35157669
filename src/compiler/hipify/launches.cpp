// SPDX-License-Identifier: MIT
// Kernel launches: counted, checked for dynamic parallelism, and turned into hipLaunchKernelGGL calls when asked.
// clang compiles <<<>>> for HIP too, so keeping it is the default.
#include "compiler/hipify/walker.h"

namespace pumice::hipify {

/// First token of the kernel expression before `<<<`: name, qualifiers, template arguments, or a parenthesised expression.
size_t Walker::kernel_begin(size_t launch) const {
  size_t i = launch;
  if (i == 0)
    return launch;
  --i;
  if (is(i, '>')) { // template arguments
    int depth = 0;
    for (size_t steps = 0;; --i, ++steps) {
      if (is(i, '>'))
        ++depth;
      else if (is(i, '<') && --depth == 0)
        break;
      else if ((is(i, ')') || is(i, ']') || is(i, '}')) && tokens_[i].match >= 0)
        i = size_t(tokens_[i].match);
      else if (is(i, ';') || is(i, '{'))
        return launch;
      if (i == 0 || steps > 4096)
        return launch;
    }
    if (i == 0)
      return launch;
    --i;
  } else if ((is(i, ')') || is(i, ']')) && tokens_[i].match >= 0) {
    i = size_t(tokens_[i].match);
    if (is(i, '[') && i > 0)
      --i;
  }
  while (i > 0) {
    if (is(i - 1, scope) || is(i - 1, '.') || is(i - 1, arrow)) {
      if (i >= 2 && is_identifier(i - 2) && keyword(i - 2) != Keyword::expression) {
        i -= 2;
        continue;
      }
      if (i >= 2 && is(i - 2, '>')) { // Template<...>::name
        size_t before = kernel_begin(i - 1);
        return before == i - 1 ? launch : before;
      }
      i -= 1;
    }
    break;
  }
  return i;
}

/// The first of the three adjacent '>' that close the launch, or 0.
size_t Walker::launch_close(size_t launch) const {
  constexpr size_t kLongest = 20000; // tokens; hostile text must not make this quadratic
  for (size_t i = launch + 1; i + 2 < tokens_.size() && i < launch + kLongest; ++i) {
    if ((is(i, '(') || is(i, '[') || is(i, '{')) && tokens_[i].match > int32_t(i)) {
      i = size_t(tokens_[i].match);
      continue;
    }
    if (is(i, ';') || is(i, '{') || is(i, '}') || is(i, Punctuator::launch) ||
        tokens_[i].kind == TokenKind::directive_end)
      return 0;
    if (is(i, '>') && is(i + 1, '>') && is(i + 2, '>') && tokens_[i].end == tokens_[i + 1].begin &&
        tokens_[i + 1].end == tokens_[i + 2].begin && is(i + 3, '('))
      return i;
  }
  return 0;
}

std::string Walker::launch_prefix(std::string_view kernel) const {
  // A macro splits its arguments at commas: template arguments need protection.
  bool templated = kernel.find('<') != kernel.npos || template_kernels_.count(std::string(kernel));
  return templated ? "hipLaunchKernelGGL(HIP_KERNEL_NAME(" : "hipLaunchKernelGGL(";
}

/// Remembers the name of a function template that `__global__` at `i` declares.
void Walker::note_kernel(size_t i) {
  for (size_t k = i + 1; k < i + 24 && k + 1 < tokens_.size(); ++k) {
    if (is_identifier(k) && is(k + 1, '(') && spelling(k) != "__launch_bounds__") {
      template_kernels_.insert(std::string(spelling(k)));
      return;
    }
    if (is(k, '(') && tokens_[k].match > int32_t(k))
      k = size_t(tokens_[k].match);
    else if (is(k, ';') || is(k, '{'))
      return;
  }
}

void Walker::on_launch(size_t i) {
  size_t close = launch_close(i);
  if (close == 0)
    return;
  ++statistics_.launches;
  uses_cuda_ = true;
  if (where(i) == Where::device)
    report(i, "D003", "dynamic parallelism: a kernel is launched in device code");
  if (std::vector<Argument> a = arguments(i, close); a.size() >= 3 && constant(a[2].first, a[2].last) > 48 * 1024)
    report(a[2].first, "D005", "a launch with " + std::to_string(constant(a[2].first, a[2].last)) + " bytes of shared memory");
  if (options_.launches != LaunchSyntax::hip)
    return;
  size_t kernel = kernel_begin(i);
  if (kernel == i || tokens_[close + 3].match < 0)
    return;
  std::vector<Argument> config = arguments(i, close);
  if (config.size() < 2 || config.size() > 4)
    return;
  for (const Argument& a : config)
    if (a.first >= a.last)
      return;
  auto first = [&](size_t a) { return tokens_[config[a].first].begin; };
  auto last = [&](size_t a) { return tokens_[config[a].last - 1].end; };
  auto is_dim3 = [&](size_t a) {
    size_t f = config[a].first;
    return is_identifier(f) && spelling(f) == "dim3" && is(f + 1, '(') &&
           tokens_[f + 1].match == int32_t(config[a].last) - 1;
  };
  // In place, so that the rules for what stands inside the arguments apply as everywhere.
  std::string_view name = source(tokens_[kernel].begin, tokens_[i - 1].end);
  std::string prefix = launch_prefix(name);
  edits_.insert(tokens_[kernel].begin, prefix);
  std::string grid = prefix.ends_with("NAME(") ? "), " : ", ";
  edits_.replace(tokens_[i - 1].end, first(0), grid + (is_dim3(0) ? "" : "dim3("));
  edits_.replace(last(0), first(1), (is_dim3(0) ? ", " : "), ") + std::string(is_dim3(1) ? "" : "dim3("));
  std::string rest = is_dim3(1) ? "" : ")";
  uint32_t at = last(1);
  for (size_t a = 2; a < config.size(); ++a) {
    edits_.replace(at, first(a), rest + ", ");
    rest.clear();
    at = last(a);
  }
  for (size_t a = config.size(); a < 4; ++a)
    rest += ", 0";
  size_t open = close + 3, end = size_t(tokens_[open].match);
  if (end > open + 1)
    rest += ", ";
  // Everything from the last configuration argument to the first kernel argument or the closing parenthesis.
  edits_.replace(at, tokens_[open + 1].begin, rest);
}

/// Function-like macros `#define M(k, g, b, ...) k<<<g, b>>>(__VA_ARGS__)`: their uses become the call itself.
void Walker::find_launch_macros() {
  bool templated = false; // in the current declaration
  for (size_t i = 0; i < tokens_.size(); ++i) {
    if (keyword(i) == Keyword::template_word)
      templated = true;
    else if (is(i, ';') || is(i, '{') || is(i, '}'))
      templated = false;
    else if (templated && keyword(i) == Keyword::global_function)
      note_kernel(i);
    else if (tokens_[i].kind == TokenKind::directive && is_identifier(i + 1) && spelling(i + 1) == "define" &&
             is_identifier(i + 2) && is_identifier(i + 3) && is(i + 4, '<'))
      template_kernels_.insert(std::string(spelling(i + 2))); // a macro for an instantiated name
  }
  for (size_t i = 0; i + 4 < tokens_.size(); ++i) {
    if (tokens_[i].kind != TokenKind::directive || !is_identifier(i + 1) ||
        spelling(i + 1) != "define" || !is_identifier(i + 2))
      continue;
    bool function_like = is(i + 3, '(') && !tokens_[i + 3].space_before;
    if (function_like && tokens_[i + 3].match < 0)
      continue;
    size_t body = function_like ? size_t(tokens_[i + 3].match) + 1 : i + 3, end = body;
    bool launches = false;
    while (end < tokens_.size() && tokens_[end].kind != TokenKind::directive_end)
      launches |= is(end, launch), ++end;
    // The body is one launch and nothing else.
    if (!launches || end <= body)
      continue;
    size_t at = body;
    while (at < end && !is(at, launch))
      ++at;
    if (!function_like) {
      if (kernel_begin(at) == body && end >= body + 4 && is(end - 1, '>') && is(end - 2, '>') && is(end - 3, '>'))
        launch_macros_[std::string(spelling(i + 2))] = {0, body, end};
      continue;
    }
    size_t close = launch_close(at);
    if (kernel_begin(at) != body || close == 0 || tokens_[close + 3].match < 0)
      continue;
    size_t after = size_t(tokens_[close + 3].match) + 1;
    if (after != end && !(after + 1 == end && is(after, ';')))
      continue;
    launch_macros_[std::string(spelling(i + 2))] = {i + 3, body, after};
  }
}

bool Walker::expand_launch_macro(size_t i) {
  auto found = launch_macros_.find(std::string(spelling(i)));
  if (found == launch_macros_.end() || !is(i + 1, '(') || tokens_[i + 1].match < 0)
    return false;
  const Macro& macro = found->second;
  size_t use_end = size_t(tokens_[i + 1].match);
  Options inner = options_; // the expanded text is CUDA: one more walk, without a header of its own
  inner.insert_main_header = false;
  auto put = [&](const std::string& expanded) {
    edits_.replace(tokens_[i].begin, tokens_[use_end].end, translate(expanded, inner).text);
    skip_to_ = use_end + 1;
    return true;
  };
  if (macro.open == 0)
    return put(std::string(source(tokens_[macro.body].begin, tokens_[macro.body_end - 1].end)) +
               std::string(source(tokens_[i + 1].begin, tokens_[use_end].end)));
  std::vector<Argument> given = arguments(i + 1, size_t(tokens_[i + 1].match));
  std::vector<std::string> names;
  size_t close = size_t(tokens_[macro.open].match);
  for (size_t p = macro.open + 1; p < close; ++p)
    if (is_identifier(p))
      names.push_back(std::string(spelling(p)));
  bool variadic = close >= 3 && is(close - 1, '.');
  if (given.size() < names.size() || (!variadic && given.size() != names.size()))
    return false;
  auto text_of = [&](size_t a) {
    return std::string(source(tokens_[given[a].first].begin, tokens_[given[a].last - 1].end));
  };
  for (const Argument& a : given)
    if (a.first >= a.last)
      return false;
  std::string body;
  uint32_t copied = tokens_[macro.body].begin;
  for (size_t p = macro.body; p < macro.body_end; ++p) {
    if (!is_identifier(p))
      continue;
    std::string_view s = spelling(p);
    std::string value;
    bool replaced = false;
    for (size_t n = 0; n < names.size(); ++n)
      if (names[n] == s)
        value = text_of(n), replaced = true;
    if (s == "__VA_ARGS__") {
      for (size_t n = names.size(); n < given.size(); ++n)
        value += (n > names.size() ? ", " : "") + text_of(n);
      replaced = true;
    }
    if (!replaced)
      continue;
    body += source(copied, tokens_[p].begin);
    body += value;
    copied = tokens_[p].end;
  }
  body += source(copied, tokens_[macro.body_end - 1].end);
  return put(body);
}

} // namespace pumice::hipify
