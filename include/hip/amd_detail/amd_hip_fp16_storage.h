/* SPDX-License-Identifier: MIT */
/* Half precision for host compilers without _Float16: storage, and conversions to and from float. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_FP16_STORAGE_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_FP16_STORAGE_H
#include <stdint.h>
#include <string.h>

struct __half_raw {
  unsigned short x;
};
struct __half {
  unsigned short __x;
  __half() = default;
  __half(float f) : __x(narrow(f)) {}
  __half(const __half_raw& r) : __x(r.x) {}
  operator float() const { return widen(__x); }
  operator __half_raw() const { return {__x}; }

  static float widen(unsigned short h) {
    uint32_t sign = (h & 0x8000u) << 16, exponent = (h >> 10) & 31, mantissa = h & 0x3ffu, bits = sign;
    if (exponent == 31) bits |= 0x7f800000u | (mantissa << 13);
    else if (exponent) bits |= ((exponent + 112) << 23) | (mantissa << 13);
    else if (mantissa) {
      uint32_t e = 113;
      while (!(mantissa & 0x400u)) mantissa <<= 1, --e;
      bits |= (e << 23) | ((mantissa & 0x3ffu) << 13);
    }
    float f;
    memcpy(&f, &bits, 4);
    return f;
  }
  /* To nearest, ties to even. */
  static unsigned short narrow(float f) {
    uint32_t bits;
    memcpy(&bits, &f, 4);
    uint32_t sign = (bits >> 16) & 0x8000u, m = bits & 0x7fffffffu;
    if (m > 0x7f800000u) return static_cast<unsigned short>(sign | 0x7e00u);
    if (m >= 0x477ff000u) return static_cast<unsigned short>(sign | 0x7c00u);
    if (m < 0x33000001u) return static_cast<unsigned short>(sign);
    uint32_t exponent = m >> 23, value = (m & 0x7fffffu) | 0x800000u;
    unsigned drop = exponent < 113 ? 126 - exponent : 13;
    uint32_t base = exponent < 113 ? 0 : (exponent - 113) << 10;
    uint32_t result = base + (value >> drop), rest = value & ((1u << drop) - 1), half = 1u << (drop - 1);
    if (rest > half || (rest == half && (result & 1))) ++result;
    return static_cast<unsigned short>(sign | result);
  }
};
struct alignas(4) __half2 {
  __half x, y;
};
typedef __half half;
typedef __half2 half2;

static inline float __half2float(__half h) { return h; }
static inline __half __float2half(float f) { return __half(f); }

#endif
