// SPDX-License-Identifier: MIT
#include "smi/gpu_metrics.h"
#include <algorithm>

namespace pumice::smi {
namespace {

constexpr size_t kXcps = 8, kXccs = 8;

struct Item {
  Metric field;
  uint8_t bytes; // of one value; also its alignment
  uint8_t count = 1;
};
using M = Metric;

// Layouts as lists of common pieces, in the order of the kernel's structs.
struct Layout {
  std::vector<Item> items;
  int xcp = 0; // 0 none, else minor version of amdgpu_xcp_metrics + 1; 4: 3 without the totals
};

void add(Layout& l, uint8_t bytes, std::initializer_list<Metric> fields, uint8_t count = 1) {
  for (Metric f : fields)
    l.items.push_back({f, bytes, count});
}

// v1.0 to v1.3: cards up to MI200.
Layout early(int minor) {
  Layout l;
  if (minor == 0)
    add(l, 8, {M::system_clock_counter});
  add(l, 2,
      {M::temperature_edge, M::temperature_hotspot, M::temperature_mem, M::temperature_vrgfx,
       M::temperature_vrsoc, M::temperature_vrmem, M::average_gfx_activity, M::average_umc_activity,
       M::average_mm_activity, M::average_socket_power});
  add(l, minor == 0 ? 4 : 8, {M::energy_accumulator});
  if (minor > 0)
    add(l, 8, {M::system_clock_counter});
  add(l, 2,
      {M::average_gfxclk_frequency, M::average_socclk_frequency, M::average_uclk_frequency,
       M::average_vclk0_frequency, M::average_dclk0_frequency, M::average_vclk1_frequency,
       M::average_dclk1_frequency, M::current_gfxclk, M::current_socclk, M::current_uclk,
       M::current_vclk0, M::current_dclk0, M::current_vclk1, M::current_dclk1});
  add(l, 4, {M::throttle_status});
  add(l, 2, {M::current_fan_speed});
  add(l, minor == 0 ? 1 : 2, {M::pcie_link_width, M::pcie_link_speed});
  if (minor == 0)
    return l;
  add(l, 2, {M::padding});
  add(l, 4, {M::gfx_activity_acc, M::mem_activity_acc});
  add(l, 2, {M::temperature_hbm}, 4);
  if (minor >= 2)
    add(l, 8, {M::firmware_timestamp});
  if (minor >= 3) {
    add(l, 2, {M::voltage_soc, M::voltage_gfx, M::voltage_mem, M::padding});
    add(l, 8, {M::indep_throttle_status});
  }
  return l;
}

// v1.4 to v1.8: MI300 and later. Version 1.6 began as 1.5 with residencies (`first`).
Layout late(int minor, bool first) {
  Layout l;
  add(l, 2,
      {M::temperature_hotspot, M::temperature_mem, M::temperature_vrsoc, M::curr_socket_power,
       M::average_gfx_activity, M::average_umc_activity});
  bool engines = minor <= 5 || (minor == 6 && first);
  if (engines)
    add(l, 2, {M::vcn_activity}, 4);
  if (engines && minor >= 5)
    add(l, 2, {M::jpeg_activity}, 32);
  if (minor >= 7)
    add(l, 8, {M::mem_max_bandwidth});
  add(l, 8, {M::energy_accumulator, M::system_clock_counter});
  if (minor >= 6)
    add(l, 4,
        {M::accumulation_counter, M::prochot_residency_acc, M::ppt_residency_acc,
         M::socket_thm_residency_acc, M::vr_thm_residency_acc, M::hbm_thm_residency_acc});
  if (engines)
    add(l, 4, {M::throttle_status});
  add(l, 4, {M::gfxclk_lock_status});
  add(l, 2, {M::pcie_link_width, M::pcie_link_speed, M::xgmi_link_width, M::xgmi_link_speed});
  add(l, 4, {M::gfx_activity_acc, M::mem_activity_acc});
  add(l, 8,
      {M::pcie_bandwidth_acc, M::pcie_bandwidth_inst, M::pcie_l0_to_recov_count_acc,
       M::pcie_replay_count_acc, M::pcie_replay_rover_count_acc});
  if (minor >= 5)
    add(l, 4, {M::pcie_nak_sent_count_acc, M::pcie_nak_rcvd_count_acc});
  add(l, 8, {M::xgmi_read_data_acc, M::xgmi_write_data_acc}, 8);
  if (minor >= 7) {
    add(l, 2, {M::xgmi_link_status}, 8);
    add(l, 2, {M::padding});
  }
  add(l, 8, {M::firmware_timestamp});
  add(l, 2, {M::current_gfxclk}, 8);
  add(l, 2, {M::current_socclk, M::current_vclk0, M::current_dclk0}, 4);
  add(l, 2, {M::current_uclk});
  add(l, 2, {engines ? M::padding : M::num_partition});
  // Version 1.8 began without the totals.
  l.xcp = engines ? 0 : minor == 8 && first ? 4 : minor - 5;
  return l;
}

struct Reader {
  std::span<const std::byte> bytes;
  size_t at = 4; // behind the header
  bool complete = true;

