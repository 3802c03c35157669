// SPDX-License-Identifier: MIT
// Things that unported CUDA takes for granted: reductions over groups, the profiler's calls, NVRTC's constant arrays, umin().
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <nvrtc.h>
namespace cg = cooperative_groups;

__global__ void reduce_kernel(int* out) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int v = int(threadIdx.x), *mine = out + 7 * threadIdx.x;
  mine[0] = cg::reduce(tile, v, cg::plus<int>());
  mine[1] = cg::reduce(tile, v, cg::less<int>());
  mine[2] = cg::reduce(tile, v, cg::greater<int>());
  mine[3] = cg::reduce(tile, v | 1, cg::bit_and<int>());
  mine[4] = cg::reduce(tile, v, cg::bit_or<int>());
  mine[5] = cg::reduce(tile, 1 << (v & 31), cg::bit_xor<int>());
  if (v % 3 == 0) {
    cg::coalesced_group some = cg::coalesced_threads();
    mine[6] = cg::reduce(some, 1, cg::plus<int>());
  }
}

int main() {
  int *out, bad = 0;
  cudaMallocManaged(&out, 64 * 7 * sizeof(int));
  bad += cudaProfilerStart() != cudaSuccess;
  reduce_kernel<<<1, 64>>>(out);
  bad += cudaDeviceSynchronize() != cudaSuccess || cudaProfilerStop() != cudaSuccess;
  for (int t = 0; t < 64; ++t) {
    int base = t & 32, sum = 0;
    for (int k = 0; k < 32; ++k)
      sum += base + k;
    const int* o = out + 7 * t;
    bad += o[0] != sum || o[1] != base || o[2] != base + 31 || o[3] != (base | 1) || o[4] != (base | 31) || o[5] != -1;
  }
  bad += out[0 + 6] != 22; // multiples of 3 among 64 lanes
  nvrtcProgram program;
  const char* const options[] = {"-DA=1", "-DN=1024"}; // one letter each: HIP's headers must not mind
  bad += nvrtcCreateProgram(&program, "__global__ void k(int* p) { *p = A + N; }", "k.cu", 0, nullptr, nullptr) != NVRTC_SUCCESS;
  bad += nvrtcCompileProgram(program, 2, options) != NVRTC_SUCCESS;
  bad += umin(3u, 2u) != 2u;
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
