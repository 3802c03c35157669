// SPDX-License-Identifier: MIT
// librocm_smi64: setters and performance counters. Software cards refuse every setting.
#include "smi/capi/rsmi.h"
#include <bit>

using namespace pumice::smi;
using namespace pumice::smi::rsmi;

namespace {

rsmi_status_t change(uint32_t card, const std::string& file, const std::string& text) {
  return with_card(card, [&](Card& k) { return status(k.set(file, text)); });
}

std::string levels(uint64_t mask) {
  std::string s;
  for (int i = 0; i < 64; ++i)
    if (mask >> i & 1)
      s += (s.empty() ? "" : " ") + std::to_string(i);
  return s;
}

rsmi_status_t set_levels(uint32_t card, const char* file, uint64_t mask) {
  if (!mask)
    return RSMI_STATUS_INVALID_ARGS;
  rsmi_status_t s = change(card, "power_dpm_force_performance_level", "manual");
  return s == RSMI_STATUS_SUCCESS ? change(card, file, levels(mask)) : s;
}

/// Overdrive: writes lines to pp_od_clk_voltage, then commits.
rsmi_status_t overdrive(uint32_t card, std::initializer_list<std::string> lines) {
  for (const std::string& l : lines)
    if (rsmi_status_t s = change(card, "pp_od_clk_voltage", l); s != RSMI_STATUS_SUCCESS)
      return s;
  return change(card, "pp_od_clk_voltage", "c");
}

char clock_letter(rsmi_clk_type_t t) {
  return t == RSMI_CLK_TYPE_SYS ? 's' : t == RSMI_CLK_TYPE_MEM ? 'm' : 0;
}

} // namespace

