// SPDX-License-Identifier: MIT
// libFuzzer target: every parser of the system management room. The first byte chooses one.
#include "smi/gpu_metrics.h"
#include "smi/sysfs.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace pumice::smi;
  using namespace pumice::smi::sysfs;
  if (!size)
    return 0;
  std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 12) {
  case 0: {
    MetricsTable t;
    (void)decode_metrics(std::as_bytes(std::span(text.data(), text.size())), t);
    (void)metrics_version_unknown(t);
    for (size_t i = 0; i < static_cast<size_t>(Metric::count); ++i)
      (void)t.get(static_cast<Metric>(i), 3);
    break;
  }
  case 1:
    (void)parse_levels(text);
    break;
  case 2:
    (void)parse_error_count(text);
    break;
  case 3:
    (void)parse_ras_features(text);
    break;
  case 4:
    (void)parse_bad_pages(text);
    break;
  case 5:
    (void)parse_link_speed(text);
    break;
  case 6:
    (void)parse_profiles(text);
    break;
  case 7:
    (void)parse_fdinfo(text);
    break;
  case 8:
    (void)find_pci_name(text, 0x1002, 0x74a1, 0x1002, 0x74a1);
    break;
  case 9:
    (void)parse_properties(text);
    (void)parse_list(text);
    (void)parse_number(text);
    break;
  case 10:
    (void)Bdf::parse(std::string(text));
    (void)gfx_digits(std::string(text));
    break;
  case 11:
    (void)parse_policies(text);
    (void)parse_words(text);
    break;
  }
  return 0;
}
