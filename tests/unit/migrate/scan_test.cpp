// SPDX-License-Identifier: MIT
#include "project.h"
#include <algorithm>

using namespace pumice::migrate;

namespace {
const char kKernel[] = "#include <cuda_runtime.h>\n"
                       "__global__ void k(float* x) { x[threadIdx.x % 32] = 0; }\n"
                       "int main() { float* p; cudaMalloc(&p, 4); k<<<1, 32>>>(p); cudaDeviceSynchronize(); cudaFree(p); }\n";
}

TEST_F(Project, SourcesKernelsAndLaunchesAreCounted) {
  file("src/a.cu", kKernel);
  file("src/b.cpp", "int x;\n");
  file("CMakeLists.txt", "project(p LANGUAGES CXX CUDA)\n");
  Scan s = scanned();
  EXPECT_EQ(s.cuda_files, 1u);
  EXPECT_EQ(s.kernels, 1u);
  EXPECT_EQ(s.launches, 1u);
  EXPECT_EQ(s.languages["C++"].files, 1u);
  EXPECT_EQ(s.cuda_sources, (std::vector<std::string>{"src/a.cu"}));
  EXPECT_EQ(s.build_systems, (std::vector<std::string>{"CMake"}));
}

TEST_F(Project, UsedNamesAreCountedByLibrary) {
  file("a.cu", kKernel);
  Scan s = scanned();
  auto it = std::find_if(s.libraries.begin(), s.libraries.end(), [](auto& l) { return l.name == "CUDA Runtime"; });
  ASSERT_NE(it, s.libraries.end());
  EXPECT_EQ(it->missing, 0u);
  EXPECT_EQ(it->counterpart, "HIP runtime");
  EXPECT_TRUE(std::any_of(it->names.begin(), it->names.end(), [](auto& n) { return n.cuda == "cudaMalloc" && n.hip == "hipMalloc" && n.uses == 1; }));
}

TEST_F(Project, AssumptionOfThirtyTwoLanesIsAFindingWithItsLine) {
  file("a.cu", kKernel);
  Scan s = scanned();
  auto it = std::find_if(s.findings.begin(), s.findings.end(), [](auto& f) { return f.group == "warp-size"; });
  ASSERT_NE(it, s.findings.end());
  EXPECT_EQ(it->file, "a.cu");
  EXPECT_EQ(it->line, 2u);
  EXPECT_NE(it->excerpt.find("threadIdx.x % 32"), std::string::npos);
}

TEST_F(Project, PythonPackagesAreFoundWithVersionAndCounterpart) {
  file("requirements.txt", "# torch in a comment\nnumpy\ntorch==2.4.0\ntensorrt>=8.6\n");
  file("train.py", "import pynvml\nprint('torch')\n");
  Scan s = scanned();
  ASSERT_EQ(s.python.size(), 2u);
  EXPECT_EQ(s.python[0].name, "torch");
  EXPECT_EQ(s.python[0].version, "2.4.0");
  EXPECT_EQ(s.python[0].line, 3u);
  EXPECT_EQ(s.python[1].effort, "none-known");
  EXPECT_EQ(s.monitoring.size(), 1u);
}

TEST_F(Project, BinaryAndForeignFilesAreSkippedNotRead) {
  file("a.cu", std::string("\x7f" "ELF\0\0", 6));
  file(".git/config.py", "import torch\n");
  Scan s = scanned();
  EXPECT_EQ(s.cuda_files, 0u);
  EXPECT_EQ(s.skipped_files, 1u);
  EXPECT_EQ(s.languages.count("Python"), 0u);
}

TEST_F(Project, OnlySourcesThatUseCudaCountForTheSurvey) {
  file("a.cu", kKernel);                                                                            // 3 lines
  file("b.cpp", "#include <algorithm>\nint f(int a) { return min(a, 2); }\n");                      // min() is everybody's
  file("riscv.c", "void f() { asm volatile(\"vsetvli t0, a0, e32, m1\"); }\n");
  file("hip.h", "#if defined(USE_ROCM)\n#endif\n");
  Scan s = scanned();
  EXPECT_EQ(s.gpu_files, 1u);
  EXPECT_EQ(s.gpu_lines, 3u);
  EXPECT_EQ(s.lines, 8u);
  EXPECT_EQ(s.hip_files, 1u);
}

TEST_F(Project, ProjectIsNotADependencyOfItself) {
  root_ /= "apex";
  file("setup.py", "setup(name=\"apex\", install_requires=[\"torch>=2.1\"])\n");
  Scan s = scanned();
  ASSERT_EQ(s.python.size(), 1u);
  EXPECT_EQ(s.python[0].name, "torch");
  root_ = root_.parent_path();
}

TEST_F(Project, ExcerptsAreKeptForEachClassNotForTheFirstFiles) {
  std::string many;
  for (int k = 0; k < 300; k++) many += "int a" + std::to_string(k) + " = threadIdx.x % 32;\n";
  file("a.cu", "__global__ void k() {\n" + many + "}\n");
  file("z.cu", "cudaLaunchAttribute at;\n");
  Scan s = scanned();
  EXPECT_EQ(s.findings.back().file, "z.cu");
  EXPECT_FALSE(s.findings.back().excerpt.empty());
  EXPECT_EQ(std::count_if(s.findings.begin(), s.findings.end(), [](auto& f) { return !f.excerpt.empty(); }), 201);
}

TEST_F(Project, EmptyFolderIsNoError) {
  Scan s = scanned();
  EXPECT_EQ(s.lines, 0u);
}

TEST(MigrateScan, MissingFolderIsAnError) {
  auto tables = load_tables(PUMICE_MIGRATE_FOLDER);
  ASSERT_TRUE(tables.ok());
  EXPECT_FALSE(scan("/does/not/exist", *tables, {}).ok());
}
