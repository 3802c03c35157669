// SPDX-License-Identifier: MIT
// pumice cc: nvcc's command line carried out with hipcc. Compiles CUDA sources that were not ported.
#pragma once
#include "compiler/nvcc/nvcc_options.h"
#include <string>
#include <vector>

namespace pumice::nvcc {

struct Paths {
  std::string hipcc;    // program to run
  std::string includes; // folder of the headers that stand for CUDA's
};
/// hipcc and include/pumice/cuda beside the running program's install tree.
Paths find_paths(const std::string& argv0);

/// Runs the command; the exit status of the compiler, or 1 with a message on standard error.
int run(const Command& command, const Paths& paths);

} // namespace pumice::nvcc
