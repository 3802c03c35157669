// SPDX-License-Identifier: MIT
// Matrix instructions against a plain triple loop over matrices of small integers, for which every
// format is exact. Lane layouts are written here as the AMD matrix instruction calculator prints
// them: for each lane and register, the (row, column, block) it holds.
#include "device_program.h"
#include <bit>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>

namespace {

enum class Format { f32, xf32, f16, bf16, i8, f64, fp8, bf8 };

struct Shape {
  const char* name;
  Format format;
  unsigned m, k, blocks;
  unsigned elements; // of A in one lane
  const char* target = "";
};

constexpr Shape kShapes[] = {
    {"f32_32x32x1", Format::f32, 32, 1, 2, 1},
    {"f32_16x16x1", Format::f32, 16, 1, 4, 1},
    {"f32_4x4x1", Format::f32, 4, 1, 16, 1},
    {"f32_32x32x2", Format::f32, 32, 2, 1, 1},
    {"f32_16x16x4", Format::f32, 16, 4, 1, 1},
    {"f16_32x32x4", Format::f16, 32, 4, 2, 4},
    {"f16_16x16x4", Format::f16, 16, 4, 4, 4},
    {"f16_4x4x4", Format::f16, 4, 4, 16, 4},
    {"f16_32x32x8", Format::f16, 32, 8, 1, 4},
    {"f16_16x16x16", Format::f16, 16, 16, 1, 4},
    {"bf16_32x32x8", Format::bf16, 32, 8, 1, 4},
    {"bf16_16x16x16", Format::bf16, 16, 16, 1, 4},
    {"bf16_4x4x4", Format::bf16, 4, 4, 16, 4},
    {"i8_32x32x4", Format::i8, 32, 4, 2, 4},
    {"i8_16x16x4", Format::i8, 16, 4, 4, 4},
    {"i8_4x4x4", Format::i8, 4, 4, 16, 4},
    {"f64_16x16x4", Format::f64, 16, 4, 1, 1},
    {"f64_4x4x4", Format::f64, 4, 4, 4, 1},
    {"i8_32x32x8", Format::i8, 32, 8, 1, 4, "gfx90a"},
    {"i8_16x16x16", Format::i8, 16, 16, 1, 4, "gfx90a"},
    {"bf16_32x32x4", Format::bf16, 32, 4, 1, 2, "gfx90a"},
    {"bf16_16x16x8", Format::bf16, 16, 8, 1, 2, "gfx90a"},
    {"bf16_16x16x2", Format::bf16, 16, 2, 4, 2, "gfx90a"},
    {"i8_32x32x16", Format::i8, 32, 16, 1, 8, "gfx942"},
    {"i8_16x16x32", Format::i8, 16, 32, 1, 8, "gfx942"},
    {"xf32_16x16x8", Format::xf32, 16, 8, 1, 2, "gfx942"},
    {"xf32_32x32x4", Format::xf32, 32, 4, 1, 2, "gfx942"},
    {"fp8_16x16x32", Format::fp8, 16, 32, 1, 8, "gfx942"},
    {"bf8_32x32x16", Format::bf8, 32, 16, 1, 8, "gfx942"},
};

unsigned element_bytes(Format f) {
  switch (f) {
  case Format::f64:
    return 8;
  case Format::f32:
  case Format::xf32:
    return 4;
  case Format::f16:
  case Format::bf16:
    return 2;
  default:
    return 1;
  }
}

/// Bits of a small integer (-8..8) in the format.
uint64_t encode(Format f, int v) {
  auto small = [v](unsigned mantissa_bits, int bias) -> uint64_t { // FNUZ 8-bit floats
    if (v == 0)
      return 0;
    unsigned magnitude = static_cast<unsigned>(v < 0 ? -v : v),
             e = 31 - static_cast<unsigned>(__builtin_clz(magnitude));
    unsigned mantissa = (magnitude << mantissa_bits >> e) & ((1u << mantissa_bits) - 1);
    return (v < 0 ? 0x80u : 0) | (e + static_cast<unsigned>(bias)) << mantissa_bits | mantissa;
  };
  switch (f) {
  case Format::f64:
    return std::bit_cast<uint64_t>(static_cast<double>(v));
  case Format::f32:
  case Format::xf32:
    return std::bit_cast<uint32_t>(static_cast<float>(v));
  case Format::f16:
    return std::bit_cast<uint16_t>(static_cast<_Float16>(v));
  case Format::bf16:
    return std::bit_cast<uint32_t>(static_cast<float>(v)) >> 16;
  case Format::i8:
    return static_cast<uint8_t>(v);
  case Format::fp8:
    return small(3, 8);
  case Format::bf8:
    return small(2, 16);
  }
  return 0;
}

// Values that distinguish every position. 8-bit floats with two mantissa bits hold 0..4, 5 and 7
// not exactly: use -4..4.
int a_value(unsigned row, unsigned k, unsigned block) {
  return static_cast<int>((row * 5 + k * 3 + block * 7) % 9) - 4;
}
int b_value(unsigned k, unsigned col, unsigned block) {
  return static_cast<int>((k * 7 + col * 2 + block * 5) % 9) - 4;
}
int c_value(unsigned row, unsigned col, unsigned block) {
  return static_cast<int>(row * 37 + col + block * 11);
}

void place_ab(const Shape& s, unsigned lane, unsigned element, unsigned& index, unsigned& k,
              unsigned& block) {
  index = lane % s.m;
  unsigned group = lane / s.m;
  block = group % s.blocks;
  k = group / s.blocks * s.elements + element;
}
void place_d(const Shape& s, unsigned lane, unsigned reg, unsigned& row, unsigned& col,
             unsigned& block) {
  block = 0;
  if (s.format == Format::f64 && s.m == 16) {
    row = lane / 16 + 4 * reg;
    col = lane % 16;
  } else if (s.format == Format::f64) {
    row = lane / 16;
    col = lane % 4;
    block = lane / 4 % 4;
  } else if (s.m == 32) {
    row = 8 * (reg / 4 % 4) + 4 * (lane / 32) + reg % 4;
    col = lane % 32;
    block = reg / 16;
  } else if (s.m == 16) {
    row = 4 * (lane / 16) + reg % 4;
    col = lane % 16;
    block = reg / 4;
  } else {
    row = reg;
    col = lane % 4;
    block = lane / 4;
  }
}

void put(std::vector<uint8_t>& bytes, size_t at, uint64_t value, unsigned size) {
  std::memcpy(bytes.data() + at, &value, size);
}

void check(pumice::test::DeviceProgram& program, const Shape& s) {
  SCOPED_TRACE(s.name);
  unsigned eb = element_bytes(s.format), lane_bytes = eb * s.elements,
           ob = s.format == Format::f64 ? 8 : 4;
  unsigned registers = s.m * s.m * s.blocks / 64;
  std::vector<uint8_t> a(64 * lane_bytes), b(64 * lane_bytes), c(64 * registers * ob), d(c.size());
  for (unsigned lane = 0; lane < 64; ++lane) {
    unsigned index, k, block, row, col;
    for (unsigned e = 0; e < s.elements; ++e) {
      place_ab(s, lane, e, index, k, block);
      put(a, lane * lane_bytes + e * eb, encode(s.format, a_value(index, k, block)), eb);
      put(b, lane * lane_bytes + e * eb, encode(s.format, b_value(k, index, block)), eb);
    }
    for (unsigned r = 0; r < registers; ++r) {
      place_d(s, lane, r, row, col, block);
      int v = c_value(row, col, block);
      uint64_t bits = s.format == Format::i8 ? static_cast<uint32_t>(v)
                                             : encode(ob == 8 ? Format::f64 : Format::f32, v);
      put(c, (lane * registers + r) * ob, bits, ob);
    }
  }
  std::vector<uint8_t> arguments(32);
  const void* pointers[4] = {a.data(), b.data(), c.data(), d.data()};
  std::memcpy(arguments.data(), pointers, 32);
  auto result = program.run(std::string("k_") + s.name, arguments, 1, 64);
  ASSERT_TRUE(result.finished) << pumice::exec::fault_kind_name(result.fault.kind);
  for (unsigned lane = 0; lane < 64; ++lane)
    for (unsigned r = 0; r < registers; ++r) {
      unsigned row, col, block;
      place_d(s, lane, r, row, col, block);
      int expected = c_value(row, col, block);
      for (unsigned k = 0; k < s.k; ++k)
        expected += a_value(row, k, block) * b_value(k, col, block);
      double actual;
      const uint8_t* at = d.data() + (lane * registers + r) * ob;
      if (s.format == Format::i8) {
        int v;
        std::memcpy(&v, at, 4);
        actual = v;
      } else if (ob == 8) {
        std::memcpy(&actual, at, 8);
      } else {
        float v;
        std::memcpy(&v, at, 4);
        actual = v;
      }
      ASSERT_EQ(actual, expected) << "lane " << lane << " register " << r << ": row " << row
                                  << " column " << col << " block " << block;
    }
}

class ExecMatrices : public testing::TestWithParam<const char*> {};

TEST_P(ExecMatrices, SmallIntegersAreExact) {
  auto program = pumice::test::DeviceProgram::built("matrices_device", GetParam(), "-O2");
  ASSERT_TRUE(program);
  for (const Shape& s : kShapes)
    if (!*s.target || std::string(s.target) == GetParam())
      check(*program, s);
}

// Sparse A: of every four k, the pair of positions (p, q) with p < q is stored, chosen per row and
// group of four.
struct Sparse {
  const char* name;
  Format format;
  unsigned m, k, abid;
};
constexpr Sparse kSparse[] = {
    {"sparse_f16_16x16x32", Format::f16, 16, 32, 0},
    {"sparse_f16_32x32x16", Format::f16, 32, 16, 3},
    {"sparse_i8_16x16x64", Format::i8, 16, 64, 0},
    {"sparse_i8_32x32x32", Format::i8, 32, 32, 1},
};
unsigned position(unsigned row, unsigned four, unsigned which) {
  static constexpr unsigned kPairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  return kPairs[(row * 5 + four * 7) % 6][which];
}

void check_sparse(pumice::test::DeviceProgram& program, const Sparse& s) {
  SCOPED_TRACE(s.name);
  unsigned eb = element_bytes(s.format), groups = 64 / s.m, dense = s.k / groups,
           stored = dense / 2, registers = s.m * s.m / 64;
  Shape place{s.name, s.format, s.m, s.k, 1, dense};
  std::vector<uint8_t> a(64 * stored * eb), b(64 * dense * eb), c(64 * registers * 4), d(c.size()),
      index(256);
  for (unsigned lane = 0; lane < 64; ++lane) {
    unsigned rc = lane % s.m, group = lane / s.m, row, col, block;
    uint32_t positions = 0;
    for (unsigned e = 0; e < stored; ++e) {
      unsigned four = group * dense / 4 + e / 2, at = position(rc, four, e % 2);
      positions |= at << 2 * e;
      put(a, (lane * stored + e) * eb, encode(s.format, a_value(rc, 4 * four + at, 0)), eb);
    }
    put(index, lane * 4, positions << (s.abid * 2 * stored), 4);
    for (unsigned e = 0; e < dense; ++e)
      put(b, (lane * dense + e) * eb, encode(s.format, b_value(group * dense + e, rc, 0)), eb);
    for (unsigned r = 0; r < registers; ++r) {
      place_d(place, lane, r, row, col, block);
      int v = c_value(row, col, 0);
      put(c, (lane * registers + r) * 4,
          s.format == Format::i8 ? static_cast<uint32_t>(v) : encode(Format::f32, v), 4);
    }
  }
  std::vector<uint8_t> arguments(40);
  const void* pointers[5] = {a.data(), b.data(), c.data(), d.data(), index.data()};
  std::memcpy(arguments.data(), pointers, 40);
  ASSERT_TRUE(program.run(std::string("k_") + s.name, arguments, 1, 64).finished);
  for (unsigned lane = 0; lane < 64; ++lane)
    for (unsigned r = 0; r < registers; ++r) {
      unsigned row, col, block;
      place_d(place, lane, r, row, col, block);
      int expected = c_value(row, col, 0);
      for (unsigned four = 0; four < s.k / 4; ++four)
        for (unsigned which = 0; which < 2; ++which) {
          unsigned k = 4 * four + position(row, four, which);
          expected += a_value(row, k, 0) * b_value(k, col, 0);
        }
      uint32_t bits;
      std::memcpy(&bits, d.data() + (lane * registers + r) * 4, 4);
      double actual =
          s.format == Format::i8 ? static_cast<int32_t>(bits) : std::bit_cast<float>(bits);
      ASSERT_EQ(actual, expected) << "row " << row << " column " << col;
    }
}

TEST(ExecSparseMatrices, SmallIntegersAreExact) {
  auto program = pumice::test::DeviceProgram::built("matrices_device", "gfx942", "-O2");
  ASSERT_TRUE(program);
  for (const Sparse& s : kSparse)
    check_sparse(*program, s);
}

INSTANTIATE_TEST_SUITE_P(Targets, ExecMatrices, testing::Values("gfx90a", "gfx942"),
                         [](const auto& info) { return std::string(info.param); });

} // namespace
