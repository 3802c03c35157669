// SPDX-License-Identifier: MIT
// The bench kernels as OpenCL C, for PoCL.
__kernel void saxpy(int n, float a, __global const float* x, __global float* y) {
  int i = get_global_id(0);
  if (i < n) y[i] = a * x[i] + y[i];
}

__kernel void nbody(__global const float4* p, __global float4* acc, int n) {
  int i = get_global_id(0);
  float4 me = p[i];
  float ax = 0, ay = 0, az = 0;
  for (int j = 0; j < n; j++) {
    float4 q = p[j];
    float dx = q.x - me.x, dy = q.y - me.y, dz = q.z - me.z;
    float inv = rsqrt(dx * dx + dy * dy + dz * dz + 1e-3f);
    float s = q.w * inv * inv * inv;
    ax += dx * s, ay += dy * s, az += dz * s;
  }
  acc[i] = (float4)(ax, ay, az, 0);
}

__kernel void reduce(__global const float* x, int n, __global float* out) {
  __local float part[256];
  int t = get_local_id(0);
  float s = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) s += x[i];
  part[t] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int o = 128; o > 0; o >>= 1) {
    if (t < o) part[t] += part[t + o];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) out[get_group_id(0)] = part[0];
}

__kernel __attribute__((reqd_work_group_size(16, 16, 1))) void sgemm_tiled(__global const float* a, __global const float* b,
                                                                            __global float* c, int n) {
  __local float ta[16][16], tb[16][16];
  int tx = get_local_id(0), ty = get_local_id(1);
  int row = get_group_id(1) * 16 + ty, col = get_group_id(0) * 16 + tx;
  float sum = 0;
  for (int t = 0; t < n / 16; t++) {
    ta[ty][tx] = a[row * n + t * 16 + tx];
    tb[ty][tx] = b[(t * 16 + ty) * n + col];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; k++) sum += ta[ty][k] * tb[k][tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + col] = sum;
}

__kernel void histogram(__global const uchar* x, int n, __global uint* bins) {
  __local uint local_bins[256];
  int t = get_local_id(0);
  local_bins[t] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&local_bins[x[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&bins[t], local_bins[t]);
}
