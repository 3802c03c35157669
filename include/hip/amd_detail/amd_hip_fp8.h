/* SPDX-License-Identifier: MIT */
/* fp8 types and conversions. A device has the format that its instructions have: FNUZ on gfx942, none on
 * gfx90a; on the host all four work. Names and widths: ROCm's hip/amd_detail/amd_hip_fp8.h (6.4).
 *
 *            exponent  mantissa  bias  infinity  NaN          largest
 *   E4M3         4         3       7      no     s.1111.111       448
 *   E5M2         5         2      15      yes    s.11111.xx     57344
 *   E4M3_FNUZ    4         3       8      no     0x80             240
 *   E5M2_FNUZ    5         2      16      no     0x80           57344
 */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_FP8_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_FP8_H
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_vector_types.h>

#if !defined(__HIP_DEVICE_COMPILE__)
#define HIP_FP8_TYPE_FNUZ 1
#define HIP_FP8_TYPE_OCP 1
#elif defined(__gfx942__)
#define HIP_FP8_TYPE_FNUZ 1
#define HIP_FP8_TYPE_OCP 0
#else
#define HIP_FP8_TYPE_FNUZ 0
#define HIP_FP8_TYPE_OCP 0
#endif
#if defined(__gfx942__)
#define HIP_FP8_CVT_FAST_PATH 1
#else
#define HIP_FP8_CVT_FAST_PATH 0
#endif

#if HIP_FP8_TYPE_FNUZ
#define __FP8_FNUZ_HOST_DEVICE__ __host__ __device__
#else
#define __FP8_FNUZ_HOST_DEVICE__ __host__
#endif
#if HIP_FP8_TYPE_OCP
#define __FP8_OCP_HOST_DEVICE__ __host__ __device__
#else
#define __FP8_OCP_HOST_DEVICE__ __host__
#endif
/* Conversions that take the format as an argument. */
#define __FP8_HOST_DEVICE__ __host__ __device__ inline

typedef unsigned char __hip_fp8_storage_t;
typedef unsigned short __hip_fp8x2_storage_t;
typedef unsigned int __hip_fp8x4_storage_t;

/* What becomes of values beyond the largest one: NaN or infinity, or the largest one. */
enum __hip_saturation_t {
  __HIP_NOSAT = 0,
  __HIP_SATFINITE = 1,
};
enum __hip_fp8_interpretation_t {
  __HIP_E4M3 = 0,
  __HIP_E5M2 = 1,
  __HIP_E4M3_FNUZ = 2,
  __HIP_E5M2_FNUZ = 3,
};

