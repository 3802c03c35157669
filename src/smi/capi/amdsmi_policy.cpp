// SPDX-License-Identifier: MIT
// libamd_smi: policies that the driver numbers, isolation of programs, cleaning of a card.
#include "smi/capi/amdsmi.h"
#include <algorithm>

using namespace pumice::smi;
using namespace pumice::smi::amdsmi;

namespace {

amdsmi_status_t get_policy(amdsmi_processor_handle h, const char* name, amdsmi_dpm_policy_t* out) {
  return with_card(h, [&](Card& k) {
    if (!out)
      return AMDSMI_STATUS_INVAL;
    auto p = k.policy(name);
    if (!p.ok())
      return status(p.why());
    *out = {};
    out->num_supported =
        static_cast<uint32_t>(std::min<size_t>(p->choices.size(), AMDSMI_MAX_NUM_PM_POLICIES));
    out->current = static_cast<uint32_t>(p->current.value_or(UINT32_MAX)); // a position
    for (size_t i = 0; i < out->num_supported; ++i) {
      out->policies[i].policy_id = p->choices[i].first;
      copy_text(out->policies[i].policy_description, p->choices[i].second);
    }
    return AMDSMI_STATUS_SUCCESS;
  });
}

/// Writes a number that the driver offers; others never reach its file.
amdsmi_status_t set_policy(amdsmi_processor_handle h, const char* name, uint32_t id) {
  return with_card(h, [&](Card& k) {
    auto p = k.policy(name);
    if (!p.ok())
      return status(p.why());
    if (std::none_of(p->choices.begin(), p->choices.end(), [&](auto& c) { return c.first == id; }))
      return AMDSMI_STATUS_INVAL;
    return status(k.set(std::string("pm_policy/") + name, std::to_string(id)));
  });
}

} // namespace

AMDSMI_EXPORT amdsmi_status_t amdsmi_get_soc_pstate(amdsmi_processor_handle h,
                                                    amdsmi_dpm_policy_t* out) {
  return get_policy(h, "soc_pstate", out);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_set_soc_pstate(amdsmi_processor_handle h, uint32_t id) {
  return set_policy(h, "soc_pstate", id);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_xgmi_plpd(amdsmi_processor_handle h,
                                                   amdsmi_dpm_policy_t* out) {
  return get_policy(h, "xgmi_plpd", out);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_set_xgmi_plpd(amdsmi_processor_handle h, uint32_t id) {
  return set_policy(h, "xgmi_plpd", id);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_process_isolation(amdsmi_processor_handle h,
                                                               uint32_t* out) {
  return with_card(h, [&](Card& k) { return put(k.process_isolation(), out); });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_set_gpu_process_isolation(amdsmi_processor_handle h,
                                                               uint32_t on) {
  return with_card(h, [&](Card& k) {
    return on > 1 ? AMDSMI_STATUS_INVAL : status(k.set("enforce_isolation", on ? "1" : "0"));
  });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_clean_gpu_local_data(amdsmi_processor_handle h) {
  return with_card(h, [&](Card& k) { return status(k.set("run_cleaner_shader", "0")); });
}
