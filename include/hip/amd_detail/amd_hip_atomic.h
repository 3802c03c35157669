/* SPDX-License-Identifier: MIT */
/* Atomics: atomicX for the device, atomicX_system for device and host, atomicX_block for a
 * workgroup. All relaxed. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_ATOMIC_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_ATOMIC_H

#include <hip/amd_detail/host_defines.h>

#pragma push_macro("__DEVICE__")
#undef __DEVICE__
#define __DEVICE__ static __device__ inline __attribute__((always_inline))

namespace hip_impl {
/// Applies `op` until no other lane changed the word in between; for what the hardware lacks.
template <int kScope, class T, class Op> __DEVICE__ T atomic_loop(T* address, Op op) {
  T seen = __hip_atomic_load(address, __ATOMIC_RELAXED, kScope);
  T next;
  do
    next = op(seen);
  while (!__hip_atomic_compare_exchange_strong(address, &seen, next, __ATOMIC_RELAXED,
                                               __ATOMIC_RELAXED, kScope));
  return seen;
}
template <class A, class B> struct same {
  static constexpr bool value = false;
};
template <class A> struct same<A, A> {
  static constexpr bool value = true;
};
} // namespace hip_impl

#define __HIP_ATOMIC_FETCH(suffix, scope, name, op, T)                                             \
  __DEVICE__ T name##suffix(T* address, T value) {                                                 \
    return __hip_atomic_##op(address, value, __ATOMIC_RELAXED, scope);                             \
  }
#define __HIP_ATOMIC_CAS(suffix, scope, T)                                                         \
  __DEVICE__ T atomicCAS##suffix(T* address, T compare, T value) {                                 \
    __hip_atomic_compare_exchange_strong(address, &compare, value, __ATOMIC_RELAXED,               \
                                         __ATOMIC_RELAXED, scope);                                 \
    return compare;                                                                                \
  }
#define __HIP_ATOMIC_SUB(suffix, scope, T)                                                         \
  __DEVICE__ T atomicSub##suffix(T* address, T value) {                                            \
    return __hip_atomic_fetch_add(address, (T) - value, __ATOMIC_RELAXED, scope);                  \
  }
/* A NaN operand loses, as with fmin and fmax. */
#define __HIP_ATOMIC_FLOAT_MINMAX(suffix, scope, T)                                                \
  __DEVICE__ T atomicMin##suffix(T* address, T value) {                                            \
    return hip_impl::atomic_loop<scope>(address,                                                   \
                                        [=](T seen) { return seen < value ? seen : value; });      \
  }                                                                                                \
  __DEVICE__ T atomicMax##suffix(T* address, T value) {                                            \
    return hip_impl::atomic_loop<scope>(address,                                                   \
                                        [=](T seen) { return seen > value ? seen : value; });      \
  }
#define __HIP_ATOMIC_INTEGER(suffix, scope, T)                                                     \
  __HIP_ATOMIC_FETCH(suffix, scope, atomicAdd, fetch_add, T)                                       \
  __HIP_ATOMIC_SUB(suffix, scope, T)                                                               \
  __HIP_ATOMIC_FETCH(suffix, scope, atomicExch, exchange, T)                                       \
  __HIP_ATOMIC_FETCH(suffix, scope, atomicMin, fetch_min, T)                                       \
  __HIP_ATOMIC_FETCH(suffix, scope, atomicMax, fetch_max, T)                                       \
  __HIP_ATOMIC_FETCH(suffix, scope, atomicAnd, fetch_and, T)                                       \
  __HIP_ATOMIC_FETCH(suffix, scope, atomicOr, fetch_or, T)                                         \
  __HIP_ATOMIC_FETCH(suffix, scope, atomicXor, fetch_xor, T)                                       \
  __HIP_ATOMIC_CAS(suffix, scope, T)
#define __HIP_ATOMIC_FLOAT(suffix, scope, T)                                                       \
  __HIP_ATOMIC_FETCH(suffix, scope, atomicAdd, fetch_add, T)                                       \
  __HIP_ATOMIC_SUB(suffix, scope, T)                                                               \
  __HIP_ATOMIC_FETCH(suffix, scope, atomicExch, exchange, T)                                       \
  __HIP_ATOMIC_FLOAT_MINMAX(suffix, scope, T)                                                      \
  __HIP_ATOMIC_CAS(suffix, scope, T)
#define __HIP_ATOMICS(suffix, scope)                                                               \
  __HIP_ATOMIC_INTEGER(suffix, scope, int)                                                         \
  __HIP_ATOMIC_INTEGER(suffix, scope, unsigned int)                                                \
  __HIP_ATOMIC_INTEGER(suffix, scope, long)                                                        \
  __HIP_ATOMIC_INTEGER(suffix, scope, unsigned long)                                               \
  __HIP_ATOMIC_INTEGER(suffix, scope, long long)                                                   \
  __HIP_ATOMIC_INTEGER(suffix, scope, unsigned long long)                                          \
  __HIP_ATOMIC_FLOAT(suffix, scope, float)                                                         \
  __HIP_ATOMIC_FLOAT(suffix, scope, double)
