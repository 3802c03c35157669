// SPDX-License-Identifier: MIT
// One model of cards for every system tool and library: what a card is (Identity) and what it does
// (the readings of Card). Two sources implement it: soft_source.cpp for software cards, over the
// telemetry segment, and sysfs_*.cpp for real ones, over the kernel's files.
//
// Every reading either has a value or says why not; nothing is guessed and nothing blocks longer
// than a sampling interval. Units are in the names. Thread safe after open().
#pragma once
#include "base/result.h"
#include "smi/gpu_metrics.h"
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pumice::smi {

enum class Why : uint8_t {
  ok,
  not_supported, // this card has no such thing
  permission,    // the system refuses to show it to this user
  no_data,       // exists, but has no value now
  broken,        // the source's text or bytes make no sense
  setting_off,   // the driver refuses the value or needs another mode
  not_found,     // no such card, process, page
};
const char* why_text(Why w);
/// Of a setting that was not taken.
const char* refusal_text(Why w);

template <class T> class Reading {
public:
  Reading() = default;
  Reading(T v) : value_(std::move(v)), why_(Why::ok) {}
  Reading(Why w) : why_(w) {}
  bool ok() const { return why_ == Why::ok; }
  explicit operator bool() const { return ok(); }
  Why why() const { return why_; }
  T& operator*() { return value_; }
  const T& operator*() const { return value_; }
  const T* operator->() const { return &value_; }
  T value_or(T other) const { return ok() ? value_ : other; }

private:
  T value_{};
  Why why_ = Why::not_supported;
};

struct Bdf {
  uint32_t domain = 0;
  uint8_t bus = 0, device = 0, function = 0;
  std::string text() const; // 0000:01:00.0
  /// Parses "domain:bus:device.function" (hexadecimal).
  static std::optional<Bdf> parse(const std::string& text);
  bool operator==(const Bdf&) const = default;
};

struct Cache {
  uint32_t level = 0, kib = 0, instances = 1, cus_sharing = 1;
  bool data = true, instruction = false;
};

struct Identity {
  bool software = false;
  std::string market_name, vendor_name, gfx; // gfx: "gfx942"
  std::string target_features;               // "sramecc+:xnack-", as far as known
  uint32_t vendor_id = 0x1002, device_id = 0;
  Reading<uint32_t> subsystem_vendor, subsystem_device, revision;
  Reading<std::string> subsystem_name, serial, product_number, vbios, vram_vendor, driver_version;
  Reading<uint64_t> unique_id, hive_id;
  Bdf bdf;
  Reading<uint32_t> drm_card, render_minor, kfd_node, kfd_gpu_id, partition_id, xgmi_physical_id;
  Reading<int32_t> numa_node;
  std::string form; // "OAM", "PCIe" or empty when unknown
  // From the KFD topology, or the profile.
  uint32_t compute_units = 0, simds_per_cu = 0, max_waves_per_simd = 0, wavefront_size = 64;
  uint32_t cacheline_bytes = 128;
  uint32_t shader_engines = 0, arrays_per_engine = 0, xccs = 1, lds_bytes = 0, max_clock_mhz = 0;
  uint32_t sdma_engines = 0, sdma_xgmi_engines = 0;
  Reading<uint64_t> vram_bytes;
  std::string vram_type; // "HBM3"; empty when unknown
  uint32_t vram_bits = 0;
  Reading<uint64_t> vram_max_gbps;
  std::vector<Cache> caches;
};

enum class Clock : uint8_t { sys, df, dcef, soc, mem, pcie, vclk0, vclk1, dclk0, dclk1, count };
const char* clock_name(Clock c); // sclk, fclk, dcefclk, socclk, mclk, pcie, ...

struct ClockTable {
  std::vector<uint64_t> hz; // ascending levels
  std::optional<size_t> current;
  bool deep_sleep = false;
};

enum class Sensor : uint8_t { edge, junction, memory, hbm0, hbm1, hbm2, hbm3, count };
const char* sensor_name(Sensor s);
enum class TempMetric : uint8_t {
  current,
  max,
  min,
  max_hyst,
  min_hyst,
  critical,
  critical_hyst,
  emergency,
  emergency_hyst,
  crit_min,
  crit_min_hyst,
  offset,
  lowest,
  highest
};

struct Activity {
  Reading<uint32_t> gfx_percent, memory_percent, media_percent;
};

struct Memory {
  Reading<uint64_t> vram_total, vram_used, visible_total, visible_used, gtt_total, gtt_used;
};

struct Power {
  Reading<uint64_t> average_uw, current_uw;
  Reading<uint64_t> cap_uw, cap_default_uw, cap_min_uw, cap_max_uw;
  Reading<uint64_t> energy_uj;
};

/// Counters stop at their largest value instead of starting again.
inline uint64_t saturated_sum(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}
struct EccCount {
  uint64_t correctable = 0, uncorrectable = 0, deferred = 0;
  void add(const EccCount& o) {
    correctable = saturated_sum(correctable, o.correctable);
    uncorrectable = saturated_sum(uncorrectable, o.uncorrectable);
    deferred = saturated_sum(deferred, o.deferred);
  }
};
constexpr size_t kRasBlocks = 19; // bit positions of amdsmi_gpu_block_t
const char* ras_block_name(size_t block);

struct Pcie {
  Reading<uint32_t> width, max_width;
  Reading<uint32_t> speed_mtps, max_speed_mtps; // million transfers per second and lane
  Reading<uint64_t> replays, replay_rollovers, l0_to_recovery, naks_sent, naks_received;
  Reading<uint64_t> bandwidth_mbps; // megabits per second, both directions
};
/// "gfx942" as 942 and "gfx90a" as 9010: major, minor and stepping in decimal one after the other,
/// as ROCm's libraries give it.
std::optional<uint64_t> gfx_digits(const std::string& gfx);
uint32_t pcie_generation(uint32_t speed_mtps);

/// Accumulated and current limits on the clock. `acc` grows while the limit is active.
struct Throttle {
  struct Limit {
    Reading<uint64_t> acc, percent;
    Reading<bool> active;
  };
  Reading<uint64_t> counter; // the accumulators' time base
  Limit prochot, power, socket_thermal, vr_thermal, hbm_thermal;
  Reading<uint64_t> status; // the driver's bit mask
};

struct Firmware {
  std::string block; // the name that sysfs uses: "mec", "smc", "ta_xgmi"
  uint64_t version = 0;
};

struct BadPage {
  uint64_t address = 0, bytes = 4096;
  enum class State : uint8_t { reserved, pending, unreservable } state = State::reserved;
};

struct LinkTraffic { // one xGMI link
  uint64_t read_kib = 0, write_kib = 0;
  std::optional<bool> up;
};
struct Xgmi {
  Reading<uint32_t> width, speed_gbps; // of each link
  std::vector<LinkTraffic> links;
  Reading<uint64_t> errors;
};

struct Partition {
  Reading<std::string> compute, memory; // "SPX", "NPS1"
  Reading<std::vector<std::string>> compute_modes, memory_modes;
};

enum class LinkType : uint8_t { none, pcie, xgmi };
struct Link {
  LinkType type = LinkType::none;
  uint64_t weight = 0, hops = 0, min_mbps = 0, max_mbps = 0; // megabytes per second
  bool accessible = false;
};

struct CardUse { // what a process does on a card
  size_t card = 0;
  uint64_t vram_bytes = 0, gtt_bytes = 0, cpu_bytes = 0;
  uint64_t gfx_ns = 0, enc_ns = 0, sdma_us = 0;
  Reading<uint32_t> cu_percent; // of the compute units
  std::string kernel;           // running now
  uint64_t dispatches = 0, queues = 0;
};
struct Process {
  uint32_t pid = 0;
  std::string name;
  Reading<uint32_t> pasid;
  std::vector<CardUse> cards;
};

struct KernelStat {
  std::string name;
  uint64_t launches = 0, busy_ns = 0;
};

enum class EventKind : uint32_t { // values of the kernel's KFD SMI interface
  none,
  vmfault,
  thermal_throttle,
  gpu_pre_reset,
  gpu_post_reset,
  ring_hang,
  ras_uncorrectable = 64, // ours, of software cards; not in the kernel's interface
  ras_correctable = 65,
};
const char* event_name(EventKind k);
const std::vector<EventKind>& all_event_kinds(); // without `none`
struct Event {
  uint64_t number = 0, time_ns = 0;
  size_t card = 0;
  EventKind kind = EventKind::none;
  std::string message;
};

/// Performance levels in the order of rsmi_dev_perf_level_t: the driver's word in power_dpm_force_performance_level, and
/// AMD SMI's.
struct PerfLevel {
  const char *driver, *amd;
};
inline constexpr PerfLevel kPerfLevels[] = {{"auto", "AUTO"},
                                            {"low", "LOW"},
                                            {"high", "HIGH"},
                                            {"manual", "MANUAL"},
                                            {"profile_standard", "STABLE_STD"},
                                            {"profile_peak", "STABLE_PEAK"},
                                            {"profile_min_mclk", "STABLE_MIN_MCLK"},
                                            {"profile_min_sclk", "STABLE_MIN_SCLK"},
                                            {"perf_determinism", "DETERMINISM"}};

struct PowerProfile {
  uint32_t number = 0; // what the driver calls it and takes; numbers have gaps
  std::string name;
  bool active = false;
};

/// Choices of a setting that the driver numbers, and which one holds (a position).
struct Policies {
  std::vector<std::pair<uint32_t, std::string>> choices; // number, description
  std::optional<size_t> current;
};

class Card {
public:
  virtual ~Card() = default;
  size_t index = 0;
  Identity id;

  virtual Activity activity() = 0;
  virtual Memory memory() = 0;
  virtual Reading<ClockTable> clock(Clock c) = 0;
  virtual Reading<int64_t> temperature_mc(Sensor s, TempMetric m) = 0; // thousandths of a degree
  virtual Reading<int64_t> voltage_mv() = 0;
  virtual Power power() = 0;
  virtual Reading<EccCount> ecc(size_t block) = 0;
  virtual Reading<uint64_t> ecc_enabled_blocks() = 0; // bit mask
  virtual Pcie pcie() = 0;
  virtual Throttle throttle() = 0;
  virtual std::vector<Firmware> firmware() = 0;
  virtual Reading<std::vector<BadPage>> bad_pages() = 0;
  virtual Xgmi xgmi() = 0;
  virtual Partition partition() = 0;
  virtual Reading<std::string> perf_level() = 0;
  virtual Reading<uint32_t> fan_rpm() = 0;
  virtual Reading<uint32_t> fan_level() = 0; // 0 to 255
  virtual Reading<uint32_t> overdrive_percent() = 0;
  virtual Reading<MetricsTable> metrics() = 0;
  /// Power profiles as the driver lists them.
  virtual Reading<std::vector<PowerProfile>> power_profiles() = 0;

  /// Policies of the driver by name: "soc_pstate", "xgmi_plpd".
  virtual Reading<Policies> policy(const char*) { return Why::not_supported; }
  /// Programs on the card's partition are kept apart.
  virtual Reading<bool> process_isolation() { return Why::not_supported; }

  /// Writes a setting of a real card (a file name of its device folder). Software cards refuse.
  virtual Why set(const std::string& file, const std::string& text) = 0;
};

/// Which software cards, where PUMICE_DEVICES does not name them: a monitor shows those of whatever runs, the
/// runtime's tools (build systems ask them) those that a program started here would get.
enum class SoftCards : uint8_t { running, own };

class Model {
public:
  virtual ~Model() = default;
  /// Cards as PUMICE_SMI says. No cards is no error.
  static Result<std::unique_ptr<Model>> open(SoftCards which = SoftCards::running);

  const std::vector<std::unique_ptr<Card>>& cards() const { return cards_; }
  bool software() const { return software_; }
  virtual std::vector<Process> processes() = 0;
  virtual Link link(size_t from, size_t to) = 0;
  /// Kernels of a process; software cards only.
  virtual std::vector<KernelStat> kernels(uint32_t pid) = 0;
  /// Events with a number of at least `from`, oldest first.
  virtual std::vector<Event> events(uint64_t from) = 0;
  /// Number of the next event to come.
  virtual uint64_t next_event() = 0;
  /// Things worth saying that are no error (a folder that could not be read).
  const std::vector<std::string>& warnings() const { return warnings_; }

protected:
  std::vector<std::unique_ptr<Card>> cards_;
  std::vector<std::string> warnings_;
  bool software_ = false;
};

/// Fails when PUMICE_SMI or PUMICE_SYSFS_ROOT make no sense; every tool asks, also those that do
/// not need an answer.
Status check_environment();
Result<std::unique_ptr<Model>> open_soft_model(SoftCards which = SoftCards::running);
/// `root`: folder that holds sys/, dev/ and proc/; "" = this machine.
Result<std::unique_ptr<Model>> open_sysfs_model(const std::string& root);

} // namespace pumice::smi
