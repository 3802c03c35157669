// SPDX-License-Identifier: MIT
// Names that a project declares and that only look like CUDA's: found by the form of declarations, without a symbol table.
// Errs towards "declared" only where the form is certain; a use in an expression never declares.
#include "compiler/hipify/lexer.h"
#include "compiler/hipify/translate.h"

namespace pumice::hipify {
namespace {

class Finder {
public:
  Finder(std::string_view text, const std::vector<Token>& tokens, const Tables& tables)
      : text_(text), tables_(tables), tokens_(tokens) {}

  std::unordered_set<std::string> run() {
    std::vector<bool> enums; // per open brace: is it an enumeration
    bool enumeration = false;
    for (size_t i = 0; i < tokens_.size(); ++i) {
      const Token& t = tokens_[i];
      if (t.kind == TokenKind::punctuator && !t.in_directive) {
        if (t.punctuator == '{') {
          enums.push_back(enumeration);
          enumeration = false;
        } else if (t.punctuator == '}') {
          if (!enums.empty())
            enums.pop_back();
        } else if (t.punctuator == ';' || t.punctuator == ')') {
          enumeration = false;
        }
        continue;
      }
      if (t.kind != TokenKind::identifier)
        continue;
      Keyword k = keyword(i);
      if (k == Keyword::enumeration)
        enumeration = true;
      bool candidate = t.looks_like_cuda || k == Keyword::cuda_name || k == Keyword::cub_name ||
                       k == Keyword::cute_name ||
                       (t.row >= 0 && k == Keyword::none &&
                        tables_.name(t.row).hip_support == Support::none);
      if (!candidate)
        continue;
      bool in_enum = !enums.empty() && enums.back();
      if (declares(i, in_enum))
        out_.insert(t.spliced ? clean_spelling(text_, t) : std::string(spelling(i)));
    }
    return std::move(out_);
  }

private:
  std::string_view spelling(size_t i) const {
    return text_.substr(tokens_[i].begin, tokens_[i].size());
  }
  bool is(size_t i, uint8_t p) const {
    return i < tokens_.size() && tokens_[i].kind == TokenKind::punctuator && tokens_[i].punctuator == p;
  }
  bool word(size_t i) const { return i < tokens_.size() && tokens_[i].kind == TokenKind::identifier; }
  Keyword keyword(size_t i) const {
    return word(i) && tokens_[i].row >= 0 ? tables_.name(tokens_[i].row).keyword : Keyword::none;
  }
  /// A type name as far as its form tells: fundamental, *_t, a CUDA type, or the word const.
  bool type_word(size_t i) const {
    if (!word(i))
      return false;
    if (tokens_[i].row >= 0 && tables_.name(tokens_[i].row).kind == NameKind::type &&
        keyword(i) == Keyword::none)
      return true;
    std::string_view s = spelling(i);
    for (std::string_view t : {"void", "char", "short", "int", "long", "float", "double", "bool", "unsigned",
                               "signed", "const", "size_t", "auto", "half", "T"})
      if (s == t)
        return true;
    return s.ends_with("_t");
  }
  bool declares(size_t i, bool in_enum) const {
    const Token& t = tokens_[i];
    if (t.in_directive) // #define NAME, and parameters of the macro
      return i >= 2 && word(i - 1) && spelling(i - 1) == "define" &&
             tokens_[i - 2].kind == TokenKind::directive;
    if (i == 0)
      return false;
    // `void __cluster_dims__(2) kernel()`: an attribute, whatever its place looks like.
    if (t.row >= 0 && tables_.name(t.row).kind == NameKind::macro)
      return false;
    Keyword before = keyword(i - 1);
    if (before == Keyword::name_space)
      return !(i >= 2 && keyword(i - 2) == Keyword::using_word);
    if (before == Keyword::type_scope || before == Keyword::enumeration)
      return is(i + 1, '{') || is(i + 1, ':') || (word(i + 1) && spelling(i + 1) == "final") ||
             (t.looks_like_cuda && is(i + 1, ';')) || is(i + 1, '<');
    if (before == Keyword::using_word)
      return is(i + 1, '=');
    if (in_enum && (is(i - 1, '{') || is(i - 1, ',')))
      return is(i + 1, ',') || is(i + 1, '}') || is(i + 1, '=');
    if (is(i - 1, '}') && (is(i + 1, ';') || is(i + 1, ','))) // typedef struct { ... } name;
      return true;
    bool ends = is(i + 1, '(') || is(i + 1, ';') || is(i + 1, '=') || is(i + 1, ',') || is(i + 1, ')') ||
                is(i + 1, '[') || is(i + 1, '{') || is(i + 1, ':');
    if (!ends)
      return false;
    if (word(i - 1))
      return before != Keyword::expression && before != Keyword::operator_word && spelling(i - 1) != "defined";
    if (is(i - 1, '>') && !(i >= 2 && is(i - 2, '-'))) {
      // vector<int> name; against a > name: the list opens close by after a name.
      int depth = 0;
      for (size_t k = i - 1, n = 0; n < 48; --k, ++n) {
        if (is(k, '>'))
          ++depth;
        else if (is(k, '<') && --depth == 0)
          return k > 0 && word(k - 1);
        else if (is(k, ';') || is(k, '{') || is(k, '}') || is(k, ')'))
          return false;
        if (k == 0)
          return false;
      }
      return false;
    }
    if (is(i - 1, '*') || is(i - 1, '&')) {
      size_t k = i - 1;
      while (k > 0 && (is(k, '*') || is(k, '&')))
        --k;
      return type_word(k);
    }
    // A constructor or destructor.
    if (is(i - 1, '~'))
      return true;
    return is(i - 1, scope) && word(i - 2) && spelling(i - 2) == spelling(i);
  }

  std::string_view text_;
  const Tables& tables_;
  const std::vector<Token>& tokens_;
  std::unordered_set<std::string> out_;
};

} // namespace

std::unordered_set<std::string> declared_names(std::string_view text, const std::vector<Token>& tokens,
                                               const Tables& tables) {
  return Finder(text, tokens, tables).run();
}

std::unordered_set<std::string> own_names(std::string_view text) {
  const Tables& tables = Tables::get();
  return declared_names(text, lex(text, tables).tokens, tables);
}

std::vector<std::string> local_includes(std::string_view text) {
  std::vector<std::string> out;
  for (size_t at = text.find("#"); at != text.npos; at = text.find('#', at + 1)) {
    size_t p = at + 1;
    while (p < text.size() && (text[p] == ' ' || text[p] == '\t'))
      ++p;
    if (text.substr(p, 7) != "include")
      continue;
    p += 7;
    while (p < text.size() && (text[p] == ' ' || text[p] == '\t'))
      ++p;
    if (p >= text.size() || text[p] != '"')
      continue;
    size_t end = text.find_first_of("\"\n", p + 1);
    if (end != text.npos && text[end] == '"')
      out.push_back(std::string(text.substr(p + 1, end - p - 1)));
  }
  return out;
}

} // namespace pumice::hipify
