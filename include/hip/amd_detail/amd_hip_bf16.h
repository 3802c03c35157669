/* SPDX-License-Identifier: MIT */
/* __hip_bfloat16: 16 bits of storage, arithmetic in float rounded to nearest even. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_BF16_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_BF16_H
#include <hip/amd_detail/host_defines.h>
#include <hip/hip_vector_types.h>

#pragma push_macro("__HD__")
#undef __HD__
#define __HD__ __host__ __device__ inline

struct __hip_bfloat16_raw {
  unsigned short x;
};
struct __hip_bfloat162_raw {
  unsigned short x, y;
};

struct __hip_bfloat16 {
  unsigned short data;
  __hip_bfloat16() = default;
  __HD__ constexpr __hip_bfloat16(float f) : data(bits(f)) {}
  __HD__ constexpr __hip_bfloat16(double d) : data(bits(static_cast<float>(d))) {}
  __HD__ constexpr __hip_bfloat16(const __hip_bfloat16_raw& r) : data(r.x) {}
#define __HIP_BF16_FROM(T)                                                                         \
  __HD__ constexpr __hip_bfloat16(T v) : data(bits(static_cast<float>(v))) {}
  __HIP_BF16_FROM(short)
  __HIP_BF16_FROM(unsigned short)
  __HIP_BF16_FROM(int)
  __HIP_BF16_FROM(unsigned int)
  __HIP_BF16_FROM(long)
  __HIP_BF16_FROM(unsigned long)
  __HIP_BF16_FROM(long long)
  __HIP_BF16_FROM(unsigned long long)
#undef __HIP_BF16_FROM
  __HD__ constexpr operator float() const {
    return __builtin_bit_cast(float, static_cast<unsigned>(data) << 16);
  }
  __HD__ operator __hip_bfloat16_raw() const { return {data}; }
  __HD__ explicit operator double() const { return static_cast<float>(*this); }
  __HD__ explicit operator bool() const { return (data & 0x7fff) != 0; }
  __HD__ explicit operator int() const { return static_cast<int>(static_cast<float>(*this)); }
  __HD__ explicit operator unsigned int() const {
    return static_cast<unsigned>(static_cast<float>(*this));
  }

  __HD__ __hip_bfloat16& operator+=(const __hip_bfloat16& o) {
    return *this = __hip_bfloat16(float(*this) + float(o));
  }
  __HD__ __hip_bfloat16& operator-=(const __hip_bfloat16& o) {
    return *this = __hip_bfloat16(float(*this) - float(o));
  }
  __HD__ __hip_bfloat16& operator*=(const __hip_bfloat16& o) {
    return *this = __hip_bfloat16(float(*this) * float(o));
  }
  __HD__ __hip_bfloat16& operator/=(const __hip_bfloat16& o) {
    return *this = __hip_bfloat16(float(*this) / float(o));
  }
  __HD__ __hip_bfloat16& operator++() { return *this += __hip_bfloat16(1.0f); }
  __HD__ __hip_bfloat16& operator--() { return *this -= __hip_bfloat16(1.0f); }
  __HD__ __hip_bfloat16 operator-() const {
    __hip_bfloat16 r;
    r.data = data ^ 0x8000;
    return r;
  }
  __HD__ __hip_bfloat16 operator+() const { return *this; }

  static __HD__ constexpr unsigned short bits(float f) {
    unsigned u = __builtin_bit_cast(unsigned, f);
    if ((u & 0x7fffffffu) > 0x7f800000u)
      return static_cast<unsigned short>((u >> 16) | 0x40);
    return static_cast<unsigned short>((u + 0x7fffu + ((u >> 16) & 1)) >> 16);
  }
};
typedef __hip_bfloat16 __hip_bfloat16_t;

struct alignas(4) __hip_bfloat162 {
  __hip_bfloat16 x, y;
  __hip_bfloat162() = default;
  __HD__ constexpr __hip_bfloat162(const __hip_bfloat16& a, const __hip_bfloat16& b) : x(a), y(b) {}
  __HD__ constexpr explicit __hip_bfloat162(const __hip_bfloat16& a) : x(a), y(a) {}
  __HD__ __hip_bfloat162(const __hip_bfloat162_raw& r)
      : x(__hip_bfloat16_raw{r.x}), y(__hip_bfloat16_raw{r.y}) {}
  __HD__ operator __hip_bfloat162_raw() const { return {x.data, y.data}; }
  __HD__ operator float2() const { return float2(float(x), float(y)); }
  __HD__ __hip_bfloat162& operator+=(const __hip_bfloat162& o) { return x += o.x, y += o.y, *this; }
  __HD__ __hip_bfloat162& operator-=(const __hip_bfloat162& o) { return x -= o.x, y -= o.y, *this; }
  __HD__ __hip_bfloat162& operator*=(const __hip_bfloat162& o) { return x *= o.x, y *= o.y, *this; }
  __HD__ __hip_bfloat162& operator/=(const __hip_bfloat162& o) { return x /= o.x, y /= o.y, *this; }
  __HD__ __hip_bfloat162 operator-() const { return {-x, -y}; }
};

#define __HIP_BF16_OP(op)                                                                          \
  __HD__ __hip_bfloat16 operator op(const __hip_bfloat16& a, const __hip_bfloat16& b) {            \
    return __hip_bfloat16(float(a) op float(b));                                                   \
  }                                                                                                \
  __HD__ __hip_bfloat162 operator op(const __hip_bfloat162& a, const __hip_bfloat162& b) {         \
    return {a.x op b.x, a.y op b.y};                                                               \
  }
__HIP_BF16_OP(+)
__HIP_BF16_OP(-)
__HIP_BF16_OP(*)
__HIP_BF16_OP(/)
#undef __HIP_BF16_OP
#define __HIP_BF16_REL(op)                                                                         \
  __HD__ bool operator op(const __hip_bfloat16& a, const __hip_bfloat16& b) {                      \
    return float(a) op float(b);                                                                   \
  }                                                                                                \
  __HD__ bool operator op(const __hip_bfloat162& a, const __hip_bfloat162& b) {                    \
    return a.x op b.x && a.y op b.y;                                                               \
  }
__HIP_BF16_REL(==)
__HIP_BF16_REL(<)
__HIP_BF16_REL(>)
__HIP_BF16_REL(<=)
__HIP_BF16_REL(>=)
#undef __HIP_BF16_REL
__HD__ bool operator!=(const __hip_bfloat16& a, const __hip_bfloat16& b) {
  return float(a) != float(b);
}
__HD__ bool operator!=(const __hip_bfloat162& a, const __hip_bfloat162& b) {
  return a.x != b.x || a.y != b.y;
}

/* Conversions and parts. */
__HD__ float __bfloat162float(__hip_bfloat16 a) {
  return a;
}
__HD__ __hip_bfloat16 __float2bfloat16(float a) {
  return a;
}
__HD__ __hip_bfloat16 __float2bfloat16_rn(float a) {
  return a;
}
__HD__ __hip_bfloat16 __float2bfloat16_rz(float a) {
  unsigned u = __builtin_bit_cast(unsigned, a);
  return (u & 0x7fffffffu) > 0x7f800000u
             ? __hip_bfloat16(a)
             : __hip_bfloat16(__hip_bfloat16_raw{static_cast<unsigned short>(u >> 16)});
}
__HD__ __hip_bfloat16 __double2bfloat16(double a) {
  return a;
}
__HD__ __hip_bfloat162 __float2bfloat162_rn(float a) {
  return {a, a};
}
__HD__ __hip_bfloat162 __floats2bfloat162_rn(float a, float b) {
  return {a, b};
}
__HD__ __hip_bfloat162 __float22bfloat162_rn(float2 a) {
  return {a.x, a.y};
}
__HD__ float2 __bfloat1622float2(__hip_bfloat162 a) {
  return float2(float(a.x), float(a.y));
}
__HD__ __hip_bfloat162 __bfloat162bfloat162(__hip_bfloat16 a) {
  return {a, a};
}
__HD__ __hip_bfloat162 __halves2bfloat162(__hip_bfloat16 a, __hip_bfloat16 b) {
  return {a, b};
}
__HD__ __hip_bfloat162 make_bfloat162(__hip_bfloat16 a, __hip_bfloat16 b) {
  return {a, b};
}
__HD__ __hip_bfloat16 __low2bfloat16(__hip_bfloat162 a) {
  return a.x;
}
__HD__ __hip_bfloat16 __high2bfloat16(__hip_bfloat162 a) {
  return a.y;
}
__HD__ float __low2float(__hip_bfloat162 a) {
  return a.x;
}
__HD__ float __high2float(__hip_bfloat162 a) {
  return a.y;
}
__HD__ __hip_bfloat162 __low2bfloat162(__hip_bfloat162 a) {
  return {a.x, a.x};
}
__HD__ __hip_bfloat162 __high2bfloat162(__hip_bfloat162 a) {
  return {a.y, a.y};
}
__HD__ __hip_bfloat162 __lows2bfloat162(__hip_bfloat162 a, __hip_bfloat162 b) {
  return {a.x, b.x};
}
__HD__ __hip_bfloat162 __highs2bfloat162(__hip_bfloat162 a, __hip_bfloat162 b) {
  return {a.y, b.y};
}
__HD__ __hip_bfloat162 __lowhigh2highlow(__hip_bfloat162 a) {
  return {a.y, a.x};
}
__HD__ short __bfloat16_as_short(__hip_bfloat16 a) {
  return static_cast<short>(a.data);
}
__HD__ unsigned short __bfloat16_as_ushort(__hip_bfloat16 a) {
  return a.data;
}
__HD__ __hip_bfloat16 __short_as_bfloat16(short a) {
  return __hip_bfloat16_raw{static_cast<unsigned short>(a)};
}
__HD__ __hip_bfloat16 __ushort_as_bfloat16(unsigned short a) {
  return __hip_bfloat16_raw{a};
}
__HD__ int __bfloat162int_rz(__hip_bfloat16 a) {
  return static_cast<int>(float(a));
}
__HD__ __hip_bfloat16 __int2bfloat16_rn(int a) {
  return a;
}

