// SPDX-License-Identifier: MIT
#include "smi/amd_smi/tool.h"

int main(int argc, char** argv) {
  return pumice::smi::amd_smi::run(argc, argv);
}
