// SPDX-License-Identifier: MIT
// VOP3 operations on bytes: sums of absolute differences, permutation, averages, byte conversions,
// 8-bit floats; and the cube map helpers.
#include "exec/arith.h"
#include <algorithm>

namespace pumice::exec {
namespace {

using u32 = uint32_t;
using u64 = uint64_t;

u32 byte_of(u64 v, unsigned n) {
  return static_cast<u32>(v >> 8 * n & 0xff);
}
u32 distance(u32 a, u32 b) {
  return a > b ? a - b : b - a;
}

u32 sad_bytes(u32 x, u32 y) {
  u32 sum = 0;
  for (unsigned n = 0; n < 4; ++n)
    sum += distance(byte_of(x, n), byte_of(y, n));
  return sum;
}
// Bytes whose reference (the second operand) is 0 do not count.
u32 masked_sad_bytes(u32 x, u32 reference) {
  u32 sum = 0;
  for (unsigned n = 0; n < 4; ++n)
    if (byte_of(reference, n))
      sum += distance(byte_of(x, n), byte_of(reference, n));
  return sum;
}
u32 accumulate(const Context& c, u64 sum, u32 limit) {
  return c.clamp() && sum > limit ? limit : static_cast<u32>(sum & limit);
}

template <class Sad> u64 quad_sad(const Context& c, u64 x, u32 y, u64 z, Sad sad) {
  u64 r = 0;
  for (unsigned n = 0; n < 4; ++n) {
    u32 window = static_cast<u32>(x >> 8 * n);
    r |= u64{accumulate(c, sad(window, y) + (z >> 16 * n & 0xffff), 0xffff)} << 16 * n;
  }
  return r;
}

// Byte selector of v_perm_b32: 0..3 from S1, 4..7 from S0, 8..11 sign of a half, 12 zero, above
// 0xff.
u32 permuted_byte(u64 bytes, u32 sel) {
  if (sel >= 13)
    return 0xff;
  if (sel == 12)
    return 0;
  if (sel >= 8)
    return byte_of(bytes, 2 * (sel - 8) + 1) & 0x80 ? 0xff : 0;
  return byte_of(bytes, sel);
}

u32 float_to_byte(float v) {
  if (is_nan(v))
    return 0;
  return static_cast<u32>(std::clamp(std::nearbyint(v), 0.0f, 255.0f));
}
u32 replace_byte(u32 old, u32 n, u32 value) {
  unsigned shift = 8 * (n & 3);
  return (old & ~(0xffu << shift)) | value << shift;
}

void bind_sums(Bodies& b) {
  bind_lane(b, Op::v_sad_u8, [](Context& c, u32 x, u32 y, u32 z) {
    return accumulate(c, u64{z} + sad_bytes(x, y), ~0u);
  });
  bind_lane(b, Op::v_sad_hi_u8, [](Context& c, u32 x, u32 y, u32 z) {
    return accumulate(c, u64{z} + (sad_bytes(x, y) << 16), ~0u);
  });
  bind_lane(b, Op::v_sad_u16, [](Context& c, u32 x, u32 y, u32 z) {
    return accumulate(c, u64{z} + distance(x & 0xffff, y & 0xffff) + distance(x >> 16, y >> 16),
                      ~0u);
  });
  bind_lane(b, Op::v_sad_u32, [](Context& c, u32 x, u32 y, u32 z) {
    return accumulate(c, u64{z} + distance(x, y), ~0u);
  });
  bind_lane(b, Op::v_msad_u8, [](Context& c, u32 x, u32 y, u32 z) {
    return accumulate(c, u64{z} + masked_sad_bytes(x, y), ~0u);
  });
  bind_lane(b, Op::v_qsad_pk_u16_u8,
            [](Context& c, u64 x, u32 y, u64 z) { return quad_sad(c, x, y, z, sad_bytes); });
  bind_lane(b, Op::v_mqsad_pk_u16_u8,
            [](Context& c, u64 x, u32 y, u64 z) { return quad_sad(c, x, y, z, masked_sad_bytes); });
  // Four 32-bit sums: 128-bit operands, so read and written here.
  b.bind(Op::v_mqsad_u32_u8, [](Wave& w, const Inst& i) {
    Source x = source(w, i, i.src[0]), y = source(w, i, i.src[1]);
    Context c{w, i, Fp(w.mode)};
    for_lanes(w.exec(), [&](unsigned lane) {
      u64 window = x.both(w, lane);
      u32 reference = y.low(w, lane), r[4];
      for (unsigned n = 0; n < 4; ++n)
        r[n] = accumulate(c,
                          u64{w.vgpr[i.src[2].vgpr() + n][lane]} +
                              masked_sad_bytes(static_cast<u32>(window >> 8 * n), reference),
                          ~0u);
      for (unsigned n = 0; n < 4; ++n)
        w.vgpr[i.dst[0].vgpr() + n][lane] = r[n];
    });
  });
}

void bind_byte_moves(Bodies& b) {
  bind_lane(b, Op::v_perm_b32, [](Context&, u32 x, u32 y, u32 sel) {
    u64 bytes = u64{x} << 32 | y;
    u32 r = 0;
    for (unsigned n = 0; n < 4; ++n)
      r |= permuted_byte(bytes, byte_of(sel, n)) << 8 * n;
    return r;
  });
  bind_lane(b, Op::v_lerp_u8, [](Context&, u32 x, u32 y, u32 z) {
    u32 r = 0;
    for (unsigned n = 0; n < 4; ++n)
      r |= ((byte_of(x, n) + byte_of(y, n) + (byte_of(z, n) & 1)) >> 1) << 8 * n;
    return r;
  });
  bind_lane(b, Op::v_cvt_pk_u8_f32, [](Context& c, float x, u32 n, u32 old) {
    return replace_byte(old, n, float_to_byte(c.fp.in(x)));
  });
  b.bind(Op::v_cvt_pkaccum_u8_f32, [](Wave& w, const Inst& i) {
    Context c{w, i, Fp(w.mode)};
    Source x = source(w, i, i.src[0]), n = source(w, i, i.src[1]);
    for_lanes(w.exec(), [&](unsigned lane) {
      u32& d = w.vgpr[i.dst[0].vgpr()][lane];
      d = replace_byte(d, n.low(w, lane), float_to_byte(c.fp.in(read_lane<float>(c, x, 0, lane))));
    });
  });
}

// fp8 and bf8 results fill a half (pk, chosen by op_sel[3]) or one byte (sr, op_sel[3:2]) of the
// destination.
template <class F> void bind_pack_float8(Bodies& b, Op op, F) {
  b.bind(op, [](Wave& w, const Inst& i) {
    Context c{w, i, Fp(w.mode)};
    Source x = source(w, i, i.src[0]), y = source(w, i, i.src[1]);
    for_lanes(w.exec(), [&](unsigned lane) {
      u32 pair = F{}(read_lane<float>(c, x, 0, lane), c.fp.fp16_overflow_clamps) |
                 static_cast<u32>(F{}(read_lane<float>(c, y, 1, lane), c.fp.fp16_overflow_clamps))
                     << 8;
      u32& d = w.vgpr[i.dst[0].vgpr()][lane];
      d = i.op_sel & 8 ? (d & 0xffff) | pair << 16 : (d & 0xffff0000) | pair;
    });
  });
}
template <class F> void bind_stochastic_float8(Bodies& b, Op op, F) {
  b.bind(op, [](Wave& w, const Inst& i) {
    Context c{w, i, Fp(w.mode)};
    Source x = source(w, i, i.src[0]), noise = source(w, i, i.src[1]);
    for_lanes(w.exec(), [&](unsigned lane) {
      u32 value =
          F{}(read_lane<float>(c, x, 0, lane), c.fp.fp16_overflow_clamps, noise.low(w, lane));
      u32& d = w.vgpr[i.dst[0].vgpr()][lane];
      d = replace_byte(d, i.op_sel >> 2, value);
    });
  });
}

// Cube map face selection [CDNA3 ISA, V_CUBE*]: z wins ties, then y.
struct Cube {
  float x, y, z;
  int major() const {
    float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
    if (az >= ax && az >= ay)
      return 2;
    return ay >= ax ? 1 : 0;
  }
  float face() const {
    switch (major()) {
    case 2:
      return z < 0 ? 5 : 4;
    case 1:
      return y < 0 ? 3 : 2;
    default:
      return x < 0 ? 1 : 0;
    }
  }
  float s() const {
    switch (major()) {
    case 2:
      return z < 0 ? -x : x;
    case 1:
      return x;
    default:
      return x < 0 ? z : -z;
    }
  }
  float t() const {
    switch (major()) {
    case 1:
      return y < 0 ? -z : z;
    default:
      return -y;
    }
  }
  float axis() const {
    float a[3] = {x, y, z};
    return 2 * a[major()];
  }
};

} // namespace

void bind_vop3_bytes(Bodies& b) {
  bind_sums(b);
  bind_byte_moves(b);
  bind_pack_float8(b, Op::v_cvt_pk_fp8_f32, [](float v, bool clamps) { return fp8_of(v, clamps); });
  bind_pack_float8(b, Op::v_cvt_pk_bf8_f32, [](float v, bool clamps) { return bf8_of(v, clamps); });
  bind_stochastic_float8(b, Op::v_cvt_sr_fp8_f32,
                         [](float v, bool clamps, u32 r) { return fp8_of(v, clamps, true, r); });
  bind_stochastic_float8(b, Op::v_cvt_sr_bf8_f32,
                         [](float v, bool clamps, u32 r) { return bf8_of(v, clamps, true, r); });
  bind_lane(b, Op::v_cubeid_f32,
            [](Context&, float x, float y, float z) { return Cube{x, y, z}.face(); });
  bind_lane(b, Op::v_cubesc_f32,
            [](Context&, float x, float y, float z) { return Cube{x, y, z}.s(); });
  bind_lane(b, Op::v_cubetc_f32,
            [](Context&, float x, float y, float z) { return Cube{x, y, z}.t(); });
  bind_lane(b, Op::v_cubema_f32,
            [](Context&, float x, float y, float z) { return Cube{x, y, z}.axis(); });
}

} // namespace pumice::exec
