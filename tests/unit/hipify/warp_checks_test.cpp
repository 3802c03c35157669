// SPDX-License-Identifier: MIT
#include "hipify_test_util.h"

namespace pumice::hipify {
namespace {

std::string device(const std::string& s) { return "__device__ void f(float v, int tid, int n) { " + s + " }"; }

TEST(WarpChecks, ConstantsNamedAfterWarpsAreReported) {
  EXPECT_EQ(count("#define WARP_SIZE 32\n", "W001"), 1u);
  EXPECT_EQ(count("constexpr int kWarpSize = 32;", "W001"), 1u);
  EXPECT_EQ(count("#define FULL_WARP_MASK 0xffffffff\n", "W003"), 1u);
  EXPECT_EQ(count("#define TILE 32\n", "W001"), 0u);
  EXPECT_EQ(count("#define WARP_SIZE 64\n", "W001"), 0u);
}
TEST(WarpChecks, LaneArithmeticOnThreadIndices) {
  for (const char* s : {"int l = threadIdx.x % 32;", "int l = tid & 31;", "int l = tid & 0x1f;", "int w = threadIdx.x >> 5;",
                        "int w = tid / 32;", "int lane = n % 32;", "int w = (threadIdx.x + 1) / 32;"})
    EXPECT_EQ(count(device(s), "W002"), 1u) << s;
}
TEST(WarpChecks, OtherArithmeticInDeviceCodeIsAWeakerFinding) {
  EXPECT_EQ(count(device("int q = n / 32;"), "W008"), 1u);
  EXPECT_EQ(count("void host(int n) { int q = n / 32; }", "W008"), 0u);
  EXPECT_EQ(count(device("bool b = n && 31;"), "W008"), 0u);
}
TEST(WarpChecks, RowsOfABlockTakenForWaves) {
  EXPECT_EQ(count(device("int t = threadIdx.y * warpSize + threadIdx.x;"), "W009"), 1u);
  EXPECT_EQ(count(device("int t = warpSize * threadIdx.z;"), "W009"), 1u);
  EXPECT_EQ(count(device("int t = threadIdx.y * blockDim.x + threadIdx.x / warpSize;"), "W009"), 0u);
}
TEST(WarpChecks, MasksOf32BitsAndOfUnknownWidth) {
  EXPECT_EQ(count(device("v += __shfl_down_sync(0xffffffff, v, 1);"), "W003"), 1u);
  EXPECT_EQ(count(device("v += __shfl_xor_sync(0xFFFFFFFFu, v, 1);"), "W003"), 1u);
  EXPECT_EQ(count(device("v += __shfl_sync(mask, v, 1);"), "W007"), 1u);
  EXPECT_EQ(count(device("v += __shfl_sync(0xffffffffffffffffull, v, 1);"), "W003"), 0u);
}
TEST(WarpChecks, BallotsKeptIn32Bits) {
  EXPECT_EQ(count(device("unsigned m = __ballot(v > 0);"), "W004"), 1u);
  EXPECT_EQ(count(device("unsigned m = __activemask();"), "W004"), 1u);
  EXPECT_EQ(count(device("unsigned long m = 0; int c = __popc(__ballot(v > 0));"), "W005"), 1u);
  EXPECT_EQ(count(device("unsigned m = __ballot(v > 0); int c = __ffs(m);"), "W005"), 1u);
  EXPECT_EQ(count(device("int c = __popc(n);"), "W005"), 0u);
}
TEST(WarpChecks, WarpSizeWhereAConstantIsNeeded) {
  EXPECT_EQ(count(device("__shared__ float s[1024 / warpSize];"), "W006"), 1u);
  EXPECT_EQ(count(device("int w = tid / warpSize;"), "W006"), 0u);
}
TEST(WarpChecks, LogicalWarpsUseTheirOwnFunctionsAndHaveNoFindings) {
  Options o;
  o.logical_warps = true;
  std::string text = device("v = __shfl_down_sync(0xffffffff, v, 1); unsigned m = __ballot(tid % 32 == warpSize);");
  std::string made = hip(text, o);
  EXPECT_TRUE(has(made, "pumice_cuda::shfl_down_sync(0xffffffff, v, 1)"));
  EXPECT_TRUE(has(made, "pumice_cuda::ballot(tid % 32 == 32)"));
  EXPECT_TRUE(findings(text, o).empty());
}
TEST(WarpChecks, LogicalWarpsHalveTheDevicesWaveSizeOnTheHost) {
  Options o;
  o.logical_warps = true;
  EXPECT_EQ(hip("int n = b / p->prop.warpSize;", o), "int n = b / (p->prop.warpSize / 2);");
  EXPECT_EQ(hip("p.warpSize = 3;", o), "p.warpSize = 3;");
  EXPECT_EQ(hip("#define warpSize 32\nconst int warpSize = 32;", o), "#define warpSize 32\nconst int warpSize = 32;");
}
TEST(WarpChecks, ShufflesThatTheProjectDeclaresAreItsOwn) {
  Options o;
  o.logical_warps = true;
  std::string text = "__device__ double __shfl_down(double v, unsigned d) { return v; }\n"
                     "__device__ double g(double v) { return __shfl_down(v, 1); }\n";
  EXPECT_EQ(hip(text, o), text);
}

TEST(Warps, BallotInSixtyFourBitsIsRight) {
  for (std::string type : {"unsigned long long", "uint64_t", "unsigned long", "size_t", "auto"})
    EXPECT_EQ(count("__device__ void f(int p) { " + type + " m = __ballot(p); }", "W004"), 0u) << type;
  EXPECT_EQ(count("__device__ void f(int p) { uint32_t m = __ballot(p); }", "W004"), 1u);
}
TEST(Warps, ShiftOfSixtyFourBitsMakesAWideMask) {
  EXPECT_EQ(count("__device__ void f(int lane) { g(1ull << lane); }", "W007"), 0u);
  EXPECT_EQ(count("__device__ void f(int lane) { g(1 << (lane + 1)); }", "W007"), 1u);
  EXPECT_EQ(count("__device__ void f(int k) { g(1 << k); for (int i = 16; i; --i) g(i); }", "W008"), 0u);
}

} // namespace
} // namespace pumice::hipify
