// SPDX-License-Identifier: MIT
// Guest faults become sticky errors; the process lives. One kind per run, named by the argument.
#include "check.h"
#include <cassert>
#include <cstring>

__global__ void write_to(int* p) { p[threadIdx.x] = 1; }
__global__ void asserts(int limit) { assert(int(threadIdx.x) < limit); }
__global__ void traps() { __builtin_trap(); }
/// Too long to be run again for the report.
__global__ void late(int* p, unsigned* q, unsigned turns) {
  unsigned x = threadIdx.x;
  for (unsigned k = 0; k < turns; k++) x = x * 1664525u + 1013904223u;
  *p = x;
  atomicMax(q, x);
}
/// Also too long, and the loop with the fault is one that the waves of the workgroup run together.
__global__ void stream(const int* p, unsigned* q, int step, int steps, unsigned turns) {
  unsigned t = threadIdx.x, x = t;
  for (unsigned k = 0; k < turns; k++) x = x * 1664525u + 1013904223u;
  p += t;
#pragma clang loop unroll(disable)
  for (int k = 0; k < steps; k++) {
    x += *p; // the line in the report
    p += k == 20 && t / 64 == 2 ? 1 << 30 : step;
  }
  *q = x;
}
__global__ void fine(int* p) { *p = 5; }

int main(int argc, char** argv) {
  const char* kind = argc > 1 ? argv[1] : "address";
  int* p = nullptr;
  HIP(hipMalloc(&p, 4));
  hipError_t expected = hipErrorIllegalAddress;
  if (!std::strcmp(kind, "address")) write_to<<<1, 64>>>(reinterpret_cast<int*>(uintptr_t{64}));
  else if (!std::strcmp(kind, "beyond")) write_to<<<1, 64>>>(p + (size_t(1) << 30));
  else if (!std::strcmp(kind, "late")) late<<<1, 64>>>(p, reinterpret_cast<unsigned*>(uintptr_t{64}), 40'000'000);
  else if (!std::strcmp(kind, "stream")) {
    int* many;
    HIP(hipMalloc(&many, 64 * 8192 * 4));
    stream<<<1, 256>>>(many, reinterpret_cast<unsigned*>(p), 8192, 60, 40'000'000);
  } else if (!std::strcmp(kind, "assert")) asserts<<<1, 64>>>(10), expected = hipErrorAssert;
  else traps<<<1, 64>>>(), expected = hipErrorLaunchFailure;
  HIP(hipGetLastError());
  EXPECT_ERROR(hipDeviceSynchronize(), expected);
  // Sticky: every later operation repeats it, queries still work.
  fine<<<1, 1>>>(p);
  EXPECT_ERROR(hipGetLastError(), expected);
  int value = 0;
  EXPECT_ERROR(hipMemcpy(&value, p, 4, hipMemcpyDeviceToHost), expected);
  EXPECT_ERROR(hipStreamSynchronize(nullptr), expected);
  int count = 0;
  HIP(hipGetDeviceCount(&count));
  CHECK(count >= 1);
  // A reset gives a working device back.
  HIP(hipDeviceReset());
  (void)hipGetLastError();
  HIP(hipMalloc(&p, 4));
  fine<<<1, 1>>>(p);
  HIP(hipDeviceSynchronize());
  CHECK_EQ(host_copy(p, 1)[0], 5);
  return finish();
}
