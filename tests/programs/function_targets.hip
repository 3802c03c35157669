// SPDX-License-Identifier: MIT
// Calls of functions whose addresses come from elsewhere: from another kernel, from data, or made in a way that no analysis follows
// (the wave then goes on in the interpreter, through barriers, with everything that the function and the code behind it use).
#include "check.h"

typedef int (*Fn)(int, int, int, int, int, int, int, int, float, double, int*);
#define ARGUMENTS int a, int b, int c, int d, int e, int f, int g, int h, float x, double y, int *p
__device__ __noinline__ int plain(ARGUMENTS) { return a + b; }
__device__ __noinline__ int in_data(ARGUMENTS) { return a * 3 + h; }
__device__ __noinline__ int from_kernel(ARGUMENTS) { return *p + int(x) + int(y); }
extern "C" __device__ __attribute__((used)) __noinline__ int hidden(ARGUMENTS) {
  int sum = a - b + c - d + e - f + g - h;
  if (a % 2) sum += int(x * 2) + *p; // divergent
  return sum + int(y) + 3 * blockIdx.x + 2 * threadIdx.x; // implicit arguments
}
__device__ Fn data[1] = {in_data};

__global__ void take(Fn* out, int which) {
  out[1] = from_kernel;
  if (which) out[0] = plain;
}
// The address of `hidden` by vector arithmetic alone.
__global__ void take_hidden(unsigned long long* out) {
  unsigned lo, hi, t;
  asm volatile("s_getpc_b64 s[20:21]\n v_mov_b32 %0, s20\n v_add_co_u32 %0, vcc, hidden@rel32@lo+8, %0\n"
               "v_mov_b32 %2, hidden@rel32@hi+16\n v_mov_b32 %1, s21\n v_addc_co_u32 %1, vcc, %1, %2, vcc"
               : "=&v"(lo), "=&v"(hi), "=&v"(t)::"s20", "s21", "vcc");
  *out = (unsigned long long)hi << 32 | lo;
}
__global__ void call(const Fn* f, const int* in, int* out) {
  __shared__ int shared[256];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  int kept = in[i] * 7, n = kept ^ 5;
  double half = n * .5;
  shared[t] = t;
  int r = (*f)(i, n, i + 2, i + 3, i + 4, i + 5, i + 6, i + 7, i * .25f, half, &shared[t ^ 1]);
  if (in[i] % 3) r += (*f)(r, 1, 2, 3, 4, 5, 6, 7, 8.f, 9., &shared[t]);
  shared[t] = r;
  __syncthreads();
  out[i] = shared[255 - t] + kept + n + int(half);
}
static int at; // the work-item of a host function
template <class F> static int expected(F f, int i, const std::vector<int>& in) {
  auto value = [&](int i) {
    int t = i % 256, n = in[i] * 7 ^ 5;
    int other = t ^ 1, own = t;
    at = i;
    int r = f(i, n, i + 2, i + 3, i + 4, i + 5, i + 6, i + 7, i * .25f, n * .5, &other);
    if (in[i] % 3) r += f(r, 1, 2, 3, 4, 5, 6, 7, 8.f, 9., &own);
    return r;
  };
  int n = in[i] * 7 ^ 5;
  return value(i / 256 * 256 + 255 - i % 256) + in[i] * 7 + n + int(n * .5);
}

int main() {
  const int n = 1024;
  std::vector<int> in(n);
  for (int i = 0; i < n; i++) in[i] = (i * 31) % 101;
  int *di = up(in), *out = up(std::vector<int>(n));
  Fn* f = up(std::vector<Fn>(4));
  take<<<1, 1>>>(f, 1);
  take_hidden<<<1, 1>>>((unsigned long long*)(f + 3));
  CK(hipMemcpyFromSymbol(f + 2, HIP_SYMBOL(data), sizeof(Fn), 0, hipMemcpyDeviceToDevice));
  auto check = [&](int which, auto host) {
    call<<<n / 256, 256>>>(f + which, di, out);
    auto v = down(out, n);
    for (int i = 0; i < n; i++) EXPECT(v[i] == expected(host, i, in), "function %d, %d: %d not %d", which, i, v[i], expected(host, i, in));
  };
  check(0, [](ARGUMENTS) { return a + b; });
  check(1, [](ARGUMENTS) { return *p + int(x) + int(y); });
  check(2, [](ARGUMENTS) { return a * 3 + h; });
  check(3, [](ARGUMENTS) { return a - b + c - d + e - f + g - h + (a % 2 ? int(x * 2) + *p : 0) + int(y) + 3 * (at / 256) + 2 * (at % 256); });
  DONE();
}
