// SPDX-License-Identifier: MIT
#include "smi/rocm_smi/tool.h"
#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <time.h>

namespace pumice::smi::rocm_smi {
namespace {

constexpr const char* kNone = "N/A";

template <class T> std::string number(const Reading<T>& r) {
  return r.ok() ? std::to_string(*r) : kNone;
}
std::string hex(const Reading<uint32_t>& r, int digits = 1) {
  return r.ok() ? fmt::format("0x{:0{}x}", *r, digits) : kNone;
}
std::string text(const Reading<std::string>& r) {
  return r.ok() && !r->empty() ? *r : kNone;
}
std::string upper(std::string s) {
  for (char& ch : s)
    ch = static_cast<char>(std::toupper(static_cast<unsigned char>(ch)));
  return s;
}

std::string degrees(const Reading<int64_t>& mc) {
  return mc.ok() ? fmt::format("{:.1f}", static_cast<double>(*mc) / 1000) : kNone;
}
std::string watts(uint64_t uw) {
  return fmt::format("{:.1f}", static_cast<double>(uw) / 1e6);
}

struct PowerText {
  std::string label = "N/A", value = kNone; // label: Average or Current Socket
};
PowerText power_text(Card& k) {
  Power p = k.power();
  if (p.current_uw.ok())
    return {"Current Socket", watts(*p.current_uw)};
  if (p.average_uw.ok())
    return {"Average", watts(*p.average_uw)};
  return {};
}

std::string clock_mhz(Card& k, Clock c) {
  auto t = k.clock(c);
  if (!t.ok() || !t->current || *t->current >= t->hz.size())
    return kNone;
  return fmt::format("{:.0f}Mhz", static_cast<double>(t->hz[*t->current]) / 1e6);
}

std::string level_text(const ClockTable& t, size_t level) {
  if (!t.deep_sleep)
    return std::to_string(level);
  return level == 0 ? "S" : std::to_string(level - 1); // level 0 is the sleep state
}

std::string memory_percent(Card& k) {
  Memory m = k.memory();
  if (!m.vram_total.ok() || !m.vram_used.ok() || *m.vram_total == 0)
    return kNone;
  return fmt::format("{:.0f}", std::floor(100.0 * static_cast<double>(*m.vram_used) /
                                          static_cast<double>(*m.vram_total)));
}

std::string fan_percent(Card& k) {
  auto level = k.fan_level();
  return level.ok() ? fmt::format("{:.0f}", *level / 255.0 * 100) : kNone;
}

/// The sensor that the concise table shows: the first that some card has.
Sensor table_sensor(Context& c) {
  for (Sensor s : {Sensor::edge, Sensor::junction, Sensor::memory, Sensor::hbm0})
    for (Card* k : c.cards)
      if (k->temperature_mc(s, TempMetric::current).ok())
        return s;
  return Sensor::junction;
}

const char* metric_key(Sensor s) {
  return s == Sensor::edge ? "Edge" : s == Sensor::junction ? "Junction" : "Memory";
}

std::string ras_state(Card& k, size_t block) {
  auto on = k.ecc_enabled_blocks();
  if (!on.ok())
    return kNone;
  return *on >> block & 1 ? "ENABLED" : "DISABLED";
}

size_t display_width(const std::string& s) { // the degree sign has two bytes
  size_t n = 0;
  for (unsigned char ch : s)
    n += (ch & 0xc0) != 0x80;
  return n;
}

std::string pad(const std::string& s, size_t width) {
  size_t w = display_width(s);
  return w < width ? s + std::string(width - w, ' ') : s;
}

std::vector<std::string> table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths;
  for (auto& row : rows)
    for (size_t i = 0; i < row.size(); ++i) {
      widths.resize(std::max(widths.size(), row.size()));
      widths[i] = std::max(widths[i], display_width(row[i]) + 2);
    }
  std::vector<std::string> lines;
  for (auto& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i)
      line += pad(row[i], widths[i]);
    lines.push_back(line);
  }
  return lines;
}

