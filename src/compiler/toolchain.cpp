// SPDX-License-Identifier: MIT
#include "compiler/toolchain.h"
#include "hip/hip_version.h"
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace fs = std::filesystem;
namespace pumice::compiler {

#define STRINGIZE2(x) #x
#define STRINGIZE(x) STRINGIZE2(x)

Environment process_environment() {
  return [](const std::string& name) -> std::optional<std::string> {
    const char* v = std::getenv(name.c_str());
    if (!v || !*v)
      return std::nullopt;
    return std::string(v);
  };
}

std::string executable_folder(const std::string& argv0) {
  std::error_code ec;
  fs::path self = fs::read_symlink("/proc/self/exe", ec);
  if (ec)
    self = fs::canonical(argv0, ec);
  return ec ? std::string() : self.parent_path().string();
}

std::string version_text() {
  return STRINGIZE(HIP_VERSION_MAJOR) "." STRINGIZE(HIP_VERSION_MINOR) "." STRINGIZE(
      HIP_VERSION_PATCH) "-" HIP_VERSION_GITHASH;
}

namespace {

bool is_rocm_root(const fs::path& p) {
  std::error_code ec;
  return fs::exists(p / "include/hip/hip_version.h", ec);
}

std::string find_clang(const Environment& env) {
  std::error_code ec;
  if (auto dir = env("HIP_CLANG_PATH")) {
    for (const char* name : {"clang++", "clang++-19"})
      if (fs::exists(fs::path(*dir) / name, ec))
        return (fs::path(*dir) / name).string();
  }
  if (fs::exists(PUMICE_CLANG, ec))
    return PUMICE_CLANG;
  for (const char* p : {"/usr/lib/llvm-19/bin/clang++", "/usr/bin/clang++-19"})
    if (fs::exists(p, ec))
      return p;
  return "clang++-19";
}

} // namespace

Toolchain find_toolchain(const Environment& env, const std::string& argv0,
                         const std::string& rocm_path_option) {
  Toolchain t;
  fs::path own = fs::path(executable_folder(argv0)).parent_path();
  if (!rocm_path_option.empty())
    t.rocm_path = rocm_path_option;
  else if (auto p = env("ROCM_PATH"); p && is_rocm_root(*p))
    t.rocm_path = *p;
  else if (auto h = env("HIP_PATH"); h && is_rocm_root(*h))
    t.rocm_path = *h;
  else
    t.rocm_path = own.string();

  t.clang = find_clang(env);
  std::error_code ec;
  fs::path ours = fs::path(t.rocm_path) / "lib/llvm/bin";
  fs::path real = fs::canonical(t.clang, ec);
  if (!env("HIP_CLANG_PATH") && fs::exists(ours / "clang++"))
    t.clang_dir = ours.string();
  else
    t.clang_dir = (ec ? fs::path(t.clang) : real).parent_path().string();

  if (auto d = env("HIP_DEVICE_LIB_PATH"))
    t.device_libs = *d;
  else if (auto d2 = env("DEVICE_LIB_PATH"))
    t.device_libs = *d2;
  else
    t.device_libs = t.rocm_path + "/amdgcn/bitcode";
  return t;
}

std::string default_target(const Environment& env) {
  if (auto t = env("HCC_AMDGPU_TARGET"))
    return *t;
  std::string devices = env("PUMICE_DEVICES").value_or("");
  for (const char* cdna2 : {"MI210", "MI250"})
    if (devices.find(cdna2) != std::string::npos)
      return "gfx90a";
  return "gfx942";
}

} // namespace pumice::compiler
