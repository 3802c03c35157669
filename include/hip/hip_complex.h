/* SPDX-License-Identifier: MIT */
/* Complex numbers: hipFloatComplex and hipDoubleComplex are float2 and double2 with functions. */
#ifndef HIP_INCLUDE_HIP_HIP_COMPLEX_H
#define HIP_INCLUDE_HIP_HIP_COMPLEX_H
#include <hip/amd_detail/amd_user_macros_off.h>
#include <hip/hip_common.h>
#include <hip/hip_vector_types.h>
#ifndef __HIPCC_RTC__
#include <math.h>
#endif

#pragma push_macro("__HD__")
#undef __HD__
#ifdef __cplusplus
#define __HD__ __host__ __device__ static inline
#else
#define __HD__ static inline
#endif

typedef float2 hipFloatComplex;
typedef double2 hipDoubleComplex;
typedef hipFloatComplex hipComplex;

#define __HIP_COMPLEX(C, T, f, sqrt_of)                                                            \
  __HD__ T hipCreal##f(C z) {                                                                      \
    return z.x;                                                                                    \
  }                                                                                                \
  __HD__ T hipCimag##f(C z) {                                                                      \
    return z.y;                                                                                    \
  }                                                                                                \
  __HD__ C hip_complex_make##f(T a, T b) {                                                         \
    C z;                                                                                           \
    z.x = a;                                                                                       \
    z.y = b;                                                                                       \
    return z;                                                                                      \
  }                                                                                                \
  __HD__ C hipConj##f(C z) {                                                                       \
    return hip_complex_make##f(z.x, -z.y);                                                         \
  }                                                                                                \
  __HD__ C hipCadd##f(C p, C q) {                                                                  \
    return hip_complex_make##f(p.x + q.x, p.y + q.y);                                              \
  }                                                                                                \
  __HD__ C hipCsub##f(C p, C q) {                                                                  \
    return hip_complex_make##f(p.x - q.x, p.y - q.y);                                              \
  }                                                                                                \
  __HD__ C hipCmul##f(C p, C q) {                                                                  \
    return hip_complex_make##f(p.x * q.x - p.y * q.y, p.y * q.x + p.x * q.y);                      \
  }                                                                                                \
  __HD__ T hipCsqabs##f(C z) {                                                                     \
    return z.x * z.x + z.y * z.y;                                                                  \
  }                                                                                                \
  __HD__ C hipCdiv##f(C p, C q) {                                                                  \
    T n = hipCsqabs##f(q);                                                                         \
    return hip_complex_make##f((p.x * q.x + p.y * q.y) / n, (p.y * q.x - p.x * q.y) / n);          \
  }                                                                                                \
  __HD__ T hipCabs##f(C z) {                                                                       \
    return sqrt_of(hipCsqabs##f(z));                                                               \
  }                                                                                                \
  __HD__ C hipCfma##f(C p, C q, C r) {                                                             \
    return hip_complex_make##f(p.x * q.x - p.y * q.y + r.x, q.x * p.y + p.x * q.y + r.y);          \
  }
__HIP_COMPLEX(hipFloatComplex, float, f, sqrtf)
__HIP_COMPLEX(hipDoubleComplex, double, , sqrt)
#undef __HIP_COMPLEX

__HD__ hipFloatComplex make_hipFloatComplex(float a, float b) {
  return hip_complex_makef(a, b);
}
__HD__ hipDoubleComplex make_hipDoubleComplex(double a, double b) {
  return hip_complex_make(a, b);
}
__HD__ hipComplex make_hipComplex(float a, float b) {
  return hip_complex_makef(a, b);
}
__HD__ hipFloatComplex hipComplexDoubleToFloat(hipDoubleComplex z) {
  return hip_complex_makef((float)z.x, (float)z.y);
}
__HD__ hipDoubleComplex hipComplexFloatToDouble(hipFloatComplex z) {
  return hip_complex_make(z.x, z.y);
}

#pragma pop_macro("__HD__")
#include <hip/amd_detail/amd_user_macros_on.h>
#endif
