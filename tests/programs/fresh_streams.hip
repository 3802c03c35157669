// SPDX-License-Identifier: MIT
// Six streams that hand work to each other by events, in a ring and as a tree; order of copies and kernels; callbacks.
#include "check.h"
#include <atomic>

__global__ void step(int* ring, int from, int to, int rounds) {
  int t = threadIdx.x;
  int v = ring[from * 256 + t];
  for (int k = 0; k < rounds; k++)
    v = v * 5 + from + 1;
  ring[to * 256 + t] += v;
}
__global__ void join(const int* a, const int* b, int* out) { out[threadIdx.x] = a[threadIdx.x] * 3 - b[threadIdx.x]; }

static std::atomic<int> calls{0};
static void called(void* p) { calls += *(int*)p; }

int main() {
  const int kStreams = 6, kTurns = 10;
  hipStream_t s[kStreams];
  hipEvent_t e[kStreams];
  for (int k = 0; k < kStreams; k++) {
    CK(k % 2 ? hipStreamCreateWithFlags(&s[k], hipStreamNonBlocking) : hipStreamCreate(&s[k]));
    CK(hipEventCreateWithFlags(&e[k], hipEventDisableTiming));
  }
  std::vector<int> ring(256 * kStreams), want;
  for (size_t i = 0; i < ring.size(); i++)
    ring[i] = (int)i;
  want = ring;
  int* d;
  CK(hipMalloc(&d, ring.size() * 4));
  CK(hipMemcpyAsync(d, ring.data(), ring.size() * 4, hipMemcpyHostToDevice, s[0]));
  CK(hipEventRecord(e[0], s[0]));
  int one = 1;
  for (int turn = 0; turn < kTurns; turn++)
    for (int k = 0; k < kStreams; k++) {
      int next = (k + 1) % kStreams;
      CK(hipStreamWaitEvent(s[next], e[k], 0));
      step<<<1, 256, 0, s[next]>>>(d, k, next, 20 + turn * 7 + k);
      if (turn % 3 == 0)
        CK(hipLaunchHostFunc(s[next], called, &one));
      CK(hipEventRecord(e[next], s[next]));
      for (int t = 0; t < 256; t++) {
        unsigned v = (unsigned)want[k * 256 + t];
        for (int q = 0; q < 20 + turn * 7 + k; q++)
          v = v * 5 + k + 1;
        want[next * 256 + t] = (int)((unsigned)want[next * 256 + t] + v);
      }
    }
  for (auto st : s)
    CK(hipStreamSynchronize(st));
  auto got = down(d, ring.size());
  for (size_t i = 0; i < got.size(); i++)
    EXPECT(got[i] == want[i], "ring %zu: %d want %d", i, got[i], want[i]);
  EXPECT(calls == 4 * kStreams, "host functions %d", calls.load());

  // A tree: streams 0..3 fill, 4 and 5 join pairs, stream 0 joins those.
  int *leaf, *mid, *root;
  CK(hipMalloc(&leaf, 4 * 256 * 4));
  CK(hipMalloc(&mid, 2 * 256 * 4));
  CK(hipMalloc(&root, 256 * 4));
  for (int turn = 0; turn < 5; turn++) {
    for (int k = 0; k < 4; k++) {
      CK(hipMemsetD32Async((hipDeviceptr_t)(leaf + k * 256), turn * 10 + k, 256, s[k]));
      CK(hipEventRecord(e[k], s[k]));
    }
    for (int k = 0; k < 2; k++) {
      CK(hipStreamWaitEvent(s[4 + k], e[2 * k], 0));
      CK(hipStreamWaitEvent(s[4 + k], e[2 * k + 1], 0));
      join<<<1, 256, 0, s[4 + k]>>>(leaf + 2 * k * 256, leaf + (2 * k + 1) * 256, mid + k * 256);
      CK(hipEventRecord(e[4 + k], s[4 + k]));
      for (int q = 0; q < 4; q++)
        CK(hipStreamWaitEvent(s[q], e[4 + k], 0)); // nobody fills again too early
    }
    join<<<1, 256, 0, s[0]>>>(mid, mid + 256, root);
    CK(hipEventRecord(e[0], s[0]));
    CK(hipEventSynchronize(e[0]));
    CK(hipStreamWaitEvent(s[4], e[0], 0));
    CK(hipStreamWaitEvent(s[5], e[0], 0));
    int l[4] = {turn * 10, turn * 10 + 1, turn * 10 + 2, turn * 10 + 3};
    int r = (l[0] * 3 - l[1]) * 3 - (l[2] * 3 - l[3]);
    EXPECT(down(root, 256)[turn * 7] == r, "tree turn %d: %d want %d", turn, down(root, 256)[turn * 7], r);
  }
  for (int k = 0; k < kStreams; k++) {
    CK(hipEventDestroy(e[k]));
    CK(hipStreamDestroy(s[k]));
  }
  DONE();
}
