// SPDX-License-Identifier: MIT
// libamd_smi: what a card is and what it does; setters.
#include "smi/capi/amdsmi.h"
#include "smi/capi/metrics_fill.h"
#include <algorithm>
#include <cstring>
#include <time.h>

using namespace pumice::smi;
using namespace pumice::smi::amdsmi;
namespace rsmi = pumice::smi::rsmi;

namespace {

constexpr uint32_t kNone32 = UINT32_MAX;

uint32_t mega(const Reading<uint64_t>& micro) {
  return micro.ok() ? static_cast<uint32_t>(*micro / 1'000'000) : kNone32;
}

std::optional<Clock> clock_of(amdsmi_clk_type_t t) {
  return t <= AMDSMI_CLK_TYPE__MAX ? std::optional(static_cast<Clock>(t)) : std::nullopt;
}

std::optional<size_t> block_bit(amdsmi_gpu_block_t block) {
  auto b = static_cast<uint64_t>(block);
  if (!b || (b & (b - 1)) || b > AMDSMI_GPU_BLOCK_LAST)
    return std::nullopt;
  return static_cast<size_t>(__builtin_ctzll(b));
}

amdsmi_fw_block_t firmware_id(const std::string& block) {
  constexpr std::pair<const char*, amdsmi_fw_block_t> kIds[] = {
      {"smc", AMDSMI_FW_ID_PM},
      {"ce", AMDSMI_FW_ID_CP_CE},
      {"pfp", AMDSMI_FW_ID_CP_PFP},
      {"me", AMDSMI_FW_ID_CP_ME},
      {"mec", AMDSMI_FW_ID_CP_MEC1},
      {"mec2", AMDSMI_FW_ID_CP_MEC2},
      {"rlc", AMDSMI_FW_ID_RLC},
      {"sdma", AMDSMI_FW_ID_SDMA0},
      {"sdma2", AMDSMI_FW_ID_SDMA1},
      {"vcn", AMDSMI_FW_ID_VCN},
      {"uvd", AMDSMI_FW_ID_UVD},
      {"vce", AMDSMI_FW_ID_VCE},
      {"mc", AMDSMI_FW_ID_MC},
      {"sos", AMDSMI_FW_ID_PSP_SOSDRV},
      {"asd", AMDSMI_FW_ID_ASD},
      {"ta_ras", AMDSMI_FW_ID_TA_RAS},
      {"ta_xgmi", AMDSMI_FW_ID_TA_XGMI},
      {"rlc_srlg", AMDSMI_FW_ID_RLC_SRLG},
      {"rlc_srls", AMDSMI_FW_ID_RLC_SRLS},
      {"rlc_srlc", AMDSMI_FW_ID_RLC_RESTORE_LIST_CNTL},
      {"dmcu", AMDSMI_FW_ID_DMCU},
      {"mes", AMDSMI_FW_ID_CP_MES},
      {"mes_kiq", AMDSMI_FW_ID_MES_KIQ},
  };
  for (auto& [name, id] : kIds)
    if (block == name)
      return id;
  return AMDSMI_FW_ID__MAX;
}

/// sclk for gfx, and so on; the file that lists the levels.
const char* levels_file(amdsmi_clk_type_t t) {
  switch (t) {
  case AMDSMI_CLK_TYPE_SYS:
    return "pp_dpm_sclk";
  case AMDSMI_CLK_TYPE_DF:
    return "pp_dpm_fclk";
  case AMDSMI_CLK_TYPE_DCEF:
    return "pp_dpm_dcefclk";
  case AMDSMI_CLK_TYPE_SOC:
    return "pp_dpm_socclk";
  case AMDSMI_CLK_TYPE_MEM:
    return "pp_dpm_mclk";
  default:
    return nullptr;
  }
}

template <class F> amdsmi_status_t fill(amdsmi_processor_handle h, bool null, F&& f) {
  return with_card(h, [&](Card& k) { return null ? AMDSMI_STATUS_INVAL : f(k); });
}

} // namespace

namespace pumice::smi::amdsmi {
amdsmi_vram_type_t vram_type(const std::string& n) {
  if (n == "HBM3" || n == "HBM3E")
    return AMDSMI_VRAM_TYPE_HBM3;
  if (n == "HBM2e" || n == "HBM2E")
    return AMDSMI_VRAM_TYPE_HBM2E;
  return n == "HBM2"  ? AMDSMI_VRAM_TYPE_HBM2
         : n == "HBM" ? AMDSMI_VRAM_TYPE_HBM
                      : AMDSMI_VRAM_TYPE_UNKNOWN;
}
} // namespace pumice::smi::amdsmi

