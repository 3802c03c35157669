// SPDX-License-Identifier: MIT
// Integer arithmetic of 8 to 128 bits, bit operations, packed vectors and wrapping indices on pairs
// of edge values, exact against the host.
#include "check.h"
#include <cstdint>
#include <cstring>

constexpr int kOut = 72;
__host__ __device__ inline uint32_t byte_perm(uint32_t x, uint32_t y, uint32_t s) {
  uint64_t both = (uint64_t)y << 32 | x;
  uint32_t r = 0;
  for (int q = 0; q < 4; q++)
    r |= (uint32_t)(both >> ((s >> 4 * q & 7) * 8) & 0xff) << 8 * q;
  return r;
}
__host__ __device__ inline int clz32(uint32_t x) {
  return x ? __builtin_clz(x) : 32;
}
__host__ __device__ inline int ctz32(uint32_t x) {
  return x ? __builtin_ctz(x) : 32;
}
__host__ __device__ inline int clz64(uint64_t x) {
  return x ? __builtin_clzll(x) : 64;
}
__host__ __device__ inline int ctz64(uint64_t x) {
  return x ? __builtin_ctzll(x) : 64;
}
template <class V> __host__ __device__ uint64_t as_bits(V v) {
  uint64_t r = 0;
  __builtin_memcpy(&r, &v, sizeof v);
  return r;
}
typedef int8_t c4 __attribute__((ext_vector_type(4)));
typedef uint8_t uc4 __attribute__((ext_vector_type(4)));
typedef int16_t s2 __attribute__((ext_vector_type(2)));
typedef uint16_t us2 __attribute__((ext_vector_type(2)));
typedef int16_t s4 __attribute__((ext_vector_type(4)));

