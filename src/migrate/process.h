// SPDX-License-Identifier: MIT
// A command with a time limit: its own process group, no input, output captured up to a bound.
#pragma once
#include <string>
#include <vector>

namespace pumice::migrate {

struct Run {
  bool started = false, timed_out = false;
  int exit_code = -1; // 128 + signal when killed by one
  std::string output; // stdout and stderr, the last part
  double seconds = 0;
};
Run run(const std::vector<std::string>& command, const std::string& folder, const std::vector<std::pair<std::string, std::string>>& environment,
        unsigned limit_s);

} // namespace pumice::migrate
