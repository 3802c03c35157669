// SPDX-License-Identifier: MIT
// The HSA library as HIP sees it: a table of entry points found at run time. HIP links no HSA
// library, so the same libamdhip64 runs on the system's own ROCr (a real card) and on Pumice's
// software device (PUMICE_HSA chooses).
#pragma once
#include "base/result.h"
#include "hsa/hsa.h"
#include "hsa/hsa_ext_amd.h"
#include <string>

namespace pumice::hip {

// clang-format off
#define PUMICE_HSA_ENTRY_POINTS(X)                                                                 \
  X(hsa_init) X(hsa_shut_down) X(hsa_status_string) X(hsa_system_get_info) X(hsa_iterate_agents)   \
  X(hsa_agent_get_info) X(hsa_agent_iterate_isas) X(hsa_isa_get_info_alt)                          \
  X(hsa_signal_destroy) X(hsa_signal_create) X(hsa_amd_signal_create)                              \
  X(hsa_signal_load_relaxed) X(hsa_signal_load_scacquire) X(hsa_signal_store_relaxed)              \
  X(hsa_signal_store_screlease) X(hsa_signal_wait_scacquire)                                       \
  X(hsa_queue_create) X(hsa_queue_destroy) X(hsa_queue_add_write_index_relaxed)                    \
  X(hsa_queue_load_read_index_scacquire) X(hsa_queue_load_write_index_relaxed)                     \
  X(hsa_code_object_reader_create_from_memory) X(hsa_code_object_reader_destroy)                   \
  X(hsa_executable_create_alt) X(hsa_executable_load_agent_code_object) X(hsa_executable_freeze)   \
  X(hsa_executable_destroy) X(hsa_executable_get_symbol_by_name)                                   \
  X(hsa_executable_symbol_get_info) X(hsa_memory_copy)                                             \
  X(hsa_amd_agent_iterate_memory_pools) X(hsa_amd_memory_pool_get_info)                            \
  X(hsa_amd_memory_pool_allocate) X(hsa_amd_memory_pool_free) X(hsa_amd_agents_allow_access)       \
  X(hsa_amd_memory_async_copy) X(hsa_amd_memory_lock) X(hsa_amd_memory_unlock)                     \
  X(hsa_amd_memory_fill) X(hsa_amd_pointer_info) X(hsa_amd_profiling_set_profiler_enabled)         \
  X(hsa_amd_profiling_async_copy_enable) X(hsa_amd_profiling_get_dispatch_time)                    \
  X(hsa_amd_profiling_get_async_copy_time) X(hsa_amd_register_system_event_handler)                \
  X(hsa_amd_queue_set_priority) X(hsa_amd_agent_memory_pool_get_info)                              \
  X(hsa_amd_ipc_memory_create) X(hsa_amd_ipc_memory_attach) X(hsa_amd_ipc_memory_detach)
// clang-format on

struct HsaApi {
#define X(name) decltype(&::name) name = nullptr;
  PUMICE_HSA_ENTRY_POINTS(X)
#undef X
  // Pumice's own additions; null on other HSA libraries.
  size_t (*pumice_last_fault)(char*, size_t) = nullptr;
  bool soft = false; // our own library
  std::string path;
};

/// Opens the library on first use. The table lives until the process ends.
Result<const HsaApi*> load_hsa();
/// After load_hsa() succeeded.
extern const HsaApi* g_hsa;
inline const HsaApi& hsa() {
  return *g_hsa;
}

/// Folder of libamdhip64 itself; "" when unknown.
std::string library_folder();

} // namespace pumice::hip
