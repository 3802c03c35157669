// SPDX-License-Identifier: MIT
// A code object compiled on its own (module_kernel.hip, hipcc --genco), loaded and launched by name.
#include "example.h"

int main(int argc, char** argv) {
  std::string self = argv[0];
  std::string file = argc > 1 ? argv[1] : self.substr(0, self.rfind('/') + 1) + "module_kernel.co";
  hipModule_t module;
  hipFunction_t scale;
  HIP_CHECK(hipModuleLoad(&module, file.c_str()));
  HIP_CHECK(hipModuleGetFunction(&scale, module, "scale"));
  hipDeviceptr_t factor;
  size_t bytes = 0;
  HIP_CHECK(hipModuleGetGlobal(&factor, &bytes, module, "factor"));
  float three = 3;
  HIP_CHECK(hipMemcpyHtoD(factor, &three, sizeof three));
  int n = 1000;
  auto x = example::random_floats(n, 91);
  example::Buffer<float> d(x);
  float* p = d.get();
  void* args[] = {&p, &n};
  HIP_CHECK(hipModuleLaunchKernel(scale, (n + 255) / 256, 1, 1, 256, 1, 1, 0, nullptr, args, nullptr));
  HIP_CHECK(hipDeviceSynchronize());
  auto got = d.download();
  bool pass = bytes == sizeof(float);
  for (int i = 0; i < n; i++) pass &= got[i] == x[i] * 3;
  HIP_CHECK(hipModuleUnload(module));
  return example::report("module_api", pass, 0, 0, "", 0);
}
