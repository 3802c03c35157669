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

#ifdef __gfx942__
// Sparse forms: an index register more; `a` and `b` differ in size.
typedef _Float16 f16x8 __attribute__((ext_vector_type(8)));
typedef int i32x2 __attribute__((ext_vector_type(2)));
#define S(name, T, A, B, builtin, abid)                                                                                \
  __attribute__((amdgpu_kernel, visibility("default"))) void k_##name(                                                 \
      const GLOBAL A* a, const GLOBAL B* b, const GLOBAL T* c, GLOBAL T* d, const GLOBAL int* index) {                 \
    int lane = __builtin_amdgcn_workitem_id_x();                                                                       \
    d[lane] = __builtin_amdgcn_##builtin(a[lane], b[lane], c[lane], index[lane], 0, abid);                             \
  }
S(sparse_f16_16x16x32, f32x4, f16x4, f16x8, smfmac_f32_16x16x32_f16, 0)
S(sparse_f16_32x32x16, f32x16, f16x4, f16x8, smfmac_f32_32x32x16_f16, 3)
S(sparse_i8_16x16x64, i32x4, i32x2, i32x4, smfmac_i32_16x16x64_i8, 0)
S(sparse_i8_32x32x32, i32x16, i32x2, i32x4, smfmac_i32_32x32x32_i8, 1)
#endif
