// SPDX-License-Identifier: MIT
// AMD's device math library, run on the interpreter, against libm: exercises v_trig_preop, v_ldexp,
// v_frexp, the approximate instructions and their refinement sequences on edge and random
// arguments.
#include "device_program.h"
#include <bit>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

namespace {

float ref_rsqrt(float x) {
  return static_cast<float>(1.0 / std::sqrt(static_cast<double>(x)));
}
double ref_rsqrt_d(double x) {
  return static_cast<double>(1.0L / std::sqrt(static_cast<long double>(x)));
}

template <class T> std::vector<T> arguments() {
  using L = std::numeric_limits<T>;
  std::vector<T> v = {T(0),
                      T(-0.0),
                      T(1),
                      T(-1),
                      T(0.5),
                      T(-0.5),
                      T(2),
                      T(10),
                      T(-10),
                      T(100),
                      T(1e5),
                      T(-1e7),
                      T(3e15),
                      T(6.02e23),
                      L::max(),
                      L::lowest(),
                      L::min(),
                      L::denorm_min(),
                      -L::denorm_min(),
                      L::min() / 8,
                      L::infinity(),
                      -L::infinity(),
                      L::quiet_NaN(),
                      T(3.14159265358979),
                      T(1.5707963267949),
                      T(0.785398),
                      T(88.7),
                      T(-104.0),
                      T(709.7),
                      T(-745.0)};
  std::mt19937_64 rng(9);
  for (int n = 0; n < 400; ++n) {
    double mantissa = 1 + static_cast<double>(rng() >> 11) * 0x1p-53;
    int e = n < 200 ? static_cast<int>(rng() % 12) - 6
                    : static_cast<int>(rng() % (sizeof(T) == 4 ? 250 : 2000)) -
                          (sizeof(T) == 4 ? 125 : 1000);
    v.push_back(static_cast<T>(std::ldexp(rng() & 1 ? mantissa : -mantissa, e)));
  }
  return v;
}

// Distance in units of the expected value's last place; infinities and NaN must match.
template <class T> double ulps(T x, T y) {
  if (std::isnan(x) || std::isnan(y))
    return std::isnan(x) && std::isnan(y) ? 0 : 1e30;
  if (x == y)
    return 0;
  if (std::isinf(x) || std::isinf(y)) {
    using L = std::numeric_limits<T>; // overflow may happen one step apart
    return std::fabs(std::isinf(x) ? y : x) >= L::max() * T(0.999999) ? 1 : 1e30;
  }
  T unit = std::max(std::nextafter(std::fabs(y), std::numeric_limits<T>::infinity()) - std::fabs(y),
                    std::numeric_limits<T>::denorm_min());
  return static_cast<double>(std::fabs(x - y) / unit);
}

template <class T, class Host, class Where>
void check(pumice::test::DeviceProgram& program, const char* name, Host host, double tolerance,
           Where where) {
  static const std::vector<T> in = arguments<T>();
  std::vector<T> out(in.size());
  std::vector<uint8_t> kernarg(20);
  const void* pointers[2] = {in.data(), out.data()};
  std::memcpy(kernarg.data(), pointers, 16);
  int count = static_cast<int>(in.size());
  std::memcpy(kernarg.data() + 16, &count, 4);
  auto result =
      program.run(std::string("k_") + name, kernarg, static_cast<uint32_t>(count + 63) / 64, 64);
  ASSERT_TRUE(result.finished) << name << ": " << pumice::exec::fault_kind_name(result.fault.kind);
  int bad = 0;
  for (size_t n = 0; n < in.size() && bad < 3; ++n) {
    if (!where(in[n]))
      continue;
    T expected = host(in[n]);
    double distance = ulps(out[n], expected);
    if (distance > tolerance)
      ++bad, ADD_FAILURE() << name << "(" << in[n] << ") = " << out[n] << ", libm " << expected
                           << ", " << distance << " ulp";
  }
}

class ExecMath : public testing::TestWithParam<const char*> {};

TEST_P(ExecMath, DeviceLibraryAgreesWithLibm) {
  if (!PUMICE_TEST_DEVICE_LIBRARY)
    GTEST_SKIP() << "no device library";
  auto program = pumice::test::DeviceProgram::built("math_device", GetParam(), "-O2");
  ASSERT_TRUE(program);
#define L32(name, host, ulp, where)                                                                \
  check<float>(                                                                                    \
      *program, #name "_f32", [](float x) { return host(x); }, ulp,                                \
      []([[maybe_unused]] float x) { return where; });
#define L64(name, host, ulp, where)                                                                \
  check<double>(                                                                                   \
      *program, #name "_f64", [](double x) { return host(x); }, ulp,                               \
      []([[maybe_unused]] double x) { return where; });
#include "math.def"
}

INSTANTIATE_TEST_SUITE_P(Targets, ExecMath, testing::Values("gfx90a", "gfx942"),
                         [](const auto& info) { return std::string(info.param); });

} // namespace
