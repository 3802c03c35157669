// SPDX-License-Identifier: MIT
// Device math against the host's libm: float and double, ordinary and special arguments, error in ulp.
#include "check.h"
#include <cstring>
#include <limits>

#define UNARY(X)                                                                                   \
  X(sin, 2) X(cos, 2) X(tan, 4) X(asin, 4) X(acos, 4) X(atan, 4) X(sinh, 4) X(cosh, 4) X(tanh, 4) X(exp, 2) X(exp2, 2) \
  X(log, 2) X(log2, 2) X(log10, 3) X(log1p, 2) X(expm1, 2) X(sqrt, 1) X(cbrt, 2) X(erf, 8) X(erfc, 16) X(tgamma, 16) \
  X(floor, 0) X(ceil, 0) X(trunc, 0) X(rint, 0) X(round, 0) X(fabs, 0)
#define BINARY(X) X(pow, 16) X(atan2, 6) X(fmod, 0) X(hypot, 4) X(fmax, 0) X(fmin, 0) X(copysign, 0) X(fdim, 0) X(remainder, 0)

template <class T> __global__ void unary(const T* x, T* out, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  int k = 0;
#define X(f, u) out[k++ * n + i] = f(x[i]);
  UNARY(X)
#undef X
}
template <class T> __global__ void binary(const T* x, const T* y, T* out, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  int k = 0;
#define X(f, u) out[k++ * n + i] = f(x[i], y[i]);
  BINARY(X)
#undef X
}

template <class T> double ulps(T got, long double exact) {
  T want = static_cast<T>(exact);
  if (std::isnan(got) && std::isnan(want)) return 0;
  if (std::isnan(got) || std::isnan(want)) return 1e30;
  if (std::isinf(got) || std::isinf(want)) return got == want ? 0 : 1e30;
  long double unit = std::nextafter(std::fabs(want), std::numeric_limits<T>::infinity()) - std::fabs(want);
  return double(fabsl(got - exact) / unit);
}

template <class T> void test() {
  std::vector<T> x{0, T(-0.0), T(0.1), T(-0.1), T(0.5), T(-0.5), 1, -1, T(1.5), T(-2.5), 3, T(-7.25), T(0.999), 10, T(-10), T(33.3),
                   T(100.125), T(-50), T(1e-5), T(-1e-5), T(1e-20), T(12345.678), std::numeric_limits<T>::infinity(),
                   -std::numeric_limits<T>::infinity(), std::numeric_limits<T>::quiet_NaN(), T(0.3), T(0.7), T(-0.9), T(2.718281828), T(20.5)};
  std::vector<T> y(x.rbegin(), x.rend());
  int n = int(x.size());
  T *dx = device_copy(x), *dy = device_copy(y), *out = nullptr;
  HIP(hipMalloc(&out, sizeof(T) * 40 * n));
  unary<T><<<1, 64>>>(dx, out, n);
  HIP(hipGetLastError());
  std::vector<T> r = host_copy(out, 40 * n);
  int k = 0;
#define X(f, u)                                                                                    \
  for (int i = 0; i < n; ++i) {                                                                    \
    double e = ulps<T>(r[k * n + i], std::f(static_cast<long double>(x[i])));                      \
    if (!(e <= u + 0.51)) {                                                                        \
      ++g_failures;                                                                                \
      std::fprintf(stderr, "%s(%.9g) = %.17g, %.17Lg expected, %g ulp\n", #f, double(x[i]), double(r[k * n + i]), std::f(static_cast<long double>(x[i])), e); \
    }                                                                                              \
  }                                                                                                \
  ++k;
  UNARY(X)
#undef X
  binary<T><<<1, 64>>>(dx, dy, out, n);
  r = host_copy(out, 40 * n);
  k = 0;
#define X(f, u)                                                                                    \
  for (int i = 0; i < n; ++i) {                                                                    \
    long double exact = std::f(static_cast<long double>(x[i]), static_cast<long double>(y[i]));    \
    double e = ulps<T>(r[k * n + i], exact);                                                       \
    if (!(e <= u + 0.51)) {                                                                        \
      ++g_failures;                                                                                \
      std::fprintf(stderr, "%s(%.9g, %.9g) = %.17g, %.17Lg expected, %g ulp\n", #f, double(x[i]), double(y[i]), double(r[k * n + i]), exact, e); \
    }                                                                                              \
  }                                                                                                \
  ++k;
  BINARY(X)
#undef X
}

__global__ void fast(float* out) {
  out[0] = __expf(1.5f);
  out[1] = __logf(7.0f);
  out[2] = __sinf(0.5f);
  out[3] = __fdividef(10.0f, 4.0f);
  out[4] = rsqrtf(16.0f);
  out[5] = __powf(2.0f, 10.0f);
  out[6] = fmaf(2.0f, 3.0f, 4.0f);
  out[7] = __saturatef(1.7f);
  int e;
  out[8] = frexpf(48.0f, &e) + e;
  out[9] = ldexpf(0.75f, 4);
  float whole;
  out[10] = modff(3.25f, &whole) + whole;
  float s, c;
  sincosf(0.25f, &s, &c);
  out[11] = s * s + c * c;
  out[12] = norm3df(2, 3, 6);
  out[13] = normcdff(0.0f);
}
__global__ void integers(long long* out, long long a, long long b, unsigned long long c, unsigned long long d) {
  out[0] = a / b;
  out[1] = a % b;
  out[2] = (long long)(c / d);
  out[3] = (long long)(c % d);
  out[4] = abs(int(b));
  out[5] = min(a, b) + max(int(1), int(2));
}

int main() {
  test<float>();
  test<double>();
  float* f = nullptr;
  HIP(hipMalloc(&f, 64));
  fast<<<1, 1>>>(f);
  std::vector<float> v = host_copy(f, 14);
  const float expected[] = {4.4816890703f, 1.9459101491f, 0.4794255386f, 2.5f, 0.25f, 1024.0f, 10.0f, 1.0f, 6.75f, 12.0f, 3.25f, 1.0f, 7.0f, 0.5f};
  for (int i = 0; i < 14; ++i) CHECK(std::fabs(v[i] - expected[i]) <= 2e-5f * std::fabs(expected[i]));
  long long* l = nullptr;
  HIP(hipMalloc(&l, 64));
  integers<<<1, 1>>>(l, -1234567890123456789LL, 987654321LL, 18446744073709551557ull, 4294967311ull);
  std::vector<long long> w = host_copy(l, 6);
  CHECK(w[0] == -1234567890123456789LL / 987654321LL);
  CHECK(w[1] == -1234567890123456789LL % 987654321LL);
  CHECK(w[2] == (long long)(18446744073709551557ull / 4294967311ull));
  CHECK(w[3] == (long long)(18446744073709551557ull % 4294967311ull));
  CHECK(w[4] == 987654321);
  CHECK(w[5] == -1234567890123456789LL + 2);
  return finish();
}
