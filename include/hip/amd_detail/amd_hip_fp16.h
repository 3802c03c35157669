/* SPDX-License-Identifier: MIT */
/* Types and intrinsics of half precision. Scalar arithmetic is that of _Float16; rounding to
 * nearest even. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_FP16_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_FP16_H
#include <hip/amd_detail/host_defines.h>
#include <hip/hip_vector_types.h>
#ifdef __HIPCC_RTC__
#define HIP_FP16_BIT_CAST(T, x) __builtin_bit_cast(T, x)
#else
#include <cmath>
#include <cstring>
#define HIP_FP16_BIT_CAST(T, x) __builtin_bit_cast(T, x)
#endif

#pragma push_macro("__HD__")
#undef __HD__
#define __HD__ __host__ __device__ inline

struct __half_raw {
  union {
    static_assert(sizeof(_Float16) == 2, "half precision has two bytes");
    _Float16 data;
    unsigned short x;
  };
};
typedef _Float16 _Float16_2 __attribute__((ext_vector_type(2)));
struct __half2_raw {
  _Float16_2 data;
};

struct __half {
  union {
    _Float16 data;
    unsigned short __x;
  };
  __half() = default;
  __HD__ constexpr __half(_Float16 v) : data(v) {}
  __HD__ __half(const __half_raw& r) : data(r.data) {}
  __HD__ constexpr __half(float v) : data(static_cast<_Float16>(v)) {}
  __HD__ constexpr __half(double v) : data(static_cast<_Float16>(v)) {}
#define __HIP_HALF_FROM(T)                                                                         \
  __HD__ constexpr __half(T v) : data(static_cast<_Float16>(v)) {}
  __HIP_HALF_FROM(short)
  __HIP_HALF_FROM(unsigned short)
  __HIP_HALF_FROM(int)
  __HIP_HALF_FROM(unsigned int)
  __HIP_HALF_FROM(long)
  __HIP_HALF_FROM(unsigned long)
  __HIP_HALF_FROM(long long)
  __HIP_HALF_FROM(unsigned long long)
#undef __HIP_HALF_FROM
  __HD__ __half& operator=(const __half_raw& r) {
    data = r.data;
    return *this;
  }
  __HD__ operator float() const { return static_cast<float>(data); }
  __HD__ operator __half_raw() const {
    __half_raw r;
    r.data = data;
    return r;
  }
  /* Other targets are explicit, so that arithmetic with them goes through float without ambiguity.
   */
  __HD__ explicit operator _Float16() const { return data; }
  __HD__ explicit operator double() const { return static_cast<double>(data); }
  __HD__ explicit operator bool() const { return data != static_cast<_Float16>(0); }
  __HD__ explicit operator short() const { return static_cast<short>(data); }
  __HD__ explicit operator unsigned short() const { return static_cast<unsigned short>(data); }
  __HD__ explicit operator int() const { return static_cast<int>(data); }
  __HD__ explicit operator unsigned int() const { return static_cast<unsigned int>(data); }
  __HD__ explicit operator long long() const { return static_cast<long long>(data); }
  __HD__ explicit operator unsigned long long() const {
    return static_cast<unsigned long long>(data);
  }

  __HD__ __half& operator+=(const __half& o) {
    return *this = __half(static_cast<_Float16>(data + o.data));
  }
  __HD__ __half& operator-=(const __half& o) {
    return *this = __half(static_cast<_Float16>(data - o.data));
  }
  __HD__ __half& operator*=(const __half& o) {
    return *this = __half(static_cast<_Float16>(data * o.data));
  }
  __HD__ __half& operator/=(const __half& o) {
    return *this = __half(static_cast<_Float16>(data / o.data));
  }
  __HD__ __half& operator++() { return *this += __half(1); }
  __HD__ __half& operator--() { return *this -= __half(1); }
  __HD__ __half operator++(int) {
    __half old = *this;
    ++*this;
    return old;
  }
  __HD__ __half operator--(int) {
    __half old = *this;
    --*this;
    return old;
  }
  __HD__ __half operator+() const { return *this; }
  __HD__ __half operator-() const { return __half(static_cast<_Float16>(-data)); }
};
__HD__ __half operator+(const __half& a, const __half& b) {
  return __half(static_cast<_Float16>(a.data + b.data));
}
__HD__ __half operator-(const __half& a, const __half& b) {
  return __half(static_cast<_Float16>(a.data - b.data));
}
__HD__ __half operator*(const __half& a, const __half& b) {
  return __half(static_cast<_Float16>(a.data * b.data));
}
__HD__ __half operator/(const __half& a, const __half& b) {
  return __half(static_cast<_Float16>(a.data / b.data));
}
__HD__ bool operator==(const __half& a, const __half& b) {
  return a.data == b.data;
}
__HD__ bool operator!=(const __half& a, const __half& b) {
  return a.data != b.data;
}
__HD__ bool operator<(const __half& a, const __half& b) {
  return a.data < b.data;
}
__HD__ bool operator>(const __half& a, const __half& b) {
  return a.data > b.data;
}
__HD__ bool operator<=(const __half& a, const __half& b) {
  return a.data <= b.data;
}
__HD__ bool operator>=(const __half& a, const __half& b) {
  return a.data >= b.data;
}