void emit_table(Context& c, const char* title, std::vector<std::string> lines, size_t heads) {
  size_t width = lines.empty() ? 0 : display_width(lines[0]);
  c.out.line(spacer(" ROCm System Management Interface ", '=', width));
  c.out.line(spacer(title, '=', width));
  for (size_t i = 0; i < lines.size(); ++i) {
    c.out.line(lines[i]);
    if (i + 1 == heads && heads == 2)
      c.out.line(spacer("", '=', width));
  }
  c.out.line(spacer("", '=', width));
  c.out.line(spacer(" End of ROCm SMI Log ", '=', width));
}

void show_id(Context& c) {
  c.out.section(" ID ");
  for (Card* k : c.cards) {
    c.out.card(k->index, "Device Name", "\t\t" + k->id.market_name);
    c.out.card(k->index, "Device ID", fmt::format("\t\t0x{:04x}", k->id.device_id));
    c.out.card(k->index, "Device Rev", "\t\t" + hex(k->id.revision, 2));
    c.out.card(k->index, "Subsystem ID", "\t" + hex(k->id.subsystem_device, 4));
    c.out.card(k->index, "GUID", "\t\t" + number(k->id.kfd_gpu_id));
  }
}

void show_vbios(Context& c) {
  c.out.section(" VBIOS ");
  for (Card* k : c.cards)
    c.out.card(k->index, "VBIOS version", text(k->id.vbios));
}

void show_driver(Context& c) {
  c.out.section(" Version of System Component ");
  std::string version = kNone;
  for (auto& k : c.model.cards())
    if (k->id.driver_version.ok())
      version = *k->id.driver_version;
  c.out.system("Driver version", version);
}

/// The middle of "113-M3000100-102", where the board says nothing itself.
std::string sku(Card& k) {
  if (k.id.product_number.ok())
    return *k.id.product_number;
  std::string v = k.id.vbios.value_or("");
  size_t a = v.find('-'), b = v.rfind('-');
  return a != std::string::npos && b > a + 1 ? v.substr(a + 1, b - a - 1) : kNone;
}

void show_product(Context& c) {
  c.out.section(" Product Info ");
  for (Card* k : c.cards) {
    c.out.card(k->index, "Card Series", "\t\t" + k->id.market_name);
    c.out.card(k->index, "Card Model", fmt::format("\t\t0x{:04x}", k->id.device_id));
    c.out.card(k->index, "Card Vendor", "\t\t" + k->id.vendor_name);
    c.out.card(k->index, "Card SKU", "\t\t" + sku(*k));
    c.out.card(k->index, "Subsystem ID", "\t" + hex(k->id.subsystem_device, 4));
    c.out.card(k->index, "Device Rev", "\t\t" + hex(k->id.revision, 2));
    c.out.card(k->index, "Node ID", "\t\t" + number(k->id.kfd_node));
    c.out.card(k->index, "GUID", "\t\t" + number(k->id.kfd_gpu_id));
    c.out.card(k->index, "GFX Version", "\t\t" + (k->id.gfx.empty() ? kNone : k->id.gfx));
  }
}

void show_serial(Context& c) {
  c.out.section(" Serial Number ");
  for (Card* k : c.cards)
    c.out.card(k->index, "Serial Number", text(k->id.serial));
}

void show_unique_id(Context& c) {
  c.out.section(" Unique ID ");
  for (Card* k : c.cards)
    c.out.card(k->index, "Unique ID",
               k->id.unique_id.ok() ? fmt::format("0x{:x}", *k->id.unique_id) : kNone);
}

void show_bus(Context& c) {
  c.out.section(" PCI Bus ID ");
  for (Card* k : c.cards)
    c.out.card(k->index, "PCI Bus", upper(k->id.bdf.text()));
}

void show_memory_vendor(Context& c) {
  c.out.section(" Memory Vendor ");
  for (Card* k : c.cards)
    c.out.card(k->index, "GPU memory vendor", text(k->id.vram_vendor));
}

void show_fan(Context& c) {
  c.out.section(" Current Fan Metric ");
  for (Card* k : c.cards) {
    auto level = k->fan_level();
    auto rpm = k->fan_rpm();
    c.out.machine(k->index, "Fan speed (level)", number(level));
    c.out.machine(k->index, "Fan speed (%)", fan_percent(*k));
    c.out.machine(k->index, "Fan RPM", number(rpm));
    if (level.ok())
      c.out.note(k->index, fmt::format("Fan Level: {} ({}%)", *level, fan_percent(*k)));
    if (rpm.ok())
      c.out.note(k->index, fmt::format("Fan RPM: {}", *rpm));
    if (!level.ok() && !rpm.ok())
      c.out.note(k->index, "Not supported");
  }
}

