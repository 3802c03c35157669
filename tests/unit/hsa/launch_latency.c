/* SPDX-License-Identifier: MIT
   Prints how long an empty kernel takes from enqueue to the woken host thread: medians of several
   rounds, launched one by one and after idle pauses. A measurement, not a test. */
#include "hsa_test_util.h"
#include <time.h>
#include <unistd.h>

static double now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}
static int compare(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void measure(const char* title, hsa_queue_t* q, const test_kernel_t* k, uint32_t grid,
                    unsigned pause_us, int n) {
  double* t = malloc(sizeof(double) * (size_t)n);
  hsa_signal_t done;
  HSA_OK(hsa_signal_create(1, 0, NULL, &done));
  for (int i = 0; i < n; ++i) {
    if (pause_us)
      usleep(pause_us);
    hsa_signal_store_relaxed(done, 1);
    double start = now_us();
    test_dispatch(q, k, NULL, grid, 64, done, 1);
    test_wait_zero(done);
    t[i] = now_us() - start;
  }
  qsort(t, (size_t)n, sizeof *t, compare);
  printf("%-34s median %7.2f us  p10 %7.2f  p90 %7.2f  max %9.2f\n", title, t[n / 2], t[n / 10],
         t[n * 9 / 10], t[n - 1]);
  free(t);
  hsa_signal_destroy(done);
}

int main(int argc, char** argv) {
  HSA_OK(hsa_init());
  test_node_t n = test_node();
  hsa_queue_t* q;
  HSA_OK(hsa_queue_create(n.gpu, 256, HSA_QUEUE_TYPE_MULTI, NULL, NULL, 0, 0, &q));
  hsa_executable_t e = test_load(n.gpu, argc > 1 ? argv[1] : TEST_DATA "/basic.co");
  test_kernel_t k = test_kernel(e, n.gpu, "empty.kd");
  measure("first launches", q, &k, 64, 0, 20);
  measure("1 workgroup, back to back", q, &k, 64, 0, 20000);
  measure("1 workgroup, after 1 ms", q, &k, 64, 1000, 500);
  measure("64 workgroups, back to back", q, &k, 64 * 64, 0, 5000);
  measure("4096 workgroups, back to back", q, &k, 4096 * 64, 0, 100);

  /* Throughput: a full queue of launches, one wait. */
  hsa_signal_t done;
  enum { kMany = 20000 };
  HSA_OK(hsa_signal_create(kMany, 0, NULL, &done));
  double start = now_us();
  for (int i = 0; i < kMany; ++i)
    test_dispatch(q, &k, NULL, 64, 64, done, 1);
  test_wait_zero(done);
  printf("%-34s %7.2f us each\n", "stream of launches", (now_us() - start) / kMany);
  HSA_OK(hsa_queue_destroy(q));
  HSA_OK(hsa_shut_down());
  return 0;
}
