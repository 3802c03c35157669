// SPDX-License-Identifier: MIT
// A thread with little stack launches a kernel whose translated code keeps far more values than the host has registers.
// Compiled with -O0. The values are checked against the host.
#include "check.h"
#include <pthread.h>

constexpr int kN = 256;

/// Hundreds of live values: each step needs all of the others.
template <int K>
__host__ __device__ unsigned mix(unsigned x) {
  unsigned v[K];
  for (int i = 0; i < K; i++)
    v[i] = x * (2 * i + 1) + i;
  for (int i = 0; i < K; i++)
    v[i] ^= v[(i * 7 + 3) % K] >> 3;
  unsigned s = 0;
  for (int i = 0; i < K; i++)
    s = s * 31 + v[i];
  return s;
}

__global__ void spread(unsigned* out) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned a = mix<11>(x), b = mix<13>(x), c = mix<17>(x), d = mix<19>(x), e = mix<23>(x), f = mix<29>(x);
  unsigned g = mix<31>(a), h = mix<37>(b), i = mix<41>(c), j = mix<43>(d), k = mix<47>(e), l = mix<53>(f);
  out[x] = (a ^ b ^ c ^ d ^ e ^ f) + (g ^ h ^ i ^ j ^ k ^ l);
}

unsigned wanted(unsigned x) {
  unsigned a = mix<11>(x), b = mix<13>(x), c = mix<17>(x), d = mix<19>(x), e = mix<23>(x), f = mix<29>(x);
  unsigned g = mix<31>(a), h = mix<37>(b), i = mix<41>(c), j = mix<43>(d), k = mix<47>(e), l = mix<53>(f);
  return (a ^ b ^ c ^ d ^ e ^ f) + (g ^ h ^ i ^ j ^ k ^ l);
}

void* launch(void*) {
  std::vector<unsigned> host(kN);
  unsigned* out = device_copy(host);
  spread<<<kN / 64, 64>>>(out);
  host = host_copy(out, kN);
  for (unsigned x = 0; x < kN; x++)
    CHECK(host[x] == wanted(x));
  return nullptr;
}

int main() {
  int n = 0;
  HIP(hipGetDeviceCount(&n)); // the runtime starts on the main thread
  pthread_attr_t attr;
  pthread_attr_init(&attr);
  CHECK(!pthread_attr_setstacksize(&attr, 128 << 10));
  pthread_t t;
  CHECK(!pthread_create(&t, &attr, launch, nullptr));
  CHECK(!pthread_join(t, nullptr));
  return finish();
}