__host__ __device__ void compute(uint64_t a, uint64_t b, uint64_t* r) {
  uint32_t ua = a, ub = b;
  int32_t sa = a, sb = b;
  int64_t la = a, lb = b;
  int k = 0;
  r[k++] = ub ? ua / ub : 1;
  r[k++] = ub ? ua % ub : 1;
  r[k++] = sb && !(sa == INT32_MIN && sb == -1) ? sa / sb : 1;
  r[k++] = sb && !(sa == INT32_MIN && sb == -1) ? sa % sb : 1;
  r[k++] = b ? a / b : 1;
  r[k++] = b ? a % b : 1;
  r[k++] = lb && !(la == INT64_MIN && lb == -1) ? la / lb : 1;
  r[k++] = lb && !(la == INT64_MIN && lb == -1) ? la % lb : 1;
  r[k++] = a * b;
  r[k++] = (uint64_t)((unsigned __int128)a * b >> 64);
  r[k++] = (uint64_t)((__int128)la * lb >> 64);
  r[k++] = (uint64_t)ua * ub;
  r[k++] = (int64_t)sa * sb;
  r[k++] = a << (b & 63);
  r[k++] = a >> (b & 63);
  r[k++] = la >> (b & 63);
  r[k++] = ua << (b & 31);
  r[k++] = ua >> (b & 31);
  r[k++] = sa >> (b & 31);
  r[k++] = ub < 32 ? ua << ub : 7;
  r[k++] = clz32(ua) | clz64(a) << 8 | ctz32(ua) << 16 | ctz64(a) << 24;
  r[k++] = __builtin_popcount(ua) | __builtin_popcountll(a) << 8;
  r[k++] = __builtin_bitreverse32(ua) ^ __builtin_bitreverse64(b);
  r[k++] = __builtin_bswap32(ua) ^ __builtin_bswap64(b);
  r[k++] = byte_perm(ua, ua >> 3, ub);
  r[k++] = ua >> (ub & 31) & ((1u << (ub >> 8 & 31)) - 1);
  {
    unsigned o = ub & 31, w = ub >> 8 & 31;
    r[k++] = w && o + w < 32 ? (int32_t)(ua << (32 - o - w)) >> (32 - w) : 0;
  }
  r[k++] = __builtin_rotateleft32(ua, ub) ^ __builtin_rotateright64(a, b);
  r[k++] = (uint64_t)((a << 32 | ua) >> (ub & 31));
  unsigned __int128 x = (unsigned __int128)a << 64 | b, y = (unsigned __int128)b << 64 | (a ^ ub);
  unsigned __int128 s = x + y, d = x - y, p = x * y;
  r[k++] = (uint64_t)s, r[k++] = (uint64_t)(s >> 64);
  r[k++] = (uint64_t)d, r[k++] = (uint64_t)(d >> 64);
  r[k++] = (uint64_t)p, r[k++] = (uint64_t)(p >> 64);
  r[k++] = (uint64_t)(x >> (b & 127)), r[k++] = (uint64_t)((x << (b & 127)) >> 64);
  r[k++] = (uint64_t)((__int128)y >> (a & 127));
  r[k++] = (x < y) | (__int128(x) < __int128(y)) << 1 | (a < b) << 2 | (la < lb) << 3 |
           (ua < ub) << 4 | (sa <= sb) << 5 | (s < x) << 6;
  unsigned long long c0, c1;
  r[k++] = __builtin_addcll(a, b, ua & 1, &c0) + c0;
  r[k++] = __builtin_subcll(a, b, ub & 1, &c1) + c1;
  int ov;
  long long lov;
  r[k++] = __builtin_sadd_overflow(sa, sb, &ov);
  r[k++] = __builtin_ssubll_overflow(la, lb, &lov);
  r[k++] = __builtin_smul_overflow(sa, sb, &ov);
  r[k++] = __builtin_elementwise_add_sat(sa, sb);
  r[k++] = __builtin_elementwise_sub_sat(ua, ub);
  r[k++] = __builtin_elementwise_add_sat(la, lb);
  r[k++] = (int8_t)(a + b) / (((int8_t)b & -2) | 2); // not by -1: LLVM 19 gets -128 / -1 wrong
  r[k++] = (uint8_t)(a * b) >> (b & 7);
  r[k++] = (int16_t)(a - b) % ((int16_t)b | 1);
  r[k++] = (uint32_t)(uint16_t)(ua << (b & 15)) * (uint16_t)b;
  r[k++] = (int16_t)ua >> (ub & 15);
  auto c4v = [](uint32_t v) { return __builtin_bit_cast(c4, v); };
  auto s2v = [](uint32_t v) { return __builtin_bit_cast(s2, v); };
  c4 ca = c4v(ua), cb = c4v(ub);
  r[k++] = as_bits(ca + cb), r[k++] = as_bits(ca * cb - cb);
  r[k++] = as_bits(ca >> (cb & (int8_t)7)), r[k++] = as_bits(__builtin_elementwise_max(ca, cb));
  s2 ha = s2v(ua), hb = s2v(ub);
  r[k++] = as_bits(ha + hb), r[k++] = as_bits(ha * hb + ha), r[k++] = as_bits(ha - hb.yx);
  r[k++] = as_bits(ha << (hb & (int16_t)15)), r[k++] = as_bits(ha >> (hb & (int16_t)15));
  r[k++] = as_bits(__builtin_elementwise_min(ha, hb));
  r[k++] = as_bits(__builtin_elementwise_add_sat(ha, hb));
  r[k++] = as_bits(
      __builtin_elementwise_sub_sat(__builtin_bit_cast(us2, ua), __builtin_bit_cast(us2, ub)));
  s4 qa = __builtin_bit_cast(s4, a), qb = __builtin_bit_cast(s4, b);
  r[k++] = as_bits(qa.wzyx * qb + qa), r[k++] = as_bits((qa > qb) ? qa : qb.yxwz);
  int dot = ua & 0xff;
  for (int q = 0; q < 4; q++)
    dot += ca[q] * cb[q];
  r[k++] = dot;
  r[k++] = sa < 0 ? -(uint32_t)sa : ua;
  r[k++] = ((int32_t)(ua * 24) >> 8) + (ua & 0xffffff) * (ub & 0xffffff);
  r[k++] = (uint32_t)((int32_t)(ua << 8) / 256) * (uint32_t)((int32_t)(ub << 8) / 256);
}
__global__ void run(const uint64_t* x, int n, uint64_t* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n * n) {
    uint64_t r[kOut] = {};
    compute(x[i / n], x[i % n], r);
    for (int q = 0; q < kOut; q++)
      out[(size_t)i * kOut + q] = r[q];
  }
}

