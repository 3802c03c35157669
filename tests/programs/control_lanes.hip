// SPDX-License-Identifier: MIT
// Divergent control flow, partial waves, 1-D to 3-D blocks, lane exchange and atomics, against a
// host model.
#include "check.h"
#include <cstdint>

// Values written on both sides, nested loops with break and continue, returns inside loops.
__host__ __device__ int tangle(int i, const int* d, int n) {
  int v = i, w = 1;
  if (i % 3 == 0)
    v = d[i % n] + 5;
  else if (i % 3 == 1) {
    v = -i;
    if (i & 4)
      w = v * 3;
  } else
    w = 9;
  for (int a = 0; a < (i & 7); a++) {
    int last = v;
    for (int b = 0; b < 6; b++) {
      if (((b + i) & 3) == 2)
        continue;
      v += d[(a * 6 + b + i) % n];
      if (v % 11 == 4)
        break;
      w ^= v + b;
    }
    if (w % 13 == 5)
      return v * 1000 + last;
    if ((last ^ v) & 32) {
      w += last;
      if (i % 5 == 0)
        break;
    }
  }
  switch (i % 6) {
  case 0:
    v += w;
    break;
  case 1:
    v -= 2 * w; // falls through
  case 2:
    w = v;
    break;
  case 4:
    while (v > 50)
      v = v / 2 - (w & 1), w++;
    break;
  default:
    v ^= 0x55;
  }
  int guard = 0;
  do {
    v += (w >> (guard & 7)) & 1 ? 3 : -1;
    if (guard == (i & 15) + 2)
      return v + w;
  } while (++guard < 12);
  return v * 7 + w;
}
__global__ void run_tangle(const int* d, int n, int* out) {
  int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  int size = blockDim.x * blockDim.y * blockDim.z;
  int b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  int i = b * size + t;
  out[i] = tangle(i, d, n) + threadIdx.x * 1000003 + threadIdx.y * 7919 + threadIdx.z * 104729;
}
void check_tangle(dim3 block) {
  int n = 97, size = block.x * block.y * block.z;
  dim3 grid(2, 3, 2);
  std::vector<int> d(n), got(size * 12);
  for (int i = 0; i < n; i++)
    d[i] = i * i % 41 - 20;
  int *dd = up(d), *o = up(got);
  run_tangle<<<grid, block>>>(dd, n, o);
  got = down(o, got.size());
  for (int i = 0; i < (int)got.size(); i++) {
    int t = i % size;
    int want = tangle(i, d.data(), n) + t % block.x * 1000003 + t / block.x % block.y * 7919 +
               t / (block.x * block.y) * 104729;
    EXPECT(got[i] == want, "tangle block %ux%ux%u i %d: %d want %d", block.x, block.y, block.z, i,
           got[i], want);
  }
}

// Exchange between lanes, also inside a branch (only between lanes that take it).
constexpr int kLane = 14;
__global__ void lanes(const int* x, int n, uint64_t* out) {
  int t = threadIdx.x, lane = t & 63;
  int v = x[t];
  uint64_t* r = out + t * kLane;
  r[0] = (uint64_t)__ballot(v & 1);
  r[1] = (unsigned)__shfl(v, (lane * 7) & 63);
  r[2] = (unsigned)__shfl_xor(v, 5);
  r[3] = (unsigned)__shfl_up(v, 3);
  r[4] = (unsigned)__shfl_down(v, 9, 32);
  r[5] = __any(v > 900), r[6] = __all(v >= 0);
  r[7] = r[8] = r[9] = 0;
  if (v % 3 != 0) {
    r[7] = (uint64_t)__ballot(v & 2);
    if (v & 4)
      r[8] = (uint64_t)__ballot(1);
    else
      r[9] = (uint64_t)__ballot(v & 8);
  }
  r[10] = __builtin_amdgcn_readfirstlane(v);
  for (int k = 0;; k++) { // lanes leave one by one
    r[11] = (uint64_t)__ballot(1);
    if (k >= (v & 7))
      break;
  }
  unsigned before = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
  r[12] = before;
  double d = __shfl_xor(v * 0.5, 33);
  r[13] = (uint64_t)(int64_t)(d * 2);
}
void check_lanes(int size) {
  std::vector<int> x(size);
  for (int i = 0; i < size; i++)
    x[i] = i * 389 % 1000;
  std::vector<uint64_t> got(size * kLane);
  int* dx = up(x);
  auto* o = up(got);
  lanes<<<1, size>>>(dx, size, o);
  got = down(o, got.size());
  for (int t = 0; t < size; t++) {
    int base = t & ~63, count = std::min(64, size - base), lane = t & 63;
    auto ballot = [&](auto f) {
      uint64_t m = 0;
      for (int l = 0; l < count; l++)
        m |= (uint64_t)!!f(x[base + l]) << l;
      return m;
    };
    int v = x[t];
    auto from = [&](int l) { return x[base + l]; };
    uint64_t* r = &got[t * kLane];
    auto say = [&](int q, uint64_t w) {
      EXPECT(r[q] == w, "lanes size %d t %d value %d: %lx want %lx", size, t, q, (long)r[q],
             (long)w);
    };
    say(0, ballot([](int y) { return y & 1; }));
    if (((lane * 7) & 63) < count)
      say(1, from((lane * 7) & 63));
    if ((lane ^ 5) < count)
      say(2, from(lane ^ 5));
    say(3, from(lane < 3 ? lane : lane - 3));
    int down = (lane & 31) + 9 >= 32 ? lane : lane + 9;
    if (down < count)
      say(4, from(down));
    say(5, ballot([](int y) { return y > 900; }) != 0), say(6, 1);
    say(7, v % 3 ? ballot([](int y) { return y % 3 && y & 2; }) : 0);
    say(8, v % 3 && v & 4 ? ballot([](int y) { return y % 3 && y & 4; }) : 0);
    say(9, v % 3 && !(v & 4) ? ballot([](int y) { return y % 3 && !(y & 4) && y & 8; }) : 0);
    say(10, from(0));
    say(11, ballot([&](int y) { return (y & 7) >= (v & 7); }));
    say(12, lane);
    if ((lane ^ 33) < count)
      say(13, from(lane ^ 33));
  }
}

