// SPDX-License-Identifier: MIT
#include "hipify_test_util.h"

namespace pumice::hipify {
namespace {

TEST(DeviceChecks, SecondLaunchBoundsArgument) {
  EXPECT_EQ(count("__global__ void __launch_bounds__(256, 4) k() {}", "D004"), 1u);
  EXPECT_EQ(count("__global__ void __launch_bounds__(256) k() {}", "D004"), 0u);
}
TEST(DeviceChecks, LocksInsideAWave) {
  EXPECT_EQ(count("__device__ void l(int* m) { while (atomicCAS(m, 0, 1) != 0); }", "D012"), 1u);
  EXPECT_EQ(count("__device__ void l(int* m) { int o = atomicCAS(m, 0, 1); }", "D012"), 0u);
}
TEST(DeviceChecks, TexturesAndSurfaces) {
  EXPECT_EQ(count("texture<float, 2> t;", "D001"), 1u);
  EXPECT_EQ(count("__device__ float f(cudaTextureObject_t t) { return tex2D<float>(t, 0, 0); }", "D002"), 1u);
  EXPECT_TRUE(findings("int texture = 1; f(texture, surface);").empty());
}
TEST(DeviceChecks, OperatorsOfVectorTypesThatHipHasToo) {
  for (const char* s : {"inline __device__ void operator+=(float4& a, float4 b) {}", "float2 operator -(const float2& a) { return a; }",
                        "uchar4 operator<<(uchar4 a, const uchar4 b);", "bool operator==(int3 a, int3 b);"})
    EXPECT_EQ(count(s, "A016"), 1u) << s;
  // Scalars on one side, streams, members, comparisons and types of the project are no operands of HIP's.
  for (const char* s : {"float4 operator*(float4 a, float b);", "std::ostream& operator<<(std::ostream& o, float4 v);",
                        "struct V { V operator+(float4 a, float4 b); };", "bool operator<(float2 a, float2 b);", "Vec4 operator+(Vec4 a, Vec4 b);",
                        "struct F { float operator()(float4 a); };"})
    EXPECT_EQ(count(s, "A016"), 0u) << s;
  Options direct;
  direct.logical_warps = true; // pumice cc lets the project's own win
  EXPECT_EQ(count("void operator+=(float4& a, float4 b) {}", "A016", direct), 0u);
}
TEST(DeviceChecks, SharedMemoryAbove48KiB) {
  EXPECT_EQ(count("__global__ void k() { __shared__ double s[64][128]; }", "D005"), 1u);
  EXPECT_EQ(count("__global__ void k() { __shared__ float s[64][128]; }", "D005"), 0u);
  EXPECT_EQ(count("cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, n);", "D005"), 1u);
}
TEST(DeviceChecks, CooperativeGroupsBeyondHips) {
  EXPECT_EQ(count("namespace cg = cooperative_groups;\n__device__ int f(int v) { return cg::reduce(g, v, h); }", "D006"), 1u);
  EXPECT_EQ(count("cooperative_groups::inclusive_scan(g, v);", "D006"), 1u);
  EXPECT_EQ(count("namespace cg = cooperative_groups; auto b = cg::this_thread_block();", "D006"), 0u);
}
TEST(DeviceChecks, ClustersTmaAndMatrixCores) {
  EXPECT_EQ(count("at.id = cudaLaunchAttributeClusterDimension;", "D007"), 1u);
  EXPECT_EQ(count("CUtensorMap m;", "D008"), 1u);
  EXPECT_EQ(count("using namespace nvcuda; wmma::fragment<int> f;", "D010"), 2u);
}
TEST(DeviceChecks, LibcuxxNeedsItsNamespaceToBeCudas) {
  EXPECT_EQ(count("cuda::barrier<cuda::thread_scope_block> b;", "D011"), 2u);
  EXPECT_EQ(count("at::cuda::barrier(b);", "D011"), 0u);
  EXPECT_EQ(count("namespace cuda { struct barrier {}; }\ncuda::barrier b;", "D011"), 0u);
}
TEST(DeviceChecks, DeviceCodeInStrings) {
  EXPECT_EQ(count("const char* s = R\"(extern \"C\" __global__ void k(int* p) { *p = 1; })\";", "A013"), 1u);
}
TEST(DeviceChecks, VersionDependentCalls) {
  EXPECT_EQ(count("cuCtxCreate(&c, 0, d);", "A005"), 1u);
  EXPECT_EQ(count("#if CUDART_VERSION >= 11000\n#endif\n", "A014"), 1u);
}
TEST(DeviceChecks, DeviceFunctionsWithoutACounterpartUnlessTheProjectsOwn) {
  EXPECT_EQ(count("__device__ unsigned f(unsigned a) { return umin(a, 1u); }", "A001"), 1u);
  EXPECT_EQ(count("unsigned f(unsigned a) { return umin(a, 1u); }", "A001"), 1u);
  EXPECT_EQ(count("unsigned umin(unsigned a, unsigned b);\nunsigned f(unsigned a) { return umin(a, 1u); }", "A001"), 0u);
  EXPECT_EQ(count("int umin = 3; int g = umin;", "A001"), 0u);
  EXPECT_EQ(count("namespace my { unsigned umin(unsigned a, unsigned b); }\n__device__ unsigned f(unsigned a) { return my::umin(a, 1u); }", "A001"), 0u);
}

} // namespace
} // namespace pumice::hipify
