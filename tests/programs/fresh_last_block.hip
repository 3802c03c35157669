// SPDX-License-Identifier: MIT
// Reductions that finish in the same launch: the last workgroup to arrive combines what the others left; arguments are
// structures by value, operations are lambdas and functors.
#include "check.h"
#include <cstdint>

struct Plan {
  const float* data;
  int count;
  struct {
    short step;
    unsigned char scale[3];
    double bias;
  } how;
  unsigned* arrived;
  double* partial;
  double* result;
};
static_assert(sizeof(Plan) > 48);

template <int kThreads, class Map, class Fold> __global__ void reduce(Plan p, Map map, Fold fold, double identity) {
  __shared__ double lds[kThreads];
  __shared__ bool last;
  int t = threadIdx.x;
  double v = identity;
  for (int i = (blockIdx.x * kThreads + t) * p.how.step; i < p.count; i += gridDim.x * kThreads * p.how.step)
    v = fold(v, map(p.data[i]) * p.how.scale[i % 3] + p.how.bias);
  lds[t] = v;
  __syncthreads();
  for (int s = kThreads / 2; s >= 64; s /= 2) {
    if (t < s)
      lds[t] = fold(lds[t], lds[t + s]);
    __syncthreads();
  }
  if (t < 64) {
    v = lds[t];
    for (int s = 32; s; s /= 2)
      v = fold(v, __shfl_xor(v, s));
  }
  if (t == 0) {
    p.partial[blockIdx.x] = v;
    __threadfence();
    last = atomicInc(p.arrived, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last)
    return;
  __threadfence();
  v = identity;
  for (unsigned b = t; b < gridDim.x; b += kThreads)
    v = fold(v, p.partial[b]);
  lds[t] = v;
  __syncthreads();
  if (t == 0) {
    for (int k = 1; k < kThreads; k++)
      v = fold(v, lds[k]);
    *p.result = v;
  }
}

struct Larger {
  __host__ __device__ double operator()(double a, double b) const { return a > b ? a : b; }
};

int main() {
  const int n = 40001, blocks = 37;
  std::vector<float> x(n);
  for (int i = 0; i < n; i++)
    x[i] = (float)((i * 977) % 1013) - 500;
  Plan p{};
  p.data = up(x), p.count = n;
  p.arrived = up(std::vector<unsigned>(1));
  p.partial = up(std::vector<double>(blocks));
  p.result = up(std::vector<double>(1));
  int offset = 3;
  auto shifted = [offset] __host__ __device__(float v) { return (double)v + offset; };
  auto plus = [] __host__ __device__(double a, double b) { return a + b; };
  for (short step : {1, 2, 7})
    for (int round = 0; round < 3; round++) {
      p.how = {step, {(unsigned char)(1 + round), 2, 5}, 0.25};
      double sum = 0, most = -1e9;
      for (int i = 0; i < n; i += step) {
        double v = shifted(x[i]) * p.how.scale[i % 3] + p.how.bias;
        sum += v, most = std::max(most, v);
      }
      reduce<256><<<blocks, 256>>>(p, shifted, plus, 0.0);
      EXPECT(down(p.result, 1)[0] == sum, "step %d sum %g want %g", step, down(p.result, 1)[0], sum); // exact: quarters
      reduce<128><<<blocks, 128>>>(p, shifted, Larger{}, -1e9);
      EXPECT(down(p.result, 1)[0] == most, "step %d most %g want %g", step, down(p.result, 1)[0], most);
      reduce<1024><<<5, 1024>>>(p, shifted, plus, 0.0);
      EXPECT(down(p.result, 1)[0] == sum, "step %d sum by 1024 %g want %g", step, down(p.result, 1)[0], sum);
    }
  DONE();
}
