// SPDX-License-Identifier: MIT
// librocm_smi64: what a card is and what it does.
#include "smi/capi/rsmi.h"
#include <algorithm>
#include <cstring>
#include <time.h>

using namespace pumice::smi;
using namespace pumice::smi::rsmi;

namespace pumice::smi::rsmi {

rsmi_status_t put_text(const Reading<std::string>& r, char* out, size_t len) {
  if (!r.ok())
    return status(r.why());
  if (!out || !len)
    return RSMI_STATUS_INVALID_ARGS;
  size_t n = std::min(len - 1, r->size());
  std::memcpy(out, r->data(), n);
  out[n] = 0;
  return n < r->size() ? RSMI_STATUS_INSUFFICIENT_SIZE : RSMI_STATUS_SUCCESS;
}

std::optional<Clock> clock_of(rsmi_clk_type_t type) {
  switch (type) {
  case RSMI_CLK_TYPE_SYS:
    return Clock::sys;
  case RSMI_CLK_TYPE_DF:
    return Clock::df;
  case RSMI_CLK_TYPE_DCEF:
    return Clock::dcef;
  case RSMI_CLK_TYPE_SOC:
    return Clock::soc;
  case RSMI_CLK_TYPE_MEM:
    return Clock::mem;
  case RSMI_CLK_TYPE_PCIE:
    return Clock::pcie;
  default:
    return std::nullopt;
  }
}

uint64_t bdf_id(const Card& k) {
  const Bdf& b = k.id.bdf;
  return uint64_t{b.domain} << 32 | uint64_t{k.id.partition_id.value_or(0) & 0xf} << 28 |
         uint64_t{b.bus} << 8 | uint64_t{b.device} << 3 | b.function;
}

} // namespace pumice::smi::rsmi

namespace {

Reading<std::string> named(const std::string& s) {
  return s.empty() ? Reading<std::string>(Why::not_supported) : Reading<std::string>(s);
}

uint64_t now_ns() {
  timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(t.tv_nsec);
}

Reading<uint64_t> memory_of(Card& k, rsmi_memory_type_t type, bool used) {
  Memory m = k.memory();
  switch (type) {
  case RSMI_MEM_TYPE_VRAM:
    return used ? m.vram_used : m.vram_total;
  case RSMI_MEM_TYPE_VIS_VRAM:
    return used ? m.visible_used : m.visible_total;
  case RSMI_MEM_TYPE_GTT:
    return used ? m.gtt_used : m.gtt_total;
  }
  return Why::not_supported;
}

// The power cap of sensor 0; cards have one.
template <class F>
rsmi_status_t power_value(uint32_t card, uint32_t sensor, uint64_t* out, F&& pick) {
  return with_card(card, [&](Card& k) {
    if (sensor != 0)
      return RSMI_STATUS_NOT_SUPPORTED;
    return put(pick(k.power()), out);
  });
}

rsmi_status_t fill_frequencies(const ClockTable& t, rsmi_frequencies_t* f) {
  *f = {};
  f->has_deep_sleep = t.deep_sleep;
  f->num_supported = static_cast<uint32_t>(std::min<size_t>(t.hz.size(), RSMI_MAX_NUM_FREQUENCIES));
  for (uint32_t i = 0; i < f->num_supported; ++i)
    f->frequency[i] = t.hz[i];
  f->current = t.current ? static_cast<uint32_t>(*t.current) : RSMI_MAX_NUM_FREQUENCIES + 1;
  return RSMI_STATUS_SUCCESS;
}

} // namespace

// ---- identity -----------------------------------------------------------------------------