void show_power(Context& c) {
  c.out.section(" Power Consumption ");
  for (Card* k : c.cards) {
    PowerText p = power_text(*k);
    std::string label = p.value == kNone ? "Current Socket" : p.label;
    c.out.card(k->index, label + " Graphics Package Power (W)", p.value);
  }
}

void show_max_power(Context& c) {
  c.out.section(" Power Cap ");
  for (Card* k : c.cards) {
    Power p = k->power();
    c.out.card(k->index, "Max Graphics Package Power (W)",
               p.cap_uw.ok() ? watts(*p.cap_uw) : kNone);
  }
}

void show_temperature(Context& c) {
  c.out.section(" Temperature ");
  for (Card* k : c.cards) {
    bool any = false;
    for (size_t s = 0; s < static_cast<size_t>(Sensor::count); ++s) {
      auto t = k->temperature_mc(static_cast<Sensor>(s), TempMetric::current);
      std::string key =
          fmt::format("Temperature (Sensor {}) (C)", sensor_name(static_cast<Sensor>(s)));
      if (t.ok())
        c.out.card(k->index, key, degrees(t));
      else if (s < 3)
        c.out.machine(k->index, key, kNone);
      any |= t.ok();
    }
    if (!any)
      c.out.note(k->index, "Temperature not supported");
  }
}

std::string accumulated(Card& k, Metric m) {
  auto t = k.metrics();
  auto v = t.ok() ? t->get(m) : std::nullopt;
  return v ? std::to_string(*v) : kNone;
}

void show_use(Context& c) {
  c.out.section(" % time GPU is busy ");
  for (Card* k : c.cards) {
    Activity a = k->activity();
    c.out.card(k->index, "GPU use (%)", number(a.gfx_percent));
    c.out.card(k->index, "GFX Activity", accumulated(*k, Metric::gfx_activity_acc));
  }
}

void show_memory_use(Context& c) {
  c.out.section(" Current Memory Use ");
  for (Card* k : c.cards) {
    c.out.card(k->index, "GPU Memory Allocated (VRAM%)", memory_percent(*k));
    c.out.card(k->index, "GPU Memory Read/Write Activity (%)",
               number(k->activity().memory_percent));
    c.out.card(k->index, "Memory Activity", accumulated(*k, Metric::mem_activity_acc));
  }
}

void show_voltage(Context& c) {
  c.out.section(" Current voltage ");
  for (Card* k : c.cards)
    c.out.card(k->index, "Voltage (mV)", number(k->voltage_mv()));
}

void show_pcie_bandwidth(Context& c) {
  c.out.section(" Measured PCIe Bandwidth ");
  for (Card* k : c.cards) {
    auto b = k->pcie().bandwidth_mbps;
    c.out.card(k->index, "Estimated maximum PCIe bandwidth over the last second (MB/s)",
               b.ok() ? fmt::format("{:.3f}", static_cast<double>(*b) / 8) : kNone);
  }
}

/// Index in the list of link speeds; cards without such a list have one speed.
size_t pcie_level(Card& k) {
  auto t = k.clock(Clock::pcie);
  return t.ok() ? t->current.value_or(0) : 0;
}

void show_current_clocks(Context& c) {
  c.out.section(" Current clock frequencies ");
  for (Card* k : c.cards) {
    for (Clock n : {Clock::dcef, Clock::df, Clock::mem, Clock::sys, Clock::soc}) {
      auto t = k->clock(n);
      if (!t.ok())
        continue;
      if (!t->current || *t->current >= t->hz.size()) {
        c.out.note(k->index, fmt::format("{} current clock frequency not found", clock_name(n)));
        continue;
      }
      std::string mhz = fmt::format("({:.0f}Mhz)", static_cast<double>(t->hz[*t->current]) / 1e6);
      std::string level = level_text(*t, *t->current);
      c.out.note(k->index, fmt::format("{} clock level: {}: {}", clock_name(n), level, mhz));
      c.out.machine(k->index, fmt::format("{} clock speed:", clock_name(n)), mhz);
      c.out.machine(k->index, fmt::format("{} clock level:", clock_name(n)), level);
    }
    Pcie p = k->pcie();
    if (p.speed_mtps.ok() && p.width.ok())
      c.out.card(
          k->index, "pcie clock level",
          fmt::format("{} ({:.1f}GT/s x{})", pcie_level(*k), *p.speed_mtps / 1000.0, *p.width));
  }
}

