// SPDX-License-Identifier: MIT
// Across lanes: shuffles of every width and type, votes under divergence, bit counts, cooperative groups of a wave.
#include "check.h"
#include <hip/hip_cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void shuffles(int* i, double* d, long long* l) {
  int t = threadIdx.x;
  i[t] = __shfl(t * 10, 5);
  i[64 + t] = __shfl(t, 3, 16);
  i[128 + t] = __shfl_up(t, 2);
  i[192 + t] = __shfl_down(t, 2, 8);
  i[256 + t] = __shfl_xor(t, 7);
  d[t] = __shfl(t * 0.25, 63 - t);
  l[t] = __shfl_xor((long long)t << 40, 1);
  int sum = t;
  for (int step = 32; step > 0; step /= 2) sum += __shfl_down(sum, step);
  i[320 + t] = sum;
}
__global__ void votes(unsigned long long* out) {
  int t = threadIdx.x;
  if (t % 2) {
    unsigned long long b = __ballot(t > 30), active = __activemask();
    if (t == 1) out[0] = b, out[1] = active;
    int all = __all(t % 2), any = __any(t == 2);
    if (t == 1) out[2] = (unsigned long long)all | (unsigned long long)any << 1;
  } else if (t % 4) {
    unsigned long long b = __ballot(1);
    if (t == 2) out[3] = b;
  }
  unsigned long long m = __match_any(t / 16);
  if (t == 20) out[4] = m;
  out[5] = warpSize;
}
__global__ void divergent(int* out) {
  int t = threadIdx.x, n = 0;
  for (int i = 0; i < 100; ++i) {
    if (i % 7 == t % 7) continue;
    if (i > t + 20) break;
    switch (i % 4) {
    case 0: n += 1; break;
    case 1: n += t; // falls through
    case 2: n ^= i; break;
    default: n -= 3;
    }
  }
  out[t] = n;
}
__global__ void bits(unsigned* out) {
  out[0] = __popc(0xf0f0u);
  out[1] = __popcll(0xf0f0f0f0f0ull);
  out[2] = __clz(1);
  out[3] = __clzll(1ll << 40);
  out[4] = __ffs(0x80);
  out[5] = __ffsll(1ull << 50);
  out[6] = __brev(1);
  out[7] = __byte_perm(0x33221100u, 0x77665544u, 0x7410);
  out[8] = __umulhi(0xffffffffu, 3);
  out[9] = __funnelshift_l(0x80000000u, 1, 4);
  out[10] = __mul24(-3, 5);
  out[11] = unsigned(__double2int_rn(2.5)) | unsigned(__float2int_ru(2.1f)) << 8 | unsigned(__float2int_rd(-1.5f) & 0xff) << 16;
  out[12] = __float_as_uint(__uint2float_rz(0xffffffffu));
  out[13] = __clz(0) + __ffs(0) * 100;
}
__global__ void groups(int* out) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  int t = block.thread_rank();
  out[t] = cg::reduce(tile, t, cg::plus<int>());
  if (t % 3 == 0) {
    auto active = cg::coalesced_threads();
    out[128 + t] = active.thread_rank() * 1000 + active.size();
  }
  block.sync();
  out[256 + t] = tile.shfl(t, 2) * 100 + tile.meta_group_rank();
}

static int host_divergent(int t) {
  int n = 0;
  for (int i = 0; i < 100; ++i) {
    if (i % 7 == t % 7) continue;
    if (i > t + 20) break;
    switch (i % 4) {
    case 0: n += 1; break;
    case 1: n += t; [[fallthrough]];
    case 2: n ^= i; break;
    default: n -= 3;
    }
  }
  return n;
}

int main() {
  int* i = nullptr;
  double* d = nullptr;
  long long* l = nullptr;
  HIP(hipMalloc(&i, 4096));
  HIP(hipMalloc(&d, 512));
  HIP(hipMalloc(&l, 512));
  shuffles<<<1, 64>>>(i, d, l);
  std::vector<int> v = host_copy(i, 384);
  std::vector<double> dv = host_copy(d, 64);
  std::vector<long long> lv = host_copy(l, 64);
  for (int t = 0; t < 64; ++t) {
    CHECK_EQ(v[t], 50);
    CHECK_EQ(v[64 + t], (t & ~15) + 3);
    CHECK_EQ(v[128 + t], t < 2 ? t : t - 2);
    CHECK_EQ(v[192 + t], t % 8 >= 6 ? t : t + 2);
    CHECK_EQ(v[256 + t], t ^ 7);
    CHECK_EQ(dv[t], (63 - t) * 0.25);
    CHECK_EQ(lv[t], (long long)(t ^ 1) << 40);
  }
  CHECK_EQ(v[320], 64 * 63 / 2);

  unsigned long long* b = nullptr;
  HIP(hipMalloc(&b, 64));
  votes<<<1, 64>>>(b);
  std::vector<unsigned long long> u = host_copy(b, 6);
  unsigned long long odd = 0xaaaaaaaaaaaaaaaaull;
  CHECK(u[0] == (odd & ~((1ull << 31) - 1)));
  CHECK(u[1] == odd);
  CHECK(u[2] == 1);
  CHECK(u[3] == 0x4444444444444444ull);
  CHECK(u[4] == 0xffff0000ull);
  CHECK(u[5] == 64);

  divergent<<<1, 192>>>(i);
  v = host_copy(i, 192);
  for (int t = 0; t < 192; ++t) CHECK_EQ(v[t], host_divergent(t));

  unsigned* w = nullptr;
  HIP(hipMalloc(&w, 64));
  bits<<<1, 1>>>(w);
  std::vector<unsigned> x = host_copy(w, 14);
  const unsigned expected[] = {8, 20, 31, 23, 8, 51, 0x80000000u, 0x77441100u, 2, 0x18, unsigned(-15), 2u | 3u << 8 | 0xfeu << 16,
                               0x4f7fffffu, 32};
  for (int k = 0; k < 14; ++k) CHECK_EQ(x[k], expected[k]);

  groups<<<1, 128>>>(i);
  v = host_copy(i, 384);
  for (int t = 0; t < 128; ++t) {
    int base = t & ~15;
    CHECK_EQ(v[t], 16 * base + 120);
    CHECK_EQ(v[256 + t], (base + 2) * 100 + t / 16);
    if (t % 3 == 0) {
      int first = t < 64 ? 0 : 66, lanes = t < 64 ? 22 : 21;
      CHECK_EQ(v[128 + t], (t - first) / 3 * 1000 + lanes);
    }
  }
  return finish();
}
