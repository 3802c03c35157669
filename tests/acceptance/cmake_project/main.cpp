// SPDX-License-Identifier: MIT
// Host code in plain C++; kernels in a shared library.
#include <cstdio>
#include <hip/hip_runtime.h>

void run_square(float* p, int n);

int main() {
  float host[100], *device = nullptr;
  for (int i = 0; i < 100; ++i) host[i] = float(i);
  if (hipMalloc(&device, sizeof host) != hipSuccess) return 1;
  if (hipMemcpy(device, host, sizeof host, hipMemcpyHostToDevice) != hipSuccess) return 2;
  run_square(device, 100);
  if (hipMemcpy(host, device, sizeof host, hipMemcpyDeviceToHost) != hipSuccess) return 3;
  for (int i = 0; i < 100; ++i)
    if (host[i] != float(i * i)) return 4;
  std::puts("ok");
  return 0;
}
