// SPDX-License-Identifier: MIT
// hsa_isa_*, hsa_wavefront_*.
#include "hsa/runtime.h"
#include <cstring>

using namespace pumice;
using namespace pumice::hsa;

namespace {

constexpr hsa_status_t kBadArgument = HSA_STATUS_ERROR_INVALID_ARGUMENT;
constexpr hsa_wavefront_t kWave64{64}; // CDNA has waves of 64 only

hsa_status_t isa_info(const Isa& isa, hsa_isa_info_t attribute, void* value) {
  switch (attribute) {
  case HSA_ISA_INFO_NAME_LENGTH:
    return put(value, static_cast<uint32_t>(isa.name.size() + 1));
  case HSA_ISA_INFO_NAME:
    return put_text(value, isa.name, isa.name.size() + 1);
  case HSA_ISA_INFO_CALL_CONVENTION_COUNT:
    return put<uint32_t>(value, 1);
  case HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONT_SIZE:
    return put<uint32_t>(value, 64);
  case HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONTS_PER_COMPUTE_UNIT:
    return put<uint32_t>(value, 32);
  case HSA_ISA_INFO_MACHINE_MODELS: {
    bool models[2] = {false, true};
    std::memcpy(value, models, sizeof models);
    return HSA_STATUS_SUCCESS;
  }
  case HSA_ISA_INFO_PROFILES: {
    bool profiles[2] = {true, false};
    std::memcpy(value, profiles, sizeof profiles);
    return HSA_STATUS_SUCCESS;
  }
  case HSA_ISA_INFO_DEFAULT_FLOAT_ROUNDING_MODES:
  case HSA_ISA_INFO_BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES: {
    bool modes[3] = {false, false, true};
    std::memcpy(value, modes, sizeof modes);
    return HSA_STATUS_SUCCESS;
  }
  case HSA_ISA_INFO_FAST_F16_OPERATION:
    return put(value, true);
  case HSA_ISA_INFO_WORKGROUP_MAX_DIM: {
    uint16_t dims[3] = {1024, 1024, 1024};
    std::memcpy(value, dims, sizeof dims);
    return HSA_STATUS_SUCCESS;
  }
  case HSA_ISA_INFO_WORKGROUP_MAX_SIZE:
    return put<uint32_t>(value, 1024);
  case HSA_ISA_INFO_GRID_MAX_DIM:
    return put(value, hsa_dim3_t{UINT32_MAX, UINT32_MAX, UINT32_MAX});
  case HSA_ISA_INFO_GRID_MAX_SIZE:
    return put<uint64_t>(value, UINT64_MAX);
  case HSA_ISA_INFO_FBARRIER_MAX_SIZE:
    return put<uint32_t>(value, 32);
  }
  return kBadArgument;
}

} // namespace

extern "C" {

hsa_status_t HSA_API hsa_isa_from_name(const char* name, hsa_isa_t* isa) {
  return api([&](Runtime& r) {
    if (!name || !isa)
      return kBadArgument;
    auto t = codeobj::parse_target_id(name);
    bool amd = std::strncmp(name, "amdgcn-amd-amdhsa--", 19) == 0;
    if (!t.ok() || !amd || !device::engine_target(t->processor).ok())
      return HSA_STATUS_ERROR_INVALID_ISA_NAME;
    *isa = handle(r.intern_isa(*t));
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t HSA_API hsa_agent_iterate_isas(hsa_agent_t agent,
                                            hsa_status_t (*callback)(hsa_isa_t, void*),
                                            void* data) {
  return api([&](Runtime& r) {
    Agent* a = r.agent(agent);
    if (!a)
      return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!callback)
      return kBadArgument;
    return a->isa ? callback(handle(a->isa), data) : HSA_STATUS_SUCCESS;
  });
}

hsa_status_t HSA_API hsa_isa_get_info(hsa_isa_t isa, hsa_isa_info_t attribute, uint32_t index,
                                      void* value) {
  return api([&](Runtime& r) {
    Isa* i = r.isa(isa);
    if (!i)
      return HSA_STATUS_ERROR_INVALID_ISA;
    if (index)
      return HSA_STATUS_ERROR_INVALID_INDEX;
    return value ? isa_info(*i, attribute, value) : kBadArgument;
  });
}

hsa_status_t HSA_API hsa_isa_get_info_alt(hsa_isa_t isa, hsa_isa_info_t attribute, void* value) {
  return hsa_isa_get_info(isa, attribute, 0, value);
}

hsa_status_t HSA_API hsa_isa_get_exception_policies(hsa_isa_t isa, hsa_profile_t, uint16_t* mask) {
  return api([&](Runtime& r) {
    if (!r.isa(isa))
      return HSA_STATUS_ERROR_INVALID_ISA;
    if (!mask)
      return kBadArgument;
    *mask = 0;
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t HSA_API hsa_isa_get_round_method(hsa_isa_t isa, hsa_fp_type_t, hsa_flush_mode_t,
                                              hsa_round_method_t* round_method) {
  return api([&](Runtime& r) {
    if (!r.isa(isa))
      return HSA_STATUS_ERROR_INVALID_ISA;
    if (!round_method)
      return kBadArgument;
    *round_method = HSA_ROUND_METHOD_SINGLE;
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t HSA_API hsa_isa_iterate_wavefronts(hsa_isa_t isa,
                                                hsa_status_t (*callback)(hsa_wavefront_t, void*),
                                                void* data) {
  return api([&](Runtime& r) {
    if (!r.isa(isa))
      return HSA_STATUS_ERROR_INVALID_ISA;
    return callback ? callback(kWave64, data) : kBadArgument;
  });
}

hsa_status_t HSA_API hsa_wavefront_get_info(hsa_wavefront_t wavefront,
                                            hsa_wavefront_info_t attribute, void* value) {
  return api([&](Runtime&) {
    if (wavefront.handle != kWave64.handle)
      return HSA_STATUS_ERROR_INVALID_WAVEFRONT;
    if (!value || attribute != HSA_WAVEFRONT_INFO_SIZE)
      return kBadArgument;
    return put<uint32_t>(value, 64);
  });
}

hsa_status_t HSA_API hsa_isa_compatible(hsa_isa_t code_object_isa, hsa_isa_t agent_isa,
                                        bool* result) {
  return api([&](Runtime& r) {
    Isa *code = r.isa(code_object_isa), *agent = r.isa(agent_isa);
    if (!code || !agent)
      return HSA_STATUS_ERROR_INVALID_ISA;
    if (!result)
      return kBadArgument;
    *result = codeobj::match(code->target, agent->target) != codeobj::Match::none;
    return HSA_STATUS_SUCCESS;
  });
}

} // extern "C"
