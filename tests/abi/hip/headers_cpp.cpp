// SPDX-License-Identifier: MIT
// All headers from a C++ compiler that knows nothing of HIP.
#include <hip/hip_bf16.h>
#include <hip/hip_bfloat16.h>
#include <hip/hip_complex.h>
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_ext.h>
#include <hip/hip_fp16.h>
#include <hip/hip_math_constants.h>
#include <hip/hip_profile.h>
#include <hip/hip_runtime.h>
#include <hip/hip_texture_types.h>
#include <hip/hiprtc.h>
#include <hip/library_types.h>
#include <hip/math_functions.h>

float use() {
  float* p = nullptr;
  if (hipMalloc(&p, 4) != hipSuccess) return 0;
  float4 v = make_float4(1, 2, 3, 4) * 2.0f;
  __half h = __float2half(1.5f);
  return v.x + __half2float(h) + __bfloat162float(__float2bfloat16(2.0f));
}
