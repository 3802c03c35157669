// SPDX-License-Identifier: MIT
// Small kernels for loader, queue and engine tests.
#include "prelude.h"

__device__ int counter = 42;
__device__ int* counter_address = &counter; // needs a relocation
__constant__ float table[4] = {1.0f, 2.0f, 3.0f, 4.0f};
__device__ int zeroed[1024];

extern "C" __global__ void empty() {}

extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
  int i = BLOCK_X * BLOCK_DIM_X + THREAD_X;
  if (i < n) y[i] = a * x[i] + y[i]; // line 14
}

extern "C" __global__ void poke(int* p, int v) { *p = v; }

extern "C" __global__ void read_globals(int* out) {
  out[0] = *counter_address;
  out[1] = (int)table[THREAD_X & 3];
  out[2] = zeroed[7];
}

extern "C" __global__ void add_one(int* p) {
  if (THREAD_X == 0) __atomic_fetch_add(p, 1, __ATOMIC_RELAXED);
}

// Reverses each block of 256 through LDS: needs a barrier.
extern "C" __global__ void reverse(int* p) {
  __shared__ int tile[256];
  int t = THREAD_X, base = BLOCK_X * 256;
  tile[t] = p[base + t];
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  p[base + t] = tile[255 - t];
}

// Workgroup 0 waits for workgroup 1, which starts later.
extern "C" __global__ void wait_for_next(int* flag, int* out) {
  if (BLOCK_X == 0) {
    while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0) __builtin_amdgcn_s_sleep(1);
    if (THREAD_X == 0) *out = 7;
  } else if (THREAD_X == 0) {
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
  }
}

extern "C" __global__ void wait_flag(int* flag, int* out) {
  while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0) __builtin_amdgcn_s_sleep(1);
  *out = 9;
}

extern "C" __global__ void trap() { __builtin_trap(); }

extern "C" __global__ void ids(int* out) {
  int x = THREAD_X, y = __builtin_amdgcn_workitem_id_y(), z = __builtin_amdgcn_workitem_id_z();
  int gx = BLOCK_X, gy = __builtin_amdgcn_workgroup_id_y(), gz = __builtin_amdgcn_workgroup_id_z();
  int i = ((gz * 2 + z) * 6 + gy * 3 + y) * 10 + gx * 5 + x;
  out[i] = x | y << 4 | z << 8 | gx << 12 | gy << 16 | gz << 20;
}

// Private memory with a runtime index: uses scratch.
extern "C" __global__ void scratch(int* out, int n) {
  volatile int local[64];
  int i = BLOCK_X * BLOCK_DIM_X + THREAD_X;
  for (int k = 0; k < 64; ++k) local[k] = i * k;
  out[i] = local[n & 63];
}
