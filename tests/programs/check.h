// SPDX-License-Identifier: MIT
// Checks shared by these programs; DONE() prints the verdict and ends main.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <hip/hip_runtime.h>
#include <vector>
#define CK(x)                                                                                      \
  do {                                                                                             \
    hipError_t e_ = (x);                                                                           \
    if (e_ != hipSuccess) {                                                                        \
      printf("FAIL %s:%d %s\n", __FILE__, __LINE__, hipGetErrorString(e_));                        \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)
template <class T> T* up(const std::vector<T>& v) {
  T* p;
  CK(hipMalloc(&p, v.size() * sizeof(T)));
  CK(hipMemcpy(p, v.data(), v.size() * sizeof(T), hipMemcpyHostToDevice));
  return p;
}
template <class T> std::vector<T> down(T* p, size_t n) {
  std::vector<T> v(n);
  CK(hipMemcpy(v.data(), p, n * sizeof(T), hipMemcpyDeviceToHost));
  return v;
}
static int bad = 0;
#define EXPECT(c, ...)                                                                             \
  do {                                                                                             \
    if (!(c)) {                                                                                    \
      if (bad++ < 5) {                                                                             \
        printf("MISMATCH line %d: ", __LINE__);                                                    \
        printf(__VA_ARGS__);                                                                       \
        printf("\n");                                                                              \
      }                                                                                            \
    }                                                                                              \
  } while (0)
#define DONE()                                                                                     \
  do {                                                                                             \
    CK(hipDeviceSynchronize());                                                                    \
    printf("%s\n", bad ? "FAIL" : "PASS");                                                         \
    return bad != 0;                                                                               \
  } while (0)
