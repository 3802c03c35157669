// SPDX-License-Identifier: MIT
// Copies and kernels of four streams overlap; events order what depends on each other.
#include "example.h"

__global__ void step(float* x, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  for (int k = 0; k < rounds; k++) v = v * 0.999f + 0.001f;
  x[i] = v;
}

int main() {
  const int kStreams = 4, n = example::sized(1 << 20, 1 << 13), rounds = example::sized(200, 20);
  float* host = nullptr;
  HIP_CHECK(hipHostMalloc(reinterpret_cast<void**>(&host), sizeof(float) * n * kStreams));
  auto init = example::random_floats(size_t(n) * kStreams, 81);
  std::memcpy(host, init.data(), init.size() * 4);
  example::Buffer<float> d(init.size());
  hipStream_t s[kStreams];
  hipEvent_t copied[kStreams], begin, end;
  HIP_CHECK(hipEventCreate(&begin));
  HIP_CHECK(hipEventCreate(&end));
  for (int k = 0; k < kStreams; k++) {
    HIP_CHECK(hipStreamCreateWithFlags(&s[k], hipStreamNonBlocking));
    HIP_CHECK(hipEventCreateWithFlags(&copied[k], hipEventDisableTiming));
  }
  HIP_CHECK(hipEventRecord(begin, s[0]));
  for (int k = 0; k < kStreams; k++) {
    float* part = d.get() + size_t(k) * n;
    HIP_CHECK(hipMemcpyAsync(part, host + size_t(k) * n, n * 4, hipMemcpyHostToDevice, s[k]));
    HIP_CHECK(hipEventRecord(copied[k], s[k]));
    hipStream_t worker = s[(k + 1) % kStreams]; // another stream computes: the event makes it wait
    HIP_CHECK(hipStreamWaitEvent(worker, copied[k], 0));
    step<<<(n + 255) / 256, 256, 0, worker>>>(part, n, rounds);
    HIP_CHECK(hipMemcpyAsync(host + size_t(k) * n, part, n * 4, hipMemcpyDeviceToHost, worker));
  }
  for (auto st : s) HIP_CHECK(hipStreamSynchronize(st));
  HIP_CHECK(hipEventRecord(end, s[0]));
  HIP_CHECK(hipEventSynchronize(end));
  float ms = 0;
  HIP_CHECK(hipEventElapsedTime(&ms, begin, end));
  bool pass = true;
  for (size_t i = 0; i < init.size(); i += 997) {
    float v = init[i];
    for (int k = 0; k < rounds; k++) v = std::fma(v, 0.999f, 0.001f);
    pass &= example::close(host[i], v, 1e-4f);
  }
  for (auto st : s) (void)hipStreamDestroy(st);
  (void)hipHostFree(host);
  return example::report("streams", pass, ms, 0, "", 0);
}
