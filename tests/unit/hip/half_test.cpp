// SPDX-License-Identifier: MIT
// The exported half conversions against the compiler's own _Float16.
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

extern "C" float __gnu_h2f_ieee(unsigned short);
extern "C" unsigned short __gnu_f2h_ieee(float);

TEST(HalfConversion, AllHalvesWiden) {
  for (unsigned i = 0; i < 65536; ++i) {
    auto bits = static_cast<unsigned short>(i);
    _Float16 h;
    std::memcpy(&h, &bits, 2);
    float expected = static_cast<float>(h), got = __gnu_h2f_ieee(bits);
    if (std::isnan(expected)) EXPECT_TRUE(std::isnan(got));
    else EXPECT_EQ(got, expected) << i;
  }
}

TEST(HalfConversion, FloatsNarrowToNearestEven) {
  for (uint64_t i = 0; i < (1ull << 32); i += 65521) { // a prime step over all bit patterns
    auto bits = static_cast<uint32_t>(i);
    float f;
    std::memcpy(&f, &bits, 4);
    if (std::isnan(f)) continue;
    _Float16 h = static_cast<_Float16>(f);
    unsigned short expected;
    std::memcpy(&expected, &h, 2);
    EXPECT_EQ(__gnu_f2h_ieee(f), expected) << f;
  }
  for (float f : {5.9604645e-8f, 2.9802322e-8f, 2.9802326e-8f, 65519.0f, 65520.0f, 6.1035156e-5f, 6.1005e-5f}) {
    _Float16 h = static_cast<_Float16>(f);
    unsigned short expected;
    std::memcpy(&expected, &h, 2);
    EXPECT_EQ(__gnu_f2h_ieee(f), expected) << f;
  }
}
