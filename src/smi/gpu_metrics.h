// SPDX-License-Identifier: MIT
// The driver's gpu_metrics file: binary tables v1.0 to v1.8, decoded into one form.
// Layouts: kgd_pp_interface.h of the Linux kernel. Any bytes are safe to decode.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pumice::smi {

// clang-format off
#define PUMICE_METRIC_FIELDS(F) \
  F(temperature_edge, "C") F(temperature_hotspot, "C") F(temperature_mem, "C") F(temperature_vrgfx, "C") \
  F(temperature_vrsoc, "C") F(temperature_vrmem, "C") F(temperature_hbm, "C") \
  F(average_gfx_activity, "%") F(average_umc_activity, "%") F(average_mm_activity, "%") \
  F(vcn_activity, "%") F(jpeg_activity, "%") \
  F(average_socket_power, "W") F(curr_socket_power, "W") F(energy_accumulator, "15.259uJ") \
  F(system_clock_counter, "ns") F(firmware_timestamp, "10ns") F(mem_max_bandwidth, "GB/s") \
  F(average_gfxclk_frequency, "MHz") F(average_socclk_frequency, "MHz") F(average_uclk_frequency, "MHz") \
  F(average_vclk0_frequency, "MHz") F(average_dclk0_frequency, "MHz") F(average_vclk1_frequency, "MHz") \
  F(average_dclk1_frequency, "MHz") \
  F(current_gfxclk, "MHz") F(current_socclk, "MHz") F(current_uclk, "MHz") F(current_vclk0, "MHz") \
  F(current_dclk0, "MHz") F(current_vclk1, "MHz") F(current_dclk1, "MHz") \
  F(throttle_status, "bits") F(indep_throttle_status, "bits") F(gfxclk_lock_status, "bits") \
  F(accumulation_counter, "count") F(prochot_residency_acc, "count") F(ppt_residency_acc, "count") \
  F(socket_thm_residency_acc, "count") F(vr_thm_residency_acc, "count") F(hbm_thm_residency_acc, "count") \
  F(current_fan_speed, "rpm") F(pcie_link_width, "lanes") F(pcie_link_speed, "0.1GT/s") \
  F(xgmi_link_width, "lanes") F(xgmi_link_speed, "Gbps") F(xgmi_link_status, "state") \
  F(gfx_activity_acc, "%") F(mem_activity_acc, "%") \
  F(pcie_bandwidth_acc, "Mb/s") F(pcie_bandwidth_inst, "Mb/s") F(pcie_l0_to_recov_count_acc, "count") \
  F(pcie_replay_count_acc, "count") F(pcie_replay_rover_count_acc, "count") F(pcie_nak_sent_count_acc, "count") \
  F(pcie_nak_rcvd_count_acc, "count") F(pcie_lc_perf_other_end_recovery, "count") \
  F(xgmi_read_data_acc, "KB") F(xgmi_write_data_acc, "KB") \
  F(voltage_soc, "mV") F(voltage_gfx, "mV") F(voltage_mem, "mV") F(num_partition, "count") \
  F(padding, "")
// clang-format on

enum class Metric : uint8_t {
#define F(name, unit) name,
  PUMICE_METRIC_FIELDS(F)
#undef F
      count
};
const char* metric_name(Metric m);
const char* metric_unit(Metric m);

struct XcpMetrics { // of one partition
  std::vector<uint64_t> gfx_busy_inst, jpeg_busy, vcn_busy, gfx_busy_acc;
  std::vector<uint64_t> gfx_below_host_limit_acc; // v1.7; v1.8 has four kinds, this is the total
  std::vector<uint64_t> gfx_below_host_limit_ppt_acc, gfx_below_host_limit_thm_acc,
      gfx_low_utilization_acc;
};

struct MetricsTable {
  uint16_t size = 0;
  uint8_t format = 0, content = 0; // v<format>.<content>
  std::array<std::vector<uint64_t>, static_cast<size_t>(Metric::count)> fields;
  std::vector<XcpMetrics> partitions;

  /// The field's `i`-th value; nothing when the table lacks it or the driver wrote all ones.
  std::optional<uint64_t> get(Metric m, size_t i = 0) const;
};

/// Why a table was not decoded; empty when it was. A file that ends before its table does keeps the
/// fields that are complete.
std::string decode_metrics(std::span<const std::byte> bytes, MetricsTable& out);

/// The header that decode_metrics() read names a version without a decoder (APUs' 2.x and 3.x, 1.9).
bool metrics_version_unknown(const MetricsTable& t);

/// Bytes of a version's layout; 0 for versions that do not exist.
size_t metrics_size(uint8_t format, uint8_t content);

} // namespace pumice::smi
