// SPDX-License-Identifier: MIT
#include "jit/mfma.h"
#include <cmath>
#include <cstring>

namespace pumice::jit {
namespace {

#define INLINE __attribute__((always_inline)) inline
typedef float F16 __attribute__((vector_size(64), aligned(4)));
typedef int32_t I16 __attribute__((vector_size(64), aligned(4)));
typedef uint32_t U16 __attribute__((vector_size(64), aligned(4)));
typedef _Float16 H16 __attribute__((vector_size(32), aligned(2)));

template <class V> INLINE V load(const void* p) {
  V v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
template <class V> INLINE void store(void* p, V v) { std::memcpy(p, &v, sizeof v); }

/// Sums that are no numbers are always the same one [E-029].
INLINE F16 one_nan(F16 v) { return v == v ? v : F16{} + __builtin_nanf(""); }
template <class T> INLINE T one_nan(T v) { return v == v ? v : static_cast<T>(__builtin_nan("")); }

/// Start of row i of the result of a single-block product with M columns.
template <int M> INLINE float* row(float* d, int i) {
  return M == 32 ? d + (4 * (i / 8) + i % 4) * 64 + (i / 4 % 2) * 32 : d + (i % 4) * 64 + (i / 4) * 16;
}

/// Rank-K update of an M x M tile; `a`, `b`: K rows of M numbers. Eight rows at a time stay in registers.
template <int M, int R> INLINE void update(float* d, const float* a, const float* b, int k_count, int i0) {
  constexpr int kCols = M / 16;
  F16 acc[R][kCols];
  for (int i = 0; i < R; i++)
    for (int c = 0; c < kCols; c++) acc[i][c] = load<F16>(row<M>(d, i0 + i) + 16 * c);
  for (int k = 0; k < k_count; k++) {
    F16 col[kCols];
    for (int c = 0; c < kCols; c++) col[c] = load<F16>(b + k * M + 16 * c);
    for (int i = 0; i < R; i++) {
      F16 x = F16{} + a[k * M + i0 + i];
      for (int c = 0; c < kCols; c++) acc[i][c] = __builtin_elementwise_fma(x, col[c], acc[i][c]);
    }
  }
  for (int i = 0; i < R; i++)
    for (int c = 0; c < kCols; c++) store(row<M>(d, i0 + i) + 16 * c, one_nan(acc[i][c]));
}

/// The same over a list of operand vectors that already are K x M panels (f32).
template <int M, int R> INLINE void update_list(float* d, const uint32_t* const* ops, uint32_t count, int i0) {
  constexpr int kCols = M / 16, kDepth = 64 / M;
  F16 acc[R][kCols];
  for (int i = 0; i < R; i++)
    for (int c = 0; c < kCols; c++) acc[i][c] = load<F16>(row<M>(d, i0 + i) + 16 * c);
  for (uint32_t n = 0; n < count; n++) {
    auto* a = reinterpret_cast<const float*>(ops[2 * n]);
    auto* b = reinterpret_cast<const float*>(ops[2 * n + 1]);
    for (int k = 0; k < kDepth; k++) {
      F16 col[kCols];
      for (int c = 0; c < kCols; c++) col[c] = load<F16>(b + k * M + 16 * c);
      for (int i = 0; i < R; i++) {
        F16 x = F16{} + a[k * M + i0 + i];
        for (int c = 0; c < kCols; c++) acc[i][c] = __builtin_elementwise_fma(x, col[c], acc[i][c]);
      }
    }
  }
  for (int i = 0; i < R; i++)
    for (int c = 0; c < kCols; c++) store(row<M>(d, i0 + i) + 16 * c, one_nan(acc[i][c]));
}

INLINE float widen(MfmaType t, const uint32_t* op, int lane, int e) {
  if (t == MfmaType::f32) {
    float f;
    std::memcpy(&f, op + lane + 64 * e, 4);
    return f;
  }
  uint32_t w = op[(e / 2) * 64 + lane];
  if (t == MfmaType::bf16) {
    w = e & 1 ? w & 0xffff0000u : w << 16;
    float f;
    std::memcpy(&f, &w, 4);
    return f;
  }
  uint16_t h = static_cast<uint16_t>(e & 1 ? w >> 16 : w);
  _Float16 x;
  std::memcpy(&x, &h, 2);
  return x;
}

/// Operand of a single-block product as K x M floats.
template <int M> INLINE void expand(MfmaType t, const uint32_t* op, int per_lane, float* panel) {
  for (int g = 0; g < 64 / M; g++)
    for (int e = 0; e < per_lane; e++)
      for (int c = 0; c < M; c += 16) {
        U16 w = load<U16>(op + (e / 2) * 64 + g * M + c);
        U16 bits = e & 1 ? w & 0xffff0000u : w << 16;
        float* out = panel + (g * per_lane + e) * M + c;
        if (t == MfmaType::bf16) store(out, bits);
        else {
          H16 h;
          typedef uint16_t S16 __attribute__((vector_size(32)));
          S16 s = __builtin_convertvector(bits >> 16, S16);
          std::memcpy(&h, &s, sizeof h);
          store(out, __builtin_convertvector(h, F16));
        }
      }
}

template <int M> INLINE void dense_float(const MfmaShape& s, float* d, const uint32_t* const* ops, uint32_t count) {
  if (s.type == MfmaType::f32) {
    for (int i = 0; i < M; i += 8) update_list<M, 8>(d, ops, count, i);
    return;
  }
  constexpr uint32_t kBatch = 16;
  alignas(64) float a[kBatch * 32 * M], b[kBatch * 32 * M];
  for (uint32_t n = 0; n < count; n += kBatch) {
    uint32_t m = count - n < kBatch ? count - n : kBatch;
    for (uint32_t q = 0; q < m; q++) {
      expand<M>(s.type, ops[2 * (n + q)], s.per_lane, a + q * s.k * M);
      expand<M>(s.type, ops[2 * (n + q) + 1], s.per_lane, b + q * s.k * M);
    }
    for (int i = 0; i < M; i += 8) update<M, 8>(d, a, b, static_cast<int>(m) * s.k, i);
  }
}

/// Where element (block, i, j) of the result lives: register and lane.
INLINE void place(const MfmaShape& s, int block, int i, int j, int& reg, int& lane) {
  if (s.m == 32) reg = block * 16 + 4 * (i / 8) + i % 4, lane = (i / 4 % 2) * 32 + j;
  else if (s.m == 16) reg = block * 4 + i % 4, lane = (i / 4) * 16 + j;
  else reg = i, lane = block * 4 + j;
}

/// Every other shape, one element at a time.
INLINE void generic(const MfmaShape& s, uint32_t* d, const uint32_t* a, const uint32_t* b) {
  auto lane_of = [&](int block, int i, int k) { return i + s.m * (block + s.blocks * (k / s.per_lane)); };
  for (int block = 0; block < s.blocks; block++)
    for (int i = 0; i < s.m; i++)
      for (int j = 0; j < s.m; j++) {
        if (s.type == MfmaType::f64) {
          int reg, lane;
          if (s.m == 16) reg = i / 4, lane = (i % 4) * 16 + j, reg = i / 4; // row = lane / 16 + 4 * reg
          else reg = 0, lane = j + 4 * block + 16 * i;
          uint64_t bits = uint64_t(d[(2 * reg + 1) * 64 + lane]) << 32 | d[2 * reg * 64 + lane];
          double acc;
          std::memcpy(&acc, &bits, 8);
          for (int k = 0; k < s.k; k++) {
            int la = lane_of(block, i, k), lb = lane_of(block, j, k);
            uint64_t xa = uint64_t(a[64 + la]) << 32 | a[la], xb = uint64_t(b[64 + lb]) << 32 | b[lb];
            double x, y;
            std::memcpy(&x, &xa, 8), std::memcpy(&y, &xb, 8);
            acc = std::fma(x, y, acc);
          }
          acc = one_nan(acc);
          std::memcpy(&bits, &acc, 8);
          d[2 * reg * 64 + lane] = static_cast<uint32_t>(bits);
          d[(2 * reg + 1) * 64 + lane] = static_cast<uint32_t>(bits >> 32);
          continue;
        }
        int reg, lane;
        place(s, block, i, j, reg, lane);
        uint32_t* out = d + reg * 64 + lane;
        if (s.type == MfmaType::i8) {
          uint32_t acc = *out;
          for (int k = 0; k < s.k; k++) {
            int la = lane_of(block, i, k), lb = lane_of(block, j, k), e = k % s.per_lane;
            auto x = static_cast<int8_t>(a[(e / 4) * 64 + la] >> (8 * (e % 4)));
            auto y = static_cast<int8_t>(b[(e / 4) * 64 + lb] >> (8 * (e % 4)));
            acc += static_cast<uint32_t>(x * y);
          }
          *out = acc;
          continue;
        }
        float acc;
        std::memcpy(&acc, out, 4);
        for (int k = 0; k < s.k; k++)
          acc = std::fma(widen(s.type, a, lane_of(block, i, k), k % s.per_lane), widen(s.type, b, lane_of(block, j, k), k % s.per_lane), acc);
        acc = one_nan(acc);
        std::memcpy(out, &acc, 4);
      }
}

INLINE void run(uint32_t shape, uint32_t* d, const uint32_t* const* ops, uint32_t count) {
  MfmaShape s = MfmaShape::unpack(shape);
  bool fl = s.type == MfmaType::f32 || s.type == MfmaType::f16 || s.type == MfmaType::bf16;
  if (fl && s.blocks == 1 && s.m == 32) return dense_float<32>(s, reinterpret_cast<float*>(d), ops, count);
  if (fl && s.blocks == 1 && s.m == 16) return dense_float<16>(s, reinterpret_cast<float*>(d), ops, count);
  for (uint32_t n = 0; n < count; n++) generic(s, d, ops[2 * n], ops[2 * n + 1]);
}

__attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,fma,f16c"))) void run_avx512(uint32_t s, uint32_t* d, const uint32_t* const* o, uint32_t n) {
  run(s, d, o, n);
}
__attribute__((target("avx2,fma,f16c"))) void run_avx2(uint32_t s, uint32_t* d, const uint32_t* const* o, uint32_t n) { run(s, d, o, n); }
void run_plain(uint32_t s, uint32_t* d, const uint32_t* const* o, uint32_t n) { run(s, d, o, n); }

} // namespace
} // namespace pumice::jit

extern "C" void pumice_rt_mfma(uint32_t shape, uint32_t* d, const uint32_t* const* operands, uint32_t count) {
  using namespace pumice::jit;
  static const auto best = __builtin_cpu_supports("avx512bw") ? run_avx512 : __builtin_cpu_supports("avx2") ? run_avx2 : run_plain;
  best(shape, d, operands, count);
}
