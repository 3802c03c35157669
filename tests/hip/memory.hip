// SPDX-License-Identifier: MIT
// Allocation, copies of all shapes, fills, symbols, managed and registered memory, pools, pointer queries.
#include "check.h"
#include <cstring>

__constant__ float table[16];
__device__ int counters[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__managed__ int shared_word = 11;

__global__ void use_symbols(float* out) {
  int i = threadIdx.x;
  out[i] = table[i] * 2.0f;
  if (i < 8) counters[i] += 10;
  if (i == 0) shared_word += 5;
}
__global__ void scale(int* p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] *= 3;
}

static void linear_copies() {
  constexpr size_t n = 1 << 20;
  std::vector<int> v(n);
  for (size_t i = 0; i < n; ++i) v[i] = int(i * 2654435761u);
  int *a = device_copy(v), *b = nullptr;
  HIP(hipMalloc(&b, n * 4));
  HIP(hipMemcpy(b, a, n * 4, hipMemcpyDeviceToDevice));
  CHECK(host_copy(b, n) == v);
  HIP(hipMemset(b, 0, n * 4));
  HIP(hipMemcpy(b, v.data(), n * 4, hipMemcpyDefault));
  std::vector<int> w(n);
  HIP(hipMemcpy(w.data(), b, n * 4, hipMemcpyDefault));
  CHECK(w == v);
  HIP(hipMemcpyDtoH(w.data(), b, 400));
  HIP(hipMemcpyHtoD(a, w.data(), 400));
  HIP(hipMemcpyDtoD(b, a, 400));
  // Pinned memory, asynchronously, both directions, odd sizes.
  hipStream_t s;
  HIP(hipStreamCreate(&s));
  char *h1 = nullptr, *h2 = nullptr;
  HIP(hipHostMalloc(&h1, 100001));
  HIP(hipHostMalloc(&h2, 100001));
  for (int i = 0; i < 100001; ++i) h1[i] = char(i * 7);
  HIP(hipMemcpyAsync(a, h1, 100001, hipMemcpyHostToDevice, s));
  HIP(hipMemcpyAsync(b, a, 100001, hipMemcpyDeviceToDevice, s));
  HIP(hipMemcpyAsync(h2, b, 100001, hipMemcpyDeviceToHost, s));
  HIP(hipStreamSynchronize(s));
  CHECK(std::memcmp(h1, h2, 100001) == 0);
  // From pageable memory: the source may be reused at once.
  std::vector<int> source(1000, 42);
  HIP(hipMemcpyAsync(a, source.data(), 4000, hipMemcpyHostToDevice, s));
  std::fill(source.begin(), source.end(), 0);
  HIP(hipMemcpyAsync(source.data(), a, 4000, hipMemcpyDeviceToHost, s));
  HIP(hipStreamSynchronize(s));
  CHECK_EQ(source[999], 42);
  HIP(hipStreamDestroy(s));
  EXPECT_ERROR(hipMemcpy(a, v.data(), 4, hipMemcpyKind(77)), hipErrorInvalidMemcpyDirection);
  EXPECT_ERROR(hipMemcpy(nullptr, v.data(), 4, hipMemcpyHostToDevice), hipErrorInvalidValue);
  EXPECT_ERROR(hipMemcpy(a, v.data(), n * 4 + 1, hipMemcpyHostToDevice), hipErrorInvalidValue);
  HIP(hipMemcpy(a, v.data(), 0, hipMemcpyHostToDevice));
  (void)hipGetLastError();
  HIP(hipHostFree(h1));
  HIP(hipHostFree(h2));
  HIP(hipFree(a));
  HIP(hipFree(b));
  HIP(hipFree(nullptr));
}

