// SPDX-License-Identifier: MIT
// hipcc: turns ROCm's hipcc command line into one clang++ command line. Pure translation; running
// it is main's work.
#pragma once
#include "base/result.h"
#include "compiler/toolchain.h"
#include <string>
#include <vector>

namespace pumice::compiler {

struct HipccPlan {
  std::string output; // text to print instead of compiling (--version, --cxxflags, ...)
  std::vector<std::string> command; // empty: only print
  bool verbose = false;             // print the command first
};

/// `args` without argv[0]. Response files are expanded, because inputs in them need a language too.
Result<HipccPlan> plan_hipcc(const std::vector<std::string>& args, const Environment& env,
                             const std::string& argv0);

} // namespace pumice::compiler