/* Arithmetic and comparisons. */
__HD__ __hip_bfloat16 __hadd(__hip_bfloat16 a, __hip_bfloat16 b) {
  return a + b;
}
__HD__ __hip_bfloat16 __hsub(__hip_bfloat16 a, __hip_bfloat16 b) {
  return a - b;
}
__HD__ __hip_bfloat16 __hmul(__hip_bfloat16 a, __hip_bfloat16 b) {
  return a * b;
}
__HD__ __hip_bfloat16 __hdiv(__hip_bfloat16 a, __hip_bfloat16 b) {
  return a / b;
}
__HD__ __hip_bfloat16 __hneg(__hip_bfloat16 a) {
  return -a;
}
__HD__ __hip_bfloat16 __habs(__hip_bfloat16 a) {
  return __ushort_as_bfloat16(a.data & 0x7fff);
}
__HD__ __hip_bfloat16 __hfma(__hip_bfloat16 a, __hip_bfloat16 b, __hip_bfloat16 c) {
  return __hip_bfloat16(__builtin_fmaf(a, b, c));
}
__HD__ __hip_bfloat162 __hadd2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return a + b;
}
__HD__ __hip_bfloat162 __hsub2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return a - b;
}
__HD__ __hip_bfloat162 __hmul2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return a * b;
}
__HD__ __hip_bfloat162 __h2div(__hip_bfloat162 a, __hip_bfloat162 b) {
  return a / b;
}
__HD__ __hip_bfloat162 __hneg2(__hip_bfloat162 a) {
  return -a;
}
__HD__ __hip_bfloat162 __habs2(__hip_bfloat162 a) {
  return {__habs(a.x), __habs(a.y)};
}
__HD__ __hip_bfloat162 __hfma2(__hip_bfloat162 a, __hip_bfloat162 b, __hip_bfloat162 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
__HD__ bool __hisnan(__hip_bfloat16 a) {
  return (a.data & 0x7fff) > 0x7f80;
}
__HD__ int __hisinf(__hip_bfloat16 a) {
  return (a.data & 0x7fff) == 0x7f80 ? ((a.data & 0x8000) ? -1 : 1) : 0;
}
#define __HIP_BF16_COMPARE(name, op)                                                               \
  __HD__ bool __h##name(__hip_bfloat16 a, __hip_bfloat16 b) {                                      \
    return float(a) op float(b);                                                                   \
  }                                                                                                \
  __HD__ bool __h##name##u(__hip_bfloat16 a, __hip_bfloat16 b) {                                   \
    return __hisnan(a) || __hisnan(b) || float(a) op float(b);                                     \
  }                                                                                                \
  __HD__ __hip_bfloat162 __h##name##2(__hip_bfloat162 a, __hip_bfloat162 b) {                      \
    return {__h##name(a.x, b.x) ? 1.0f : 0.0f, __h##name(a.y, b.y) ? 1.0f : 0.0f};                 \
  }                                                                                                \
  __HD__ bool __hb##name##2(__hip_bfloat162 a, __hip_bfloat162 b) {                                \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                             \
  }
