// SPDX-License-Identifier: MIT
// Checks for the test programs: CHECK counts failures and goes on, HIP ends the program on an error code.
#pragma once
#include <hip/hip_runtime.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

inline int g_failures = 0;

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      if (++g_failures <= 20) std::fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
    }                                                                                              \
  } while (0)
#define CHECK_EQ(a, b)                                                                             \
  do {                                                                                             \
    auto check_a = (a);                                                                            \
    auto check_b = (b);                                                                            \
    if (!(check_a == check_b)) {                                                                   \
      if (++g_failures <= 20)                                                                      \
        std::fprintf(stderr, "%s:%d: %s is %g, expected %s = %g\n", __FILE__, __LINE__, #a, double(check_a), #b, double(check_b)); \
    }                                                                                              \
  } while (0)
#define HIP(call)                                                                                  \
  do {                                                                                             \
    hipError_t hip_e = (call);                                                                     \
    if (hip_e != hipSuccess) {                                                                     \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, hipGetErrorName(hip_e));  \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)
#define EXPECT_ERROR(call, expected)                                                               \
  do {                                                                                             \
    hipError_t hip_e = (call);                                                                     \
    if (hip_e != (expected)) {                                                                     \
      ++g_failures;                                                                                \
      std::fprintf(stderr, "%s:%d: %s gave %s, expected %s\n", __FILE__, __LINE__, #call,          \
                   hipGetErrorName(hip_e), hipGetErrorName(expected));                             \
    }                                                                                              \
  } while (0)

template <class T> T* device_copy(const std::vector<T>& v) {
  T* p = nullptr;
  HIP(hipMalloc(&p, v.size() * sizeof(T)));
  HIP(hipMemcpy(p, v.data(), v.size() * sizeof(T), hipMemcpyHostToDevice));
  return p;
}
template <class T> std::vector<T> host_copy(const T* p, size_t n) {
  std::vector<T> v(n);
  HIP(hipMemcpy(v.data(), p, n * sizeof(T), hipMemcpyDeviceToHost));
  return v;
}
inline int finish() {
  if (g_failures) std::fprintf(stderr, "%d checks failed\n", g_failures);
  return g_failures != 0;
}
