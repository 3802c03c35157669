/* SPDX-License-Identifier: MIT
   Pumice's own additions to the HSA library (version node PUMICE_1). Absent from AMD's library:
   look them up with dlsym. */
#ifndef HSA_PUMICE_EXT_H
#define HSA_PUMICE_EXT_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Copies the report of the last guest fault of this process into `buf` (NUL terminated, truncated to
   `size`). Returns the length of the whole report; 0 when there was no fault yet. Thread safe. */
size_t pumice_hsa_last_fault(char* buf, size_t size);

/* Number of guest faults since the runtime started. */
uint64_t pumice_hsa_fault_count(void);

#ifdef __cplusplus
}
#endif
#endif
