// SPDX-License-Identifier: MIT
// libFuzzer target: offload bundles, compressed bundles, host binaries with HIP code.
#include "codeobj/bundle.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace pumice::codeobj;
  auto entries = read_bundle(Bytes(data, size));
  if (!entries.ok())
    return 0;
  for (const BundleEntry& e : *entries)
    for (uint8_t byte : e.bytes)
      (void)byte;
  auto agent = parse_target_id("gfx942:sramecc+:xnack-");
  (void)select_code_object(*entries, *agent).ok();
  return 0;
}
