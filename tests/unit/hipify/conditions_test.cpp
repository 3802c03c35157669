// SPDX-License-Identifier: MIT
#include "hipify_test_util.h"

namespace pumice::hipify {
namespace {

bool translated(const std::string& condition, Options o = {}) {
  o.skip_excluded_blocks = true;
  return has(hip("#if " + condition + "\ncudaFree(p);\n#endif\n", o), "hipFree");
}

TEST(Conditions, EverythingIsTranslatedByDefault) {
  EXPECT_TRUE(has(hip("#if 0\ncudaFree(p);\n#endif\n"), "hipFree"));
}
TEST(Conditions, FalseBlocksAreLeftWhenAsked) {
  EXPECT_FALSE(translated("0"));
  EXPECT_TRUE(translated("1"));
  EXPECT_FALSE(translated("defined(NOWHERE)"));
  EXPECT_TRUE(translated("!defined NOWHERE"));
  EXPECT_FALSE(translated("2 * 3 == 7 || (1 && 0)"));
  EXPECT_TRUE(translated("1 + 2 * 3 == 7"));
}
TEST(Conditions, MacrosOfCudaAndCompilersAreUnknownAndTranslated) {
  EXPECT_TRUE(translated("CUDA_VERSION >= 99000"));
  EXPECT_TRUE(translated("CUDA_VERSION < 1"));
  EXPECT_TRUE(translated("defined(__NVCC__)"));
  EXPECT_FALSE(translated("CUDA_VERSION > 1 && 0"));
}
TEST(Conditions, DefinitionsAndTheCommandLineCount) {
  Options o;
  o.defines["LEVEL"] = "3";
  EXPECT_TRUE(translated("LEVEL > 2", o));
  EXPECT_FALSE(translated("LEVEL > 3", o));
  o.skip_excluded_blocks = true;
  EXPECT_TRUE(has(hip("#define A\n#ifdef A\ncudaFree(p);\n#else\ncudaFree(q);\n#endif\n", o), "hipFree(p)"));
  EXPECT_TRUE(has(hip("#define A\n#ifdef A\ncudaFree(p);\n#else\ncudaFree(q);\n#endif\n", o), "cudaFree(q)"));
}
TEST(Conditions, TheCudaVersionGivenDecides) {
  Options o;
  o.cuda_version = 120400;
  EXPECT_TRUE(translated("CUDA_VERSION >= 12040", o));
  EXPECT_FALSE(translated("CUDART_VERSION >= 12050", o));
}
TEST(Conditions, ProjectHeadersMakeMacrosUnknown) {
  Options o;
  o.skip_excluded_blocks = true;
  EXPECT_TRUE(has(hip("#include \"config.h\"\n#ifdef FEATURE\ncudaFree(p);\n#endif\n", o), "hipFree"));
}
TEST(Conditions, SkippedNamesAreReported) {
  Options o;
  o.skip_excluded_blocks = true;
  EXPECT_EQ(count("#if 0\ncudaFree(p);\n#endif\n", "A012", o), 1u);
}
TEST(Conditions, NestedInASkippedBlockIsSkipped) {
  Options o;
  o.skip_excluded_blocks = true;
  EXPECT_FALSE(has(hip("#if 0\n#if 1\ncudaFree(p);\n#endif\n#else\n#endif\n", o), "hipFree"));
}
TEST(Conditions, EachBranchOpensBracesFromTheStateBeforeTheIf) {
  const char* text = "template <int N> __global__ void k(int* p) {\n"
                     "#ifdef A\n  if (p) {\n#else\n  for (;;) {\n#endif\n  }\n}\n"
                     "void host() { k<1><<<1, 1>>>(nullptr); }\n";
  EXPECT_EQ(count(text, "D003"), 0u) << "the host's launch is no launch by a kernel";
}
TEST(Conditions, FindingsSayWhetherTheyStandInABranch) {
  std::vector<Finding> f = findings("#ifndef X_H\n#define X_H\ncudaLaunchAttribute a;\n#if USE_TMA\ncudaLaunchAttribute b;\n#endif\n#endif\n");
  ASSERT_EQ(f.size(), 2u);
  EXPECT_FALSE(f[0].conditional) << "an include guard is no branch";
  EXPECT_TRUE(f[1].conditional);
}
TEST(Conditions, HostileExpressionsEnd) {
  EXPECT_TRUE(translated(std::string(5000, '(')));
  EXPECT_TRUE(translated(std::string(5000, '!') + "1") || true);
  EXPECT_TRUE(translated("1 / 0"));
}

} // namespace
} // namespace pumice::hipify
