// SPDX-License-Identifier: MIT
#include "smi/amd_smi/tool.h"
#include <algorithm>
#include <fmt/format.h>

namespace pumice::smi::amd_smi {
namespace {

constexpr const char* kNone = "N/A";

Tree unit_of(std::optional<uint64_t> v, const char* unit) {
  return with_unit(v ? Reading<uint64_t>(*v) : Reading<uint64_t>(Why::no_data), unit);
}
Tree percent(const Reading<uint32_t>& v) {
  return with_unit(v.ok() ? Reading<uint64_t>(uint64_t{*v}) : Reading<uint64_t>(v.why()), "%");
}

/// An array of the metrics table as a list with units; "N/A" when the table has none of it.
Tree array_of(const Reading<MetricsTable>& m, Metric f, size_t count, const char* unit) {
  if (!m.ok() || m->fields[static_cast<size_t>(f)].empty())
    return kNone;
  Tree t = Tree::array();
  for (size_t i = 0; i < count; ++i)
    t.push_back(unit_of(m->get(f, i), unit));
  return t;
}

Tree partition_values(const Reading<MetricsTable>& m, std::vector<uint64_t> XcpMetrics::*what,
                      const char* unit) {
  if (!m.ok() || m->partitions.empty())
    return kNone;
  size_t n = std::min<size_t>(m->partitions.size(),
                              std::max<uint64_t>(1, m->get(Metric::num_partition).value_or(1)));
  Tree t = Tree::object();
  for (size_t p = 0; p < n; ++p) {
    Tree list = Tree::array();
    for (uint64_t v : m->partitions[p].*what)
      list.push_back(unit_of(v == UINT64_MAX ? std::nullopt : std::optional(v), unit));
    t[fmt::format("xcp_{}", p)] = std::move(list);
  }
  return t;
}

Tree usage(Card& k) {
  Activity a = k.activity();
  auto m = k.metrics();
  Tree t;
  t["gfx_activity"] = percent(a.gfx_percent);
  t["umc_activity"] = percent(a.memory_percent);
  t["mm_activity"] = percent(a.media_percent);
  t["vcn_activity"] = array_of(m, Metric::vcn_activity, 4, "%");
  t["jpeg_activity"] = array_of(m, Metric::jpeg_activity, 32, "%");
  t["gfx_busy_inst"] = partition_values(m, &XcpMetrics::gfx_busy_inst, "%");
  t["jpeg_busy"] = partition_values(m, &XcpMetrics::jpeg_busy, "%");
  t["vcn_busy"] = partition_values(m, &XcpMetrics::vcn_busy, "%");
  t["gfx_busy_acc"] = partition_values(m, &XcpMetrics::gfx_busy_acc, "%");
  return t;
}

Reading<uint64_t> socket_watts(const Power& p) {
  const auto& r = p.current_uw.ok() ? p.current_uw : p.average_uw;
  return r.ok() ? Reading<uint64_t>(*r / 1'000'000) : r;
}

Tree power(Card& k) {
  Power p = k.power();
  auto m = k.metrics();
  auto mv = k.voltage_mv();
  Throttle th = k.throttle();
  auto voltage = [&](Metric f) { return unit_of(m.ok() ? m->get(f) : std::nullopt, "mV"); };
  Tree t;
  t["socket_power"] = with_unit(socket_watts(p), "W");
  t["gfx_voltage"] =
      mv.ok() ? with_unit(static_cast<uint64_t>(*mv), "mV") : voltage(Metric::voltage_gfx);
  t["soc_voltage"] = voltage(Metric::voltage_soc);
  t["mem_voltage"] = voltage(Metric::voltage_mem);
  t["throttle_status"] = !th.status.ok() ? kNone : *th.status ? "THROTTLED" : "UNTHROTTLED";
  t["power_management"] = k.id.software ? "DISABLED" : p.cap_uw.ok() ? "ENABLED" : kNone;
  return t;
}

Tree one_clock(std::optional<uint64_t> mhz, const Reading<ClockTable>& t,
               std::optional<bool> locked) {
  Tree c;
  bool known = t.ok() && !t->hz.empty();
  size_t first = known && t->deep_sleep && t->hz.size() > 1 ? 1 : 0;
  c["clk"] = unit_of(mhz, "MHz");
  c["min_clk"] = mhz && known ? unit_of(t->hz[first] / 1'000'000, "MHz") : Tree(kNone);
  c["max_clk"] = mhz && known ? unit_of(t->hz.back() / 1'000'000, "MHz") : Tree(kNone);
  c["clk_locked"] = locked ? (*locked ? "ENABLED" : "DISABLED") : kNone;
  c["deep_sleep"] = known ? (t->deep_sleep && t->current == 0u ? "ENABLED" : "DISABLED") : kNone;
  return c;
}

std::optional<uint64_t> current_mhz(const Reading<ClockTable>& t) {
  if (!t.ok() || !t->current || *t->current >= t->hz.size())
    return std::nullopt;
  return t->hz[*t->current] / 1'000'000;
}

Tree clocks(Card& k) {
  auto m = k.metrics();
  auto sys = k.clock(Clock::sys), mem = k.clock(Clock::mem), v0 = k.clock(Clock::vclk0),
       d0 = k.clock(Clock::dclk0);
  auto value = [&](Metric f, size_t i) { return m.ok() ? m->get(f, i) : std::nullopt; };
  Tree t;
  for (size_t i = 0; i < 8; ++i) {
    auto mhz = value(Metric::current_gfxclk, i);
    if (i == 0 && !mhz)
      mhz = current_mhz(sys);
    std::optional<bool> locked;
    if (auto bits = value(Metric::gfxclk_lock_status, 0); bits && mhz)
      locked = *bits >> i & 1;
    t[fmt::format("gfx_{}", i)] = one_clock(mhz, sys, locked);
  }
  auto mclk = value(Metric::current_uclk, 0);
  t["mem_0"] = one_clock(mclk ? mclk : current_mhz(mem), mem, std::nullopt);
  for (size_t i = 0; i < 4; ++i)
    t[fmt::format("vclk_{}", i)] = one_clock(value(Metric::current_vclk0, i), v0, std::nullopt);
  for (size_t i = 0; i < 4; ++i)
    t[fmt::format("dclk_{}", i)] = one_clock(value(Metric::current_dclk0, i), d0, std::nullopt);
  return t;
}

Tree degrees(Card& k, Sensor s) {
  auto v = k.temperature_mc(s, TempMetric::current);
  return v.ok() && *v >= 0 ? with_unit(static_cast<uint64_t>(*v / 1000), "C") : Tree(kNone);
}

Tree temperature(Card& k) {
  Tree t;
  t["edge"] = degrees(k, Sensor::edge);
  t["hotspot"] = degrees(k, Sensor::junction);
  t["mem"] = degrees(k, Sensor::memory);
  return t;
}

Tree pcie(Card& k) {
  Pcie p = k.pcie();
  Tree t;
  t["width"] = plain(p.width);
  if (p.speed_mtps.ok()) {
    Tree s;
    if (*p.speed_mtps % 1000)
      s["value"] = *p.speed_mtps / 1000.0;
    else
      s["value"] = *p.speed_mtps / 1000;
    s["unit"] = "GT/s";
    t["speed"] = std::move(s);
  } else {
    t["speed"] = kNone;
  }
  t["bandwidth"] = with_unit(p.bandwidth_mbps, "Mb/s");
  t["replay_count"] = plain(p.replays);
  t["l0_to_recovery_count"] = plain(p.l0_to_recovery);
  t["replay_roll_over_count"] = plain(p.replay_rollovers);
  t["nak_sent_count"] = plain(p.naks_sent);
  t["nak_received_count"] = plain(p.naks_received);
  for (const char* n : {"current_bandwidth_sent", "current_bandwidth_received", "max_packet_size"})
    t[n] = kNone;
  auto m = k.metrics();
  auto other = m.ok() ? m->get(Metric::pcie_lc_perf_other_end_recovery) : std::nullopt;
  t["lc_perf_other_end_recovery"] = other ? Tree(*other) : Tree(kNone);
  return t;
}

Tree ecc(Card& k) {
  EccCount sum, cache;
  bool any = false;
  for (size_t b = 0; b < kRasBlocks; ++b)
    if (auto c = k.ecc(b); c.ok()) {
      any = true;
      sum.add(*c);
      if (b != 0) // all but UMC, the memory itself
        cache.add(*c);
    }
  Tree t;
  t["total_correctable_count"] = any ? Tree(sum.correctable) : Tree(kNone);
  t["total_uncorrectable_count"] = any ? Tree(sum.uncorrectable) : Tree(kNone);
  t["total_deferred_count"] = any ? Tree(sum.deferred) : Tree(kNone);
  t["cache_correctable_count"] = any ? Tree(cache.correctable) : Tree(kNone);
  t["cache_uncorrectable_count"] = any ? Tree(cache.uncorrectable) : Tree(kNone);
  return t;
}

Tree ecc_blocks(Card& k) {
  auto on = k.ecc_enabled_blocks();
  Tree t = Tree::object();
  for (size_t b = 0; b < kRasBlocks; ++b) {
    if (!on.ok() || !(*on >> b & 1))
      continue;
    auto c = k.ecc(b);
    Tree& e = t[ras_block_name(b)];
    e["correctable_count"] = c.ok() ? Tree(c->correctable) : Tree(kNone);
    e["uncorrectable_count"] = c.ok() ? Tree(c->uncorrectable) : Tree(kNone);
    e["deferred_count"] = c.ok() ? Tree(c->deferred) : Tree(kNone);
  }
  return t.empty() ? Tree(kNone) : t;
}

Tree fan(Card& k) {
  auto level = k.fan_level();
  Tree t;
  t["speed"] = plain(level);
  t["max"] = level.ok() ? Tree(255) : Tree(kNone);
  t["rpm"] = plain(k.fan_rpm());
  t["usage"] = level.ok() ? with_unit(uint64_t{(*level * 100u + 127) / 255}, "%") : Tree(kNone);
  return t;
}

Tree voltage_curve(Card&) {
  Tree t;
  for (int i = 0; i < 3; ++i) {
    t[fmt::format("point_{}_frequency", i)] = kNone;
    t[fmt::format("point_{}_voltage", i)] = kNone;
  }
  return t;
}

Tree overdrive(Card& k) {
  return percent(k.overdrive_percent());
}
Tree mem_overdrive(Card&) {
  return kNone;
}
Tree perf_level(Card& k) {
  auto l = k.perf_level();
  if (!l.ok())
    return kNone;
  std::string s = "UNKNOWN"; // a word that no driver of today writes
  for (const PerfLevel& level : kPerfLevels)
    if (*l == level.driver)
      s = level.amd;
  return "AMDSMI_DEV_PERF_LEVEL_" + s;
}
Tree xgmi_err(Card& k) {
  auto e = k.xgmi().errors;
  if (!e.ok())
    return kNone;
  return *e == 0   ? "AMDSMI_XGMI_STATUS_NO_ERRORS"
         : *e == 1 ? "AMDSMI_XGMI_STATUS_ERROR"
                   : "AMDSMI_XGMI_STATUS_MULTIPLE_ERRORS";
}
Tree energy(Card& k) {
  auto e = k.power().energy_uj;
  Tree t;
  if (e.ok()) {
    t["total_energy_consumption"]["value"] = static_cast<double>(*e / 1000) / 1000;
    t["total_energy_consumption"]["unit"] = "J";
  } else {
    t["total_energy_consumption"] = kNone;
  }
  return t;
}

Tree mem_usage(Card& k) {
  Memory m = k.memory();
  Tree t;
  auto three = [&](const char* name, const Reading<uint64_t>& total,
                   const Reading<uint64_t>& used) {
    auto mb = [](uint64_t b) { return Reading<uint64_t>(b >> 20); };
    t[std::string("total_") + name] = total.ok() ? with_unit(mb(*total), "MB") : Tree(kNone);
    t[std::string("used_") + name] = used.ok() ? with_unit(mb(*used), "MB") : Tree(kNone);
    t[std::string("free_") + name] =
        total.ok() && used.ok()
            ? with_unit((*total >> 20) - std::min(*total >> 20, *used >> 20), "MB")
            : Tree(kNone);
  };
  three("vram", m.vram_total, m.vram_used);
  three("visible_vram", m.visible_total, m.visible_used);
  three("gtt", m.gtt_total, m.gtt_used);
  return t;
}

Tree throttle(Card& k) {
  Throttle th = k.throttle();
  const std::pair<const char*, const Throttle::Limit*> limits[] = {
      {"prochot", &th.prochot},
      {"ppt", &th.power},
      {"socket_thermal", &th.socket_thermal},
      {"vr_thermal", &th.vr_thermal},
      {"hbm_thermal", &th.hbm_thermal}};
  Tree t;
  t["accumulation_counter"] = plain(th.counter);
  for (auto& [n, l] : limits)
    t[std::string(n) + "_accumulated"] = plain(l->acc);
  for (auto& [n, l] : limits)
    t[std::string(n) + "_violation_status"] = !l->active.ok() ? kNone
                                              : *l->active    ? "ACTIVE"
                                                              : "NOT ACTIVE";
  for (auto& [n, l] : limits)
    t[std::string(n) + "_violation_activity"] = with_unit(l->percent, "%");
  return t;
}

struct Group {
  const char* name;
  Tree (*make)(Card&);
};
constexpr Group kGroups[] = {{"usage", usage},
                             {"power", power},
                             {"clock", clocks},
                             {"temperature", temperature},
                             {"pcie", pcie},
                             {"ecc", ecc},
                             {"ecc_blocks", ecc_blocks},
                             {"fan", fan},
                             {"voltage_curve", voltage_curve},
                             {"overdrive", overdrive},
                             {"mem_overdrive", mem_overdrive},
                             {"perf_level", perf_level},
                             {"xgmi_err", xgmi_err},
                             {"energy", energy},
                             {"mem_usage", mem_usage},
                             {"throttle", throttle}};

// Monitor: one row per card.
struct Column {
  const char* name;
  void (*add)(Card&, Tree&);
};
constexpr Column kColumns[] = {
    {"power_usage",
     [](Card& k, Tree& t) { t["power_usage"] = with_unit(socket_watts(k.power()), "W"); }},
    {"temperature",
     [](Card& k, Tree& t) {
       t["hotspot_temperature"] = degrees(k, Sensor::junction);
       t["memory_temperature"] = degrees(k, Sensor::memory);
     }},
    {"gfx",
     [](Card& k, Tree& t) {
       t["gfx"] = percent(k.activity().gfx_percent);
       t["gfx_clock"] = unit_of(current_mhz(k.clock(Clock::sys)), "MHz");
     }},
    {"mem",
     [](Card& k, Tree& t) {
       t["mem"] = percent(k.activity().memory_percent);
       t["mem_clock"] = unit_of(current_mhz(k.clock(Clock::mem)), "MHz");
     }},
    {"encoder",
     [](Card& k, Tree& t) {
       auto m = k.metrics();
       t["encoder"] = unit_of(m.ok() ? m->get(Metric::vcn_activity) : std::nullopt, "%");
       t["encoder_clock"] = unit_of(m.ok() ? m->get(Metric::current_vclk0) : std::nullopt, "MHz");
     }},
    {"decoder",
     [](Card& k, Tree& t) {
       auto m = k.metrics();
       t["decoder"] = kNone;
       t["decoder_clock"] = unit_of(m.ok() ? m->get(Metric::current_dclk0) : std::nullopt, "MHz");
     }},
    {"ecc",
     [](Card& k, Tree& t) {
       Tree e = ecc(k);
       t["single_bit_ecc"] = e["total_correctable_count"];
       t["double_bit_ecc"] = e["total_uncorrectable_count"];
       t["pcie_replay"] = plain(k.pcie().replays);
     }},
    {"vram_usage",
     [](Card& k, Tree& t) {
       Memory m = k.memory();
       t["vram_used"] = m.vram_used.ok() ? with_unit(*m.vram_used >> 20, "MB") : Tree(kNone);
       t["vram_total"] = m.vram_total.ok() ? with_unit(*m.vram_total >> 20, "MB") : Tree(kNone);
     }},
    {"pcie", [](Card& k, Tree& t) { t["pcie_bw"] = with_unit(k.pcie().bandwidth_mbps, "Mb/s"); }},
    {"violation",
     [](Card& k, Tree& t) {
       Throttle th = k.throttle();
       t["pviol"] = with_unit(th.power.percent, "%");
       t["tviol"] = with_unit(th.socket_thermal.percent, "%");
       t["phot_tviol"] = with_unit(th.prochot.percent, "%");
       t["vr_tviol"] = with_unit(th.vr_thermal.percent, "%");
       t["hbm_tviol"] = with_unit(th.hbm_thermal.percent, "%");
     }},
};

} // namespace

const std::vector<std::string>& metric_groups() {
  static const auto all = names_of(kGroups);
  return all;
}

const std::vector<std::string>& monitor_groups() {
  static const auto all = names_of(kColumns);
  return all;
}

Tree metric_tree(Card& k, const Wanted& groups) {
  Tree t;
  t["gpu"] = k.index;
  for (const Group& g : kGroups)
    if (want(groups, g.name))
      t[g.name] = g.make(k);
  return t;
}

Tree monitor_tree(Card& k, const Wanted& groups) {
  // Without a choice, ROCm shows all but the last two.
  Tree t;
  t["gpu"] = k.index;
  for (const Column& c : kColumns) {
    bool extra = std::string_view(c.name) == "pcie" || std::string_view(c.name) == "violation";
    if (groups.empty() ? !extra : want(groups, c.name))
      c.add(k, t);
  }
  return t;
}

} // namespace pumice::smi::amd_smi
