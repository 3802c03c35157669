/* SPDX-License-Identifier: MIT */
/* hipRTC for sources written for NVRTC: what pumice cc puts in the place of nvrtc.h, in host code as well. */
#ifndef PUMICE_CUDA_HIPRTC_ARRAYS_H
#define PUMICE_CUDA_HIPRTC_ARRAYS_H
#include <hip/hiprtc.h>
#ifdef __cplusplus
#include <cstring>
#include <vector>
/* NVRTC takes arrays of constant pointers (and null pointers, which HIP's own declaration takes as well). Options that ask for one of
   NVIDIA's architectures are left out: hipRTC then builds for the current device. */
template <class T> static inline hiprtcResult pumice_cuda_compile(hiprtcProgram program, int count, T options) {
  std::vector<const char*> kept;
  for (int i = 0; i < count; ++i) {
    const char* o = ((const char* const*)options)[i];
    const char* value = std::strchr(o, '=');
    bool architecture = !std::strncmp(o, "--gpu-architecture=", 19) || !std::strncmp(o, "-arch=", 6);
    if (!architecture || (std::strncmp(value + 1, "sm_", 3) && std::strncmp(value + 1, "compute_", 8))) kept.push_back(o);
  }
  return hiprtcCompileProgram(program, int(kept.size()), kept.data());
}
/* A CUBIN is what can be loaded: hipRTC's code object, not its bitcode for a later link. */
#define hiprtcGetBitcodeSize(program, size) hiprtcGetCodeSize(program, size)
#define hiprtcGetBitcode(program, code) hiprtcGetCode(program, code)
#define hiprtcCompileProgram(...) pumice_cuda_compile(__VA_ARGS__)
template <class T>
static inline hiprtcResult hiprtcCreateProgram(hiprtcProgram* program, const char* source, const char* name, int count,
                                               T* const* headers, T* const* names) {
  return hiprtcCreateProgram(program, source, name, count, (const char**)headers, (const char**)names);
}
#endif
#endif