// ---- identity -----------------------------------------------------------------------------

AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_asic_info(amdsmi_processor_handle h,
                                                       amdsmi_asic_info_t* o) {
  return fill(h, !o, [&](Card& k) {
    *o = {};
    copy_text(o->market_name, k.id.market_name);
    copy_text(o->vendor_name, k.id.vendor_name);
    o->vendor_id = k.id.vendor_id;
    o->subvendor_id = k.id.subsystem_vendor.value_or(kNone32);
    o->device_id = k.id.device_id;
    o->rev_id = k.id.revision.value_or(0);
    char serial[32] = "";
    if (k.id.unique_id.ok())
      std::snprintf(serial, sizeof serial, "0x%016llX",
                    static_cast<unsigned long long>(*k.id.unique_id));
    copy_text(o->asic_serial, serial);
    o->oam_id = k.id.xgmi_physical_id.value_or(UINT16_MAX);
    o->num_of_compute_units = k.id.compute_units ? k.id.compute_units : kNone32;
    o->target_graphics_version = gfx_digits(k.id.gfx).value_or(UINT64_MAX);
    return AMDSMI_STATUS_SUCCESS;
  });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_kfd_info(amdsmi_processor_handle h,
                                                      amdsmi_kfd_info_t* o) {
  return fill(h, !o, [&](Card& k) {
    *o = {};
    o->kfd_id = k.id.kfd_gpu_id.ok() ? *k.id.kfd_gpu_id : UINT64_MAX;
    o->node_id = k.id.kfd_node.value_or(kNone32);
    o->current_partition_id = k.id.partition_id.value_or(0);
    return AMDSMI_STATUS_SUCCESS;
  });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_board_info(amdsmi_processor_handle h,
                                                        amdsmi_board_info_t* o) {
  return fill(h, !o, [&](Card& k) {
    *o = {};
    copy_text(o->model_number, k.id.product_number.value_or(""));
    copy_text(o->product_serial, k.id.serial.value_or(""));
    copy_text(o->product_name, k.id.market_name);
    copy_text(o->manufacturer_name, k.id.vendor_name);
    return AMDSMI_STATUS_SUCCESS;
  });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_driver_info(amdsmi_processor_handle h,
                                                         amdsmi_driver_info_t* o) {
  return fill(h, !o, [&](Card& k) {
    *o = {};
    copy_text(o->driver_name, k.id.software ? "pumice" : "amdgpu");
    copy_text(o->driver_version, k.id.driver_version.value_or(""));
    return k.id.driver_version.ok() ? AMDSMI_STATUS_SUCCESS : status(k.id.driver_version.why());
  });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_vbios_info(amdsmi_processor_handle h,
                                                        amdsmi_vbios_info_t* o) {
  return fill(h, !o, [&](Card& k) {
    *o = {};
    copy_text(o->version, k.id.vbios.value_or(""));
    copy_text(o->name, k.id.market_name);
    copy_text(o->part_number, k.id.vbios.value_or(""));
    return status(k.id.vbios.why());
  });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_fw_info(amdsmi_processor_handle h, amdsmi_fw_info_t* o) {
  return fill(h, !o, [&](Card& k) {
    *o = {};
    for (const Firmware& f : k.firmware()) {
      amdsmi_fw_block_t id = firmware_id(f.block);
      if (id == AMDSMI_FW_ID__MAX || o->num_fw_info >= AMDSMI_FW_ID__MAX)
        continue;
      o->fw_info_list[o->num_fw_info].fw_id = id;
      o->fw_info_list[o->num_fw_info++].fw_version = f.version;
    }
    return o->num_fw_info ? AMDSMI_STATUS_SUCCESS : AMDSMI_STATUS_NOT_SUPPORTED;
  });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_id(amdsmi_processor_handle h, uint16_t* v) {
  return via(rsmi_dev_id_get, h, v);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_revision(amdsmi_processor_handle h, uint16_t* v) {
  return via(rsmi_dev_revision_get, h, v);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_vendor_name(amdsmi_processor_handle h, char* n,
                                                         size_t len) {
  return via(rsmi_dev_vendor_name_get, h, n, len);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_vram_vendor(amdsmi_processor_handle h, char* n,
                                                         uint32_t len) {
  return via(rsmi_dev_vram_vendor_get, h, n, len);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_subsystem_id(amdsmi_processor_handle h, uint16_t* v) {
  return via(rsmi_dev_subsystem_id_get, h, v);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_subsystem_name(amdsmi_processor_handle h, char* n,
                                                            size_t len) {
  return via(rsmi_dev_subsystem_name_get, h, n, len);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_bdf_id(amdsmi_processor_handle h, uint64_t* v) {
  return via(rsmi_dev_pci_id_get, h, v);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_device_bdf(amdsmi_processor_handle h,
                                                        amdsmi_bdf_t* o) {
  return fill(h, !o, [&](Card& k) {
    const Bdf& b = k.id.bdf;
    o->as_uint = 0;
    o->domain_number = b.domain;
    o->bus_number = b.bus;
    o->device_number = b.device & 31;
    o->function_number = b.function & 7;
    return AMDSMI_STATUS_SUCCESS;
  });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_device_uuid(amdsmi_processor_handle h,
                                                         unsigned int* length, char* uuid) {
  return fill(h, !length || !uuid, [&](Card& k) {
    std::string text = uuid_text(k);
    if (text.empty())
      return AMDSMI_STATUS_NOT_SUPPORTED;
    if (*length < AMDSMI_GPU_UUID_SIZE)
      return AMDSMI_STATUS_INVAL;
    std::memcpy(uuid, text.c_str(), text.size() + 1);
    *length = AMDSMI_GPU_UUID_SIZE;
    return AMDSMI_STATUS_SUCCESS;
  });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_topo_numa_affinity(amdsmi_processor_handle h,
                                                                int32_t* v) {
  return via(rsmi_topo_numa_affinity_get, h, v);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_xgmi_info(amdsmi_processor_handle h,
                                                   amdsmi_xgmi_info_t* o) {
  return fill(h, !o, [&](Card& k) {
    *o = {};
    if (!k.id.hive_id.ok())
      return status(k.id.hive_id.why());
    o->xgmi_lanes = static_cast<uint8_t>(k.xgmi().width.value_or(0));
    o->xgmi_hive_id = *k.id.hive_id;
    o->xgmi_node_id = k.id.unique_id.value_or(0);
    o->index = k.id.xgmi_physical_id.value_or(0);
    return AMDSMI_STATUS_SUCCESS;
  });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_cache_info(amdsmi_processor_handle h,
                                                        amdsmi_gpu_cache_info_t* o) {
  return fill(h, !o, [&](Card& k) {
    *o = {};
    for (const Cache& c : k.id.caches) {
      if (o->num_cache_types >= AMDSMI_MAX_CACHE_TYPES)
        break;
      auto& e = o->cache[o->num_cache_types++];
      e.cache_properties = AMDSMI_CACHE_PROPERTY_ENABLED | AMDSMI_CACHE_PROPERTY_SIMD_CACHE |
                           (c.data ? AMDSMI_CACHE_PROPERTY_DATA_CACHE : 0u) |
                           (c.instruction ? AMDSMI_CACHE_PROPERTY_INST_CACHE : 0u);
      e.cache_size = c.kib;
      e.cache_level = c.level;
      e.max_num_cu_shared = c.cus_sharing;
      e.num_cache_instance = c.instances;
    }
    return o->num_cache_types ? AMDSMI_STATUS_SUCCESS : AMDSMI_STATUS_NOT_SUPPORTED;
  });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_vram_info(amdsmi_processor_handle h,
                                                       amdsmi_vram_info_t* o) {
  return fill(h, !o, [&](Card& k) {
    *o = {};
    o->vram_type = vram_type(k.id.vram_type);
    std::string vendor = k.id.vram_vendor.value_or("");
    o->vram_vendor = vendor == "samsung"  ? AMDSMI_VRAM_VENDOR__SAMSUNG
                     : vendor == "hynix"  ? AMDSMI_VRAM_VENDOR__HYNIX
                     : vendor == "micron" ? AMDSMI_VRAM_VENDOR__MICRON
                                          : AMDSMI_VRAM_VENDOR__PLACEHOLDER0;
    o->vram_size = k.memory().vram_total.value_or(0) >> 20;
    o->vram_bit_width = k.id.vram_bits ? k.id.vram_bits : kNone32;
    return AMDSMI_STATUS_SUCCESS;
  });
}

// ---- activity, memory, clocks, power ------------------------------------------------------

AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_vram_usage(amdsmi_processor_handle h,
                                                        amdsmi_vram_usage_t* o) {
  return fill(h, !o, [&](Card& k) {
    Memory m = k.memory();
    *o = {};
    o->vram_total = static_cast<uint32_t>(m.vram_total.value_or(0) >> 20);
    o->vram_used = static_cast<uint32_t>(m.vram_used.value_or(0) >> 20);
    return status(m.vram_total.why());
  });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_memory_total(amdsmi_processor_handle h,
                                                          amdsmi_memory_type_t t, uint64_t* v) {
  return via(rsmi_dev_memory_total_get, h, static_cast<rsmi_memory_type_t>(t), v);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_memory_usage(amdsmi_processor_handle h,
                                                          amdsmi_memory_type_t t, uint64_t* v) {
  return via(rsmi_dev_memory_usage_get, h, static_cast<rsmi_memory_type_t>(t), v);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_activity(amdsmi_processor_handle h,
                                                      amdsmi_engine_usage_t* o) {
  return fill(h, !o, [&](Card& k) {
    Activity a = k.activity();
    *o = {};
    o->gfx_activity = a.gfx_percent.value_or(kNone32);
    o->umc_activity = a.memory_percent.value_or(kNone32);
    o->mm_activity = a.media_percent.value_or(kNone32);
    return status(a.gfx_percent.why());
  });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_power_info(amdsmi_processor_handle h,
                                                    amdsmi_power_info_t* o) {
  return fill(h, !o, [&](Card& k) {
    Power p = k.power();
    std::memset(o, 0xff, sizeof *o);
    o->current_socket_power = mega(p.current_uw);
    o->average_socket_power = mega(p.average_uw);
    o->power_limit = mega(p.cap_uw);
    if (auto v = k.voltage_mv(); v.ok())
      o->gfx_voltage = static_cast<uint32_t>(*v);
    return AMDSMI_STATUS_SUCCESS;
  });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_is_gpu_power_management_enabled(amdsmi_processor_handle h,
                                                                     bool* v) {
  return fill(h, !v, [&](Card& k) {
    *v = !k.id.software && k.power().cap_uw.ok();
    return AMDSMI_STATUS_SUCCESS;
  });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_power_cap_info(amdsmi_processor_handle h, uint32_t sensor,
                                                        amdsmi_power_cap_info_t* o) {
  return fill(h, !o, [&](Card& k) {
    Power p = k.power();
    *o = {};
    if (sensor || !p.cap_uw.ok())
      return sensor ? AMDSMI_STATUS_NOT_SUPPORTED : status(p.cap_uw.why());
    o->power_cap = *p.cap_uw;
    o->default_power_cap = p.cap_default_uw.value_or(0);
    o->min_power_cap = p.cap_min_uw.value_or(0);
    o->max_power_cap = p.cap_max_uw.value_or(0);
    return AMDSMI_STATUS_SUCCESS;
  });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_clock_info(amdsmi_processor_handle h,
                                                    amdsmi_clk_type_t type, amdsmi_clk_info_t* o) {
  return fill(h, !o, [&](Card& k) {
    std::memset(o, 0xff, sizeof *o);
    auto c = clock_of(type);
    if (!c)
      return AMDSMI_STATUS_INVAL;
    auto t = k.clock(*c);
    if (!t.ok() || t->hz.empty())
      return status(t.ok() ? Why::no_data : t.why());
    auto mhz = [&](size_t i) { return static_cast<uint32_t>(t->hz[i] / 1'000'000); };
    if (t->current && *t->current < t->hz.size())
      o->clk = mhz(*t->current);
    o->min_clk = mhz(t->deep_sleep && t->hz.size() > 1 ? 1 : 0);
    o->max_clk = mhz(t->hz.size() - 1);
    o->clk_deep_sleep = t->deep_sleep;
    return AMDSMI_STATUS_SUCCESS;
  });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_clk_freq(amdsmi_processor_handle h, amdsmi_clk_type_t type,
                                                  amdsmi_frequencies_t* f) {
  static_assert(sizeof(amdsmi_frequencies_t) == sizeof(rsmi_frequencies_t));
  if (type > AMDSMI_CLK_TYPE_PCIE)
    return with_card(h, [](Card&) { return AMDSMI_STATUS_NOT_SUPPORTED; });
  return via(rsmi_dev_gpu_clk_freq_get, h, static_cast<rsmi_clk_type_t>(type),
             reinterpret_cast<rsmi_frequencies_t*>(f));
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_energy_count(amdsmi_processor_handle h, uint64_t* c,
                                                      float* resolution, uint64_t* t) {
  return via(rsmi_dev_energy_count_get, h, c, resolution, t);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_temp_metric(amdsmi_processor_handle h,
                                                     amdsmi_temperature_type_t type,
                                                     amdsmi_temperature_metric_t metric,
                                                     int64_t* v) {
  return with_card(h, [&](Card& k) {
    int64_t mc = 0;
    rsmi_status_t s =
        rsmi_dev_temp_metric_get(static_cast<uint32_t>(k.index), type,
                                 static_cast<rsmi_temperature_metric_t>(metric), v ? &mc : nullptr);
    if (s == RSMI_STATUS_SUCCESS)
      *v = mc / CENTRIGRADE_TO_MILLI_CENTIGRADE; // whole degrees here
    return status(s);
  });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_volt_metric(amdsmi_processor_handle h,
                                                         amdsmi_voltage_type_t t,
                                                         amdsmi_voltage_metric_t m, int64_t* v) {
  return via(rsmi_dev_volt_metric_get, h, static_cast<rsmi_voltage_type_t>(t),
             static_cast<rsmi_voltage_metric_t>(m), v);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_fan_rpms(amdsmi_processor_handle h, uint32_t s,
                                                      int64_t* v) {
  return via(rsmi_dev_fan_rpms_get, h, s, v);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_fan_speed(amdsmi_processor_handle h, uint32_t s,
                                                       int64_t* v) {
  return via(rsmi_dev_fan_speed_get, h, s, v);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_fan_speed_max(amdsmi_processor_handle h, uint32_t s,
                                                           uint64_t* v) {
  return via(rsmi_dev_fan_speed_max_get, h, s, v);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_perf_level(amdsmi_processor_handle h,
                                                        amdsmi_dev_perf_level_t* v) {
  return via(rsmi_dev_perf_level_get, h, reinterpret_cast<rsmi_dev_perf_level_t*>(v));
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_overdrive_level(amdsmi_processor_handle h,
                                                             uint32_t* v) {
  return via(rsmi_dev_overdrive_level_get, h, v);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_power_profile_presets(
    amdsmi_processor_handle h, uint32_t s, amdsmi_power_profile_status_t* o) {
  static_assert(sizeof(amdsmi_power_profile_status_t) == sizeof(rsmi_power_profile_status_t));
  return via(rsmi_dev_power_profile_presets_get, h, s,
             reinterpret_cast<rsmi_power_profile_status_t*>(o));
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_utilization_count(amdsmi_processor_handle h,
                                                           amdsmi_utilization_counter_t counters[],
                                                           uint32_t n, uint64_t* timestamp) {
  return with_card(h, [&](Card& k) {
    auto m = k.metrics();
    if (!m.ok())
      return status(m.why());
    if (!counters || !n || !timestamp)
      return AMDSMI_STATUS_INVAL;
    for (uint32_t i = 0; i < n; ++i) {
      bool gfx = counters[i].type == AMDSMI_COARSE_GRAIN_GFX_ACTIVITY;
      auto v = m->get(gfx ? Metric::gfx_activity_acc : Metric::mem_activity_acc);
      if (!(gfx || counters[i].type == AMDSMI_COARSE_GRAIN_MEM_ACTIVITY) || !v)
        return AMDSMI_STATUS_NOT_SUPPORTED;
      counters[i].value = *v;
    }
    *timestamp = m->get(Metric::system_clock_counter).value_or(0);
    return AMDSMI_STATUS_SUCCESS;
  });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_metrics_info(amdsmi_processor_handle h,
                                                          amdsmi_gpu_metrics_t* o) {
  return with_card(h, [&](Card& k) {
    auto m = k.metrics();
    if (!m.ok())
      return status(m.why());
    if (!o)
      return AMDSMI_STATUS_INVAL;
    fill_metrics(*m, *o);
    return AMDSMI_STATUS_SUCCESS;
  });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_metrics_header_info(amdsmi_processor_handle h,
                                                                 amd_metrics_table_header_t* o) {
  return via(rsmi_dev_metrics_header_info_get, h, reinterpret_cast<metrics_table_header_t*>(o));
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_violation_status(amdsmi_processor_handle h,
                                                          amdsmi_violation_status_t* o) {
  return fill(h, !o, [&](Card& k) {
    Throttle t = k.throttle();
    std::memset(o, 0xff, sizeof *o);
    timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    o->reference_timestamp =
        static_cast<uint64_t>(now.tv_sec) * 1'000'000 + static_cast<uint64_t>(now.tv_nsec) / 1000;
    o->violation_timestamp = o->reference_timestamp / 1000;
    o->acc_counter = t.counter.value_or(UINT64_MAX);
    auto put_limit = [](const Throttle::Limit& l, uint64_t& acc, uint64_t& percent,
                        uint8_t& active) {
      acc = l.acc.value_or(UINT64_MAX);
      percent = l.percent.value_or(UINT64_MAX);
      active = l.active.ok() ? static_cast<uint8_t>(*l.active) : UINT8_MAX;
    };
    put_limit(t.prochot, o->acc_prochot_thrm, o->per_prochot_thrm, o->active_prochot_thrm);
    put_limit(t.power, o->acc_ppt_pwr, o->per_ppt_pwr, o->active_ppt_pwr);
    put_limit(t.socket_thermal, o->acc_socket_thrm, o->per_socket_thrm, o->active_socket_thrm);
    put_limit(t.vr_thermal, o->acc_vr_thrm, o->per_vr_thrm, o->active_vr_thrm);
    put_limit(t.hbm_thermal, o->acc_hbm_thrm, o->per_hbm_thrm, o->active_hbm_thrm);
    return t.counter.ok() ? AMDSMI_STATUS_SUCCESS : status(t.counter.why());
  });
}

// ---- PCIe, links --------------------------------------------------------------------------

AMDSMI_EXPORT amdsmi_status_t amdsmi_get_pcie_info(amdsmi_processor_handle h,
                                                   amdsmi_pcie_info_t* o) {
  return fill(h, !o, [&](Card& k) {
    Pcie p = k.pcie();
    *o = {};
    auto& s = o->pcie_static;
    auto& m = o->pcie_metric;
    s.max_pcie_width = static_cast<uint16_t>(p.max_width.value_or(UINT16_MAX));
    s.max_pcie_speed = p.max_speed_mtps.value_or(kNone32);
    s.pcie_interface_version = p.max_speed_mtps.ok() ? pcie_generation(*p.max_speed_mtps) : kNone32;
    s.slot_type = k.id.form == "OAM"    ? AMDSMI_CARD_FORM_FACTOR_OAM
                  : k.id.form == "PCIe" ? AMDSMI_CARD_FORM_FACTOR_PCIE
                                        : AMDSMI_CARD_FORM_FACTOR_UNKNOWN;
    m.pcie_width = static_cast<uint16_t>(p.width.value_or(UINT16_MAX));
    m.pcie_speed = p.speed_mtps.value_or(kNone32);
    m.pcie_bandwidth = p.bandwidth_mbps.ok() ? static_cast<uint32_t>(*p.bandwidth_mbps) : kNone32;
    m.pcie_replay_count = p.replays.value_or(UINT64_MAX);
    m.pcie_l0_to_recovery_count = p.l0_to_recovery.value_or(UINT64_MAX);
    m.pcie_replay_roll_over_count = p.replay_rollovers.value_or(UINT64_MAX);
    m.pcie_nak_sent_count = p.naks_sent.value_or(UINT64_MAX);
    m.pcie_nak_received_count = p.naks_received.value_or(UINT64_MAX);
    m.pcie_lc_perf_other_end_recovery_count = kNone32;
    return AMDSMI_STATUS_SUCCESS;
  });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_pci_bandwidth(amdsmi_processor_handle h,
                                                           amdsmi_pcie_bandwidth_t* o) {
  static_assert(sizeof(amdsmi_pcie_bandwidth_t) == sizeof(rsmi_pcie_bandwidth_t));
  return via(rsmi_dev_pci_bandwidth_get, h, reinterpret_cast<rsmi_pcie_bandwidth_t*>(o));
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_pci_replay_counter(amdsmi_processor_handle h,
                                                                uint64_t* v) {
  return via(rsmi_dev_pci_replay_counter_get, h, v);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_link_metrics(amdsmi_processor_handle h,
                                                      amdsmi_link_metrics_t* o) {
  return fill(h, !o, [&](Card& k) {
    *o = {};
    Xgmi x = k.xgmi();
    if (!x.width.ok())
      return status(x.width.why());
    auto m = rsmi::current();
    size_t n = 0;
    for (auto& other : m->cards()) {
      Link l = m->link(k.index, other->index);
      if (l.type != LinkType::xgmi || n >= AMDSMI_MAX_NUM_XGMI_PHYSICAL_LINK)
        continue;
      auto& e = o->links[n];
      const Bdf& b = other->id.bdf;
      e.bdf.domain_number = b.domain;
      e.bdf.bus_number = b.bus;
      e.bdf.device_number = b.device & 31;
      e.bdf.function_number = b.function & 7;
      e.bit_rate = x.speed_gbps.value_or(0);
      e.max_bandwidth = x.speed_gbps.value_or(0) * x.width.value_or(0);
      e.link_type = AMDSMI_LINK_TYPE_XGMI;
      e.read = n < x.links.size() ? x.links[n].read_kib : UINT64_MAX;
      e.write = n < x.links.size() ? x.links[n].write_kib : UINT64_MAX;
      ++n;
    }
    o->num_links = static_cast<uint32_t>(n);
    return AMDSMI_STATUS_SUCCESS;
  });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_gpu_xgmi_error_status(amdsmi_processor_handle h,
                                                           amdsmi_xgmi_status_t* v) {
  return via(rsmi_dev_xgmi_error_status, h, reinterpret_cast<rsmi_xgmi_status_t*>(v));
}

// ---- errors -------------------------------------------------------------------------------

AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_ecc_count(amdsmi_processor_handle h,
                                                       amdsmi_gpu_block_t block,
                                                       amdsmi_error_count_t* o) {
  return fill(h, !o, [&](Card& k) {
    auto bit = block_bit(block);
    if (!bit)
      return AMDSMI_STATUS_NOT_SUPPORTED;
    auto c = k.ecc(*bit);
    *o = {};
    if (c.ok()) {
      o->correctable_count = c->correctable;
      o->uncorrectable_count = c->uncorrectable;
      o->deferred_count = c->deferred;
    }
    return status(c.why());
  });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_total_ecc_count(amdsmi_processor_handle h,
                                                             amdsmi_error_count_t* o) {
  return fill(h, !o, [&](Card& k) {
    *o = {};
    bool any = false;
    EccCount sum;
    for (size_t b = 0; b < kRasBlocks; ++b)
      if (auto c = k.ecc(b); c.ok()) {
        any = true;
        sum.add(*c);
      }
    o->correctable_count = sum.correctable;
    o->uncorrectable_count = sum.uncorrectable;
    o->deferred_count = sum.deferred;
    return any ? AMDSMI_STATUS_SUCCESS : AMDSMI_STATUS_NOT_SUPPORTED;
  });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_ecc_enabled(amdsmi_processor_handle h, uint64_t* v) {
  return via(rsmi_dev_ecc_enabled_get, h, v);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_ecc_status(amdsmi_processor_handle h,
                                                        amdsmi_gpu_block_t block,
                                                        amdsmi_ras_err_state_t* v) {
  return fill(h, !v, [&](Card& k) {
    auto bit = block_bit(block);
    auto on = k.ecc_enabled_blocks();
    if (!bit || !on.ok())
      return !bit ? AMDSMI_STATUS_NOT_SUPPORTED : status(on.why());
    *v = *on >> *bit & 1 ? AMDSMI_RAS_ERR_STATE_ENABLED : AMDSMI_RAS_ERR_STATE_DISABLED;
    return AMDSMI_STATUS_SUCCESS;
  });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_ras_block_features_enabled(amdsmi_processor_handle h,
                                                                        amdsmi_gpu_block_t block,
                                                                        amdsmi_ras_err_state_t* v) {
  return amdsmi_get_gpu_ecc_status(h, block, v);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_bad_page_info(amdsmi_processor_handle h, uint32_t* n,
                                                           amdsmi_retired_page_record_t* o) {
  static_assert(sizeof(amdsmi_retired_page_record_t) == sizeof(rsmi_retired_page_record_t));
  return via(rsmi_dev_memory_reserved_pages_get, h, n,
             reinterpret_cast<rsmi_retired_page_record_t*>(o));
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_memory_reserved_pages(
    amdsmi_processor_handle h, uint32_t* n, amdsmi_retired_page_record_t* o) {
  return amdsmi_get_gpu_bad_page_info(h, n, o);
}

// ---- partitions ---------------------------------------------------------------------------

AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_compute_partition(amdsmi_processor_handle h, char* t,
                                                               uint32_t len) {
  return via(rsmi_dev_compute_partition_get, h, t, len);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_memory_partition(amdsmi_processor_handle h, char* t,
                                                              uint32_t len) {
  return via(rsmi_dev_memory_partition_get, h, t, len);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_accelerator_partition_profile(
    amdsmi_processor_handle h, amdsmi_accelerator_partition_profile_t* o, uint32_t* id) {
  return fill(h, !o || !id, [&](Card& k) {
    *o = {};
    *id = k.id.partition_id.value_or(0);
    Partition p = k.partition();
    if (!p.compute.ok())
      return status(p.compute.why());
    constexpr std::pair<const char*, uint32_t> kModes[] = {
        {"SPX", 1}, {"DPX", 2}, {"TPX", 3}, {"QPX", 4}, {"CPX", 0}};
    uint32_t type = AMDSMI_ACCELERATOR_PARTITION_SPX;
    for (auto& [name, parts] : kModes) {
      if (*p.compute == name) {
        o->profile_type = static_cast<amdsmi_accelerator_partition_type_t>(type);
        o->num_partitions = parts ? parts : k.id.xccs;
        o->profile_index = type - 1;
      }
      ++type;
    }
    if (p.memory_modes.ok())
      for (const std::string& mode : *p.memory_modes)
        o->memory_caps.nps_cap_mask |= mode == "NPS1"   ? 1u
                                       : mode == "NPS2" ? 2u
                                       : mode == "NPS4" ? 4u
                                       : mode == "NPS8" ? 8u
                                                        : 0u;
    return o->profile_type ? AMDSMI_STATUS_SUCCESS : AMDSMI_STATUS_UNEXPECTED_DATA;
  });
}

AMDSMI_EXPORT void amdsmi_free_name_value_pairs(void* p) {
  std::free(p);
}

// ---- setters ------------------------------------------------------------------------------

AMDSMI_EXPORT amdsmi_status_t amdsmi_set_gpu_pci_bandwidth(amdsmi_processor_handle h,
                                                           uint64_t mask) {
  return via(rsmi_dev_pci_bandwidth_set, h, mask);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_set_power_cap(amdsmi_processor_handle h, uint32_t s,
                                                   uint64_t cap) {
  return via(rsmi_dev_power_cap_set, h, s, cap);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_set_gpu_power_profile(amdsmi_processor_handle h, uint32_t r,
                                                           amdsmi_power_profile_preset_masks_t p) {
  return via(rsmi_dev_power_profile_set, h, r, static_cast<rsmi_power_profile_preset_masks_t>(p));
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_reset_gpu_fan(amdsmi_processor_handle h, uint32_t s) {
  return via(rsmi_dev_fan_reset, h, s);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_set_gpu_fan_speed(amdsmi_processor_handle h, uint32_t s,
                                                       uint64_t v) {
  return via(rsmi_dev_fan_speed_set, h, s, v);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_set_gpu_perf_determinism_mode(amdsmi_processor_handle h,
                                                                   uint64_t v) {
  return via(rsmi_perf_determinism_mode_set, h, v);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_set_gpu_clk_range(amdsmi_processor_handle h, uint64_t min,
                                                       uint64_t max, amdsmi_clk_type_t t) {
  return via(rsmi_dev_clk_range_set, h, min, max, static_cast<rsmi_clk_type_t>(t));
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_set_gpu_clk_limit(amdsmi_processor_handle h,
                                                       amdsmi_clk_type_t t,
                                                       amdsmi_clk_limit_type_t limit, uint64_t v) {
  return via(rsmi_dev_clk_extremum_set, h,
             limit == CLK_LIMIT_MIN ? RSMI_FREQ_IND_MIN : RSMI_FREQ_IND_MAX, v,
             static_cast<rsmi_clk_type_t>(t));
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_set_gpu_od_clk_info(amdsmi_processor_handle h,
                                                         amdsmi_freq_ind_t level, uint64_t v,
                                                         amdsmi_clk_type_t t) {
  return via(rsmi_dev_od_clk_info_set, h, static_cast<rsmi_freq_ind_t>(level), v,
             static_cast<rsmi_clk_type_t>(t));
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_set_gpu_od_volt_info(amdsmi_processor_handle h, uint32_t point,
                                                          uint64_t mhz, uint64_t mv) {
  return via(rsmi_dev_od_volt_info_set, h, point, mhz, mv);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_set_gpu_perf_level(amdsmi_processor_handle h,
                                                        amdsmi_dev_perf_level_t l) {
  return via(rsmi_dev_perf_level_set, h, static_cast<rsmi_dev_perf_level_t>(l));
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_set_gpu_overdrive_level(amdsmi_processor_handle h,
                                                             uint32_t od) {
  return via(rsmi_dev_overdrive_level_set, h, od);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_set_clk_freq(amdsmi_processor_handle h, amdsmi_clk_type_t t,
                                                  uint64_t mask) {
  if (!levels_file(t))
    return with_card(h, [](Card&) { return AMDSMI_STATUS_NOT_SUPPORTED; });
  return via(rsmi_dev_gpu_clk_freq_set, h, static_cast<rsmi_clk_type_t>(t), mask);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_reset_gpu(amdsmi_processor_handle h) {
  return via(rsmi_dev_gpu_reset, h);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_reset_gpu_xgmi_error(amdsmi_processor_handle h) {
  return via(rsmi_dev_xgmi_error_reset, h);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_set_gpu_compute_partition(amdsmi_processor_handle h,
                                                               amdsmi_compute_partition_type_t p) {
  return via(rsmi_dev_compute_partition_set, h, static_cast<rsmi_compute_partition_type_t>(p));
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_set_gpu_memory_partition(amdsmi_processor_handle h,
                                                              amdsmi_memory_partition_type_t p) {
  return via(rsmi_dev_memory_partition_set, h, static_cast<rsmi_memory_partition_type_t>(p));
}
