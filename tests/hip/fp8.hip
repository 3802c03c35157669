// SPDX-License-Identifier: MIT
// fp8: values of the OCP specification and of the FNUZ formats; on gfx942 the conversion instructions
// against the host's over all bit patterns of bfloat16 (gfx90a has no fp8).
#include "check.h"
#include <hip/hip_fp8.h>
#include <string_view>

__global__ void convert(unsigned char* out, float* back) {
#if !defined(__HIP_DEVICE_COMPILE__) || HIP_FP8_TYPE_FNUZ
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float f = __builtin_bit_cast(float, i << 16);
  out[4 * i] = __hip_fp8_e4m3_fnuz(f).__x;
  out[4 * i + 1] = __hip_fp8_e5m2_fnuz(f).__x;
  out[4 * i + 2] = __hip_cvt_float_to_fp8(f, __HIP_NOSAT, __HIP_E4M3_FNUZ);
  out[4 * i + 3] = __hip_cvt_float_to_fp8(f, __HIP_NOSAT, __HIP_E5M2_FNUZ);
  __hip_fp8_e4m3_fnuz a;
  a.__x = static_cast<unsigned char>(i);
  __hip_fp8_e5m2_fnuz b;
  b.__x = static_cast<unsigned char>(i);
  back[2 * i] = a;
  back[2 * i + 1] = b;
#else
  (void)out, (void)back;
#endif
}

struct Known {
  __hip_fp8_interpretation_t type;
  unsigned code;
  float value;
};
// Largest, one, smallest normal, smallest denormal: OCP's "8-bit floating point specification", table 3; FNUZ: the
// same with one more in the bias, the top exponent a plain one.
constexpr Known kKnown[] = {
    {__HIP_E4M3, 0x7e, 448.0f},         {__HIP_E4M3, 0x38, 1.0f},           {__HIP_E4M3, 0x08, 0x1p-6f},
    {__HIP_E4M3, 0x01, 0x1p-9f},        {__HIP_E4M3, 0x07, 0x1.cp-7f},      {__HIP_E4M3, 0xb8, -1.0f},
    {__HIP_E5M2, 0x7b, 57344.0f},       {__HIP_E5M2, 0x3c, 1.0f},           {__HIP_E5M2, 0x04, 0x1p-14f},
    {__HIP_E5M2, 0x01, 0x1p-16f},       {__HIP_E5M2, 0x03, 0x1.8p-15f},     {__HIP_E5M2, 0xc0, -2.0f},
    {__HIP_E4M3_FNUZ, 0x7f, 240.0f},    {__HIP_E4M3_FNUZ, 0x40, 1.0f},      {__HIP_E4M3_FNUZ, 0x08, 0x1p-7f},
    {__HIP_E4M3_FNUZ, 0x01, 0x1p-10f},  {__HIP_E4M3_FNUZ, 0xff, -240.0f},   {__HIP_E5M2_FNUZ, 0x7f, 57344.0f},
    {__HIP_E5M2_FNUZ, 0x40, 1.0f},      {__HIP_E5M2_FNUZ, 0x04, 0x1p-15f},  {__HIP_E5M2_FNUZ, 0x01, 0x1p-17f},
};
struct Rounding {
  __hip_fp8_interpretation_t type;
  float value;
  unsigned plain, saturated;
};
constexpr float kInf = __builtin_inff();
constexpr Rounding kRounding[] = {
    // Ties to even; beyond the largest value; infinity; negative zero; half of the smallest.
    {__HIP_E4M3, 17.0f, 0x58, 0x58},         {__HIP_E4M3, 19.0f, 0x5a, 0x5a},
    {__HIP_E4M3, 464.0f, 0x7e, 0x7e},        {__HIP_E4M3, 465.0f, 0x7f, 0x7e},
    {__HIP_E4M3, -1e9f, 0xff, 0xfe},         {__HIP_E4M3, kInf, 0x7f, 0x7e},
    {__HIP_E4M3, -0.0f, 0x80, 0x80},         {__HIP_E4M3, 0x1p-10f, 0, 0},
    {__HIP_E4M3, 0x1.8p-10f, 1, 1},          {__HIP_E5M2, 61439.0f, 0x7b, 0x7b},
    {__HIP_E5M2, 61440.0f, 0x7c, 0x7b},      {__HIP_E5M2, -kInf, 0xfc, 0xfb},
    {__HIP_E5M2, 1e-30f, 0, 0},              {__HIP_E4M3_FNUZ, 247.9f, 0x7f, 0x7f},
    {__HIP_E4M3_FNUZ, 248.0f, 0x80, 0x7f},   {__HIP_E4M3_FNUZ, -0.0f, 0, 0},
    {__HIP_E4M3_FNUZ, -1e-9f, 0, 0},         {__HIP_E4M3_FNUZ, kInf, 0x80, 0x80},
    {__HIP_E5M2_FNUZ, -70000.0f, 0x80, 0xff}, {__HIP_E5M2_FNUZ, 0x1.8p-18f, 1, 1},
};

