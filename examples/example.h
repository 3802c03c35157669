// SPDX-License-Identifier: MIT
// What every example shares: error checks, timing of kernels and of the same work on the host, and the report line that
// `./pumice demo` collects.
#pragma once
#include <hip/hip_runtime.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#define HIP_CHECK(expr)                                                                            \
  do {                                                                                             \
    hipError_t error_ = (expr);                                                                    \
    if (error_ != hipSuccess) {                                                                    \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #expr, hipGetErrorString(error_)); \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

namespace example {

/// A problem size: `full`, or `small` in programs compiled with -DEXAMPLE_SMALL (runs by the interpreter, sanitizers).
template <class T> constexpr T sized(T full, [[maybe_unused]] T small) {
#ifdef EXAMPLE_SMALL
  return small;
#else
  return full;
#endif
}

/// Device array of n elements; frees itself.
template <class T> class Buffer {
public:
  explicit Buffer(size_t n) : n_(n) { HIP_CHECK(hipMalloc(reinterpret_cast<void**>(&p_), n * sizeof(T))); }
  explicit Buffer(const std::vector<T>& v) : Buffer(v.size()) { upload(v); }
  ~Buffer() { (void)hipFree(p_); }
  Buffer(const Buffer&) = delete;
  T* get() const { return p_; }
  void upload(const std::vector<T>& v) { HIP_CHECK(hipMemcpy(p_, v.data(), v.size() * sizeof(T), hipMemcpyHostToDevice)); }
  std::vector<T> download() const {
    std::vector<T> v(n_);
    HIP_CHECK(hipMemcpy(v.data(), p_, n_ * sizeof(T), hipMemcpyDeviceToHost));
    return v;
  }
  void clear() { HIP_CHECK(hipMemset(p_, 0, n_ * sizeof(T))); }

private:
  T* p_ = nullptr;
  size_t n_;
};

inline double now_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

inline double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

inline int repeats() {
  const char* r = std::getenv("EXAMPLE_REPEATS");
  return r ? std::max(1, std::atoi(r)) : 5;
}

/// Median time of a launch on the null stream, by events; the first launch (translation) does not count.
inline double kernel_ms(const std::function<void()>& launch) {
  launch();
  HIP_CHECK(hipGetLastError());
  HIP_CHECK(hipDeviceSynchronize());
  hipEvent_t begin, end;
  HIP_CHECK(hipEventCreate(&begin));
  HIP_CHECK(hipEventCreate(&end));
  std::vector<double> times;
  for (int k = 0; k < repeats(); k++) {
    HIP_CHECK(hipEventRecord(begin));
    launch();
    HIP_CHECK(hipEventRecord(end));
    HIP_CHECK(hipEventSynchronize(end));
    float ms = 0;
    HIP_CHECK(hipEventElapsedTime(&ms, begin, end));
    times.push_back(ms);
  }
  (void)hipEventDestroy(begin);
  (void)hipEventDestroy(end);
  return median(times);
}

inline unsigned threads() {
  const char* t = std::getenv("PUMICE_THREADS");
  long n = t ? std::strtol(t, nullptr, 10) : 0;
  unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  return n < 1 ? cores : static_cast<unsigned>(std::min(n, 1024L)); // as the runtime counts, which also warns
}

/// Splits [0, n) over as many threads as the device uses.
inline void parallel_for(size_t n, const std::function<void(size_t, size_t)>& body) {
  unsigned t = threads();
  std::vector<std::thread> pool;
  for (unsigned k = 1; k < t; k++) pool.emplace_back([=, &body] { body(n * k / t, n * (k + 1) / t); });
  body(0, n / t);
  for (auto& th : pool) th.join();
}

/// Median time of the same work as native code.
inline double native_ms(const std::function<void()>& work) {
  work();
  std::vector<double> times;
  for (int k = 0; k < std::max(1, repeats() / 2); k++) {
    double t = now_ms();
    work();
    times.push_back(now_ms() - t);
  }
  return median(times);
}

/// Prints the result and returns the exit status. `amount` is work per run in units of `unit` (GB, GFLOP, ...).
inline int report(const char* name, bool pass, double ms, double amount, const char* unit, double host_ms) {
  std::printf("%-20s %s", name, pass ? "pass" : "FAIL");
  if (ms > 0) std::printf("  kernel %.3f ms", ms);
  if (ms > 0 && amount > 0) std::printf("  %.2f %s/s", amount / (ms * 1e-3), unit);
  if (host_ms > 0) std::printf("  native %.3f ms  ratio %.2f", host_ms, host_ms / ms);
  std::printf("\n");
  if (const char* file = std::getenv("EXAMPLE_RESULT")) {
    if (FILE* f = std::fopen(file, "a")) {
      std::fprintf(f, "%s\t%s\t%.6f\t%.6f\t%s\t%.6f\n", name, pass ? "pass" : "fail", ms, amount, unit, host_ms);
      std::fclose(f);
    }
  }
  return pass ? 0 : 1;
}

/// Deterministic pseudo-random floats in [0, 1).
inline std::vector<float> random_floats(size_t n, uint32_t seed = 1) {
  std::vector<float> v(n);
  for (auto& x : v) {
    seed = seed * 1664525u + 1013904223u;
    x = (seed >> 8) * (1.0f / 16777216.0f);
  }
  return v;
}

inline bool close(float a, float b, float relative, float absolute = 0) {
  return std::fabs(a - b) <= relative * std::fabs(b) + absolute;
}

} // namespace example
