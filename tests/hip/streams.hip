// SPDX-License-Identifier: MIT
// Order inside streams, between streams, with the null stream; events, callbacks, timing.
#include "check.h"
#include <atomic>
#include <thread>

__global__ void spin_then_set(int* p, int value, int rounds) {
  volatile int sink = 0;
  for (int i = 0; i < rounds; ++i) sink = sink + i;
  if (threadIdx.x == 0) *p = value;
}
__global__ void append(int* list, int* count, int value) { list[atomicAdd(count, 1)] = value; }
__global__ void copy_word(int* dst, const int* src) { *dst = *src; }

int main() {
  int *list = nullptr, *count = nullptr, *word = nullptr, *seen = nullptr;
  HIP(hipMalloc(&list, 4096));
  HIP(hipMalloc(&count, 4));
  HIP(hipMalloc(&word, 4));
  HIP(hipMalloc(&seen, 4));
  HIP(hipMemset(count, 0, 4));

  // One stream keeps order over kernels, copies, fills and host functions.
  hipStream_t s;
  HIP(hipStreamCreate(&s));
  int host_value = 0;
  int* pinned = nullptr;
  HIP(hipHostMalloc(&pinned, 4));
  for (int i = 0; i < 50; ++i) append<<<1, 1, 0, s>>>(list, count, i);
  HIP(hipMemcpyAsync(pinned, count, 4, hipMemcpyDeviceToHost, s));
  struct State {
    int* from;
    int* to;
  } state{pinned, &host_value};
  HIP(hipLaunchHostFunc(s, [](void* p) { *static_cast<State*>(p)->to = *static_cast<State*>(p)->from; }, &state));
  HIP(hipMemsetAsync(count, 0, 4, s));
  append<<<1, 1, 0, s>>>(list, count, 1000);
  HIP(hipStreamSynchronize(s));
  CHECK_EQ(host_value, 50);
  std::vector<int> v = host_copy(list, 50);
  CHECK_EQ(v[0], 1000);
  for (int i = 1; i < 50; ++i) CHECK_EQ(v[i], i);

  // Events order streams; the waiting stream sees the other's result.
  hipStream_t t;
  hipEvent_t e;
  HIP(hipStreamCreateWithFlags(&t, hipStreamNonBlocking));
  HIP(hipEventCreate(&e));
  for (int round = 1; round <= 20; ++round) {
    spin_then_set<<<1, 64, 0, s>>>(word, round, 2000);
    HIP(hipEventRecord(e, s));
    HIP(hipStreamWaitEvent(t, e, 0));
    copy_word<<<1, 1, 0, t>>>(seen, word);
    HIP(hipStreamSynchronize(t));
    CHECK_EQ(host_copy(seen, 1)[0], round);
  }
  CHECK_EQ(hipEventQuery(e), hipSuccess);

  // The legacy null stream waits for blocking streams, and they wait for it.
  spin_then_set<<<1, 64, 0, s>>>(word, 500, 20000);
  copy_word<<<1, 1>>>(seen, word);
  HIP(hipStreamSynchronize(nullptr));
  CHECK_EQ(host_copy(seen, 1)[0], 500);
  spin_then_set<<<1, 64>>>(word, 600, 20000);
  copy_word<<<1, 1, 0, s>>>(seen, word);
  HIP(hipStreamSynchronize(s));
  CHECK_EQ(host_copy(seen, 1)[0], 600);

  // Timing: elapsed time grows with work and is never negative.
  hipEvent_t a, b, c;
  HIP(hipEventCreate(&a));
  HIP(hipEventCreate(&b));
  HIP(hipEventCreateWithFlags(&c, hipEventDisableTiming));
  HIP(hipEventRecord(a, s));
  spin_then_set<<<1, 64, 0, s>>>(word, 1, 30000);
  HIP(hipEventRecord(b, s));
  HIP(hipEventRecord(c, s));
  HIP(hipEventSynchronize(b));
  float ms = -1;
  HIP(hipEventElapsedTime(&ms, a, b));
  CHECK(ms > 0);
  EXPECT_ERROR(hipEventElapsedTime(&ms, a, c), hipErrorInvalidHandle);
  HIP(hipEventDestroy(c));
  hipEvent_t never;
  HIP(hipEventCreate(&never));
  EXPECT_ERROR(hipEventElapsedTime(&ms, a, never), hipErrorInvalidHandle);
  (void)hipGetLastError();

  // Callbacks run after the work before them and before the work after them.
  static std::atomic<int> calls{0};
  for (int i = 0; i < 10; ++i) {
    append<<<1, 1, 0, s>>>(list, count, i);
    HIP(hipStreamAddCallback(s, [](hipStream_t, hipError_t status, void*) { calls += status == hipSuccess; }, nullptr, 0));
  }
  HIP(hipStreamSynchronize(s));
  CHECK_EQ(calls.load(), 10);

  // Threads with their own default streams.
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      int* p = nullptr;
      if (hipMalloc(&p, 4) != hipSuccess) return;
      spin_then_set<<<1, 1, 0, hipStreamPerThread>>>(p, 100 + i, 10);
      int got = 0;
      if (hipMemcpyAsync(&got, p, 4, hipMemcpyDeviceToHost, hipStreamPerThread) == hipSuccess &&
          hipStreamSynchronize(hipStreamPerThread) == hipSuccess && got == 100 + i)
        ++good;
      (void)hipFree(p);
    });
  for (std::thread& th : threads) th.join();
  CHECK_EQ(good.load(), 4);

  // Many streams at once.
  std::vector<hipStream_t> many(24);
  int* slots = nullptr;
  HIP(hipMalloc(&slots, 24 * 4));
  for (size_t i = 0; i < many.size(); ++i) {
    HIP(hipStreamCreateWithPriority(&many[i], i % 2 ? hipStreamNonBlocking : hipStreamDefault, int(i % 3) - 1));
    spin_then_set<<<1, 64, 0, many[i]>>>(slots + i, int(i) + 1, 100);
  }
  HIP(hipDeviceSynchronize());
  v = host_copy(slots, 24);
  for (int i = 0; i < 24; ++i) CHECK_EQ(v[i], i + 1);
  for (hipStream_t x : many) HIP(hipStreamDestroy(x));
  EXPECT_ERROR(hipStreamSynchronize(many[0]), hipErrorInvalidHandle);
  int least = 0, greatest = 0;
  HIP(hipDeviceGetStreamPriorityRange(&least, &greatest));
  CHECK(least >= greatest);
  return finish();
}