RSMI_EXPORT rsmi_status_t rsmi_dev_pci_bandwidth_set(uint32_t i, uint64_t mask) {
  return set_levels(i, "pp_dpm_pcie", mask);
}
RSMI_EXPORT rsmi_status_t rsmi_dev_power_cap_set(uint32_t i, uint32_t sensor, uint64_t cap) {
  return with_card(i, [&](Card& k) {
    if (sensor)
      return RSMI_STATUS_NOT_SUPPORTED;
    Power p = k.power();
    if (!k.id.software && p.cap_max_uw.ok() &&
        (cap > *p.cap_max_uw || cap < p.cap_min_uw.value_or(0)))
      return RSMI_STATUS_INVALID_ARGS;
    return status(k.set("hwmon/power1_cap", std::to_string(cap)));
  });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_power_profile_set(uint32_t i, uint32_t,
                                                     rsmi_power_profile_preset_masks_t profile) {
  return with_card(i, [&](Card& k) {
    auto bits = static_cast<uint64_t>(profile);
    if (!std::has_single_bit(bits))
      return RSMI_STATUS_INPUT_OUT_OF_BOUNDS;
    constexpr std::pair<uint64_t, const char*> kNames[] = {
        {RSMI_PWR_PROF_PRST_CUSTOM_MASK, "CUSTOM"},
        {RSMI_PWR_PROF_PRST_VIDEO_MASK, "VIDEO"},
        {RSMI_PWR_PROF_PRST_POWER_SAVING_MASK, "POWER_SAVING"},
        {RSMI_PWR_PROF_PRST_COMPUTE_MASK, "COMPUTE"},
        {RSMI_PWR_PROF_PRST_VR_MASK, "VR"},
        {RSMI_PWR_PROF_PRST_3D_FULL_SCR_MASK, "3D_FULL_SCREEN"},
        {RSMI_PWR_PROF_PRST_BOOTUP_DEFAULT, "BOOTUP_DEFAULT"}};
    auto all = k.power_profiles();
    if (!all.ok())
      return status(all.why());
    for (auto& [mask, name] : kNames)
      for (const PowerProfile& p : *all)
        if (mask == bits && p.name == name)
          return status(k.set("pp_power_profile_mode", std::to_string(p.number)));
    return RSMI_STATUS_INPUT_OUT_OF_BOUNDS;
  });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_fan_reset(uint32_t i, uint32_t) {
  return change(i, "hwmon/pwm1_enable", "2");
}
RSMI_EXPORT rsmi_status_t rsmi_dev_fan_speed_set(uint32_t i, uint32_t, uint64_t speed) {
  if (speed > RSMI_MAX_FAN_SPEED)
    return RSMI_STATUS_INPUT_OUT_OF_BOUNDS;
  rsmi_status_t s = change(i, "hwmon/pwm1_enable", "1");
  return s == RSMI_STATUS_SUCCESS ? change(i, "hwmon/pwm1", std::to_string(speed)) : s;
}
RSMI_EXPORT rsmi_status_t rsmi_perf_determinism_mode_set(uint32_t i, uint64_t mhz) {
  rsmi_status_t s = change(i, "power_dpm_force_performance_level", "perf_determinism");
  return s == RSMI_STATUS_SUCCESS ? overdrive(i, {"s 1 " + std::to_string(mhz)}) : s;
}
RSMI_EXPORT rsmi_status_t rsmi_dev_clk_range_set(uint32_t i, uint64_t min, uint64_t max,
                                                 rsmi_clk_type_t type) {
  char c = clock_letter(type);
  if (min >= max || !c)
    return RSMI_STATUS_INVALID_ARGS;
  return overdrive(i, {std::string(1, c) + " 0 " + std::to_string(min),
                       std::string(1, c) + " 1 " + std::to_string(max)});
}
RSMI_EXPORT rsmi_status_t rsmi_dev_clk_extremum_set(uint32_t i, rsmi_freq_ind_t level, uint64_t mhz,
                                                    rsmi_clk_type_t type) {
  char c = clock_letter(type);
  if (!c || level > RSMI_FREQ_IND_MAX)
    return RSMI_STATUS_INVALID_ARGS;
  return overdrive(
      i, {std::string(1, c) + (level == RSMI_FREQ_IND_MIN ? " 0 " : " 1 ") + std::to_string(mhz)});
}
RSMI_EXPORT rsmi_status_t rsmi_dev_od_clk_info_set(uint32_t i, rsmi_freq_ind_t level, uint64_t mhz,
                                                   rsmi_clk_type_t type) {
  return rsmi_dev_clk_extremum_set(i, level, mhz, type);
}
RSMI_EXPORT rsmi_status_t rsmi_dev_od_volt_info_set(uint32_t i, uint32_t point, uint64_t mhz,
                                                    uint64_t mv) {
  if (point >= RSMI_NUM_VOLTAGE_CURVE_POINTS)
    return RSMI_STATUS_INVALID_ARGS;
  return overdrive(
      i, {"vc " + std::to_string(point) + " " + std::to_string(mhz) + " " + std::to_string(mv)});
}
RSMI_EXPORT rsmi_status_t rsmi_dev_perf_level_set(uint32_t i, rsmi_dev_perf_level_t level) {
  if (level > RSMI_DEV_PERF_LEVEL_LAST)
    return RSMI_STATUS_INVALID_ARGS;
  return change(i, "power_dpm_force_performance_level", kPerfLevels[level].driver);
}
RSMI_EXPORT rsmi_status_t rsmi_dev_perf_level_set_v1(uint32_t i, rsmi_dev_perf_level_t level) {
  return rsmi_dev_perf_level_set(i, level);
}
RSMI_EXPORT rsmi_status_t rsmi_dev_overdrive_level_set(uint32_t i, uint32_t od) {
  return od > 20 ? RSMI_STATUS_INVALID_ARGS : change(i, "pp_sclk_od", std::to_string(od));
}
RSMI_EXPORT rsmi_status_t rsmi_dev_overdrive_level_set_v1(uint32_t i, uint32_t od) {
  return rsmi_dev_overdrive_level_set(i, od);
}
RSMI_EXPORT rsmi_status_t rsmi_dev_gpu_clk_freq_set(uint32_t i, rsmi_clk_type_t type,
                                                    uint64_t mask) {
  switch (type) {
  case RSMI_CLK_TYPE_SYS:
    return set_levels(i, "pp_dpm_sclk", mask);
  case RSMI_CLK_TYPE_DF:
    return set_levels(i, "pp_dpm_fclk", mask);
  case RSMI_CLK_TYPE_DCEF:
    return set_levels(i, "pp_dpm_dcefclk", mask);
  case RSMI_CLK_TYPE_SOC:
    return set_levels(i, "pp_dpm_socclk", mask);
  case RSMI_CLK_TYPE_MEM:
    return set_levels(i, "pp_dpm_mclk", mask);
  default:
    return RSMI_STATUS_INVALID_ARGS;
  }
}
RSMI_EXPORT rsmi_status_t rsmi_dev_gpu_reset(uint32_t i) {
  return change(i, "debugfs/amdgpu_gpu_recover", "read");
}
RSMI_EXPORT rsmi_status_t rsmi_dev_xgmi_error_reset(uint32_t i) {
  return change(i, "xgmi_error", "0");
}
RSMI_EXPORT rsmi_status_t rsmi_dev_compute_partition_set(uint32_t i,
                                                         rsmi_compute_partition_type_t p) {
  constexpr const char* kModes[] = {"", "SPX", "DPX", "TPX", "QPX", "CPX"};
  if (p < RSMI_COMPUTE_PARTITION_SPX || p > RSMI_COMPUTE_PARTITION_CPX)
    return RSMI_STATUS_INVALID_ARGS;
  return change(i, "current_compute_partition", kModes[p]);
}
RSMI_EXPORT rsmi_status_t rsmi_dev_memory_partition_set(uint32_t i,
                                                        rsmi_memory_partition_type_t p) {
  constexpr const char* kModes[] = {"", "NPS1", "NPS2", "NPS4", "NPS8"};
  if (p < RSMI_MEMORY_PARTITION_NPS1 || p > RSMI_MEMORY_PARTITION_NPS8)
    return RSMI_STATUS_INVALID_ARGS;
  return change(i, "current_memory_partition", kModes[p]);
}

// Counters: perf events of the data fabric; MI200 and later have none that rsmi names.
RSMI_EXPORT rsmi_status_t rsmi_dev_counter_group_supported(uint32_t i, rsmi_event_group_t) {
  return with_card(i, [](Card&) { return RSMI_STATUS_NOT_SUPPORTED; });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_counter_create(uint32_t i, rsmi_event_type_t,
                                                  rsmi_event_handle_t*) {
  return with_card(i, [](Card&) { return RSMI_STATUS_NOT_SUPPORTED; });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_counter_destroy(rsmi_event_handle_t) {
  return with_model([](Model&) { return RSMI_STATUS_INVALID_ARGS; });
}
RSMI_EXPORT rsmi_status_t rsmi_counter_control(rsmi_event_handle_t, rsmi_counter_command_t, void*) {
  return with_model([](Model&) { return RSMI_STATUS_INVALID_ARGS; });
}
RSMI_EXPORT rsmi_status_t rsmi_counter_read(rsmi_event_handle_t, rsmi_counter_value_t*) {
  return with_model([](Model&) { return RSMI_STATUS_INVALID_ARGS; });
}
RSMI_EXPORT rsmi_status_t rsmi_counter_available_counters_get(uint32_t i, rsmi_event_group_t,
                                                              uint32_t*) {
  return with_card(i, [](Card&) { return RSMI_STATUS_NOT_SUPPORTED; });
}