int main() {
  for (const Known& k : kKnown) {
    CHECK_EQ(unsigned(__hip_cvt_float_to_fp8(k.value, __HIP_NOSAT, k.type)), k.code);
    CHECK_EQ(unsigned(__hip_cvt_double_to_fp8(k.value, __HIP_SATFINITE, k.type)), k.code);
    // Every fp8 value is exact in half.
    float half = __half2float(__half(__hip_cvt_fp8_to_halfraw(static_cast<unsigned char>(k.code), k.type)));
    CHECK_EQ(half, k.value);
  }
  for (const Rounding& r : kRounding) {
    CHECK_EQ(unsigned(__hip_cvt_float_to_fp8(r.value, __HIP_NOSAT, r.type)), r.plain);
    CHECK_EQ(unsigned(__hip_cvt_float_to_fp8(r.value, __HIP_SATFINITE, r.type)), r.saturated);
  }
  // One rounding, not two: just above a tie that float would round away.
  CHECK_EQ(unsigned(__hip_cvt_double_to_fp8(17.0 + 1e-12, __HIP_NOSAT, __HIP_E4M3)), 0x59u);
  CHECK(std::isnan(float(__hip_fp8_e4m3(NAN))) && std::isnan(float(__hip_fp8_e5m2_fnuz(NAN))));
  CHECK_EQ(float(__hip_fp8_e5m2(3)), 3.0f);
  CHECK_EQ(float(__hip_fp8_e4m3(__half(1.5f))), 1.5f);
  float4 four = __hip_fp8x4_e4m3(float4(1, -2, 0.5f, 300));
  CHECK(four.x == 1 && four.y == -2 && four.z == 0.5f && four.w == 288);
  CHECK_EQ(unsigned(__hip_fp8x2_e5m2(float2(1, 2)).__x), 0x403cu);

  hipDeviceProp_t p;
  HIP(hipGetDeviceProperties(&p, 0));
  if (std::string_view(p.gcnArchName).starts_with("gfx942")) {
    constexpr unsigned n = 65536;
    unsigned char* out;
    float* back;
    HIP(hipMallocManaged(reinterpret_cast<void**>(&out), 4 * n));
    HIP(hipMallocManaged(reinterpret_cast<void**>(&back), 2 * n * sizeof(float)));
    convert<<<n / 256, 256>>>(out, back);
    HIP(hipGetLastError());
    HIP(hipDeviceSynchronize());
    for (unsigned i = 0; i < n; ++i) {
      float f = __builtin_bit_cast(float, i << 16);
      CHECK_EQ(unsigned(out[4 * i]), unsigned(__hip_cvt_float_to_fp8(f, __HIP_SATFINITE, __HIP_E4M3_FNUZ)));
      CHECK_EQ(unsigned(out[4 * i + 1]), unsigned(__hip_cvt_float_to_fp8(f, __HIP_SATFINITE, __HIP_E5M2_FNUZ)));
      CHECK_EQ(unsigned(out[4 * i + 2]), unsigned(__hip_cvt_float_to_fp8(f, __HIP_NOSAT, __HIP_E4M3_FNUZ)));
      CHECK_EQ(unsigned(out[4 * i + 3]), unsigned(__hip_cvt_float_to_fp8(f, __HIP_NOSAT, __HIP_E5M2_FNUZ)));
      for (unsigned k = 0; k < 2; ++k) {
        float host = hip_impl::from_fp8(static_cast<unsigned char>(i), k ? __HIP_E5M2_FNUZ : __HIP_E4M3_FNUZ);
        CHECK(back[2 * i + k] == host || (std::isnan(back[2 * i + k]) && std::isnan(host)));
      }
    }
    HIP(hipFree(out));
    HIP(hipFree(back));
  }
  return g_failures != 0;
}