struct alignas(4) __half2 {
  __half x, y;
  __half2() = default;
  __HD__ constexpr __half2(const __half& a, const __half& b) : x(a), y(b) {}
  __HD__ constexpr explicit __half2(const __half& a) : x(a), y(a) {}
  __HD__ __half2(const __half2_raw& r) : x(r.data.x), y(r.data.y) {}
  __HD__ operator __half2_raw() const {
    __half2_raw r;
    r.data.x = x.data;
    r.data.y = y.data;
    return r;
  }
  __HD__ __half2& operator+=(const __half2& o) { return x += o.x, y += o.y, *this; }
  __HD__ __half2& operator-=(const __half2& o) { return x -= o.x, y -= o.y, *this; }
  __HD__ __half2& operator*=(const __half2& o) { return x *= o.x, y *= o.y, *this; }
  __HD__ __half2& operator/=(const __half2& o) { return x /= o.x, y /= o.y, *this; }
  __HD__ __half2& operator++() { return ++x, ++y, *this; }
  __HD__ __half2& operator--() { return --x, --y, *this; }
  __HD__ __half2 operator-() const { return {-x, -y}; }
  __HD__ __half2 operator+() const { return *this; }
};
__HD__ __half2 operator+(const __half2& a, const __half2& b) {
  return {a.x + b.x, a.y + b.y};
}
__HD__ __half2 operator-(const __half2& a, const __half2& b) {
  return {a.x - b.x, a.y - b.y};
}
__HD__ __half2 operator*(const __half2& a, const __half2& b) {
  return {a.x * b.x, a.y * b.y};
}
__HD__ __half2 operator/(const __half2& a, const __half2& b) {
  return {a.x / b.x, a.y / b.y};
}
__HD__ bool operator==(const __half2& a, const __half2& b) {
  return a.x == b.x && a.y == b.y;
}
__HD__ bool operator!=(const __half2& a, const __half2& b) {
  return !(a == b);
}
__HD__ bool operator<(const __half2& a, const __half2& b) {
  return a.x < b.x && a.y < b.y;
}
__HD__ bool operator>(const __half2& a, const __half2& b) {
  return a.x > b.x && a.y > b.y;
}
__HD__ bool operator<=(const __half2& a, const __half2& b) {
  return a.x <= b.x && a.y <= b.y;
}
__HD__ bool operator>=(const __half2& a, const __half2& b) {
  return a.x >= b.x && a.y >= b.y;
}

typedef __half half;
typedef __half2 half2;

