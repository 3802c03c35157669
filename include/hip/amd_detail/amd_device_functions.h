/* SPDX-License-Identifier: MIT */
/* Integer and conversion intrinsics, barriers, fences, clocks. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_AMD_DEVICE_FUNCTIONS_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_AMD_DEVICE_FUNCTIONS_H

#include <hip/amd_detail/host_defines.h>
#include <hip/hip_vector_types.h>

#pragma push_macro("__DEVICE__")
#undef __DEVICE__
#define __DEVICE__ static __device__ inline __attribute__((always_inline))

/* Bits. */
__DEVICE__ unsigned int __popc(unsigned int x) {
  return unsigned(__builtin_popcount(x));
}
__DEVICE__ unsigned int __popcll(unsigned long long x) {
  return unsigned(__builtin_popcountll(x));
}
__DEVICE__ int __clz(int x) {
  return x == 0 ? 32 : __builtin_clz(unsigned(x));
}
__DEVICE__ int __clzll(long long x) {
  return x == 0 ? 64 : __builtin_clzll((unsigned long long)x);
}
__DEVICE__ int __ffs(unsigned int x) {
  return x == 0 ? 0 : __builtin_ctz(x) + 1;
}
__DEVICE__ int __ffs(int x) {
  return __ffs(unsigned(x));
}
__DEVICE__ int __ffsll(unsigned long long x) {
  return x == 0 ? 0 : __builtin_ctzll(x) + 1;
}
__DEVICE__ int __ffsll(unsigned long x) {
  return __ffsll((unsigned long long)x);
}
__DEVICE__ int __ffsll(long long x) {
  return __ffsll((unsigned long long)x);
}
__DEVICE__ int __ffsll(long x) {
  return __ffsll((unsigned long long)x);
}
__DEVICE__ unsigned int __brev(unsigned int x) {
  return __builtin_bitreverse32(x);
}
__DEVICE__ unsigned long long __brevll(unsigned long long x) {
  return __builtin_bitreverse64(x);
}
__DEVICE__ unsigned int __lastbit_u32_u64(unsigned long long x) {
  return x == 0 ? ~0u : unsigned(__builtin_ctzll(x));
}
__DEVICE__ unsigned int __bitextract_u32(unsigned int x, unsigned int offset, unsigned int width) {
  offset &= 31;
  width &= 31;
  return width == 0 ? 0
                    : (x << (32 - offset - width > 31 ? 0 : 32 - offset - width)) >> (32 - width);
}
__DEVICE__ unsigned long long __bitextract_u64(unsigned long long x, unsigned int offset,
                                               unsigned int width) {
  return width == 0 ? 0 : (x >> (offset & 63)) & (~0ull >> (64 - (width & 63)));
}
__DEVICE__ unsigned int __bitinsert_u32(unsigned int x, unsigned int y, unsigned int offset,
                                        unsigned int width) {
  unsigned mask = ((1u << (width & 31)) - 1) << (offset & 31);
  return (x & ~mask) | ((y << (offset & 31)) & mask);
}
__DEVICE__ unsigned long long __bitinsert_u64(unsigned long long x, unsigned long long y,
                                              unsigned int offset, unsigned int width) {
  unsigned long long mask = ((1ull << (width & 63)) - 1) << (offset & 63);
  return (x & ~mask) | ((y << (offset & 63)) & mask);
}
/// Position of the `nth` set bit of `mask` from `base` on (upwards for nth > 0, downwards for nth <
/// 0); -1: none.
__DEVICE__ int __fns64(unsigned long long mask, unsigned int base, int nth) {
  if (nth == 0)
    return (mask >> base) & 1 ? int(base) : -1;
  int step = nth > 0 ? 1 : -1, left = nth > 0 ? nth : -nth;
  for (int i = int(base); i >= 0 && i < 64; i += step)
    if (((mask >> i) & 1) && --left == 0)
      return i;
  return -1;
}
__DEVICE__ int __fns32(unsigned long long mask, unsigned int base, int nth) {
  return __fns64(mask, base, nth);
}
__DEVICE__ int __fns(unsigned int mask, unsigned int base, int nth) {
  return __fns64(mask, base, nth);
}

