// SPDX-License-Identifier: MIT
// All-pairs gravity: every thread sums the pull of all bodies on its own.
#include "example.h"

__global__ __launch_bounds__(256) void nbody(const float4* p, float4* acc, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = p[i];
  float ax = 0, ay = 0, az = 0;
  for (int j = 0; j < n; j++) {
    float4 q = p[j];
    float dx = q.x - me.x, dy = q.y - me.y, dz = q.z - me.z;
    float inv = __frsqrt_rn(dx * dx + dy * dy + dz * dz + 1e-3f);
    float s = q.w * inv * inv * inv;
    ax += dx * s, ay += dy * s, az += dz * s;
  }
  acc[i] = float4{ax, ay, az, 0};
}

struct Body {
  float x, y, z, w;
};

static void native(const Body* p, Body* acc, int lo, int hi, int n) {
  for (int i = lo; i < hi; i += 16) { // sixteen bodies side by side, as the vector unit likes it
    float ax[16] = {}, ay[16] = {}, az[16] = {};
    for (int j = 0; j < n; j++) {
      Body q = p[j];
      for (int l = 0; l < 16; l++) {
        float dx = q.x - p[i + l].x, dy = q.y - p[i + l].y, dz = q.z - p[i + l].z;
        float inv = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + 1e-3f);
        float s = q.w * inv * inv * inv;
        ax[l] += dx * s, ay[l] += dy * s, az[l] += dz * s;
      }
    }
    for (int l = 0; l < 16; l++) acc[i + l] = {ax[l], ay[l], az[l], 0};
  }
}

int main() {
  const int n = example::sized(8192, 512);
  auto r = example::random_floats(4 * n, 31);
  example::Buffer<float> dp(r), da(4 * n);
  double ms = example::kernel_ms([&] {
    nbody<<<n / 256, 256>>>(reinterpret_cast<const float4*>(dp.get()), reinterpret_cast<float4*>(da.get()), n);
  });
  auto got = da.download();
  std::vector<Body> acc(n);
  auto* p = reinterpret_cast<const Body*>(r.data());
  double host = example::native_ms([&] {
    example::parallel_for(n / 16, [&](size_t lo, size_t hi) { native(p, acc.data(), int(lo) * 16, int(hi) * 16, n); });
  });
  bool pass = true;
  for (int i = 0; i < n; i++)
    pass &= example::close(got[4 * i], acc[i].x, 2e-3f, 1e-1f) && example::close(got[4 * i + 1], acc[i].y, 2e-3f, 1e-1f);
  return example::report("nbody", pass, ms, double(n) * n * 1e-9, "Ginteractions", host);
}