void show_gpu_clocks(Context& c) {
  c.out.section(" Current clock frequencies ");
  for (Card* k : c.cards) {
    auto t = k->clock(Clock::sys);
    bool known = t.ok() && t->current && *t->current < t->hz.size();
    c.out.card(k->index, "sclk clock level",
               known
                   ? fmt::format("{} ({})", level_text(*t, *t->current), clock_mhz(*k, Clock::sys))
                   : kNone);
  }
}

void show_supported_clocks(Context& c) {
  c.out.section(" Supported clock frequencies ");
  for (Card* k : c.cards) {
    for (Clock n : {Clock::dcef, Clock::df, Clock::mem, Clock::sys, Clock::soc}) {
      auto t = k->clock(n);
      if (!t.ok())
        continue;
      c.out.note(k->index,
                 fmt::format("Supported {} frequencies on GPU{}", clock_name(n), k->index));
      std::string all;
      for (size_t i = 0; i < t->hz.size(); ++i) {
        std::string f = fmt::format("{:.0f}Mhz{}", static_cast<double>(t->hz[i]) / 1e6,
                                    t->current == i ? " *" : "");
        c.out.note(k->index, level_text(*t, i) + ": " + f);
        all += (all.empty() ? "" : ", ") + f;
      }
      c.out.note(k->index, "");
      c.out.machine(k->index, fmt::format("Supported {} frequencies", clock_name(n)), all);
    }
    c.out.line(spacer("", '-'));
  }
}

void show_profile(Context& c) {
  c.out.section(" Show Power Profiles ");
  for (Card* k : c.cards) {
    auto p = k->power_profiles();
    if (!p.ok()) {
      c.out.note(k->index, "Not supported on the given system");
      c.out.machine(k->index, "Power profile", kNone);
      continue;
    }
    int i = 0;
    std::string active = kNone;
    for (const PowerProfile& profile : *p) { // the first number is what --setprofile takes
      ++i;
      c.out.note(k->index,
                 fmt::format("{}. Available power profile (#{} of {}): {}{}", profile.number, i,
                             p->size(), profile.name, profile.active ? "*" : ""));
      if (profile.active)
        active = profile.name;
    }
    c.out.machine(k->index, "Power profile", active);
  }
}

void show_overdrive(Context& c) {
  c.out.section(" OverDrive Level ");
  for (Card* k : c.cards)
    c.out.card(k->index, "GPU OverDrive value (%)", number(k->overdrive_percent()));
}

void show_memory_overdrive(Context& c) {
  c.out.section(" OverDrive Level ");
  for (Card* k : c.cards)
    c.out.card(k->index, "GPU Memory OverDrive value (%)", kNone);
}

void show_perf_level(Context& c) {
  c.out.section(" Show Performance Level ");
  for (Card* k : c.cards)
    c.out.card(k->index, "Performance Level", text(k->perf_level()));
}

void show_range(Context& c, const char* which, Clock clock) {
  c.out.section(fmt::format(" Show Valid {} Range ", which));
  for (Card* k : c.cards) {
    auto t = k->clock(clock);
    c.out.card(k->index, fmt::format("Valid {} range", which),
               t.ok() && !t->hz.empty() ? fmt::format("{}Mhz - {}Mhz", t->hz.front() / 1'000'000,
                                                      t->hz.back() / 1'000'000)
                                        : kNone);
  }
}