/* Bytes. */
__DEVICE__ unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) {
  unsigned long long pool = ((unsigned long long)y << 32) | x;
  unsigned int result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    unsigned s = (selector >> (i * 4)) & 0xf;
    unsigned byte = unsigned(pool >> ((s & 7) * 8)) & 0xff;
    if (s & 8)
      byte = (byte & 0x80) ? 0xff : 0;
    result |= byte << (i * 8);
  }
  return result;
}
__DEVICE__ unsigned int __funnelshift_l(unsigned int lo, unsigned int hi, unsigned int shift) {
  return unsigned((((unsigned long long)hi << 32 | lo) << (shift & 31)) >> 32);
}
__DEVICE__ unsigned int __funnelshift_lc(unsigned int lo, unsigned int hi, unsigned int shift) {
  return shift >= 32 ? lo : __funnelshift_l(lo, hi, shift);
}
__DEVICE__ unsigned int __funnelshift_r(unsigned int lo, unsigned int hi, unsigned int shift) {
  return __builtin_amdgcn_alignbit(hi, lo, shift);
}
__DEVICE__ unsigned int __funnelshift_rc(unsigned int lo, unsigned int hi, unsigned int shift) {
  return shift >= 32 ? hi : __builtin_amdgcn_alignbit(hi, lo, shift);
}
__DEVICE__ unsigned int __sad(int x, int y, unsigned int z) {
  return unsigned(x > y ? (long long)x - y : (long long)y - x) + z;
}
__DEVICE__ unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) {
  return (x > y ? x - y : y - x) + z;
}

/* Integer arithmetic. */
__DEVICE__ int __hadd(int x, int y) {
  return int(((long long)x + y) >> 1);
}
__DEVICE__ int __rhadd(int x, int y) {
  return int(((long long)x + y + 1) >> 1);
}
__DEVICE__ unsigned int __uhadd(unsigned int x, unsigned int y) {
  return unsigned(((unsigned long long)x + y) >> 1);
}
__DEVICE__ unsigned int __urhadd(unsigned int x, unsigned int y) {
  return unsigned(((unsigned long long)x + y + 1) >> 1);
}
__DEVICE__ int __mul24(int x, int y) {
  return ((x << 8) >> 8) * ((y << 8) >> 8);
}
__DEVICE__ unsigned int __umul24(unsigned int x, unsigned int y) {
  return (x & 0xffffff) * (y & 0xffffff);
}
__DEVICE__ int __mulhi(int x, int y) {
  return int(((long long)x * y) >> 32);
}
__DEVICE__ unsigned int __umulhi(unsigned int x, unsigned int y) {
  return unsigned(((unsigned long long)x * y) >> 32);
}
__DEVICE__ long long __mul64hi(long long x, long long y) {
  return (long long)(((__int128)x * y) >> 64);
}
__DEVICE__ unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return (unsigned long long)(((unsigned __int128)x * y) >> 64);
}
__DEVICE__ int mul24(int x, int y) {
  return __mul24(x, y);
}
__DEVICE__ unsigned int umul24(unsigned int x, unsigned int y) {
  return __umul24(x, y);
}
__DEVICE__ int mulhi(int x, int y) {
  return __mulhi(x, y);
}
__DEVICE__ unsigned int umulhi(unsigned int x, unsigned int y) {
  return __umulhi(x, y);
}

/* Dot products. */
__DEVICE__ int amd_mixed_dot(short2 a, short2 b, int c, bool saturate) {
  long long r = (long long)a.x * b.x + (long long)a.y * b.y + c;
  return saturate ? int(r > 2147483647LL    ? 2147483647LL
                        : r < -2147483648LL ? -2147483648LL
                                            : r)
                  : int(r);
}

/* Bit casts. */
__DEVICE__ int __float_as_int(float x) {
  return __builtin_bit_cast(int, x);
}
__DEVICE__ unsigned int __float_as_uint(float x) {
  return __builtin_bit_cast(unsigned int, x);
}
__DEVICE__ float __int_as_float(int x) {
  return __builtin_bit_cast(float, x);
}
__DEVICE__ float __uint_as_float(unsigned int x) {
  return __builtin_bit_cast(float, x);
}
__DEVICE__ long long __double_as_longlong(double x) {
  return __builtin_bit_cast(long long, x);
}
__DEVICE__ double __longlong_as_double(long long x) {
  return __builtin_bit_cast(double, x);
}
__DEVICE__ int __double2hiint(double x) {
  return int(__double_as_longlong(x) >> 32);
}
__DEVICE__ int __double2loint(double x) {
  return int(__double_as_longlong(x));
}
__DEVICE__ double __hiloint2double(int hi, int lo) {
  return __longlong_as_double((long long)((unsigned long long)unsigned(hi) << 32 | unsigned(lo)));
}

