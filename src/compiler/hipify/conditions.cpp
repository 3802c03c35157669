// SPDX-License-Identifier: MIT
// Preprocessor directives: which blocks are surely not compiled (three-valued: a macro that headers may define is unknown), the
// branch structure for header de-duplication, and wave-size constants in #define.
#include "compiler/hipify/walker.h"
#include <cstdlib>
#include <functional>

namespace pumice::hipify {

std::vector<uint32_t> Walker::path() const {
  std::vector<uint32_t> out;
  constexpr size_t kDeepest = 64; // deeper ones count as different branches
  for (const Conditional& c : conditionals_) {
    if (out.size() == kDeepest) {
      out.push_back(conditionals_.back().id);
      break;
    }
    out.push_back(c.id);
  }
  return out;
}

void Walker::on_directive(size_t i) {
  if (!is_identifier(i + 1))
    return;
  std::string_view name = spelling(i + 1);
  directive_ = name;
  size_t first = i + 2, last = first;
  while (last < tokens_.size() && tokens_[last].kind != TokenKind::directive_end)
    ++last;
  if (!excluded_)
    note_directive(i, name);

  auto enter = [&](Truth condition) {
    if (conditionals_.empty() && !(name == "ifndef" && is_identifier(first) && spelling(first) == guard_))
      outer_if_ = tokens_[i].begin;
    Conditional c{condition, condition != Truth::no, !excluded_, ++branches_};
    // Hostile nesting: give up on restoring, never on memory.
    if (conditionals_.size() < 64 && scopes_.size() < 4096)
      c.scopes = scopes_;
    c.guards = name == "ifndef" && is_identifier(first) && spelling(first) == guard_ && conditionals_.empty();
    conditionals_.push_back(std::move(c));
    excluded_ = !c.outer_active || !c.active;
  };
  if (name == "if") {
    enter(options_.skip_excluded_blocks ? evaluate(first, last) : Truth::unknown);
  } else if (name == "ifdef" || name == "ifndef") {
    Truth t = Truth::unknown;
    if (options_.skip_excluded_blocks && is_identifier(first)) {
      std::string macro(spelling(first));
      // A guard is undefined at its #ifndef, whatever else is known.
      bool guard = name == "ifndef" && macro == guard_ && conditionals_.empty();
      t = guard ? Truth::no : defined(macro);
      if (name == "ifndef")
        t = t == Truth::unknown ? t : t == Truth::yes ? Truth::no : Truth::yes;
    }
    enter(t);
  } else if ((name == "elif" || name == "else" || name == "elifdef" || name == "elifndef") &&
             !conditionals_.empty()) {
    Conditional& c = conditionals_.back();
    Truth condition = name == "else" ? Truth::yes
                      : name == "elif" && options_.skip_excluded_blocks && c.outer_active
                          ? evaluate(first, last)
                          : Truth::unknown;
    c.active = c.taken_before != Truth::yes && condition != Truth::no;
    if (condition == Truth::yes || c.taken_before == Truth::yes)
      c.taken_before = Truth::yes;
    else if (condition == Truth::unknown)
      c.taken_before = Truth::unknown;
    c.id = ++branches_;
    if (!c.scopes.empty())
      scopes_ = c.scopes;
    excluded_ = !c.outer_active || !c.active;
  } else if (name == "endif" && !conditionals_.empty()) {
    excluded_ = !conditionals_.back().outer_active;
    conditionals_.pop_back();
  } else if (name == "define" && is_identifier(first) && !excluded_) {
    on_define(first);
  } else if (name == "undef" && is_identifier(first) && !excluded_) {
    macros_.erase(std::string(spelling(first)));
    undefined_.insert(std::string(spelling(first)));
  }
}

void Walker::on_define(size_t name) {
  size_t end = name + 1;
  while (end < tokens_.size() && tokens_[end].kind != TokenKind::directive_end)
    ++end;
  if (options_.skip_excluded_blocks)
    macros_[std::string(spelling(name))] =
        end > name + 1 ? std::string(source(tokens_[name + 1].begin, tokens_[end - 1].end)) : "";
  bool object_like = !(is(name + 1, '(') && !tokens_[name + 1].space_before);
  if (object_like && end - name <= 4)
    for (size_t v = name + 1; v < end; ++v)
      if (tokens_[v].kind == TokenKind::number)
        check_warp_constant(name, v);
}

Walker::Truth Walker::defined(const std::string& macro) const {
  if (macros_.count(macro))
    return Truth::yes;
  if (undefined_.count(macro))
    return Truth::no;
  if (macro == "_WIN32" || macro == "_WIN64" || macro == "_MSC_VER" || macro == "__APPLE__")
    return Truth::no;
  // Compilers and headers define names of these forms; whether they do here is not known.
  if (macro.starts_with("__") || macro.starts_with("CU") || macro.starts_with("NV") ||
      macro.starts_with("HIP") || macro.starts_with("THRUST"))
    return Truth::unknown;
  return foreign_headers_ ? Truth::unknown : Truth::no;
}

namespace {

/// Value of a preprocessor expression; `known` is false when a macro of unknown value decides.
struct Value {
  long long v = 0;
  bool known = true;
};

/// Precedence climbing over the tokens [first, last).
class Condition {
public:
  using Defined = std::function<int(const std::string&)>;                   // 0 no, 1 yes, 2 unknown
  using ValueOf = std::function<std::optional<long long>(const std::string&)>;
  Condition(std::string_view text, const std::vector<Token>& tokens, size_t first, size_t last,
            Defined defined, ValueOf value)
      : text_(text), tokens_(tokens), at_(first), last_(last), defined_(std::move(defined)),
        value_(std::move(value)) {}
  Value run() {
    Value v = binary(0);
    if (at_ != last_)
      v.known = false; // something that is not understood here
    return v;
  }

private:
  std::string_view s(size_t i) const { return text_.substr(tokens_[i].begin, tokens_[i].size()); }
  bool punct(char c) const {
    return at_ < last_ && tokens_[at_].kind == TokenKind::punctuator && tokens_[at_].punctuator == c;
  }
  Value unary() {
    if (++depth_ > 200 || at_ >= last_)
      return fail();
    Value out;
    if (punct('!')) {
      ++at_;
      out = unary();
      out.v = !out.v;
    } else if (punct('-')) {
      ++at_;
      out = unary();
      out.v = out.v == INT64_MIN ? 0 : -out.v;
    } else if (punct('(')) {
      ++at_;
      out = binary(0);
      if (!punct(')'))
        return fail();
      ++at_;
    } else if (tokens_[at_].kind == TokenKind::number) {
      out.v = std::strtoll(std::string(s(at_)).c_str(), nullptr, 0);
      ++at_;
    } else if (tokens_[at_].kind == TokenKind::identifier) {
      out = name();
    } else {
      return fail();
    }
    --depth_;
    return out;
  }
  Value name() {
    std::string_view word = s(at_++);
    if (word == "defined") {
      bool paren = punct('(');
      at_ += paren;
      if (at_ >= last_ || tokens_[at_].kind != TokenKind::identifier)
        return fail();
      int d = defined_(std::string(s(at_++)));
      if (paren) {
        if (!punct(')'))
          return fail();
        ++at_;
      }
      return {d == 1, d != 2};
    }
    std::string macro(word);
    if (word == "true")
      return {1, true};
    if (word == "false")
      return {0, true};
    if (std::optional<long long> v = value_(macro))
      return {*v, true};
    if (punct('('))
      return fail(); // a function-like macro
    return {0, defined_(macro) == 0};
  }
  static int level(std::string_view op) {
    if (op == "||")
      return 1;
    if (op == "&&")
      return 2;
    if (op == "==" || op == "!=")
      return 3;
    if (op == "<" || op == ">" || op == "<=" || op == ">=")
      return 4;
    if (op == "+" || op == "-")
      return 5;
    if (op == "*" || op == "/" || op == "%")
      return 6;
    return 0;
  }
  std::string_view op() const {
    if (at_ >= last_ || tokens_[at_].kind != TokenKind::punctuator)
      return {};
    std::string_view rest = text_.substr(tokens_[at_].begin, 2);
    for (std::string_view two : {"||", "&&", "==", "!=", "<=", ">="})
      if (rest == two)
        return two;
    return rest.substr(0, 1);
  }
  Value binary(int minimum) {
    if (++depth_ > 200)
      return fail();
    Value a = unary();
    for (;;) {
      std::string_view o = op();
      int l = level(o);
      if (l == 0 || l <= minimum)
        break;
      at_ += o.size();
      if (at_ > last_)
        return fail();
      Value b = binary(l);
      a = apply(o, a, b);
    }
    --depth_;
    return a;
  }
  static Value apply(std::string_view o, Value a, Value b) {
    // A known side can decide && and ||.
    if (o == "&&") {
      if ((a.known && !a.v) || (b.known && !b.v))
        return {0, true};
      return {1, a.known && b.known};
    }
    if (o == "||") {
      if ((a.known && a.v) || (b.known && b.v))
        return {1, true};
      return {0, a.known && b.known};
    }
    Value out{0, a.known && b.known};
    unsigned long long x = (unsigned long long)a.v, y = (unsigned long long)b.v;
    if (o == "==")
      out.v = a.v == b.v;
    else if (o == "!=")
      out.v = a.v != b.v;
    else if (o == "<")
      out.v = a.v < b.v;
    else if (o == ">")
      out.v = a.v > b.v;
    else if (o == "<=")
      out.v = a.v <= b.v;
    else if (o == ">=")
      out.v = a.v >= b.v;
    else if (o == "+")
      out.v = (long long)(x + y);
    else if (o == "-")
      out.v = (long long)(x - y);
    else if (o == "*")
      out.v = (long long)(x * y);
    else if (b.v > 0)
      out.v = o == "/" ? a.v / b.v : a.v % b.v;
    else
      out.known = false;
    return out;
  }
  Value fail() {
    at_ = last_ + 1;
    return {0, false};
  }

  std::string_view text_;
  const std::vector<Token>& tokens_;
  size_t at_, last_;
  int depth_ = 0;
  Defined defined_;
  ValueOf value_;
};

} // namespace

Walker::Truth Walker::evaluate(size_t first, size_t last) const {
  Condition condition(
      text_, tokens_, first, last,
      [this](const std::string& m) {
        Truth t = defined(m);
        return t == Truth::no ? 0 : t == Truth::yes ? 1 : 2;
      },
      [this](const std::string& m) -> std::optional<long long> {
        auto found = macros_.find(m);
        if (found == macros_.end() || found->second.empty())
          return std::nullopt;
        char* end = nullptr;
        long long v = std::strtoll(found->second.c_str(), &end, 0);
        if (end == found->second.c_str() || *end)
          return std::nullopt;
        return v;
      });
  Value v = condition.run();
  return !v.known ? Truth::unknown : v.v ? Truth::yes : Truth::no;
}

} // namespace pumice::hipify
