// SPDX-License-Identifier: MIT
// Run-time compilation: log, lowered names of templates, headers, module launch.
#include "check.h"
#include <cstring>
#include <hip/hiprtc.h>
#include <string>

#define RTC(call)                                                                                  \
  do {                                                                                             \
    hiprtcResult r = (call);                                                                       \
    if (r != HIPRTC_SUCCESS) {                                                                     \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, hiprtcGetErrorString(r)); \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

static const char kSource[] = R"(
#include "scale.h"
__device__ int offset = 7;
template <class T, int N> __global__ void scale(T* p) { p[threadIdx.x] = p[threadIdx.x] * T(N) + T(kExtra) + T(offset); }
extern "C" __global__ void plain(float* p, float v) { p[threadIdx.x] = sqrtf(v); }
)";

int main() {
  hipDeviceProp_t props;
  HIP(hipGetDeviceProperties(&props, 0));
  std::string target = props.gcnArchName;
  std::string option = "--gpu-architecture=" + target.substr(0, target.find(':'));
  const char* headers[] = {"#define kExtra EXTRA\n"};
  const char* names[] = {"scale.h"};
  hiprtcProgram program;
  RTC(hiprtcCreateProgram(&program, kSource, "test.cu", 1, headers, names));
  RTC(hiprtcAddNameExpression(program, "scale<float, 3>"));
  RTC(hiprtcAddNameExpression(program, "scale<int, 5>"));
  RTC(hiprtcAddNameExpression(program, "offset"));
  const char* options[] = {option.c_str(), "-DEXTRA=100"};
  RTC(hiprtcCompileProgram(program, 2, options));
  size_t size = 0;
  RTC(hiprtcGetCodeSize(program, &size));
  std::vector<char> code(size);
  RTC(hiprtcGetCode(program, code.data()));
  const char *name_float = nullptr, *name_int = nullptr, *name_offset = nullptr;
  RTC(hiprtcGetLoweredName(program, "scale<float, 3>", &name_float));
  RTC(hiprtcGetLoweredName(program, "scale<int, 5>", &name_int));
  RTC(hiprtcGetLoweredName(program, "offset", &name_offset));
  CHECK(!std::strcmp(name_float, "_Z5scaleIfLi3EEvPT_"));
  CHECK(!std::strcmp(name_offset, "offset"));
  hipModule_t module;
  HIP(hipModuleLoadData(&module, code.data()));
  hipFunction_t f;
  HIP(hipModuleGetFunction(&f, module, name_float));
  float* p = device_copy(std::vector<float>(64, 2.0f));
  void* args[] = {&p};
  HIP(hipModuleLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, nullptr, args, nullptr));
  CHECK_EQ(host_copy(p, 64)[63], 113.0f);
  HIP(hipModuleGetFunction(&f, module, "plain"));
  float v = 16;
  void* plain_args[] = {&p, &v};
  HIP(hipModuleLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, nullptr, plain_args, nullptr));
  CHECK_EQ(host_copy(p, 64)[0], 4.0f);
  RTC(hiprtcDestroyProgram(&program));

  RTC(hiprtcCreateProgram(&program, "__global__ void broken() { undeclared(); }", nullptr, 0, nullptr, nullptr));
  CHECK_EQ(hiprtcCompileProgram(program, 1, options), HIPRTC_ERROR_COMPILATION);
  RTC(hiprtcGetProgramLogSize(program, &size));
  std::string log(size, 0);
  RTC(hiprtcGetProgramLog(program, log.data()));
  CHECK(log.find("undeclared") != std::string::npos);
  RTC(hiprtcDestroyProgram(&program));
  return finish();
}