/* Parts and pairs. */
__HD__ __half2 make_half2(__half a, __half b) {
  return {a, b};
}
__HD__ __half2 __halves2half2(__half a, __half b) {
  return {a, b};
}
__HD__ __half2 __half2half2(__half a) {
  return {a, a};
}
__HD__ __half __low2half(__half2 a) {
  return a.x;
}
__HD__ __half __high2half(__half2 a) {
  return a.y;
}
__HD__ __half2 __low2half2(__half2 a) {
  return {a.x, a.x};
}
__HD__ __half2 __high2half2(__half2 a) {
  return {a.y, a.y};
}
__HD__ __half2 __lows2half2(__half2 a, __half2 b) {
  return {a.x, b.x};
}
__HD__ __half2 __highs2half2(__half2 a, __half2 b) {
  return {a.y, b.y};
}
__HD__ __half2 __lowhigh2highlow(__half2 a) {
  return {a.y, a.x};
}

/* Conversions. */
__HD__ float __half2float(__half a) {
  return static_cast<float>(a.data);
}
__HD__ __half __float2half(float a) {
  return __half(a);
}
__HD__ __half __float2half_rn(float a) {
  return __half(a);
}
__HD__ __half __double2half(double a) {
  return __half(a);
}
__HD__ float __low2float(__half2 a) {
  return __half2float(a.x);
}
__HD__ float __high2float(__half2 a) {
  return __half2float(a.y);
}
__HD__ __half2 __float2half2_rn(float a) {
  return {__half(a), __half(a)};
}
__HD__ __half2 __floats2half2_rn(float a, float b) {
  return {__half(a), __half(b)};
}
__HD__ __half2 __float22half2_rn(float2 a) {
  return {__half(a.x), __half(a.y)};
}
__HD__ float2 __half22float2(__half2 a) {
  return float2(__half2float(a.x), __half2float(a.y));
}
__HD__ short __half_as_short(__half a) {
  return HIP_FP16_BIT_CAST(short, a.data);
}
__HD__ unsigned short __half_as_ushort(__half a) {
  return HIP_FP16_BIT_CAST(unsigned short, a.data);
}
__HD__ __half __short_as_half(short a) {
  return __half(HIP_FP16_BIT_CAST(_Float16, a));
}
__HD__ __half __ushort_as_half(unsigned short a) {
  return __half(HIP_FP16_BIT_CAST(_Float16, a));
}

namespace hip_impl {
__HD__ __half half_step(
    __half a, int away) { /* next representable value by bit pattern, away from or towards zero */
  return __ushort_as_half(static_cast<unsigned short>(__half_as_ushort(a) + away));
}
__HD__ bool half_finite(__half a) {
  return (__half_as_ushort(a) & 0x7c00) != 0x7c00;
}
/* Corrects round-to-nearest into a directed rounding; `up` is the direction in value. */
__HD__ __half half_directed(float f, bool up) {
  __half r(f);
  float back = __half2float(r);
  if (f != f || back == f)
    return r;
  if (up ? back > f : back < f)
    return r;
  bool negative = f < 0 || (f == 0 && (__half_as_ushort(r) & 0x8000));
  if ((__half_as_ushort(r) & 0x7fff) == 0)
    return __ushort_as_half(up ? 0x0001 : 0x8001);
  return half_step(r, up == negative ? -1 : 1);
}
} // namespace hip_impl
__HD__ __half __float2half_ru(float a) {
  return hip_impl::half_directed(a, true);
}
__HD__ __half __float2half_rd(float a) {
  return hip_impl::half_directed(a, false);
}
__HD__ __half __float2half_rz(float a) {
  return hip_impl::half_directed(a, a < 0);
}

#define __HIP_HALF_INTEGER(name, T)                                                                \
  __HD__ T __half2##name##_rn(__half a) {                                                          \
    return static_cast<T>(__builtin_rintf(a));                                                     \
  }                                                                                                \
  __HD__ T __half2##name##_rz(__half a) {                                                          \
    return static_cast<T>(__half2float(a));                                                        \
  }                                                                                                \
  __HD__ T __half2##name##_rd(__half a) {                                                          \
    return static_cast<T>(__builtin_floorf(a));                                                    \
  }                                                                                                \
  __HD__ T __half2##name##_ru(__half a) {                                                          \
    return static_cast<T>(__builtin_ceilf(a));                                                     \
  }                                                                                                \
  __HD__ __half __##name##2half_rn(T a) {                                                          \
    return __half(a);                                                                              \
  }                                                                                                \
  __HD__ __half __##name##2half_rz(T a) {                                                          \
    return __float2half_rz(static_cast<float>(a));                                                 \
  }                                                                                                \
  __HD__ __half __##name##2half_rd(T a) {                                                          \
    return __float2half_rd(static_cast<float>(a));                                                 \
  }                                                                                                \
  __HD__ __half __##name##2half_ru(T a) {                                                          \
    return __float2half_ru(static_cast<float>(a));                                                 \
  }
