// SPDX-License-Identifier: MIT
// Kernels whose waves depend on each other: barriers, LDS and global atomics, a spin on another wave's store.
#define KERNEL __attribute__((amdgpu_kernel, visibility("default")))
#define GLOBAL __attribute__((address_space(1)))
#define LOCAL __attribute__((address_space(3)))
static LOCAL unsigned tile[256] __attribute__((loader_uninitialized));
static LOCAL unsigned flag __attribute__((loader_uninitialized));
static void barrier(void) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

KERNEL void reduce(GLOBAL const unsigned* in, GLOBAL unsigned* out, GLOBAL unsigned* count) {
  unsigned t = __builtin_amdgcn_workitem_id_x(), g = __builtin_amdgcn_workgroup_id_x();
  tile[t] = in[g * 256 + t];
  barrier();
  for (unsigned s = 128; s > 0; s >>= 1) {
    if (t < s) tile[t] += tile[t + s];
    barrier();
  }
  if (t == 0) __atomic_fetch_add(out, tile[0], __ATOMIC_RELAXED);
  __atomic_fetch_add(count, 1, __ATOMIC_SEQ_CST);
  __atomic_fetch_max(count + 1, in[g * 256 + t], __ATOMIC_RELAXED);
  __atomic_fetch_xor(count + 2, t * 2654435761u, __ATOMIC_RELAXED);
}

KERNEL void scan(GLOBAL const unsigned* in, GLOBAL unsigned* out, GLOBAL unsigned* unused) {
  unsigned t = __builtin_amdgcn_workitem_id_x(), g = __builtin_amdgcn_workgroup_id_x();
  tile[t] = in[g * 256 + t];
  barrier();
  for (unsigned s = 1; s < 256; s <<= 1) {
    unsigned v = t >= s ? tile[t - s] : 0;
    barrier();
    tile[t] += v;
    barrier();
  }
  out[g * 256 + t] = tile[t];
}

// Every wave but the last waits for the next one's flag.
KERNEL void chain(GLOBAL const unsigned* in, GLOBAL unsigned* out, GLOBAL unsigned* count) {
  unsigned t = __builtin_amdgcn_workitem_id_x(), wave = __builtin_amdgcn_readfirstlane(t / 64);
  if (t == 0) flag = 3;
  barrier();
  while (__atomic_load_n(&flag, __ATOMIC_ACQUIRE) != wave) __builtin_amdgcn_s_sleep(1);
  if (t % 64 == 0) {
    out[3 - wave] = __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&flag, wave - 1, __ATOMIC_RELEASE);
  }
}
