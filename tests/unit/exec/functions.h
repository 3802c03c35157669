// SPDX-License-Identifier: MIT
// Types and helpers of functions.def and programs.h, valid for host and device compilers.
#pragma once
typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned u32;
typedef long i64;
typedef unsigned long u64;
typedef float f32;
typedef double f64;
#define MIN(x, y) ((x) < (y) ? (x) : (y))
#define MAX(x, y) ((x) > (y) ? (x) : (y))
static inline _Float16 half_from_bits(u32 v) {
  u16 h = (u16)v;
  _Float16 f;
  __builtin_memcpy(&f, &h, 2);
  return f;
}
static inline u32 half_to_bits(_Float16 v) {
  u16 h;
  __builtin_memcpy(&h, &v, 2);
  // One representation for NaN: its payload is not compared.
  return (h & 0x7fff) > 0x7c00 ? 0x7e00 : h;
}
#define HALF(v) half_from_bits(v)
#define BITS(v) half_to_bits(v)
