// SPDX-License-Identifier: MIT
// Every atomic, a lock between waves, last-block reduction, waves and blocks that wait for a flag.
#include "check.h"
__global__ void at(int* i, unsigned* u, unsigned long long* l, float* f, double* d) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&i[0], t);
  atomicSub(&i[1], t);
  atomicMin(&i[2], -t);
  atomicMax(&i[3], t);
  atomicAnd(&u[0], ~(1u << (t % 32)));
  atomicOr(&u[1], 1u << (t % 32));
  atomicXor(&u[2], t);
  atomicInc(&u[3], 99);
  atomicDec(&u[4], 99);
  atomicMax(&u[5], (unsigned)t * 7);
  atomicAdd(&l[0], (unsigned long long)t << 20);
  atomicMax(&l[1], (unsigned long long)t << 33);
  atomicAdd(&f[0], 1.f);
  atomicAdd(&d[0], .5);
  int old = atomicExch(&i[4], t);
  if (old < -1)
    i[5] = 1;
  unsigned o, a;
  a = u[6];
  do {
    o = a;
    a = atomicCAS(&u[6], o, o + 2);
  } while (a != o);
}
__global__ void lock(int* m, int* c) {
  if (threadIdx.x % 64 == 0) {
    while (atomicCAS(m, 0, 1) != 0)
      ;
    __threadfence();
    int v = *(volatile int*)c;
    *(volatile int*)c = v + 1;
    __threadfence();
    atomicExch(m, 0);
  }
}
// Locks between the lanes of a wave. The loop asks the whole wave, so that clang keeps the release inside it: of
// `while (!done) if (!atomicCAS(m, 0, 1)) { ...; done = true; }` it moves body and release behind the loop at -O3, where
// the holder waits for the lanes that wait for it, on hardware too.
__global__ void lane_lock_asks_wave(int* m, volatile int* c) {
  bool todo = true;
  while (__any(todo)) {
    if (todo && atomicCAS(m, 0, 1) == 0) {
      __threadfence();
      int v = c[0], w = c[1];
      c[0] = v + 1;
      c[1] = w + 2;
      c[2] += w != 2 * v;
      __threadfence();
      atomicExch(m, 0);
      todo = false;
    }
  }
}
__global__ void lane_lock_in_turn(int* m, volatile int* c) {
  for (int i = 0; i < 64; i++) {
    if (threadIdx.x % 64 == i) {
      while (atomicCAS(m, 0, 1) != 0)
        ;
      __threadfence();
      c[0] = c[0] + 1;
      __threadfence();
      atomicExch(m, 0);
    }
  }
}
// Each lane needs two locks; one that gets only the first gives it back. The locks are in LDS and in global memory.
__device__ void transfer(int* locks, volatile int* cell, int from, int to, bool todo) {
  int first = min(from, to), second = max(from, to);
  while (__any(todo)) {
    if (todo && atomicCAS(&locks[first], 0, 1) == 0) {
      if (first == second || atomicCAS(&locks[second], 0, 1) == 0) {
        __threadfence();
        cell[from] -= 3;
        cell[to] += 3;
        __threadfence();
        if (first != second)
          atomicExch(&locks[second], 0);
        todo = false;
      }
      atomicExch(&locks[first], 0);
    }
  }
}
__global__ void transfers(int* locks, int* cell, const int* pair, int n, bool in_lds) {
  __shared__ int own[37];
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 37)
    own[threadIdx.x] = 0;
  __syncthreads();
  bool todo = t < n;
  transfer(in_lds ? own : locks, cell, todo ? pair[2 * t] : 0, todo ? pair[2 * t + 1] : 0, todo);
}
void lane_locks() {
  std::vector<int> zero(4, 0);
  int* m = up(zero);
  lane_lock_asks_wave<<<2, 100>>>(m, m + 1);
  auto z = down(m, 4);
  EXPECT(z[0] == 0 && z[1] == 200 && z[2] == 400 && z[3] == 0, "wave asked: %d %d, %d torn", z[1], z[2], z[3]);
  lane_lock_in_turn<<<2, 100>>>(m, m + 1);
  z = down(m, 4);
  EXPECT(z[1] == 400, "in turn: %d", z[1]);
  const int n = 150, cells = 37;
  for (bool in_lds : {false, true}) {
    std::vector<int> pair(2 * n), want(cells, 0), none(cells, 0);
    for (int i = 0; i < n; i++) {
      pair[2 * i] = i * 29 % cells;
      pair[2 * i + 1] = i * i % cells;
      want[pair[2 * i]] -= 3;
      want[pair[2 * i + 1]] += 3;
    }
    int* cell = up(none);
    int block = in_lds ? 192 : 64; // LDS locks bind one block only
    transfers<<<(n + block - 1) / block, block>>>(up(none), cell, up(pair), n, in_lds);
    EXPECT(down(cell, cells) == want, "transfers, locks in %s", in_lds ? "LDS" : "memory");
  }
}
__device__ unsigned cnt = 0;
__global__ void lastblock(const float* x, float* part, float* out, int n) {
  __shared__ float s[256];
  __shared__ bool last;
  float v = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
    v += x[i];
  s[threadIdx.x] = v;
  __syncthreads();
  for (int o = 128; o; o >>= 1) {
    if (threadIdx.x < o)
      s[threadIdx.x] += s[threadIdx.x + o];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    part[blockIdx.x] = s[0];
    __threadfence();
    last = atomicAdd(&cnt, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last) {
    float w = 0;
    for (int i = threadIdx.x; i < gridDim.x; i += 256)
      w += part[i];
    s[threadIdx.x] = w;
    __syncthreads();
    for (int o = 128; o; o >>= 1) {
      if (threadIdx.x < o)
        s[threadIdx.x] += s[threadIdx.x + o];
      __syncthreads();
    }
    if (threadIdx.x == 0)
      *out = s[0];
  }
}
__global__ void wait_flag(volatile int* flag, int* o) {
  __shared__ volatile int sf;
  if (threadIdx.x == 0)
    sf = 0;
  __syncthreads();
  if (threadIdx.x >= 64 && threadIdx.x < 128) {
    while (sf == 0)
      ;
    o[threadIdx.x] = sf;
  }
  if (threadIdx.x >= 128) {
    sf = threadIdx.x >= 128 ? 42 : 0;
  }
  if (blockIdx.x == 0) {
    while (flag[0] == 0)
      ;
  } else if (threadIdx.x == 0) {
    flag[0] = 1;
  }
}
int main() {
  std::vector<int> iv(8, 0);
  iv[4] = -1;
  std::vector<unsigned> uv(8, 0);
  uv[0] = ~0u;
  std::vector<unsigned long long> lv(4, 0);
  std::vector<float> fv(4, 0);
  std::vector<double> dv(4, 0);
  int* i = up(iv);
  unsigned* u = up(uv);
  unsigned long long* l = up(lv);
  float* f = up(fv);
  double* d = up(dv);
  int N = 64 * 256;
  at<<<64, 256>>>(i, u, l, f, d);
  iv = down(i, 8);
  uv = down(u, 8);
  lv = down(l, 4);
  fv = down(f, 4);
  dv = down(d, 4);
  long s = (long)N * (N - 1) / 2;
  unsigned x = 0;
  for (int q = 0; q < N; q++)
    x ^= q;
  EXPECT(iv[0] == (int)s, "add");
  EXPECT(iv[1] == (int)-s, "sub");
  EXPECT(iv[2] == -(N - 1), "min");
  EXPECT(iv[3] == N - 1, "max");
  EXPECT(uv[0] == 0, "and");
  EXPECT(uv[1] == ~0u, "or");
  EXPECT(uv[2] == x, "xor");
  EXPECT(uv[3] == N % 100, "inc %u", uv[3]);
  EXPECT(uv[4] <= 99, "dec");
  EXPECT(uv[5] == (N - 1) * 7u, "umax");
  EXPECT(lv[0] == (unsigned long long)s << 20, "add64");
  EXPECT(lv[1] == (unsigned long long)(N - 1) << 33, "max64");
  EXPECT(fv[0] == N, "fadd");
  EXPECT(dv[0] == N * .5, "dadd");
  EXPECT(uv[6] == 2u * N, "cas %u", uv[6]);
  EXPECT(iv[5] == 0, "exch");
  std::vector<int> z(8, 0);
  int* m = up(z);
  lock<<<32, 256>>>(m, m + 1);
  z = down(m, 8);
  EXPECT(z[1] == 128, "lock %d", z[1]);
  lane_locks();
  int n = 1 << 18;
  std::vector<float> X(n, 1.f);
  float *dx = up(X), *pt = up(X);
  float* out = up(fv);
  lastblock<<<100, 256>>>(dx, pt, out, n);
  auto r = down(out, 1);
  EXPECT(r[0] == n, "lastblock %g", r[0]);
  std::vector<int> w(512, 0);
  int* ww = up(w);
  int* fl = up(z);
  CK(hipMemset(fl, 0, 4));
  wait_flag<<<8, 256>>>(fl, ww);
  w = down(ww, 512);
  for (int q = 64; q < 128; q++)
    EXPECT(w[q] == 42, "sf %d", w[q]);
  DONE();
}
