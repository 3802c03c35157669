// SPDX-License-Identifier: MIT
// Struct and lambda arguments, half2, ballots under divergence, shuffles.
#include "check.h"
#include <hip/hip_fp16.h>
struct P {
  int a;
  float b;
  char c;
  double d;
  short s[5];
};
__global__ void st(P p, int* o) {
  if (threadIdx.x == 0) {
    o[0] = p.a;
    o[1] = (int)p.b;
    o[2] = p.c;
    o[3] = (int)p.d;
    o[4] = p.s[3];
  }
}
template <class F> __global__ void ap(F f, float* o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    o[i] = f(i);
}
__global__ void h2(const __half2* a, const __half2* b, __half2* o, float* f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  __half2 x = __hfma2(a[i], b[i], a[i]);
  x = __hadd2(x, __hmul2(b[i], __float2half2_rn(.5f)));
  o[i] = x;
  f[i] = __low2float(x) + __high2float(x) * 2 + __half2float(hsqrt(__low2half(__habs2(a[i]))));
}
__global__ void votes(unsigned long long* b, int* o) {
  int t = threadIdx.x;
  unsigned long long r = 0;
  int c = 0;
  if (t % 3) {
    r = __ballot(t % 5 == 1);
    c = __any(t == 7) * 2 + __all(t % 3 != 0);
    if (t & 1) {
      r ^= __ballot(1) << 1;
      c += __popcll(__ballot(t > 20)) * 16;
      c += __shfl_xor(t, 2) * 1000;
    }
  }
  b[t] = r;
  o[t] = c;
}
__global__ void shf(int* o) {
  int t = threadIdx.x;
  int v = t * t;
  o[t] = __shfl(v, (t + 5) & 63) + __shfl_up(v, 3) + __shfl_down(v, 7) * 3 + __shfl_xor(v, 9) * 5 +
         __shfl(v, 3, 16) * 7 + __shfl_up(v, 2, 8);
}
int main() {
  P p{7, 8.5f, 'x', -9.5, {1, 2, 3, 4, 5}};
  std::vector<int> z(64);
  int* d = up(z);
  st<<<1, 64>>>(p, d);
  auto r = down(d, 8);
  EXPECT(r[0] == 7 && r[1] == 8 && r[2] == 'x' && r[3] == -9 && r[4] == 4, "struct");
  float k = 2.5f;
  std::vector<float> f(1000);
  float* fo = up(f);
  ap<<<4, 256>>>([=] __device__(int i) { return i * k + 1; }, fo, 1000);
  f = down(fo, 1000);
  for (int i = 0; i < 1000; i++)
    EXPECT(f[i] == i * k + 1, "lambda");
  int n = 777;
  std::vector<__half2> a(n), b(n), o(n);
  for (int i = 0; i < n; i++) {
    a[i] = __floats2half2_rn(i * .01f - 3, i * .02f);
    b[i] = __floats2half2_rn(1 - i * .003f, .7f);
  }
  auto *da = up(a), *db = up(b), *dd = up(o);
  std::vector<float> g(n);
  float* dg = up(g);
  h2<<<4, 256>>>(da, db, dd, dg, n);
  o = down(dd, n);
  g = down(dg, n);
  for (int i = 0; i < n; i++) {
    float al = __low2float(a[i]), bl = __low2float(b[i]);
    _Float16 x = (_Float16)((double)al * bl + al);
    x = x + (_Float16)((_Float16)bl * (_Float16).5f);
    EXPECT(fabsf((float)x - __low2float(o[i])) <= 1e-3f * fabsf((float)x), "half %d %g %g", i,
           (float)x, __low2float(o[i]));
  }
  std::vector<unsigned long long> bb(64);
  auto* dbb = up(bb);
  votes<<<1, 64>>>(dbb, d);
  bb = down(dbb, 64);
  r = down(d, 64);
  unsigned long long bal = 0, odd = 0, g20 = 0;
  for (int t = 0; t < 64; t++)
    if (t % 3) {
      if (t % 5 == 1)
        bal |= 1ull << t;
      if (t & 1) {
        odd |= 1ull << t;
        if (t > 20)
          g20 |= 1ull << t;
      }
    }
  for (int t = 0; t < 64; t++) {
    unsigned long long e = 0;
    int c = 0;
    if (t % 3) {
      e = bal;
      c = 3;
      if (t & 1) {
        e ^= odd << 1;
        c += __builtin_popcountll(g20) * 16;
        int s = t ^ 2;
        c += ((s % 3) ? s : 0) * 1000;
        if (s % 3 == 0)
          continue;
      }
    }
    EXPECT(bb[t] == e, "ballot %d %llx %llx", t, bb[t], e);
    EXPECT(r[t] == c, "vote %d %d %d", t, r[t], c);
  }
  shf<<<1, 64>>>(d);
  r = down(d, 64);
  for (int t = 0; t < 64; t++) {
    auto q = [](int x) { return x * x; };
    int e = q((t + 5) & 63) + q(t < 3 ? t : t - 3) + q(t + 7 > 63 ? t : t + 7) * 3 + q(t ^ 9) * 5 +
            q((t & ~15) + 3) * 7 + q((t & 7) < 2 ? t : t - 2);
    EXPECT(r[t] == e, "shfl %d %d %d", t, r[t], e);
  }
  DONE();
}