__HIP_BF16_COMPARE(eq, ==)
__HIP_BF16_COMPARE(ne, !=)
__HIP_BF16_COMPARE(lt, <)
__HIP_BF16_COMPARE(le, <=)
__HIP_BF16_COMPARE(gt, >)
__HIP_BF16_COMPARE(ge, >=)
#undef __HIP_BF16_COMPARE
__HD__ __hip_bfloat16 __hmax(__hip_bfloat16 a, __hip_bfloat16 b) {
  return __hisnan(a) ? b : __hisnan(b) ? a : float(a) > float(b) ? a : b;
}
__HD__ __hip_bfloat16 __hmin(__hip_bfloat16 a, __hip_bfloat16 b) {
  return __hisnan(a) ? b : __hisnan(b) ? a : float(a) < float(b) ? a : b;
}
__HD__ __hip_bfloat162 __hmax2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return {__hmax(a.x, b.x), __hmax(a.y, b.y)};
}
__HD__ __hip_bfloat162 __hmin2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return {__hmin(a.x, b.x), __hmin(a.y, b.y)};
}

#if defined(__HIP__) && defined(__clang__)
#define __HIP_BF16_MATH(name, expression)                                                          \
  static __device__ inline __hip_bfloat16 h##name(__hip_bfloat16 h) {                              \
    float x = h;                                                                                   \
    return __hip_bfloat16(expression);                                                             \
  }                                                                                                \
  static __device__ inline __hip_bfloat162 h2##name(__hip_bfloat162 a) {                           \
    return {h##name(a.x), h##name(a.y)};                                                           \
  }
