/* SPDX-License-Identifier: MIT
   A whole HSA program in C, through the public ABI only: kernels compiled by stock clang are
   loaded, dispatched and checked against values computed by hand. Usage: hsa_program CODE_OBJECT
   [NAME...]. */
#include "hsa_test_util.h"
#include <hsa/pumice_ext.h>
#include <pthread.h>

static test_node_t node;
static hsa_executable_t executable;
static int failures;

#define CHECK(cond, ...)                                                                           \
  do {                                                                                             \
    if (!(cond)) {                                                                                 \
      ++failures;                                                                                  \
      fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #cond);                                   \
      fprintf(stderr, __VA_ARGS__);                                                                \
      fprintf(stderr, "\n");                                                                       \
      return;                                                                                      \
    }                                                                                              \
  } while (0)

static hsa_queue_t* make_queue(void (*callback)(hsa_status_t, hsa_queue_t*, void*), void* data) {
  hsa_queue_t* q;
  HSA_OK(hsa_queue_create(node.gpu, 128, HSA_QUEUE_TYPE_MULTI, callback, data, UINT32_MAX,
                          UINT32_MAX, &q));
  return q;
}
static hsa_signal_t make_signal(hsa_signal_value_t v) {
  hsa_signal_t s;
  HSA_OK(hsa_signal_create(v, 0, NULL, &s));
  return s;
}
static test_kernel_t kernel(const char* name) {
  return test_kernel(executable, node.gpu, name);
}

/* Runs one kernel to its end with the given argument bytes. */
static int run(const char* name, const void* args, size_t size, uint32_t grid, uint16_t group) {
  hsa_queue_t* q = make_queue(NULL, NULL);
  hsa_signal_t done = make_signal(1);
  test_kernel_t k = kernel(name);
  char* kernarg = test_alloc(node.kernarg, k.kernarg_size > size ? k.kernarg_size : size + 1);
  memset(kernarg, 0, k.kernarg_size);
  memcpy(kernarg, args, size);
  /* Hidden arguments of code object v5: block counts at the next 8-aligned place, then group sizes.
   */
  size_t hidden = (size + 7) & ~(size_t)7;
  if (k.kernarg_size >= hidden + 24) {
    uint32_t counts[3] = {grid / group, 1, 1};
    uint16_t sizes[3] = {group, 1, 1};
    memcpy(kernarg + hidden, counts, sizeof counts);
    memcpy(kernarg + hidden + 12, sizes, sizeof sizes);
  }
  test_dispatch(q, &k, kernarg, grid, group, done, 1);
  int ok = test_wait_zero(done) == 0;
  HSA_OK(hsa_queue_destroy(q));
  HSA_OK(hsa_amd_memory_pool_free(kernarg));
  HSA_OK(hsa_signal_destroy(done));
  return ok;
}

static void saxpy(void) {
  enum { N = 1000 };
  float *x = test_alloc(node.device, N * 4), *y = test_alloc(node.device, N * 4), host[N];
  for (int i = 0; i < N; ++i) {
    x[i] = (float)i;
    y[i] = 0.5f;
  }
  struct {
    float a;
    const float* x;
    float* y;
    int n;
  } args = {2.0f, x, y, N - 3};
  CHECK(run("saxpy.kd", &args, 28, 1024, 256), "kernel did not end");
  hsa_signal_t done = make_signal(1);
  HSA_OK(hsa_amd_memory_async_copy(host, node.cpu, y, node.gpu, sizeof host, 0, NULL, done));
  test_wait_zero(done);
  for (int i = 0; i < N; ++i) {
    float want = i < N - 3 ? 2.0f * (float)i + 0.5f : 0.5f;
    CHECK(host[i] == want, "y[%d] = %g, not %g", i, host[i], want);
  }
  HSA_OK(hsa_signal_destroy(done));
  HSA_OK(hsa_amd_memory_pool_free(x));
  HSA_OK(hsa_amd_memory_pool_free(y));
}