  bool take(size_t width, size_t count, std::vector<uint64_t>* out) {
    at = (at + width - 1) / width * width;
    for (size_t i = 0; i < count; ++i, at += width) {
      if (at + width > bytes.size()) {
        complete = false;
        continue;
      }
      if (!out)
        continue;
      uint64_t v = 0;
      for (size_t b = 0; b < width; ++b)
        v |= std::to_integer<uint64_t>(bytes[at + b]) << 8 * b;
      // All ones mean "this card has no such sensor", whatever the width.
      uint64_t ones = width == 8 ? UINT64_MAX : (uint64_t{1} << 8 * width) - 1;
      out->push_back(v == ones ? UINT64_MAX : v);
    }
    return complete;
  }
};

void read_partition(Reader& r, int version, XcpMetrics* x) {
  auto to = [x](std::vector<uint64_t> XcpMetrics::*m) { return x ? &(x->*m) : nullptr; };
  r.at = (r.at + 7) / 8 * 8;
  r.take(4, kXccs, to(&XcpMetrics::gfx_busy_inst));
  r.take(2, version >= 3 ? 40 : 32, to(&XcpMetrics::jpeg_busy));
  r.take(2, 4, to(&XcpMetrics::vcn_busy));
  r.take(8, kXccs, to(&XcpMetrics::gfx_busy_acc));
  if (version == 2)
    r.take(8, kXccs, to(&XcpMetrics::gfx_below_host_limit_acc));
  if (version >= 3) {
    r.take(8, kXccs, to(&XcpMetrics::gfx_below_host_limit_ppt_acc));
    r.take(8, kXccs, to(&XcpMetrics::gfx_below_host_limit_thm_acc));
    r.take(8, kXccs, to(&XcpMetrics::gfx_low_utilization_acc));
    if (version == 3)
      r.take(8, kXccs, to(&XcpMetrics::gfx_below_host_limit_acc));
  }
}

/// Shapes that a version had, the present one first.
std::vector<Layout> layouts_of(uint8_t format, uint8_t content) {
  if (format != 1 || content > 8)
    return {};
  if (content <= 3)
    return {early(content)};
  std::vector<Layout> all = {late(content, false)};
  if (content == 6 || content == 8)
    all.push_back(late(content, true));
  return all;
}

/// Walks a layout; returns its size. With `out`, stores what the bytes hold.
size_t walk(const Layout& l, Reader& r, MetricsTable* out) {
  size_t alignment = 4;
  for (const Item& i : l.items) {
    alignment = std::max<size_t>(alignment, i.bytes);
    r.take(i.bytes, i.count,
           out && i.field != M::padding ? &out->fields[static_cast<size_t>(i.field)] : nullptr);
  }
  if (l.xcp) {
    for (size_t p = 0; p < kXcps; ++p) {
      XcpMetrics x;
      bool before = r.complete;
      read_partition(r, l.xcp, out ? &x : nullptr);
      if (out && before && r.complete)
        out->partitions.push_back(std::move(x));
    }
    r.take(4, 1,
           out ? &out->fields[static_cast<size_t>(M::pcie_lc_perf_other_end_recovery)] : nullptr);
  }
  return (r.at + alignment - 1) / alignment * alignment;
}

} // namespace

const char* metric_name(Metric m) {
  static constexpr const char* kNames[] = {
#define F(name, unit) #name,
      PUMICE_METRIC_FIELDS(F)
#undef F
  };
  return m < Metric::count ? kNames[static_cast<size_t>(m)] : "unknown";
}

const char* metric_unit(Metric m) {
  static constexpr const char* kUnits[] = {
#define F(name, unit) unit,
      PUMICE_METRIC_FIELDS(F)
#undef F
  };
  return m < Metric::count ? kUnits[static_cast<size_t>(m)] : "";
}

std::optional<uint64_t> MetricsTable::get(Metric m, size_t i) const {
  const auto& f = fields[static_cast<size_t>(m)];
  if (i >= f.size() || f[i] == UINT64_MAX)
    return std::nullopt;
  return f[i];
}

size_t metrics_size(uint8_t format, uint8_t content) {
  auto all = layouts_of(format, content);
  if (all.empty())
    return 0;
  Reader r{{}, 4, true};
  return walk(all[0], r, nullptr);
}

bool metrics_version_unknown(const MetricsTable& t) {
  return layouts_of(t.format, t.content).empty();
}

std::string decode_metrics(std::span<const std::byte> bytes, MetricsTable& out) {
  out = {};
  if (bytes.size() < 4)
    return "gpu_metrics: " + std::to_string(bytes.size()) + " bytes are no table header";
  auto byte = [&](size_t i) { return std::to_integer<unsigned>(bytes[i]); };
  out.size = static_cast<uint16_t>(byte(0) | byte(1) << 8);
  out.format = static_cast<uint8_t>(byte(2));
  out.content = static_cast<uint8_t>(byte(3));
  std::string version = std::to_string(out.format) + "." + std::to_string(out.content);
  auto all = layouts_of(out.format, out.content);
  if (all.empty())
    return "gpu_metrics: version " + version + " is not decoded (1.0 to 1.8 are)";
  // The size tells shapes of one version apart. A larger table than the present one has fields
  // appended; other sizes have fields elsewhere, and reading them would make values up.
  const Layout* shape = nullptr;
  for (const Layout& l : all) {
    Reader r{{}, 4, true};
    size_t size = walk(l, r, nullptr);
    if (out.size == size || (&l == &all[0] && out.size > size))
      shape = &l;
  }
  if (!shape)
    return "gpu_metrics: a table of version " + version + " with " + std::to_string(out.size) +
           " bytes is not known";
  Reader r{bytes.first(std::min<size_t>(bytes.size(), out.size))};
  walk(*shape, r, &out);
  return {};
}

} // namespace pumice::smi
