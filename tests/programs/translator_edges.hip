// SPDX-License-Identifier: MIT
// One check for each difference that random programs found between translator and interpreter. Instructions are written
// out; what they must give is from the ISA manual and docs/errata.md, worked out by hand.
#include "check.h"
#include <cstdint>
#include <cstring>

struct Out {
  uint32_t vccz_high, scaled, clamped_nan, kept_half, quieted, nan_to_i16, rpi_below, rpi_large, sub_clamped, mad_clamped,
      negated_sum, mixed, carry_low, tid_read, from_memory, whole_wave;
};

__global__ void edges(const uint32_t* x, const uint32_t* row, Out* out) {
  __shared__ uint32_t lds[128];
  int t = threadIdx.x;
  Out o;
  uint32_t one = x[0], nan = x[1], signaling = x[2], below = x[3], large = x[4], half_nan = x[5], ones = x[6], pair = x[7];
  uint64_t pair64;
  // One bit of a special register, as a 64-bit operand.
  asm volatile("s_mov_b64 vcc, 0\n\ts_mov_b64 %0, src_vccz" : "=s"(pair64) : : "vcc");
  o.vccz_high = (uint32_t)(pair64 >> 32) * 16 + (uint32_t)pair64;
  // omod does nothing in IEEE mode [E-005].
  asm volatile("v_add_f32_e64 %0, %1, %1 mul:4" : "=v"(o.scaled) : "v"(one));
  asm volatile("v_add_f32_e64 %0, %1, %2 clamp" : "=v"(o.clamped_nan) : "v"(one), "v"(nan));
  // 16-bit results of VOP3-only instructions keep the other half [E-006].
  o.kept_half = 0xabcd0000;
  asm volatile("v_fma_f16 %0, %1, %1, %1" : "+v"(o.kept_half) : "v"(pair));
  asm volatile("v_min_f32 %0, %1, %2" : "=v"(o.quieted) : "v"(signaling), "v"(one));
  asm volatile("v_cvt_i16_f16 %0, %1" : "=v"(o.nan_to_i16) : "v"(half_nan));
  asm volatile("v_cvt_rpi_i32_f32 %0, %1" : "=v"(o.rpi_below) : "v"(below));
  asm volatile("v_cvt_rpi_i32_f32 %0, %1" : "=v"(o.rpi_large) : "v"(large));
  asm volatile("v_subrev_u16_e64 %0, %1, %2 clamp" : "=v"(o.sub_clamped) : "v"(ones), "v"(pair));
  asm volatile("v_mad_u32_u16 %0, %1, %1, %1 clamp" : "=v"(o.mad_clamped) : "v"(ones));
  asm volatile("v_dot2_f32_f16 %0, %1, %1, %2 neg_lo:[0,0,1]" : "=v"(o.negated_sum) : "v"(pair), "v"(one));
  float small = __uint_as_float(x[8]), tie = __uint_as_float(x[9]);
  o.mixed = 0;
  asm volatile("v_fma_mixlo_f16 %0, %1, %1, %2" : "+v"(o.mixed) : "v"(small), "v"(tie));
  // Lanes that DPP switches off have no carry.
  uint32_t unused;
  uint64_t carry;
  asm volatile("s_mov_b64 vcc, 0\n\ts_nop 4\n\tv_mov_b32 %0, 0\n\tv_add_co_u32_dpp %0, vcc, %2, %2 quad_perm:[0,1,2,3] row_mask:0x5 bank_mask:0xf\n\ts_nop 4\n\ts_mov_b64 %1, vcc"
               : "=&v"(unused), "=s"(carry) : "v"(ones) : "vcc");
  o.carry_low = (uint32_t)carry;
  // LDS addressed by M0 and lane.
  lds[t] = t * 3, lds[t + 64] = t + 7;
  __syncthreads();
  asm volatile("s_mov_b32 m0, %1\n\ts_nop 4\n\tds_read_addtid_b32 %0 offset:256\n\ts_waitcnt lgkmcnt(0)" : "=v"(o.tid_read) : "s"((uint32_t)(uintptr_t)(__attribute__((address_space(3))) uint32_t*)lds) : "m0", "memory");
  __syncthreads();
  // Loads from memory straight to LDS.
  asm volatile("s_mov_b32 m0, %0\n\ts_nop 4\n\t"
#if defined(__gfx90a__)
               "global_load_dword %1, off lds\n\t"
#else
               "global_load_lds_dword %1, off\n\t"
#endif
               "s_waitcnt vmcnt(0)" : : "s"((uint32_t)(uintptr_t)(__attribute__((address_space(3))) uint32_t*)lds), "v"(row + t) : "m0", "memory");
  __syncthreads();
  o.from_memory = lds[t];
  // Whole-wave code in a wave that is not full: lanes beyond the workgroup keep what it wrote.
  uint32_t lane40;
  uint64_t saved;
  asm volatile("s_or_saveexec_b64 %1, -1\n\tv_mov_b32 %2, 55\n\ts_mov_b64 exec, %1\n\tv_mov_b32 %2, %3\n\t"
               "s_or_saveexec_b64 %1, -1\n\ts_nop 4\n\tv_readlane_b32 %0, %2, 40\n\ts_mov_b64 exec, %1"
               : "=s"(lane40), "=&s"(saved), "=&v"(unused) : "v"(one));
  o.whole_wave = lane40;
  out[t] = o;
}