namespace hip_impl {
struct fp8_format {
  unsigned mantissa;
  int bias;
  bool fnuz;
  unsigned infinity; /* code, or 0 */
  unsigned largest;  /* code of the largest finite value */
  unsigned nan;
};
__FP8_HOST_DEVICE__ constexpr fp8_format fp8_format_of(__hip_fp8_interpretation_t i) {
  return i == __HIP_E4M3        ? fp8_format{3, 7, false, 0, 0x7e, 0x7f}
         : i == __HIP_E5M2      ? fp8_format{2, 15, false, 0x7c, 0x7b, 0x7f}
         : i == __HIP_E4M3_FNUZ ? fp8_format{3, 8, true, 0, 0x7f, 0x80}
                                : fp8_format{2, 16, true, 0, 0x7f, 0x80};
}

/* To nearest, ties to even, in one rounding: double holds every source exactly. */
__FP8_HOST_DEVICE__ __hip_fp8_storage_t to_fp8(double value, __hip_saturation_t saturate,
                                               __hip_fp8_interpretation_t i) {
  const fp8_format f = fp8_format_of(i);
  const unsigned long long b = __builtin_bit_cast(unsigned long long, value);
  const unsigned sign = static_cast<unsigned>(b >> 56) & 0x80;
  const int e = static_cast<int>(b >> 52 & 0x7ff) - 1023;
  const unsigned long long fraction = b & 0xfffffffffffffull;
  const unsigned beyond = f.fnuz ? 0x80 : sign | (f.infinity ? f.infinity : f.nan);
  if (e == 1024) {
    if (f.fnuz || fraction != 0)
      return static_cast<__hip_fp8_storage_t>(f.fnuz ? 0x80 : sign | f.nan);
    return static_cast<__hip_fp8_storage_t>(saturate == __HIP_SATFINITE ? sign | f.largest : beyond);
  }
  /* Below half of the smallest denormal everything is zero; doubles that are denormal are far below. */
  const int field = e + f.bias;
  unsigned drop = 52 - f.mantissa + (field < 1 ? static_cast<unsigned>(1 - field) : 0u);
  unsigned code = 0;
  if (e != -1023 && drop <= 53) {
    const unsigned long long m = fraction | 1ull << 52;
    const unsigned long long rest = m & ((1ull << drop) - 1), half = 1ull << (drop - 1);
    unsigned long long kept = m >> drop;
    if (rest > half || (rest == half && (kept & 1)))
      ++kept;
    /* The hidden bit adds one to the exponent field; a carry out of the mantissa does so too. */
    const unsigned long long wide =
        field < 1 ? kept : (static_cast<unsigned long long>(field - 1) << f.mantissa) + kept;
    if (wide > f.largest)
      return static_cast<__hip_fp8_storage_t>(saturate == __HIP_SATFINITE ? sign | f.largest : beyond);
    code = static_cast<unsigned>(wide);
  }
  /* FNUZ has no negative zero. */
  return static_cast<__hip_fp8_storage_t>(code == 0 && f.fnuz ? 0 : sign | code);
}

__FP8_HOST_DEVICE__ float from_fp8(__hip_fp8_storage_t v, __hip_fp8_interpretation_t i) {
  const fp8_format f = fp8_format_of(i);
  const unsigned sign = static_cast<unsigned>(v & 0x80) << 24, code = v & 0x7fu;
  if (f.fnuz ? v == 0x80 : code > (f.infinity ? f.infinity : f.largest))
    return __builtin_bit_cast(float, f.fnuz ? 0x7fc00000u : sign | 0x7fc00000u);
  if (!f.fnuz && f.infinity && code == f.infinity)
    return __builtin_bit_cast(float, sign | 0x7f800000u);
  const unsigned field = code >> f.mantissa, m = code & ((1u << f.mantissa) - 1);
  /* A denormal is m units of the smallest one. */
  const unsigned unit = static_cast<unsigned>(128 - f.bias - static_cast<int>(f.mantissa)) << 23;
  if (field == 0)
    return __builtin_bit_cast(float, sign | __builtin_bit_cast(unsigned, static_cast<float>(m) *
                                                                             __builtin_bit_cast(float, unit)));
  return __builtin_bit_cast(float, sign | static_cast<unsigned>(static_cast<int>(field) + 127 - f.bias) << 23 |
                                       m << (23 - f.mantissa));
}

__FP8_HOST_DEVICE__ __hip_fp8_storage_t float_to_fp8(float v, __hip_saturation_t saturate,
                                                     __hip_fp8_interpretation_t i) {
#if HIP_FP8_CVT_FAST_PATH
  if (i == __HIP_E4M3_FNUZ || i == __HIP_E5M2_FNUZ) {
    const float largest = i == __HIP_E4M3_FNUZ ? 240.0f : 57344.0f;
    /* Infinities and NaN stay what they are: the instruction makes NaN of both. */
    if (saturate == __HIP_SATFINITE && __builtin_fabsf(v) <= 3.402823466e+38f)
      v = __builtin_amdgcn_fmed3f(v, largest, -largest);
    const int packed = i == __HIP_E4M3_FNUZ ? __builtin_amdgcn_cvt_pk_fp8_f32(v, v, 0, false)
                                            : __builtin_amdgcn_cvt_pk_bf8_f32(v, v, 0, false);
    return static_cast<__hip_fp8_storage_t>(packed);
  }
#endif
  return to_fp8(v, saturate, i);
}
__FP8_HOST_DEVICE__ __hip_fp8x2_storage_t fp8_pair(__hip_fp8_storage_t x, __hip_fp8_storage_t y) {
  return static_cast<__hip_fp8x2_storage_t>(x | y << 8);
}
} // namespace hip_impl