// What only cards with a voltage curve have; no Instinct has one.
void without_curve(Context& c, const char* title, const char* note,
                   std::initializer_list<const char*> keys) {
  c.out.section(title);
  for (Card* k : c.cards) {
    c.out.note(k->index, note);
    for (const char* key : keys)
      c.out.machine(k->index, key, kNone);
  }
}
void show_voltage_range(Context& c) {
  without_curve(c, " Show Valid voltage Range ", "Voltage range: not supported on this card",
                {"Valid voltage range"});
}
void show_voltage_curve(Context& c) {
  without_curve(c, " Voltage Curve Points ", "Voltage curve: not supported on this card",
                {"Voltage point 0", "Voltage point 1", "Voltage point 2"});
}
void show_clocks_and_voltages(Context& c) {
  without_curve(c, " GPU and Memory Clocks and Voltages ",
                "Clocks with voltages: not supported on this card", {"Clocks and voltages"});
}

/// One picture, not ROCm's endless one: a bar to 100 degrees.
void show_temperature_graph(Context& c) {
  Sensor s = table_sensor(c);
  c.out.section(fmt::format(" Temperature Graph {} ", metric_key(s)));
  for (Card* k : c.cards) {
    auto t = k->temperature_mc(s, TempMetric::current);
    constexpr size_t kWidth = 40;
    size_t n =
        t.ok() && *t > 0 ? std::min<size_t>(kWidth, static_cast<size_t>(*t) * kWidth / 100'000) : 0;
    c.out.note(k->index,
               t.ok() ? fmt::format("[{:<{}}] {}\u00b0C", std::string(n, '#'), kWidth, degrees(t))
                      : "Temperature not supported");
    c.out.machine(k->index, fmt::format("Temperature (Sensor {}) (C)", sensor_name(s)), degrees(t));
  }
}

void show_replays(Context& c) {
  c.out.section(" PCIe Replay Counter ");
  for (Card* k : c.cards)
    c.out.card(k->index, "PCIe Replay Count", number(k->pcie().replays));
}

void show_xgmi_errors(Context& c) {
  c.out.section(" XGMI Error status ");
  for (Card* k : c.cards) {
    auto e = k->xgmi().errors;
    const char* what = !e.ok()   ? kNone
                       : *e == 0 ? "No errors detected since last read"
                       : *e == 1 ? "Single error detected since last read"
                                 : "Multiple errors detected since last read";
    c.out.card(k->index, "XGMI Error count",
               e.ok() ? fmt::format("{} ({})", std::min<uint64_t>(*e, 2), what) : kNone,
               "XGMI Error count", e.ok() ? std::to_string(std::min<uint64_t>(*e, 2)) : kNone);
  }
}

void show_energy(Context& c) {
  c.out.section(" Consumed Energy ");
  for (Card* k : c.cards) {
    auto e = k->power().energy_uj;
    constexpr double kUnit = 15.259; // microjoules of one count
    c.out.card(k->index, "Energy counter",
               e.ok() ? fmt::format("{:.0f}", static_cast<double>(*e) / kUnit) : kNone);
    c.out.card(k->index, "Accumulated Energy (uJ)",
               e.ok() ? fmt::format("{:.2f}", static_cast<double>(*e)) : kNone);
  }
}

void show_compute_partition(Context& c) {
  c.out.section(" Current Compute Partition ");
  for (Card* k : c.cards)
    c.out.card(k->index, "Compute Partition", text(k->partition().compute));
}

void show_memory_partition(Context& c) {
  c.out.section(" Current Memory Partition ");
  for (Card* k : c.cards)
    c.out.card(k->index, "Memory Partition", text(k->partition().memory));
}

} // namespace

void show_pages(Context& c, const char* kind) {
  c.out.section(" Pages Info ");
  constexpr const char* kStates[] = {"reserved", "pending", "unreservable"};
  for (Card* k : c.cards) {
    auto pages = k->bad_pages();
    if (!pages.ok()) {
      c.out.note(k->index, std::string("retired pages: ") + why_text(pages.why()));
      c.out.machine(k->index, "Retired pages", kNone);
      continue;
    }
    size_t n = 0;
    for (const BadPage& p : *pages) {
      const char* state = kStates[static_cast<size_t>(p.state)];
      if (kind && std::string(kind) != state)
        continue;
      if (n++ == 0)
        c.out.line(fmt::format(
            "\nGPU[{}]: \tPAGES INFO\n    Page address     Page size       Status", k->index));
      c.out.line(fmt::format("{:>16}  {:>12}  {:>10}", fmt::format("0x{:x}", p.address),
                             fmt::format("0x{:x}", p.bytes), state));
    }
    c.out.machine(k->index, fmt::format("{} pages", kind ? kind : "Retired"), std::to_string(n));
  }
}

