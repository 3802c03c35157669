// SPDX-License-Identifier: MIT
#include "hip/hsa_api.h"
#include "base/options.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <memory>
#include <mutex>
#include <unistd.h>
#include <vector>

namespace pumice::hip {

const HsaApi* g_hsa = nullptr;

std::string library_folder() {
  Dl_info info{};
  if (!dladdr(reinterpret_cast<void*>(&library_folder), &info) || !info.dli_fname)
    return "";
  std::string path = info.dli_fname;
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

namespace {

Result<HsaApi*> open_library(const std::string& path) {
  void* lib = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!lib)
    return error(Code::not_found, std::string("cannot open the HSA library: ") + dlerror());
  auto api = std::make_unique<HsaApi>();
  std::string missing;
#define X(name)                                                                                    \
  api->name = reinterpret_cast<decltype(api->name)>(dlsym(lib, #name));                            \
  if (!api->name)                                                                                  \
    missing += missing.empty() ? #name : ", " #name;
  PUMICE_HSA_ENTRY_POINTS(X)
#undef X
  if (!missing.empty())
    return error(Code::incompatible, path + " lacks " + missing);
  api->pumice_last_fault =
      reinterpret_cast<decltype(api->pumice_last_fault)>(dlsym(lib, "pumice_hsa_last_fault"));
  api->soft = api->pumice_last_fault != nullptr;
  api->path = path;
  return api.release();
}

bool kernel_driver_usable() {
  int fd = open("/dev/kfd", O_RDWR | O_CLOEXEC);
  if (fd < 0)
    return false;
  close(fd);
  return true;
}

bool has_gpu(const HsaApi& api) {
  if (api.hsa_init() != HSA_STATUS_SUCCESS)
    return false;
  bool found = false;
  auto visit = [](hsa_agent_t agent, void* data) {
    auto* ctx = static_cast<std::pair<const HsaApi*, bool*>*>(data);
    hsa_device_type_t type;
    if (ctx->first->hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type) == HSA_STATUS_SUCCESS &&
        type == HSA_DEVICE_TYPE_GPU)
      *ctx->second = true;
    return HSA_STATUS_SUCCESS;
  };
  std::pair<const HsaApi*, bool*> ctx{&api, &found};
  api.hsa_iterate_agents(visit, &ctx);
  api.hsa_shut_down();
  return found;
}

Result<HsaApi*> open_system() {
  Status last;
  // By name comes last: LD_LIBRARY_PATH may lead it to the library beside this one.
  for (const char* path : {"/opt/rocm/lib/libhsa-runtime64.so.1", "/usr/lib/x86_64-linux-gnu/libhsa-runtime64.so.1",
                           "/usr/lib64/libhsa-runtime64.so.1", "libhsa-runtime64.so.1"}) {
    auto r = open_library(path);
    if (r && !(*r)->soft)
      return r;
    last = r ? error(Code::not_found, "no system HSA library (ROCr) is installed; " + std::string(path) + " is Pumice's own, of software cards")
             : r.status();
    if (r)
      delete *r;
  }
  return last;
}

Result<HsaApi*> open_soft() {
  auto beside = open_library(library_folder() + "/libhsa-runtime64.so.1");
  if (beside)
    return beside;
  auto by_name = open_library("libhsa-runtime64.so.1");
  return by_name ? by_name : beside;
}

Result<HsaApi*> choose() {
  std::string how = options::text(options::Id::hsa);
  if (how == "soft")
    return open_soft();
  if (how == "system")
    return open_system();
  if (how != "auto" && !how.empty())
    return error(Code::invalid_argument, "PUMICE_HSA=" + how + ": expected auto, soft or system");
  if (kernel_driver_usable()) {
    auto system = open_system();
    if (system && has_gpu(**system))
      return system;
  }
  return open_soft();
}

} // namespace

Result<const HsaApi*> load_hsa() {
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  if (g_hsa)
    return g_hsa;
  auto r = choose();
  if (!r)
    return r.status();
  g_hsa = *r;
  return g_hsa;
}

} // namespace pumice::hip