__HIP_BF16_MATH(ceil, __builtin_ceilf(x))
__HIP_BF16_MATH(floor, __builtin_floorf(x))
__HIP_BF16_MATH(rint, __builtin_rintf(x))
__HIP_BF16_MATH(trunc, __builtin_truncf(x))
__HIP_BF16_MATH(cos, cosf(x))
__HIP_BF16_MATH(sin, sinf(x))
__HIP_BF16_MATH(exp, expf(x))
__HIP_BF16_MATH(exp2, exp2f(x))
__HIP_BF16_MATH(exp10, exp10f(x))
__HIP_BF16_MATH(log, logf(x))
__HIP_BF16_MATH(log2, log2f(x))
__HIP_BF16_MATH(log10, log10f(x))
__HIP_BF16_MATH(sqrt, sqrtf(x))
__HIP_BF16_MATH(rsqrt, rsqrtf(x))
__HIP_BF16_MATH(rcp, 1.0f / x)
#undef __HIP_BF16_MATH
#include <hip/amd_detail/amd_warp_functions.h>
static __device__ inline __hip_bfloat16 __shfl(__hip_bfloat16 v, int lane, int width = 64) {
  return hip_impl::lane_read(v, hip_impl::shfl_lane(lane, width));
}
static __device__ inline __hip_bfloat16 __shfl_down(__hip_bfloat16 v, unsigned int delta,
                                                    int width = 64) {
  return hip_impl::lane_read(v, hip_impl::shfl_down_lane(delta, width));
}
static __device__ inline __hip_bfloat16 __shfl_xor(__hip_bfloat16 v, int mask, int width = 64) {
  return hip_impl::lane_read(v, hip_impl::shfl_xor_lane(mask, width));
}
/* Adds both halves; gives what was there before. By one instruction where flat memory has it (only for memory of
   the device itself), else by a loop on the whole word. */
static __device__ inline __hip_bfloat162 unsafeAtomicAdd(__hip_bfloat162* address,
                                                         __hip_bfloat162 value) {
#if defined(__gfx940__) || defined(__gfx941__) || defined(__gfx942__)
  typedef short pair __attribute__((ext_vector_type(2)));
  return __builtin_bit_cast(
      __hip_bfloat162, __builtin_amdgcn_flat_atomic_fadd_v2bf16(reinterpret_cast<pair*>(address),
                                                                __builtin_bit_cast(pair, value)));
#else
  auto* word = reinterpret_cast<unsigned int*>(address);
  unsigned int seen = __hip_atomic_load(word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  for (;;) {
    auto old = __builtin_bit_cast(__hip_bfloat162, seen);
    unsigned int next = __builtin_bit_cast(unsigned int, old + value);
    if (__hip_atomic_compare_exchange_strong(word, &seen, next, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                             __HIP_MEMORY_SCOPE_AGENT))
      return old;
  }
#endif
}
#endif

#pragma pop_macro("__HD__")
#endif
