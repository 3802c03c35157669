// SPDX-License-Identifier: MIT
// rocm_agent_enumerator: the targets of the agents of this machine, one a line; build systems ask
// it for a default. Options of ROCm's tool: -t GPU (leave the host out), -name (full ISA names are
// the same as targets here).
#include "compiler/toolchain.h"
#include "hsa/hsa.h"
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <string>

namespace {

template <class F> F* find(void* lib, const char* name) {
  return reinterpret_cast<F*>(dlsym(lib, name));
}

struct Context {
  decltype(hsa_agent_get_info)* get_info;
  bool host;
};

hsa_status_t visit(hsa_agent_t agent, void* data) {
  auto* c = static_cast<Context*>(data);
  hsa_device_type_t type;
  char name[64] = {};
  if (c->get_info(agent, HSA_AGENT_INFO_DEVICE, &type) != HSA_STATUS_SUCCESS ||
      c->get_info(agent, HSA_AGENT_INFO_NAME, name) != HSA_STATUS_SUCCESS)
    return HSA_STATUS_SUCCESS;
  if (type == HSA_DEVICE_TYPE_GPU)
    std::puts(name);
  else if (c->host)
    std::puts("gfx000");
  return HSA_STATUS_SUCCESS;
}

} // namespace

int main(int argc, char** argv) {
  bool host = true;
  for (int i = 1; i < argc; ++i)
    if (!std::strcmp(argv[i], "-t") && i + 1 < argc)
      host = std::strcmp(argv[i + 1], "GPU") != 0;
  std::string beside =
      pumice::compiler::executable_folder(argv[0]) + "/../lib/libhsa-runtime64.so.1";
  void* lib = dlopen(beside.c_str(), RTLD_NOW);
  if (!lib)
    lib = dlopen("libhsa-runtime64.so.1", RTLD_NOW);
  if (!lib) {
    std::fprintf(stderr, "rocm_agent_enumerator: %s\n", dlerror());
    return 1;
  }
  auto* init = find<decltype(hsa_init)>(lib, "hsa_init");
  auto* iterate = find<decltype(hsa_iterate_agents)>(lib, "hsa_iterate_agents");
  Context c{find<decltype(hsa_agent_get_info)>(lib, "hsa_agent_get_info"), host};
  if (!init || !iterate || !c.get_info || init() != HSA_STATUS_SUCCESS) {
    std::fprintf(stderr, "rocm_agent_enumerator: the HSA library does not start\n");
    return 1;
  }
  iterate(visit, &c);
  return 0;
}
