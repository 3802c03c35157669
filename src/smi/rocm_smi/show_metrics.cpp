// SPDX-License-Identifier: MIT
// --showmetrics: the gpu_metrics table under the names and units that ROCm 6.x's tool gives them.
// Every name is shown for every table version, so that keys are stable.
#include "smi/rocm_smi/tool.h"
#include <fmt/format.h>

namespace pumice::smi::rocm_smi {
namespace {

struct Row {
  const char* key;
  Metric field;
  size_t count; // 0: one value, else a list
};
using M = Metric;
// clang-format off
constexpr Row kRows[] = {
    {"temperature_edge (C)", M::temperature_edge, 0}, {"temperature_hotspot (C)", M::temperature_hotspot, 0},
    {"temperature_mem (C)", M::temperature_mem, 0}, {"temperature_vrgfx (C)", M::temperature_vrgfx, 0},
    {"temperature_vrsoc (C)", M::temperature_vrsoc, 0}, {"temperature_vrmem (C)", M::temperature_vrmem, 0},
    {"average_gfx_activity (%)", M::average_gfx_activity, 0}, {"average_umc_activity (%)", M::average_umc_activity, 0},
    {"average_mm_activity (%)", M::average_mm_activity, 0}, {"average_socket_power (W)", M::average_socket_power, 0},
    {"energy_accumulator (15.259uJ (2^-16))", M::energy_accumulator, 0},
    {"system_clock_counter (ns)", M::system_clock_counter, 0},
    {"average_gfxclk_frequency (MHz)", M::average_gfxclk_frequency, 0},
    {"average_socclk_frequency (MHz)", M::average_socclk_frequency, 0},
    {"average_uclk_frequency (MHz)", M::average_uclk_frequency, 0},
    {"average_vclk0_frequency (MHz)", M::average_vclk0_frequency, 0},
    {"average_dclk0_frequency (MHz)", M::average_dclk0_frequency, 0},
    {"average_vclk1_frequency (MHz)", M::average_vclk1_frequency, 0},
    {"average_dclk1_frequency (MHz)", M::average_dclk1_frequency, 0},
    {"current_gfxclk (MHz)", M::current_gfxclk, 0}, {"current_socclk (MHz)", M::current_socclk, 0},
    {"current_uclk (MHz)", M::current_uclk, 0}, {"current_vclk0 (MHz)", M::current_vclk0, 0},
    {"current_dclk0 (MHz)", M::current_dclk0, 0}, {"current_vclk1 (MHz)", M::current_vclk1, 0},
    {"current_dclk1 (MHz)", M::current_dclk1, 0}, {"throttle_status", M::throttle_status, 0},
    {"current_fan_speed (rpm)", M::current_fan_speed, 0}, {"pcie_link_width (Lanes)", M::pcie_link_width, 0},
    {"pcie_link_speed (0.1 GT/s)", M::pcie_link_speed, 0}, {"gfx_activity_acc (%)", M::gfx_activity_acc, 0},
    {"mem_activity_acc (%)", M::mem_activity_acc, 0}, {"temperature_hbm (C)", M::temperature_hbm, 4},
    {"firmware_timestamp (10ns resolution)", M::firmware_timestamp, 0}, {"voltage_soc (mV)", M::voltage_soc, 0},
    {"voltage_gfx (mV)", M::voltage_gfx, 0}, {"voltage_mem (mV)", M::voltage_mem, 0},
    {"indep_throttle_status", M::indep_throttle_status, 0}, {"current_socket_power (W)", M::curr_socket_power, 0},
    {"vcn_activity (%)", M::vcn_activity, 4}, {"gfxclk_lock_status", M::gfxclk_lock_status, 0},
    {"xgmi_link_width", M::xgmi_link_width, 0}, {"xgmi_link_speed (Gbps)", M::xgmi_link_speed, 0},
    {"pcie_bandwidth_acc (GB/s)", M::pcie_bandwidth_acc, 0}, {"pcie_bandwidth_inst (GB/s)", M::pcie_bandwidth_inst, 0},
    {"pcie_l0_to_recov_count_acc (Count)", M::pcie_l0_to_recov_count_acc, 0},
    {"pcie_replay_count_acc (Count)", M::pcie_replay_count_acc, 0},
    {"pcie_replay_rover_count_acc (Count)", M::pcie_replay_rover_count_acc, 0},
    {"xgmi_read_data_acc (kB)", M::xgmi_read_data_acc, 8}, {"xgmi_write_data_acc (kB)", M::xgmi_write_data_acc, 8},
    {"current_gfxclks (MHz)", M::current_gfxclk, 8}, {"current_socclks (MHz)", M::current_socclk, 4},
    {"current_vclk0s (MHz)", M::current_vclk0, 4}, {"current_dclk0s (MHz)", M::current_dclk0, 4},
    {"jpeg_activity (%)", M::jpeg_activity, 32}, {"pcie_nak_sent_count_acc (Count)", M::pcie_nak_sent_count_acc, 0},
    {"pcie_nak_rcvd_count_acc (Count)", M::pcie_nak_rcvd_count_acc, 0},
    {"accumulation_counter (Count)", M::accumulation_counter, 0},
    {"prochot_residency_acc (Count)", M::prochot_residency_acc, 0}, {"ppt_residency_acc (Count)", M::ppt_residency_acc, 0},
    {"socket_thm_residency_acc (Count)", M::socket_thm_residency_acc, 0},
    {"vr_thm_residency_acc (Count)", M::vr_thm_residency_acc, 0}, {"hbm_thm_residency_acc (Count)", M::hbm_thm_residency_acc, 0},
    {"pcie_lc_perf_other_end_recovery (Count)", M::pcie_lc_perf_other_end_recovery, 0}, {"num_partition", M::num_partition, 0}};
// clang-format on

std::string text(const std::optional<uint64_t>& v) {
  return v ? std::to_string(*v) : "N/A";
}

std::string list(const std::vector<uint64_t>& v, size_t count) {
  std::string s;
  for (size_t i = 0; i < count; ++i)
    s += (i ? ", " : "") +
         (i < v.size() && v[i] != UINT64_MAX ? std::to_string(v[i]) : std::string("N/A"));
  return "[" + s + "]";
}

} // namespace

void show_metrics(Context& c) {
  c.out.section(" GPU Metrics ");
  for (Card* k : c.cards) {
    auto m = k->metrics();
    if (!m.ok())
      c.out.note(k->index, "Not supported on the given system");
    MetricsTable t = m.value_or({});
    auto emit = [&](const std::string& key, const std::string& value) {
      if (m.ok())
        c.out.card(k->index, key, value);
      else
        c.out.machine(k->index, key, "N/A");
    };
    emit("Metric Version and Size (Bytes)", fmt::format("{}.{} {}", t.format, t.content, t.size));
    for (const Row& r : kRows)
      emit(r.key,
           r.count ? list(t.fields[static_cast<size_t>(r.field)], r.count) : text(t.get(r.field)));
    // One row for each partition in use; one of nothing for tables without partitions.
    size_t n = std::min<size_t>(std::max<size_t>(1, t.partitions.size()),
                                std::max<uint64_t>(1, t.get(Metric::num_partition).value_or(1)));
    for (size_t p = 0; p < n; ++p) {
      XcpMetrics x = p < t.partitions.size() ? t.partitions[p] : XcpMetrics{};
      std::string at = n > 1 ? fmt::format("xcp_stats[{}].", p) : "xcp_stats.";
      emit(at + "gfx_busy_inst (%)", list(x.gfx_busy_inst, 8));
      emit(at + "jpeg_busy (%)", list(x.jpeg_busy, std::max<size_t>(32, x.jpeg_busy.size())));
      emit(at + "vcn_busy (%)", list(x.vcn_busy, 4));
      emit(at + "gfx_busy_acc (%)", list(x.gfx_busy_acc, 8));
    }
  }
}

} // namespace pumice::smi::rocm_smi
