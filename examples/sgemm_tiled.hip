// SPDX-License-Identifier: MIT
// Matrix product, textbook form: 16 x 16 tiles in LDS, one element per thread.
#include "gemm_kernels.h"
#include "sgemm_common.h"

int main() {
  return gemm::run("sgemm_tiled", [](const float* a, const float* b, float* c) {
    sgemm_tiled<<<dim3(gemm::kN / 16, gemm::kN / 16), dim3(16, 16)>>>(a, b, c, gemm::kN);
  });
}
