/* SPDX-License-Identifier: MIT */
/* The API headers from C. */
#include <hip/hip_runtime_api.h>
#include <hip/hip_complex.h>
#include <hip/hip_fp16.h>
#include <hip/hip_bfloat16.h>
#include <hip/hip_vector_types.h>
#include <hip/hiprtc.h>
#include <hip/library_types.h>

int use(void) {
  hipDeviceProp_t p;
  dim3 d = {1, 1, 1};
  float4 f = {1, 2, 3, 4};
  hipComplex z = make_hipComplex(1, 2);
  return hipGetDeviceProperties(&p, 0) == hipSuccess && d.x == 1 && f.w == 4 && z.x == 1;
}