static void shaped_copies() {
  constexpr size_t width = 60, height = 33;
  std::vector<unsigned char> v(width * height), back(width * height);
  for (size_t i = 0; i < v.size(); ++i) v[i] = static_cast<unsigned char>(i);
  unsigned char* p = nullptr;
  size_t pitch = 0;
  HIP(hipMallocPitch(&p, &pitch, width, height));
  CHECK(pitch >= width && pitch % 128 == 0);
  HIP(hipMemcpy2D(p, pitch, v.data(), width, width, height, hipMemcpyHostToDevice));
  HIP(hipMemcpy2D(back.data(), width, p, pitch, width, height, hipMemcpyDeviceToHost));
  CHECK(v == back);
  HIP(hipMemset2D(p, pitch, 0x5a, width - 1, height));
  HIP(hipMemcpy2DAsync(back.data(), width, p, pitch, width, height, hipMemcpyDeviceToHost, nullptr));
  HIP(hipDeviceSynchronize());
  CHECK_EQ(back[width - 2], 0x5a);
  CHECK_EQ(back[width - 1], v[width - 1]);
  EXPECT_ERROR(hipMemcpy2D(p, width - 1, v.data(), width, width, height, hipMemcpyHostToDevice), hipErrorInvalidPitchValue);
  (void)hipGetLastError();
  HIP(hipFree(p));

  hipPitchedPtr box;
  hipExtent extent = make_hipExtent(20, 5, 4);
  HIP(hipMalloc3D(&box, extent));
  std::vector<unsigned char> cube(400), cube_back(400);
  for (size_t i = 0; i < 400; ++i) cube[i] = static_cast<unsigned char>(i * 3);
  hipMemcpy3DParms parms{};
  parms.srcPtr = make_hipPitchedPtr(cube.data(), 20, 20, 5);
  parms.dstPtr = box;
  parms.extent = extent;
  parms.kind = hipMemcpyHostToDevice;
  HIP(hipMemcpy3D(&parms));
  HIP(hipMemset3D(box, 1, make_hipExtent(1, 1, 1)));
  parms.srcPtr = box;
  parms.dstPtr = make_hipPitchedPtr(cube_back.data(), 20, 20, 5);
  parms.kind = hipMemcpyDeviceToHost;
  HIP(hipMemcpy3D(&parms));
  cube[0] = 1;
  CHECK(cube == cube_back);
  HIP(hipFree(box.ptr));
}

static void fills() {
  unsigned char* p = nullptr;
  HIP(hipMalloc(&p, 1000));
  HIP(hipMemset(p, 0, 1000));
  HIP(hipMemset(p + 3, 0xab, 18)); // unaligned begin and end
  std::vector<unsigned char> v = host_copy(p, 1000);
  for (int i = 0; i < 1000; ++i) CHECK_EQ(v[i], i >= 3 && i < 21 ? 0xab : 0);
  HIP(hipMemsetD16(p + 2, 0x1234, 5));
  HIP(hipMemsetD32(p + 100, 0x01020304, 3));
  HIP(hipMemsetD8Async(p + 200, 7, 9, nullptr));
  HIP(hipMemsetAsync(p + 300, 9, 10, nullptr));
  HIP(hipDeviceSynchronize());
  v = host_copy(p, 1000);
  CHECK_EQ(v[2], 0x34);
  CHECK_EQ(v[11], 0x12);
  CHECK_EQ(v[12], 0xab);
  CHECK_EQ(v[100], 4);
  CHECK_EQ(v[111], 1);
  CHECK_EQ(v[208], 7);
  CHECK_EQ(v[209], 0);
  CHECK_EQ(v[309], 9);
  HIP(hipFree(p));
}

static void symbols() {
  float host[16], *out = nullptr;
  for (int i = 0; i < 16; ++i) host[i] = float(i);
  HIP(hipMemcpyToSymbol(HIP_SYMBOL(table), host, sizeof host));
  float last = 100.0f;
  HIP(hipMemcpyToSymbol(table, &last, 4, 60, hipMemcpyHostToDevice));
  HIP(hipMalloc(&out, 64));
  use_symbols<<<1, 16>>>(out);
  HIP(hipGetLastError());
  std::vector<float> v = host_copy(out, 16);
  CHECK_EQ(v[3], 6.0f);
  CHECK_EQ(v[15], 200.0f);
  int back[8] = {};
  HIP(hipMemcpyFromSymbol(back, counters, sizeof back));
  CHECK_EQ(back[0], 11);
  CHECK_EQ(back[7], 18);
  void* address = nullptr;
  size_t size = 0;
  HIP(hipGetSymbolAddress(&address, counters));
  HIP(hipGetSymbolSize(&size, counters));
  CHECK_EQ(size, sizeof back);
  HIP(hipMemcpy(back, address, 4, hipMemcpyDeviceToHost));
  CHECK_EQ(back[0], 11);
  HIP(hipDeviceSynchronize());
  CHECK_EQ(shared_word, 16);
  EXPECT_ERROR(hipMemcpyToSymbol(table, host, sizeof host, 4), hipErrorInvalidValue);
  int local = 0;
  EXPECT_ERROR(hipMemcpyToSymbol(&local, host, 4), hipErrorInvalidSymbol);
  (void)hipGetLastError();
  HIP(hipFree(out));
}

