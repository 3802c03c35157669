// SPDX-License-Identifier: MIT
// Every field of every version of the driver's table. The structs are the kernel's (names, widths
// and order of kgd_pp_interface.h), laid out by this compiler, so that offsets come from C and not
// from the decoder. Each element gets a value of its own; then tables are cut, lengthened and
// filled with the mark of absence.
#include "smi/gpu_metrics.h"
#include <cstddef>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>

using namespace pumice::smi;

namespace {

// X(type, field, elements); P pads.
#define EARLY_STATE(X)                                                                             \
  X(uint16_t, temperature_edge, 1)                                                                 \
  X(uint16_t, temperature_hotspot, 1)                                                              \
  X(uint16_t, temperature_mem, 1)                                                                  \
  X(uint16_t, temperature_vrgfx, 1)                                                                \
  X(uint16_t, temperature_vrsoc, 1)                                                                \
  X(uint16_t, temperature_vrmem, 1)                                                                \
  X(uint16_t, average_gfx_activity, 1)                                                             \
  X(uint16_t, average_umc_activity, 1)                                                             \
  X(uint16_t, average_mm_activity, 1)                                                              \
  X(uint16_t, average_socket_power, 1)
#define EARLY_CLOCKS(X)                                                                            \
  X(uint16_t, average_gfxclk_frequency, 1)                                                         \
  X(uint16_t, average_socclk_frequency, 1)                                                         \
  X(uint16_t, average_uclk_frequency, 1)                                                           \
  X(uint16_t, average_vclk0_frequency, 1)                                                          \
  X(uint16_t, average_dclk0_frequency, 1)                                                          \
  X(uint16_t, average_vclk1_frequency, 1)                                                          \
  X(uint16_t, average_dclk1_frequency, 1)                                                          \
  X(uint16_t, current_gfxclk, 1)                                                                   \
  X(uint16_t, current_socclk, 1)                                                                   \
  X(uint16_t, current_uclk, 1)                                                                     \
  X(uint16_t, current_vclk0, 1)                                                                    \
  X(uint16_t, current_dclk0, 1)                                                                    \
  X(uint16_t, current_vclk1, 1)                                                                    \
  X(uint16_t, current_dclk1, 1)                                                                    \
  X(uint32_t, throttle_status, 1)                                                                  \
  X(uint16_t, current_fan_speed, 1)

#define V1_0(X, P)                                                                                 \
  X(uint64_t, system_clock_counter, 1)                                                             \
  EARLY_STATE(X)                                                                                   \
  X(uint32_t, energy_accumulator, 1)                                                               \
  EARLY_CLOCKS(X)                                                                                  \
  X(uint8_t, pcie_link_width, 1)                                                                   \
  X(uint8_t, pcie_link_speed, 1)
#define V1_1(X, P)                                                                                 \
  EARLY_STATE(X)                                                                                   \
  X(uint64_t, energy_accumulator, 1)                                                               \
  X(uint64_t, system_clock_counter, 1)                                                             \
  EARLY_CLOCKS(X)                                                                                  \
  X(uint16_t, pcie_link_width, 1)                                                                  \
  X(uint16_t, pcie_link_speed, 1)                                                                  \
  P(uint16_t, padding, 1)                                                                          \
  X(uint32_t, gfx_activity_acc, 1)                                                                 \
  X(uint32_t, mem_activity_acc, 1)                                                                 \
  X(uint16_t, temperature_hbm, 4)
#define V1_2(X, P)                                                                                 \
  V1_1(X, P)                                                                                       \
  X(uint64_t, firmware_timestamp, 1)
#define V1_3(X, P)                                                                                 \
  V1_2(X, P)                                                                                       \
  X(uint16_t, voltage_soc, 1)                                                                      \
  X(uint16_t, voltage_gfx, 1)                                                                      \
  X(uint16_t, voltage_mem, 1)                                                                      \
  P(uint16_t, padding1, 1)                                                                         \
  X(uint64_t, indep_throttle_status, 1)

#define LATE_STATE(X)                                                                              \
  X(uint16_t, temperature_hotspot, 1)                                                              \
  X(uint16_t, temperature_mem, 1)                                                                  \
  X(uint16_t, temperature_vrsoc, 1)                                                                \
  X(uint16_t, curr_socket_power, 1)                                                                \
  X(uint16_t, average_gfx_activity, 1)                                                             \
  X(uint16_t, average_umc_activity, 1)
#define ENERGY(X)                                                                                  \
  X(uint64_t, energy_accumulator, 1)                                                               \
  X(uint64_t, system_clock_counter, 1)
#define RESIDENCIES(X)                                                                             \
  X(uint32_t, accumulation_counter, 1)                                                             \
  X(uint32_t, prochot_residency_acc, 1)                                                            \
  X(uint32_t, ppt_residency_acc, 1)                                                                \
  X(uint32_t, socket_thm_residency_acc, 1)                                                         \
  X(uint32_t, vr_thm_residency_acc, 1)                                                             \
  X(uint32_t, hbm_thm_residency_acc, 1)
#define LINKS(X)                                                                                   \
  X(uint32_t, gfxclk_lock_status, 1)                                                               \
  X(uint16_t, pcie_link_width, 1)                                                                  \
  X(uint16_t, pcie_link_speed, 1)                                                                  \
  X(uint16_t, xgmi_link_width, 1)                                                                  \
  X(uint16_t, xgmi_link_speed, 1)                                                                  \
  X(uint32_t, gfx_activity_acc, 1)                                                                 \
  X(uint32_t, mem_activity_acc, 1)                                                                 \
  X(uint64_t, pcie_bandwidth_acc, 1)                                                               \
  X(uint64_t, pcie_bandwidth_inst, 1)                                                              \
  X(uint64_t, pcie_l0_to_recov_count_acc, 1)                                                       \
  X(uint64_t, pcie_replay_count_acc, 1)                                                            \
  X(uint64_t, pcie_replay_rover_count_acc, 1)
#define NAKS(X)                                                                                    \
  X(uint32_t, pcie_nak_sent_count_acc, 1)                                                          \
  X(uint32_t, pcie_nak_rcvd_count_acc, 1)
#define XGMI(X)                                                                                    \
  X(uint64_t, xgmi_read_data_acc, 8)                                                               \
  X(uint64_t, xgmi_write_data_acc, 8)
#define LATE_CLOCKS(X)                                                                             \
  X(uint64_t, firmware_timestamp, 1)                                                               \
  X(uint16_t, current_gfxclk, 8)                                                                   \
  X(uint16_t, current_socclk, 4)                                                                   \
  X(uint16_t, current_vclk0, 4)                                                                    \
  X(uint16_t, current_dclk0, 4)                                                                    \
  X(uint16_t, current_uclk, 1)

#define V1_4(X, P)                                                                                 \
  LATE_STATE(X)                                                                                    \
  X(uint16_t, vcn_activity, 4)                                                                     \
  ENERGY(X) X(uint32_t, throttle_status, 1) LINKS(X) XGMI(X) LATE_CLOCKS(X) P(uint16_t, padding, 1)
#define V1_5(X, P)                                                                                 \
  LATE_STATE(X)                                                                                    \
  X(uint16_t, vcn_activity, 4)                                                                     \
  X(uint16_t, jpeg_activity, 32)                                                                   \
  ENERGY(X)                                                                                        \
  X(uint32_t, throttle_status, 1) LINKS(X) NAKS(X) XGMI(X) LATE_CLOCKS(X) P(uint16_t, padding, 1)
// Version 1.6 as the kernel had it for a while: 1.5 with residencies.
#define V1_6_FIRST(X, P)                                                                           \
  LATE_STATE(X)                                                                                    \
  X(uint16_t, vcn_activity, 4)                                                                     \
  X(uint16_t, jpeg_activity, 32)                                                                   \
  ENERGY(X)                                                                                        \
  RESIDENCIES(X)                                                                                   \
  X(uint32_t, throttle_status, 1) LINKS(X) NAKS(X) XGMI(X) LATE_CLOCKS(X) P(uint16_t, padding, 1)
#define V1_6(X, P)                                                                                 \
  LATE_STATE(X)                                                                                    \
  ENERGY(X) RESIDENCIES(X) LINKS(X) NAKS(X) XGMI(X) LATE_CLOCKS(X) X(uint16_t, num_partition, 1)
#define V1_7(X, P)                                                                                 \
  LATE_STATE(X)                                                                                    \
  X(uint64_t, mem_max_bandwidth, 1)                                                                \
  ENERGY(X)                                                                                        \
  RESIDENCIES(X)                                                                                   \
  LINKS(X)                                                                                         \
  NAKS(X)                                                                                          \
  XGMI(X)                                                                                          \
  X(uint16_t, xgmi_link_status, 8)                                                                 \
  P(uint16_t, padding, 1) LATE_CLOCKS(X) X(uint16_t, num_partition, 1)
#define V1_8(X, P) V1_7(X, P)

// Partitions.
#define XCP_0(X)                                                                                   \
  X(uint32_t, gfx_busy_inst, 8)                                                                    \
  X(uint16_t, jpeg_busy, 32) X(uint16_t, vcn_busy, 4) X(uint64_t, gfx_busy_acc, 8)
#define XCP_1(X) XCP_0(X) X(uint64_t, gfx_below_host_limit_acc, 8)
#define XCP_2_FIRST(X)                                                                             \
  X(uint32_t, gfx_busy_inst, 8)                                                                    \
  X(uint16_t, jpeg_busy, 40)                                                                       \
  X(uint16_t, vcn_busy, 4)                                                                         \
  X(uint64_t, gfx_busy_acc, 8)                                                                     \
  X(uint64_t, gfx_below_host_limit_ppt_acc, 8)                                                     \
  X(uint64_t, gfx_below_host_limit_thm_acc, 8)                                                     \
  X(uint64_t, gfx_low_utilization_acc, 8)
// The kernel's last member is gfx_below_host_limit_total_acc; the decoder calls it the total.
#define XCP_2(X) XCP_2_FIRST(X) X(uint64_t, gfx_below_host_limit_acc, 8)

/// One element of a table: where it is, and what the decoder says of it.
struct Element {
  std::string name;
  size_t at, width;
  std::function<std::optional<uint64_t>(const MetricsTable&)> read;
};
using Elements = std::vector<Element>;

void add_field(Elements& out, const char* name, size_t at, size_t width, size_t count, Metric m) {
  for (size_t i = 0; i < count; ++i)
    out.push_back({std::string(name) + "[" + std::to_string(i) + "]", at + i * width, width,
                   [m, i](const MetricsTable& t) { return t.get(m, i); }});
}
void add_partition_field(Elements& out, const char* name, size_t p, size_t at, size_t width,
                         size_t count, std::vector<uint64_t> XcpMetrics::*m) {
  for (size_t i = 0; i < count; ++i)
    out.push_back({"xcp" + std::to_string(p) + "." + name + "[" + std::to_string(i) + "]",
                   at + i * width, width, [=](const MetricsTable& t) -> std::optional<uint64_t> {
                     if (p >= t.partitions.size() || i >= (t.partitions[p].*m).size())
                       return std::nullopt;
                     uint64_t v = (t.partitions[p].*m)[i];
                     return v == UINT64_MAX ? std::nullopt : std::optional(v);
                   }});
}

#define MEMBER(type, name, n) type name[n];
#define FIELD(type, name, n)                                                                       \
  add_field(e, #name, offsetof(S, name), sizeof(type), n, Metric::name);                           \
  named.push_back(Metric::name);
#define PADS(type, name, n)
#define XCP_FIELD(type, name, n)                                                                   \
  add_partition_field(e, #name, p, offsetof(S, xcp_stats) + p * sizeof(Xcp) + offsetof(Xcp, name), \
                      sizeof(type), n, &XcpMetrics::name);

struct Version {
  const char* name;
  uint8_t minor;
  size_t size;
  Elements elements;
  std::vector<Metric> named;                     // fields that the version has
  size_t partitions_at = 0, partition_bytes = 0; // no partitions: 0
};

#define WITHOUT_PARTITIONS(label, number, FIELDS)                                                  \
  [] {                                                                                             \
    struct S {                                                                                     \
      uint16_t structure_size;                                                                     \
      uint8_t format_revision, content_revision;                                                   \
      FIELDS(MEMBER, MEMBER)                                                                       \
    };                                                                                             \
    Elements e;                                                                                    \
    std::vector<Metric> named;                                                                     \
    FIELDS(FIELD, PADS)                                                                            \
    return Version{label, number, sizeof(S), std::move(e), std::move(named)};                      \
  }()
#define WITH_PARTITIONS(label, number, FIELDS, XCP)                                                \
  [] {                                                                                             \
    struct Xcp {                                                                                   \
      XCP(MEMBER)                                                                                  \
    };                                                                                             \
    struct S {                                                                                     \
      uint16_t structure_size;                                                                     \
      uint8_t format_revision, content_revision;                                                   \
      FIELDS(MEMBER, MEMBER) Xcp xcp_stats[8];                                                     \
      uint32_t pcie_lc_perf_other_end_recovery[1];                                                 \
    };                                                                                             \
    Elements e;                                                                                    \
    std::vector<Metric> named;                                                                     \
    FIELDS(FIELD, PADS)                                                                            \
    for (size_t p = 0; p < 8; ++p) {                                                               \
      XCP(XCP_FIELD)                                                                               \
    }                                                                                              \
    FIELD(uint32_t, pcie_lc_perf_other_end_recovery, 1)                                            \
    return Version{label,        number,           sizeof(S),                                      \
                   std::move(e), std::move(named), offsetof(S, xcp_stats),                         \
                   sizeof(Xcp)};                                                                   \
  }()

const std::vector<Version>& versions() {
  static const std::vector<Version> all = {
      WITHOUT_PARTITIONS("v1.0", 0, V1_0),
      WITHOUT_PARTITIONS("v1.1", 1, V1_1),
      WITHOUT_PARTITIONS("v1.2", 2, V1_2),
      WITHOUT_PARTITIONS("v1.3", 3, V1_3),
      WITHOUT_PARTITIONS("v1.4", 4, V1_4),
      WITHOUT_PARTITIONS("v1.5", 5, V1_5),
      WITHOUT_PARTITIONS("first v1.6", 6, V1_6_FIRST),
      WITH_PARTITIONS("v1.6", 6, V1_6, XCP_0),
      WITH_PARTITIONS("v1.7", 7, V1_7, XCP_1),
      WITH_PARTITIONS("first v1.8", 8, V1_8, XCP_2_FIRST),
      WITH_PARTITIONS("v1.8", 8, V1_8, XCP_2),
  };
  return all;
}

/// A value that no other element near it has, with its highest bit set every other time.
uint64_t value_of(size_t element, size_t width) {
  uint64_t v = (element + 1) * 0x9e3779b97f4a7c15u;
  v ^= v >> 29;
  uint64_t mask = width == 8 ? UINT64_MAX : (uint64_t{1} << 8 * width) - 1;
  v &= mask;
  return v == mask ? 1 : v;
}

using Bytes = std::vector<std::byte>;
void put(Bytes& b, size_t at, size_t width, uint64_t v) {
  for (size_t i = 0; i < width; ++i)
    b[at + i] = static_cast<std::byte>(v >> 8 * i);
}
Bytes assembled(const Version& v) {
  Bytes b(v.size, std::byte{0xA5}); // what pads must not be seen
  put(b, 0, 2, v.size);
  b[2] = std::byte{1};
  b[3] = static_cast<std::byte>(v.minor);
  for (size_t i = 0; i < v.elements.size(); ++i)
    put(b, v.elements[i].at, v.elements[i].width, value_of(i, v.elements[i].width));
  return b;
}
MetricsTable decoded(const Bytes& b) {
  MetricsTable t;
  EXPECT_EQ(decode_metrics(b, t), "");
  return t;
}
/// Compares all elements that lie below `end`; those behind are absent.
void expect_all(const Version& v, const MetricsTable& t, size_t end) {
  for (size_t i = 0; i < v.elements.size(); ++i) {
    const Element& e = v.elements[i];
    bool whole = e.at + e.width <= end;
    if (e.name.starts_with("xcp")) // a partition is shown when all of it is there
      whole = e.name[3] - '0' < static_cast<int>(t.partitions.size());
    auto want = whole ? std::optional(value_of(i, e.width)) : std::nullopt;
    ASSERT_EQ(e.read(t), want) << v.name << " " << e.name << " of a table that ends at " << end;
  }
}

} // namespace

TEST(GpuMetricsLayout, EveryFieldOfEveryVersionIsDecodedAndNoOther) {
  for (const Version& v : versions()) {
    MetricsTable t = decoded(assembled(v));
    EXPECT_EQ(t.size, v.size);
    EXPECT_EQ(t.format, 1);
    EXPECT_EQ(t.content, v.minor);
    EXPECT_EQ(t.partitions.size(), v.partition_bytes ? 8u : 0u) << v.name;
    expect_all(v, t, v.size);
    for (size_t m = 0; m < static_cast<size_t>(Metric::count); ++m) {
      auto metric = static_cast<Metric>(m);
      bool has = std::find(v.named.begin(), v.named.end(), metric) != v.named.end();
      EXPECT_EQ(t.fields[m].empty(), !has) << v.name << " " << metric_name(metric);
    }
  }
}

TEST(GpuMetricsLayout, OneAbsentValueIsOneAbsentValue) {
  for (const Version& v : versions()) {
    Bytes all = assembled(v);
    for (size_t i = 0; i < v.elements.size(); i += i < 120 ? 1 : 17) {
      const Element& e = v.elements[i];
      Bytes b = all;
      put(b, e.at, e.width, UINT64_MAX);
      MetricsTable t = decoded(b);
      ASSERT_EQ(e.read(t), std::nullopt) << v.name << " " << e.name;
      if (i + 1 < v.elements.size())
        ASSERT_EQ(v.elements[i + 1].read(t), value_of(i + 1, v.elements[i + 1].width));
      if (e.width > 2) { // 0xffff is a value of what is wider
        put(b, e.at, e.width, 0xffff);
        ASSERT_EQ(e.read(decoded(b)), 0xffffu) << v.name << " " << e.name;
      }
    }
    Bytes none(v.size, std::byte{0xff});
    std::memcpy(none.data(), all.data(), 4);
    MetricsTable t = decoded(none);
    for (const Element& e : v.elements)
      ASSERT_EQ(e.read(t), std::nullopt) << v.name << " " << e.name;
  }
}

TEST(GpuMetricsLayout, AFileCutAnywhereKeepsWhatIsWhole) {
  for (const Version& v : versions()) {
    Bytes all = assembled(v);
    for (size_t end = 4; end < v.size; ++end) {
      MetricsTable t = decoded(Bytes(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(end)));
      size_t partitions = 0; // that are whole
      if (v.partition_bytes && end > v.partitions_at)
        partitions = std::min((end - v.partitions_at) / v.partition_bytes, size_t{8});
      ASSERT_EQ(t.partitions.size(), partitions) << v.name << " cut at " << end;
      expect_all(v, t, end);
    }
  }
}

TEST(GpuMetricsLayout, BytesBehindTheTableChangeNothing) {
  for (const Version& v : versions()) {
    Bytes longer = assembled(v);
    longer.resize(v.size + 4096, std::byte{0x5a});
    expect_all(v, decoded(longer), v.size);
    if (v.minor == 6 || v.minor == 8) // two shapes each, told apart by the size
      continue;
    put(longer, 0, 2, v.size + 64); // a later kernel appended fields
    expect_all(v, decoded(longer), v.size);
  }
}

TEST(GpuMetricsLayout, ATableOfAnUnknownShapeIsRefusedByItsSize) {
  for (const Version& v : versions())
    for (size_t size : {size_t{4}, size_t{5}, size_t{12}, v.size - 8}) {
      Bytes b = assembled(v);
      put(b, 0, 2, size);
      MetricsTable t;
      std::string why = decode_metrics(b, t);
      EXPECT_NE(why.find(std::to_string(size) + " bytes"), std::string::npos) << v.name << why;
      for (const Element& e : v.elements)
        ASSERT_EQ(e.read(t), std::nullopt) << v.name << " " << e.name;
    }
}

TEST(GpuMetricsLayout, TablesOfApusAndLaterKernelsAreRefusedByName) {
  for (auto [format, content, text] : {std::tuple{2, 0, "2.0"},
                                       {2, 1, "2.1"},
                                       {2, 2, "2.2"},
                                       {2, 3, "2.3"},
                                       {2, 4, "2.4"},
                                       {3, 0, "3.0"},
                                       {1, 9, "1.9"},
                                       {0, 0, "0.0"},
                                       {255, 255, "255.255"}}) {
    Bytes b(264, std::byte{1});
    put(b, 0, 2, b.size());
    b[2] = static_cast<std::byte>(format);
    b[3] = static_cast<std::byte>(content);
    MetricsTable t;
    std::string why = decode_metrics(b, t);
    EXPECT_NE(why.find(text), std::string::npos) << why;
    EXPECT_TRUE(metrics_version_unknown(t)) << why;
    EXPECT_FALSE(t.get(Metric::temperature_hotspot));
  }
}
