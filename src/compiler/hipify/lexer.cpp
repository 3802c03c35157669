// SPDX-License-Identifier: MIT
// One pass over the bytes; no backtracking but for raw strings' delimiters. See lexer.h.
#include "compiler/hipify/lexer.h"
#include "compiler/hipify/tables.h"
#include <algorithm>
#include <array>
#include <cstring>

namespace pumice::hipify {
namespace {

enum : uint8_t { is_ident = 1, is_digit = 2, is_space = 4 };
constexpr std::array<uint8_t, 256> make_classes() {
  std::array<uint8_t, 256> c{};
  for (int i = 'a'; i <= 'z'; ++i)
    c[i] = c[i - 32] = is_ident;
  for (int i = '0'; i <= '9'; ++i)
    c[i] = is_ident | is_digit;
  for (int i = 128; i < 256; ++i)
    c[i] = is_ident; // UTF-8 identifiers, and whatever else
  c['_'] = c['$'] = is_ident;
  c[' '] = c['\t'] = c['\v'] = c['\f'] = c['\r'] = c['\n'] = is_space;
  return c;
}
constexpr auto kClass = make_classes();

class Lexer {
public:
  Lexer(std::string_view text, const Tables& tables)
      : text_(text), tables_(tables), size_(uint32_t(text.size())) {
    out_.tokens.reserve(text.size() / 4 + 16);
  }

  LexedText run() {
    if (size_ >= 3 && std::memcmp(text_.data(), "\xEF\xBB\xBF", 3) == 0)
      at_ = 3;
    while (at_ < size_)
      step();
    if (in_directive_)
      end_directive();
    return std::move(out_);
  }

private:
  uint8_t peek(uint32_t ahead = 0) const {
    return at_ + ahead < size_ ? uint8_t(text_[at_ + ahead]) : 0;
  }
  /// Length of the line splice at `at`, or 0.
  uint32_t splice(uint32_t at) const {
    if (at >= size_ || text_[at] != '\\')
      return 0;
    if (at + 1 < size_ && text_[at + 1] == '\n')
      return 2;
    return at + 2 < size_ && text_[at + 1] == '\r' && text_[at + 2] == '\n' ? 3 : 0;
  }

  Token& emit(TokenKind kind, uint32_t begin, uint8_t punctuator = 0) {
    Token& t = out_.tokens.emplace_back();
    t.begin = begin;
    t.end = at_;
    t.kind = kind;
    t.punctuator = punctuator;
    t.in_directive = in_directive_;
    t.space_before = space_;
    space_ = false;
    line_start_ = false;
    return t;
  }
  void end_directive() {
    emit(TokenKind::directive_end, at_);
    in_directive_ = false;
  }

  void step() {
    uint8_t c = uint8_t(text_[at_]);
    uint8_t kind = kClass[c];
    if (kind == is_ident) {
      identifier();
    } else if (kind & is_space) {
      if (c == '\n') {
        if (in_directive_)
          end_directive();
        line_start_ = true;
      }
      do
        ++at_;
      while (at_ < size_ && text_[at_] == ' ');
      space_ = true;
    } else if (c == '\\' && splice(at_)) {
      at_ += splice(at_);
      space_ = true;
    } else if (c == '/' && peek(1) == '/') {
      line_comment();
    } else if (c == '/' && peek(1) == '*') {
      size_t end = text_.find("*/", at_ + 2);
      out_.closed &= end != text_.npos;
      at_ = end == text_.npos ? size_ : uint32_t(end + 2);
      space_ = true;
    } else if (kind & is_digit) {
      number();
    } else if (c == '"' || c == '\'') {
      quoted(at_, char(c));
    } else if (line_start_ && (c == '#' || (c == '%' && peek(1) == ':'))) { // %: is # as well
      directive(c == '#' ? 1 : 2);
    } else {
      punctuator(c);
    }
  }

  void line_comment() {
    space_ = true;
    for (;;) {
      const void* p = std::memchr(text_.data() + at_, '\n', size_ - at_);
      if (!p) {
        at_ = size_;
        return;
      }
      at_ = uint32_t(static_cast<const char*>(p) - text_.data());
      uint32_t last = at_ > 0 && text_[at_ - 1] == '\r' ? at_ - 2 : at_ - 1;
      if (last >= size_ || text_[last] != '\\')
        return; // the newline itself is handled by step()
      ++at_;
    }
  }

