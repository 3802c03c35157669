// SPDX-License-Identifier: MIT
// Kernels side by side with native C++ of the same work, the same kernel in OpenCL (PoCL) and OpenBLAS. Every round runs
// all competitors one after the other; medians over rounds, ratios of medians, a table and JSON. CPU time of the process is
// the clock, so that other load on the machine does not count.
#include "gemm_kernels.h"
#include "peers.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <ctime>
#include <functional>
#include <hip/hip_runtime.h>
#include <map>
#include <sys/resource.h>

#define HIP_CHECK(expr)                                                                            \
  do {                                                                                             \
    hipError_t e_ = (expr);                                                                        \
    if (e_ != hipSuccess) std::fprintf(stderr, "%s: %s\n", #expr, hipGetErrorString(e_)), std::exit(1); \
  } while (0)

__global__ void empty() {}

__global__ __launch_bounds__(256) void saxpy(int n, float a, const float* __restrict__ x, float* __restrict__ y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ __launch_bounds__(256) void nbody(const float4* p, float4* acc, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = p[i];
  float ax = 0, ay = 0, az = 0;
  for (int j = 0; j < n; j++) {
    float4 q = p[j];
    float dx = q.x - me.x, dy = q.y - me.y, dz = q.z - me.z;
    float inv = __frsqrt_rn(dx * dx + dy * dy + dz * dz + 1e-3f);
    float s = q.w * inv * inv * inv;
    ax += dx * s, ay += dy * s, az += dz * s;
  }
  acc[i] = float4{ax, ay, az, 0};
}

__global__ __launch_bounds__(256) void reduce(const float* x, int n, float* out) {
  __shared__ float partial[4];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  for (int o = warpSize / 2; o > 0; o /= 2) sum += __shfl_down(sum, o);
  if (threadIdx.x % warpSize == 0) partial[threadIdx.x / warpSize] = sum;
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0] + partial[1] + partial[2] + partial[3];
}

__global__ __launch_bounds__(256) void histogram(const unsigned char* x, int n, unsigned* bins) {
  __shared__ unsigned local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&local[x[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}


namespace {

double cpu_ms() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v.empty() ? 0 : v[v.size() / 2];
}

struct Competitor {
  std::string name;
  std::function<void()> run;
  std::function<void()> finish = [] {}; // waits for all runs
};

// One measurement takes as many runs as ours needs for so long: while a worker runs, the clock of the process advances in steps
// of some milliseconds.
constexpr double kMeasureMs = 40;

FILE* json = nullptr;
bool first_row = true;

void compare(const std::string& name, double amount, const char* unit, int rounds, std::vector<Competitor> all) {
  std::map<std::string, std::vector<double>> t;
  auto time = [](Competitor& c, int times) {
    double a = cpu_ms();
    for (int k = 0; k < times; k++) c.run();
    c.finish();
    return (cpu_ms() - a) / times;
  };
  for (auto& c : all) time(c, 1); // warm up: translation, page faults
  int times = 1;
  while (times < 10000 && time(all[0], times) * times < kMeasureMs) times *= 2;
  for (int r = 0; r < rounds; r++)
    for (auto& c : all) t[c.name].push_back(time(c, times));
  double ours = median(t[all[0].name]);
  std::printf("%-14s", name.c_str());
  if (json) std::fprintf(json, "%s\n  {\"kernel\": \"%s\", \"unit\": \"%s/s\"", first_row ? "" : ",", name.c_str(), unit);
  first_row = false;
  for (auto& c : all) {
    double ms = median(t[c.name]), rate = amount / (ms * 1e-3);
    std::printf("  %s %.2f %s/s", c.name.c_str(), rate, unit);
    if (c.name != all[0].name) std::printf(" (ratio %.2f)", ms / ours);
    if (json) std::fprintf(json, ", \"%s_ms\": %.4f, \"%s_rate\": %.3f", c.name.c_str(), ms, c.name.c_str(), rate);
  }
  std::printf("\n");
  if (json) std::fprintf(json, "}");
}

template <class T> T* device(const std::vector<T>& v) {
  T* p;
  HIP_CHECK(hipMalloc(reinterpret_cast<void**>(&p), v.size() * sizeof(T)));
  HIP_CHECK(hipMemcpy(p, v.data(), v.size() * sizeof(T), hipMemcpyHostToDevice));
  return p;
}
void wait_device() {
  HIP_CHECK(hipGetLastError());
  HIP_CHECK(hipDeviceSynchronize());
}

void launches() {
  std::vector<double> t;
  for (int k = 0; k < 3000; k++) {
    timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    empty<<<1, 64>>>();
    (void)hipDeviceSynchronize();
    clock_gettime(CLOCK_MONOTONIC, &b);
    t.push_back((b.tv_sec - a.tv_sec) * 1e6 + (b.tv_nsec - a.tv_nsec) * 1e-3);
  }
  std::printf("%-14s  pumice %.1f us median\n", "empty launch", median(t));
  if (json) std::fprintf(json, "%s\n  {\"kernel\": \"empty_launch\", \"median_us\": %.2f}", first_row ? "" : ",", median(t));
  first_row = false;
}

} // namespace

int main(int argc, char** argv) {
  bool pocl = peers::open_pocl(argc > 1 ? argv[1] : "kernels.cl");
  if (!pocl) std::fprintf(stderr, "bench: no OpenCL device; PoCL is left out\n");
  if (argc > 2) json = std::fopen(argv[2], "w");
  if (json) std::fprintf(json, "[");
  std::vector<std::string> wanted(argv + std::min(argc, 3), argv + argc);
  auto on = [&](const char* n) { return wanted.empty() || std::find(wanted.begin(), wanted.end(), n) != wanted.end(); };
  auto with_pocl = [&](std::vector<Competitor> v, const std::shared_ptr<peers::Kernel>& k) {
    if (k) v.push_back({"pocl", [k] { k->run(); }, [k] { k->finish(); }});
    return v;
  };
  if (on("launch")) launches();
  for (auto [name, n] : {std::pair("saxpy_64M", 64 << 20), std::pair("saxpy_L2", 96 << 10)}) {
    if (!on(name)) continue;
    std::vector<float> x(n, 1.0f), y(n, 2.0f);
    float *dx = device(x), *dy = device(y);
    int size = n;
    auto pc = pocl ? peers::saxpy(x, y) : nullptr;
    compare(name, 12.0 * n * 1e-9, "GB", 7, with_pocl({
      {"pumice", [=] { saxpy<<<(size + 255) / 256, 256>>>(size, 1e-6f, dx, dy); }, wait_device},
      {"native", [&] { peers::native_saxpy(size, 1e-6f, x.data(), y.data()); }}}, pc));
    (void)hipFree(dx), (void)hipFree(dy);
  }
  if (on("nbody")) {
    const int n = 4096;
    std::vector<float> p(4 * n), a(4 * n);
    for (int k = 0; k < 4 * n; k++) p[k] = (k * 7919 % 1000) * 1e-3f;
    float *dp = device(p), *da = device(a);
    auto pc = pocl ? peers::nbody(p, n) : nullptr;
    compare("nbody", double(n) * n * 1e-9, "Gpairs", 5, with_pocl({
      {"pumice", [=] { nbody<<<n / 256, 256>>>(reinterpret_cast<float4*>(dp), reinterpret_cast<float4*>(da), n); }, wait_device},
      {"native", [&] { peers::native_nbody(p.data(), a.data(), n); }}}, pc));
  }
  // A grid of one workgroup per compute unit, as grid-stride loops are best launched, and one of 1024, whose steps of 1 MiB
  // memory likes less.
  for (bool many : {false, true}) {
    if (!on(many ? "reduce_1024" : "reduce")) continue;
    int groups = 1024;
    if (!many) HIP_CHECK(hipDeviceGetAttribute(&groups, hipDeviceAttributeMultiprocessorCount, 0));
    const int n = 32 << 20;
    std::vector<float> x(n, 1.0f), out(groups);
    float *dx = device(x), *dout = device(out);
    volatile float sink;
    auto pc = pocl ? peers::reduce(x, groups) : nullptr;
    compare(many ? "reduce_1024" : "reduce_32M", 4.0 * n * 1e-9, "GB", 7, with_pocl({
      {"pumice", [=] { reduce<<<groups, 256>>>(dx, n, dout); }, wait_device},
      {"native", [&] { sink = peers::native_sum(x.data(), n); }}}, pc));
    (void)sink;
    (void)hipFree(dx), (void)hipFree(dout);
  }
  if (on("histogram")) {
    const int n = 16 << 20;
    std::vector<unsigned char> x(n);
    unsigned s = 7;
    for (auto& v : x) s = s * 1664525u + 1013904223u, v = (s >> 16) & (s >> 24);
    std::vector<unsigned> bins(256);
    unsigned char* dx = device(x);
    unsigned* db = device(bins);
    auto pc = pocl ? peers::histogram(x) : nullptr;
    compare("histogram", n * 1e-9, "GB", 5, with_pocl({
      {"pumice", [=] { histogram<<<128, 256>>>(dx, n, db); }, wait_device},
      {"native", [&] { peers::native_histogram(x.data(), n, bins.data()); }}}, pc));
  }
  const int n = 768; // no power of two: rows do not all fall into the same cache sets
  std::vector<float> a(n * n), b(n * n), c(n * n);
  for (int k = 0; k < n * n; k++) a[k] = (k * 31 % 13) * 0.1f, b[k] = (k * 17 % 7) * 0.2f;
  float *da = device(a), *db = device(b), *dc = device(c);
  double gf = 2.0 * n * n * n * 1e-9;
  auto blas = [&] { peers::openblas_sgemm(n, a.data(), b.data(), c.data()); };
  if (on("sgemm_tiled")) {
    auto pc = pocl ? peers::sgemm(a, b, n) : nullptr;
    compare("sgemm_tiled", gf, "GFLOP", 5, with_pocl({
      {"pumice", [=] { sgemm_tiled<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(da, db, dc, n); }, wait_device},
      {"openblas", blas}}, pc));
  }
  if (on("sgemm_blocked"))
    compare("sgemm_blocked", gf, "GFLOP", 5, {
      {"pumice", [=] { sgemm_blocked<<<dim3(n / 64, n / 64), 256>>>(da, db, dc, n); }, wait_device}, {"openblas", blas}});
  if (on("sgemm_mfma"))
    compare("sgemm_mfma", gf, "GFLOP", 5, {
      {"pumice", [=] { sgemm_mfma<<<dim3(n / 128, n / 128), 256>>>(da, db, dc, n); }, wait_device}, {"openblas", blas}});
  if (json) std::fprintf(json, "\n]\n"), std::fclose(json);
  std::printf("ratio: the other's CPU time divided by ours (above 1: we are faster)\n");
}
