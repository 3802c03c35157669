// SPDX-License-Identifier: MIT
// The other side of the bench: native C++, OpenCL through PoCL, OpenBLAS. Compiled by clang++ for the host alone.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace peers {

void native_saxpy(int n, float a, const float* x, float* y);
void native_nbody(const float* p, float* acc, int n);
float native_sum(const float* x, size_t n);
void native_histogram(const unsigned char* x, size_t n, unsigned* bins);
void openblas_sgemm(int n, const float* a, const float* b, float* c);

/// One OpenCL kernel with its arguments set.
class Kernel {
public:
  virtual ~Kernel() = default;
  virtual void run() = 0;
  virtual void finish() = 0;
};
/// False when there is no OpenCL device or the source does not build.
bool open_pocl(const std::string& source_file);
std::shared_ptr<Kernel> saxpy(const std::vector<float>& x, const std::vector<float>& y);
std::shared_ptr<Kernel> nbody(const std::vector<float>& p, int n);
std::shared_ptr<Kernel> reduce(const std::vector<float>& x, int groups);
std::shared_ptr<Kernel> histogram(const std::vector<unsigned char>& x);
std::shared_ptr<Kernel> sgemm(const std::vector<float>& a, const std::vector<float>& b, int n);

} // namespace peers
