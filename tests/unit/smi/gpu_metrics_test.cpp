// SPDX-License-Identifier: MIT
// Tables are assembled byte by byte from the offsets of kgd_pp_interface.h's structs (compiled
// layouts as published with struct sizes), not from the decoder's own layouts.
#include "smi/gpu_metrics.h"
#include <cstring>
#include <gtest/gtest.h>

using namespace pumice::smi;

namespace {

struct Table {
  std::vector<std::byte> bytes;
  Table(uint8_t content, uint16_t size) : bytes(size, std::byte{0}) {
    put16(0, size);
    bytes[2] = std::byte{1};
    bytes[3] = std::byte{content};
  }
  template <class T> Table& put(size_t at, T v) {
    std::memcpy(&bytes[at], &v, sizeof v);
    return *this;
  }
  Table& put16(size_t at, uint16_t v) { return put(at, v); }
  Table& put32(size_t at, uint32_t v) { return put(at, v); }
  Table& put64(size_t at, uint64_t v) { return put(at, v); }
  MetricsTable decode() const {
    MetricsTable t;
    EXPECT_EQ(decode_metrics(bytes, t), "");
    return t;
  }
};

} // namespace

TEST(GpuMetrics, SizesAreThoseOfTheKernelsStructs) {
  // sizeof of the structs as a C compiler lays them out.
  const size_t sizes[] = {80, 96, 104, 120, 288, 360, 1664, 2208, 3872};
  for (uint8_t v = 0; v <= 8; ++v)
    EXPECT_EQ(metrics_size(1, v), sizes[v]) << "v1." << int(v);
  EXPECT_EQ(metrics_size(1, 9), 0u);
  EXPECT_EQ(metrics_size(2, 1), 0u);
}

TEST(GpuMetrics, V10HasItsTimestampFirstAndByteWideLinks) {
  auto t = Table(0, 80)
               .put64(8, 123456789)
               .put16(16, 41)
               .put16(18, 55)
               .put16(28, 99)
               .put32(36, 77)
               .put16(54, 1502)
               .put32(68, 5)
               .put16(72, 1800)
               .put<uint8_t>(74, 16)
               .put<uint8_t>(75, 160)
               .decode();
  EXPECT_EQ(t.get(Metric::system_clock_counter), 123456789u);
  EXPECT_EQ(t.get(Metric::temperature_edge), 41u);
  EXPECT_EQ(t.get(Metric::temperature_hotspot), 55u);
  EXPECT_EQ(t.get(Metric::average_gfx_activity), 99u);
  EXPECT_EQ(t.get(Metric::energy_accumulator), 77u);
  EXPECT_EQ(t.get(Metric::current_gfxclk), 1502u);
  EXPECT_EQ(t.get(Metric::throttle_status), 5u);
  EXPECT_EQ(t.get(Metric::current_fan_speed), 1800u);
  EXPECT_EQ(t.get(Metric::pcie_link_width), 16u);
  EXPECT_EQ(t.get(Metric::pcie_link_speed), 160u);
  EXPECT_FALSE(t.get(Metric::gfx_activity_acc));
}

TEST(GpuMetrics, V11ToV13ShareAPrefix) {
  for (uint8_t v : {1, 2, 3}) {
    const uint16_t sizes[] = {0, 96, 104, 120};
    Table b(v, sizes[v]);
    b.put16(4, 40)
        .put16(22, 212)
        .put64(24, 1ull << 40)
        .put64(32, 7)
        .put16(54, 1700)
        .put16(58, 1600)
        .put16(76, 160)
        .put32(80, 1111)
        .put32(84, 2222)
        .put16(88, 50)
        .put16(94, 53);
    if (v >= 2)
      b.put64(96, 9999);
    if (v >= 3)
      b.put16(106, 806).put64(112, 0x40);
    auto t = b.decode();
    EXPECT_EQ(t.get(Metric::temperature_edge), 40u);
    EXPECT_EQ(t.get(Metric::average_socket_power), 212u);
    EXPECT_EQ(t.get(Metric::energy_accumulator), 1ull << 40);
    EXPECT_EQ(t.get(Metric::system_clock_counter), 7u);
    EXPECT_EQ(t.get(Metric::current_gfxclk), 1700u);
    EXPECT_EQ(t.get(Metric::current_uclk), 1600u);
    EXPECT_EQ(t.get(Metric::pcie_link_speed), 160u);
    EXPECT_EQ(t.get(Metric::gfx_activity_acc), 1111u);
    EXPECT_EQ(t.get(Metric::mem_activity_acc), 2222u);
    EXPECT_EQ(t.get(Metric::temperature_hbm, 3), 53u);
    EXPECT_EQ(t.get(Metric::firmware_timestamp),
              v >= 2 ? std::optional<uint64_t>(9999) : std::nullopt);
    EXPECT_EQ(t.get(Metric::voltage_gfx), v >= 3 ? std::optional<uint64_t>(806) : std::nullopt);
    EXPECT_EQ(t.get(Metric::indep_throttle_status),
              v >= 3 ? std::optional<uint64_t>(0x40) : std::nullopt);
  }
}

