// SPDX-License-Identifier: MIT
// Modules: from a file and from memory, functions, globals, launches with parameters and with a packed block.
#include "check.h"
#include <cstring>
#include <hip/hip_ext.h>
#include <string>

int main(int, char** argv) {
  std::string path = argv[0];
  path = path.substr(0, path.rfind('/')) + "/module_code.co";
  hipModule_t module;
  HIP(hipModuleLoad(&module, path.c_str()));
  hipFunction_t combine, where;
  HIP(hipModuleGetFunction(&combine, module, "combine"));
  HIP(hipModuleGetFunction(&where, module, "where"));
  hipDeviceptr_t bias, weights;
  size_t size = 0;
  HIP(hipModuleGetGlobal(&bias, &size, module, "bias"));
  CHECK_EQ(size, size_t(4));
  HIP(hipModuleGetGlobal(&weights, &size, module, "weights"));
  CHECK_EQ(size, size_t(16));
  int b = 7;
  float w[4] = {10, 20, 30, 40};
  HIP(hipMemcpyHtoD(bias, &b, 4));
  HIP(hipMemcpyHtoD(weights, w, 16));
  std::vector<int> v(100);
  for (int i = 0; i < 100; ++i) v[i] = i;
  int *in = device_copy(v), *out = nullptr;
  HIP(hipMalloc(&out, 4000));
  int n = 100;
  float factor = 2.5f;
  void* args[] = {&out, &in, &n, &factor};
  HIP(hipModuleLaunchKernel(combine, 2, 1, 1, 64, 1, 1, 0, nullptr, args, nullptr));
  HIP(hipDeviceSynchronize());
  std::vector<int> r = host_copy(out, 100);
  for (int i = 0; i < 100; ++i) CHECK_EQ(r[i], int(i * 2.5f) + 7 + (i % 4 + 1) * 10);

  struct {
    int* out;
    const int* in;
    int n;
    float factor;
  } block{out, in, 50, 1.0f};
  size_t block_size = sizeof block;
  void* extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &block, HIP_LAUNCH_PARAM_BUFFER_SIZE, &block_size, HIP_LAUNCH_PARAM_END};
  HIP(hipModuleLaunchKernel(combine, 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr, extra));
  r = host_copy(out, 100);
  CHECK_EQ(r[49], 49 + 7 + 20);
  CHECK_EQ(r[50], 125 + 7 + 30);

  // A grid in work-items, with events around the kernel.
  hipEvent_t start, stop;
  HIP(hipEventCreate(&start));
  HIP(hipEventCreate(&stop));
  void* where_args[] = {&out};
  HIP(hipExtModuleLaunchKernel(where, 256, 1, 1, 64, 1, 1, 256, nullptr, where_args, nullptr, start, stop));
  HIP(hipEventSynchronize(stop));
  float ms = -1;
  HIP(hipEventElapsedTime(&ms, start, stop));
  CHECK(ms >= 0);
  CHECK_EQ(host_copy(out, 256)[200], 63 - 200 % 64 + 4000);

  int threads = 0;
  HIP(hipFuncGetAttribute(&threads, HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, combine));
  CHECK_EQ(threads, 1024);
  EXPECT_ERROR(hipModuleGetFunction(&where, module, "absent"), hipErrorNotFound);
  EXPECT_ERROR(hipModuleGetGlobal(&bias, &size, module, "absent"), hipErrorNotFound);
  EXPECT_ERROR(hipModuleLaunchKernel(combine, 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr, nullptr), hipErrorInvalidValue);

  std::vector<char> bytes;
  FILE* f = std::fopen(path.c_str(), "rb");
  char chunk[4096];
  for (size_t k; (k = std::fread(chunk, 1, sizeof chunk, f)) > 0;) bytes.insert(bytes.end(), chunk, chunk + k);
  std::fclose(f);
  hipModule_t second;
  HIP(hipModuleLoadData(&second, bytes.data()));
  hipFunction_t again;
  HIP(hipModuleGetFunction(&again, second, "combine"));
  HIP(hipModuleLaunchKernel(again, 1, 1, 1, 64, 1, 1, 0, nullptr, args, nullptr));
  CHECK_EQ(host_copy(out, 4)[3], 7 + 100); // its own bias, weights zero
  HIP(hipModuleUnload(second));
  HIP(hipModuleUnload(module));
  EXPECT_ERROR(hipModuleUnload(module), hipErrorInvalidResourceHandle);
  EXPECT_ERROR(hipModuleLoad(&module, "/no/such/file"), hipErrorFileNotFound);
  const char junk[128] = "this is not a code object";
  EXPECT_ERROR(hipModuleLoadData(&module, junk), hipErrorInvalidImage);
  return finish();
}
