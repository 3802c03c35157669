// SPDX-License-Identifier: MIT
// Unported CUDA whose warp functions assume 32 lanes; every expected value is computed on the host from CUDA's definitions.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>

#define FULL 0xffffffffu
constexpr int kThreads = 128;

__global__ void warps(unsigned* out) {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  int t = threadIdx.x;
  unsigned* o = out + t * 12;
  o[0] = lane;
  o[1] = __ballot_sync(FULL, t % 3 == 0);
  o[2] = __popc(__ballot_sync(FULL, t < 40));
  o[3] = __shfl_sync(FULL, t, 5);
  o[4] = __shfl_down_sync(FULL, t, 16);
  o[5] = __shfl_up_sync(FULL, t, 1);
  o[6] = __shfl_xor_sync(FULL, t, 31);
  o[7] = __any_sync(FULL, t == 33) * 2 + __all_sync(FULL, t < 64);
  o[8] = __activemask();
  o[9] = __match_any_sync(FULL, t / 8);
  int sum = t;
  for (int k = warpSize / 2; k > 0; k /= 2)
    sum += __shfl_xor_sync(FULL, sum, k);
  o[10] = sum;
  auto tile = cooperative_groups::tiled_partition<16>(cooperative_groups::this_thread_block());
  o[11] = tile.shfl(t, 3) * 100 + tile.thread_rank();
}

int main() {
  unsigned *d, h[kThreads * 12];
  if (cudaMalloc(&d, sizeof h) != cudaSuccess)
    return 2;
  warps<<<1, kThreads>>>(d);
  if (cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost) != cudaSuccess)
    return 3;
  int wrong = 0;
  for (int t = 0; t < kThreads; ++t) {
    int lane = t % 32, base = t - lane;
    unsigned thirds = 0, match = 0;
    int below = 0, sum = 0;
    for (int i = 0; i < 32; ++i) {
      thirds |= unsigned((base + i) % 3 == 0) << i;
      match |= unsigned((base + i) / 8 == t / 8) << i;
      below += base + i < 40;
      sum += base + i;
    }
    unsigned expect[12] = {unsigned(lane), thirds, unsigned(below), unsigned(base + 5),
                           unsigned(lane + 16 < 32 ? t + 16 : t), unsigned(lane > 0 ? t - 1 : t), unsigned(base + (lane ^ 31)),
                           unsigned((base == 32) * 2 + (base + 31 < 64)), FULL, match, unsigned(sum),
                           unsigned((t / 16 * 16 + 3) * 100 + t % 16)};
    for (int k = 0; k < 12; ++k)
      if (h[t * 12 + k] != expect[k] && wrong++ < 10)
        std::printf("thread %d value %d: %u instead of %u\n", t, k, h[t * 12 + k], expect[k]);
  }
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  if (prop.warpSize != 32)
    ++wrong;
  std::printf("%s\n", wrong ? "FAIL" : "PASS");
  return wrong != 0;
}