static void managed_and_registered() {
  int* m = nullptr;
  HIP(hipMallocManaged(&m, 4000));
  for (int i = 0; i < 1000; ++i) m[i] = i;
  HIP(hipMemPrefetchAsync(m, 4000, 0, nullptr));
  HIP(hipMemAdvise(m, 4000, hipMemAdviseSetReadMostly, 0));
  scale<<<4, 256>>>(m, 1000);
  HIP(hipDeviceSynchronize());
  CHECK_EQ(m[999], 2997);
  hipPointerAttribute_t attributes;
  HIP(hipPointerGetAttributes(&attributes, m + 5));
  CHECK_EQ(attributes.type, hipMemoryTypeManaged);
  CHECK_EQ(attributes.isManaged, 1);
  HIP(hipFree(m));

  std::vector<int> v(5000, 2);
  HIP(hipHostRegister(v.data(), v.size() * 4, hipHostRegisterDefault));
  EXPECT_ERROR(hipHostRegister(v.data(), v.size() * 4, hipHostRegisterDefault), hipErrorHostMemoryAlreadyRegistered);
  int* d = nullptr;
  HIP(hipHostGetDevicePointer(reinterpret_cast<void**>(&d), v.data(), 0));
  scale<<<20, 256>>>(d, 5000);
  HIP(hipDeviceSynchronize());
  CHECK_EQ(v[4999], 6);
  HIP(hipHostUnregister(v.data()));
  EXPECT_ERROR(hipHostUnregister(v.data()), hipErrorHostMemoryNotRegistered);

  int* h = nullptr;
  HIP(hipHostMalloc(&h, 4096, hipHostMallocMapped));
  unsigned flags = 0;
  HIP(hipHostGetFlags(&flags, h));
  CHECK_EQ(flags, unsigned(hipHostMallocMapped));
  HIP(hipPointerGetAttributes(&attributes, h));
  CHECK_EQ(attributes.type, hipMemoryTypeHost);
  CHECK(attributes.hostPointer == h);
  HIP(hipHostFree(h));
  int stack = 0;
  HIP(hipPointerGetAttributes(&attributes, &stack));
  CHECK_EQ(attributes.type, hipMemoryTypeUnregistered);
  (void)hipGetLastError();
}

static void queries_and_pools() {
  size_t before = 0, after = 0, total = 0;
  HIP(hipMemGetInfo(&before, &total));
  CHECK(before > 0 && before <= total);
  char* p = nullptr;
  HIP(hipMalloc(&p, 64 << 20));
  HIP(hipMemGetInfo(&after, &total));
  CHECK(after <= before);
  hipDeviceptr_t base = nullptr;
  size_t size = 0;
  HIP(hipMemGetAddressRange(&base, &size, p + 1000));
  CHECK(base == p);
  CHECK_EQ(size, size_t(64 << 20));
  HIP(hipFree(p));
  EXPECT_ERROR(hipFree(p), hipErrorInvalidValue);
  EXPECT_ERROR(hipMalloc(reinterpret_cast<void**>(&p), size_t(1) << 50), hipErrorOutOfMemory);
  HIP(hipMalloc(&p, 0));
  CHECK(p == nullptr);
  (void)hipGetLastError();

  hipStream_t s;
  HIP(hipStreamCreate(&s));
  int* q = nullptr;
  HIP(hipMallocAsync(&q, 4000, s));
  HIP(hipMemsetAsync(q, 1, 4000, s));
  scale<<<4, 256, 0, s>>>(q, 1000);
  int first = 0;
  HIP(hipMemcpyAsync(&first, q, 4, hipMemcpyDeviceToHost, s));
  HIP(hipFreeAsync(q, s));
  HIP(hipStreamSynchronize(s));
  CHECK_EQ(first, 0x03030303);
  hipMemPool_t pool;
  HIP(hipDeviceGetDefaultMemPool(&pool, 0));
  uint64_t threshold = 1 << 20, got = 0;
  HIP(hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &threshold));
  HIP(hipMemPoolGetAttribute(pool, hipMemPoolAttrReleaseThreshold, &got));
  CHECK_EQ(got, threshold);
  HIP(hipStreamDestroy(s));
}

int main() {
  linear_copies();
  shaped_copies();
  fills();
  symbols();
  managed_and_registered();
  queries_and_pools();
  return finish();
}
