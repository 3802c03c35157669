// SPDX-License-Identifier: MIT
// Builds and runs what can be built and run of a project, in a copy of it, on the software device. The project's own programs run:
// with time limits, without a terminal, in their own process group, in a temporary folder that is removed afterwards.
#pragma once
#include "migrate/scan.h"
#include <functional>

namespace pumice::migrate {

/// blocked: needs a ROCm library or another header that this installation lacks, or an input file or a second card that this machine
/// lacks; says nothing about the project.
enum class Outcome : uint8_t { not_tried, blocked, failed, timed_out, ok };
const char* outcome_name(Outcome o);

struct Try {
  std::string folder, how;          // below the project; "make", "direct" or "unit" (a source without a main program)
  std::vector<std::string> sources; // of the folder, CUDA ones first
  Outcome compiled = Outcome::not_tried, ran = Outcome::not_tried;
  std::string verified;             // "yes" (the program said so), "no" (it said so), "" (it said nothing)
  int exit_code = 0;
  size_t fallbacks = 0;             // kinds of instructions that were interpreted instead of translated
  std::vector<std::string> missing; // headers and functions that the installation does not have
  std::string log;                  // end of what was printed
  double compile_seconds = 0, run_seconds = 0;
};

struct TryOptions {
  std::string compiler;       // pumice-cc
  std::string architecture = "gfx942", device = "MI300X"; // what to build for, and the software card to run on
  bool run = true;
  unsigned compile_limit_s = 120, run_limit_s = 60;
  size_t max_tries = 60;
};

/// Error: no temporary folder, or no compiler.
Result<std::vector<Try>> try_project(const Scan& scan, const TryOptions& options, const std::function<void(const std::string&)>& progress);

} // namespace pumice::migrate