// Device-only operations: shifts beyond the width through HIP's functions, count and extract ones.
__global__ void hip_functions(const uint64_t* x, int n, uint64_t* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  uint64_t a = x[i], *r = out + i * 16;
  uint32_t u = a;
  r[0] = __clz(u), r[1] = __clzll(a), r[2] = __ffs(u), r[3] = __ffsll((unsigned long long)a);
  r[4] = __popc(u), r[5] = __popcll(a), r[6] = __brev(u), r[7] = __brevll(a);
  r[8] = __byte_perm(u, a >> 32, 0x2107), r[9] = __funnelshift_l(u, a >> 32, a & 63);
  r[10] = __funnelshift_r(u, a >> 32, a >> 5 & 63), r[11] = __mulhi((int)u, (int)(a >> 32));
  r[12] = __umul24(u, a >> 20), r[13] = __mul24((int)u, (int)(a >> 20));
  r[14] = __umul64hi(a, a * 3), r[15] = __sad((int)u, (int)(a >> 32), 5);
}

// Indices that wrap: 32-bit unsigned arithmetic must not be widened before it wraps.
__global__ void indices(const int* data, uint32_t mask, int n, int* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= (unsigned)n)
    return;
  int s = 0;
  unsigned before = i - 1; // 0xffffffff for the first
  s += before < (unsigned)n ? data[before] : -1000;
  s += data[(i * 2654435761u) & mask] * 3;
  s += data[(i - 100) & mask] * 5;
  s += data[((i << 28) + 7) >> 24 & mask] * 7;
  s += data[(unsigned char)(i * 3 - 9)] * 11;
  s += data[(unsigned short)(i - 60000) & mask] * 13;
  int j = (int)i - 70;
  s += data[j < 0 ? -j : j] * 17;
  s += data[(size_t)(int)(0x80000000u + i) * 0 + ((uint64_t)(0xfffffff0u + i) >> 4 & mask)] * 19;
  s += (int)((uint64_t)(i + 0xffffffe0u) >> 3) * 23;
  s += (int)(((int64_t)(int)(i + 0x7fffffe0u)) >> 7) * 29;
  const int* p = data + 300;
  s += p[-(int)(i & 127)] * 31;
  s += p[(int)(threadIdx.x ^ 5) - (int)blockDim.x] * 37;
  out[i] = s;
}