RSMI_EXPORT rsmi_status_t rsmi_dev_id_get(uint32_t i, uint16_t* id) {
  return with_card(i, [&](Card& k) { return put(Reading<uint32_t>(k.id.device_id), id); });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_revision_get(uint32_t i, uint16_t* v) {
  return with_card(i, [&](Card& k) { return put(k.id.revision, v); });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_sku_get(uint32_t i, uint16_t* v) {
  return with_card(i, [&](Card& k) { return put(Reading<uint32_t>(k.id.device_id), v); });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_vendor_id_get(uint32_t i, uint16_t* v) {
  return with_card(i, [&](Card& k) { return put(Reading<uint32_t>(k.id.vendor_id), v); });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_name_get(uint32_t i, char* name, size_t len) {
  return with_card(i, [&](Card& k) { return put_text(named(k.id.market_name), name, len); });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_market_name_get(uint32_t i, char* name, uint32_t len) {
  return rsmi_dev_name_get(i, name, len);
}
RSMI_EXPORT rsmi_status_t rsmi_dev_brand_get(uint32_t i, char* brand, uint32_t len) {
  return with_card(i, [&](Card& k) { return put_text(named(k.id.market_name), brand, len); });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_vendor_name_get(uint32_t i, char* name, size_t len) {
  return with_card(i, [&](Card& k) { return put_text(named(k.id.vendor_name), name, len); });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_vram_vendor_get(uint32_t i, char* brand, uint32_t len) {
  return with_card(i, [&](Card& k) { return put_text(k.id.vram_vendor, brand, len); });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_serial_number_get(uint32_t i, char* serial, uint32_t len) {
  return with_card(i, [&](Card& k) { return put_text(k.id.serial, serial, len); });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_subsystem_id_get(uint32_t i, uint16_t* v) {
  return with_card(i, [&](Card& k) { return put(k.id.subsystem_device, v); });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_subsystem_vendor_id_get(uint32_t i, uint16_t* v) {
  return with_card(i, [&](Card& k) { return put(k.id.subsystem_vendor, v); });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_subsystem_name_get(uint32_t i, char* name, size_t len) {
  return with_card(i, [&](Card& k) { return put_text(k.id.subsystem_name, name, len); });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_drm_render_minor_get(uint32_t i, uint32_t* v) {
  return with_card(i, [&](Card& k) { return put(k.id.render_minor, v); });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_unique_id_get(uint32_t i, uint64_t* v) {
  return with_card(i, [&](Card& k) { return put(k.id.unique_id, v); });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_xgmi_physical_id_get(uint32_t i, uint16_t* v) {
  return with_card(i, [&](Card& k) { return put(k.id.xgmi_physical_id, v); });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_guid_get(uint32_t i, uint64_t* v) {
  return with_card(i, [&](Card& k) { return put(k.id.kfd_gpu_id, v); });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_node_id_get(uint32_t i, uint32_t* v) {
  return with_card(i, [&](Card& k) { return put(k.id.kfd_node, v); });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_partition_id_get(uint32_t i, uint32_t* v) {
  return with_card(i, [&](Card& k) { return put(k.id.partition_id, v); });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_pci_id_get(uint32_t i, uint64_t* v) {
  return with_card(i, [&](Card& k) { return put(Reading<uint64_t>(bdf_id(k)), v); });
}
RSMI_EXPORT rsmi_status_t rsmi_topo_numa_affinity_get(uint32_t i, int32_t* v) {
  return with_card(i, [&](Card& k) { return put(k.id.numa_node, v); });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_vbios_version_get(uint32_t i, char* text, uint32_t len) {
  return with_card(i, [&](Card& k) { return put_text(k.id.vbios, text, len); });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_target_graphics_version_get(uint32_t i, uint64_t* v) {
  return with_card(i, [&](Card& k) {
    auto digits = gfx_digits(k.id.gfx);
    return put(digits ? Reading<uint64_t>(*digits) : Reading<uint64_t>(Why::not_supported), v);
  });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_device_identifiers_get(uint32_t i,
                                                          rsmi_device_identifiers_t* out) {
  return with_card(i, [&](Card& k) {
    if (!out)
      return RSMI_STATUS_INVALID_ARGS;
    *out = {};
    out->card_index = k.id.drm_card.value_or(UINT32_MAX);
    out->drm_render_minor = k.id.render_minor.value_or(UINT32_MAX);
    out->bdfid = bdf_id(k);
    out->kfd_gpu_id = k.id.kfd_gpu_id.value_or(UINT32_MAX);
    out->partition_id = k.id.partition_id.value_or(0);
    out->smi_device_id = i;
    return RSMI_STATUS_SUCCESS;
  });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_firmware_version_get(uint32_t i, rsmi_fw_block_t block,
                                                        uint64_t* v) {
  constexpr const char* kBlocks[] = {"asd",      "ce",       "dmcu",    "mc",    "me",  "mec",
                                     "mec2",     "mes",      "mes_kiq", "pfp",   "rlc", "rlc_srlc",
                                     "rlc_srlg", "rlc_srls", "sdma",    "sdma2", "smc", "sos",
                                     "ta_ras",   "ta_xgmi",  "uvd",     "vce",   "vcn"};
  return with_card(i, [&](Card& k) {
    if (static_cast<size_t>(block) >= std::size(kBlocks))
      return RSMI_STATUS_INVALID_ARGS;
    for (const Firmware& f : k.firmware())
      if (f.block == kBlocks[block])
        return put(Reading<uint64_t>(f.version), v);
    return RSMI_STATUS_NOT_SUPPORTED;
  });
}

// ---- PCIe ---------------------------------------------------------------------------------

RSMI_EXPORT rsmi_status_t rsmi_dev_pci_bandwidth_get(uint32_t i, rsmi_pcie_bandwidth_t* b) {
  return with_card(i, [&](Card& k) {
    auto t = k.clock(Clock::pcie);
    Pcie p = k.pcie();
    if (!t.ok() && !p.speed_mtps.ok())
      return status(p.speed_mtps.why());
    if (!b)
      return RSMI_STATUS_INVALID_ARGS;
    *b = {};
    if (t.ok()) {
      fill_frequencies(*t, &b->transfer_rate);
    } else {
      b->transfer_rate.num_supported = 1;
      b->transfer_rate.frequency[0] = uint64_t{*p.speed_mtps} * 1'000'000;
    }
    for (uint32_t n = 0; n < b->transfer_rate.num_supported; ++n)
      b->lanes[n] = p.width.value_or(0);
    return RSMI_STATUS_SUCCESS;
  });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_pci_throughput_get(uint32_t i, uint64_t*, uint64_t*, uint64_t*) {
  // The counters behind it count packets that neither MI200 nor software cards expose.
  return with_card(i, [](Card&) { return RSMI_STATUS_NOT_SUPPORTED; });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_pci_replay_counter_get(uint32_t i, uint64_t* v) {
  return with_card(i, [&](Card& k) { return put(k.pcie().replays, v); });
}

// ---- power, memory, fans, temperature -----------------------------------------------------

RSMI_EXPORT rsmi_status_t rsmi_dev_power_ave_get(uint32_t i, uint32_t sensor, uint64_t* v) {
  return power_value(i, sensor, v, [](const Power& p) { return p.average_uw; });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_current_socket_power_get(uint32_t i, uint64_t* v) {
  return power_value(i, 0, v, [](const Power& p) { return p.current_uw; });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_power_get(uint32_t i, uint64_t* v, RSMI_POWER_TYPE* type) {
  return with_card(i, [&](Card& k) {
    Power p = k.power();
    const auto& r = p.current_uw.ok() ? p.current_uw : p.average_uw;
    if (type)
      *type = !r.ok()             ? RSMI_INVALID_POWER
              : p.current_uw.ok() ? RSMI_CURRENT_POWER
                                  : RSMI_AVERAGE_POWER;
    if (r.ok() && !type)
      return RSMI_STATUS_INVALID_ARGS;
    return put(r, v);
  });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_energy_count_get(uint32_t i, uint64_t* counter,
                                                    float* resolution, uint64_t* timestamp) {
  return with_card(i, [&](Card& k) {
    constexpr float kResolution = 15.3F; // microjoules of a count, as ROCm rounds 2^-16 J
    auto m = k.metrics();
    std::optional<uint64_t> raw = m.ok() ? m->get(Metric::energy_accumulator) : std::nullopt;
    if (!raw)
      return RSMI_STATUS_NOT_SUPPORTED;
    if (!counter)
      return RSMI_STATUS_INVALID_ARGS;
    *counter = *raw;
    if (resolution)
      *resolution = kResolution;
    if (timestamp)
      *timestamp = m->get(Metric::system_clock_counter).value_or(0);
    return RSMI_STATUS_SUCCESS;
  });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_power_cap_get(uint32_t i, uint32_t sensor, uint64_t* v) {
  return power_value(i, sensor, v, [](const Power& p) { return p.cap_uw; });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_power_cap_default_get(uint32_t i, uint64_t* v) {
  return power_value(i, 0, v, [](const Power& p) { return p.cap_default_uw; });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_power_cap_range_get(uint32_t i, uint32_t sensor, uint64_t* max,
                                                       uint64_t* min) {
  return with_card(i, [&](Card& k) {
    Power p = k.power();
    if (sensor != 0 || !p.cap_max_uw.ok() || !p.cap_min_uw.ok())
      return sensor != 0 ? RSMI_STATUS_NOT_SUPPORTED : status(p.cap_max_uw.why());
    if (!max || !min)
      return RSMI_STATUS_INVALID_ARGS;
    *max = *p.cap_max_uw;
    *min = *p.cap_min_uw;
    return RSMI_STATUS_SUCCESS;
  });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_memory_total_get(uint32_t i, rsmi_memory_type_t type,
                                                    uint64_t* v) {
  return with_card(i, [&](Card& k) { return put(memory_of(k, type, false), v); });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_memory_usage_get(uint32_t i, rsmi_memory_type_t type,
                                                    uint64_t* v) {
  return with_card(i, [&](Card& k) { return put(memory_of(k, type, true), v); });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_memory_busy_percent_get(uint32_t i, uint32_t* v) {
  return with_card(i, [&](Card& k) { return put(k.activity().memory_percent, v); });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_memory_reserved_pages_get(uint32_t i, uint32_t* count,
                                                             rsmi_retired_page_record_t* records) {
  return with_card(i, [&](Card& k) {
    auto pages = k.bad_pages();
    if (!pages.ok())
      return status(pages.why());
    if (!count)
      return RSMI_STATUS_INVALID_ARGS;
    auto all = static_cast<uint32_t>(pages->size());
    if (!records) {
      *count = all;
      return RSMI_STATUS_SUCCESS;
    }
    uint32_t room = *count;
    *count = std::min(room, all);
    for (uint32_t n = 0; n < *count; ++n)
      records[n] = {(*pages)[n].address, (*pages)[n].bytes,
                    static_cast<rsmi_memory_page_status_t>((*pages)[n].state)};
    return room < all ? RSMI_STATUS_INSUFFICIENT_SIZE : RSMI_STATUS_SUCCESS;
  });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_fan_rpms_get(uint32_t i, uint32_t sensor, int64_t* v) {
  return with_card(
      i, [&](Card& k) { return sensor ? RSMI_STATUS_NOT_SUPPORTED : put(k.fan_rpm(), v); });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_fan_speed_get(uint32_t i, uint32_t sensor, int64_t* v) {
  return with_card(
      i, [&](Card& k) { return sensor ? RSMI_STATUS_NOT_SUPPORTED : put(k.fan_level(), v); });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_fan_speed_max_get(uint32_t i, uint32_t sensor, uint64_t* v) {
  return with_card(i, [&](Card& k) {
    if (sensor || !k.fan_level().ok())
      return RSMI_STATUS_NOT_SUPPORTED;
    return put(Reading<uint64_t>(uint64_t{RSMI_MAX_FAN_SPEED}), v);
  });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_temp_metric_get(uint32_t i, uint32_t sensor,
                                                   rsmi_temperature_metric_t metric, int64_t* v) {
  return with_card(i, [&](Card& k) {
    if (sensor > RSMI_TEMP_TYPE_LAST || metric > RSMI_TEMP_LAST)
      return RSMI_STATUS_NOT_SUPPORTED;
    return put(k.temperature_mc(static_cast<Sensor>(sensor), static_cast<TempMetric>(metric)), v);
  });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_volt_metric_get(uint32_t i, rsmi_voltage_type_t type,
                                                   rsmi_voltage_metric_t metric, int64_t* v) {
  return with_card(i, [&](Card& k) {
    if (type != RSMI_VOLT_TYPE_VDDGFX || metric != RSMI_VOLT_CURRENT)
      return RSMI_STATUS_NOT_SUPPORTED;
    return put(k.voltage_mv(), v);
  });
}

// ---- activity and clocks ------------------------------------------------------------------

RSMI_EXPORT rsmi_status_t rsmi_dev_busy_percent_get(uint32_t i, uint32_t* v) {
  return with_card(i, [&](Card& k) { return put(k.activity().gfx_percent, v); });
}
RSMI_EXPORT rsmi_status_t rsmi_utilization_count_get(uint32_t i,
                                                     rsmi_utilization_counter_t counters[],
                                                     uint32_t count, uint64_t* timestamp) {
  return with_card(i, [&](Card& k) {
    auto m = k.metrics();
    if (!m.ok())
      return status(m.why());
    if (!counters || !timestamp || !count)
      return RSMI_STATUS_INVALID_ARGS;
    for (uint32_t n = 0; n < count; ++n) {
      Metric which = counters[n].type == RSMI_COARSE_GRAIN_GFX_ACTIVITY   ? Metric::gfx_activity_acc
                     : counters[n].type == RSMI_COARSE_GRAIN_MEM_ACTIVITY ? Metric::mem_activity_acc
                                                                          : Metric::padding;
      if (which == Metric::padding)
        return RSMI_STATUS_INVALID_ARGS;
      auto v = m->get(which);
      if (!v)
        return RSMI_STATUS_NOT_SUPPORTED;
      counters[n].value = *v;
    }
    *timestamp = m->get(Metric::system_clock_counter).value_or(now_ns());
    return RSMI_STATUS_SUCCESS;
  });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_activity_metric_get(uint32_t i, rsmi_activity_metric_t type,
                                                       rsmi_activity_metric_counter_t* out) {
  return with_card(i, [&](Card& k) {
    Activity a = k.activity();
    auto get = [](const Reading<uint32_t>& r) {
      return static_cast<uint16_t>(r.value_or(UINT16_MAX));
    };
    const auto& asked = type & RSMI_ACTIVITY_GFX   ? a.gfx_percent
                        : type & RSMI_ACTIVITY_UMC ? a.memory_percent
                                                   : a.media_percent;
    if (!asked.ok())
      return status(asked.why());
    if (!out)
      return RSMI_STATUS_INVALID_ARGS;
    *out = {get(a.gfx_percent), get(a.memory_percent), get(a.media_percent)};
    return RSMI_STATUS_SUCCESS;
  });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_activity_avg_mm_get(uint32_t i, uint16_t* v) {
  return with_card(i, [&](Card& k) { return put(k.activity().media_percent, v); });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_perf_level_get(uint32_t i, rsmi_dev_perf_level_t* v) {
  return with_card(i, [&](Card& k) {
    auto level = k.perf_level();
    if (!level.ok())
      return status(level.why());
    if (!v)
      return RSMI_STATUS_INVALID_ARGS;
    *v = RSMI_DEV_PERF_LEVEL_UNKNOWN;
    for (size_t n = 0; n < std::size(kPerfLevels); ++n)
      if (*level == kPerfLevels[n].driver)
        *v = static_cast<rsmi_dev_perf_level_t>(n);
    return RSMI_STATUS_SUCCESS;
  });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_overdrive_level_get(uint32_t i, uint32_t* v) {
  return with_card(i, [&](Card& k) { return put(k.overdrive_percent(), v); });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_mem_overdrive_level_get(uint32_t i, uint32_t*) {
  return with_card(i, [](Card&) { return RSMI_STATUS_NOT_SUPPORTED; });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_gpu_clk_freq_get(uint32_t i, rsmi_clk_type_t type,
                                                    rsmi_frequencies_t* f) {
  return with_card(i, [&](Card& k) {
    auto c = clock_of(type);
    if (!c)
      return RSMI_STATUS_INVALID_ARGS;
    auto t = k.clock(*c);
    if (!t.ok())
      return status(t.why());
    if (!f)
      return RSMI_STATUS_INVALID_ARGS;
    return fill_frequencies(*t, f);
  });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_od_volt_info_get(uint32_t i, rsmi_od_volt_freq_data_t*) {
  return with_card(i, [](Card&) { return RSMI_STATUS_NOT_SUPPORTED; });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_od_volt_curve_regions_get(uint32_t i, uint32_t*,
                                                             rsmi_freq_volt_region_t*) {
  return with_card(i, [](Card&) { return RSMI_STATUS_NOT_SUPPORTED; });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_power_profile_presets_get(uint32_t i, uint32_t,
                                                             rsmi_power_profile_status_t* out) {
  constexpr std::pair<const char*, uint64_t> kProfiles[] = {
      {"CUSTOM", RSMI_PWR_PROF_PRST_CUSTOM_MASK},
      {"VIDEO", RSMI_PWR_PROF_PRST_VIDEO_MASK},
      {"POWER_SAVING", RSMI_PWR_PROF_PRST_POWER_SAVING_MASK},
      {"COMPUTE", RSMI_PWR_PROF_PRST_COMPUTE_MASK},
      {"VR", RSMI_PWR_PROF_PRST_VR_MASK},
      {"3D_FULL_SCREEN", RSMI_PWR_PROF_PRST_3D_FULL_SCR_MASK},
      {"BOOTUP_DEFAULT", RSMI_PWR_PROF_PRST_BOOTUP_DEFAULT}};
  return with_card(i, [&](Card& k) {
    auto p = k.power_profiles();
    if (!p.ok())
      return status(p.why());
    if (!out)
      return RSMI_STATUS_INVALID_ARGS;
    *out = {0, RSMI_PWR_PROF_PRST_INVALID, static_cast<uint32_t>(p->size())};
    for (const PowerProfile& profile : *p)
      for (auto& [known, mask] : kProfiles)
        if (profile.name == known) {
          out->available_profiles |= mask;
          if (profile.active)
            out->current = static_cast<rsmi_power_profile_preset_masks_t>(mask);
        }
    return RSMI_STATUS_SUCCESS;
  });
}

// ---- errors -------------------------------------------------------------------------------

namespace {
std::optional<size_t> block_bit(rsmi_gpu_block_t block) {
  auto b = static_cast<uint64_t>(block);
  if (!b || (b & (b - 1)) || b > RSMI_GPU_BLOCK_LAST)
    return std::nullopt;
  return static_cast<size_t>(__builtin_ctzll(b));
}
} // namespace

RSMI_EXPORT rsmi_status_t rsmi_dev_ecc_count_get(uint32_t i, rsmi_gpu_block_t block,
                                                 rsmi_error_count_t* ec) {
  return with_card(i, [&](Card& k) {
    auto bit = block_bit(block);
    if (!bit)
      return RSMI_STATUS_NOT_SUPPORTED;
    auto c = k.ecc(*bit);
    if (!c.ok())
      return status(c.why());
    if (!ec)
      return RSMI_STATUS_INVALID_ARGS;
    *ec = {c->correctable, c->uncorrectable};
    return RSMI_STATUS_SUCCESS;
  });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_ecc_enabled_get(uint32_t i, uint64_t* v) {
  return with_card(i, [&](Card& k) { return put(k.ecc_enabled_blocks(), v); });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_ecc_status_get(uint32_t i, rsmi_gpu_block_t block,
                                                  rsmi_ras_err_state_t* v) {
  return with_card(i, [&](Card& k) {
    auto bit = block_bit(block);
    if (!bit)
      return RSMI_STATUS_NOT_SUPPORTED;
    auto on = k.ecc_enabled_blocks();
    if (!on.ok())
      return status(on.why());
    if (!v)
      return RSMI_STATUS_INVALID_ARGS;
    *v = *on >> *bit & 1 ? RSMI_RAS_ERR_STATE_ENABLED : RSMI_RAS_ERR_STATE_DISABLED;
    return RSMI_STATUS_SUCCESS;
  });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_xgmi_error_status(uint32_t i, rsmi_xgmi_status_t* v) {
  return with_card(i, [&](Card& k) {
    auto e = k.xgmi().errors;
    return put(e.ok() ? Reading<uint64_t>(std::min<uint64_t>(*e, 2)) : e, v);
  });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_xgmi_hive_id_get(uint32_t i, uint64_t* v) {
  return with_card(i, [&](Card& k) { return put(k.id.hive_id, v); });
}

// ---- partitions, metrics ------------------------------------------------------------------

RSMI_EXPORT rsmi_status_t rsmi_dev_compute_partition_get(uint32_t i, char* text, uint32_t len) {
  return with_card(i, [&](Card& k) { return put_text(k.partition().compute, text, len); });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_memory_partition_get(uint32_t i, char* text, uint32_t len) {
  return with_card(i, [&](Card& k) { return put_text(k.partition().memory, text, len); });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_memory_partition_capabilities_get(uint32_t i, char* text,
                                                                     uint32_t len) {
  return with_card(i, [&](Card& k) {
    auto modes = k.partition().memory_modes;
    if (!modes.ok())
      return status(modes.why());
    std::string all;
    for (const std::string& m : *modes)
      all += (all.empty() ? "" : ", ") + m;
    return put_text(all, text, len);
  });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_metrics_header_info_get(uint32_t i,
                                                           metrics_table_header_t* out) {
  return with_card(i, [&](Card& k) {
    auto m = k.metrics();
    if (!m.ok())
      return status(m.why());
    if (!out)
      return RSMI_STATUS_INVALID_ARGS;
    *out = {m->size, m->format, m->content};
    return RSMI_STATUS_SUCCESS;
  });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_metrics_xcd_counter_get(uint32_t i, uint16_t* v) {
  return with_card(i, [&](Card& k) {
    auto m = k.metrics();
    if (!m.ok())
      return status(m.why());
    uint32_t clocks = 0;
    while (m->get(Metric::current_gfxclk, clocks))
      ++clocks;
    return put(Reading<uint32_t>(clocks), v);
  });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_metrics_log_get(uint32_t i) {
  return with_card(i, [](Card& k) { return status(k.metrics().why()); });
}