typedef float Floats4 __attribute__((ext_vector_type(4)));
typedef float Floats16 __attribute__((ext_vector_type(16)));
/// Whatever NaN goes in, by A, B or C, one comes out; and a product beyond the format comes back by its scaling.
__global__ void nans(const float* a, const float* b, const float* c, uint32_t* out, double large, double* scaled) {
  int t = threadIdx.x;
  Floats16 wide;
  Floats4 small;
  for (int k = 0; k < 16; k++)
    wide[k] = c[t];
  for (int k = 0; k < 4; k++)
    small[k] = c[t];
  wide = __builtin_amdgcn_mfma_f32_32x32x2f32(a[t], b[t], wide, 0, 0, 0);
  small = __builtin_amdgcn_mfma_f32_4x4x1f32(a[t], b[t], small, 0, 0, 0);
  double d = __builtin_amdgcn_mfma_f64_4x4x4f64((double)a[t], (double)b[t], (double)c[t], 0, 0, 0);
  for (int k = 0; k < 16; k++)
    out[k * 64 + t] = __float_as_uint(wide[k]);
  for (int k = 0; k < 4; k++)
    out[(16 + k) * 64 + t] = __float_as_uint(small[k]);
  out[20 * 64 + t] = (uint32_t)((unsigned long long)__double_as_longlong(d) >> 32);
  out[21 * 64 + t] = (uint32_t)__double_as_longlong(d) + 0x7fc00000;
  asm volatile("s_mov_b64 vcc, -1\n\ts_nop 4\n\tv_div_fmas_f64 %0, %1, %2, %3" : "=v"(d) : "v"(large), "v"(large), "v"(1.0) : "vcc");
  scaled[t] = d;
}

void check_nans() {
  float quiet, signaling;
  uint32_t q = 0xffc12345, s = 0x7f800abc;
  memcpy(&quiet, &q, 4), memcpy(&signaling, &s, 4);
  for (int where = 0; where < 4; where++) {
    std::vector<float> v[3] = {std::vector<float>(64, 1.0f), std::vector<float>(64, 2.0f), std::vector<float>(64, 3.0f)};
    for (int t = 0; t < 64; t++) {
      if (where < 3)
        v[where][t] = t % 2 ? quiet : signaling;
      else
        v[0][t] = INFINITY, v[1][t] = 0; // a NaN that the instruction makes
    }
    auto* out = up(std::vector<uint32_t>(22 * 64));
    auto* scaled = up(std::vector<double>(64));
    nans<<<1, 64>>>(up(v[0]), up(v[1]), up(v[2]), out, 0x1p540, scaled);
    auto got = down(out, 22 * 64);
    for (int k = 0; k < 22 * 64; k++)
      EXPECT(got[k] == (k / 64 == 20 ? 0x7ff80000 : 0x7fc00000), "NaN of a matrix instruction, case %d, row %d: %x", where, k / 64, got[k]);
    for (double d : down(scaled, 64))
      EXPECT(d == 0x1p952, "a scaled product of 2^1080: %a", d); // * 2^-128
  }
}

int main() {
  check_nans();
  auto bits = [](float f) {
    uint32_t b;
    memcpy(&b, &f, 4);
    return b;
  };
  std::vector<uint32_t> x = {bits(1.0f), 0x7fc00000, 0x7f800001, bits(0.49999997f), bits(8388609.0f), 0x7e00, ~0u, 0x40004000, bits(0x1p-15f), bits(1 + 0x1p-11f)}, row(64);
  for (int t = 0; t < 64; t++)
    row[t] = 1000 + t;
  const int n = 33;
  Out* d = up(std::vector<Out>(64));
  edges<<<1, n>>>(up(x), up(row), d);
  auto got = down(d, n);
  for (int t = 0; t < n; t++) {
    const Out& o = got[t];
    EXPECT(o.vccz_high == 1, "VCCZ as a pair: %x", o.vccz_high);
    EXPECT(o.scaled == bits(2.0f), "omod: %x", o.scaled);
    EXPECT(o.clamped_nan == 0, "clamp of NaN: %x", o.clamped_nan);
    EXPECT(o.kept_half == 0xabcd4600, "half result: %x", o.kept_half); // 2 * 2 + 2 = 6
    EXPECT(o.quieted == 0x7fc00001, "signaling NaN: %x", o.quieted);
    EXPECT(o.nan_to_i16 == 0, "NaN half to integer: %x", o.nan_to_i16);
    EXPECT(o.rpi_below == 0, "rpi below one half: %d", o.rpi_below);
    EXPECT(o.rpi_large == 8388609, "rpi of an odd number: %d", o.rpi_large);
    EXPECT(o.sub_clamped == 0, "clamped subtraction: %x", o.sub_clamped); // 0x4000 - 0xffff
    EXPECT(o.mad_clamped == ~0u, "clamped product and sum: %x", o.mad_clamped);
    EXPECT(o.negated_sum == bits(7.0f), "negated addend: %x", o.negated_sum); // 4 + 4 - 1
    EXPECT(o.mixed == 0x3c00, "half of a single fma: %x", o.mixed); // as (_Float16)fmaf(): rounded twice
    EXPECT(o.carry_low == 0x0000ffff, "carries under DPP: %x", o.carry_low); // rows 0 and 2 are on
    EXPECT(o.tid_read == (uint32_t)t + 7, "LDS by lane: %u", o.tid_read);
    EXPECT(o.from_memory == 1000u + t, "memory to LDS: %u", o.from_memory);
    EXPECT(o.whole_wave == 55, "whole-wave value: %u", o.whole_wave);
  }
  DONE();
}