int main() {
  std::vector<uint64_t> x;
  for (uint64_t v : {0ull,
                     1ull,
                     2ull,
                     3ull,
                     5ull,
                     7ull,
                     10ull,
                     31ull,
                     32ull,
                     33ull,
                     63ull,
                     64ull,
                     65ull,
                     127ull,
                     128ull,
                     255ull,
                     256ull,
                     1000ull,
                     0x7fffull,
                     0x8000ull,
                     0xffffull,
                     0x10000ull,
                     0xfffffull,
                     0xffffffull,
                     0x1000000ull,
                     0x7fffffffull,
                     0x80000000ull,
                     0xfffffffeull,
                     0xffffffffull,
                     0x100000000ull,
                     0x100000001ull,
                     0x123456789abcdefull,
                     0x7fffffffffffffffull,
                     0x8000000000000000ull,
                     0xffffffff00000000ull,
                     0x80008000ull,
                     0x7fff8001ull,
                     0x0807060504030201ull,
                     0x8080808080808080ull,
                     0x1f1f1f1full,
                     0x0000170500001103ull,
                     0xaaaaaaaa55555555ull})
    x.push_back(v), x.push_back(-v);
  uint64_t s = 88172645463325252ull;
  for (int i = 0; i < 40; i++) {
    s ^= s << 13, s ^= s >> 7, s ^= s << 17;
    x.push_back(s >> (s & 31));
  }
  int n = x.size();
  uint64_t* dx = up(x);
  std::vector<uint64_t> got((size_t)n * n * kOut);
  uint64_t* out = up(got);
  run<<<(n * n + 99) / 100, 100>>>(dx, n, out);
  got = down(out, got.size());
  int count[kOut] = {};
  for (int i = 0; i < n * n; i++) {
    uint64_t w[kOut] = {};
    compute(x[i / n], x[i % n], w);
    for (int q = 0; q < kOut; q++)
      if (got[(size_t)i * kOut + q] != w[q] && count[q]++ < 2) {
        printf("op %d (%lx, %lx): %lx want %lx\n", q, (long)x[i / n], (long)x[i % n],
               (long)got[(size_t)i * kOut + q], (long)w[q]);
        bad++;
      }
  }
  {
    std::vector<uint64_t> g(n * 16);
    uint64_t* o = up(g);
    hip_functions<<<(n + 63) / 64, 64>>>(dx, n, o);
    g = down(o, g.size());
    for (int i = 0; i < n; i++) {
      uint64_t a = x[i];
      uint32_t u = a, h = a >> 32;
      auto i24 = [](uint32_t v) { return (int)(v << 8) >> 8; };
      uint64_t both = (uint64_t)h << 32 | u;
      uint64_t w[16] = {(uint64_t)clz32(u),
                        (uint64_t)clz64(a),
                        u ? (uint64_t)ctz32(u) + 1 : 0,
                        a ? (uint64_t)ctz64(a) + 1 : 0,
                        (uint64_t)__builtin_popcount(u),
                        (uint64_t)__builtin_popcountll(a),
                        __builtin_bitreverse32(u),
                        __builtin_bitreverse64(a),
                        byte_perm(u, h, 0x2107),
                        (uint32_t)(both << (a & 31) >> 32),
                        (uint32_t)(both >> (a >> 5 & 31)),
                        (uint64_t)(int)((int64_t)(int)u * (int)h >> 32),
                        (uint32_t)((u & 0xffffff) * (uint32_t)(a >> 20 & 0xffffff)),
                        (uint64_t)(int)((uint32_t)i24(u) * (uint32_t)i24(a >> 20)),
                        (uint64_t)((unsigned __int128)a * (a * 3) >> 64),
                        (uint64_t)(uint32_t)(((int)u > (int)h ? u - h : h - u) + 5)};
      for (int q = 0; q < 16; q++)
        EXPECT(g[i * 16 + q] == w[q], "function %d (%lx): %lx want %lx", q, (long)a,
               (long)g[i * 16 + q], (long)w[q]);
    }
  }
  for (int block : {64, 100, 256}) {
    int m = 1000;
    std::vector<int> data(1 << 16), g(m);
    for (size_t i = 0; i < data.size(); i++)
      data[i] = (int)(i * 37 % 1009);
    int *dd = up(data), *o = up(g);
    unsigned mask = 0xffff;
    indices<<<(m + block - 1) / block, block>>>(dd, mask, m, o);
    g = down(o, m);
    for (unsigned i = 0; i < (unsigned)m; i++) {
      unsigned w = 0, t = i % block;
      w += i - 1 < (unsigned)m ? data[i - 1] : -1000;
      w += data[(i * 2654435761u) & mask] * 3 + data[(i - 100) & mask] * 5;
      w += data[((i << 28) + 7) >> 24 & mask] * 7 + data[(unsigned char)(i * 3 - 9)] * 11;
      w += data[(unsigned short)(i - 60000) & mask] * 13 + data[std::abs((int)i - 70)] * 17;
      w += data[(uint64_t)(0xfffffff0u + i) >> 4 & mask] * 19;
      w += (int)((uint64_t)(i + 0xffffffe0u) >> 3) * 23u;
      w += (int)(((int64_t)(int)(i + 0x7fffffe0u)) >> 7) * 29u;
      w += data[300 - (int)(i & 127)] * 31 + data[300 + (int)(t ^ 5) - block] * 37;
      EXPECT(g[i] == (int)w, "index block %d i %u: %d want %d", block, i, g[i], (int)w);
    }
  }
  DONE();
}
