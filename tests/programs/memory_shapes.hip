// SPDX-License-Identifier: MIT
// Loads and stores of 1 to 16 bytes at odd addresses and strides, in global memory, LDS and the
// stack.
#include "check.h"
#include <cstdint>
#include <cstring>

struct __attribute__((packed)) Odd {
  uint8_t b;
  uint16_t h;
  uint32_t w;
  uint64_t d;
};
template <class T> struct __attribute__((packed)) At {
  T v;
};
template <class T> __host__ __device__ T load_at(const char* p) {
  return ((const At<T>*)p)->v;
}
template <class T> __host__ __device__ void store_at(char* p, T v) {
  ((At<T>*)p)->v = v;
}
typedef uint32_t u4 __attribute__((ext_vector_type(4)));
struct u3 {
  uint32_t x, y, z;
};

template <class T>
__global__ void copy(const char* in, char* out, int shift, int stride, int turn, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= (unsigned)n)
    return;
  unsigned j = turn ? (i * turn) & 255 : i;
  if (turn && i >= 256)
    return;
  T v = load_at<T>(in + shift + j * stride);
  if (i % 5 != 3)
    store_at<T>(out + shift + i * stride, v);
}
template <class T> void check_copy(const char* name) {
  std::vector<char> in(40000), zero(40000);
  for (size_t i = 0; i < in.size(); i++)
    in[i] = (char)(i * 131 + (i >> 7));
  char* d = up(in);
  for (int shift : {0, 1, 2, 3, 4, 7, 13})
    for (int stride : {0, 1, 2, 4, 8, 12, 16, 17, 20, 32, 3, 64})
      for (int turn : {0, 5, 255})
        for (int n : {64, 100, 333}) {
          if (stride < (int)sizeof(T) && stride)
            continue;
          if (!stride && turn)
            continue;
          char* o = up(zero);
          copy<T><<<(n + 99) / 100, 100>>>(d, o, shift, stride, turn, n);
          std::vector<char> got = down(o, zero.size()), want = zero;
          (void)hipFree(o);
          for (int i = 0; i < n; i++) {
            if (turn && i >= 256)
              continue;
            int j = turn ? (i * turn) & 255 : i;
            T v;
            memcpy(&v, &in[shift + j * stride], sizeof v);
            if (i % 5 != 3)
              memcpy(&want[shift + i * stride], &v, sizeof(At<T>));
          }
          EXPECT(got == want, "%s shift %d stride %d turn %d n %d", name, shift, stride, turn, n);
        }
}

// The same shapes inside LDS, then an exchange between lanes.
template <class T> __global__ void through_lds(const T* in, T* out, int shift, int n) {
  __shared__ char lds[64 * 100 + 64];
  unsigned t = threadIdx.x;
  constexpr unsigned kStride = sizeof(T) + 3;
  if (t < (unsigned)n)
    store_at<T>(lds + shift + t * kStride, in[t]);
  __syncthreads();
  if (t < (unsigned)n)
    out[t] = load_at<T>(lds + shift + (n - 1 - t) * kStride);
  __syncthreads();
  if (t < (unsigned)n)
    ((T*)lds)[t * 2 % 64 + (t / 32)] = in[t];
  __syncthreads();
  if (t < (unsigned)n)
    out[n + t] = ((T*)lds)[t * 2 % 64 + (t / 32)];
}
template <class T> void check_lds(const char* name) {
  for (int n : {1, 7, 33, 64})
    for (int shift : {0, 1, 2, 5}) {
      std::vector<T> in(n), got(2 * n);
      for (int i = 0; i < n; i++)
        memset(&in[i], i * 7 + 1, sizeof(T)), ((char*)&in[i])[0] = i;
      T *d = up(in), *o = up(got);
      through_lds<T><<<1, n>>>(d, o, shift, n);
      got = down(o, 2 * n);
      for (int i = 0; i < n; i++) {
        EXPECT(!memcmp(&got[i], &in[n - 1 - i], sizeof(At<T>)), "%s lds n %d shift %d i %d", name,
               n, shift, i);
        EXPECT(!memcmp(&got[n + i], &in[i], sizeof(At<T>)), "%s lds own n %d i %d", name, n, i);
      }
    }
}

// The stack: dynamic indices, packed structures, and pointers that may point to any memory.
template <class T> __host__ __device__ T mixed(const T* any, int k) {
  return any[k & 7] + any[(k * 3 + 1) & 7];
}
template <class T> __global__ void on_stack(const T* in, T* out, int n) {
  __shared__ T shared[8];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 8)
    shared[threadIdx.x] = in[threadIdx.x] * 2;
  __syncthreads();
  if (i >= (unsigned)n)
    return;
  T local[16];
  for (int k = 0; k < 16; k++)
    local[k] = in[(i + k) % n];
  for (int k = 0; k < 20; k++)
    local[(k * i + 3) & 15] += local[(k + i) & 15];
  const T* any = i % 3 == 0 ? local : i % 3 == 1 ? in + 3 : shared;
  Odd odd[3];
  for (int k = 0; k < 3; k++)
    odd[k] = {(uint8_t)(i + k), (uint16_t)(i * 300 + k), i * 70000 + k, (uint64_t)i << 33 | k};
  Odd pick = odd[i % 3];
  T sum = 0;
  for (int k = 0; k < 16; k++)
    sum += local[k] * (T)(k + 1);
  out[i] = sum + mixed(any, i) + (T)(pick.b + pick.h + pick.w + pick.d % 1001);
}
template <class T> void check_stack(const char* name) {
  int n = 165;
  std::vector<T> in(n), got(n);
  for (int i = 0; i < n; i++)
    in[i] = (T)(i * 13 + 1);
  T *d = up(in), *o = up(got);
  on_stack<T><<<5, 33>>>(d, o, n);
  got = down(o, n);
  for (unsigned i = 0; i < (unsigned)n; i++) {
    T local[16], shared[8];
    for (int k = 0; k < 8; k++)
      shared[k] = in[k] * 2;
    for (int k = 0; k < 16; k++)
      local[k] = in[(i + k) % n];
    for (int k = 0; k < 20; k++)
      local[(k * i + 3) & 15] += local[(k + i) & 15];
    const T* any = i % 3 == 0 ? local : i % 3 == 1 ? &in[3] : shared;
    unsigned k3 = i % 3;
    T sum = 0;
    for (int k = 0; k < 16; k++)
      sum += local[k] * (T)(k + 1);
    sum = sum + mixed(any, i) +
          (T)((uint8_t)(i + k3) + (uint16_t)(i * 300 + k3) + (i * 70000 + k3) +
              ((uint64_t)i << 33 | k3) % 1001);
    EXPECT(got[i] == sum, "%s stack %u: %g want %g", name, i, (double)got[i], (double)sum);
  }
}
int main() {
  check_copy<uint8_t>("u8");
  check_copy<uint16_t>("u16");
  check_copy<uint32_t>("u32");
  check_copy<uint64_t>("u64");
  check_copy<u3>("u32x3");
  check_copy<u4>("u32x4");
  check_lds<uint8_t>("u8");
  check_lds<uint16_t>("u16");
  check_lds<uint32_t>("u32");
  check_lds<uint64_t>("u64");
  check_lds<u4>("u32x4");
  check_stack<uint8_t>("u8");
  check_stack<int16_t>("i16");
  check_stack<int>("i32");
  check_stack<uint64_t>("u64");
  check_stack<double>("double");
  DONE();
}
