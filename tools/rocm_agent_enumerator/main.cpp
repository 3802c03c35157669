// SPDX-License-Identifier: MIT
// rocm_agent_enumerator: the targets of the agents of this machine, one a line; build systems ask
// it for a default. Options of ROCm's tool: -t GPU (leave the host out), -name (full ISA names).
#include "smi/report.h"
#include "smi/rocminfo.h"
#include <cstdio>
#include <cstring>

using namespace pumice::smi;

int main(int argc, char** argv) {
  bool gpus_only = false;
  Names names = Names::targets;
  for (int i = 1; i < argc; ++i) {
    if ((!std::strcmp(argv[i], "-t") || !std::strcmp(argv[i], "--type")) && i + 1 < argc) {
      gpus_only = std::strcmp(argv[++i], "GPU") == 0;
      if (!gpus_only && std::strcmp(argv[i], "CPU") != 0) {
        std::fprintf(stderr, "rocm_agent_enumerator: -t wants GPU or CPU, not '%s'\n", argv[i]);
        return 2;
      }
    } else if (!std::strcmp(argv[i], "-name") || !std::strcmp(argv[i], "--name"))
      names = Names::full;
    else if (!std::strcmp(argv[i], "-h") || !std::strcmp(argv[i], "--help")) {
      std::puts("usage: rocm_agent_enumerator [-t GPU] [-name]");
      return 0;
    } else {
      std::fprintf(stderr, "rocm_agent_enumerator: unknown option %s\n", argv[i]);
      return 2;
    }
  }
  auto model = Model::open(SoftCards::own);
  if (!model.ok()) {
    std::fprintf(stderr, "rocm_agent_enumerator: %s\n", model.status().message.c_str());
    return 1;
  }
  return write_output(agent_list(**model, gpus_only, names), "", false) ? 0 : 1;
}