void concise_text(Context& c) {
  Sensor sensor = table_sensor(c);
  std::string power_label = "(Socket)";
  for (Card* k : c.cards)
    if (power_text(*k).label == "Average")
      power_label = "(Avg)";
  std::vector<std::vector<std::string>> rows = {
      {"Device", "Node", "IDs", "", "Temp", "Power", "Partitions", "SCLK", "MCLK", "Fan", "Perf",
       "PwrCap", "VRAM%", "GPU%"},
      {"", "", "(DID,", "GUID)", fmt::format("({})", metric_key(sensor)), power_label,
       "(Mem, Compute, ID)", "", "", "", "", "", "", ""}};
  for (Card* k : c.cards) {
    std::string t = degrees(k->temperature_mc(sensor, TempMetric::current));
    PowerText p = power_text(*k);
    Partition part = k->partition();
    Power power = k->power();
    std::string used = memory_percent(*k), fan = fan_percent(*k);
    Reading<uint32_t> busy = k->activity().gfx_percent;
    rows.push_back({std::to_string(k->index), number(k->id.kfd_node),
                    fmt::format("0x{:04x}, ", k->id.device_id), number(k->id.kfd_gpu_id),
                    t == kNone ? t : t + "\u00b0C", p.value == kNone ? p.value : p.value + "W",
                    text(part.memory) + ", " + text(part.compute) + ", " +
                        std::to_string(k->id.partition_id.value_or(0)),
                    clock_mhz(*k, Clock::sys), clock_mhz(*k, Clock::mem),
                    fan == kNone ? "0%" : fan + "%", text(k->perf_level()),
                    power.cap_uw.ok() ? watts(*power.cap_uw) + "W" : "Unsupported",
                    used == kNone ? used : used + "%",
                    busy.ok() ? std::to_string(*busy) + "%" : "Unsupported"});
  }
  emit_table(c, " Concise Info ", table(rows), 2);
}

void concise_values(Context& c) {
  for (auto f : {&show_id, &show_temperature, &show_power, &show_max_power, &show_compute_partition,
                 &show_memory_partition, &show_current_clocks, &show_fan, &show_perf_level,
                 &show_memory_use, &show_use})
    f(c);
}

void concise_hw(Context& c) {
  std::vector<std::vector<std::string>> rows = {{"GPU", "NODE", "DID", "GUID", "GFX VER", "GFX RAS",
                                                 "SDMA RAS", "UMC RAS", "VBIOS", "BUS",
                                                 "PARTITION ID"}};
  for (Card* k : c.cards) {
    std::vector<std::string> row = {std::to_string(k->index),
                                    number(k->id.kfd_node),
                                    fmt::format("0x{:04x}", k->id.device_id),
                                    number(k->id.kfd_gpu_id),
                                    k->id.gfx,
                                    ras_state(*k, 2),
                                    ras_state(*k, 1),
                                    ras_state(*k, 0),
                                    text(k->id.vbios),
                                    upper(k->id.bdf.text()),
                                    std::to_string(k->id.partition_id.value_or(0))};
    for (size_t i = 0; i < row.size(); ++i)
      c.out.machine(k->index, rows[0][i], row[i]);
    rows.push_back(std::move(row));
  }
  emit_table(c, " Concise Hardware Info ", table(rows), 1);
}

void show_memory_info(Context& c, const std::vector<std::string>& kinds) {
  c.out.section(" Memory Usage (Bytes) ");
  std::vector<std::string> want;
  for (const std::string& k : kinds) {
    std::string u = upper(k);
    if (u == "ALL") {
      want = {"VRAM", "VIS_VRAM", "GTT"};
    } else if (u == "VRAM" || u == "VIS_VRAM" || u == "GTT") {
      if (std::find(want.begin(), want.end(), u) == want.end())
        want.push_back(u);
    } else
      c.out.failure("--showmeminfo: '" + k + "' is no memory type (vram, vis_vram, gtt, all)");
  }
  for (Card* k : c.cards) {
    Memory m = k->memory();
    for (const std::string& w : want) {
      auto &total = w == "VRAM"  ? m.vram_total
                    : w == "GTT" ? m.gtt_total
                                 : m.visible_total,
           &used = w == "VRAM"  ? m.vram_used
                   : w == "GTT" ? m.gtt_used
                                : m.visible_used;
      c.out.card(k->index, w + " Total Memory (B)", number(total));
      c.out.card(k->index, w + " Total Used Memory (B)", number(used));
    }
  }
}

