// SPDX-License-Identifier: MIT
// Small programs with control flow, memory on the stack and calls, for functions.def. Deterministic
// functions of three numbers, valid for host and device compilers.
#pragma once
#include "functions.h"
#define NOINLINE static __attribute__((noinline))

NOINLINE u32 prog_collatz(u32 a, u32 b) {
  u32 n = a % 1000 + 1, steps = 0;
  while (n != 1 && steps < b % 200) {
    n = n & 1 ? 3 * n + 1 : n / 2;
    ++steps;
  }
  return n * 1000 + steps;
}
NOINLINE u32 prog_switch(u32 a, u32 b, u32 c) {
  u32 sum = 0;
  for (u32 k = 0; k < a % 23; ++k) {
    if (k == c % 31)
      break;
    switch ((b >> k % 8) & 7) {
    case 0:
      sum += k;
      break;
    case 1:
      sum ^= 3 * k + b;
      break;
    case 2:
      if (sum & 1)
        continue;
      sum -= k >> 1; // fall through
    case 3:
      sum *= 5;
      break;
    case 6:
      goto done;
    default:
      sum = sum << 1 | sum >> 31;
    }
  }
done:
  return sum;
}
NOINLINE u32 prog_sort(u32 a, u32 b, u32 c) {
  i32 v[24];
  u32 s = a ^ 0x9e3779b9;
  for (int k = 0; k < 24; ++k)
    s = s * 1664525 + b + 1013904223, v[k] = (i32)(s >> 8) - (1 << 22);
  for (int k = 1; k < 24; ++k) {
    i32 x = v[k];
    int at = k;
    while (at > 0 && v[at - 1] > x)
      v[at] = v[at - 1], --at;
    v[at] = x;
  }
  u32 h = 0;
  for (int k = 0; k < 24; ++k)
    h = h * 31 + (u32)v[(k + c) % 24];
  return h;
}
NOINLINE u32 prog_recursive(u32 n, u32 m) {
  if (n < 2)
    return n + m;
  return prog_recursive(n - 1, m * 3 + 1) + 2 * prog_recursive(n - 2, m ^ n);
}
NOINLINE u64 prog_hash(u64 a, u64 b) {
  u8 bytes[32];
  for (int k = 0; k < 16; ++k)
    bytes[k] = (u8)(a >> (k % 8 * 8)), bytes[31 - k] = (u8)(b >> (k % 8 * 8) ^ k);
  u64 h = 0xcbf29ce484222325;
  for (int k = 0; k < 32; ++k)
    h = (h ^ bytes[k]) * 0x100000001b3;
  return h ^ h >> 29;
}
NOINLINE u32 prog_crc(u32 a, u32 b) {
  u32 crc = ~0u, data[2] = {a, b};
  for (int k = 0; k < 64; ++k) {
    u32 bit = (data[k >> 5] >> (k & 31) ^ crc) & 1;
    crc = crc >> 1 ^ (0xedb88320 & (0u - bit));
  }
  return ~crc;
}
struct shape {
  f32 x, y;
  i16 kind;
  u8 tag[3];
  f64 weight;
};
NOINLINE f64 prog_area(const struct shape* s) {
  return s->kind % 3 == 0 ? s->x * s->y : s->kind % 3 == 1 ? s->x + s->weight : s->y - s->tag[1];
}
NOINLINE f64 prog_shapes(u32 a, u32 b, u32 c) {
  struct shape s[5], t;
  for (int k = 0; k < 5; ++k) {
    s[k].x = (f32)(a >> k & 255), s[k].y = (f32)(i32)(b << k) * 0x1p-20f, s[k].kind = (i16)(c >> k),
    s[k].weight = k * 0.25;
    s[k].tag[0] = (u8)a, s[k].tag[1] = (u8)(b >> k), s[k].tag[2] = 7;
  }
  t = s[c % 5];
  s[4] = t;
  f64 sum = 0;
  for (int k = 0; k < 5; ++k)
    sum += prog_area(&s[k]) * (k + 1);
  return sum;
}
NOINLINE u32 prog_add(u32 x, u32 y) {
  return x + y * 7;
}
NOINLINE u32 prog_xor(u32 x, u32 y) {
  return x ^ (y << 3);
}
NOINLINE u32 prog_mix(u32 x, u32 y) {
  return x * 33 + (y >> 5);
}
NOINLINE u32 prog_pointers(u32 a, u32 b, u32 c) {
  u32 (*f[3])(u32, u32) = {prog_add, prog_xor, prog_mix};
  u32 r = c;
  for (u32 k = 0; k < a % 9; ++k)
    r = f[(b + k) % 3](r, k + b);
  return r;
}
NOINLINE f64 prog_matrix(u32 a, u32 b) {
  f64 m[4][4], det = 1;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      m[i][j] = (f64)(i32)((a * (i + 1) + b * (j + 3)) % 101) - 50 + (i == j) * 3;
  for (int k = 0; k < 4; ++k) {
    int pivot = k;
    for (int i = k + 1; i < 4; ++i)
      if (__builtin_fabs(m[i][k]) > __builtin_fabs(m[pivot][k]))
        pivot = i;
    if (m[pivot][k] == 0)
      return 0;
    if (pivot != k) {
      for (int j = 0; j < 4; ++j) {
        f64 t = m[k][j];
        m[k][j] = m[pivot][j];
        m[pivot][j] = t;
      }
      det = -det;
    }
    det *= m[k][k];
    for (int i = k + 1; i < 4; ++i) {
      f64 factor = m[i][k] / m[k][k];
      for (int j = k; j < 4; ++j)
        m[i][j] -= factor * m[k][j];
    }
  }
  return det;
}
NOINLINE u32 prog_mandelbrot(f32 x, f32 y) {
  f32 zx = 0, zy = 0;
  u32 n = 0;
  for (; n < 50 && zx * zx + zy * zy <= 4; ++n) {
    f32 t = zx * zx - zy * zy + x;
    zy = 2 * zx * zy + y;
    zx = t;
  }
  return n;
}
// Vectors indexed by variables go through VGPR index mode or scratch.
typedef i32 i32x8 __attribute__((ext_vector_type(8)));
NOINLINE i32 prog_vector(i32 a, i32 b, i32 c) {
  i32x8 v = {a, b, c, a ^ b, b ^ c, c ^ a, 7, -9};
  for (u32 k = 0; k < 8; ++k) {
    v[(k * 5 + (u32)c) & 7] ^= (i32)((u32)v[(k + (u32)a) & 7] * 3u);
    v[(u32)b & 7] ^= (i32)k;
  }
  i32 s = 0;
  for (int k = 0; k < 8; ++k)
    s = (i32)((u32)s * 3u + (u32)v[k]);
  return s;
}
