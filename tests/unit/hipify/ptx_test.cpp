// SPDX-License-Identifier: MIT
// Equivalents by the meaning of the instructions in NVIDIA's PTX ISA document.
#include "hipify_test_util.h"

namespace pumice::hipify {
namespace {

std::string device(const std::string& s) { return "__device__ void f(unsigned a, unsigned b) { unsigned d; " + s + " }"; }
std::string body(const std::string& s) {
  std::string made = hip(device(s)), frame = device("");
  return made.substr(frame.size() - 2, made.size() - frame.size());
}

TEST(Ptx, SpecialRegistersBecomeBuiltins) {
  EXPECT_EQ(body("asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(d));"), "d = __lane_id();");
  EXPECT_EQ(body("asm volatile (\"mov.u32 %0, %%tid.x;\" : \"=r\"(d));"), "d = threadIdx.x;");
}
TEST(Ptx, ArithmeticTakesOperandsByNumberAndByName) {
  EXPECT_EQ(body("asm(\"mul.hi.u32 %0, %1, %2;\" : \"=r\"(d) : \"r\"(a), \"r\"(b + 1));"), "d = __umulhi(a, b + 1);");
  EXPECT_EQ(body("asm(\"popc.b32 %[x], %[y];\" : [x] \"=r\"(d) : [y] \"r\"(a));"), "d = __popc(a);");
  EXPECT_EQ(body("asm(\"add.u32 %0, %1, 5;\" : \"=r\"(d) : \"r\"(a));"), "d = (unsigned)(a) + (unsigned)(5);");
}
TEST(Ptx, SeveralInstructionsBecomeOneBlock) {
  EXPECT_EQ(body("asm(\"bar.sync 0;\\n\\t\" \"membar.gl;\");"), "{ __syncthreads(); __threadfence(); };");
}
TEST(Ptx, ReplacedInstructionsAreNotes) {
  EXPECT_EQ(count(device("asm(\"mov.u32 %0, %%smid;\" : \"=r\"(d));"), "P001"), 1u);
}
TEST(Ptx, UnknownInstructionKeepsTheStatementAndIsAnError) {
  std::string text = "asm(\"add.cc.u32 %0, %1, %2;\\n\" \"popc.b32 %0, %1;\" : \"=r\"(d) : \"r\"(a), \"r\"(b));";
  EXPECT_EQ(body(text), text);
  EXPECT_EQ(count(device(text), "P002"), 2u);
}
TEST(Ptx, FindingsPointAtTheInstructionsLine) {
  std::vector<Finding> f = findings("__device__ void f(unsigned a) {\n  asm(\"bar.sync 0;\\n\"\n      \"foo.b32 a;\");\n}\n");
  ASSERT_EQ(f.size(), 2u);
  EXPECT_EQ(f[0].line, 2u);
  EXPECT_EQ(f[1].line, 3u);
}
TEST(Ptx, DeclarationsPredicatesAndLabelsAreNotRewritten) {
  for (std::string t : {"asm(\"{ .reg .pred p; popc.b32 %0, %1; }\" : \"=r\"(d) : \"r\"(a));",
                        "asm(\"@p popc.b32 %0, %1;\" : \"=r\"(d) : \"r\"(a));",
                        "asm(\"L1: popc.b32 %0, %1;\" : \"=r\"(d) : \"r\"(a));"})
    EXPECT_EQ(body(t), t);
}
TEST(Ptx, UnknownSpecialRegisterIsNotAPlainMove) {
  EXPECT_EQ(count(device("asm(\"mov.u32 %0, %%pm0;\" : \"=r\"(d));"), "P002"), 1u);
}
TEST(Ptx, MatrixTmaAndWarpGroupInstructionsHaveTheirOwnCodes) {
  EXPECT_EQ(count(device("asm(\"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0}, {%1}, {%2}, {%3};\");"), "P003"), 1u);
  EXPECT_EQ(count(device("asm(\"wgmma.fence.sync.aligned;\");"), "D009"), 1u);
  EXPECT_EQ(count(device("asm(\"cp.async.bulk.commit_group;\");"), "D008"), 1u);
}
TEST(Ptx, AssemblyOfAnotherProcessorIsNotPtx) {
  for (std::string s : {"vsetvli t0, a0, e32, m1", "ld1 {v0.4s}, [%0]", "vadd.f32 q0, q1, q2", "rdtsc", "mv a0, a1"})
    EXPECT_TRUE(findings("void f(int* p) { asm volatile(\"" + s + "\" : : \"r\"(p)); }").empty()) << s;
  EXPECT_EQ(findings("void f() { asm volatile(\"bar.sync 0;\"); }").size(), 1u) << "no CUDA name near it, but PTX all the same";
  EXPECT_EQ(count("#include <cuda_runtime.h>\nvoid f() { asm volatile(\"foo.b32 a;\"); }", "P002"), 1u);
}
TEST(Ptx, CompilerBarriersStaySilently) {
  EXPECT_TRUE(findings("void f() { asm volatile(\"\" ::: \"memory\"); }").empty());
}
TEST(Ptx, TextFromMacrosIsReported) { EXPECT_EQ(count(device("asm(PTX_ADD : \"=r\"(d));"), "P002"), 1u); }
TEST(Ptx, BrokenStatementsAreCopied) {
  for (std::string t : {"asm(", "asm();", "asm(\"%;%%;@\");", "asm(\"\\\");", "asm(R\"(popc.b32)\");", "asm(\"mov.u32 %99, %98;\");"})
    EXPECT_FALSE(hip(device(t)).empty());
}

} // namespace
} // namespace pumice::hipify
