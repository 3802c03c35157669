// SPDX-License-Identifier: MIT
// A project's own operators of CUDA's vector types, which HIP's headers have too.
#include <cstdio>

inline __host__ __device__ void operator+=(float4& a, float4 b) { a.x += b.x; a.y += b.y; a.z += b.z; a.w += b.w; }
inline __host__ __device__ float4 operator-(float4 a, float4 b) { return make_float4(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w); }
// Not element-wise: complex multiplication on float2.
inline __host__ __device__ float2 operator*(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
inline __host__ __device__ void operator*=(float2& a, float2 b) { a = a * b; }

__global__ void kernel(float4* v, float2* c) {
  v[0] += v[1];
  v[0] = v[0] - v[2];
  c[0] *= c[1];
}

int main() {
  float4* v;
  float2* c;
  cudaMallocManaged(&v, 3 * sizeof(float4));
  cudaMallocManaged(&c, 2 * sizeof(float2));
  v[0] = make_float4(1, 2, 3, 4), v[1] = make_float4(10, 20, 30, 40), v[2] = make_float4(1, 1, 1, 1);
  c[0] = make_float2(1, 2), c[1] = make_float2(3, 4);
  kernel<<<1, 1>>>(v, c);
  if (cudaDeviceSynchronize() != cudaSuccess) return 2;
  bool good = v[0].x == 10 && v[0].w == 43 && c[0].x == -5 && c[0].y == 10;
  std::puts(good ? "PASS" : "FAIL");
  return good ? 0 : 1;
}
