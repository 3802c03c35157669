/* SPDX-License-Identifier: MIT */
/* hip_bfloat16: the small bfloat16 type that the math libraries use. */
#ifndef HIP_INCLUDE_HIP_HIP_BFLOAT16_H
#define HIP_INCLUDE_HIP_HIP_BFLOAT16_H
#include <hip/amd_detail/amd_user_macros_off.h>
#include <hip/amd_detail/host_defines.h>
#include <hip/hip_common.h>
#ifndef __HIPCC_RTC__
#include <stdint.h>
#endif

#ifndef __cplusplus
typedef struct {
  uint16_t data;
} hip_bfloat16;
#else
struct hip_bfloat16 {
  unsigned short data;

  enum truncate_t { truncate };
  __host__ __device__ hip_bfloat16() = default;
  __host__ __device__ explicit constexpr hip_bfloat16(float f)
      : data(round(__builtin_bit_cast(unsigned, f))) {}
  __host__ __device__ explicit constexpr hip_bfloat16(float f, truncate_t)
      : data(cut(__builtin_bit_cast(unsigned, f))) {}
  __host__ __device__ constexpr operator float() const {
    return __builtin_bit_cast(float, unsigned(data) << 16);
  }
  __host__ __device__ explicit constexpr operator bool() const { return (data & 0x7fff) != 0; }
  static __host__ __device__ hip_bfloat16 round_to_bfloat16(float f) { return hip_bfloat16(f); }
  static __host__ __device__ hip_bfloat16 round_to_bfloat16(float f, truncate_t) {
    return hip_bfloat16(f, truncate);
  }

private:
  static __host__ __device__ constexpr bool nan(unsigned u) {
    return (u & 0x7fffffffu) > 0x7f800000u;
  }
  /* Nearest even; NaNs stay NaNs. */
  static __host__ __device__ constexpr unsigned short round(unsigned u) {
    return nan(u) ? static_cast<unsigned short>((u >> 16) | 0x40)
                  : static_cast<unsigned short>((u + 0x7fffu + ((u >> 16) & 1)) >> 16);
  }
  static __host__ __device__ constexpr unsigned short cut(unsigned u) {
    return nan(u) ? static_cast<unsigned short>((u >> 16) | 0x40)
                  : static_cast<unsigned short>(u >> 16);
  }
};
static_assert(sizeof(hip_bfloat16) == 2, "two bytes");

#define __HIP_BF16_BINARY(op)                                                                      \
  inline __host__ __device__ hip_bfloat16 operator op(hip_bfloat16 a, hip_bfloat16 b) {            \
    return hip_bfloat16(float(a) op float(b));                                                     \
  }                                                                                                \
  inline __host__ __device__ hip_bfloat16& operator op##=(hip_bfloat16 & a, hip_bfloat16 b) {      \
    return a = a op b;                                                                             \
  }
__HIP_BF16_BINARY(+)
__HIP_BF16_BINARY(-)
__HIP_BF16_BINARY(*)
__HIP_BF16_BINARY(/)
#undef __HIP_BF16_BINARY
#define __HIP_BF16_COMPARE(op)                                                                     \
  inline __host__ __device__ bool operator op(hip_bfloat16 a, hip_bfloat16 b) {                    \
    return float(a) op float(b);                                                                   \
  }
__HIP_BF16_COMPARE(==)
__HIP_BF16_COMPARE(!=)
__HIP_BF16_COMPARE(<)
__HIP_BF16_COMPARE(>)
__HIP_BF16_COMPARE(<=)
__HIP_BF16_COMPARE(>=)
#undef __HIP_BF16_COMPARE
inline __host__ __device__ hip_bfloat16 operator-(hip_bfloat16 a) {
  a.data ^= 0x8000;
  return a;
}
inline __host__ __device__ hip_bfloat16 operator+(hip_bfloat16 a) {
  return a;
}
inline __host__ __device__ hip_bfloat16& operator++(hip_bfloat16& a) {
  return a = hip_bfloat16(float(a) + 1.0f);
}
inline __host__ __device__ hip_bfloat16& operator--(hip_bfloat16& a) {
  return a = hip_bfloat16(float(a) - 1.0f);
}

namespace std {
constexpr __host__ __device__ bool isinf(hip_bfloat16 a) {
  return (a.data & 0x7fff) == 0x7f80;
}
constexpr __host__ __device__ bool isnan(hip_bfloat16 a) {
  return (a.data & 0x7fff) > 0x7f80;
}
constexpr __host__ __device__ bool iszero(hip_bfloat16 a) {
  return (a.data & 0x7fff) == 0;
}
} // namespace std
#endif
#include <hip/amd_detail/amd_user_macros_on.h>
#endif
