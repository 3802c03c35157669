// SPDX-License-Identifier: MIT
// A program for monitors to watch.
//   load DEVICES MEBIBYTES SECONDS   keeps some cards busy, e.g. 0,1,5
//   load properties                  prints what HIP says of each card, as JSON
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <hip/hip_runtime.h>
#include <string>
#include <vector>

__global__ void smi_load_kernel(float* p, int n) {
  float x = p[threadIdx.x];
  for (int i = 0; i < n; ++i)
    x = x * 1.0001f + 0.5f;
  p[threadIdx.x] = x;
}

static int properties() {
  int count = 0;
  if (hipGetDeviceCount(&count) != hipSuccess)
    return 1;
  std::printf("[");
  for (int d = 0; d < count; ++d) {
    hipDeviceProp_t p;
    char bdf[32];
    if (hipGetDeviceProperties(&p, d) != hipSuccess || hipDeviceGetPCIBusId(bdf, sizeof bdf, d) != hipSuccess)
      return 1;
    std::string arch = p.gcnArchName;
    arch = arch.substr(0, arch.find(':'));
    std::printf("%s{\"name\":\"%s\",\"arch\":\"%s\",\"memory\":%zu,\"cus\":%d,\"mhz\":%d,\"bdf\":\"%s\",\"wave\":%d,\"lds\":%zu}", d ? "," : "",
                p.name, arch.c_str(), p.totalGlobalMem, p.multiProcessorCount, p.clockRate / 1000, bdf, p.warpSize, p.sharedMemPerBlock);
  }
  std::printf("]\n");
  return 0;
}

int main(int argc, char** argv) {
  if (argc == 2 && !std::strcmp(argv[1], "properties"))
    return properties();
  if (argc != 4)
    return 2;
  std::vector<float*> memory;
  std::vector<int> devices;
  for (char* s = std::strtok(argv[1], ","); s; s = std::strtok(nullptr, ","))
    devices.push_back(std::atoi(s));
  for (int d : devices) {
    float* p = nullptr;
    if (hipSetDevice(d) != hipSuccess || hipMalloc(&p, static_cast<size_t>(std::atoi(argv[2])) << 20) != hipSuccess ||
        hipMemset(p, 0, 4096) != hipSuccess)
      return 1;
    memory.push_back(p);
  }
  auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(std::atof(argv[3]));
  bool told = false;
  while (std::chrono::steady_clock::now() < end) {
    for (size_t i = 0; i < devices.size(); ++i) {
      (void)hipSetDevice(devices[i]);
      smi_load_kernel<<<1, 64>>>(memory[i], 300000);
    }
    for (int d : devices) {
      (void)hipSetDevice(d);
      if (hipDeviceSynchronize() != hipSuccess)
        return 1;
    }
    if (!told) {
      std::puts("running");
      std::fflush(stdout);
      told = true;
    }
  }
  return 0;
}