/* Conversions with the rounding in the name: rd down, rn nearest even, ru up, rz towards zero. */
#define __HIP_TO_INTEGER(from, F, to, T, f)                                                        \
  __DEVICE__ T __##from##2##to##_rd(F x) {                                                         \
    return (T)__builtin_floor##f(x);                                                               \
  }                                                                                                \
  __DEVICE__ T __##from##2##to##_rn(F x) {                                                         \
    return (T)__builtin_rint##f(x);                                                                \
  }                                                                                                \
  __DEVICE__ T __##from##2##to##_ru(F x) {                                                         \
    return (T)__builtin_ceil##f(x);                                                                \
  }                                                                                                \
  __DEVICE__ T __##from##2##to##_rz(F x) {                                                         \
    return (T)x;                                                                                   \
  }
__HIP_TO_INTEGER(float, float, int, int, f)
__HIP_TO_INTEGER(float, float, uint, unsigned int, f)
__HIP_TO_INTEGER(float, float, ll, long long, f)
__HIP_TO_INTEGER(float, float, ull, unsigned long long, f)
__HIP_TO_INTEGER(double, double, int, int, )
__HIP_TO_INTEGER(double, double, uint, unsigned int, )
__HIP_TO_INTEGER(double, double, ll, long long, )
__HIP_TO_INTEGER(double, double, ull, unsigned long long, )
#undef __HIP_TO_INTEGER

namespace hip_impl {
/* Neighbours by bit pattern; `r` is not NaN. */
__DEVICE__ float next_toward(float r, bool up) {
  int bits = __builtin_bit_cast(int, r);
  if ((bits & 0x7fffffff) == 0)
    return __builtin_bit_cast(float, up ? 0x00000001u : 0x80000001u);
  return __builtin_bit_cast(float, bits + ((bits < 0) == up ? -1 : 1));
}
__DEVICE__ double next_toward(double r, bool up) {
  long long bits = __builtin_bit_cast(long long, r);
  if ((bits & 0x7fffffffffffffffLL) == 0)
    return __builtin_bit_cast(double, up ? 1ULL : 0x8000000000000001ULL);
  return __builtin_bit_cast(double, bits + ((bits < 0) == up ? -1 : 1));
}
/* Sign of r - x, exactly. */
template <class T> __DEVICE__ int compare(T r, double x) {
  return r > x ? 1 : r < x ? -1 : 0;
}
template <class T> __DEVICE__ int compare(T r, int x) {
  return compare(double(r), double(x));
}
template <class T> __DEVICE__ int compare(T r, unsigned int x) {
  return compare(double(r), double(x));
}
template <class T> __DEVICE__ int compare(T r, long long x) {
  if (r >= T(0x1p63))
    return 1;
  long long v = (long long)r;
  return v > x ? 1 : v < x ? -1 : 0;
}
template <class T> __DEVICE__ int compare(T r, unsigned long long x) {
  if (r >= T(0x1p64))
    return 1;
  unsigned long long v = (unsigned long long)r;
  return v > x ? 1 : v < x ? -1 : 0;
}
enum class rounding { down, up, zero };
template <class T, class F> __DEVICE__ T convert(F x, rounding mode) {
  T r = T(x);
  if (r != r)
    return r;
  int c = compare(r, x);
  bool up = mode == rounding::up || (mode == rounding::zero && x < F(0));
  if (up ? c < 0 : c > 0)
    r = next_toward(r, up);
  return r;
}
} // namespace hip_impl
#define __HIP_TO_FLOAT(from, F, to, T)                                                             \
  __DEVICE__ T __##from##2##to##_rd(F x) {                                                         \
    return hip_impl::convert<T, F>(x, hip_impl::rounding::down);                                   \
  }                                                                                                \
  __DEVICE__ T __##from##2##to##_rn(F x) {                                                         \
    return T(x);                                                                                   \
  }                                                                                                \
  __DEVICE__ T __##from##2##to##_ru(F x) {                                                         \
    return hip_impl::convert<T, F>(x, hip_impl::rounding::up);                                     \
  }                                                                                                \
  __DEVICE__ T __##from##2##to##_rz(F x) {                                                         \
    return hip_impl::convert<T, F>(x, hip_impl::rounding::zero);                                   \
  }
