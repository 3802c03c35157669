// SPDX-License-Identifier: MIT
// Device side of builtins.def.
#include "reference.h"
typedef _Float16 f16x2 __attribute__((ext_vector_type(2)));
// An instruction by name on VGPRs; V1..V3: number of sources.
#define V1(R, text, x) ({ R r_; __asm__(text " %0, %1" : "=v"(r_) : "v"(x)); r_; })
#define V2(R, text, x, y) ({ R r_; __asm__(text " %0, %1, %2" : "=v"(r_) : "v"(x), "v"(y)); r_; })
#define V3(R, text, x, y, z) ({ R r_; __asm__(text " %0, %1, %2, %3" : "=v"(r_) : "v"(x), "v"(y), "v"(z)); r_; })
#define PACKED(v) __builtin_bit_cast(u32, v)
static u32 ref_classes(f32 v) {
  u32 set = 0;
  for (int n = 0; n < 10; ++n) set |= (u32)__builtin_amdgcn_classf(v, 1 << n) << n;
  return set;
}
#define G(name, R, A, device, host)                                                                                    \
  __attribute__((amdgpu_kernel, visibility("default"))) void k_##name(                                                 \
      const __attribute__((address_space(1))) A* pa, const __attribute__((address_space(1))) A* pb,                    \
      const __attribute__((address_space(1))) A* pc, __attribute__((address_space(1))) R* out, u32 count) {            \
    u32 n = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();                                 \
    if (n >= count) return;                                                                                            \
    A a = pa[n], b = pb[n], c = pc[n];                                                                                 \
    (void)a, (void)b, (void)c;                                                                                         \
    out[n] = device;                                                                                                   \
  }
#include "builtins.def"
