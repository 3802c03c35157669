// SPDX-License-Identifier: MIT
// Host source of CUDA's driver API and NVRTC: CUDA 13's parameters of a context, arrays of strings, the name of an NVIDIA
// architecture, a CUBIN. Says where it failed.
#include <cstdio>
#include <cuda.h>
#include <nvrtc.h>
#include <vector>

static int context_with_parameters() {
  CUcontext context;
  CUdevice device;
  CUctxCreateParams params = {};
  if (cuInit(0) || cuDeviceGet(&device, 0)) return 1;
  return cuCtxCreate(&context, &params, 0, device) != CUDA_SUCCESS;
}

static int compiled_at_run_time() {
  char flag[] = "-DN=2";
  char architecture[] = "--gpu-architecture=sm_90";
  char* flags[] = {architecture, flag};
  const char* const names[] = {"none.h"};
  nvrtcProgram program;
  if (nvrtcCreateProgram(&program, "extern \"C\" __global__ void k(int* p) { *p = N; }", "k.cu", 0, names, names)) return 1;
  size_t size = 0;
  if (nvrtcCompileProgram(program, 2, flags) || nvrtcGetCUBINSize(program, &size)) return 2;
  std::vector<char> code(size);
  CUcontext context;
  CUmodule module;
  return nvrtcGetCUBIN(program, code.data()) || cuInit(0) || cuCtxCreate(&context, 0, 0) || cuModuleLoadData(&module, code.data()) ? 3 : 0;
}

int main() {
  int context = context_with_parameters(), rtc = compiled_at_run_time();
  std::printf("context %d, run-time compilation %d\n", context, rtc);
  return context || rtc;
}
