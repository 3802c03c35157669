// SPDX-License-Identifier: MIT
// pumice cc: `make NVCC="pumice cc"` builds CUDA sources as they are.
#include "compiler/nvcc/driver.h"
#include <cstdio>

namespace {
constexpr const char* kHelp =
    "usage: pumice cc [OPTIONS OF NVCC] FILE...\n"
    "Compiles CUDA sources without porting them: each is translated in memory and compiled by hipcc for AMD GPUs.\n"
    "Takes nvcc's options; those that choose NVIDIA architectures or tune ptxas have no effect. Also:\n"
    "  --offload-arch=gfx942   the AMD target (hipcc's default otherwise)\n"
    "  -v, --dryrun            show the hipcc commands\n"
    "  --keep                  keep the translated copies\n"
    "Device code sees warps of 32 lanes (include/pumice/cuda/logical_warp.h). Names without a counterpart are warnings.\n";
}

int main(int argc, char** argv) {
  using namespace pumice::nvcc;
  auto command = parse_nvcc({argv + 1, argv + argc});
  if (!command) {
    std::fprintf(stderr, "pumice cc: %s\n", command.status().message.c_str());
    return 1;
  }
  if (command->help || argc == 1) {
    std::fputs(kHelp, stdout);
    return argc == 1;
  }
  if (command->version) {
    // The form that build systems look for.
    std::printf("nvcc: NVIDIA (R) Cuda compiler driver interface of Pumice\n"
                "Cuda compilation tools, release 11.8, V11.8.89\n");
    return 0;
  }
  return run(*command, find_paths(argv[0]));
}