__HIP_TO_FLOAT(int, int, float, float)
__HIP_TO_FLOAT(uint, unsigned int, float, float)
__HIP_TO_FLOAT(ll, long long, float, float)
__HIP_TO_FLOAT(ull, unsigned long long, float, float)
__HIP_TO_FLOAT(double, double, float, float)
__HIP_TO_FLOAT(ll, long long, double, double)
__HIP_TO_FLOAT(ull, unsigned long long, double, double)
#undef __HIP_TO_FLOAT
__DEVICE__ double __int2double_rn(int x) {
  return x;
}
__DEVICE__ double __uint2double_rn(unsigned int x) {
  return x;
}

/* Packed bytes as the texture-free hardware has them. */
__DEVICE__ float __hip_cvt_ubyte(unsigned int x, unsigned int byte) {
  return float((x >> (byte * 8)) & 0xff);
}

/* Barriers. */
extern "C" {
__device__ __attribute__((convergent)) int __ockl_wgred_add_i32(int);
__device__ __attribute__((convergent)) int __ockl_wgred_and_i32(int);
__device__ __attribute__((convergent)) int __ockl_wgred_or_i32(int);
}
__DEVICE__ __attribute__((convergent)) void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
__DEVICE__ __attribute__((convergent)) int __syncthreads_count(int predicate) {
  return __ockl_wgred_add_i32(predicate != 0);
}
__DEVICE__ __attribute__((convergent)) int __syncthreads_and(int predicate) {
  return __ockl_wgred_and_i32(predicate != 0);
}
__DEVICE__ __attribute__((convergent)) int __syncthreads_or(int predicate) {
  return __ockl_wgred_or_i32(predicate != 0);
}
__DEVICE__ __attribute__((convergent)) void __barrier(int) {
  __syncthreads();
}

/* Fences. */
__DEVICE__ void __threadfence() {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");
}
__DEVICE__ void __threadfence_block() {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
}
__DEVICE__ void __threadfence_system() {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "");
}

/* Clocks: cycles of the compute unit, and ticks of the constant 100 MHz counter. */
__DEVICE__ long long clock64() {
  return (long long)__builtin_readcyclecounter();
}
__DEVICE__ long long __clock64() {
  return clock64();
}
__DEVICE__ long long wall_clock64() {
  return (long long)__builtin_amdgcn_s_memrealtime();
}
__DEVICE__ long long __clock() {
  return clock64();
}
/* The C library has a clock() too: this overload is the device's. */
extern "C" __device__ inline __attribute__((weak)) long clock() {
  return long(__builtin_readcyclecounter());
}
__DEVICE__ void __nanosleep(unsigned int) {
  __builtin_amdgcn_s_sleep(1);
}

__DEVICE__ unsigned __smid() {
  return __builtin_amdgcn_s_getreg((3 << 11) | (8 << 6) | 4);
}
__DEVICE__ void __named_sync() {
  __builtin_amdgcn_s_barrier();
}

/* Address spaces. */
__DEVICE__ bool __isShared(const void* p) {
  return __builtin_amdgcn_is_shared((const __attribute__((address_space(0))) void*)p);
}
__DEVICE__ bool __isLocal(const void* p) {
  return __builtin_amdgcn_is_private((const __attribute__((address_space(0))) void*)p);
}
__DEVICE__ bool __isGlobal(const void* p) {
  return !__isShared(p) && !__isLocal(p);
}
__DEVICE__ bool __isConstant(const void* p) {
  return __isGlobal(p);
}

/* Read-only and cache-hinted accesses are plain accesses. */
template <class T> __DEVICE__ T __ldg(const T* p) {
  return *p;
}
template <class T> __DEVICE__ T __ldcg(const T* p) {
  return *p;
}
template <class T> __DEVICE__ T __ldca(const T* p) {
  return *p;
}
template <class T> __DEVICE__ T __ldcs(const T* p) {
  return __builtin_nontemporal_load(p);
}
template <class T> __DEVICE__ void __stcg(T* p, T value) {
  *p = value;
}
template <class T> __DEVICE__ void __stcs(T* p, T value) {
  *p = value;
}

#pragma pop_macro("__DEVICE__")

#endif