static void globals(void) {
  int* out = test_alloc(node.device, 64);
  hsa_executable_symbol_t s;
  uint64_t address;
  HSA_OK(hsa_executable_get_symbol_by_name(executable, "counter", &node.gpu, &s));
  HSA_OK(hsa_executable_symbol_get_info(s, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS, &address));
  *(int*)address = 4711;
  CHECK(run("read_globals.kd", &out, 8, 1, 1), "kernel did not end");
  CHECK(out[0] == 4711 && out[1] == 1 && out[2] == 0, "%d %d %d", out[0], out[1], out[2]);
  HSA_OK(hsa_amd_memory_pool_free(out));
}

static void lds_and_barrier(void) {
  enum { N = 1024 };
  int* p = test_alloc(node.device, N * 4);
  for (int i = 0; i < N; ++i)
    p[i] = i;
  CHECK(run("reverse.kd", &p, 8, N, 256), "kernel did not end");
  for (int i = 0; i < N; ++i)
    CHECK(p[i] == i / 256 * 256 + 255 - i % 256, "p[%d] = %d", i, p[i]);
  HSA_OK(hsa_amd_memory_pool_free(p));
}

static void later_workgroups_make_progress(void) {
  int* p = test_alloc(node.device, 64);
  p[0] = p[1] = 0;
  void* args[2] = {p, p + 1};
  CHECK(run("wait_for_next.kd", args, 16, 128, 64), "kernel did not end");
  CHECK(p[1] == 7, "%d", p[1]);
  HSA_OK(hsa_amd_memory_pool_free(p));
}

static void work_item_ids(void) {
  /* 5 x 3 x 2 work-items in 2 x 2 x 2 workgroups. */
  int* out = test_alloc(node.device, 4096);
  memset(out, 0xff, 4096);
  hsa_queue_t* q = make_queue(NULL, NULL);
  hsa_signal_t done = make_signal(1);
  test_kernel_t k = kernel("ids.kd");
  void** kernarg = test_alloc(node.kernarg, 1024);
  kernarg[0] = out;
  uint64_t index;
  hsa_kernel_dispatch_packet_t* p = (hsa_kernel_dispatch_packet_t*)test_packet(q, &index);
  p->setup = 3;
  p->workgroup_size_x = 5, p->workgroup_size_y = 3, p->workgroup_size_z = 2;
  p->grid_size_x = 10, p->grid_size_y = 6, p->grid_size_z = 4;
  p->kernel_object = k.object;
  p->kernarg_address = kernarg;
  p->completion_signal = done;
  test_publish(q, p, index, HSA_PACKET_TYPE_KERNEL_DISPATCH, 1);
  CHECK(test_wait_zero(done) == 0, "kernel did not end");
  for (int i = 0; i < 240; ++i) {
    int gx = i % 10, gy = i / 10 % 6, gz = i / 60;
    int want =
        gx % 5 | (gy % 3) << 4 | (gz % 2) << 8 | (gx / 5) << 12 | (gy / 3) << 16 | (gz / 2) << 20;
    CHECK(out[i] == want, "out[%d] = %x, not %x", i, (unsigned)out[i], (unsigned)want);
  }
  HSA_OK(hsa_queue_destroy(q));
  HSA_OK(hsa_signal_destroy(done));
  HSA_OK(hsa_amd_memory_pool_free(kernarg));
  HSA_OK(hsa_amd_memory_pool_free(out));
}

static void scratch(void) {
  enum { N = 256 };
  int* out = test_alloc(node.device, N * 4);
  struct {
    int* out;
    int n;
  } args = {out, 21};
  CHECK(run("scratch.kd", &args, 12, N, 128), "kernel did not end");
  for (int i = 0; i < N; ++i)
    CHECK(out[i] == i * 21, "out[%d] = %d", i, out[i]);
  HSA_OK(hsa_amd_memory_pool_free(out));
}

