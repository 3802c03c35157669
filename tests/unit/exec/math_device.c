// SPDX-License-Identifier: MIT
// One kernel per device library function of math.def.
#define GLOBAL __attribute__((address_space(1)))
#define K(name, T, function)                                                                                           \
  T function(T);                                                                                                       \
  __attribute__((amdgpu_kernel, visibility("default"))) void k_##name(const GLOBAL T* in, GLOBAL T* out, int n) {      \
    int t = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();                                 \
    if (t < n) out[t] = function(in[t]);                                                                               \
  }
#define L32(name, host, ulp, where) K(name##_f32, float, __ocml_##name##_f32)
#define L64(name, host, ulp, where) K(name##_f64, double, __ocml_##name##_f64)
#include "math.def"
