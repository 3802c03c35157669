// SPDX-License-Identifier: MIT
// Atomics used to build things: a hash table, a ticket lock between workgroups, a linked list, minima of doubles by
// compare-and-swap, saturating counters; system and block scopes.
#include "check.h"
#include <cstdint>

constexpr int kSlots = 4096;
__global__ void insert(unsigned long long* table, int* collisions, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned long long key = (unsigned long long)(i % (n / 2)) * 2654435761u + 1;
  unsigned slot = (unsigned)(key >> 7) % kSlots;
  while (true) {
    unsigned long long seen = atomicCAS(&table[slot], 0ull, key);
    if (seen == 0 || seen == key)
      break;
    atomicAdd(collisions, 1);
    slot = (slot + 1) % kSlots;
  }
}

struct Ticket {
  unsigned next, serving;
};
__global__ void ticketed(Ticket* lock, long long* sum, int* order) {
  if (threadIdx.x == 0) {
    unsigned mine = atomicAdd(&lock->next, 1u);
    while (__hip_atomic_load(&lock->serving, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) != mine)
      __builtin_amdgcn_s_sleep(1);
    *sum = *sum * 3 + mine; // no atomic: the lock protects it
    order[mine] = blockIdx.x;
    __hip_atomic_store(&lock->serving, mine + 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
  }
}

struct Item {
  int next, value;
};
__global__ void push(Item* items, int* head) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  items[i].value = i * i;
  int old = *head, seen;
  do {
    seen = old;
    items[i].next = seen;
    __threadfence();
    old = atomicCAS(head, seen, i);
  } while (old != seen);
}

__device__ void lower(double* at, double v) {
  auto* bits = reinterpret_cast<unsigned long long*>(at);
  unsigned long long old = *bits;
  while (__longlong_as_double((long long)old) > v) {
    unsigned long long seen = atomicCAS(bits, old, (unsigned long long)__double_as_longlong(v));
    if (seen == old)
      break;
    old = seen;
  }
}
__global__ void others(double* least, int* i, unsigned* u, float* f, long long* l) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  lower(least, 1000.0 / (1 + (t * 7919) % 2048) - 3);
  __shared__ unsigned inside;
  if (threadIdx.x == 0)
    inside = 0;
  __syncthreads();
  atomicAdd_block(&inside, 1u);
  __syncthreads();
  if (threadIdx.x == 0)
    atomicAdd_system(&u[0], inside);
  atomicInc(&u[1], 10);
  atomicDec(&u[2], 6);
  atomicMin(&i[0], (t * 31) % 1000 - 500);
  atomicMax(&l[0], ((long long)t << 35) ^ 5);
  atomicAdd(&f[0], (float)(t & 3));
  atomicXor(&u[3], (unsigned)t * 2654435761u);
  atomicAnd(&u[4], ~(1u << (t & 15)));
  atomicOr(&u[5], 1u << (t & 15));
  atomicSub(&i[1], t);
  unsigned old = atomicExch(&u[6], (unsigned)t + 1);
  atomicAdd((unsigned long long*)&l[1], (unsigned long long)old);
}

int main() {
  const int n = 2000;
  auto* table = up(std::vector<unsigned long long>(kSlots));
  int* collisions = up(std::vector<int>(1));
  insert<<<8, 256>>>(table, collisions, n);
  int used = 0;
  for (auto k : down(table, kSlots))
    used += k != 0;
  EXPECT(used == n / 2, "%d keys of %d", used, n / 2);

  const int blocks = 24;
  auto* lock = up(std::vector<Ticket>(1));
  auto* sum = up(std::vector<long long>(1));
  auto* order = up(std::vector<int>(blocks, -1));
  ticketed<<<blocks, 64>>>(lock, sum, order);
  long long want = 0;
  for (int k = 0; k < blocks; k++)
    want = want * 3 + k;
  EXPECT(down(sum, 1)[0] == want, "ticket sum %lld want %lld", down(sum, 1)[0], want);
  auto o = down(order, blocks);
  std::sort(o.begin(), o.end());
  for (int k = 0; k < blocks; k++)
    EXPECT(o[k] == k, "workgroup %d served", k);

  auto* items = up(std::vector<Item>(1024));
  int* head = up(std::vector<int>(1, -1));
  push<<<4, 256>>>(items, head);
  auto list = down(items, 1024);
  long long total = 0, count = 0;
  for (int at = down(head, 1)[0]; at >= 0 && count <= 1024; at = list[at].next)
    total += list[at].value, count++;
  EXPECT(count == 1024 && total == 1023ll * 1024 * 2047 / 6, "list of %lld items, sum %lld", count, total);

  auto* least = up(std::vector<double>(1, 1e300));
  auto* i = up(std::vector<int>{100, 0});
  auto* u = up(std::vector<unsigned>{0, 0, 0, 0, ~0u, 0, 0});
  auto* f = up(std::vector<float>(1));
  auto* l = up(std::vector<long long>(2));
  others<<<8, 128>>>(least, i, u, f, l);
  double low = 1e300;
  int lowest = 100, minus = 0;
  unsigned x = 0;
  for (int t = 0; t < 1024; t++) {
    low = std::min(low, 1000.0 / (1 + (t * 7919) % 2048) - 3);
    lowest = std::min(lowest, (t * 31) % 1000 - 500), minus -= t, x ^= (unsigned)t * 2654435761u;
  }
  auto gi = down(i, 2);
  auto gu = down(u, 7);
  auto gl = down(l, 2);
  EXPECT(down(least, 1)[0] == low, "least %g", down(least, 1)[0]);
  EXPECT(gi[0] == lowest && gi[1] == minus, "int %d %d", gi[0], gi[1]);
  EXPECT(gu[0] == 1024 && gu[1] == 1024 % 11, "sum %u inc %u", gu[0], gu[1]);
  EXPECT(gu[2] == (7 - 1024 % 7) % 7, "dec %u", gu[2]);
  EXPECT(gu[3] == x && gu[4] == 0xffff0000 && gu[5] == 0xffff, "bits %x %x %x", gu[3], gu[4], gu[5]);
  EXPECT(gl[0] == ((1023ll << 35) ^ 5), "max %llx", gl[0]);
  EXPECT(gl[1] + gu[6] == 1024ll * 1025 / 2, "exchanges %lld", gl[1] + gu[6]);
  EXPECT(down(f, 1)[0] == 1536.f, "float %g", down(f, 1)[0]);
  DONE();
}