/* Queue 2 waits for queue 1 by a barrier-AND packet; the host holds the chain with a signal. */
static void barrier_packets(void) {
  int* p = test_alloc(node.device, 64);
  *p = 0;
  test_kernel_t k = kernel("poke.kd");
  hsa_queue_t *q1 = make_queue(NULL, NULL), *q2 = make_queue(NULL, NULL);
  hsa_signal_t gate = make_signal(1), first = make_signal(1), second = make_signal(1);
  struct {
    int* p;
    int v;
  }* args = test_alloc(node.kernarg, 4096);
  args[0].p = p, args[0].v = 1;
  args[1].p = p, args[1].v = 2;
  for (int i = 1; i >= 0; --i) { /* the dependent one is submitted first */
    hsa_queue_t* q = i ? q2 : q1;
    uint64_t index;
    hsa_barrier_and_packet_t* b = (hsa_barrier_and_packet_t*)test_packet(q, &index);
    b->dep_signal[3] = i ? first : gate;
    test_publish(q, b, index, HSA_PACKET_TYPE_BARRIER_AND, 1);
    test_dispatch(q, &k, &args[i], 1, 1, i ? second : first, 1);
  }
  CHECK(hsa_signal_wait_scacquire(second, HSA_SIGNAL_CONDITION_EQ, 0, 3000000,
                                  HSA_WAIT_STATE_BLOCKED) == 1,
        "too early");
  CHECK(*p == 0, "%d", *p);
  hsa_signal_store_screlease(gate, 0);
  CHECK(test_wait_zero(second) == 0, "chain did not end");
  CHECK(*p == 2, "%d", *p);
  HSA_OK(hsa_queue_destroy(q1));
  HSA_OK(hsa_queue_destroy(q2));
  HSA_OK(hsa_signal_destroy(gate));
  HSA_OK(hsa_signal_destroy(first));
  HSA_OK(hsa_signal_destroy(second));
  HSA_OK(hsa_amd_memory_pool_free(args));
  HSA_OK(hsa_amd_memory_pool_free(p));
}

/* The host releases a spinning kernel while another queue works. */
static void spinning_kernel(void) {
  int* p = test_alloc(node.system, 64);
  p[0] = p[1] = p[2] = 0;
  hsa_queue_t *q1 = make_queue(NULL, NULL), *q2 = make_queue(NULL, NULL);
  hsa_signal_t spin = make_signal(1), other = make_signal(1);
  test_kernel_t wait_flag = kernel("wait_flag.kd"), poke = kernel("poke.kd");
  void** args = test_alloc(node.kernarg, 4096);
  args[0] = p, args[1] = p + 1;
  test_dispatch(q1, &wait_flag, args, 64, 64, spin, 1);
  struct {
    int* p;
    int v;
  }* poke_args = (void*)(args + 64);
  poke_args->p = p + 2, poke_args->v = 5;
  test_dispatch(q2, &poke, poke_args, 1, 1, other, 1);
  CHECK(test_wait_zero(other) == 0, "the other queue is blocked");
  CHECK(hsa_signal_load_scacquire(spin) == 1 && p[2] == 5, "ended too early");
  __atomic_store_n(p, 1, __ATOMIC_RELEASE);
  CHECK(test_wait_zero(spin) == 0, "spinning kernel did not end");
  CHECK(p[1] == 9, "%d", p[1]);
  HSA_OK(hsa_queue_destroy(q1));
  HSA_OK(hsa_queue_destroy(q2));
  HSA_OK(hsa_signal_destroy(spin));
  HSA_OK(hsa_signal_destroy(other));
  HSA_OK(hsa_amd_memory_pool_free(args));
  HSA_OK(hsa_amd_memory_pool_free(p));
}

struct fault_record {
  hsa_status_t status;
  hsa_queue_t* queue;
  int calls, events;
  uint64_t address;
};
static void on_queue_error(hsa_status_t status, hsa_queue_t* source, void* data) {
  struct fault_record* f = data;
  f->status = status;
  f->queue = source;
  ++f->calls;
}
static struct fault_record* event_record;
static hsa_status_t on_event(const hsa_amd_event_t* event, void* data) {
  (void)data;
  if (event_record && event->event_type == HSA_AMD_GPU_MEMORY_FAULT_EVENT) {
    ++event_record->events;
    event_record->address = event->memory_fault.virtual_address;
  }
  return HSA_STATUS_SUCCESS;
}

