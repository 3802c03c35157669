// SPDX-License-Identifier: MIT
// hipcc: HIP compiler driver over clang.
#include "compiler/hipcc.h"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <unistd.h>

int main(int argc, char** argv) {
  using namespace pumice::compiler;
  std::vector<std::string> args(argv + 1, argv + argc);
  auto plan = plan_hipcc(args, process_environment(), argv[0]);
  if (!plan) {
    std::fprintf(stderr, "hipcc: %s\n", plan.status().message.c_str());
    return 1;
  }
  std::fputs(plan->output.c_str(), stdout);
  if (plan->command.empty()) {
    if (!plan->output.empty() && plan->output.back() != '\n')
      std::fputc('\n', stdout);
    return 0;
  }
  if (plan->verbose) {
    std::string line = "hipcc-cmd:";
    for (const std::string& w : plan->command)
      line += " " + w;
    std::fprintf(stderr, "%s\n", line.c_str());
  }
  std::fflush(stdout);
  std::vector<char*> cargs;
  for (std::string& w : plan->command)
    cargs.push_back(w.data());
  cargs.push_back(nullptr);
  execvp(cargs[0], cargs.data());
  std::fprintf(stderr, "hipcc: cannot run %s: %s (install clang-19 or set HIP_CLANG_PATH)\n",
               cargs[0], std::strerror(errno));
  return 127;
}
