// SPDX-License-Identifier: MIT
// Every atomic on integers and floats, in global and local memory; a spin lock; a last-block reduction.
#include "check.h"

template <class T> __global__ void integers(T* p, T* old) {
  T i = T(threadIdx.x + 1);
  atomicAdd(&p[0], i);
  atomicSub(&p[1], i);
  atomicMin(&p[2], T(100) - i);
  atomicMax(&p[3], i);
  atomicAnd(&p[4], ~(T(1) << (threadIdx.x % 8)));
  atomicOr(&p[5], T(1) << (threadIdx.x % 16));
  atomicXor(&p[6], T(1) << (threadIdx.x % 4));
  if (threadIdx.x == 0) {
    old[0] = atomicExch(&p[7], T(77));
    old[1] = atomicCAS(&p[8], T(5), T(6));
    old[2] = atomicCAS(&p[8], T(5), T(9));
  }
}
__global__ void wrapping(unsigned* p) {
  atomicInc(&p[0], 9); // 64 increments with wrap after 9
  atomicDec(&p[1], 4);
}
template <class T> __global__ void floats(T* p) {
  atomicAdd(&p[0], T(0.5));
  atomicMax(&p[1], T(threadIdx.x));
  atomicMin(&p[2], -T(threadIdx.x));
  unsafeAtomicAdd(&p[3], T(2));
  safeAtomicAdd(&p[4], T(1));
  atomicAdd_system(&p[5], T(1));
}
__global__ void local(int* out, float* fout) {
  __shared__ int s;
  __shared__ float f;
  __shared__ unsigned long long l;
  if (threadIdx.x == 0) s = 0, f = 0, l = 0;
  __syncthreads();
  atomicAdd(&s, 3);
  atomicAdd(&f, 0.25f);
  atomicMax(&l, (unsigned long long)threadIdx.x << 33);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = s, fout[blockIdx.x] = f + float(l >> 33);
}
__global__ void locked(int* lock, int* value) {
  // One lane per wave takes the lock, so that lanes of a wave do not wait for each other.
  if (threadIdx.x % 64 == 0) {
    bool done = false;
    while (!done) {
      if (atomicCAS(lock, 0, 1) == 0) {
        __threadfence();
        int v = *(volatile int*)value;
        *(volatile int*)value = v + 1;
        __threadfence();
        atomicExch(lock, 0);
        done = true;
      }
    }
  }
}
__device__ unsigned finished = 0;
__global__ void last_block(const int* in, int* partial, int* result) {
  __shared__ int s[64];
  __shared__ bool last;
  s[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int x : s) sum += x;
    partial[blockIdx.x] = sum;
    __threadfence();
    last = atomicAdd(&finished, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int sum = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) sum += ((volatile int*)partial)[i];
    *result = sum;
  }
}

template <class T> void check_integers() {
  std::vector<T> v{0, 0, 100, 0, T(-1), 0, 0, 1, 5};
  T *p = device_copy(v), *old = device_copy(std::vector<T>(3));
  integers<T><<<1, 64>>>(p, old);
  HIP(hipGetLastError());
  v = host_copy(p, 9);
  CHECK(v[0] == T(64 * 65 / 2));
  CHECK(v[1] == T(-(64 * 65 / 2)));
  CHECK(v[2] == T(36));
  CHECK(v[3] == T(64));
  CHECK(v[4] == T(~T(255)));
  CHECK(v[5] == T(65535));
  CHECK(v[6] == T(0));
  CHECK(v[7] == T(77));
  CHECK(v[8] == T(6));
  std::vector<T> o = host_copy(old, 3);
  CHECK(o[0] == T(1) && o[1] == T(5) && o[2] == T(6));
}
template <class T> void check_floats() {
  T* p = device_copy(std::vector<T>(6));
  floats<T><<<4, 64>>>(p);
  HIP(hipGetLastError());
  std::vector<T> v = host_copy(p, 6);
  CHECK_EQ(v[0], T(128));
  CHECK_EQ(v[1], T(63));
  CHECK_EQ(v[2], T(-63));
  CHECK_EQ(v[3], T(512));
  CHECK_EQ(v[4], T(256));
  CHECK_EQ(v[5], T(256));
}

int main() {
  check_integers<int>();
  check_integers<unsigned>();
  check_integers<long long>();
  check_integers<unsigned long long>();
  check_floats<float>();
  check_floats<double>();
  unsigned* w = device_copy(std::vector<unsigned>{0, 0});
  wrapping<<<1, 64>>>(w);
  std::vector<unsigned> u = host_copy(w, 2);
  CHECK_EQ(u[0], 64u % 10u);
  CHECK_EQ(u[1], (5u - 64u % 5u) % 5u);
  int* out = nullptr;
  float* fout = nullptr;
  HIP(hipMalloc(&out, 12));
  HIP(hipMalloc(&fout, 12));
  local<<<3, 128>>>(out, fout);
  CHECK_EQ(host_copy(out, 3)[2], 384);
  CHECK_EQ(host_copy(fout, 3)[2], 32.0f + 127.0f);
  int* lock = device_copy(std::vector<int>{0, 0});
  locked<<<16, 128>>>(lock, lock + 1);
  HIP(hipDeviceSynchronize());
  CHECK_EQ(host_copy(lock, 2)[1], 32);
  std::vector<int> in(64 * 40);
  int expected = 0;
  for (size_t i = 0; i < in.size(); ++i) in[i] = int(i % 13), expected += in[i];
  int *di = device_copy(in), *partial = nullptr, *result = nullptr;
  HIP(hipMalloc(&partial, 160));
  HIP(hipMalloc(&result, 4));
  last_block<<<40, 64>>>(di, partial, result);
  CHECK_EQ(host_copy(result, 1)[0], expected);
  return finish();
}
