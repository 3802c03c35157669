// SPDX-License-Identifier: MIT
// Every function of the API that has no implementation answers hipErrorNotSupported: `missing` ones
// say so on stderr once, `no_image` ones answer as a device without image hardware does. The
// calling convention lets one signature stand for all of them, so this file must not see the HIP
// headers.
#include "base/options.h"
#include <atomic>
#include <cstdio>

namespace pumice::hip {
namespace {
constexpr int kNotSupported = 801;

int report_missing(const char* name, std::atomic<bool>& said) {
  if (!said.exchange(true) && options::text(options::Id::log) != "off")
    std::fprintf(stderr, "pumice: hip: %s is not implemented by Pumice yet\n", name);
  return kNotSupported;
}
} // namespace
} // namespace pumice::hip

#define PUMICE_EXPORT extern "C" __attribute__((visibility("default"))) int
#define HIP_API_full(name)
#define HIP_API_partial(name)
#define HIP_API_no_image(name)                                                                     \
  PUMICE_EXPORT name() {                                                                           \
    return pumice::hip::kNotSupported;                                                             \
  }
#define HIP_API_missing(name)                                                                      \
  PUMICE_EXPORT name() {                                                                           \
    static std::atomic<bool> said{false};                                                          \
    return pumice::hip::report_missing(#name, said);                                               \
  }
#define HIP_API(name, node, group, status) HIP_API_##status(name)
#include "hip/hip_api.def"