TEST(GpuMetrics, V14) {
  auto t = Table(4, 288)
               .put16(4, 45)
               .put16(10, 550)
               .put16(12, 87)
               .put16(22, 3)
               .put64(24, 5)
               .put32(44, 0xff)
               .put16(54, 32)
               .put64(72, 14)
               .put64(104 + 7 * 8, 700)
               .put64(168, 800)
               .put64(232, 42)
               .put16(240 + 14, 2100)
               .put16(264, 1333)
               .put16(280, 1300)
               .decode();
  EXPECT_EQ(t.get(Metric::temperature_hotspot), 45u);
  EXPECT_EQ(t.get(Metric::curr_socket_power), 550u);
  EXPECT_EQ(t.get(Metric::average_gfx_activity), 87u);
  EXPECT_EQ(t.get(Metric::vcn_activity, 3), 3u);
  EXPECT_EQ(t.get(Metric::energy_accumulator), 5u);
  EXPECT_EQ(t.get(Metric::gfxclk_lock_status), 0xffu);
  EXPECT_EQ(t.get(Metric::xgmi_link_speed), 32u);
  EXPECT_EQ(t.get(Metric::pcie_bandwidth_inst), 14u);
  EXPECT_EQ(t.get(Metric::xgmi_read_data_acc, 7), 700u);
  EXPECT_EQ(t.get(Metric::xgmi_write_data_acc, 0), 800u);
  EXPECT_EQ(t.get(Metric::firmware_timestamp), 42u);
  EXPECT_EQ(t.get(Metric::current_gfxclk, 7), 2100u);
  EXPECT_EQ(t.get(Metric::current_vclk0, 0), 1333u);
  EXPECT_EQ(t.get(Metric::current_uclk), 1300u);
}

TEST(GpuMetrics, V15) {
  auto t = Table(5, 360)
               .put16(24 + 62, 31)
               .put64(88, 6)
               .put32(168, 11)
               .put32(172, 12)
               .put64(240 + 56, 900)
               .put16(352, 1299)
               .decode();
  EXPECT_EQ(t.get(Metric::jpeg_activity, 31), 31u);
  EXPECT_EQ(t.get(Metric::energy_accumulator), 6u);
  EXPECT_EQ(t.get(Metric::pcie_nak_sent_count_acc), 11u);
  EXPECT_EQ(t.get(Metric::pcie_nak_rcvd_count_acc), 12u);
  EXPECT_EQ(t.get(Metric::xgmi_write_data_acc, 7), 900u);
  EXPECT_EQ(t.get(Metric::current_uclk), 1299u);
}

