/* SPDX-License-Identifier: MIT */
/* Short vectors: float4, uchar2, ... HIP_vector_type<T, N> in C++ (that name is in mangled kernel
   names), plain structs in C. Sizes and alignments: N = 3 is packed, N = 2 and 4 are aligned to
   their size. */
#ifndef HIP_INCLUDE_HIP_HIP_VECTOR_TYPES_H
#define HIP_INCLUDE_HIP_HIP_VECTOR_TYPES_H
#include <hip/amd_detail/amd_user_macros_off.h>
#include <hip/amd_detail/host_defines.h>
#include <hip/hip_common.h>
#ifdef __cplusplus
#include <hip/amd_detail/amd_hip_vector_types.h>
#else
#define __HIP_C_VECTORS(T, name)                                                                   \
  typedef struct {                                                                                 \
    T x;                                                                                           \
  } name##1;                                                                                       \
  typedef struct {                                                                                 \
    T x, y;                                                                                        \
  } __attribute__((aligned(2 * sizeof(T)))) name##2;                                               \
  typedef struct {                                                                                 \
    T x, y, z;                                                                                     \
  } name##3;                                                                                       \
  typedef struct {                                                                                 \
    T x, y, z, w;                                                                                  \
  } __attribute__((aligned(4 * sizeof(T)))) name##4;
__HIP_C_VECTORS(signed char, char)
__HIP_C_VECTORS(unsigned char, uchar)
__HIP_C_VECTORS(short, short)
__HIP_C_VECTORS(unsigned short, ushort)
__HIP_C_VECTORS(int, int)
__HIP_C_VECTORS(unsigned int, uint)
__HIP_C_VECTORS(long, long)
__HIP_C_VECTORS(unsigned long, ulong)
__HIP_C_VECTORS(long long, longlong)
__HIP_C_VECTORS(unsigned long long, ulonglong)
__HIP_C_VECTORS(float, float)
__HIP_C_VECTORS(double, double)
#endif

#include <hip/amd_detail/amd_user_macros_on.h>
#endif
