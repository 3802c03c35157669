// SPDX-License-Identifier: MIT
#include "smi/report.h"
#include "smi/rocminfo.h"
#include <cstdio>
#include <cstring>

using namespace pumice::smi;

int main(int argc, char** argv) {
  bool json = false;
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--json")) {
      json = true;
    } else if (!std::strcmp(argv[i], "--help") || !std::strcmp(argv[i], "-h")) {
      std::puts("usage: rocminfo [--json]\nShows the agents of this machine, or the software cards "
                "(PUMICE_DEVICES).");
      return 0;
    } else if (std::strcmp(argv[i], "--support") != 0) { // ROCm's tool takes it
      std::fprintf(stderr, "rocminfo: unknown option %s\n", argv[i]);
      return 2;
    }
  }
  auto model = Model::open();
  if (!model.ok()) {
    if (json)
      write_output("{\"error\": \"the devices cannot be listed; see stderr\"}\n", "", false);
    std::fprintf(stderr, "rocminfo: %s\n", model.status().message.c_str());
    return 1;
  }
  for (const std::string& w : (*model)->warnings())
    std::fprintf(stderr, "rocminfo: %s\n", w.c_str());
  return write_output(json ? rocminfo_json(**model) : rocminfo_text(**model), "", false) ? 0 : 1;
}
