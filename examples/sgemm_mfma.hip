// SPDX-License-Identifier: MIT
// Matrix product on the matrix cores: v_mfma_f32_32x32x2 through its builtin, operands staged in LDS.
// A lane l holds row (or column) l % 32 and depth l / 32; register r of the result holds row
// 8 * (r / 4) + 4 * (l / 32) + r % 4, column l % 32.
#include "gemm_kernels.h"
#include "sgemm_common.h"

int main() {
  return gemm::run("sgemm_mfma", [](const float* a, const float* b, float* c) {
    sgemm_mfma<<<dim3(gemm::kN / 128, gemm::kN / 128), 256>>>(a, b, c, gemm::kN);
  });
}
