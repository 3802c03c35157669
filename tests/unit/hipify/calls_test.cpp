// SPDX-License-Identifier: MIT
// Arguments: signatures of the CUDA and HIP documentation.
#include "hipify_test_util.h"

namespace pumice::hipify {
namespace {

std::string call(const std::string& text, Libraries l = Libraries::hip) {
  Options o;
  o.libraries = l;
  std::string made = hip("void f() { " + text + " }", o);
  return made.substr(11, made.size() - 13);
}

TEST(Calls, HostAllocationGetsFlagsOnlyWhenItHasNone) {
  EXPECT_EQ(call("cudaMallocHost(&p, n);"), "hipHostMalloc(&p, n, hipHostMallocDefault);");
  EXPECT_EQ(call("cudaMallocHost(&p, n, 1);"), "hipHostMalloc(&p, n, 1);");
}
TEST(Calls, SymbolsAreWrapped) {
  EXPECT_EQ(call("cudaMemcpyToSymbol(sym, &h, 4);"), "hipMemcpyToSymbol(HIP_SYMBOL(sym), &h, 4);");
  EXPECT_EQ(call("cudaMemcpyFromSymbol(&h, sym, 4);"), "hipMemcpyFromSymbol(&h, HIP_SYMBOL(sym), 4);");
}
TEST(Calls, KernelsAreCast) {
  EXPECT_EQ(call("cudaFuncSetCacheConfig(k<int, 3>, c);"),
            "hipFuncSetCacheConfig(reinterpret_cast<const void*>(k<int, 3>), c);");
}
TEST(Calls, ArgumentsAreTranslatedInside) {
  EXPECT_EQ(call("cudaMemcpyToSymbol(s, f(a, cudaSuccess), 4, 0, cudaMemcpyHostToDevice);"),
            "hipMemcpyToSymbol(HIP_SYMBOL(s), f(a, hipSuccess), 4, 0, hipMemcpyHostToDevice);");
}
TEST(Calls, NestedCallsAreBothRewritten) {
  EXPECT_EQ(call("g(cudaMallocHost(&p, n), cudaMallocHost(&q, m));"),
            "g(hipHostMalloc(&p, n, hipHostMallocDefault), hipHostMalloc(&q, m, hipHostMallocDefault));");
}
TEST(Calls, DroppedArgumentIsReported) {
  std::string text = "cuOccupancyMaxPotentialBlockSize(a, b, c, d, e, f);";
  EXPECT_EQ(call(text), "hipModuleOccupancyMaxPotentialBlockSize(a, b, c, e, f);");
  EXPECT_EQ(count("void f() { " + text + " }", "A008"), 1u);
}
TEST(Calls, OverloadIsChosenByArgumentCount) {
  EXPECT_EQ(call("cudaEventCreate(&e);"), "hipEventCreate(&e);");
  EXPECT_EQ(call("cudaEventCreate(&e, flags);"), "hipEventCreateWithFlags(&e, flags);");
}
TEST(Calls, RocOrderAndConstants) {
  EXPECT_EQ(call("cudnnSoftmaxForward(h, algo, mode, a, xd, x, b, yd, y);", Libraries::roc),
            "miopenSoftmaxForward_V2(h, a, xd, x, b, yd, y, algo, mode);");
  EXPECT_EQ(call("cusparseXcsrgeam2Nnz(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, ws);", Libraries::roc),
            "rocsparse_csrgeam_nnz(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13);");
}
TEST(Calls, UnexpectedArgumentCountIsKeptAndReported) {
  std::string text = "cuOccupancyMaxPotentialBlockSize(a, b);";
  EXPECT_EQ(call(text), "hipModuleOccupancyMaxPotentialBlockSize(a, b);");
  EXPECT_EQ(count("void f() { " + text + " }", "A008"), 1u);
}
TEST(Calls, MacroParameterPackIsLeftAlone) {
  EXPECT_EQ(hip("#define M(...) cudaMallocHost(__VA_ARGS__)\n"), "#define M(...) hipHostMalloc(__VA_ARGS__)\n");
}
TEST(Calls, UnbalancedTextIsCopied) {
  EXPECT_EQ(hip("cudaMallocHost(&p, n"), "hipHostMalloc(&p, n");
  EXPECT_EQ(hip("cudaMallocHost(,)"), "hipHostMalloc(,)");
}

} // namespace
} // namespace pumice::hipify