static void fault_report(void) {
  struct fault_record f = {0};
  event_record = &f;
  hsa_queue_t* q = make_queue(on_queue_error, &f);
  hsa_signal_t done = make_signal(1);
  int* p = test_alloc(node.device, 4096);
  test_kernel_t k = kernel("saxpy.kd");
  struct {
    float a;
    const float* x;
    float* y;
    int n;
    uint32_t counts[3];
    uint16_t sizes[3];
  }* args = test_alloc(node.kernarg, 4096);
  args->x = (const float*)p;
  args->y = (float*)p + 4096; /* 12 KiB past the end */
  args->n = 1 << 20;
  args->sizes[0] = 64;
  uint64_t before = pumice_hsa_fault_count();
  test_dispatch(q, &k, args, 256, 64, done, 1);
  CHECK(test_wait_zero(done) == 0, "waiter hangs after a fault");
  CHECK(f.calls == 1 && f.queue == q, "%d callbacks", f.calls);
  CHECK((int)f.status == HSA_STATUS_ERROR_MEMORY_FAULT, "status %d", (int)f.status);
  CHECK(f.events == 1 && f.address >= (uint64_t)(p + 4096), "event address %llx",
        (unsigned long long)f.address);
  CHECK(pumice_hsa_fault_count() == before + 1, "count");
  char report[4096];
  pumice_hsa_last_fault(report, sizeof report);
  CHECK(strstr(report, "saxpy"), "%s", report);
  CHECK(strstr(report, "basic.hip:14"), "%s", report);
  CHECK(strstr(report, "past the end of a 4096-byte device 0 allocation"), "%s", report);
  CHECK(strstr(report, "lane 0"), "%s", report);
  /* The process lives: another queue works. */
  event_record = NULL;
  HSA_OK(hsa_queue_destroy(q));
  HSA_OK(hsa_signal_destroy(done));
  HSA_OK(hsa_amd_memory_pool_free(args));
  HSA_OK(hsa_amd_memory_pool_free(p));
  saxpy();
}

static void trap_and_illegal(void) {
  struct fault_record f = {0};
  hsa_queue_t* q = make_queue(on_queue_error, &f);
  hsa_signal_t done = make_signal(1);
  test_kernel_t k = kernel("trap.kd");
  test_dispatch(q, &k, NULL, 64, 64, done, 1);
  CHECK(test_wait_zero(done) == 0, "waiter hangs");
  CHECK(f.calls == 1 && f.status == HSA_STATUS_ERROR_EXCEPTION, "%d calls, status %x", f.calls,
        (unsigned)f.status);
  HSA_OK(hsa_queue_destroy(q));
  HSA_OK(hsa_signal_destroy(done));
}

static void async_copies(void) {
  enum { SIZE = 3 << 20 };
  char *a = test_alloc(node.system, SIZE), *b = test_alloc(node.device, SIZE),
       *c = test_alloc(node.system, SIZE);
  for (int i = 0; i < SIZE; ++i)
    a[i] = (char)(i * 7 + i / 256);
  hsa_signal_t s1 = make_signal(1), s2 = make_signal(1), gate = make_signal(1);
  hsa_signal_t deps[2] = {s1, gate};
  HSA_OK(hsa_amd_memory_async_copy(c, node.cpu, b, node.gpu, SIZE, 2, deps,
                                   s2)); /* waits for the next line */
  HSA_OK(hsa_amd_memory_async_copy(b, node.gpu, a, node.cpu, SIZE, 0, NULL, s1));
  test_wait_zero(s1);
  hsa_signal_store_relaxed(gate, 0);
  CHECK(test_wait_zero(s2) == 0, "copy did not end");
  CHECK(memcmp(a, c, SIZE) == 0, "contents differ");
  hsa_amd_profiling_async_copy_time_t t;
  HSA_OK(hsa_amd_profiling_get_async_copy_time(s2, &t));
  CHECK(t.start && t.end > t.start, "times");
  /* A 100 x 7 byte window between pitched images. */
  hsa_pitched_ptr_t src = {a, 512, 512 * 16}, dst = {c, 300, 300 * 16};
  hsa_dim3_t so = {3, 2, 1}, d_o = {5, 1, 0}, range = {100, 7, 2};
  memset(c, 0, SIZE);
  hsa_signal_store_relaxed(s1, 1);
  HSA_OK(hsa_amd_memory_async_copy_rect(&dst, &d_o, &src, &so, &range, node.gpu, hsaHostToHost, 0,
                                        NULL, s1));
  CHECK(test_wait_zero(s1) == 0, "rectangle");
  for (unsigned z = 0; z < 2; ++z)
    for (unsigned y = 0; y < 7; ++y)
      CHECK(memcmp(c + (z * 16 + y + 1) * 300 + 5, a + ((z + 1) * 16 + y + 2) * 512 + 3, 100) == 0,
            "row %u", y);
  HSA_OK(hsa_amd_memory_fill(b, 0x01020304, SIZE / 4));
  CHECK(b[SIZE - 4] == 4 && b[SIZE - 1] == 1, "fill");
  hsa_signal_store_relaxed(s1, 1);
  HSA_OK(hsa_amd_memory_async_copy(c, node.cpu, (void*)4096, node.gpu, 100, 0, NULL, s1));
  CHECK(hsa_signal_wait_scacquire(s1, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX,
                                  HSA_WAIT_STATE_BLOCKED) < 0,
        "bad copy");
  HSA_OK(hsa_signal_destroy(s1));
  HSA_OK(hsa_signal_destroy(s2));
  HSA_OK(hsa_signal_destroy(gate));
  HSA_OK(hsa_amd_memory_pool_free(a));
  HSA_OK(hsa_amd_memory_pool_free(b));
  HSA_OK(hsa_amd_memory_pool_free(c));
}

