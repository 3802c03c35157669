// SPDX-License-Identifier: MIT
// A child forked after HIP was used has no device: each call says so at once, and the child ends without waiting for
// threads that it does not have. The parent goes on.
#include "check.h"
#include <sys/wait.h>
#include <unistd.h>

bool g_child = false;
// LeakSanitizer asks this: what only the parent's threads knew is "leaked" in a forked child.
extern "C" __attribute__((visibility("default"))) int __lsan_is_turned_off() { return g_child; }

__global__ void add(int* p) { atomicAdd(p, 1); }

int main() {
  int* p = device_copy(std::vector<int>{0});
  add<<<1, 64>>>(p);
  HIP(hipDeviceSynchronize());
  std::fflush(nullptr);
  pid_t child = fork();
  if (child == 0) {
    g_child = true;
    alarm(10); // a hang is a failure, not a test that never ends
    int* q = nullptr;
    EXPECT_ERROR(hipMalloc(&q, 64), hipErrorNotInitialized);
    EXPECT_ERROR(hipDeviceSynchronize(), hipErrorNotInitialized);
    EXPECT_ERROR(hipMemset(p, 0, 4), hipErrorNotInitialized);
    add<<<1, 64>>>(p);
    EXPECT_ERROR(hipGetLastError(), hipErrorNotInitialized);
    return finish();
  }
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  add<<<1, 64>>>(p);
  HIP(hipDeviceSynchronize());
  CHECK_EQ(host_copy(p, 1)[0], 128);
  HIP(hipFree(p));
  return finish();
}
