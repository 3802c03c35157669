// SPDX-License-Identifier: MIT
// Short vector types: layout, operators with vectors and scalars, on host and device.
#include "check.h"

static_assert(sizeof(float3) == 12 && alignof(float3) == 4 && sizeof(float4) == 16 && alignof(float4) == 16);
static_assert(sizeof(double2) == 16 && alignof(double2) == 16 && sizeof(uchar4) == 4 && alignof(uchar4) == 4);
static_assert(sizeof(short3) == 6 && sizeof(longlong4) == 32 && alignof(longlong4) == 32);

template <class V, class S> __host__ __device__ V mix(V a, V b, S s) {
  V c = a + b * s;
  c -= a / V(S(2));
  c = s * c;
  ++c;
  return -c;
}
__global__ void run(float4* f, int2* i, double3* d, uchar4* u) {
  f[0] = mix(f[0], f[1], 2.0f);
  i[0] = mix(i[0], i[1], 3);
  d[0] = mix(d[0], d[1], 0.5);
  u[0] = make_uchar4(1, 2, 3, 255);
  u[0] = (u[0] << uchar4(1)) | uchar4(1);
  f[1] = make_float4(i[0].x, i[0].y, float(d[0].z), u[0].w);
}

int main() {
  float4* f = device_copy(std::vector<float4>{{1, 2, 3, 4}, {5, 6, 7, 8}});
  int2* i = device_copy(std::vector<int2>{{10, 20}, {-3, 4}});
  double3* d = device_copy(std::vector<double3>{{1, 2, 3}, {4, 5, 6}});
  uchar4* u = nullptr;
  HIP(hipMalloc(&u, 4));
  run<<<1, 1>>>(f, i, d, u);
  HIP(hipGetLastError());
  float4 fe = mix(float4(1, 2, 3, 4), float4(5, 6, 7, 8), 2.0f);
  CHECK(host_copy(f, 1)[0] == fe);
  CHECK_EQ(fe.x, -(2.0f * (1 + 10 - 0.5f) + 1));
  int2 ie = mix(int2(10, 20), int2(-3, 4), 3);
  CHECK(host_copy(i, 1)[0] == ie);
  CHECK_EQ(ie.y, -(3 * (20 + 12 - 10) + 1));
  double3 de = mix(double3(1, 2, 3), double3(4, 5, 6), 0.5);
  CHECK(host_copy(d, 1)[0] == de);
  uchar4 ue = host_copy(u, 1)[0];
  CHECK_EQ(ue.x, 3);
  CHECK_EQ(ue.w, 255);
  float4 last = host_copy(f, 2)[1];
  CHECK_EQ(last.x, float(ie.x));
  CHECK_EQ(last.w, 255.0f);
  CHECK(make_int3(1, 2, 3) != make_int3(1, 2, 4));
  return finish();
}
