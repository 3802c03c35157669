// SPDX-License-Identifier: MIT
// Shared by the matrix examples: inputs, check against a host product, native time.
#pragma once
#include "example.h"

namespace gemm {

constexpr int kN = example::sized(768, 128);

/// C = A * B, all kN x kN row-major: blocked i-k-j loops that the compiler vectorises.
inline void native(const std::vector<float>& a, const std::vector<float>& b, std::vector<float>& c) {
  example::parallel_for(kN / 32, [&](size_t lo, size_t hi) {
    for (size_t i0 = lo * 32; i0 < hi * 32; i0 += 4)
      for (int k0 = 0; k0 < kN; k0 += 128)
        for (int j0 = 0; j0 < kN; j0 += 64) {
          float acc[4][64];
          for (int i = 0; i < 4; i++)
            for (int j = 0; j < 64; j++) acc[i][j] = k0 ? c[(i0 + i) * kN + j0 + j] : 0;
          for (int k = k0; k < k0 + 128; k++)
            for (int i = 0; i < 4; i++) {
              float x = a[(i0 + i) * kN + k];
              for (int j = 0; j < 64; j++) acc[i][j] += x * b[size_t(k) * kN + j0 + j];
            }
          for (int i = 0; i < 4; i++)
            for (int j = 0; j < 64; j++) c[(i0 + i) * kN + j0 + j] = acc[i][j];
        }
  });
}

/// Runs `launch(a, b, c)`, checks sampled elements in double, reports.
inline int run(const char* name, const std::function<void(const float*, const float*, float*)>& launch) {
  const size_t n = size_t(kN) * kN;
  auto a = example::random_floats(n, 11), b = example::random_floats(n, 12);
  for (auto& v : a) v -= 0.5f;
  example::Buffer<float> da(a), db(b), dc(n);
  double ms = example::kernel_ms([&] { launch(da.get(), db.get(), dc.get()); });
  auto c = dc.download();
  bool pass = true;
  for (int i = 0; i < kN; i += 37)
    for (int j = 0; j < kN; j += 11) {
      double want = 0;
      for (int k = 0; k < kN; k++) want += double(a[size_t(i) * kN + k]) * b[size_t(k) * kN + j];
      pass &= std::fabs(c[size_t(i) * kN + j] - want) < 1e-3;
    }
  double host = example::native_ms([&] { native(a, b, c); });
  return example::report(name, pass, ms, 2.0 * kN * kN * kN * 1e-9, "GFLOP", host);
}

} // namespace gemm