  void number() {
    uint32_t begin = at_;
    while (at_ < size_) {
      uint8_t c = uint8_t(text_[at_]);
      if ((c == '+' || c == '-') && at_ > begin) {
        uint8_t e = uint8_t(text_[at_ - 1]) | 32;
        bool hex = at_ - begin > 1 && (text_[begin + 1] | 32) == 'x';
        if (!(hex ? e == 'p' : e == 'e'))
          break;
      } else if (c == '\'' && !(at_ + 1 < size_ && (kClass[uint8_t(text_[at_ + 1])] & is_ident))) {
        break;
      } else if (!(kClass[c] & is_ident) && c != '.' && c != '\'') {
        break;
      }
      ++at_;
    }
    emit(TokenKind::number, begin);
  }

  void identifier() {
    uint32_t begin = at_;
    uint32_t hash = kHashStart;
    bool spliced = false;
    for (;;) {
      const char* p = text_.data() + at_;
      const char* end = text_.data() + size_;
      while (p < end && (kClass[uint8_t(*p)] & is_ident))
        hash = hash_step(hash, *p++);
      at_ = uint32_t(p - text_.data());
      uint32_t n = splice(at_);
      if (!n || at_ + n >= size_ || !(kClass[uint8_t(text_[at_ + n])] & is_ident))
        break;
      spliced = true;
      at_ += n;
    }
    uint32_t length = at_ - begin;
    if (length <= 3 && at_ < size_ && (text_[at_] == '"' || text_[at_] == '\'') &&
        string_prefix(text_.substr(begin, length))) {
      if (text_[at_] == '"' && text_[at_ - 1] == 'R')
        raw_string(begin);
      else
        quoted(begin, text_[at_]);
      return;
    }
    Token& t = emit(TokenKind::identifier, begin);
    t.spliced = spliced;
    if (spliced) {
      std::string clean = clean_spelling(text_, t);
      t.row = tables_.find(clean);
      t.looks_like_cuda = t.row < 0 && tables_.looks_like_cuda(clean);
    } else {
      std::string_view spelling = text_.substr(begin, length);
      t.row = tables_.find(spelling, hash);
      t.looks_like_cuda = t.row < 0 && tables_.looks_like_cuda(spelling);
    }
    if (opaque_after_name_) {
      opaque_after_name_ = false;
      directive_name(text_.substr(begin, length));
    }
  }

  static bool string_prefix(std::string_view s) {
    return s == "R" || s == "L" || s == "u" || s == "U" || s == "u8" || s == "LR" || s == "uR" ||
           s == "UR" || s == "u8R";
  }

  void quoted(uint32_t begin, char quote) {
    ++at_;
    while (at_ < size_) {
      char c = text_[at_];
      if (c == '\\' && at_ + 1 < size_) {
        at_ += text_[at_ + 1] == '\r' && at_ + 2 < size_ ? 3 : 2;
      } else if (c == '\n') {
        break; // not closed: prose in a skipped block; the line ends it
      } else {
        ++at_;
        if (c == quote)
          break;
      }
    }
    at_ = std::min(at_, size_);
    emit(quote == '"' ? TokenKind::string : TokenKind::character, begin);
  }

  void raw_string(uint32_t begin) {
    uint32_t open = at_ + 1;
    uint32_t paren = open;
    while (paren < size_ && paren - open <= 16 && text_[paren] != '(' && text_[paren] != '"' &&
           text_[paren] != '\n')
      ++paren;
    if (paren >= size_ || text_[paren] != '(') {
      quoted(begin, '"');
      return;
    }
    std::string close = ")" + std::string(text_.substr(open, paren - open)) + "\"";
    size_t end = text_.find(close, paren);
    out_.closed &= end != text_.npos;
    at_ = end == text_.npos ? size_ : uint32_t(end + close.size());
    emit(TokenKind::string, begin);
  }

  void directive(uint32_t length) {
    uint32_t begin = at_;
    at_ += length;
    in_directive_ = true;
    emit(TokenKind::directive, begin);
    opaque_after_name_ = true;
  }
  /// After the directive's name: header names and free text are lexed differently.
  void directive_name(std::string_view name) {
    if (name == "include" || name == "include_next" || name == "import") {
      for (;;) { // white space, splices and comments before the name
        uint32_t skip = peek() == ' ' || peek() == '\t' ? 1 : splice(at_);
        if (!skip && peek() == '/' && peek(1) == '*') {
          size_t end = text_.find("*/", at_ + 2);
          skip = end == text_.npos ? 0 : uint32_t(end + 2) - at_;
        }
        if (!skip)
          break;
        at_ += skip, space_ = true;
      }
      char close = peek() == '<' ? '>' : peek() == '"' ? '"' : 0;
      if (!close)
        return;
      uint32_t begin = at_++;
      while (at_ < size_ && text_[at_] != close && text_[at_] != '\n')
        ++at_;
      if (at_ < size_ && text_[at_] == close)
        ++at_;
      emit(TokenKind::header_name, begin);
    } else if (name == "error" || name == "warning") {
      while (at_ < size_ && text_[at_] != '\n')
        at_ += std::max(1u, splice(at_));
    }
  }

