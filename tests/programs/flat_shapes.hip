// SPDX-License-Identifier: MIT
// Flat loads and stores of 1 to 16 bytes at all byte offsets, in kernels with private memory: the address of every lane in its
// private segment, in LDS or in global memory, the same or another in each lane, for whole waves and parts. The same moves on an
// array of bytes on the host give the expected values.
#include "check.h"
#include <cstring>

constexpr int kLanes = 64, kBytes = 64;
typedef unsigned U2 __attribute__((ext_vector_type(2)));
typedef unsigned U3 __attribute__((ext_vector_type(3)));
typedef unsigned U4 __attribute__((ext_vector_type(4)));

__device__ void put(int n, void* p, U4 d) {
#define STORE(op, value) asm volatile(op " %0, %1\n s_waitcnt vmcnt(0) lgkmcnt(0)" ::"v"(p), "v"(value) : "memory")
  switch (n) {
  case 1: STORE("flat_store_byte", d.x); break;
  case 2: STORE("flat_store_short", d.x); break;
  case 4: STORE("flat_store_dword", d.x); break;
  case 8: { U2 v = {d.x, d.y}; STORE("flat_store_dwordx2", v); break; }
  case 12: { U3 v = {d.x, d.y, d.z}; STORE("flat_store_dwordx3", v); break; }
  default: STORE("flat_store_dwordx4", d); break;
  }
}
__device__ U4 get(int n, const void* p) {
  U4 d = {0, 0, 0, 0};
#define LOAD(op, value) asm volatile(op " %0, %1\n s_waitcnt vmcnt(0) lgkmcnt(0)" : "=&v"(value) : "v"(p) : "memory")
  switch (n) {
  case 1: LOAD("flat_load_ubyte", d.x); break;
  case 2: LOAD("flat_load_ushort", d.x); break;
  case 4: LOAD("flat_load_dword", d.x); break;
  case 8: { U2 v; LOAD("flat_load_dwordx2", v); d.x = v.x, d.y = v.y; break; }
  case 12: { U3 v; LOAD("flat_load_dwordx3", v); d.x = v.x, d.y = v.y, d.z = v.z; break; }
  default: LOAD("flat_load_dwordx4", d); break;
  }
  return d;
}
__host__ __device__ unsigned datum(int lane, int q) { return 0x9e3779b1u * (lane * 4 + q + 1); }

struct Case {
  int where, bytes, offset, spread, read_offset; // where: private, LDS, global
  unsigned long long mask;
};
__global__ void own(Case c, unsigned char* global, U4* read, unsigned char* all) {
  unsigned char mine[kBytes];
  __shared__ unsigned char lds[kLanes * kBytes];
  int lane = threadIdx.x;
  unsigned char* base = c.where == 0 ? mine : c.where == 1 ? lds + kBytes * lane : global + kBytes * lane;
  for (int i = 0; i < kBytes; i++) base[i] = lane * 7 + i * 13;
  if (c.mask >> lane & 1) {
    put(c.bytes, base + c.offset + c.spread * (lane % 5), U4{datum(lane, 0), datum(lane, 1), datum(lane, 2), datum(lane, 3)});
    read[lane] = get(c.bytes, base + c.read_offset + c.spread * (lane % 5));
  }
  for (int i = 0; i < kBytes; i++) all[lane * kBytes + i] = base[i];
}
// Global lanes at `step` bytes from each other; the lanes of lower number store first where they meet. (`mine` is never used: it
// gives the kernel private memory, without which its flat accesses are others.)
__global__ void row(Case c, int step, unsigned char* global, U4* read) {
  unsigned char mine[kBytes] = {};
  unsigned char* p = c.where == 0 ? mine + threadIdx.x % 16 : global + c.offset + step * threadIdx.x;
  if (c.mask >> threadIdx.x & 1) {
    int l = threadIdx.x;
    put(c.bytes, p, U4{datum(l, 0), datum(l, 1), datum(l, 2), datum(l, 3)});
    read[l] = get(c.bytes, p);
  }
}

int main() {
  unsigned char *global, *all, got_all[kLanes * kBytes], want_all[kLanes * kBytes];
  U4 *read, got[kLanes], want[kLanes];
  CK(hipMalloc(&global, sizeof got_all));
  CK(hipMalloc(&all, sizeof got_all));
  CK(hipMalloc(&read, sizeof got));
  auto store = [&](unsigned char* p, int l, int bytes) {
    unsigned d[4] = {datum(l, 0), datum(l, 1), datum(l, 2), datum(l, 3)};
    memcpy(p, d, bytes);
  };
  auto compare = [&](const Case& c, int step, const unsigned char* from, const unsigned char* expected) {
    CK(hipMemcpy(got, read, sizeof got, hipMemcpyDeviceToHost));
    CK(hipMemcpy(got_all, from, sizeof got_all, hipMemcpyDeviceToHost));
    EXPECT(!memcmp(got, want, sizeof got), "read: %d bytes at %d, memory %d, spread %d, step %d, lanes %llx", c.bytes, c.read_offset, c.where, c.spread, step, c.mask);
    EXPECT(!memcmp(got_all, expected, sizeof got_all), "memory after %d bytes at %d, memory %d, spread %d, step %d, lanes %llx", c.bytes, c.offset, c.where, c.spread, step, c.mask);
  };
  for (unsigned long long mask : {~0ull, 0x8c3ffffffff00171ull})
    for (int bytes : {1, 2, 4, 8, 12, 16}) {
      for (int where = 0; where < 3; where++)
        for (int offset = 0; offset < 6; offset++)
          for (int spread : {0, 1, 4}) {
            Case c{where, bytes, offset, spread, offset * 5 % 8, mask};
            memset(want, 0, sizeof want);
            for (int l = 0; l < kLanes; l++) {
              unsigned char* base = want_all + l * kBytes;
              for (int i = 0; i < kBytes; i++) base[i] = l * 7 + i * 13;
              if (!(mask >> l & 1)) continue;
              store(base + offset + spread * (l % 5), l, bytes);
              memcpy(&want[l], base + c.read_offset + spread * (l % 5), bytes);
            }
            CK(hipMemset(read, 0, sizeof got));
            own<<<1, kLanes>>>(c, global, read, all);
            compare(c, 0, all, want_all);
          }
      for (int step : {0, 4, 16})
        for (int offset : {0, 2, 4}) {
          if (step && step < bytes) continue;
          Case c{2, bytes, offset, 0, offset, mask};
          memset(want, 0, sizeof want), memset(want_all, 0x5a, sizeof want_all);
          for (int l = 0; l < kLanes; l++)
            if (mask >> l & 1) store(want_all + offset + step * l, l, bytes);
          for (int l = 0; l < kLanes; l++)
            if (mask >> l & 1) memcpy(&want[l], want_all + offset + step * l, bytes);
          CK(hipMemset(read, 0, sizeof got));
          CK(hipMemset(global, 0x5a, sizeof got_all));
          row<<<1, kLanes>>>(c, step, global, read);
          compare(c, step, global, want_all);
        }
    }
  DONE();
}
