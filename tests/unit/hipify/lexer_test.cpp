// SPDX-License-Identifier: MIT
#include "compiler/hipify/lexer.h"
#include "hipify_test_util.h"
#include <random>

namespace pumice::hipify {
namespace {

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> out;
  for (const Token& t : lex(text, Tables::get()).tokens)
    out.push_back(std::string(text.substr(t.begin, t.size())));
  return out;
}
using Words = std::vector<std::string>;

TEST(Lexer, CommentsAndStringsAreNotIdentifiers) {
  EXPECT_EQ(words("a // cudaFree\nb /* cudaFree */ c"), (Words{"a", "b", "c"}));
  EXPECT_EQ(words("f(\"cudaFree \\\" x\", 'c')"), (Words{"f", "(", "\"cudaFree \\\" x\"", ",", "'c'", ")"}));
}
TEST(Lexer, LineCommentWithASpliceContinues) { EXPECT_EQ(words("a // x \\\n b\nc"), (Words{"a", "c"})); }
TEST(Lexer, RawStringEndsAtItsDelimiterOnly) {
  EXPECT_EQ(words("R\"x(a)\" b)x\" c"), (Words{"R\"x(a)\" b)x\"", "c"}));
  EXPECT_EQ(words("u8R\"(\\)\" c"), (Words{"u8R\"(\\)\"", "c"}));
}
TEST(Lexer, SplicedIdentifierIsOneToken) {
  std::string_view text = "cuda\\\nFree(p)";
  std::vector<Token> t = lex(text, Tables::get()).tokens;
  EXPECT_TRUE(t[0].spliced);
  EXPECT_EQ(clean_spelling(text, t[0]), "cudaFree");
  EXPECT_GE(t[0].row, 0);
}
TEST(Lexer, DigitSeparatorsDoNotOpenCharacters) {
  EXPECT_EQ(words("1'000'000 + 0x7f'ffu 'c'"), (Words{"1'000'000", "+", "0x7f'ffu", "'c'"}));
}
TEST(Lexer, LaunchBracketsAreOneTokenAndShiftsAreNot) {
  EXPECT_EQ(words("k<<<1, 2>>>(x)")[1], "<<<");
  EXPECT_EQ(words("a << b <c"), (Words{"a", "<", "<", "b", "<", "c"}));
  EXPECT_EQ(words("operator<<<T>(o)")[1], "<");
}
TEST(Lexer, UnclosedQuoteEndsWithItsLine) { EXPECT_EQ(words("don't\nb"), (Words{"don", "'t", "b"})); }
TEST(Lexer, ErrorTextIsNotTokens) {
  EXPECT_EQ(words("#error don't use cudaFree\nx"), (Words{"#", "error", "", "x"}));
}
TEST(Lexer, HeaderNameIsOneToken) {
  EXPECT_EQ(words("#include <a/b.h> // c\n")[2], "<a/b.h>");
  EXPECT_EQ(words("# include \"a.h\"\n")[2], "\"a.h\"");
}
TEST(Lexer, BracketsPairAcrossConditionalBranches) {
  std::string_view text = "f(\n#if A\n1)\n#else\n2)\n#endif\n; g(3)";
  std::vector<Token> t = lex(text, Tables::get()).tokens;
  EXPECT_TRUE(t[t.size() - 3].punctuator == '(' && t[t.size() - 3].match == int32_t(t.size()) - 1);
}
TEST(Lexer, AnyBytesLexAndTokensCoverNothingTwice) {
  std::mt19937 random(7);
  const std::string alphabet = "\"'\\\n\r/*#<>(){}[]R a1_:.-\xE4\0@";
  for (int n = 0; n < 3000; ++n) {
    std::string text;
    for (size_t k = random() % 60; k > 0; --k)
      text += alphabet[random() % alphabet.size()];
    uint32_t at = 0;
    for (const Token& t : lex(text, Tables::get()).tokens) {
      ASSERT_GE(t.begin, at);
      ASSERT_GE(t.end, t.begin);
      ASSERT_LE(t.end, text.size());
      at = t.end;
    }
  }
}
TEST(LineIndex, CountsFromOneInBytes) {
  LineIndex lines("ab\ncd\n");
  EXPECT_EQ(lines.of(0).line, 1u);
  EXPECT_EQ(lines.of(4).line, 2u);
  EXPECT_EQ(lines.of(4).column, 2u);
}

} // namespace
} // namespace pumice::hipify
