// SPDX-License-Identifier: MIT
// Images and samplers: answered as devices without image hardware (CDNA3) answer. Capabilities are
// empty, creation says that the format is not supported.
#include "hsa/runtime.h"

using namespace pumice::hsa;

namespace {
constexpr hsa_status_t kBadArgument = HSA_STATUS_ERROR_INVALID_ARGUMENT;
const hsa_status_t kNoFormat = vendor_status(HSA_EXT_STATUS_ERROR_IMAGE_FORMAT_UNSUPPORTED);
const hsa_status_t kNoSampler = vendor_status(HSA_EXT_STATUS_ERROR_SAMPLER_DESCRIPTOR_UNSUPPORTED);

hsa_status_t answer(hsa_agent_t agent, hsa_status_t status) {
  return api([&](Runtime& r) { return r.agent(agent) ? status : HSA_STATUS_ERROR_INVALID_AGENT; });
}
hsa_status_t no_capability(hsa_agent_t agent, uint32_t* mask) {
  return api([&](Runtime& r) {
    if (!r.agent(agent))
      return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!mask)
      return kBadArgument;
    *mask = HSA_EXT_IMAGE_CAPABILITY_NOT_SUPPORTED;
    return HSA_STATUS_SUCCESS;
  });
}
} // namespace

extern "C" {

hsa_status_t HSA_API hsa_ext_image_get_capability(hsa_agent_t agent, hsa_ext_image_geometry_t,
                                                  const hsa_ext_image_format_t*,
                                                  uint32_t* capability_mask) {
  return no_capability(agent, capability_mask);
}
hsa_status_t HSA_API hsa_ext_image_get_capability_with_layout(hsa_agent_t agent,
                                                              hsa_ext_image_geometry_t,
                                                              const hsa_ext_image_format_t*,
                                                              hsa_ext_image_data_layout_t,
                                                              uint32_t* capability_mask) {
  return no_capability(agent, capability_mask);
}
hsa_status_t HSA_API hsa_ext_image_data_get_info(hsa_agent_t agent,
                                                 const hsa_ext_image_descriptor_t*,
                                                 hsa_access_permission_t,
                                                 hsa_ext_image_data_info_t*) {
  return answer(agent, kNoFormat);
}
hsa_status_t HSA_API hsa_ext_image_data_get_info_with_layout(hsa_agent_t agent,
                                                             const hsa_ext_image_descriptor_t*,
                                                             hsa_access_permission_t,
                                                             hsa_ext_image_data_layout_t, size_t,
                                                             size_t, hsa_ext_image_data_info_t*) {
  return answer(agent, kNoFormat);
}
hsa_status_t HSA_API hsa_ext_image_create(hsa_agent_t agent, const hsa_ext_image_descriptor_t*,
                                          const void*, hsa_access_permission_t, hsa_ext_image_t*) {
  return answer(agent, kNoFormat);
}
hsa_status_t HSA_API hsa_ext_image_create_with_layout(hsa_agent_t agent,
                                                      const hsa_ext_image_descriptor_t*,
                                                      const void*, hsa_access_permission_t,
                                                      hsa_ext_image_data_layout_t, size_t, size_t,
                                                      hsa_ext_image_t*) {
  return answer(agent, kNoFormat);
}
hsa_status_t HSA_API hsa_amd_image_create(hsa_agent_t agent, const hsa_ext_image_descriptor_t*,
                                          const hsa_amd_image_descriptor_t*, const void*,
                                          hsa_access_permission_t, hsa_ext_image_t*) {
  return answer(agent, kNoFormat);
}
hsa_status_t HSA_API hsa_ext_image_destroy(hsa_agent_t agent, hsa_ext_image_t) {
  return answer(agent, kBadArgument);
}
hsa_status_t HSA_API hsa_ext_image_copy(hsa_agent_t agent, hsa_ext_image_t, const hsa_dim3_t*,
                                        hsa_ext_image_t, const hsa_dim3_t*, const hsa_dim3_t*) {
  return answer(agent, kBadArgument);
}
hsa_status_t HSA_API hsa_ext_image_import(hsa_agent_t agent, const void*, size_t, size_t,
                                          hsa_ext_image_t, const hsa_ext_image_region_t*) {
  return answer(agent, kBadArgument);
}
hsa_status_t HSA_API hsa_ext_image_export(hsa_agent_t agent, hsa_ext_image_t, void*, size_t, size_t,
                                          const hsa_ext_image_region_t*) {
  return answer(agent, kBadArgument);
}
hsa_status_t HSA_API hsa_ext_image_clear(hsa_agent_t agent, hsa_ext_image_t, const void*,
                                         const hsa_ext_image_region_t*) {
  return answer(agent, kBadArgument);
}
hsa_status_t HSA_API hsa_ext_sampler_create(hsa_agent_t agent, const hsa_ext_sampler_descriptor_t*,
                                            hsa_ext_sampler_t*) {
  return answer(agent, kNoSampler);
}
hsa_status_t HSA_API hsa_ext_sampler_create_v2(hsa_agent_t agent,
                                               const hsa_ext_sampler_descriptor_v2_t*,
                                               hsa_ext_sampler_t*) {
  return answer(agent, kNoSampler);
}
hsa_status_t HSA_API hsa_ext_sampler_destroy(hsa_agent_t agent, hsa_ext_sampler_t) {
  return answer(agent, kBadArgument);
}

hsa_status_t HSA_API hsa_amd_image_get_info_max_dim(hsa_agent_t agent, hsa_agent_info_t attribute,
                                                    void* value) {
  return hsa_agent_get_info(agent, attribute, value);
}

} // extern "C"
