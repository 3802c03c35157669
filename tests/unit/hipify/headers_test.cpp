// SPDX-License-Identifier: MIT
#include "hipify_test_util.h"

namespace pumice::hipify {
namespace {

std::string whole(const std::string& text, bool cuda = false) {
  Options o;
  o.is_cuda = cuda;
  return translate(text, o).text;
}

TEST(Headers, QuotesAreKept) {
  EXPECT_EQ(whole("#include \"cuda.h\"\n"), "#include \"hip/hip_runtime.h\"\n");
  EXPECT_EQ(whole("#include <cuda_runtime.h>\n"), "#include <hip/hip_runtime.h>\n");
}
TEST(Headers, RepeatedResultsLeaveAnEmptyLine) {
  EXPECT_EQ(whole("#include <cuda.h>\n#include <cuda_runtime.h> // both\nint a;\n"),
            "#include <hip/hip_runtime.h>\n // both\nint a;\n");
}
TEST(Headers, BranchesOfAConditionalEachKeepTheirs) {
  EXPECT_EQ(whole("#ifdef A\n#include <cuda.h>\n#else\n#include <cuda_runtime.h>\n#endif\n"),
            "#ifdef A\n#include <hip/hip_runtime.h>\n#else\n#include <hip/hip_runtime.h>\n#endif\n");
}
TEST(Headers, MainHeaderIsInsertedBeforeTheFirstInclude) {
  EXPECT_EQ(whole("// top\n#include <stdio.h>\n__global__ void k() {}\n"),
            "// top\n#include <hip/hip_runtime.h>\n#include <stdio.h>\n__global__ void k() {}\n");
}
TEST(Headers, MainHeaderGoesBehindPragmaOnceAndGuards) {
  EXPECT_EQ(whole("#pragma once\nint a;\n", true), "#pragma once\n#include <hip/hip_runtime.h>\nint a;\n");
  EXPECT_EQ(whole("#ifndef G\n#define G\n__device__ int a;\n#endif\n"),
            "#ifndef G\n#define G\n#include <hip/hip_runtime.h>\n__device__ int a;\n#endif\n");
}
TEST(Headers, MainHeaderIsNotHiddenInAConditional) {
  EXPECT_EQ(whole("#ifdef A\n#include <stdio.h>\n#endif\n__global__ void k() {}\n"),
            "#include <hip/hip_runtime.h>\n#ifdef A\n#include <stdio.h>\n#endif\n__global__ void k() {}\n");
}
TEST(Headers, PlainSourcesGetNone) { EXPECT_EQ(whole("#include <stdio.h>\nint a;\n"), "#include <stdio.h>\nint a;\n"); }
TEST(Headers, LibrariesOfBothTargets) {
  EXPECT_EQ(hip("#include <cublas_v2.h>\n"), "#include <hipblas.h>\n");
  Options o;
  o.libraries = Libraries::roc;
  EXPECT_EQ(hip("#include <cublas_v2.h>\n", o), "#include <rocblas.h>\n");
  EXPECT_EQ(hip("#include <cub/block/block_scan.cuh>\n"), "#include <hipcub/hipcub.hpp>\n");
  EXPECT_EQ(hip("#include <nccl.h>\n"), "#include <rccl/rccl.h>\n");
}
TEST(Headers, MissingOnesAreFindings) {
  EXPECT_EQ(count("#include <cooperative_groups/reduce.h>\n", "D006"), 1u);
  EXPECT_EQ(count("#include <cutlass/gemm/device/gemm.h>\n", "L001"), 1u);
  EXPECT_EQ(count("#include <NvInfer.h>\n", "L002"), 1u);
}
TEST(Headers, ByteOrderMarkStaysFirst) {
  EXPECT_EQ(whole("\xEF\xBB\xBF__global__ void k() {}\n"), "\xEF\xBB\xBF#include <hip/hip_runtime.h>\n__global__ void k() {}\n");
}

} // namespace
} // namespace pumice::hipify