__HIP_ATOMICS(, __HIP_MEMORY_SCOPE_AGENT)
__HIP_ATOMICS(_system, __HIP_MEMORY_SCOPE_SYSTEM)
__HIP_ATOMICS(_block, __HIP_MEMORY_SCOPE_WORKGROUP)
__HIP_ATOMIC_CAS(, __HIP_MEMORY_SCOPE_AGENT, unsigned short)
__HIP_ATOMIC_CAS(_system, __HIP_MEMORY_SCOPE_SYSTEM, unsigned short)

/* Wrapping counters. */
__DEVICE__ unsigned int atomicInc(unsigned int* address, unsigned int limit) {
  return __builtin_amdgcn_atomic_inc32(address, limit, __ATOMIC_RELAXED, "agent");
}
__DEVICE__ unsigned int atomicDec(unsigned int* address, unsigned int limit) {
  return __builtin_amdgcn_atomic_dec32(address, limit, __ATOMIC_RELAXED, "agent");
}
__DEVICE__ unsigned int atomicInc_system(unsigned int* address, unsigned int limit) {
  return __builtin_amdgcn_atomic_inc32(address, limit, __ATOMIC_RELAXED, "");
}
__DEVICE__ unsigned int atomicDec_system(unsigned int* address, unsigned int limit) {
  return __builtin_amdgcn_atomic_dec32(address, limit, __ATOMIC_RELAXED, "");
}

/* Hardware floating-point atomics. They need memory of the device itself (coarse-grained); on other
   memory the hardware drops the update. The safe forms are loops of compare-and-swap where the
   hardware has no exact match. */
__DEVICE__ float unsafeAtomicAdd(float* address, float value) {
#if defined(__gfx90a__) || defined(__gfx940__) || defined(__gfx941__) || defined(__gfx942__)
  if (__builtin_amdgcn_is_shared((const __attribute__((address_space(0))) void*)address))
    return __builtin_amdgcn_ds_faddf((__attribute__((address_space(3))) float*)address, value, 0, 0,
                                     0);
  if (__builtin_amdgcn_is_private((const __attribute__((address_space(0))) void*)address)) {
    float seen = *address;
    *address = seen + value;
    return seen;
  }
  return __builtin_amdgcn_global_atomic_fadd_f32((__attribute__((address_space(1))) float*)address,
                                                 value);
#else
  return atomicAdd(address, value);
#endif
}
__DEVICE__ double unsafeAtomicAdd(double* address, double value) {
#if defined(__gfx90a__) || defined(__gfx940__) || defined(__gfx941__) || defined(__gfx942__)
  return __builtin_amdgcn_flat_atomic_fadd_f64(address, value);
#else
  return atomicAdd(address, value);
#endif
}
__DEVICE__ double unsafeAtomicMin(double* address, double value) {
#if defined(__gfx90a__) || defined(__gfx940__) || defined(__gfx941__) || defined(__gfx942__)
  return __builtin_amdgcn_flat_atomic_fmin_f64(address, value);
#else
  return atomicMin(address, value);
#endif
}
__DEVICE__ double unsafeAtomicMax(double* address, double value) {
#if defined(__gfx90a__) || defined(__gfx940__) || defined(__gfx941__) || defined(__gfx942__)
  return __builtin_amdgcn_flat_atomic_fmax_f64(address, value);
#else
  return atomicMax(address, value);
#endif
}
__DEVICE__ float unsafeAtomicMin(float* address, float value) {
  return atomicMin(address, value);
}
__DEVICE__ float unsafeAtomicMax(float* address, float value) {
  return atomicMax(address, value);
}
__DEVICE__ float safeAtomicAdd(float* address, float value) {
  return hip_impl::atomic_loop<__HIP_MEMORY_SCOPE_AGENT>(address,
                                                         [=](float seen) { return seen + value; });
}
__DEVICE__ double safeAtomicAdd(double* address, double value) {
  return hip_impl::atomic_loop<__HIP_MEMORY_SCOPE_AGENT>(address,
                                                         [=](double seen) { return seen + value; });
}
__DEVICE__ float safeAtomicMin(float* address, float value) {
  return atomicMin(address, value);
}
__DEVICE__ float safeAtomicMax(float* address, float value) {
  return atomicMax(address, value);
}
__DEVICE__ double safeAtomicMin(double* address, double value) {
  return atomicMin(address, value);
}
__DEVICE__ double safeAtomicMax(double* address, double value) {
  return atomicMax(address, value);
}
__DEVICE__ void atomicAddNoRet(float* address, float value) {
  (void)unsafeAtomicAdd(address, value);
}

#undef __HIP_ATOMICS
#undef __HIP_ATOMIC_FLOAT
#undef __HIP_ATOMIC_INTEGER
#undef __HIP_ATOMIC_FLOAT_MINMAX
#undef __HIP_ATOMIC_SUB
#undef __HIP_ATOMIC_CAS
#undef __HIP_ATOMIC_FETCH
#pragma pop_macro("__DEVICE__")

#endif
