// SPDX-License-Identifier: MIT
// All 198 vector compares by name: condition and type are read off the mnemonic and evaluated on
// host types.
#include "single.h"
#include <bit>
#include <cmath>

namespace {

using namespace pumice;

template <class T> bool condition(const std::string& c, T a, T b) {
  bool nan = a != a || b != b;
  if (c == "f")
    return false;
  if (c == "t" || c == "tru")
    return true;
  if (c == "lt")
    return a < b;
  if (c == "eq")
    return a == b;
  if (c == "le")
    return a <= b;
  if (c == "gt")
    return a > b;
  if (c == "ge")
    return a >= b;
  if (c == "ne")
    return a != b;
  if (c == "lg")
    return !nan && a != b;
  if (c == "o")
    return !nan;
  if (c == "u")
    return nan;
  if (c == "neq")
    return nan || a != b;
  if (c == "nlg")
    return nan || a == b;
  if (c == "nlt")
    return nan || a >= b;
  if (c == "nle")
    return nan || a > b;
  if (c == "ngt")
    return nan || a <= b;
  if (c == "nge")
    return nan || a < b;
  ADD_FAILURE() << "unknown condition " << c;
  return false;
}

// Class bits, lowest first: signaling NaN, quiet NaN, -inf, -normal, -denormal, -0, +0, +denormal,
// +normal, +inf.
template <class T> unsigned class_bit(T v, bool quiet) {
  if (std::isnan(v))
    return quiet ? 1 : 0;
  bool s = std::signbit(v);
  if (std::isinf(v))
    return s ? 2 : 9;
  if (v == 0)
    return s ? 5 : 6;
  if (std::fpclassify(v) == FP_SUBNORMAL)
    return s ? 4 : 7;
  return s ? 3 : 8;
}

uint64_t value_of(const std::string& type, unsigned n) {
  static constexpr uint64_t kF64[] = {0,
                                      0x8000000000000000,
                                      0x3ff0000000000000,
                                      0xbff0000000000000,
                                      0x7ff0000000000000,
                                      0xfff0000000000000,
                                      0x7ff8000000000000,
                                      0xfff0000000000001,
                                      1,
                                      0x8000000000000001,
                                      0x000fffffffffffff,
                                      0x0010000000000000,
                                      0x4009000000000000,
                                      0x3fe0000000000000};
  static constexpr uint32_t kF32[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000,
                                      0xff800000, 0x7fc00000, 0xff800001, 1,          0x80000001,
                                      0x007fffff, 0x00800000, 0x40490000, 0x3f000000};
  static constexpr uint16_t kF16[] = {0,      0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00,
                                      0xfc01, 1,      0x8001, 0x03ff, 0x0400, 0x4248, 0x3800};
  if (type == "f64")
    return kF64[n % 14];
  if (type == "f32")
    return kF32[n % 14];
  if (type == "f16")
    return kF16[n % 14];
  return test::edge_bits()[n % test::edge_bits().size()];
}

bool expected(const std::string& cond, const std::string& type, uint64_t a, uint64_t b) {
  if (cond == "class") {
    unsigned bit;
    if (type == "f64")
      bit = class_bit(std::bit_cast<double>(a), a >> 51 & 1);
    else if (type == "f32")
      bit = class_bit(std::bit_cast<float>(static_cast<uint32_t>(a)), a >> 22 & 1);
    else {
      unsigned e = a >> 10 & 31, m = a & 0x3ff, s = a >> 15 & 1;
      bit = e == 31  ? (m   ? (m >> 9 ? 1 : 0)
                        : s ? 2
                            : 9)
            : e == 0 ? (m   ? (s ? 4 : 7)
                        : s ? 5
                            : 6)
            : s      ? 3
                     : 8;
    }
    return b >> bit & 1;
  }
  if (type == "f64")
    return condition(cond, std::bit_cast<double>(a), std::bit_cast<double>(b));
  if (type == "f32")
    return condition(cond, std::bit_cast<float>(static_cast<uint32_t>(a)),
                     std::bit_cast<float>(static_cast<uint32_t>(b)));
  if (type == "f16")
    return condition<float>(cond, std::bit_cast<_Float16>(static_cast<uint16_t>(a)),
                            std::bit_cast<_Float16>(static_cast<uint16_t>(b)));
  if (type == "i16")
    return condition(cond, static_cast<int16_t>(a), static_cast<int16_t>(b));
  if (type == "u16")
    return condition(cond, static_cast<uint16_t>(a), static_cast<uint16_t>(b));
  if (type == "i32")
    return condition(cond, static_cast<int32_t>(a), static_cast<int32_t>(b));
  if (type == "u32")
    return condition(cond, static_cast<uint32_t>(a), static_cast<uint32_t>(b));
  if (type == "i64")
    return condition(cond, static_cast<int64_t>(a), static_cast<int64_t>(b));
  return condition(cond, a, b);
}

TEST(ExecCompareTable, EveryCompare) {
  test::SingleWave w;
  unsigned compares = 0;
  for (size_t op = 1; op < isa::kOpCount; ++op) {
    const isa::Row& row = isa::row(static_cast<isa::Op>(op));
    if (row.enc != isa::Enc::vopc)
      continue;
    ++compares;
    std::string name = row.mnemonic;
    bool cmpx = name.rfind("v_cmpx_", 0) == 0;
    name = name.substr(cmpx ? 7 : 6);
    std::string cond = name.substr(0, name.find('_')), type = name.substr(name.find('_') + 1);
    isa::Inst i;
    i.op = row.op;
    i.enc = isa::Enc::vop3;
    i.size = 8;
    i.dst[0] = {20, 2, isa::Type::mask};
    uint8_t dwords = type == "f64" || type == "i64" || type == "u64" ? 2 : 1;
    i.src[0] = {isa::kVgpr0 + 2, dwords, row.src_type[0]};
    i.src[1] = {isa::kVgpr0 + 4, static_cast<uint8_t>(cond == "class" ? 1 : dwords),
                row.src_type[1]};
    for (unsigned round = 0; round < 12; ++round) {
      uint64_t active = 0xfffffffffffffff7, mask = 0, a[64], b[64];
      w->set_exec(active);
      for (unsigned lane = 0; lane < 64; ++lane) {
        unsigned n = round * 64 + lane;
        a[lane] = value_of(type, n / 27),
        b[lane] =
            cond == "class" ? uint64_t{1} << n % 11 | uint64_t{1} << n % 7 : value_of(type, n);
        w->vgpr[2][lane] = static_cast<uint32_t>(a[lane]),
        w->vgpr[3][lane] = static_cast<uint32_t>(a[lane] >> 32);
        w->vgpr[4][lane] = static_cast<uint32_t>(b[lane]),
        w->vgpr[5][lane] = static_cast<uint32_t>(b[lane] >> 32);
        if (active >> lane & 1)
          mask |= static_cast<uint64_t>(expected(cond, type, a[lane], b[lane])) << lane;
      }
      exec::execute(*w, i);
      ASSERT_EQ(w.get64(20), mask) << row.mnemonic << " round " << round;
      ASSERT_EQ(w->exec(), cmpx ? mask : active) << row.mnemonic;
    }
  }
  EXPECT_EQ(compares, 198u);
}

} // namespace