__HIP_HALF_INTEGER(short, short)
__HIP_HALF_INTEGER(ushort, unsigned short)
__HIP_HALF_INTEGER(int, int)
__HIP_HALF_INTEGER(uint, unsigned int)
__HIP_HALF_INTEGER(ll, long long)
__HIP_HALF_INTEGER(ull, unsigned long long)
#undef __HIP_HALF_INTEGER

/* Arithmetic; _sat clamps to [0, 1], NaN becomes 0. */
namespace hip_impl {
__HD__ __half half_saturate(__half a) {
  return a.data > static_cast<_Float16>(0) ? (a.data < static_cast<_Float16>(1) ? a : __half(1))
                                           : __half(0);
}
__HD__ __half half_fma(__half a, __half b, __half c) {
#if defined(__HIP_DEVICE_COMPILE__) && __HIP_DEVICE_COMPILE__
  return __half(__builtin_fmaf16(a.data, b.data, c.data));
#else
  /* The product of two halves is exact in double, and so is its sum with a third to within one
   * rounding. */
  return __half(static_cast<double>(a.data) * static_cast<double>(b.data) +
                static_cast<double>(c.data));
#endif
}
} // namespace hip_impl
__HD__ __half __hadd(__half a, __half b) {
  return a + b;
}
__HD__ __half __hadd_rn(__half a, __half b) {
  return a + b;
}
__HD__ __half __hsub(__half a, __half b) {
  return a - b;
}
__HD__ __half __hsub_rn(__half a, __half b) {
  return a - b;
}
__HD__ __half __hmul(__half a, __half b) {
  return a * b;
}
__HD__ __half __hmul_rn(__half a, __half b) {
  return a * b;
}
__HD__ __half __hdiv(__half a, __half b) {
  return a / b;
}
__HD__ __half __hfma(__half a, __half b, __half c) {
  return hip_impl::half_fma(a, b, c);
}
__HD__ __half __hneg(__half a) {
  return -a;
}
__HD__ __half __habs(__half a) {
  return __ushort_as_half(__half_as_ushort(a) & 0x7fff);
}
__HD__ __half __hadd_sat(__half a, __half b) {
  return hip_impl::half_saturate(a + b);
}
__HD__ __half __hsub_sat(__half a, __half b) {
  return hip_impl::half_saturate(a - b);
}
__HD__ __half __hmul_sat(__half a, __half b) {
  return hip_impl::half_saturate(a * b);
}
__HD__ __half __hfma_sat(__half a, __half b, __half c) {
  return hip_impl::half_saturate(__hfma(a, b, c));
}
__HD__ __half __hfma_relu(__half a, __half b, __half c) {
  __half r = __hfma(a, b, c);
  return r.data > static_cast<_Float16>(0) ? r : __half(0);
}
__HD__ __half2 __hadd2(__half2 a, __half2 b) {
  return a + b;
}
__HD__ __half2 __hsub2(__half2 a, __half2 b) {
  return a - b;
}
__HD__ __half2 __hmul2(__half2 a, __half2 b) {
  return a * b;
}
__HD__ __half2 __h2div(__half2 a, __half2 b) {
  return a / b;
}
__HD__ __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
__HD__ __half2 __hneg2(__half2 a) {
  return -a;
}
__HD__ __half2 __habs2(__half2 a) {
  return {__habs(a.x), __habs(a.y)};
}
__HD__ __half2 __hadd2_sat(__half2 a, __half2 b) {
  return {__hadd_sat(a.x, b.x), __hadd_sat(a.y, b.y)};
}
__HD__ __half2 __hsub2_sat(__half2 a, __half2 b) {
  return {__hsub_sat(a.x, b.x), __hsub_sat(a.y, b.y)};
}
__HD__ __half2 __hmul2_sat(__half2 a, __half2 b) {
  return {__hmul_sat(a.x, b.x), __hmul_sat(a.y, b.y)};
}
__HD__ __half2 __hfma2_sat(__half2 a, __half2 b, __half2 c) {
  return {__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y)};
}

