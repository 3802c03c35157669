// SPDX-License-Identifier: MIT
// Calls whose service does not exist here (nor, for many, in ROCm 6). Each has the status that its
// specification gives for "cannot"; none pretends.
#include "hsa/runtime.h"
#include <hsa/hsa_ext_finalize.h>
#include <link.h>

using namespace pumice::hsa;

namespace {
constexpr hsa_status_t kBadArgument = HSA_STATUS_ERROR_INVALID_ARGUMENT;
const hsa_status_t kNoProgram = vendor_status(HSA_EXT_STATUS_ERROR_INVALID_PROGRAM);

hsa_status_t answer(hsa_status_t s) {
  return api([s](Runtime&) { return s; });
}
} // namespace

extern "C" {

/// Debuggers look for the list of loaded code objects here. Empty: no debugger interface yet.
HSA_EXPORT_DECORATOR r_debug _amdgpu_r_debug = {};

// BRIG finalizer.
hsa_status_t HSA_API_EXPORT hsa_ext_program_create(hsa_machine_model_t, hsa_profile_t,
                                                   hsa_default_float_rounding_mode_t, const char*,
                                                   hsa_ext_program_t*) {
  return answer(HSA_STATUS_ERROR);
}
hsa_status_t HSA_API_EXPORT hsa_ext_program_destroy(hsa_ext_program_t) {
  return answer(kNoProgram);
}
hsa_status_t HSA_API_EXPORT hsa_ext_program_add_module(hsa_ext_program_t, hsa_ext_module_t) {
  return answer(kNoProgram);
}
hsa_status_t HSA_API_EXPORT hsa_ext_program_iterate_modules(
    hsa_ext_program_t, hsa_status_t (*)(hsa_ext_program_t, hsa_ext_module_t, void*), void*) {
  return answer(kNoProgram);
}
hsa_status_t HSA_API_EXPORT hsa_ext_program_get_info(hsa_ext_program_t, hsa_ext_program_info_t,
                                                     void*) {
  return answer(kNoProgram);
}
hsa_status_t HSA_API_EXPORT hsa_ext_program_finalize(hsa_ext_program_t, hsa_isa_t, int32_t,
                                                     hsa_ext_control_directives_t, const char*,
                                                     hsa_code_object_type_t, hsa_code_object_t*) {
  return answer(kNoProgram);
}

// Code objects of HSA 1.0: programs use readers.
hsa_status_t HSA_API hsa_code_object_serialize(hsa_code_object_t,
                                               hsa_status_t (*)(size_t, hsa_callback_data_t,
                                                                void**),
                                               hsa_callback_data_t, const char*, void**, size_t*) {
  return answer(HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
}
hsa_status_t HSA_API hsa_code_object_deserialize(void*, size_t, const char*, hsa_code_object_t*) {
  return answer(HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
}
hsa_status_t HSA_API hsa_code_object_destroy(hsa_code_object_t) {
  return answer(HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
}
hsa_status_t HSA_API hsa_code_object_get_info(hsa_code_object_t, hsa_code_object_info_t, void*) {
  return answer(HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
}
hsa_status_t HSA_API hsa_executable_load_code_object(hsa_executable_t, hsa_agent_t,
                                                     hsa_code_object_t, const char*) {
  return answer(HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
}
hsa_status_t HSA_API hsa_code_object_get_symbol(hsa_code_object_t, const char*,
                                                hsa_code_symbol_t*) {
  return answer(HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
}
hsa_status_t HSA_API hsa_code_object_get_symbol_from_name(hsa_code_object_t, const char*,
                                                          const char*, hsa_code_symbol_t*) {
  return answer(HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
}
hsa_status_t HSA_API hsa_code_symbol_get_info(hsa_code_symbol_t, hsa_code_symbol_info_t, void*) {
  return answer(HSA_STATUS_ERROR_INVALID_CODE_SYMBOL);
}
hsa_status_t HSA_API hsa_code_object_iterate_symbols(
    hsa_code_object_t, hsa_status_t (*)(hsa_code_object_t, hsa_code_symbol_t, void*), void*) {
  return answer(HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
}

// Graphics interoperability.
hsa_status_t HSA_API hsa_amd_interop_map_buffer(uint32_t, hsa_agent_t*, int, uint32_t, size_t*,
                                                void**, size_t*, const void**) {
  return answer(HSA_STATUS_ERROR);
}
hsa_status_t HSA_API hsa_amd_interop_unmap_buffer(void*) {
  return answer(kBadArgument);
}

// Streaming performance monitors.
hsa_status_t HSA_API hsa_amd_spm_acquire(hsa_agent_t) {
  return answer(HSA_STATUS_ERROR);
}
hsa_status_t HSA_API hsa_amd_spm_release(hsa_agent_t) {
  return answer(HSA_STATUS_ERROR);
}
hsa_status_t HSA_API hsa_amd_spm_set_dest_buffer(hsa_agent_t, size_t, uint32_t*, uint32_t*, void*,
                                                 bool*) {
  return answer(HSA_STATUS_ERROR);
}

// PC sampling.
hsa_status_t HSA_API hsa_ven_amd_pcs_iterate_configuration(
    hsa_agent_t, hsa_ven_amd_pcs_iterate_configuration_callback_t, void*) {
  return answer(HSA_STATUS_ERROR);
}
hsa_status_t HSA_API hsa_ven_amd_pcs_create(hsa_agent_t, hsa_ven_amd_pcs_method_kind_t,
                                            hsa_ven_amd_pcs_units_t, size_t, size_t, size_t,
                                            hsa_ven_amd_pcs_data_ready_callback_t, void*,
                                            hsa_ven_amd_pcs_t*) {
  return answer(HSA_STATUS_ERROR);
}
hsa_status_t HSA_API hsa_ven_amd_pcs_create_from_id(uint32_t, hsa_agent_t,
                                                    hsa_ven_amd_pcs_method_kind_t,
                                                    hsa_ven_amd_pcs_units_t, size_t, size_t, size_t,
                                                    hsa_ven_amd_pcs_data_ready_callback_t, void*,
                                                    hsa_ven_amd_pcs_t*) {
  return answer(HSA_STATUS_ERROR);
}
hsa_status_t HSA_API hsa_ven_amd_pcs_destroy(hsa_ven_amd_pcs_t) {
  return answer(kBadArgument);
}
hsa_status_t HSA_API hsa_ven_amd_pcs_start(hsa_ven_amd_pcs_t) {
  return answer(kBadArgument);
}
hsa_status_t HSA_API hsa_ven_amd_pcs_stop(hsa_ven_amd_pcs_t) {
  return answer(kBadArgument);
}
hsa_status_t HSA_API hsa_ven_amd_pcs_flush(hsa_ven_amd_pcs_t) {
  return answer(kBadArgument);
}

// Logging of packets to a file.
hsa_status_t HSA_API hsa_amd_enable_logging(uint8_t*, void*) {
  return answer(HSA_STATUS_ERROR);
}

} // extern "C"
