/* SPDX-License-Identifier: MIT */
/* hipRTC for sources written for NVRTC: what pumice cc puts in the place of nvrtc.h, in host code as well. */
#ifndef PUMICE_CUDA_HIPRTC_ARRAYS_H
#define PUMICE_CUDA_HIPRTC_ARRAYS_H
#include <hip/hiprtc.h>
#ifdef __cplusplus
/* NVRTC takes arrays of constant pointers (and null pointers, which HIP's own declaration takes as well). */
template <class T> static inline hiprtcResult hiprtcCompileProgram(hiprtcProgram program, int count, T* const* options) {
  return hiprtcCompileProgram(program, count, (const char**)options);
}
template <class T>
static inline hiprtcResult hiprtcCreateProgram(hiprtcProgram* program, const char* source, const char* name, int count,
                                               T* const* headers, T* const* names) {
  return hiprtcCreateProgram(program, source, name, count, (const char**)headers, (const char**)names);
}
#endif
#endif
