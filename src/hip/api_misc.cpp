// SPDX-License-Identifier: MIT
// Channel descriptors, name lookup, half conversions that the compiler may call, and other small
// exports.
#include "hip/runtime.h"
#include <cstring>
#include <dlfcn.h>

using namespace pumice::hip;

extern "C" {

hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w, hipChannelFormatKind f) {
  return {x, y, z, w, f};
}

hipError_t hipGetProcAddress(const char* symbol, void** out, int version, uint64_t flags,
                             hipDriverProcAddressQueryResult* status) {
  return api(
      [&] {
        (void)version;
        if (!symbol || !out || flags > 2)
          return hipErrorInvalidValue;
        std::string name = symbol;
        // Names whose layout changed: version 6 and later mean the new one.
        if (version >= 600 && (name == "hipGetDeviceProperties" || name == "hipChooseDevice"))
          name += "R0600";
        Dl_info self{};
        dladdr(reinterpret_cast<void*>(&hipGetProcAddress), &self);
        void* lib = dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD);
        *out = nullptr;
        if (lib) {
          if (flags == 2)
            *out = dlsym(lib, (name + "_spt").c_str());
          if (!*out)
            *out = dlsym(lib, name.c_str());
          dlclose(lib);
        }
        if (status)
          *status = *out ? HIP_GET_PROC_ADDRESS_SUCCESS : HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
        return *out ? hipSuccess : hipErrorInvalidValue;
      },
      Init::no);
}

HIP_PUBLIC_API float __gnu_h2f_ieee(unsigned short h) {
  uint32_t sign = (h & 0x8000u) << 16, exponent = (h >> 10) & 31, mantissa = h & 0x3ffu, bits;
  if (exponent == 31)
    bits = sign | 0x7f800000u | (mantissa << 13);
  else if (exponent)
    bits = sign | ((exponent + 112) << 23) | (mantissa << 13);
  else if (!mantissa)
    bits = sign;
  else {
    int shift = __builtin_clz(mantissa) - 21;
    bits = sign | (static_cast<uint32_t>(113 - shift) << 23) |
           ((mantissa << (13 + shift)) & 0x7fffffu);
  }
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}
HIP_PUBLIC_API unsigned short __gnu_f2h_ieee(float f) {
  uint32_t bits;
  std::memcpy(&bits, &f, 4);
  uint32_t sign = (bits >> 16) & 0x8000u, magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u)
    return static_cast<unsigned short>(sign | 0x7e00u | ((magnitude >> 13) & 0x3ffu));
  if (magnitude >= 0x477ff000u)
    return static_cast<unsigned short>(sign | 0x7c00u);
  if (magnitude < 0x33000001u)
    return static_cast<unsigned short>(sign);
  uint32_t exponent = magnitude >> 23, m = (magnitude & 0x7fffffu) | 0x800000u;
  unsigned drop = exponent < 113 ? 126 - exponent : 13; // bits below the result's last place
  uint32_t base = exponent < 113 ? 0 : (exponent - 113) << 10;
  uint32_t kept = m >> drop, rest = m & ((1u << drop) - 1), half = 1u << (drop - 1);
  uint32_t r = base + kept;
  if (rest > half || (rest == half && (r & 1)))
    ++r;
  return static_cast<unsigned short>(sign | r);
}

const char* hipApiName(uint32_t) {
  return "unknown";
}
HIP_PUBLIC_API const char* hipGetCmdName(unsigned) {
  return "unknown";
}
HIP_PUBLIC_API int hipRegisterTracerCallback(void*) {
  return 0;
}
HIP_PUBLIC_API const char* amd_dbgapi_get_build_name(void) {
  return HIP_VERSION_BUILD_NAME;
}
HIP_PUBLIC_API const char* amd_dbgapi_get_git_hash(void) {
  return HIP_VERSION_GITHASH;
}
HIP_PUBLIC_API size_t amd_dbgapi_get_build_id(void) {
  return HIP_VERSION_BUILD_ID;
}
}