/* Comparisons; the u forms are true when an operand is NaN. */
__HD__ bool __hisnan(__half a) {
  return a.data != a.data;
}
__HD__ int __hisinf(__half a) {
  return (__half_as_ushort(a) & 0x7fff) == 0x7c00 ? ((__half_as_ushort(a) & 0x8000) ? -1 : 1) : 0;
}
#define __HIP_HALF_COMPARE(name, op)                                                               \
  __HD__ bool __h##name(__half a, __half b) {                                                      \
    return a.data op b.data;                                                                       \
  }                                                                                                \
  __HD__ bool __h##name##u(__half a, __half b) {                                                   \
    return __hisnan(a) || __hisnan(b) || a.data op b.data;                                         \
  }                                                                                                \
  __HD__ __half2 __h##name##2(__half2 a, __half2 b) {                                              \
    return {__half(__h##name(a.x, b.x) ? 1 : 0), __half(__h##name(a.y, b.y) ? 1 : 0)};             \
  }                                                                                                \
  __HD__ __half2 __h##name##u2(__half2 a, __half2 b) {                                             \
    return {__half(__h##name##u(a.x, b.x) ? 1 : 0), __half(__h##name##u(a.y, b.y) ? 1 : 0)};       \
  }                                                                                                \
  __HD__ bool __hb##name##2(__half2 a, __half2 b) {                                                \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                             \
  }                                                                                                \
  __HD__ bool __hb##name##u2(__half2 a, __half2 b) {                                               \
    return __h##name##u(a.x, b.x) && __h##name##u(a.y, b.y);                                       \
  }
__HIP_HALF_COMPARE(eq, ==)
__HIP_HALF_COMPARE(ne, !=)
__HIP_HALF_COMPARE(lt, <)
__HIP_HALF_COMPARE(le, <=)
__HIP_HALF_COMPARE(gt, >)
__HIP_HALF_COMPARE(ge, >=)
#undef __HIP_HALF_COMPARE
__HD__ __half2 __hisnan2(__half2 a) {
  return {__half(__hisnan(a.x) ? 1 : 0), __half(__hisnan(a.y) ? 1 : 0)};
}
__HD__ __half __hmax(__half a, __half b) {
  return __hisnan(a) ? b : __hisnan(b) ? a : a.data > b.data ? a : b;
}
__HD__ __half __hmin(__half a, __half b) {
  return __hisnan(a) ? b : __hisnan(b) ? a : a.data < b.data ? a : b;
}
__HD__ __half __hmax_nan(__half a, __half b) {
  return __hisnan(a) ? a : __hisnan(b) ? b : __hmax(a, b);
}
__HD__ __half __hmin_nan(__half a, __half b) {
  return __hisnan(a) ? a : __hisnan(b) ? b : __hmin(a, b);
}
__HD__ __half2 __hmax2(__half2 a, __half2 b) {
  return {__hmax(a.x, b.x), __hmax(a.y, b.y)};
}
__HD__ __half2 __hmin2(__half2 a, __half2 b) {
  return {__hmin(a.x, b.x), __hmin(a.y, b.y)};
}

/* Mathematical functions: through float, rounded once. */
#if defined(__HIP__) && defined(__clang__)
#define __HIP_HALF_MATH(name, expression)                                                          \
  static __device__ inline __half h##name(__half h) {                                              \
    float x = __half2float(h);                                                                     \
    return __half(expression);                                                                     \
  }                                                                                                \
  static __device__ inline __half2 h2##name(__half2 a) {                                           \
    return {h##name(a.x), h##name(a.y)};                                                           \
  }
