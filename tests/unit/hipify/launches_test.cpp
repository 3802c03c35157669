// SPDX-License-Identifier: MIT
#include "hipify_test_util.h"

namespace pumice::hipify {
namespace {

std::string launch(const std::string& text) {
  Options o;
  o.launches = LaunchSyntax::hip;
  return hip(text, o);
}

TEST(Launches, StayByDefault) { EXPECT_EQ(hip("k<<<1, 2, 3, s>>>(a);"), "k<<<1, 2, 3, s>>>(a);"); }
TEST(Launches, BecomeCallsWithAllFourSettings) {
  EXPECT_EQ(launch("k<<<g, b>>>();"), "hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, 0);");
  EXPECT_EQ(launch("k<<<g, b>>>(x, y);"), "hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, 0, x, y);");
  EXPECT_EQ(launch("k<<<g, b, m>>>(x);"), "hipLaunchKernelGGL(k, dim3(g), dim3(b), m, 0, x);");
  EXPECT_EQ(launch("k <<< g, b, m, s >>> (x);"), "hipLaunchKernelGGL(k, dim3(g), dim3(b), m, s, x);");
}
TEST(Launches, Dim3IsNotWrappedTwice) {
  EXPECT_EQ(launch("k<<<dim3(1, 2), dim3(b)>>>(x);"), "hipLaunchKernelGGL(k, dim3(1, 2), dim3(b), 0, 0, x);");
}
TEST(Launches, TemplateArgumentsAreProtectedFromTheMacro) {
  EXPECT_EQ(launch("k<int, (3 > 2 ? 1 : 0)><<<g, b>>>(x);"),
            "hipLaunchKernelGGL(HIP_KERNEL_NAME(k<int, (3 > 2 ? 1 : 0)>), dim3(g), dim3(b), 0, 0, x);");
}
TEST(Launches, QualifiedKernelsAndPointers) {
  EXPECT_EQ(launch("a::b::k<<<g, b>>>(x);"), "hipLaunchKernelGGL(a::b::k, dim3(g), dim3(b), 0, 0, x);");
  EXPECT_EQ(launch("(*p)<<<g, b>>>(x);"), "hipLaunchKernelGGL((*p), dim3(g), dim3(b), 0, 0, x);");
  EXPECT_EQ(launch("t[i]<<<g, b>>>(x);"), "hipLaunchKernelGGL(t[i], dim3(g), dim3(b), 0, 0, x);");
}
TEST(Launches, ShiftsAndComparisonsAreNotLaunches) {
  EXPECT_EQ(launch("if (a < 3 || n >> 2 > 5) k<<<1 << 2, (n >> 1)>>>(x);"),
            "if (a < 3 || n >> 2 > 5) hipLaunchKernelGGL(k, dim3(1 << 2), dim3((n >> 1)), 0, 0, x);");
}
TEST(Launches, NamesInsideAreTranslated) {
  EXPECT_EQ(launch("k<<<g, b, 0, cudaStreamPerThread>>>(cudaSuccess);"),
            "hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, hipStreamPerThread, hipSuccess);");
}
TEST(Launches, MacrosThatLaunchAreExpandedAtTheirUse) {
  EXPECT_TRUE(has(launch("#define L(K, G, B, ...) K<<<G, B>>>(__VA_ARGS__)\nvoid f() { L(k, g, b, x, y); }"),
                  "f() { hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, 0, x, y); }"));
}
TEST(Launches, KernelThatLaunchesAKernelIsDynamicParallelism) {
  std::string text = "__global__ void p() { k<<<1, 1>>>(); }\nvoid h() { k<<<1, 1>>>(); }\n";
  std::vector<Finding> f = findings(text);
  ASSERT_EQ(f.size(), 1u);
  EXPECT_EQ(f[0].code->code, "D003");
  EXPECT_EQ(f[0].line, 1u);
}
TEST(Launches, MergeConflictMarkersAreNotLaunches) {
  EXPECT_EQ(launch("<<<<<<< HEAD\nint a;\n=======\n>>>>>>> b\n"), "<<<<<<< HEAD\nint a;\n=======\n>>>>>>> b\n");
}

} // namespace
} // namespace pumice::hipify