// Reductions that the compiler turns into DPP: sums, minima, maxima over the wave by atomics of one
// address.
struct Totals {
  int add;
  unsigned umax, umin, orr, andd, xorr, inc, dec, exch;
  int smin, smax;
  unsigned long long ladd, lmax;
  long long lmin;
  float fadd;
  double dadd;
  float fmx;
  double dmn;
  int cas;
  unsigned sub;
  unsigned long long lor, lxor;
};
template <int kScope, class T> __device__ void all(T* t, int v) {
  auto order = __ATOMIC_RELAXED;
  __hip_atomic_fetch_add(&t->add, v, order, kScope);
  __hip_atomic_fetch_max(&t->umax, (unsigned)v * 2654435761u, order, kScope);
  __hip_atomic_fetch_min(&t->umin, (unsigned)v * 2654435761u, order, kScope);
  __hip_atomic_fetch_or(&t->orr, 1u << (v & 31), order, kScope);
  __hip_atomic_fetch_and(&t->andd, ~(1u << (v & 31)), order, kScope);
  __hip_atomic_fetch_xor(&t->xorr, (unsigned)v, order, kScope);
  __hip_atomic_fetch_min(&t->smin, v - 500, order, kScope);
  __hip_atomic_fetch_max(&t->smax, 300 - v, order, kScope);
  __hip_atomic_fetch_add(&t->ladd, (unsigned long long)v << 30, order, kScope);
  __hip_atomic_fetch_max(&t->lmax, (unsigned long long)v << 35, order, kScope);
  __hip_atomic_fetch_min(&t->lmin, (long long)v - (1ll << 40), order, kScope);
  __hip_atomic_fetch_add(&t->fadd, (float)v, order, kScope);
  __hip_atomic_fetch_add(&t->dadd, v * 0.25, order, kScope);
  __hip_atomic_fetch_max(&t->fmx, v * 0.5f - 100, order, kScope);
  __hip_atomic_fetch_min(&t->dmn, v * 0.5 - 100, order, kScope);
  __hip_atomic_fetch_or(&t->lor, 1ull << (v & 63), order, kScope);
  __hip_atomic_fetch_xor(&t->lxor, (unsigned long long)v << 20, order, kScope);
  atomicInc(&t->inc, 36u);
  atomicDec(&t->dec, 22u);
  atomicSub(&t->sub, (unsigned)v);
  int seen = t->cas, was;
  do {
    was = seen;
    seen = atomicCAS(&t->cas, was, was + (v & 3));
  } while (seen != was);
}
__global__ void atomics(const int* x, int n, Totals* out, int* order, int* next) {
  __shared__ Totals local;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    local = out[2];
  __syncthreads();
  if (i < n && x[i] % 7 != 2) {
    all<__HIP_MEMORY_SCOPE_AGENT>(out, x[i]);
    all<__HIP_MEMORY_SCOPE_WORKGROUP>(&local, x[i]);
    order[atomicAdd(next, 1)] = i;
  }
  __syncthreads();
  if (threadIdx.x == 0)
    out[3 + blockIdx.x] = local;
}
void check_totals(const Totals& g, const std::vector<int>& x, int first, int last,
                  const char* name) {
  Totals w{};
  w.umin = ~0u, w.andd = ~0u, w.fmx = -1e9f, w.dmn = 1e9;
  for (int i = first; i < last; i++) {
    int v = x[i];
    if (v % 7 == 2)
      continue;
    w.add += v, w.umax = std::max(w.umax, (unsigned)v * 2654435761u),
                w.umin = std::min(w.umin, (unsigned)v * 2654435761u);
    w.orr |= 1u << (v & 31), w.andd &= ~(1u << (v & 31)), w.xorr ^= v;
    w.smin = std::min(w.smin, v - 500), w.smax = std::max(w.smax, 300 - v);
    w.ladd += (unsigned long long)v << 30, w.lmax = std::max(w.lmax, (unsigned long long)v << 35);
    w.lmin = std::min(w.lmin, (long long)v - (1ll << 40));
    w.fadd += v, w.dadd += v * .25, w.fmx = std::max(w.fmx, v * .5f - 100),
                                    w.dmn = std::min(w.dmn, v * .5 - 100);
    w.lor |= 1ull << (v & 63), w.lxor ^= (unsigned long long)v << 20;
    w.inc = w.inc >= 36 ? 0 : w.inc + 1, w.dec = w.dec == 0 || w.dec > 22 ? 22 : w.dec - 1;
    w.sub -= v, w.cas += v & 3;
  }
  auto same = [&](auto a, auto b, const char* field) {
    EXPECT(a == b, "%s %s: %g want %g", name, field, (double)a, (double)b);
  };
#define SAME(f) same(g.f, w.f, #f)
  SAME(add), SAME(umax), SAME(umin), SAME(orr), SAME(andd), SAME(xorr), SAME(smin), SAME(smax);
  SAME(ladd), SAME(lmax), SAME(lmin), SAME(fadd), SAME(dadd), SAME(fmx), SAME(dmn), SAME(lor);
  SAME(lxor), SAME(inc), SAME(dec), SAME(sub), SAME(cas);
}
void check_atomics(int block) {
  int n = block * 5 - 3, blocks = 5;
  std::vector<int> x(n), order(n, -1), zero(1);
  for (int i = 0; i < n; i++)
    x[i] = i * 389 % 1000;
  Totals start{};
  start.umin = ~0u, start.andd = ~0u, start.fmx = -1e9f, start.dmn = 1e9;
  std::vector<Totals> t(3 + blocks, start);
  Totals* dt = up(t);
  int *dx = up(x), *dorder = up(order), *next = up(zero);
  atomics<<<blocks, block>>>(dx, n, dt, dorder, next);
  t = down(dt, t.size()), order = down(dorder, n);
  check_totals(t[0], x, 0, n, "global");
  for (int b = 0; b < blocks; b++)
    check_totals(t[3 + b], x, b * block, std::min(n, (b + 1) * block), "local");
  std::vector<int> seen(n);
  for (int i : order)
    if (i >= 0)
      seen[i]++;
  for (int i = 0; i < n; i++)
    EXPECT(seen[i] == (x[i] % 7 != 2), "block %d: index %d taken %d times", block, i, seen[i]);
}