void show_ras_info(Context& c, const std::vector<std::string>& blocks) {
  std::vector<std::string> known = {"ALL"};
  for (size_t b = 0; b < kRasBlocks; ++b)
    known.push_back(ras_block_name(b));
  auto words = known_words(c, "--showrasinfo", blocks, known);
  if (words.empty() && !blocks.empty())
    return;
  std::set<std::string> want(words.begin(), words.end());
  c.out.section(" RAS Info ");
  for (Card* k : c.cards) {
    c.out.line(fmt::format("\nGPU[{}]: \tRAS INFO", k->index));
    c.out.line("         Block       Status    Correctable Error  Uncorrectable Error");
    auto on = k->ecc_enabled_blocks();
    for (size_t b = 0; b < kRasBlocks; ++b) {
      std::string name = ras_block_name(b);
      if (!want.empty() && !want.count("ALL") && !want.count(name))
        continue;
      auto count = k->ecc(b);
      bool enabled = on.ok() && (*on >> b & 1);
      std::string state = !on.ok() ? kNone : enabled ? "ENABLED" : "DISABLED";
      std::string ce = count.ok() ? std::to_string(count->correctable) : kNone,
                  ue = count.ok() ? std::to_string(count->uncorrectable) : kNone;
      if (count.ok() || enabled || !want.empty())
        c.out.line(fmt::format("{:>14}  {:>13}  {:>17}  {:>19}", name, state, ce, ue));
      c.out.machine(k->index, "RAS " + name + " Status", state);
      c.out.machine(k->index, "RAS " + name + " Correctable Error", ce);
      c.out.machine(k->index, "RAS " + name + " Uncorrectable Error", ue);
    }
    c.out.line(spacer("", '_'));
  }
}

void show_firmware(Context& c, const std::vector<std::string>& blocks) {
  // The names that ROCm's tool takes, whether or not these cards have them, and what they have.
  std::vector<std::string> known = {"ALL",      "ASD",  "CE",    "DMCU",    "MC",       "ME",
                                    "MEC",      "MEC2", "PFP",   "RLC",     "RLC_SRLC", "RLC_SRLG",
                                    "RLC_SRLS", "SDMA", "SDMA2", "SMC",     "SOS",      "TA_RAS",
                                    "UVD",      "VCE",  "VCN",   "TA_XGMI", "MES",      "MES_KIQ"};
  for (Card* k : c.cards)
    for (const Firmware& f : k->firmware())
      known.push_back(upper(f.block));
  auto words = known_words(c, "--showfwinfo", blocks, known);
  if (words.empty() && !blocks.empty())
    return;
  std::set<std::string> want(words.begin(), words.end());
  c.out.section(" Firmware Information ");
  for (Card* k : c.cards) {
    auto all = k->firmware();
    if (all.empty())
      c.out.note(k->index, "No firmware");
    for (const Firmware& f : all) {
      std::string name = upper(f.block);
      if (!want.empty() && !want.count("ALL") && !want.count(name))
        continue;
      std::string version = std::to_string(f.version);
      if (name == "VCN")
        version = fmt::format("0x{:x}", f.version);
      else if (name == "SOS" || name == "ASD" || name.rfind("TA_", 0) == 0)
        version = fmt::format("0x{:08x}", f.version);
      else if (name == "SMC")
        version = fmt::format("{:02d}.{:02d}.{:02d}.{:02d}", f.version >> 24 & 255,
                              f.version >> 16 & 255, f.version >> 8 & 255, f.version & 255);
      c.out.card(k->index, name + " firmware version", "\t" + version);
    }
  }
}

