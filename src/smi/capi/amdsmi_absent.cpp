// SPDX-License-Identifier: MIT
// libamd_smi: functions without an implementation, made from their rows. The header is not
// included: whatever arguments a caller passes, the answer is AMDSMI_STATUS_NOT_SUPPORTED (2).
#define FOR_full(name)
#define FOR_real(name)
#define FOR_absent(name)                                                                           \
  extern "C" __attribute__((visibility("default"))) int name() {                                   \
    return 2;                                                                                      \
  }
#define SMI_API(name, status) FOR_##status(name)
#include "smi/capi/amdsmi_api.def"