// A tree in LDS with a partial last wave, and a scan by shuffles.
__global__ void reduce_scan(const int* x, int* sum, int* scan) {
  __shared__ int s[256];
  int t = threadIdx.x, n = blockDim.x;
  s[t] = x[blockIdx.x * n + t];
  int v = s[t];
  for (int k = 1; k < 64; k *= 2) {
    int y = __shfl_up(v, k);
    if ((t & 63) >= k)
      v += y;
  }
  scan[blockIdx.x * n + t] = v;
  __syncthreads();
  for (int w = 128; w; w /= 2) {
    if (t < w && t + w < n)
      s[t] += s[t + w];
    __syncthreads();
  }
  if (t == 0)
    sum[blockIdx.x] = s[0];
}
void check_reduce(int block) {
  int blocks = 3;
  std::vector<int> x(block * blocks), sum(blocks), scan(block * blocks);
  for (size_t i = 0; i < x.size(); i++)
    x[i] = (int)(i * 7919 % 503) - 250;
  int *dx = up(x), *ds = up(sum), *dc = up(scan);
  reduce_scan<<<blocks, block>>>(dx, ds, dc);
  sum = down(ds, blocks), scan = down(dc, scan.size());
  for (int b = 0; b < blocks; b++) {
    int w = 0, c = 0;
    for (int t = 0; t < block; t++) {
      w += x[b * block + t];
      c = t & 63 ? c + x[b * block + t] : x[b * block + t];
      EXPECT(scan[b * block + t] == c, "scan block %d t %d: %d want %d", block, t,
             scan[b * block + t], c);
    }
    EXPECT(sum[b] == w, "sum block %d: %d want %d", block, sum[b], w);
  }
}
int main() {
  for (dim3 b :
       {dim3(1), dim3(7), dim3(33), dim3(64), dim3(65), dim3(100), dim3(256), dim3(5, 3, 7),
        dim3(8, 8), dim3(3, 50), dim3(2, 2, 30), dim3(64, 4), dim3(1, 1, 9)})
    check_tangle(b);
  for (int size : {1, 7, 33, 64, 65, 100, 256})
    check_lanes(size), check_atomics(size), check_reduce(size);
  DONE();
}
