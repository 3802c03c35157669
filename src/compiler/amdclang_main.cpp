// SPDX-License-Identifier: MIT
// amdclang++ and lib/llvm/bin/clang++: the system's clang, told where this installation is. Build
// systems that look for the compiler inside a ROCm tree (CMake's HIP language does) find it here.
#include "compiler/toolchain.h"
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <unistd.h>

int main(int argc, char** argv) {
  using namespace pumice::compiler;
  namespace fs = std::filesystem;
  Toolchain t = find_toolchain(process_environment(), argv[0]);
  // Installed as bin/amdclang++ and as lib/llvm/bin/clang++: the root is above whichever this is.
  fs::path root = fs::path(executable_folder(argv[0]));
  while (!root.empty() && root != root.root_path() &&
         !fs::exists(root / "include/hip/hip_version.h"))
    root = root.parent_path();
  if (fs::exists(root / "include/hip/hip_version.h"))
    setenv("ROCM_PATH", root.c_str(), 0);
  std::string name = fs::path(argv[0]).filename().string();
  bool cxx = name.find("++") != std::string::npos;
  std::string driver = t.clang;
  if (!cxx && driver.size() > 2) {
    size_t plus = driver.rfind("++");
    if (plus != std::string::npos)
      driver.erase(plus, 2);
  }
  argv[0] = driver.data();
  (void)argc;
  execvp(argv[0], argv);
  std::fprintf(stderr, "%s: cannot run %s: %s\n", name.c_str(), driver.c_str(),
               std::strerror(errno));
  return 127;
}
