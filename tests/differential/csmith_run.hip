// SPDX-License-Identifier: MIT
// Loads a code object made from a csmith program, runs it with one work-item and prints its checksum.
#include <hip/hip_runtime.h>
#include <cstdint>
#include <cstdio>

static void check(hipError_t e, const char* what) {
  if (e == hipSuccess) return;
  std::printf("%s: %s\n", what, hipGetErrorString(e));
  std::exit(1);
}

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: csmith_run FILE.co\n"), 2;
  hipModule_t module;
  hipFunction_t run;
  check(hipModuleLoad(&module, argv[1]), "hipModuleLoad");
  check(hipModuleGetFunction(&run, module, "run"), "hipModuleGetFunction");
  uint64_t *result, value = 0;
  check(hipMalloc(&result, sizeof *result), "hipMalloc");
  void* arguments[] = {&result};
  check(hipModuleLaunchKernel(run, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr), "launch");
  check(hipDeviceSynchronize(), "synchronize");
  check(hipMemcpy(&value, result, sizeof value, hipMemcpyDeviceToHost), "copy");
  std::printf("%016llx\n", static_cast<unsigned long long>(value));
}
