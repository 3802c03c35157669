// SPDX-License-Identifier: MIT
// A lexer for CUDA C++ source text that is not preprocessed: comments, strings, raw strings, line splices, directives.
// Not a preprocessor: macros are not expanded, no file is included. Any bytes are accepted; what is not C++ comes out as
// single-character punctuation, so that callers never lose text. Tokens refer to the text, which the caller keeps alive.
// Source of the facts: ISO C++20 [lex]; the launch brackets `<<<` are CUDA's.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace pumice::hipify {

class Tables;

enum class TokenKind : uint8_t {
  identifier,
  number,
  string,      // with prefix and quotes; raw strings too
  character,
  punctuator,
  header_name, // <...> or "..." of an #include
  directive,   // the # that starts a directive; its name is the next token
  directive_end,
};

/// Punctuators of more than one character that rules look at; all others are one token per character.
enum Punctuator : uint8_t { scope = 1, arrow, paste, launch };

struct Token {
  uint32_t begin = 0, end = 0;
  int32_t row = -1;  // identifiers: row of the name table, or -1
  int32_t match = -1; // brackets: token index of the partner, or -1
  TokenKind kind = TokenKind::punctuator;
  uint8_t punctuator = 0;     // the character, or a Punctuator
  bool in_directive = false;  // part of a preprocessing directive (a macro body, a condition)
  bool space_before = false;  // white space, a comment or a splice stands before it
  bool spliced = false;       // the spelling contains a line splice
  bool looks_like_cuda = false; // identifiers without a row: has a prefix of a CUDA library
  uint32_t size() const { return end - begin; }
};

struct LexedText {
  std::vector<Token> tokens;
  bool closed = true; // false: a comment or raw string runs to the end of the text
};

/// Splits `text` (below 4 GiB) into tokens and pairs brackets. Identifiers are looked up in `tables`.
LexedText lex(std::string_view text, const Tables& tables);

/// Names that the text of these tokens declares and that look like CUDA's (see own_names).
std::unordered_set<std::string> declared_names(std::string_view text, const std::vector<Token>& tokens,
                                               const Tables& tables);

/// The spelling with line splices removed.
std::string clean_spelling(std::string_view text, const Token& token);

/// Byte offset to line and column (both from 1; columns count bytes).
class LineIndex {
public:
  explicit LineIndex(std::string_view text);
  struct Position {
    uint32_t line, column;
  };
  Position of(uint32_t offset) const;

private:
  std::vector<uint32_t> starts_;
};

} // namespace pumice::hipify
