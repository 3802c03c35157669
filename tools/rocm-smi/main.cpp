// SPDX-License-Identifier: MIT
#include "smi/rocm_smi/tool.h"

int main(int argc, char** argv) {
  return pumice::smi::rocm_smi::run(argc, argv);
}