const std::vector<ShowOption>& show_options() {
  static const std::vector<ShowOption> all = {
      {"-i,--showid", "Show DEVICE IDs", show_id, true},
      {"-v,--showvbios", "Show VBIOS version", show_vbios, true},
      {"--showdriverversion", "Show kernel driver version", show_driver, true},
      {"--showmclkrange", "Show mclk range", [](Context& c) { show_range(c, "mclk", Clock::mem); },
       true},
      {"--showmemvendor", "Show GPU memory vendor", show_memory_vendor, true},
      {"--showsclkrange", "Show sclk range", [](Context& c) { show_range(c, "sclk", Clock::sys); },
       true},
      {"--showproductname", "Show product details", show_product, true},
      {"--showserial", "Show GPU's Serial Number", show_serial, true},
      {"--showuniqueid", "Show GPU's Unique ID", show_unique_id, true},
      {"--showbus", "Show PCI bus number", show_bus, true},
      {"--showpagesinfo", "Show retired, pending and unreservable pages",
       [](Context& c) { show_pages(c, nullptr); }, true},
      {"--showpendingpages", "Show pending retired pages",
       [](Context& c) { show_pages(c, "pending"); }, false},
      {"--showretiredpages", "Show retired pages", [](Context& c) { show_pages(c, "reserved"); },
       false},
      {"--showunreservablepages", "Show unreservable pages",
       [](Context& c) { show_pages(c, "unreservable"); }, false},
      {"--showtempgraph", "Show Temperature Graph", show_temperature_graph, false},
      {"--showvoltagerange", "Show voltage range", show_voltage_range, false},
      {"--showvc", "Show voltage curve", show_voltage_curve, false},
      {"-S,--showclkvolt", "Show supported GPU and Memory Clocks and Voltages",
       show_clocks_and_voltages, false},
      {"-f,--showfan", "Show current fan speed", show_fan, true},
      {"-P,--showpower",
       "Show current average or instant socket graphics package power consumption", show_power,
       true},
      {"-t,--showtemp", "Show current temperature", show_temperature, true},
      {"-u,--showuse", "Show current GPU use", show_use, true},
      {"--showmemuse", "Show current GPU memory used", show_memory_use, true},
      {"--showvoltage", "Show current GPU voltage", show_voltage, true},
      {"-b,--showbw", "Show estimated PCIe use", show_pcie_bandwidth, true},
      {"-c,--showclocks", "Show current clock frequencies", show_current_clocks, true},
      {"-g,--showgpuclocks", "Show current GPU clock frequencies", show_gpu_clocks, false},
      {"-l,--showprofile", "Show Compute Profile attributes", show_profile, true},
      {"-M,--showmaxpower", "Show maximum graphics package power this GPU will consume",
       show_max_power, true},
      {"-m,--showmemoverdrive", "Show current GPU Memory Clock OverDrive level",
       show_memory_overdrive, false},
      {"-o,--showoverdrive", "Show current GPU Clock OverDrive level", show_overdrive, true},
      {"-p,--showperflevel", "Show current DPM Performance Level", show_perf_level, true},
      {"-s,--showclkfrq", "Show supported GPU and Memory Clock", show_supported_clocks, true},
      {"--showreplaycount", "Show PCIe Replay Count", show_replays, true},
      {"--showxgmierr", "Show XGMI error information since last read", show_xgmi_errors, true},
      {"--showtopoaccess", "Show the link accessibility between GPUs", show_topology_access, false},
      {"--showtopoweight", "Show the relative weight between GPUs", show_topology_weight, false},
      {"--showtopohops", "Show the number of hops between GPUs", show_topology_hops, false},
      {"--showtopotype", "Show the link type between GPUs", show_topology_type, false},
      {"--showtoponuma", "Show the numa nodes", show_topology_numa, false},
      {"--showenergycounter", "Energy accumulator that stores amount of energy consumed",
       show_energy, true},
      {"--shownodesbw", "Show the bandwidth between nodes", show_nodes_bandwidth, false},
      {"--showcomputepartition", "Show current compute partitioning", show_compute_partition, true},
      {"--showmemorypartition", "Show current memory partition", show_memory_partition, true},
      {"--showmetrics", "Show current gpu metric data", show_metrics, true},
  };
  return all;
}

} // namespace pumice::smi::rocm_smi