__HIP_HALF_MATH(ceil, __builtin_ceilf(x))
__HIP_HALF_MATH(floor, __builtin_floorf(x))
__HIP_HALF_MATH(rint, __builtin_rintf(x))
__HIP_HALF_MATH(trunc, __builtin_truncf(x))
__HIP_HALF_MATH(cos, cosf(x))
__HIP_HALF_MATH(sin, sinf(x))
__HIP_HALF_MATH(exp, expf(x))
__HIP_HALF_MATH(exp2, exp2f(x))
__HIP_HALF_MATH(exp10, exp10f(x))
__HIP_HALF_MATH(log, logf(x))
__HIP_HALF_MATH(log2, log2f(x))
__HIP_HALF_MATH(log10, log10f(x))
__HIP_HALF_MATH(sqrt, sqrtf(x))
__HIP_HALF_MATH(rsqrt, rsqrtf(x))
__HIP_HALF_MATH(rcp, 1.0f / x)
__HIP_HALF_MATH(tanh, tanhf(x))
#undef __HIP_HALF_MATH

/* Lanes and memory. */
#include <hip/amd_detail/amd_warp_functions.h>
#define __HIP_HALF_SHUFFLES(T)                                                                     \
  static __device__ inline T __shfl(T v, int lane, int width = 64) {                               \
    return hip_impl::lane_read(v, hip_impl::shfl_lane(lane, width));                               \
  }                                                                                                \
  static __device__ inline T __shfl_up(T v, unsigned int delta, int width = 64) {                  \
    return hip_impl::lane_read(v, hip_impl::shfl_up_lane(delta, width));                           \
  }                                                                                                \
  static __device__ inline T __shfl_down(T v, unsigned int delta, int width = 64) {                \
    return hip_impl::lane_read(v, hip_impl::shfl_down_lane(delta, width));                         \
  }                                                                                                \
  static __device__ inline T __shfl_xor(T v, int mask, int width = 64) {                           \
    return hip_impl::lane_read(v, hip_impl::shfl_xor_lane(mask, width));                           \
  }
__HIP_HALF_SHUFFLES(__half)
__HIP_HALF_SHUFFLES(__half2)
#undef __HIP_HALF_SHUFFLES

/* Atomic addition as a loop on the whole word; also what atomicAdd(half2) of other headers means.
 */
static __device__ inline __half2 atomicAdd(__half2* address, __half2 value) {
  auto* word = reinterpret_cast<unsigned int*>(address);
  unsigned int seen = __hip_atomic_load(word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  for (;;) {
    __half2 old = __builtin_bit_cast(__half2, seen);
    unsigned int next = __builtin_bit_cast(unsigned int, old + value);
    if (__hip_atomic_compare_exchange_strong(word, &seen, next, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                             __HIP_MEMORY_SCOPE_AGENT))
      return old;
  }
}
/* By one instruction where flat memory has it: only for memory of the device itself. */
static __device__ inline __half2 unsafeAtomicAdd(__half2* address, __half2 value) {
#if defined(__gfx940__) || defined(__gfx941__) || defined(__gfx942__)
  return __builtin_bit_cast(
      __half2, __builtin_amdgcn_flat_atomic_fadd_v2f16(reinterpret_cast<_Float16_2*>(address),
                                                       __builtin_bit_cast(_Float16_2, value)));
#else
  return atomicAdd(address, value);
#endif
}
/* A single half: the word around it is exchanged. */
static __device__ inline __half atomicAdd(__half* address, __half value) {
  auto where = reinterpret_cast<unsigned long long>(address);
  auto* word = reinterpret_cast<unsigned int*>(where & ~3ull);
  unsigned shift = (where & 2) * 8;
  unsigned int seen = __hip_atomic_load(word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  for (;;) {
    __half old = __ushort_as_half(static_cast<unsigned short>(seen >> shift));
    unsigned int next =
        (seen & ~(0xffffu << shift)) | (unsigned(__half_as_ushort(old + value)) << shift);
    if (__hip_atomic_compare_exchange_strong(word, &seen, next, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                             __HIP_MEMORY_SCOPE_AGENT))
      return old;
  }
}
#endif

#pragma pop_macro("__HD__")
#endif