/* Conversions on storage. The first element of a pair is in the low byte. */
__FP8_HOST_DEVICE__ __hip_fp8_storage_t __hip_cvt_float_to_fp8(const float f, const __hip_saturation_t sat,
                                                               const __hip_fp8_interpretation_t type) {
  return hip_impl::float_to_fp8(f, sat, type);
}
__FP8_HOST_DEVICE__ __hip_fp8x2_storage_t __hip_cvt_float2_to_fp8x2(const float2 f, const __hip_saturation_t sat,
                                                                    const __hip_fp8_interpretation_t type) {
  return hip_impl::fp8_pair(hip_impl::float_to_fp8(f.x, sat, type), hip_impl::float_to_fp8(f.y, sat, type));
}
__FP8_HOST_DEVICE__ __hip_fp8_storage_t __hip_cvt_double_to_fp8(const double d, const __hip_saturation_t sat,
                                                                const __hip_fp8_interpretation_t type) {
  return hip_impl::to_fp8(d, sat, type);
}
__FP8_HOST_DEVICE__ __hip_fp8x2_storage_t __hip_cvt_double2_to_fp8x2(const double2 d, const __hip_saturation_t sat,
                                                                     const __hip_fp8_interpretation_t type) {
  return hip_impl::fp8_pair(hip_impl::to_fp8(d.x, sat, type), hip_impl::to_fp8(d.y, sat, type));
}
__FP8_HOST_DEVICE__ __hip_fp8_storage_t __hip_cvt_halfraw_to_fp8(const __half_raw x, const __hip_saturation_t sat,
                                                                 const __hip_fp8_interpretation_t type) {
  return hip_impl::float_to_fp8(__half2float(__half(x)), sat, type);
}
__FP8_HOST_DEVICE__ __hip_fp8_storage_t __hip_cvt_bfloat16raw_to_fp8(const __hip_bfloat16_raw x,
                                                                     const __hip_saturation_t sat,
                                                                     const __hip_fp8_interpretation_t type) {
  return hip_impl::float_to_fp8(__bfloat162float(__hip_bfloat16(x)), sat, type);
}
__FP8_HOST_DEVICE__ __hip_fp8x2_storage_t __hip_cvt_bfloat16raw2_to_fp8x2(const __hip_bfloat162_raw x,
                                                                          const __hip_saturation_t sat,
                                                                          const __hip_fp8_interpretation_t type) {
  return hip_impl::fp8_pair(__hip_cvt_bfloat16raw_to_fp8(__hip_bfloat16_raw{x.x}, sat, type),
                            __hip_cvt_bfloat16raw_to_fp8(__hip_bfloat16_raw{x.y}, sat, type));
}
/* Every fp8 value is exact in half. */
__FP8_HOST_DEVICE__ __half_raw __hip_cvt_fp8_to_halfraw(const __hip_fp8_storage_t x,
                                                        const __hip_fp8_interpretation_t type) {
  return __float2half(hip_impl::from_fp8(x, type));
}
#ifdef HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_FP16_H
__FP8_HOST_DEVICE__ __hip_fp8x2_storage_t __hip_cvt_halfraw2_to_fp8x2(const __half2_raw x, const __hip_saturation_t sat,
                                                                      const __hip_fp8_interpretation_t type) {
  return hip_impl::fp8_pair(hip_impl::float_to_fp8(static_cast<float>(x.data.x), sat, type),
                            hip_impl::float_to_fp8(static_cast<float>(x.data.y), sat, type));
}
__FP8_HOST_DEVICE__ __half2_raw __hip_cvt_fp8x2_to_halfraw2(const __hip_fp8x2_storage_t x,
                                                            const __hip_fp8_interpretation_t type) {
  __half2_raw r;
  r.data.x = static_cast<_Float16>(hip_impl::from_fp8(static_cast<__hip_fp8_storage_t>(x & 0xff), type));
  r.data.y = static_cast<_Float16>(hip_impl::from_fp8(static_cast<__hip_fp8_storage_t>(x >> 8), type));
  return r;
}
#endif

