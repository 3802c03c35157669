// SPDX-License-Identifier: MIT
// Device side of functions.def: one kernel per function.
#include "programs.h"
#define F(name, R, A, expression)                                                                                      \
  static __attribute__((noinline)) R name(A a, A b, A c) { return expression; }                                        \
  __attribute__((amdgpu_kernel, visibility("default"))) void k_##name(                                                 \
      const __attribute__((address_space(1))) A* a, const __attribute__((address_space(1))) A* b,                      \
      const __attribute__((address_space(1))) A* c, __attribute__((address_space(1))) R* out, u32 n) {                 \
    u32 t = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();                                 \
    if (t < n) out[t] = name(a[t], b[t], c[t]);                                                                        \
  }
#include "functions.def"
