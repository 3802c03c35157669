// SPDX-License-Identifier: MIT
// The same C functions on the host and, compiled for the device, on the interpreter: for edge and
// random values, both targets, unoptimised and optimised.
#include "device_program.h"
#include <bit>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

namespace {

using i8 = signed char;
using u8 = unsigned char;
using i16 = short;
using u16 = unsigned short;
using i32 = int;
using u32 = unsigned;
using i64 = long;
using u64 = unsigned long;
using f32 = float;
using f64 = double;

extern "C" {
#define F(name, R, A, expression) R host_##name(A a, A b, A c);
#include "functions.def"
#undef F
#define G(name, R, A, device, host) R host_##name(A a, A b, A c, u32 n);
#include "builtins.def"
#undef G
}

template <class T> std::vector<T> edge_values() {
  if constexpr (std::is_floating_point_v<T>) {
    using L = std::numeric_limits<T>;
    std::vector<T> v = {T(0),
                        T(1),
                        T(-1),
                        T(0.5),
                        T(-0.5),
                        T(1.5),
                        T(2.5),
                        T(3),
                        T(-7.75),
                        T(1e10),
                        T(-1e10),
                        T(1e-10),
                        T(0.1),
                        L::max(),
                        L::lowest(),
                        L::min(),
                        -L::min(),
                        L::denorm_min(),
                        -L::denorm_min(),
                        L::min() / 4,
                        L::min() * 3,
                        L::infinity(),
                        -L::infinity(),
                        L::quiet_NaN(),
                        T(-0.0),
                        L::max() / 2,
                        T(2147483648.0),
                        T(4294967295.0),
                        T(16777217),
                        T(255.5),
                        T(65504),
                        T(1) / L::max(),
                        L::epsilon()};
    return v;
  } else {
    using L = std::numeric_limits<T>;
    return {0,
            1,
            2,
            3,
            T(-1),
            T(-2),
            7,
            31,
            32,
            33,
            63,
            64,
            255,
            256,
            0x7fff,
            0x8000,
            0xffff,
            0x10000,
            0x7fffff,
            0x800000,
            0xffffff,
            L::max(),
            L::min(),
            T(L::max() - 1),
            T(L::min() + 1),
            0x3c00,
            0x7c00,
            0xfc00,
            0x0400,
            0x03ff,
            0x0001,
            0x7bff,
            0x8000,
            0x7e00,
            0x55555555,
            T(0xaaaaaaaa)};
  }
}

template <class T> T random_value(std::mt19937_64& rng) {
  u64 bits = rng();
  if constexpr (std::is_floating_point_v<T>) {
    if (rng() % 3 == 0)
      return static_cast<T>(static_cast<i64>(rng() % 2000001) - 1000000) /
             static_cast<T>(1 << rng() % 16);
  } else {
    if (rng() % 3 == 0)
      bits &= 0xffff;
    if (rng() % 4 == 0)
      bits >>= rng() % 64;
  }
  T value;
  std::memcpy(&value, &bits, sizeof value);
  if constexpr (std::is_floating_point_v<T>) {
    if (value != value)
      return std::numeric_limits<T>::quiet_NaN(); // signaling NaNs have their own tests
  }
  return value;
}

template <class A> void make_inputs(std::vector<A>& a, std::vector<A>& b, std::vector<A>& c) {
  std::mt19937_64 rng(42);
  std::vector<A> edges = edge_values<A>();
  for (A x : edges)
    for (A y : edges) {
      a.push_back(x);
      b.push_back(y);
      c.push_back(edges[rng() % edges.size()]);
    }
  for (int n = 0; n < 1500; ++n) {
    a.push_back(random_value<A>(rng));
    b.push_back(random_value<A>(rng));
    c.push_back(random_value<A>(rng));
  }
  while (a.size() % 64 != 37)
    a.push_back(A(5)), b.push_back(A(3)), c.push_back(A(2)); // a partial last wave
}

template <class R> bool same(R x, R y) {
  if constexpr (std::is_floating_point_v<R>) {
    if (std::isnan(x) && std::isnan(y))
      return true;
  }
  return std::memcmp(&x, &y, sizeof x) == 0;
}

/// `host(a, b, c, index)` is the expected value.
template <class R, class A, class Host>
void check(pumice::test::DeviceProgram& program, const char* name, Host host) {
  static std::vector<A> a, b, c;
  if (a.empty())
    make_inputs(a, b, c);
  std::vector<R> out(a.size() + 64, R{});
  std::vector<uint8_t> arguments(36);
  const void* pointers[4] = {a.data(), b.data(), c.data(), out.data()};
  std::memcpy(arguments.data(), pointers, 32);
  u32 count = static_cast<u32>(a.size());
  std::memcpy(arguments.data() + 32, &count, 4);
  auto result = program.run(std::string("k_") + name, arguments, (count + 63) / 64, 64);
  ASSERT_TRUE(result.finished) << name << ": " << pumice::exec::fault_kind_name(result.fault.kind);
  int bad = 0;
  for (u32 n = 0; n < count && bad < 3; ++n) {
    R expected = host(a[n], b[n], c[n], n);
    if (!same(expected, out[n])) {
      ++bad;
      ADD_FAILURE() << name << "(" << a[n] << ", " << b[n] << ", " << c[n] << ") = " << out[n]
                    << ", host " << expected;
    }
  }
}

class ExecFunctions : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(ExecFunctions, AgreeWithTheHost) {
  auto [cpu, options] = GetParam();
  auto program = pumice::test::DeviceProgram::built("functions_device", cpu, options);
  ASSERT_TRUE(program);
#define F(name, R, A, expression)                                                                  \
  check<R, A>(*program, #name, [](A a, A b, A c, u32) { return host_##name(a, b, c); });
#include "functions.def"
#undef F
}

TEST_P(ExecFunctions, BuiltinsAgreeWithTheirDefinitions) {
  auto [cpu, options] = GetParam();
  auto program = pumice::test::DeviceProgram::built("builtins_device", cpu, options);
  ASSERT_TRUE(program);
#define G(name, R, A, device, host) check<R, A>(*program, #name, host_##name);
#include "builtins.def"
#undef G
}

INSTANTIATE_TEST_SUITE_P(Targets, ExecFunctions,
                         testing::Combine(testing::Values("gfx90a", "gfx942"),
                                          testing::Values("-O0", "-O3")),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param)) + "_" +
                                  (std::get<1>(info.param) + 1);
                         });

} // namespace
