// SPDX-License-Identifier: MIT
// Additions of pairs of 16-bit floats by many lanes at once: exact sums, each earlier value seen by one lane only, in
// global and local memory; infinities and NaN stay in their half.
#include "check.h"
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include <algorithm>
#include <type_traits>

template <class P> __device__ P pair(float x, float y) {
  if constexpr (std::is_same_v<P, __half2>) return __floats2half2_rn(x, y);
  else return __floats2bfloat162_rn(x, y);
}
template <class P> __device__ float2 floats(P p) {
  if constexpr (std::is_same_v<P, __half2>) return __half22float2(p);
  else return __bfloat1622float2(p);
}
// 150 lanes: integers up to 256 are exact in both formats, so the order does not matter.
template <class P> __global__ void add(P* sums, float2* old, float2* local) {
  __shared__ P s;
  if (threadIdx.x == 0) s = pair<P>(0, 0);
  __syncthreads();
  old[threadIdx.x] = floats(unsafeAtomicAdd(&sums[0], pair<P>(1, -1)));
  unsafeAtomicAdd(&s, pair<P>(-1, threadIdx.x % 3 == 0));
  if (threadIdx.x % 7 == 3) unsafeAtomicAdd(&sums[1 + threadIdx.x % 2], pair<P>(0.5f, 2));
  if (threadIdx.x < 3) unsafeAtomicAdd(&sums[3], pair<P>(threadIdx.x == 1 ? __builtin_inff() : 1, 1));
  if (threadIdx.x == 70) unsafeAtomicAdd(&sums[4], pair<P>(-2, __builtin_nanf("")));
  __syncthreads();
  if (threadIdx.x < 5) local[1 + threadIdx.x] = floats(sums[threadIdx.x]);
  if (threadIdx.x == 0) local[0] = floats(s);
}
template <class P> void check() {
  constexpr int kLanes = 150;
  P* sums = device_copy(std::vector<P>(5));
  HIP(hipMemset(sums, 0, 5 * sizeof(P)));
  float2* old = device_copy(std::vector<float2>(kLanes));
  float2* results = device_copy(std::vector<float2>(6));
  add<P><<<1, kLanes>>>(sums, old, results);
  HIP(hipGetLastError());
  auto r = host_copy(results, 6);
  auto o = host_copy(old, kLanes);
  CHECK_EQ(r[1].x, 150);
  CHECK_EQ(r[1].y, -150);
  CHECK_EQ(r[0].x, -150);
  CHECK_EQ(r[0].y, 50);
  int even = 0, odd = 0;
  for (int t = 3; t < kLanes; t += 7) (t % 2 ? odd : even)++;
  CHECK_EQ(r[2].x, 0.5f * even);
  CHECK_EQ(r[2].y, 2 * even);
  CHECK_EQ(r[3].x, 0.5f * odd);
  CHECK_EQ(r[3].y, 2 * odd);
  CHECK(std::isinf(r[4].x) && r[4].y == 3);
  CHECK(r[5].x == -2 && std::isnan(r[5].y));
  std::sort(o.begin(), o.end(), [](float2 a, float2 b) { return a.x < b.x; });
  for (int t = 0; t < kLanes; ++t) CHECK(o[t].x == t && o[t].y == -t);
}
int main() {
  check<__half2>();
  check<__hip_bfloat162>();
  return finish();
}
