// SPDX-License-Identifier: MIT
// Cooperative launches: barriers over the whole grid.
#include "check.h"
#include <hip/hip_cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void rounds(int* data, int* sums, int n) {
  auto grid = cg::this_grid();
  int i = int(grid.thread_rank());
  for (int round = 0; round < n; ++round) {
    int next = data[(i + 1) % int(grid.size())];
    grid.sync();
    data[i] = next + 1;
    grid.sync();
  }
  if (i == 0) *sums = int(grid.size());
}

int main() {
  int supported = 0;
  HIP(hipDeviceGetAttribute(&supported, hipDeviceAttributeCooperativeLaunch, 0));
  CHECK_EQ(supported, 1);
  int per_unit = 0;
  HIP(hipOccupancyMaxActiveBlocksPerMultiprocessor(&per_unit, rounds, 128, 0));
  CHECK(per_unit >= 1);
  constexpr int blocks = 6, threads = 128, total = blocks * threads;
  std::vector<int> v(total);
  for (int i = 0; i < total; ++i) v[i] = i * 10;
  int *d = device_copy(v), *sums = nullptr, n = 5;
  HIP(hipMalloc(&sums, 4));
  void* args[] = {&d, &sums, &n};
  HIP(hipLaunchCooperativeKernel(rounds, dim3(blocks), dim3(threads), args, 0, nullptr));
  HIP(hipDeviceSynchronize());
  std::vector<int> r = host_copy(d, total);
  for (int i = 0; i < total; ++i) CHECK_EQ(r[i], (i + 5) % total * 10 + 5);
  CHECK_EQ(host_copy(sums, 1)[0], total);
  hipDeviceProp_t p;
  HIP(hipGetDeviceProperties(&p, 0));
  EXPECT_ERROR(hipLaunchCooperativeKernel(rounds, dim3(p.multiProcessorCount * per_unit + 1), dim3(threads), args, 0, nullptr),
               hipErrorCooperativeLaunchTooLarge);
  return finish();
}
