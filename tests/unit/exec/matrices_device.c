// SPDX-License-Identifier: MIT
// One kernel per matrix instruction shape: loads registers of A, B and C as given per lane and stores D's.
#define GLOBAL __attribute__((address_space(1)))
typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef float f32x16 __attribute__((ext_vector_type(16)));
typedef float f32x32 __attribute__((ext_vector_type(32)));
typedef int i32x4 __attribute__((ext_vector_type(4)));
typedef int i32x16 __attribute__((ext_vector_type(16)));
typedef int i32x32 __attribute__((ext_vector_type(32)));
typedef double f64x4 __attribute__((ext_vector_type(4)));
typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));
typedef short s16x4 __attribute__((ext_vector_type(4)));
typedef short s16x2 __attribute__((ext_vector_type(2)));
typedef float f32x2 __attribute__((ext_vector_type(2)));
#define M(name, T, A, builtin)                                                                                         \
  __attribute__((amdgpu_kernel, visibility("default"))) void k_##name(const GLOBAL A* a, const GLOBAL A* b,            \
                                                                      const GLOBAL T* c, GLOBAL T* d) {                \
    int lane = __builtin_amdgcn_workitem_id_x();                                                                       \
    d[lane] = __builtin_amdgcn_##builtin(a[lane], b[lane], c[lane], 0, 0, 0);                                          \
  }
#include "matrices.def"
