// SPDX-License-Identifier: MIT
#include "smi/sysfs_card.h"
#include "device/profile.h"
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace pumice::smi::sysfs {
namespace {

constexpr size_t kMaxMetrics = 65535;             // the table's size has 16 bits
constexpr uint64_t kEnergyUnitNanojoule = 15'259; // 2^-16 J

Reading<uint64_t> scaled(const Reading<uint64_t>& r, uint64_t factor) {
  return r.ok() ? Reading<uint64_t>(*r * factor) : r;
}

const char* clock_file(Clock c) {
  switch (c) {
  case Clock::sys:
    return "pp_dpm_sclk";
  case Clock::df:
    return "pp_dpm_fclk";
  case Clock::dcef:
    return "pp_dpm_dcefclk";
  case Clock::soc:
    return "pp_dpm_socclk";
  case Clock::mem:
    return "pp_dpm_mclk";
  case Clock::pcie:
    return "pp_dpm_pcie";
  case Clock::vclk0:
    return "pp_dpm_vclk";
  case Clock::vclk1:
    return "pp_dpm_vclk1";
  case Clock::dclk0:
    return "pp_dpm_dclk";
  case Clock::dclk1:
    return "pp_dpm_dclk1";
  default:
    return "";
  }
}

const char* temp_suffix(TempMetric m) {
  switch (m) {
  case TempMetric::current:
    return "_input";
  case TempMetric::max:
    return "_max";
  case TempMetric::min:
    return "_min";
  case TempMetric::max_hyst:
    return "_max_hyst";
  case TempMetric::min_hyst:
    return "_min_hyst";
  case TempMetric::critical:
    return "_crit";
  case TempMetric::critical_hyst:
    return "_crit_hyst";
  case TempMetric::emergency:
    return "_emergency";
  case TempMetric::emergency_hyst:
    return "_emergency_hyst";
  case TempMetric::crit_min:
    return "_lcrit";
  case TempMetric::crit_min_hyst:
    return "_lcrit_hyst";
  case TempMetric::offset:
    return "_offset";
  case TempMetric::lowest:
    return "_lowest";
  case TempMetric::highest:
    return "_highest";
  }
  return "";
}

const char* ras_file(size_t block) {
  constexpr const char* kNames[kRasBlocks] = {
      "umc", "sdma", "gfx", "mmhub", "athub", "pcie_bif", "hdp",  "xgmi_wafl", "df",  "smn",
      "sem", "mp0",  "mp1", "fuse",  "mca",   "vcn",      "jpeg", "ih",        "mpio"};
  return kNames[block];
}

std::string gfx_name(uint64_t version) { // 90402 -> gfx942, 90010 -> gfx90a
  if (!version)
    return {};
  uint64_t step = version % 100;
  return fmt::format(
      "gfx{}{}{}", version / 10000, version / 100 % 100,
      step > 9 ? std::string(1, static_cast<char>('a' + std::min<uint64_t>(step - 10, 25)))
               : std::to_string(step));
}

} // namespace

const KnownCard* known_card(uint32_t device_id) {
  static const std::map<uint32_t, KnownCard> all = [] {
    std::map<uint32_t, KnownCard> m;
    std::error_code ec;
    for (const auto& e : std::filesystem::directory_iterator(device::profile_folder(), ec)) {
      if (e.path().extension() != ".json")
        continue;
      auto p = device::read_profile(e.path().string());
      if (!p.ok())
        continue;
      for (uint32_t id : p->pci_ids)
        m.emplace(id, KnownCard{p->marketing_name, p->memory_type, p->form,
                                static_cast<uint64_t>(p->memory_bandwidth_gbps)});
    }
    return m;
  }();
  auto it = all.find(device_id);
  return it == all.end() ? nullptr : &it->second;
}

void SysfsCard::identify(std::string_view pci_ids) {
  if (auto v = root_.hex(device_ + "/vendor"); v.ok())
    id.vendor_id = static_cast<uint32_t>(*v);
  if (auto v = root_.hex(device_ + "/device"); v.ok())
    id.device_id = static_cast<uint32_t>(*v);
  id.subsystem_vendor = narrow(root_.hex(device_ + "/subsystem_vendor"));
  id.subsystem_device = narrow(root_.hex(device_ + "/subsystem_device"));
  id.revision = narrow(root_.hex(device_ + "/revision"));
  id.unique_id = root_.hex(device_ + "/unique_id");
  id.serial = file("serial_number");
  id.product_number = file("product_number");
  id.vbios = file("vbios_version");
  id.vram_vendor = file("mem_info_vram_vendor");
  id.xgmi_physical_id = narrow(root_.number(device_ + "/xgmi_physical_id"));
  id.vram_bytes = root_.number(device_ + "/mem_info_vram_total");
  if (auto n = root_.signed_number(device_ + "/numa_node"); n.ok())
    id.numa_node = static_cast<int32_t>(*n);
  for (const std::string& name : root_.list(device_ + "/drm")) {
    if (name.starts_with("card") && !id.drm_card.ok()) {
      if (auto n = parse_number(name.substr(4)))
        id.drm_card = static_cast<uint32_t>(*n);
    }
    if (name.starts_with("renderD") && !id.render_minor.ok()) {
      if (auto n = parse_number(name.substr(7)))
        id.render_minor = static_cast<uint32_t>(*n);
    }
  }
  auto version = root_.text("/sys/module/amdgpu/version");
  id.driver_version = version.ok() ? version : root_.text("/proc/sys/kernel/osrelease");
  for (const std::string& name : root_.list(device_ + "/hwmon")) {
    hwmon_ = device_ + "/hwmon/" + name;
    break;
  }
  if (Why w = root_.folder(device_ + "/hwmon"); w == Why::permission)
    no_hwmon_ = w;
  for (int i = 1; !hwmon_.empty() && i <= 8; ++i)
    if (auto label = root_.text(fmt::format("{}/temp{}_label", hwmon_, i)); label.ok())
      sensors_[*label == "mem" ? "memory" : *label] = fmt::format("temp{}", i);
  identify_node(pci_ids);
  PciName names = find_pci_name(pci_ids, id.vendor_id, id.device_id,
                                id.subsystem_vendor.value_or(0), id.subsystem_device.value_or(0));
  id.vendor_name = names.vendor.empty() && id.vendor_id == 0x1002
                       ? "Advanced Micro Devices, Inc. [AMD/ATI]"
                       : names.vendor;
  // As in ROCm: the number where there is no name.
  if (!names.subsystem.empty())
    id.subsystem_name = names.subsystem;
  else if (id.subsystem_device.ok())
    id.subsystem_name = fmt::format("0x{:04x}", *id.subsystem_device);
  const KnownCard* known = known_card(id.device_id);
  auto product = file("product_name");
  id.market_name = known ? known->marketing_name : product.ok() ? *product : names.device;
  if (known) {
    id.vram_type = known->memory_type;
    id.form = known->form;
    if (known->bandwidth_gbps)
      id.vram_max_gbps = known->bandwidth_gbps;
  }
}

void SysfsCard::identify_node(std::string_view) {
  if (node_.empty())
    return;
  auto p = root_.properties(node_ + "/properties");
  auto get = [&](const char* key) -> uint64_t {
    auto it = p.find(key);
    return it == p.end() ? 0 : it->second;
  };
  id.kfd_gpu_id = narrow(root_.number(node_ + "/gpu_id"));
  if (auto n = parse_number(node_.substr(node_.rfind('/') + 1)))
    id.kfd_node = static_cast<uint32_t>(*n);
  id.gfx = gfx_name(get("gfx_target_version"));
  id.simds_per_cu = static_cast<uint32_t>(get("simd_per_cu"));
  if (id.simds_per_cu)
    id.compute_units = static_cast<uint32_t>(get("simd_count") / id.simds_per_cu);
  id.max_waves_per_simd = static_cast<uint32_t>(get("max_waves_per_simd"));
  id.wavefront_size = static_cast<uint32_t>(get("wave_front_size"));
  id.arrays_per_engine = static_cast<uint32_t>(get("simd_arrays_per_engine"));
  if (id.arrays_per_engine)
    id.shader_engines = static_cast<uint32_t>(get("array_count") / id.arrays_per_engine);
  id.xccs = std::max<uint32_t>(1, static_cast<uint32_t>(get("num_xcc")));
  id.lds_bytes = static_cast<uint32_t>(get("lds_size_in_kb") * 1024);
  id.max_clock_mhz = static_cast<uint32_t>(get("max_engine_clk_fcompute"));
  id.sdma_engines = static_cast<uint32_t>(get("num_sdma_engines"));
  id.sdma_xgmi_engines = static_cast<uint32_t>(get("num_sdma_xgmi_engines"));
  if (uint64_t hive = get("hive_id"))
    id.hive_id = hive;
  if (!id.unique_id.ok() && get("unique_id"))
    id.unique_id = get("unique_id");
  if (uint64_t minor = get("drm_render_minor"))
    id.render_minor = static_cast<uint32_t>(minor);
  if (!id.device_id)
    id.device_id = static_cast<uint32_t>(get("device_id"));
  // The partition: bits 31 to 28 of the location on newer kernels, the function on older ones.
  uint64_t location = get("location_id");
  uint32_t partition = location >> 28 & 0xf;
  id.partition_id = partition ? partition : static_cast<uint32_t>(location & 7);
  uint64_t banks = 0;
  for (const std::string& b : root_.list(node_ + "/mem_banks")) {
    auto m = root_.properties(node_ + "/mem_banks/" + b + "/properties");
    banks += m["size_in_bytes"];
    id.vram_bits = std::max(id.vram_bits, static_cast<uint32_t>(m["width"]));
  }
  if (!id.vram_bytes.ok() && banks)
    id.vram_bytes = banks;
  for (const std::string& c : root_.list(node_ + "/caches")) {
    auto m = root_.properties(node_ + "/caches/" + c + "/properties");
    uint64_t type = m["type"]; // bits: 1 data, 2 instruction, 4 CPU, 8 SIMD
    Cache cache{static_cast<uint32_t>(m["level"]),
                static_cast<uint32_t>(m["size"]),
                1,
                1,
                (type & 1) != 0,
                (type & 2) != 0};
    if (!cache.level || !cache.kib)
      continue;
    auto same = std::find_if(id.caches.begin(), id.caches.end(), [&](const Cache& x) {
      return x.level == cache.level && x.kib == cache.kib && x.data == cache.data &&
             x.instruction == cache.instruction;
    });
    if (same != id.caches.end())
      ++same->instances;
    else
      id.caches.push_back(cache);
  }
  for (Cache& c : id.caches)
    c.cus_sharing = std::max(1u, id.compute_units / std::max(1u, c.instances));
}

Reading<uint64_t> SysfsCard::metric(const Reading<MetricsTable>& m, Metric f) const {
  if (!m.ok())
    return m.why();
  auto v = m->get(f);
  return v ? Reading<uint64_t>(*v) : Reading<uint64_t>(Why::not_supported);
}

Activity SysfsCard::activity() {
  Activity a;
  auto m = metrics();
  auto pick = [&](const char* name, Metric f) {
    auto r = narrow(root_.number(device_ + "/" + name));
    if (r.ok() || !m.ok())
      return r;
    auto v = m->get(f);
    return v ? Reading<uint32_t>(static_cast<uint32_t>(*v)) : r;
  };
  a.gfx_percent = pick("gpu_busy_percent", Metric::average_gfx_activity);
  a.memory_percent = pick("mem_busy_percent", Metric::average_umc_activity);
  a.media_percent = narrow(metric(m, Metric::average_mm_activity));
  return a;
}

Memory SysfsCard::memory() {
  auto n = [&](const char* name) { return root_.number(device_ + "/mem_info_" + name); };
  return {n("vram_total"),    n("vram_used"), n("vis_vram_total"),
          n("vis_vram_used"), n("gtt_total"), n("gtt_used")};
}

Reading<ClockTable> SysfsCard::clock(Clock c) {
  auto t = root_.bytes(device_ + "/" + clock_file(c));
  return t.ok() ? parse_levels(*t) : Reading<ClockTable>(t.why());
}

Reading<int64_t> SysfsCard::temperature_mc(Sensor s, TempMetric m) {
  constexpr const char* kLabels[] = {"edge",  "junction", "memory", "HBM_0",
                                     "HBM_1", "HBM_2",    "HBM_3"};
  auto it = sensors_.find(kLabels[static_cast<size_t>(s)]);
  if (it != sensors_.end())
    return root_.signed_number(hwmon_ + "/" + it->second + temp_suffix(m));
  if (m != TempMetric::current)
    return Why::not_supported;
  auto t = metrics();
  if (!t.ok())
    return hwmon_.empty() ? t.why() : Why::not_supported;
  auto v = s == Sensor::edge       ? t->get(Metric::temperature_edge)
           : s == Sensor::junction ? t->get(Metric::temperature_hotspot)
           : s == Sensor::memory
               ? t->get(Metric::temperature_mem)
               : t->get(Metric::temperature_hbm,
                        static_cast<size_t>(s) - static_cast<size_t>(Sensor::hbm0));
  return v ? Reading<int64_t>(static_cast<int64_t>(*v) * 1000)
           : Reading<int64_t>(Why::not_supported);
}

Reading<int64_t> SysfsCard::voltage_mv() {
  if (hwmon_.empty())
    return no_hwmon_;
  return root_.signed_number(hwmon_ + "/in0_input");
}

Power SysfsCard::power() {
  Power p;
  p.average_uw = hwmon_number("power1_average");
  p.current_uw = hwmon_number("power1_input");
  p.cap_uw = hwmon_number("power1_cap");
  p.cap_default_uw = hwmon_number("power1_cap_default");
  p.cap_min_uw = hwmon_number("power1_cap_min");
  p.cap_max_uw = hwmon_number("power1_cap_max");
  auto m = metrics();
  if (!p.average_uw.ok() && !p.current_uw.ok()) {
    p.current_uw = scaled(metric(m, Metric::curr_socket_power), 1'000'000);
    if (!p.current_uw.ok())
      p.average_uw = scaled(metric(m, Metric::average_socket_power), 1'000'000);
  }
  if (auto e = metric(m, Metric::energy_accumulator); e.ok())
    p.energy_uj = static_cast<uint64_t>(std::min<unsigned __int128>(
        static_cast<unsigned __int128>(*e) * kEnergyUnitNanojoule / 1000, UINT64_MAX));
  return p;
}

Reading<EccCount> SysfsCard::ecc(size_t block) {
  if (block >= kRasBlocks)
    return Why::not_supported;
  auto t = root_.bytes(fmt::format("{}/ras/{}_err_count", device_, ras_file(block)));
  return t.ok() ? parse_error_count(*t) : Reading<EccCount>(t.why());
}

Reading<uint64_t> SysfsCard::ecc_enabled_blocks() {
  auto t = root_.bytes(device_ + "/ras/features");
  return t.ok() ? parse_ras_features(*t) : Reading<uint64_t>(t.why());
}

Pcie SysfsCard::pcie() {
  Pcie p;
  auto speed = [&](const char* name) {
    auto t = file(name);
    return t.ok() ? parse_link_speed(*t) : Reading<uint32_t>(t.why());
  };
  p.width = narrow(root_.number(device_ + "/current_link_width"));
  p.max_width = narrow(root_.number(device_ + "/max_link_width"));
  p.speed_mtps = speed("current_link_speed");
  p.max_speed_mtps = speed("max_link_speed");
  auto m = metrics();
  if (!p.width.ok())
    p.width = narrow(metric(m, Metric::pcie_link_width));
  if (!p.speed_mtps.ok())
    p.speed_mtps = narrow(scaled(metric(m, Metric::pcie_link_speed), 100));
  p.replays = root_.number(device_ + "/pcie_replay_count");
  if (!p.replays.ok())
    p.replays = metric(m, Metric::pcie_replay_count_acc);
  p.replay_rollovers = metric(m, Metric::pcie_replay_rover_count_acc);
  p.l0_to_recovery = metric(m, Metric::pcie_l0_to_recov_count_acc);
  p.naks_sent = metric(m, Metric::pcie_nak_sent_count_acc);
  p.naks_received = metric(m, Metric::pcie_nak_rcvd_count_acc);
  // The kernel's header calls the unit GB/s, AMD's tools show the same number as Mb/s; idle cards
  // report values around 10, which only the latter explains.
  p.bandwidth_mbps = metric(m, Metric::pcie_bandwidth_inst);
  return p;
}

Throttle SysfsCard::throttle() {
  Throttle t;
  auto m = metrics();
  t.counter = metric(m, Metric::accumulation_counter);
  auto limit = [&](Throttle::Limit& l, Metric f) { l.acc = metric(m, f); };
  limit(t.prochot, Metric::prochot_residency_acc);
  limit(t.power, Metric::ppt_residency_acc);
  limit(t.socket_thermal, Metric::socket_thm_residency_acc);
  limit(t.vr_thermal, Metric::vr_thm_residency_acc);
  limit(t.hbm_thermal, Metric::hbm_thm_residency_acc);
  t.status = metric(m, Metric::indep_throttle_status);
  if (!t.status.ok())
    t.status = metric(m, Metric::throttle_status);
  return t;
}

std::vector<Firmware> SysfsCard::firmware() {
  std::vector<Firmware> all;
  constexpr std::string_view kEnd = "_fw_version";
  for (const std::string& name : root_.list(device_ + "/fw_version"))
    if (std::string_view(name).ends_with(kEnd))
      if (auto v = root_.number(device_ + "/fw_version/" + name); v.ok())
        all.push_back({name.substr(0, name.size() - kEnd.size()), *v});
  return all;
}

Reading<std::vector<BadPage>> SysfsCard::bad_pages() {
  auto t = root_.bytes(device_ + "/ras/gpu_vram_bad_pages");
  return t.ok() ? Reading<std::vector<BadPage>>(parse_bad_pages(*t))
                : Reading<std::vector<BadPage>>(t.why());
}

Xgmi SysfsCard::xgmi() {
  Xgmi x;
  auto m = metrics();
  x.width = narrow(metric(m, Metric::xgmi_link_width));
  x.speed_gbps = narrow(metric(m, Metric::xgmi_link_speed));
  x.errors = root_.number(device_ + "/xgmi_error");
  if (!m.ok())
    return x;
  for (size_t i = 0; i < 8; ++i) {
    auto read = m->get(Metric::xgmi_read_data_acc, i),
         written = m->get(Metric::xgmi_write_data_acc, i);
    if (!read && !written)
      break;
    auto up = m->get(Metric::xgmi_link_status, i);
    x.links.push_back(
        {read.value_or(0), written.value_or(0), up ? std::optional(*up == 1) : std::nullopt});
  }
  return x;
}

Partition SysfsCard::partition() {
  Partition p;
  p.compute = file("current_compute_partition");
  p.memory = file("current_memory_partition");
  auto modes = [&](const char* name) {
    auto t = file(name);
    return t.ok() ? Reading<std::vector<std::string>>(parse_list(*t))
                  : Reading<std::vector<std::string>>(t.why());
  };
  p.compute_modes = modes("available_compute_partition");
  p.memory_modes = modes("available_memory_partition");
  return p;
}

Reading<MetricsTable> SysfsCard::metrics() {
  auto b = root_.bytes(device_ + "/gpu_metrics", kMaxMetrics);
  if (!b.ok())
    return b.why();
  MetricsTable t;
  if (!decode_metrics(std::as_bytes(std::span(b->data(), b->size())), t).empty())
    return metrics_version_unknown(t) && b->size() >= 4 ? Why::not_supported : Why::broken;
  return t;
}

std::string SysfsCard::metrics_problem() const {
  auto b = root_.bytes(device_ + "/gpu_metrics", kMaxMetrics);
  MetricsTable t;
  return b.ok() ? decode_metrics(std::as_bytes(std::span(b->data(), b->size())), t) : "";
}

Reading<std::vector<PowerProfile>> SysfsCard::power_profiles() {
  auto t = root_.bytes(device_ + "/pp_power_profile_mode");
  return t.ok() ? parse_profiles(*t) : Reading<std::vector<PowerProfile>>(t.why());
}

Reading<Policies> SysfsCard::policy(const char* name) {
  auto t = root_.bytes(device_ + "/pm_policy/" + name);
  return t.ok() ? parse_policies(*t) : Reading<Policies>(t.why());
}

Reading<bool> SysfsCard::process_isolation() {
  auto t = root_.bytes(device_ + "/enforce_isolation");
  if (!t.ok())
    return t.why();
  auto words = parse_words(*t);
  size_t mine = id.partition_id.value_or(0);
  auto on = parse_number(mine < words.size() ? words[mine] : "");
  return on ? Reading<bool>(*on != 0) : Reading<bool>(Why::broken);
}

Why SysfsCard::set(const std::string& name, const std::string& text) {
  if (name == "enforce_isolation") { // the file wants a word for every partition
    auto now = root_.bytes(device_ + "/" + name);
    if (!now.ok())
      return now.why();
    auto words = parse_words(*now);
    size_t mine = id.partition_id.value_or(0);
    if (mine >= words.size())
      return Why::broken;
    words[mine] = text;
    std::string line;
    for (const std::string& w : words)
      line += (line.empty() ? "" : " ") + w;
    return root_.write(device_ + "/" + name, line);
  }
  if (name == "run_cleaner_shader") // the file wants the number of the partition to clean
    return root_.write(device_ + "/" + name, std::to_string(id.partition_id.value_or(0)));
  if (name.starts_with("hwmon/"))
    return hwmon_.empty() ? no_hwmon_ : root_.write(hwmon_ + name.substr(5), text);
  if (name.starts_with("debugfs/")) { // reading the file is the action
    if (!id.drm_card.ok())
      return Why::not_supported;
    return root_.bytes(fmt::format("/sys/kernel/debug/dri/{}/{}", *id.drm_card, name.substr(8)))
        .why();
  }
  return root_.write(device_ + "/" + name, text);
}

} // namespace pumice::smi::sysfs