  void punctuator(uint8_t c) {
    uint32_t begin = at_++;
    if (opaque_after_name_ && c != '\\')
      opaque_after_name_ = false;
    auto two = [&](char next, Punctuator p) {
      if (peek() != next)
        return false;
      ++at_;
      emit(TokenKind::punctuator, begin, p);
      return true;
    };
    if (c == ':' && two(':', scope))
      return;
    if (c == '-' && two('>', arrow))
      return;
    if (c == '#' && two('#', paste))
      return;
    if (c == '<' && peek() == '<' && peek(1) == '<') {
      uint32_t run = 3;
      while (at_ - 1 + run < size_ && text_[at_ - 1 + run] == '<')
        ++run;
      bool after_operator = !out_.tokens.empty() && is_operator(out_.tokens.back());
      if (run == 3 && !after_operator) {
        at_ += 2;
        emit(TokenKind::punctuator, begin, launch);
        return;
      }
      if (run > 4) { // a merge conflict's marker
        at_ = begin + run;
        emit(TokenKind::punctuator, begin, 0);
        return;
      }
    }
    emit(TokenKind::punctuator, begin, c);
  }
  bool is_operator(const Token& t) const {
    return t.kind == TokenKind::identifier && t.size() == 8 &&
           text_.substr(t.begin, 8) == "operator";
  }

  std::string_view text_;
  const Tables& tables_;
  LexedText out_;
  uint32_t size_;
  uint32_t at_ = 0;
  bool in_directive_ = false, space_ = false, line_start_ = true, opaque_after_name_ = false;
};

/// Pairs ( [ {. A directive's brackets pair among themselves; each branch of an #if starts from the state before it.
void pair_brackets(std::string_view text, std::vector<Token>& tokens) {
  std::vector<int32_t> open, outside;
  std::vector<std::vector<int32_t>> at_if;
  constexpr size_t kMaxSaved = 4096; // hostile nesting: give up on restoring, never on memory
  size_t saved = 0;
  for (size_t i = 0; i < tokens.size(); ++i) {
    Token& t = tokens[i];
    if (t.kind == TokenKind::directive) {
      if (i + 1 < tokens.size() && tokens[i + 1].kind == TokenKind::identifier) {
        std::string_view name = text.substr(tokens[i + 1].begin, tokens[i + 1].size());
        if (name == "if" || name == "ifdef" || name == "ifndef") {
          bool keep = saved + open.size() < kMaxSaved * 16 && at_if.size() < kMaxSaved;
          at_if.push_back(keep ? open : std::vector<int32_t>());
          saved += at_if.back().size();
        } else if ((name == "else" || name == "elif") && !at_if.empty()) {
          open = at_if.back();
        } else if (name == "endif" && !at_if.empty()) {
          saved -= at_if.back().size();
          at_if.pop_back();
        }
      }
      outside.swap(open);
      open.clear();
    } else if (t.kind == TokenKind::directive_end) {
      open.swap(outside);
    } else if (t.kind == TokenKind::punctuator) {
      uint8_t p = t.punctuator;
      if (p == '(' || p == '[' || p == '{') {
        open.push_back(int32_t(i));
      } else if (p == ')' || p == ']' || p == '}') {
        uint8_t want = p == ')' ? '(' : p == ']' ? '[' : '{';
        // A stray closer does not close another kind, but a brace closes unbalanced parentheses inside it.
        while (p == '}' && !open.empty() && tokens[open.back()].punctuator != '{')
          open.pop_back();
        if (!open.empty() && tokens[open.back()].punctuator == want) {
          t.match = open.back();
          // The first closer wins when branches of an #if both close.
          if (tokens[open.back()].match < 0)
            tokens[open.back()].match = int32_t(i);
          open.pop_back();
        }
      }
    }
  }
}

} // namespace

LexedText lex(std::string_view text, const Tables& tables) {
  LexedText out = Lexer(text, tables).run();
  pair_brackets(text, out.tokens);
  return out;
}

std::string clean_spelling(std::string_view text, const Token& token) {
  std::string out;
  for (uint32_t i = token.begin; i < token.end; ++i) {
    if (text[i] == '\\' || text[i] == '\r' || text[i] == '\n')
      continue;
    out += text[i];
  }
  return out;
}

LineIndex::LineIndex(std::string_view text) : starts_{0} {
  for (size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1))
    starts_.push_back(uint32_t(at + 1));
}
LineIndex::Position LineIndex::of(uint32_t offset) const {
  auto line = std::upper_bound(starts_.begin(), starts_.end(), offset) - 1;
  return {uint32_t(line - starts_.begin() + 1), offset - *line + 1};
}

} // namespace pumice::hipify
