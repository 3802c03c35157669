// SPDX-License-Identifier: MIT
#include "peers.h"
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <cblas.h>
#include <cmath>
#include <fstream>
#include <iterator>

namespace peers {

void native_saxpy(int n, float a, const float* __restrict x, float* __restrict y) {
  for (int i = 0; i < n; i++) y[i] = a * x[i] + y[i];
}

void native_nbody(const float* __restrict p, float* __restrict acc, int n) {
  for (int i = 0; i < n; i += 16) {
    float ax[16] = {}, ay[16] = {}, az[16] = {};
    for (int j = 0; j < n; j++)
      for (int l = 0; l < 16; l++) {
        float dx = p[4 * j] - p[4 * (i + l)], dy = p[4 * j + 1] - p[4 * (i + l) + 1], dz = p[4 * j + 2] - p[4 * (i + l) + 2];
        float inv = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + 1e-3f);
        float s = p[4 * j + 3] * inv * inv * inv;
        ax[l] += dx * s, ay[l] += dy * s, az[l] += dz * s;
      }
    for (int l = 0; l < 16; l++) acc[4 * (i + l)] = ax[l], acc[4 * (i + l) + 1] = ay[l], acc[4 * (i + l) + 2] = az[l];
  }
}

float native_sum(const float* x, size_t n) {
  float s[64] = {};
  for (size_t i = 0; i + 64 <= n; i += 64)
    for (int k = 0; k < 64; k++) s[k] += x[i + k];
  float r = 0;
  for (float v : s) r += v;
  return r;
}

void native_histogram(const unsigned char* x, size_t n, unsigned* bins) {
  for (int b = 0; b < 256; b++) bins[b] = 0;
  for (size_t i = 0; i < n; i++) bins[x[i]]++;
}

void openblas_sgemm(int n, const float* a, const float* b, float* c) {
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, 0, c, n);
}

namespace {

cl_context context;
cl_command_queue queue;
cl_program program;

class ClKernel : public Kernel {
public:
  ClKernel(const char* name, size_t gx, size_t gy, size_t lx, size_t ly) : global_{gx, gy}, local_{lx, ly} {
    kernel_ = clCreateKernel(program, name, nullptr);
  }
  template <class T> ClKernel& value(T v) {
    clSetKernelArg(kernel_, arg_++, sizeof v, &v);
    return *this;
  }
  template <class T> ClKernel& array(const std::vector<T>& v) {
    cl_mem m = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, v.size() * sizeof(T), const_cast<T*>(v.data()), nullptr);
    return value(m);
  }
  void run() override {
    clEnqueueNDRangeKernel(queue, kernel_, global_[1] > 1 ? 2 : 1, nullptr, global_, local_, 0, nullptr, nullptr);
  }
  void finish() override { clFinish(queue); }

private:
  cl_kernel kernel_;
  cl_uint arg_ = 0;
  size_t global_[2], local_[2];
};

} // namespace

bool open_pocl(const std::string& file) {
  cl_platform_id platform;
  cl_device_id device;
  cl_uint n = 0;
  if (clGetPlatformIDs(1, &platform, &n) || !n || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, &n) || !n) return false;
  context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  queue = clCreateCommandQueue(context, device, 0, nullptr);
  std::ifstream in(file);
  std::string text((std::istreambuf_iterator<char>(in)), {});
  const char* p = text.c_str();
  program = clCreateProgramWithSource(context, 1, &p, nullptr, nullptr);
  return clBuildProgram(program, 1, &device, "", nullptr, nullptr) == CL_SUCCESS;
}

std::shared_ptr<Kernel> saxpy(const std::vector<float>& x, const std::vector<float>& y) {
  auto k = std::make_shared<ClKernel>("saxpy", x.size(), 1, 256, 1);
  k->value(int(x.size())).value(1e-6f).array(x).array(y);
  return k;
}
std::shared_ptr<Kernel> nbody(const std::vector<float>& p, int n) {
  auto k = std::make_shared<ClKernel>("nbody", size_t(n), 1, 256, 1);
  k->array(p).array(p).value(n);
  return k;
}
std::shared_ptr<Kernel> reduce(const std::vector<float>& x, int groups) {
  auto k = std::make_shared<ClKernel>("reduce", size_t(groups) * 256, 1, 256, 1);
  k->array(x).value(int(x.size())).array(std::vector<float>(groups));
  return k;
}
std::shared_ptr<Kernel> histogram(const std::vector<unsigned char>& x) {
  auto k = std::make_shared<ClKernel>("histogram", 128 * 256, 1, 256, 1);
  k->array(x).value(int(x.size())).array(std::vector<unsigned>(256));
  return k;
}
std::shared_ptr<Kernel> sgemm(const std::vector<float>& a, const std::vector<float>& b, int n) {
  auto k = std::make_shared<ClKernel>("sgemm_tiled", size_t(n), size_t(n), 16, 16);
  k->array(a).array(b).array(a).value(n);
  return k;
}

} // namespace peers