TEST(GpuMetrics, V16HasPartitions) {
  auto t = Table(6, 1664)
               .put64(16, 8)
               .put32(32, 1000)
               .put32(40, 20)
               .put32(52, 30)
               .put16(306, 4)
               .put32(312 + 168 + 4, 77)
               .put64(312 + 7 * 168 + 104 + 56, 123)
               .put16(312 + 96 + 6, 9)
               .put32(1656, 321)
               .decode();
  EXPECT_EQ(t.get(Metric::energy_accumulator), 8u);
  EXPECT_EQ(t.get(Metric::accumulation_counter), 1000u);
  EXPECT_EQ(t.get(Metric::ppt_residency_acc), 20u);
  EXPECT_EQ(t.get(Metric::hbm_thm_residency_acc), 30u);
  EXPECT_EQ(t.get(Metric::num_partition), 4u);
  ASSERT_EQ(t.partitions.size(), 8u);
  EXPECT_EQ(t.partitions[1].gfx_busy_inst[1], 77u);
  EXPECT_EQ(t.partitions[7].gfx_busy_acc[7], 123u);
  EXPECT_EQ(t.partitions[0].vcn_busy[3], 9u);
  EXPECT_EQ(t.get(Metric::pcie_lc_perf_other_end_recovery), 321u);
}

TEST(GpuMetrics, V17HasLinkStateAndHostLimits) {
  auto t = Table(7, 2208)
               .put64(16, 5325)
               .put16(264 + 4, 1)
               .put64(288, 43)
               .put16(338, 8)
               .put64(344 + 232 + 168, 55)
               .put32(344 + 8 * 232, 6)
               .decode();
  EXPECT_EQ(t.get(Metric::mem_max_bandwidth), 5325u);
  EXPECT_EQ(t.get(Metric::xgmi_link_status, 2), 1u);
  EXPECT_EQ(t.get(Metric::firmware_timestamp), 43u);
  EXPECT_EQ(t.get(Metric::num_partition), 8u);
  ASSERT_EQ(t.partitions.size(), 8u);
  EXPECT_EQ(t.partitions[1].gfx_below_host_limit_acc[0], 55u);
  EXPECT_EQ(t.get(Metric::pcie_lc_perf_other_end_recovery), 6u);
}

TEST(GpuMetrics, V18InBothOfItsShapes) {
  // Partitions of 440 bytes, or of 376 in the kernels that shipped it first.
  for (auto [xcp, size] : {std::pair<size_t, uint16_t>{440, 3872}, {376, 3360}}) {
    auto t = Table(8, size)
                 .put16(344 + xcp + 32 + 78, 40)
                 .put64(344 + xcp + 184, 1)
                 .put64(344 + xcp + 248, 2)
                 .put64(344 + xcp + 312, 3)
                 .put32(344 + 8 * xcp, 7)
                 .decode();
    ASSERT_EQ(t.partitions.size(), 8u);
    EXPECT_EQ(t.partitions[1].jpeg_busy[39], 40u);
    EXPECT_EQ(t.partitions[1].gfx_below_host_limit_ppt_acc[0], 1u);
    EXPECT_EQ(t.partitions[1].gfx_below_host_limit_thm_acc[0], 2u);
    EXPECT_EQ(t.partitions[1].gfx_low_utilization_acc[0], 3u);
    EXPECT_EQ(t.get(Metric::pcie_lc_perf_other_end_recovery), 7u);
  }
}

TEST(GpuMetrics, AllOnesMeanAbsentAtEveryWidth) {
  auto t = Table(4, 288).put16(4, 0xffff).put32(40, 0xffffffff).put64(24, UINT64_MAX).decode();
  EXPECT_FALSE(t.get(Metric::temperature_hotspot));
  EXPECT_FALSE(t.get(Metric::throttle_status));
  EXPECT_FALSE(t.get(Metric::energy_accumulator));
}

TEST(GpuMetrics, ShortAndForeignTablesAreRefusedOrPartial) {
  MetricsTable t;
  EXPECT_NE(decode_metrics({}, t), "");
  EXPECT_NE(decode_metrics(Table(9, 64).bytes, t), "");
  Table v2(1, 96);
  v2.bytes[2] = std::byte{2};
  EXPECT_NE(decode_metrics(v2.bytes, t), "");
  Table cut(4, 288);
  cut.put16(4, 45);
  cut.bytes.resize(20); // the file ends early
  EXPECT_EQ(decode_metrics(cut.bytes, t), "");
  EXPECT_EQ(t.get(Metric::temperature_hotspot), 45u);
  EXPECT_FALSE(t.get(Metric::vcn_activity, 3));
  EXPECT_FALSE(t.get(Metric::current_uclk));
}
