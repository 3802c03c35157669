// SPDX-License-Identifier: MIT
// Matrix product with register blocking: 64 x 64 tile per block, 4 x 4 elements per thread.
#include "gemm_kernels.h"
#include "sgemm_common.h"

int main() {
  return gemm::run("sgemm_blocked", [](const float* a, const float* b, float* c) {
    sgemm_blocked<<<dim3(gemm::kN / 64, gemm::kN / 64), 256>>>(a, b, c, gemm::kN);
  });
}
