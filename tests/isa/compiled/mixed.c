// SPDX-License-Identifier: MIT
// Device code that makes the compiler use many encodings: control flow, memory of every segment and width, atomics,
// cross-lane operations, packed and half arithmetic, matrix instructions, divisions.
#define KERNEL __attribute__((amdgpu_kernel, visibility("default")))
#define GLOBAL __attribute__((address_space(1)))
#define LOCAL __attribute__((address_space(3)))
typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef float f32x16 __attribute__((ext_vector_type(16)));
typedef _Float16 f16x2 __attribute__((ext_vector_type(2)));
typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));
typedef short i16x2 __attribute__((ext_vector_type(2)));
typedef int i32x4 __attribute__((ext_vector_type(4)));

KERNEL void arithmetic(GLOBAL float* a, GLOBAL double* d, GLOBAL int* i, GLOBAL long* l, int n) {
  int t = __builtin_amdgcn_workitem_id_x() + 64 * __builtin_amdgcn_workgroup_id_x();
  float x = a[t], y = a[t + n];
  double p = d[t], q = d[t + n];
  a[t] = x / y + __builtin_sqrtf(x) * __builtin_fmaf(x, y, 3.5f) - __builtin_floorf(y) + (float)i[t] + (x < y ? -x : __builtin_fabsf(y));
  d[t] = p / q + p * q - (double)i[t] + (p > q ? 1.0 : q) + __builtin_fma(p, q, p);
  l[t] = l[t + n] * l[t] + (l[t] >> (i[t] & 63)) + (l[t] < 0 ? i[t] : (long)x);
  i[t] = i[t] / (i[t + n] | 1) + i[t] % 7 + (int)y + __builtin_popcount(i[t]) + __builtin_clz(i[t] | 1) + (i[t] ^ ~i[n]);
}

KERNEL void halves(GLOBAL f16x2* h, GLOBAL i16x2* s, GLOBAL _Float16* g, GLOBAL unsigned char* b, int n) {
  int t = __builtin_amdgcn_workitem_id_x();
  h[t] = h[t] * h[t + n] + h[t + 1];
  s[t] = s[t] * s[t + n] + (s[t] >> 2);
  g[t] = g[t] * g[t + n] - (_Float16)b[t];
  b[t] = (unsigned char)(b[t + n] + b[t] * 3);
}

static LOCAL int tile[256] __attribute__((loader_uninitialized));
static LOCAL f32x4 wide[64] __attribute__((loader_uninitialized));
KERNEL void sums(GLOBAL int* out, GLOBAL f32x4* v, int n) {

  int t = __builtin_amdgcn_workitem_id_x(), sum = 0;
  for (int k = t; k < n; k += 64) {
    if (out[k] == 5) continue;
    if (out[k] == 99) break;
    switch (out[k] & 7) {
    case 0: sum += k; break;
    case 1: sum ^= 3 * k; break;
    case 2: sum -= k >> 1; break;
    case 3: sum *= 5; break;
    default: sum |= k;
    }
  }
  tile[t] = sum;
  wide[t & 63] = v[t];
  __builtin_amdgcn_s_barrier();
  __atomic_fetch_add(&tile[(t * 7) & 255], 3, __ATOMIC_RELAXED);
  __atomic_fetch_max(&out[n], tile[t ^ 1], __ATOMIC_SEQ_CST);
  v[t] = wide[(t + 1) & 63] * v[t + 64];
  int lane = __builtin_amdgcn_mbcnt_hi(-1, __builtin_amdgcn_mbcnt_lo(-1, 0));
  sum = __builtin_amdgcn_ds_bpermute(lane * 4 ^ 16, sum) + __builtin_amdgcn_readfirstlane(sum);
  sum += __builtin_amdgcn_update_dpp(0, sum, 0x111, 0xf, 0xf, 0);
  out[t] = sum + __builtin_amdgcn_ds_swizzle(sum, 0x041f);
}

KERNEL void stack(GLOBAL int* out, int n) {
  int local[64];
  for (int k = 0; k < 64; ++k) local[k] = out[k] * k;
  for (int k = 0; k < n; ++k) local[out[k] & 63] += local[(k * 5) & 63];
  out[__builtin_amdgcn_workitem_id_x()] = local[n & 63];
}

KERNEL void matrices(GLOBAL float* a, GLOBAL f16x4* h, GLOBAL f32x16* c, GLOBAL f32x4* e) {
  int t = __builtin_amdgcn_workitem_id_x();
  f32x16 acc = c[t];
  for (int k = 0; k < 8; ++k) acc = __builtin_amdgcn_mfma_f32_32x32x2f32(a[t + k], a[t + 64 * k], acc, 0, 0, 0);
  acc = __builtin_amdgcn_mfma_f32_32x32x8f16(h[t], h[t + 64], acc, 0, 0, 0);
  c[t] = acc;
  e[t] = __builtin_amdgcn_mfma_f32_16x16x4f32(a[t], a[t + 1], e[t], 0, 0, 0);
}
