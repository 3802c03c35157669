// SPDX-License-Identifier: MIT
// A byte-code machine in every lane: a switch inside a loop with early exits, where each lane runs its own program.
#include "check.h"
#include <cstdint>

enum Code : uint8_t { k_push, k_add, k_mul, k_sub, k_dup, k_swap, k_jump_if, k_loop_to, k_halt, k_drop };

struct Machine {
  int64_t stack[12];
  int top;
  __host__ __device__ void put(int64_t v) { stack[top++ & 7] = v; }
  __host__ __device__ int64_t take() { return stack[--top & 7]; }
};

__host__ __device__ int64_t execute(const uint8_t* code, int length, int seed, int budget) {
  Machine m{};
  m.put(seed);
  int counter = seed % 5 + 1;
  for (int pc = 0; pc < length;) {
    if (budget-- <= 0)
      return -1 - m.take();
    uint8_t op = code[pc++];
    switch (op % 11) {
    case k_push:
      m.put(code[pc % length] - 100);
      pc++;
      continue;
    case k_add: {
      int64_t a = m.take(), b = m.take();
      m.put((int64_t)((uint64_t)a + (uint64_t)b));
    } break;
    case k_mul: {
      int64_t a = m.take(), b = m.take();
      m.put((int64_t)((uint64_t)a * (uint64_t)b));
    } break;
    case k_sub: {
      int64_t a = m.take(), b = m.take();
      m.put((int64_t)((uint64_t)b - (uint64_t)a));
    }
      [[fallthrough]];
    case k_dup: {
      int64_t a = m.take();
      m.put(a);
      m.put(a ^ pc);
    } break;
    case k_swap: {
      int64_t a = m.take(), b = m.take();
      m.put(a), m.put(b);
    } break;
    case k_jump_if:
      if (m.take() & 1) {
        pc += 2;
        continue;
      }
      break;
    case k_loop_to:
      if (--counter > 0) {
        pc = pc > 6 ? pc - 6 : 0;
        continue;
      }
      counter = 3;
      break;
    case k_halt:
      if (m.top > 3)
        goto done;
      break;
    case k_drop:
      (void)m.take();
      break;
    default: {
      uint64_t a = (uint64_t)m.take() % 1000 + 1, b = (uint64_t)m.take() % 1000 + 1;
      while (b) {
        uint64_t r = a % b;
        a = b, b = r;
        if (a == 7)
          break;
      }
      m.put((int64_t)a);
    }
    }
  }
done:
  int64_t sum = m.top;
  for (int k = 0; k < 8; k++)
    sum = (int64_t)((uint64_t)sum * 31 + (uint64_t)m.stack[k]);
  return sum;
}

__global__ void machines(const uint8_t* code, const int* start, const int* length, int64_t* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = execute(code + start[i], length[i], i, 400 + i % 50);
}

int main() {
  const int n = 777;
  std::vector<uint8_t> code(4096);
  uint32_t r = 99;
  for (auto& c : code)
    r = r * 1103515245 + 12345, c = (uint8_t)(r >> 16);
  std::vector<int> start(n), length(n);
  for (int i = 0; i < n; i++)
    start[i] = (i * 37) % 3900, length[i] = 5 + (i * 13) % 90;
  std::vector<int64_t> got(n);
  int64_t* out = up(got);
  machines<<<3, 100>>>(up(code), up(start), up(length), out, n);
  got = down(out, n);
  for (int i = 0; i < n; i++) {
    int64_t want = execute(code.data() + start[i], length[i], i, 400 + i % 50);
    EXPECT(got[i] == want, "program %d: %lld, host %lld", i, (long long)got[i], (long long)want);
  }
  DONE();
}
