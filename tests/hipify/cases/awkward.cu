#  include   /* of the runtime */ <cuda_runtime.h> // kept
%: include <cooperative_groups.h>
#define CALL(n) cuda##n(0)
#define CAT(a, b) a##b
using namespace cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) clustered() {}
__device__ unsigned mask_below(int lane) { return (1u << lane) - 1; }
__device__ int sum(int v) {
  for (int o = 16; o; o >>= 1) v += __shfl_down(v, o);
  return v;
}
__global__ void wide(int* p) {
  __shared__ float big[128 * 128];
  unsigned long long votes = __ballot(p[0]);
  uint64_t more = __ballot(p[1]);
  p[2] = votes != more;
  cudaDeviceSynchronize();
  auto tile = tiled_partition<32>(this_thread_block());
  p[3] = reduce(tile, 1, plus<int>());
}
void host() { wide<<<1, 64, 96 * 1024>>>(0); CALL(Free); CAT(cuda, Free)(0); }
