// SPDX-License-Identifier: MIT
// Names: the counterparts are those of AMD's HIPIFY documentation.
#include "hipify_test_util.h"

namespace pumice::hipify {
namespace {

TEST(Names, RuntimeDriverAndLibraryNamesAreTranslated) {
  EXPECT_EQ(hip("cudaError_t e = cudaStreamSynchronize(s);"), "hipError_t e = hipStreamSynchronize(s);");
  EXPECT_EQ(hip("CUdevice d; cuDeviceGet(&d, 0);"), "hipDevice_t d; hipDeviceGet(&d, 0);");
  EXPECT_EQ(hip("cublasSgemm(h, CUBLAS_OP_N)"), "hipblasSgemm(h, HIPBLAS_OP_N)");
  EXPECT_EQ(hip("cufftExecC2C(p, a, b, CUFFT_FORWARD)"), "hipfftExecC2C(p, a, b, HIPFFT_FORWARD)");
  EXPECT_EQ(hip("nvtxRangePushA(\"x\"); nvtxRangePop();"), "roctxRangePushA(\"x\"); roctxRangePop();");
}
TEST(Names, RocTargetUsesRocLibraries) {
  Options o;
  o.libraries = Libraries::roc;
  EXPECT_EQ(hip("cublasSgemm(h)", o), "rocblas_sgemm(h)");
  EXPECT_EQ(hip("cudaFree(p)", o), "hipFree(p)");
}
TEST(Names, MembersAndForeignNamespacesStay) {
  EXPECT_EQ(hip("o.cudaFree(p); q->cudaFree(p); mine::cudaFree(p);"),
            "o.cudaFree(p); q->cudaFree(p); mine::cudaFree(p);");
  EXPECT_EQ(hip("::cudaFree(p)"), "::hipFree(p)");
  EXPECT_EQ(hip("return ::cudaFree(p)"), "return ::hipFree(p)");
}
TEST(Names, MethodDeclarationsOfTheProjectStay) {
  EXPECT_EQ(hip("struct A { int cudaFree(void* p); };"), "struct A { int cudaFree(void* p); };");
}
TEST(Names, DeclaredNamesAreTheProjectsOwn) {
  for (const char* text :
       {"#define CUDA_CHECK(x) x\nvoid f() { CUDA_CHECK(1); }", "void cudaHelper(int);\nvoid f() { cudaHelper(1); }",
        "struct cudaThing {}; cudaThing t;", "enum { cudaOne, cudaTwo }; int a = cudaTwo;",
        "using cudaAlias = int; cudaAlias a;", "int f() { int cudaCount = 1; return cudaCount; }",
        "std::vector<int> cuList; int g() { return cuList[0]; }", "void f(float* cuData) { cuData[0] = 1; }"})
    EXPECT_EQ(count(text, "A002"), 0u) << text;
}
TEST(Names, UnknownNamesAreReportedOnceEach) {
  std::vector<Finding> f = findings("void f() {\n  cudaBrandNew(1);\n}\n");
  ASSERT_EQ(f.size(), 1u);
  EXPECT_EQ(f[0].code->code, "A002");
  EXPECT_EQ(f[0].line, 2u);
  EXPECT_EQ(f[0].column, 3u);
}
TEST(Names, ReservedNamesOfCudaAreReportedToo) {
  EXPECT_EQ(count("__device__ int f(int* p) { return __nv_atomic_load_n(p, 1); }", "A002"), 1u);
}
TEST(Names, UseInAnExpressionDeclaresNothing) {
  EXPECT_EQ(count("int f(int a) { return a * cudaBrandNew(1); }", "A002"), 1u);
  EXPECT_EQ(count("int f(int a) { return cudaBrandNew(1); }", "A002"), 1u);
}
TEST(Names, NamesGivenByTheCallerAreOwn) {
  std::unordered_set<std::string> own{"cudaHelper"};
  Options o;
  o.own_names = &own;
  EXPECT_EQ(count("void f() { cudaHelper(1); }", "A002", o), 0u);
}
TEST(Names, WithoutACounterpartIsAFindingAndStays) {
  EXPECT_EQ(hip("cudaGraphConditionalHandle h;"), "cudaGraphConditionalHandle h;");
  EXPECT_EQ(count("cudaGraphConditionalHandle h;", "A001"), 1u);
}
TEST(Names, PastedNamesAreReported) {
  EXPECT_EQ(count("#define G(T) cublas##T##gemm\n", "A010"), 1u);
}
TEST(Names, NewerRocmIsReported) {
  Options o;
  o.rocm_version = 50000;
  EXPECT_EQ(count("hipblasHandle_t h; cublasSgemm_64(h);", "A007", o), 1u);
  EXPECT_EQ(hip("cublasSgemm_64(h)"), "hipblasSgemm_64(h)");
}
TEST(Names, NcclNamesStayBecauseRcclKeepsThem) {
  EXPECT_EQ(hip("ncclAllReduce(a, b, n, ncclFloat, ncclSum, c, s);"),
            "ncclAllReduce(a, b, n, ncclFloat, ncclSum, c, s);");
  EXPECT_TRUE(findings("ncclAllReduce(a, b, n, ncclFloat, ncclSum, c, s);").empty());
}
TEST(Names, CubBecomesHipcubButNotSomebodyElsesCub) {
  EXPECT_EQ(hip("cub::BlockScan<int> b; using namespace cub;"), "hipcub::BlockScan<int> b; using namespace hipcub;");
  EXPECT_EQ(hip("typedef ::cub::BlockScan<int> B;"), "typedef ::hipcub::BlockScan<int> B;");
  EXPECT_EQ(hip("zoo::cub::Bear b;"), "zoo::cub::Bear b;");
}
TEST(Names, LibrariesWithoutACounterpartSayWhatToUse) {
  EXPECT_EQ(count("nvmlInit();", "L005"), 1u);
  EXPECT_EQ(count("cutlass::gemm::Gemm g;", "L001"), 1u);
  EXPECT_EQ(count("nvinfer1::IBuilder* b;", "L002"), 1u);
  EXPECT_EQ(count("nvshmem_init();", "L003"), 1u);
}
TEST(Names, LegacyCublasWithoutHandleStays) {
  std::string text = "#include \"cublas.h\"\nvoid f() { cublasSscal(n, a, x, 1); }\n";
  EXPECT_TRUE(has(hip(text), "cublasSscal(n, a, x, 1)"));
  EXPECT_EQ(count(text, "A015"), 1u);
  EXPECT_EQ(hip(hip(text)), hip(text));
}
TEST(Names, Bfloat16FollowsTheHeader) {
  EXPECT_EQ(hip("__nv_bfloat16 x;"), "hip_bfloat16 x;");
  EXPECT_TRUE(has(hip("#include <cuda_bf16.h>\n__nv_bfloat16 x;"), "__hip_bfloat16 x;"));
}
TEST(Names, StringsStayUnlessAskedFor) {
  EXPECT_EQ(hip("p(\"cudaMalloc failed\");"), "p(\"cudaMalloc failed\");");
  Options o;
  o.rewrite_strings = true;
  EXPECT_EQ(hip("p(\"cudaMalloc failed\");", o), "p(\"hipMalloc failed\");");
}
TEST(Names, SecondTranslationChangesNothing) {
  std::string once = translate("#include <cuda.h>\nint f() { return cudaFree(0) + cudaMallocHost(&p, 1); }", {}).text;
  EXPECT_EQ(translate(once, {}).text, once);
}

TEST(Names, TypedefOfAnUnnamedTypeIsTheProjectsOwn) {
  EXPECT_TRUE(findings("typedef enum { A, B } cudaTmaDescType;\nvoid f(cudaTmaDescType t);\n").empty());
}
TEST(Names, LowerCaseWordsAreNobodysApi) {
  EXPECT_TRUE(findings("void f(C* c) { auto *cuda_ctx_src = c; g(cuda_ctx_src, cu_seqlens); }").empty());
}
TEST(Names, FrontendOfCudnnIsItsGraphInterface) {
  EXPECT_EQ(count("namespace fe = cudnn_frontend;", "L004"), 1u);
}
TEST(Statistics, KernelsAreDefinitionsNotWordsInComments) {
  EXPECT_EQ(translate("// __global__\n__global__ void a();\n__global__ void a() {}\ntemplate <class T> __global__ void __launch_bounds__(256) b(T*) { }\n", {}).statistics.kernels, 2u);
}

} // namespace
} // namespace pumice::hipify