/* One value, two, four. Construction saturates, as CUDA's types do. */
#define __HIP_FP8_TYPES(NAME, NAME2, NAME4, TYPE, WHERE)                                                   \
  struct NAME {                                                                                            \
    __hip_fp8_storage_t __x;                                                                               \
    static constexpr __hip_saturation_t __default_saturation = __HIP_SATFINITE;                            \
    static constexpr __hip_fp8_interpretation_t __default_interpret = TYPE;                                \
    NAME() = default;                                                                                      \
    WHERE NAME(const float v) : __x(hip_impl::float_to_fp8(v, __HIP_SATFINITE, TYPE)) {}                   \
    WHERE NAME(const double v) : __x(hip_impl::to_fp8(v, __HIP_SATFINITE, TYPE)) {}                        \
    WHERE NAME(const __half v) : NAME(__half2float(v)) {}                                                  \
    WHERE NAME(const __hip_bfloat16 v) : NAME(__bfloat162float(v)) {}                                      \
    __HIP_FP8_FROM(NAME, WHERE, short)                                                                     \
    __HIP_FP8_FROM(NAME, WHERE, unsigned short)                                                            \
    __HIP_FP8_FROM(NAME, WHERE, int)                                                                       \
    __HIP_FP8_FROM(NAME, WHERE, unsigned int)                                                              \
    __HIP_FP8_FROM(NAME, WHERE, long)                                                                      \
    __HIP_FP8_FROM(NAME, WHERE, unsigned long)                                                             \
    __HIP_FP8_FROM(NAME, WHERE, long long)                                                                 \
    __HIP_FP8_FROM(NAME, WHERE, unsigned long long)                                                        \
    WHERE operator float() const { return hip_impl::from_fp8(__x, TYPE); }                                 \
    WHERE explicit operator double() const { return static_cast<float>(*this); }                           \
    WHERE explicit operator __half() const { return __float2half(static_cast<float>(*this)); }             \
    WHERE explicit operator __hip_bfloat16() const { return __float2bfloat16(static_cast<float>(*this)); } \
    WHERE explicit operator bool() const { return static_cast<float>(*this) != 0.0f; }                     \
  };                                                                                                       \
  struct NAME2 {                                                                                           \
    __hip_fp8x2_storage_t __x;                                                                             \
    static constexpr __hip_saturation_t __default_saturation = __HIP_SATFINITE;                            \
    static constexpr __hip_fp8_interpretation_t __default_interpret = TYPE;                                \
    NAME2() = default;                                                                                     \
    WHERE NAME2(const float2 v) : __x(__hip_cvt_float2_to_fp8x2(v, __HIP_SATFINITE, TYPE)) {}              \
    WHERE NAME2(const double2 v) : __x(__hip_cvt_double2_to_fp8x2(v, __HIP_SATFINITE, TYPE)) {}            \
    WHERE NAME2(const __hip_bfloat162 v) : __x(__hip_cvt_bfloat16raw2_to_fp8x2(v, __HIP_SATFINITE, TYPE)) {} \
    WHERE operator float2() const {                                                                        \
      return float2(hip_impl::from_fp8(static_cast<__hip_fp8_storage_t>(__x & 0xff), TYPE),                \
                    hip_impl::from_fp8(static_cast<__hip_fp8_storage_t>(__x >> 8), TYPE));                 \
    }                                                                                                      \
  };                                                                                                       \
  struct NAME4 {                                                                                           \
    __hip_fp8x4_storage_t __x;                                                                             \
    static constexpr __hip_saturation_t __default_saturation = __HIP_SATFINITE;                            \
    static constexpr __hip_fp8_interpretation_t __default_interpret = TYPE;                                \
    NAME4() = default;                                                                                     \
    WHERE NAME4(const float4 v)                                                                            \
        : __x(static_cast<unsigned>(NAME2(float2(v.x, v.y)).__x) |                                         \
              static_cast<unsigned>(NAME2(float2(v.z, v.w)).__x) << 16) {}                                 \
    WHERE NAME4(const double4 v)                                                                           \
        : __x(static_cast<unsigned>(NAME2(double2(v.x, v.y)).__x) |                                        \
              static_cast<unsigned>(NAME2(double2(v.z, v.w)).__x) << 16) {}                                \
    WHERE NAME4(const __hip_bfloat162 low, const __hip_bfloat162 high)                                     \
        : __x(static_cast<unsigned>(NAME2(low).__x) | static_cast<unsigned>(NAME2(high).__x) << 16) {}     \
    WHERE operator float4() const {                                                                        \
      float v[4] = {};                                                                                     \
      for (unsigned i = 0; i < 4; ++i)                                                                     \
        v[i] = hip_impl::from_fp8(static_cast<__hip_fp8_storage_t>(__x >> 8 * i & 0xff), TYPE);            \
      return float4(v[0], v[1], v[2], v[3]);                                                               \
    }                                                                                                      \
  };
#define __HIP_FP8_FROM(NAME, WHERE, T) \
  WHERE NAME(const T v) : NAME(static_cast<double>(v)) {}
__HIP_FP8_TYPES(__hip_fp8_e4m3_fnuz, __hip_fp8x2_e4m3_fnuz, __hip_fp8x4_e4m3_fnuz, __HIP_E4M3_FNUZ,
                __FP8_FNUZ_HOST_DEVICE__)
__HIP_FP8_TYPES(__hip_fp8_e5m2_fnuz, __hip_fp8x2_e5m2_fnuz, __hip_fp8x4_e5m2_fnuz, __HIP_E5M2_FNUZ,
                __FP8_FNUZ_HOST_DEVICE__)
__HIP_FP8_TYPES(__hip_fp8_e4m3, __hip_fp8x2_e4m3, __hip_fp8x4_e4m3, __HIP_E4M3, __FP8_OCP_HOST_DEVICE__)
__HIP_FP8_TYPES(__hip_fp8_e5m2, __hip_fp8x2_e5m2, __hip_fp8x4_e5m2, __HIP_E5M2, __FP8_OCP_HOST_DEVICE__)
#undef __HIP_FP8_FROM
#undef __HIP_FP8_TYPES
#undef __FP8_HOST_DEVICE__

#endif
