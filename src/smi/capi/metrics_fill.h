// SPDX-License-Identifier: MIT
// rsmi_gpu_metrics_t and amdsmi_gpu_metrics_t have the same members: one function fills both.
// What the table lacks is all ones of the member's type, as in AMD's libraries.
#pragma once
#include "smi/gpu_metrics.h"
#include <algorithm>
#include <cstring>

namespace pumice::smi {

template <class T> void fill_metric(T& member, const MetricsTable& t, Metric m, size_t i = 0) {
  auto v = t.get(m, i);
  member = v ? static_cast<T>(*v) : static_cast<T>(~T{0});
}
template <class T, size_t N> void fill_metric(T (&member)[N], const MetricsTable& t, Metric m) {
  for (size_t i = 0; i < N; ++i)
    fill_metric(member[i], t, m, i);
}
template <class T, size_t N> void fill_array(T (&member)[N], const std::vector<uint64_t>& from) {
  for (size_t i = 0; i < N; ++i)
    member[i] =
        i < from.size() && from[i] != UINT64_MAX ? static_cast<T>(from[i]) : static_cast<T>(~T{0});
}

template <class Out> void fill_metrics(const MetricsTable& t, Out& o) {
  std::memset(&o, 0xff, sizeof o);
  o.common_header.structure_size = t.size;
  o.common_header.format_revision = t.format;
  o.common_header.content_revision = t.content;
#define SAME(name) fill_metric(o.name, t, Metric::name)
  SAME(temperature_edge);
  SAME(temperature_hotspot);
  SAME(temperature_mem);
  SAME(temperature_vrgfx);
  SAME(temperature_vrsoc);
  SAME(temperature_vrmem);
  SAME(average_gfx_activity);
  SAME(average_umc_activity);
  SAME(average_mm_activity);
  SAME(average_socket_power);
  SAME(energy_accumulator);
  SAME(system_clock_counter);
  SAME(average_gfxclk_frequency);
  SAME(average_socclk_frequency);
  SAME(average_uclk_frequency);
  SAME(average_vclk0_frequency);
  SAME(average_dclk0_frequency);
  SAME(average_vclk1_frequency);
  SAME(average_dclk1_frequency);
  SAME(current_gfxclk);
  SAME(current_socclk);
  SAME(current_uclk);
  SAME(current_vclk0);
  SAME(current_dclk0);
  SAME(current_vclk1);
  SAME(current_dclk1);
  SAME(throttle_status);
  SAME(current_fan_speed);
  SAME(pcie_link_width);
  SAME(pcie_link_speed);
  SAME(gfx_activity_acc);
  SAME(mem_activity_acc);
  SAME(temperature_hbm);
  SAME(firmware_timestamp);
  SAME(voltage_soc);
  SAME(voltage_gfx);
  SAME(voltage_mem);
  SAME(indep_throttle_status);
  SAME(vcn_activity);
  SAME(gfxclk_lock_status);
  SAME(xgmi_link_width);
  SAME(xgmi_link_speed);
  SAME(pcie_bandwidth_acc);
  SAME(pcie_bandwidth_inst);
  SAME(pcie_l0_to_recov_count_acc);
  SAME(pcie_replay_count_acc);
  SAME(pcie_replay_rover_count_acc);
  SAME(xgmi_read_data_acc);
  SAME(xgmi_write_data_acc);
  SAME(jpeg_activity);
  SAME(pcie_nak_sent_count_acc);
  SAME(pcie_nak_rcvd_count_acc);
  SAME(accumulation_counter);
  SAME(prochot_residency_acc);
  SAME(ppt_residency_acc);
  SAME(socket_thm_residency_acc);
  SAME(vr_thm_residency_acc);
  SAME(hbm_thm_residency_acc);
  SAME(num_partition);
  SAME(pcie_lc_perf_other_end_recovery);
#undef SAME
  fill_metric(o.current_socket_power, t, Metric::curr_socket_power);
  fill_metric(o.current_gfxclks, t, Metric::current_gfxclk);
  fill_metric(o.current_socclks, t, Metric::current_socclk);
  fill_metric(o.current_vclk0s, t, Metric::current_vclk0);
  fill_metric(o.current_dclk0s, t, Metric::current_dclk0);
  for (size_t p = 0; p < std::min<size_t>(t.partitions.size(), 8); ++p) {
    const XcpMetrics& x = t.partitions[p];
    fill_array(o.xcp_stats[p].gfx_busy_inst, x.gfx_busy_inst);
    fill_array(o.xcp_stats[p].jpeg_busy, x.jpeg_busy);
    fill_array(o.xcp_stats[p].vcn_busy, x.vcn_busy);
    fill_array(o.xcp_stats[p].gfx_busy_acc, x.gfx_busy_acc);
  }
}

} // namespace pumice::smi
