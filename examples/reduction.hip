// SPDX-License-Identifier: MIT
// Sum of an array: grid-stride loads, shuffles inside a wave, LDS between waves, one atomic per block.
#include "example.h"

__global__ __launch_bounds__(256) void reduce(const float* x, size_t n, float* out) {
  __shared__ float partial[4];
  float sum = 0;
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) sum += x[i];
  for (int offset = warpSize / 2; offset > 0; offset /= 2) sum += __shfl_down(sum, offset);
  if (threadIdx.x % warpSize == 0) partial[threadIdx.x / warpSize] = sum;
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(out, partial[0] + partial[1] + partial[2] + partial[3]);
}

static float native(const float* x, size_t n) { // sixteen accumulators, as a vectorised sum has
  float s[16] = {};
  for (size_t i = 0; i + 16 <= n; i += 16)
    for (int k = 0; k < 16; k++) s[k] += x[i + k];
  float r = 0;
  for (float v : s) r += v;
  return r;
}

int main() {
  const size_t n = example::sized(32 << 20, 1 << 18);
  auto x = example::random_floats(n, 5);
  double want = 0;
  for (float v : x) want += v;
  example::Buffer<float> dx(x), out(1);
  out.clear();
  hipDeviceProp_t card; // one block per compute unit keeps all of them busy
  HIP_CHECK(hipGetDeviceProperties(&card, 0));
  unsigned blocks = static_cast<unsigned>(card.multiProcessorCount);
  reduce<<<blocks, 256>>>(dx.get(), n, out.get());
  bool pass = example::close(out.download()[0], float(want), 1e-4f);
  double ms = example::kernel_ms([&] { reduce<<<blocks, 256>>>(dx.get(), n, out.get()); });
  std::vector<float> part(64);
  double host = example::native_ms([&] {
    example::parallel_for(64, [&](size_t lo, size_t hi) {
      for (size_t k = lo; k < hi; k++) part[k] = native(x.data() + n / 64 * k, n / 64);
    });
  });
  return example::report("reduction", pass, ms, 4.0 * n * 1e-9, "GB", host);
}
