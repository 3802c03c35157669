// SPDX-License-Identifier: MIT
// 64-bit words that one workgroup writes while another reads them: no reader sees half of a write. Addresses: one for all lanes,
// a row, a step of two words, indices, and flat ones of kernels with private memory, some of whose lanes read that.
#include "check.h"
#include <cstdint>

using Word = unsigned long long;
struct Two {
  Word a, b;
};
constexpr int kRounds = 4000, kLanes = 64;

__device__ Word word(unsigned x) { return Word(x) << 32 | x; }
__device__ unsigned torn(Word w) { return unsigned(w >> 32) != unsigned(w); }
__device__ void put(Word* p, Word w) { __hip_atomic_store(p, w, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); }
__device__ Word get(Word* p) { return __hip_atomic_load(p, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); }

// Block 0 writes, block 1 reads; `place` gives the lane's word.
template <class F> __device__ void race(unsigned* bad, F place) {
  unsigned n = 0;
  for (unsigned r = 1; r <= kRounds; r++)
    if (blockIdx.x == 0) put(place(), word(r * 0x10001u));
    else n += torn(get(place()));
  if (n) atomicAdd(bad, n);
}
__global__ void one(Word* w, unsigned* bad) {
  race(bad, [&] { return w; });
}
__global__ void one_lane(Word* w, unsigned* bad) {
  if (threadIdx.x == 0) race(bad, [&] { return w; });
}
__global__ void row(Word* w, unsigned* bad) {
  race(bad, [&] { return w + threadIdx.x; });
}
__global__ void pairs(Two* w, unsigned* bad) {
  race(bad, [&] { return &w[threadIdx.x].b; });
}
__global__ void quarters(Two* w, unsigned* bad) { // sixteen lanes share a word
  race(bad, [&] { return &w[threadIdx.x / 16].a; });
}
__global__ void indexed(Word* w, const int* at, unsigned* bad) {
  race(bad, [&] { return w + at[threadIdx.x]; });
}
// The compiler cannot tell private from global here; lanes of `own` use their private word.
__global__ void flat(Word* w, const int* at, unsigned* bad, unsigned own, int k) {
  Word mine[8];
  for (int i = 0; i < 8; i++) mine[i] = word(7);
  bool here = own >> (threadIdx.x % 32) & 1;
  race(bad, [&] { return here ? &mine[(threadIdx.x + k) % 8] : w + at[threadIdx.x]; });
  Word sum = 0;
  for (int i = 0; i < 8; i++) sum += torn(mine[i]) + (mine[i] == word(7));
  unsigned want = here && blockIdx.x == 0 ? 7 : 8;
  if (sum != want) atomicAdd(bad + 1, 1u);
}
// Words at odd offsets of private memory in some lanes beside aligned ones in global memory.
__global__ void odd(Word* w, const int* at, unsigned* bad, unsigned own) {
  alignas(8) char mine[32] = {};
  bool here = own >> (threadIdx.x % 32) & 1;
  void* p = here ? mine + 3 + threadIdx.x % 16 : static_cast<void*>(w + at[threadIdx.x]);
  unsigned n = 0;
  for (unsigned r = 1; r <= kRounds / 8; r++) { // the compiler would move single bytes
    Word v = word(r * 0x10001u);
    if (blockIdx.x == 0) asm volatile("flat_store_dwordx2 %0, %1\n s_waitcnt vmcnt(0) lgkmcnt(0)" ::"v"(p), "v"(v) : "memory");
    else asm volatile("flat_load_dwordx2 %0, %1\n s_waitcnt vmcnt(0) lgkmcnt(0)" : "=v"(v) : "v"(p) : "memory");
    n += torn(v);
  }
  if (here && blockIdx.x == 0) {
    unsigned last = kRounds / 8 * 0x10001u;
    for (int k = 0; k < 8; k++) n += mine[3 + threadIdx.x % 16 + k] != char(last >> (8 * (k % 4)));
    n += mine[2] != 0 || mine[11 + threadIdx.x % 16] != 0;
  }
  if (n) atomicAdd(bad, n);
}

int main() {
  Word* w;
  Two* two;
  int at[kLanes], *dat;
  unsigned got[2], *dbad;
  for (int i = 0; i < kLanes; i++) at[i] = (i * 37 + 5) % 64 * 3;
  CK(hipMalloc(&w, 4096));
  CK(hipMalloc(&two, 4096));
  CK(hipMalloc(&dat, sizeof at));
  CK(hipMalloc(&dbad, sizeof got));
  CK(hipMemcpy(dat, at, sizeof at, hipMemcpyHostToDevice));
  auto run = [&](const char* name, auto launch) {
    CK(hipMemset(w, 0, 4096));
    CK(hipMemset(two, 0, 4096));
    CK(hipMemset(dbad, 0, sizeof got));
    launch();
    CK(hipMemcpy(got, dbad, sizeof got, hipMemcpyDeviceToHost));
    EXPECT(got[0] == 0 && got[1] == 0, "%s: %u torn words, %u wrong private arrays", name, got[0], got[1]);
  };
  run("one", [&] { one<<<2, kLanes>>>(w, dbad); });
  run("one lane", [&] { one_lane<<<2, kLanes>>>(w, dbad); });
  run("row", [&] { row<<<2, kLanes>>>(w, dbad); });
  run("part of a row", [&] { row<<<2, 41>>>(w, dbad); });
  run("pairs", [&] { pairs<<<2, kLanes>>>(two, dbad); });
  run("quarters", [&] { quarters<<<2, kLanes>>>(two, dbad); });
  run("indexed", [&] { indexed<<<2, kLanes>>>(w, dat, dbad); });
  for (unsigned own : {0u, 0xffffffffu, 0x5a0ff1c3u}) {
    run("flat", [&] { flat<<<2, kLanes>>>(w, dat, dbad, own, 2); });
    run("odd", [&] { odd<<<2, kLanes>>>(w, dat, dbad, own); });
  }
  DONE();
}