enum { kThreads = 4, kLaunches = 200 };
static int* stress_counter;
static void* stress_thread(void* data) {
  hsa_queue_t* shared = data;
  hsa_queue_t* own = make_queue(NULL, NULL);
  test_kernel_t k = kernel("add_one.kd");
  void** args = test_alloc(node.kernarg, 64);
  args[0] = stress_counter;
  hsa_signal_t done = make_signal(2 * kLaunches);
  for (int i = 0; i < kLaunches; ++i) {
    test_dispatch(shared, &k, args, 64, 64, done, i & 1);
    test_dispatch(own, &k, args, 128, 64, done, i & 1);
  }
  if (test_wait_zero(done) != 0) {
    fprintf(stderr, "stress: %lld left\n", (long long)hsa_signal_load_relaxed(done));
    exit(1);
  }
  HSA_OK(hsa_queue_destroy(own));
  HSA_OK(hsa_signal_destroy(done));
  HSA_OK(hsa_amd_memory_pool_free(args));
  return NULL;
}
static void queue_stress(void) {
  stress_counter = test_alloc(node.device, 64);
  *stress_counter = 0;
  hsa_queue_t* q = make_queue(NULL, NULL);
  pthread_t t[kThreads];
  for (int i = 0; i < kThreads; ++i)
    pthread_create(&t[i], NULL, stress_thread, q);
  for (int i = 0; i < kThreads; ++i)
    pthread_join(t[i], NULL);
  CHECK(*stress_counter == kThreads * kLaunches * 3, "%d", *stress_counter);
  HSA_OK(hsa_queue_destroy(q));
  HSA_OK(hsa_amd_memory_pool_free(stress_counter));
}

struct test {
  const char* name;
  void (*run)(void);
};
static const struct test tests[] = {
    {"saxpy", saxpy},
    {"globals", globals},
    {"lds_and_barrier", lds_and_barrier},
    {"later_workgroups_make_progress", later_workgroups_make_progress},
    {"work_item_ids", work_item_ids},
    {"scratch", scratch},
    {"barrier_packets", barrier_packets},
    {"spinning_kernel", spinning_kernel},
    {"fault_report", fault_report},
    {"trap_and_illegal", trap_and_illegal},
    {"async_copies", async_copies},
    {"queue_stress", queue_stress},
};

int main(int argc, char** argv) {
  if (argc < 2)
    return 2;
  setvbuf(stdout, NULL, _IOLBF, 0);
  HSA_OK(hsa_init());
  node = test_node();
  HSA_OK(hsa_amd_register_system_event_handler(on_event, NULL));
  executable = test_load(node.gpu, argv[1]);
  for (size_t i = 0; i < sizeof tests / sizeof *tests; ++i) {
    int wanted = argc == 2;
    for (int a = 2; a < argc; ++a)
      wanted |= strcmp(argv[a], tests[i].name) == 0;
    if (!wanted)
      continue;
    int before = failures;
    tests[i].run();
    printf("%-32s %s\n", tests[i].name, failures == before ? "ok" : "FAILED");
  }
  HSA_OK(hsa_executable_destroy(executable));
  HSA_OK(hsa_shut_down());
  return failures != 0;
}
