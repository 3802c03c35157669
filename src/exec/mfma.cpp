// SPDX-License-Identifier: MIT
// Matrix instructions. D[M x N] = A[M x K] * B[K x N] + C for each block, over the whole wave
// regardless of EXEC.
//
// Register layout, per block set (facts of the AMD matrix instruction calculator):
//   A: lane holds row i = lane % M; the group lane / M holds block and k: with G = 64 / (M *
//   blocks) groups per block,
//      block = (lane / M) % ... see a_place(); k = group * perLane + element.
//   D: 32x32: row = 8 * (r / 4) + 4 * (lane / 32) + r % 4, column = lane % 32, block = r / 16.
//      16x16: row = 4 * (lane / 16) + r % 4, column = lane % 16, block = r / 4.
//      4x4:   row = r, column = lane % 4, block = lane / 4.
//      f64 16x16: row = lane / 16 + 4 * r; f64 4x4: row = (lane / 16), column = lane % 4, block =
//      (lane / 4) % 4.
// Not checked on silicon: order and intermediate rounding of the sums (here one fma per k in
// ascending order).
#include "exec/arith.h"
#include <limits>
#include <vector>

namespace pumice::exec {
namespace {

enum class In : uint8_t { f32, xf32, f16, bf16, i8, fp8, bf8, f64 };

struct Shape {
  Op op;
  uint8_t m, n, k, blocks;
  In a, b;
  uint8_t per_lane; // k elements of A (and B) in one lane's registers
};

constexpr Shape kShapes[] = {
    {Op::v_mfma_f32_32x32x1f32, 32, 32, 1, 2, In::f32, In::f32, 1},
    {Op::v_mfma_f32_16x16x1f32, 16, 16, 1, 4, In::f32, In::f32, 1},
    {Op::v_mfma_f32_4x4x1f32, 4, 4, 1, 16, In::f32, In::f32, 1},
    {Op::v_mfma_f32_32x32x2f32, 32, 32, 2, 1, In::f32, In::f32, 1},
    {Op::v_mfma_f32_16x16x4f32, 16, 16, 4, 1, In::f32, In::f32, 1},
    {Op::v_mfma_f32_32x32x1_2b_f32, 32, 32, 1, 2, In::f32, In::f32, 1},
    {Op::v_mfma_f32_16x16x1_4b_f32, 16, 16, 1, 4, In::f32, In::f32, 1},
    {Op::v_mfma_f32_4x4x1_16b_f32, 4, 4, 1, 16, In::f32, In::f32, 1},
    {Op::v_mfma_f32_32x32x2_f32, 32, 32, 2, 1, In::f32, In::f32, 1},
    {Op::v_mfma_f32_16x16x4_f32, 16, 16, 4, 1, In::f32, In::f32, 1},
    {Op::v_mfma_f32_16x16x8_xf32, 16, 16, 8, 1, In::xf32, In::xf32, 2},
    {Op::v_mfma_f32_32x32x4_xf32, 32, 32, 4, 1, In::xf32, In::xf32, 2},
    {Op::v_mfma_f32_32x32x4f16, 32, 32, 4, 2, In::f16, In::f16, 4},
    {Op::v_mfma_f32_16x16x4f16, 16, 16, 4, 4, In::f16, In::f16, 4},
    {Op::v_mfma_f32_4x4x4f16, 4, 4, 4, 16, In::f16, In::f16, 4},
    {Op::v_mfma_f32_32x32x8f16, 32, 32, 8, 1, In::f16, In::f16, 4},
    {Op::v_mfma_f32_16x16x16f16, 16, 16, 16, 1, In::f16, In::f16, 4},
    {Op::v_mfma_f32_32x32x4_2b_f16, 32, 32, 4, 2, In::f16, In::f16, 4},
    {Op::v_mfma_f32_16x16x4_4b_f16, 16, 16, 4, 4, In::f16, In::f16, 4},
    {Op::v_mfma_f32_4x4x4_16b_f16, 4, 4, 4, 16, In::f16, In::f16, 4},
    {Op::v_mfma_f32_32x32x8_f16, 32, 32, 8, 1, In::f16, In::f16, 4},
    {Op::v_mfma_f32_16x16x16_f16, 16, 16, 16, 1, In::f16, In::f16, 4},
    {Op::v_mfma_i32_32x32x4i8, 32, 32, 4, 2, In::i8, In::i8, 4},
    {Op::v_mfma_i32_16x16x4i8, 16, 16, 4, 4, In::i8, In::i8, 4},
    {Op::v_mfma_i32_4x4x4i8, 4, 4, 4, 16, In::i8, In::i8, 4},
    {Op::v_mfma_i32_32x32x8i8, 32, 32, 8, 1, In::i8, In::i8, 4},
    {Op::v_mfma_i32_16x16x16i8, 16, 16, 16, 1, In::i8, In::i8, 4},
    {Op::v_mfma_i32_32x32x4_2b_i8, 32, 32, 4, 2, In::i8, In::i8, 4},
    {Op::v_mfma_i32_16x16x4_4b_i8, 16, 16, 4, 4, In::i8, In::i8, 4},
    {Op::v_mfma_i32_4x4x4_16b_i8, 4, 4, 4, 16, In::i8, In::i8, 4},
    {Op::v_mfma_i32_32x32x16_i8, 32, 32, 16, 1, In::i8, In::i8, 8},
    {Op::v_mfma_i32_16x16x32_i8, 16, 16, 32, 1, In::i8, In::i8, 8},
    {Op::v_mfma_f32_32x32x2bf16, 32, 32, 2, 2, In::bf16, In::bf16, 2},
    {Op::v_mfma_f32_16x16x2bf16, 16, 16, 2, 4, In::bf16, In::bf16, 2},
    {Op::v_mfma_f32_4x4x2bf16, 4, 4, 2, 16, In::bf16, In::bf16, 2},
    {Op::v_mfma_f32_32x32x4bf16, 32, 32, 4, 1, In::bf16, In::bf16, 2},
    {Op::v_mfma_f32_16x16x8bf16, 16, 16, 8, 1, In::bf16, In::bf16, 2},
    {Op::v_mfma_f32_32x32x4bf16_1k, 32, 32, 4, 2, In::bf16, In::bf16, 4},
    {Op::v_mfma_f32_16x16x4bf16_1k, 16, 16, 4, 4, In::bf16, In::bf16, 4},
    {Op::v_mfma_f32_4x4x4bf16_1k, 4, 4, 4, 16, In::bf16, In::bf16, 4},
    {Op::v_mfma_f32_32x32x8bf16_1k, 32, 32, 8, 1, In::bf16, In::bf16, 4},
    {Op::v_mfma_f32_16x16x16bf16_1k, 16, 16, 16, 1, In::bf16, In::bf16, 4},
    {Op::v_mfma_f32_32x32x4_2b_bf16, 32, 32, 4, 2, In::bf16, In::bf16, 4},
    {Op::v_mfma_f32_16x16x4_4b_bf16, 16, 16, 4, 4, In::bf16, In::bf16, 4},
    {Op::v_mfma_f32_4x4x4_16b_bf16, 4, 4, 4, 16, In::bf16, In::bf16, 4},
    {Op::v_mfma_f32_32x32x8_bf16, 32, 32, 8, 1, In::bf16, In::bf16, 4},
    {Op::v_mfma_f32_16x16x16_bf16, 16, 16, 16, 1, In::bf16, In::bf16, 4},
    {Op::v_mfma_f64_16x16x4f64, 16, 16, 4, 1, In::f64, In::f64, 1},
    {Op::v_mfma_f64_4x4x4f64, 4, 4, 4, 4, In::f64, In::f64, 1},
    {Op::v_mfma_f64_16x16x4_f64, 16, 16, 4, 1, In::f64, In::f64, 1},
    {Op::v_mfma_f64_4x4x4_4b_f64, 4, 4, 4, 4, In::f64, In::f64, 1},
    {Op::v_mfma_f32_16x16x32_bf8_bf8, 16, 16, 32, 1, In::bf8, In::bf8, 8},
    {Op::v_mfma_f32_16x16x32_bf8_fp8, 16, 16, 32, 1, In::bf8, In::fp8, 8},
    {Op::v_mfma_f32_16x16x32_fp8_bf8, 16, 16, 32, 1, In::fp8, In::bf8, 8},
    {Op::v_mfma_f32_16x16x32_fp8_fp8, 16, 16, 32, 1, In::fp8, In::fp8, 8},
    {Op::v_mfma_f32_32x32x16_bf8_bf8, 32, 32, 16, 1, In::bf8, In::bf8, 8},
    {Op::v_mfma_f32_32x32x16_bf8_fp8, 32, 32, 16, 1, In::bf8, In::fp8, 8},
    {Op::v_mfma_f32_32x32x16_fp8_bf8, 32, 32, 16, 1, In::fp8, In::bf8, 8},
    {Op::v_mfma_f32_32x32x16_fp8_fp8, 32, 32, 16, 1, In::fp8, In::fp8, 8},
};

const Shape* shape_of(Op op) {
  for (const Shape& s : kShapes)
    if (s.op == op)
      return &s;
  return nullptr;
}

/// Element `e` of a lane's A or B registers as f32 (or exact integer).
template <class T> T element(const Wave& w, unsigned reg, unsigned lane, unsigned e, In type) {
  auto dword = [&](unsigned n) { return w.vgpr[reg + n][lane]; };
  switch (type) {
  case In::f32:
    return static_cast<T>(std::bit_cast<float>(dword(e)));
  case In::xf32:
    return static_cast<T>(std::bit_cast<float>(dword(e) & 0xffffe000)); // 10 mantissa bits
  case In::f16:
    return static_cast<T>(f32_of(F16{static_cast<uint16_t>(dword(e / 2) >> 16 * (e % 2))}));
  case In::bf16:
    return static_cast<T>(bf16_to_f32(static_cast<uint16_t>(dword(e / 2) >> 16 * (e % 2))));
  case In::i8:
    return static_cast<T>(static_cast<int8_t>(dword(e / 4) >> 8 * (e % 4)));
  case In::fp8:
    return static_cast<T>(fp8_to_f32(static_cast<uint8_t>(dword(e / 4) >> 8 * (e % 4))));
  case In::bf8:
    return static_cast<T>(bf8_to_f32(static_cast<uint8_t>(dword(e / 4) >> 8 * (e % 4))));
  case In::f64:
    return static_cast<T>(std::bit_cast<double>(dword(0) | static_cast<uint64_t>(dword(1)) << 32));
  }
  return T{};
}

/// Lane that holds row (of A) or column (of B) `index`, `k` and `block`.
unsigned lane_of(const Shape& s, unsigned index, unsigned k, unsigned block) {
  unsigned size = s.m, group = k / s.per_lane; // square tiles: M == N
  if (s.a == In::f64 && s.m == 4)
    return index + 4 * block + 16 * k;
  return index + size * (s.blocks > 1 ? block + s.blocks * group : group);
}

/// cbsz and abid broadcast one block of A to 2^cbsz blocks; blgp permutes the lanes of B.
unsigned a_block(const Inst& i, unsigned block) {
  if (!i.cbsz)
    return block;
  unsigned group = 1u << i.cbsz;
  return (block & ~(group - 1)) + (i.abid & (group - 1));
}
unsigned b_lane(const Inst& i, unsigned lane) {
  switch (i.blgp) {
  case 1:
    return lane & 31; // first half everywhere
  case 2:
    return (lane & 31) + 32; // second half everywhere
  case 3:
    return (lane + 16) & 63; // rotate by 16
  case 4:
  case 5:
  case 6:
  case 7:
    return (lane & 15) + 16 * (i.blgp - 4u); // one quarter everywhere
  default:
    return lane;
  }
}

/// Register and lane of D's (and C's) element.
void d_place(const Shape& s, unsigned row, unsigned col, unsigned block, unsigned& reg,
             unsigned& lane) {
  if (s.a == In::f64) {
    if (s.m == 16)
      reg = row / 4, lane = col + 16 * (row % 4);
    else
      reg = 0, lane = col + 4 * block + 16 * row;
  } else if (s.m == 32) {
    reg = 16 * block + 4 * (row / 8) + row % 4;
    lane = col + 32 * (row / 4 % 2);
  } else if (s.m == 16) {
    reg = 4 * block + row % 4;
    lane = col + 16 * (row / 4);
  } else {
    reg = row;
    lane = col + 4 * block;
  }
}

/// Results that are no numbers are always the same one [E-029]: which operand's bits a host hands on depends on its code.
template <class T> T one_nan(T v) {
  if constexpr (std::is_floating_point_v<T>)
    return v == v ? v : std::numeric_limits<T>::quiet_NaN();
  return v;
}

/// T: type of products and sums; Acc: type of C and D in registers.
template <class T> void multiply(Wave& w, const Inst& i) {
  const Shape& s = *shape_of(i.op);
  constexpr unsigned kWords = sizeof(T) / 4;
  bool negates = std::is_same_v<T, double>; // blgp of the f64 forms negates A, B, C
  std::vector<T> d(s.m * s.n * s.blocks);
  size_t out = 0;
  bool inline_c = !i.src[2].is_vgpr();
  uint64_t constant = inline_c ? isa::constant_bits(i, i.src[2]) : 0;
  for (unsigned block = 0; block < s.blocks; ++block)
    for (unsigned row = 0; row < s.m; ++row)
      for (unsigned col = 0; col < s.n; ++col) {
        unsigned reg, lane;
        d_place(s, row, col, block, reg, lane);
        T sum;
        if (inline_c) {
          if constexpr (kWords == 2)
            sum = std::bit_cast<T>(constant);
          else
            sum = std::bit_cast<T>(static_cast<uint32_t>(constant));
        } else {
          unsigned base = i.src[2].vgpr() + reg * kWords;
          if constexpr (kWords == 2)
            sum = std::bit_cast<T>(w.vgpr[base][lane] |
                                   static_cast<uint64_t>(w.vgpr[base + 1][lane]) << 32);
          else
            sum = std::bit_cast<T>(w.vgpr[base][lane]);
        }
        if (negates && (i.blgp & 4))
          sum = -sum;
        for (unsigned k = 0; k < s.k; ++k) {
          T a = element<T>(w, i.src[0].vgpr(), lane_of(s, row, k, a_block(i, block)),
                           k % s.per_lane, s.a);
          unsigned from = lane_of(s, col, k, block);
          T b =
              element<T>(w, i.src[1].vgpr(), negates ? from : b_lane(i, from), k % s.per_lane, s.b);
          if (negates && (i.blgp & 1))
            a = -a;
          if (negates && (i.blgp & 2))
            b = -b;
          if constexpr (std::is_integral_v<T>)
            sum = static_cast<T>(static_cast<uint32_t>(sum) +
                                 static_cast<uint32_t>(a) * static_cast<uint32_t>(b));
          else
            sum = std::fma(a, b, sum);
        }
        d[out++] = one_nan(sum);
      }
  out = 0;
  for (unsigned block = 0; block < s.blocks; ++block)
    for (unsigned row = 0; row < s.m; ++row)
      for (unsigned col = 0; col < s.n; ++col) {
        unsigned reg, lane;
        d_place(s, row, col, block, reg, lane);
        unsigned base = i.dst[0].vgpr() + reg * kWords;
        if constexpr (kWords == 2) {
          uint64_t v = std::bit_cast<uint64_t>(d[out++]);
          w.vgpr[base][lane] = static_cast<uint32_t>(v);
          w.vgpr[base + 1][lane] = static_cast<uint32_t>(v >> 32);
        } else {
          w.vgpr[base][lane] = std::bit_cast<uint32_t>(d[out++]);
        }
      }
}

/// Sparse A: of every four k two are stored; `k` counts the dense ones. B holds twice A's elements
/// per lane.
struct SparseShape {
  Op op;
  uint8_t m, k;
  In a, b;
};
constexpr SparseShape kSparseShapes[] = {
    {Op::v_smfmac_f32_16x16x32_f16, 16, 32, In::f16, In::f16},
    {Op::v_smfmac_f32_32x32x16_f16, 32, 16, In::f16, In::f16},
    {Op::v_smfmac_f32_16x16x32_bf16, 16, 32, In::bf16, In::bf16},
    {Op::v_smfmac_f32_32x32x16_bf16, 32, 16, In::bf16, In::bf16},
    {Op::v_smfmac_i32_16x16x64_i8, 16, 64, In::i8, In::i8},
    {Op::v_smfmac_i32_32x32x32_i8, 32, 32, In::i8, In::i8},
    {Op::v_smfmac_f32_16x16x64_bf8_bf8, 16, 64, In::bf8, In::bf8},
    {Op::v_smfmac_f32_16x16x64_bf8_fp8, 16, 64, In::bf8, In::fp8},
    {Op::v_smfmac_f32_16x16x64_fp8_bf8, 16, 64, In::fp8, In::bf8},
    {Op::v_smfmac_f32_16x16x64_fp8_fp8, 16, 64, In::fp8, In::fp8},
    {Op::v_smfmac_f32_32x32x32_bf8_bf8, 32, 32, In::bf8, In::bf8},
    {Op::v_smfmac_f32_32x32x32_bf8_fp8, 32, 32, In::bf8, In::fp8},
    {Op::v_smfmac_f32_32x32x32_fp8_bf8, 32, 32, In::fp8, In::bf8},
    {Op::v_smfmac_f32_32x32x32_fp8_fp8, 32, 32, In::fp8, In::fp8},
};

/// Positions of a lane's stored elements, two bits each: 8 bits for 16-bit data, 16 bits for 8-bit
/// data; with cbsz 0, abid picks the set inside the index register.
uint32_t sparse_index(const Wave& w, const Inst& i, unsigned lane, unsigned stored) {
  unsigned width = 2 * stored, set = i.cbsz == 0 ? i.abid & (32 / width - 1) : 0;
  return w.vgpr[i.src[2].vgpr()][lane] >> set * width & ((1u << width) - 1);
}

template <class T> void multiply_sparse(Wave& w, const Inst& i) {
  const SparseShape* found = nullptr;
  for (const SparseShape& s : kSparseShapes)
    if (s.op == i.op)
      found = &s;
  const SparseShape& s = *found;
  unsigned groups = 64 / s.m, dense = s.k / groups, stored = dense / 2; // per lane
  Shape place{s.op, s.m, s.m, s.k, 1, s.a, s.b, 0};
  std::vector<T> d(s.m * s.m);
  for (unsigned row = 0; row < s.m; ++row)
    for (unsigned col = 0; col < s.m; ++col) {
      unsigned reg, lane;
      d_place(place, row, col, 0, reg, lane);
      T sum = std::bit_cast<T>(w.vgpr[i.dst[0].vgpr() + reg][lane]);
      for (unsigned g = 0; g < groups; ++g) {
        unsigned a_lane = row + s.m * g, b_lane = col + s.m * g;
        uint32_t index = sparse_index(w, i, a_lane, stored);
        for (unsigned e = 0; e < stored; ++e) {
          unsigned k = 4 * (e / 2) + (index >> 2 * e & 3);
          T a = element<T>(w, i.src[0].vgpr(), a_lane, e, s.a),
            b = element<T>(w, i.src[1].vgpr(), b_lane, k, s.b);
          if constexpr (std::is_integral_v<T>)
            sum = static_cast<T>(static_cast<uint32_t>(sum) +
                                 static_cast<uint32_t>(a) * static_cast<uint32_t>(b));
          else
            sum = std::fma(a, b, sum);
        }
      }
      d[row * s.m + col] = one_nan(sum);
    }
  for (unsigned row = 0; row < s.m; ++row)
    for (unsigned col = 0; col < s.m; ++col) {
      unsigned reg, lane;
      d_place(place, row, col, 0, reg, lane);
      w.vgpr[i.dst[0].vgpr() + reg][lane] = std::bit_cast<uint32_t>(d[row * s.m + col]);
    }
}

} // namespace

void bind_mfma(Bodies& b) {
  for (const Shape& s : kShapes) {
    switch (s.a) {
    case In::f64:
      b.bind(s.op, multiply<double>);
      break;
    case In::i8:
      b.bind(s.op, multiply<int32_t>);
      break;
    default:
      b.bind(s.op, multiply<float>);
    }
  }
  for (const SparseShape& s : kSparseShapes)
    b.bind(s.op, s.a == In::i8 ? multiply_sparse<int32_t> : multiply_sparse<float>);
}

} // namespace pumice::exec
