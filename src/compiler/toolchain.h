// SPDX-License-Identifier: MIT
// Where the pieces of the HIP tool chain are: our install tree, the clang that compiles, the
// version we report. Shared by hipcc, hipconfig and hiprtc. Reads the environment variables that
// ROCm's tools document.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace pumice::compiler {

/// Looks a variable up; tests pass their own.
using Environment = std::function<std::optional<std::string>(const std::string&)>;
Environment process_environment();

struct Toolchain {
  std::string rocm_path;   // root with bin/ include/ lib/ amdgcn/
  std::string clang_dir;   // folder of clang++ and lld
  std::string clang;       // the C++ driver to run
  std::string device_libs; // folder of the bitcode libraries
};

/// `argv0` locates the install tree when neither --rocm-path nor ROCM_PATH names it.
Toolchain find_toolchain(const Environment& env, const std::string& argv0,
                         const std::string& rocm_path_option = "");

/// Folder of the running executable, symlinks resolved; "" when unknown.
std::string executable_folder(const std::string& argv0);

/// "6.4.43484-<hash>", as hipconfig --version prints it.
std::string version_text();

/// Target of a device list such as "8xMI300X" or "MI210"; gfx942 when it names none we know.
std::string default_target(const Environment& env);

} // namespace pumice::compiler
