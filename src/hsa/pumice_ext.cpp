// SPDX-License-Identifier: MIT
#include "device/fault_report.h"
#include <algorithm>
#include <cstring>
#include <hsa/pumice_ext.h>

extern "C" {

__attribute__((visibility("default"))) size_t pumice_hsa_last_fault(char* buf, size_t size) {
  try {
    std::string s = pumice::device::last_fault_report();
    if (buf && size) {
      size_t n = std::min(s.size(), size - 1);
      std::memcpy(buf, s.data(), n);
      buf[n] = 0;
    }
    return s.size();
  } catch (...) {
    return 0;
  }
}

__attribute__((visibility("default"))) uint64_t pumice_hsa_fault_count(void) {
  return pumice::device::fault_count();
}

} // extern "C"
