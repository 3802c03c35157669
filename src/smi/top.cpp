// SPDX-License-Identifier: MIT
#include "smi/top.h"
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <time.h>

namespace pumice::smi {
namespace {

uint64_t monotonic_ns() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(t.tv_nsec);
}

std::string size_text(uint64_t n) {
  constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double v = static_cast<double>(n);
  size_t u = 0;
  for (; v >= 1024 && u < 4; ++u)
    v /= 1024;
  return u ? fmt::format("{:.1f} {}", v, kUnits[u]) : fmt::format("{} B", n);
}

std::string bar(uint32_t percent, size_t width) {
  size_t full = (percent * width + 50) / 100;
  return "[" + std::string(full, '|') + std::string(width - std::min(width, full), ' ') + "]";
}

/// "_Z4spinPfi" is shown as "spin": the name part of a mangled function without nesting.
std::string short_kernel(const std::string& s) {
  if (s.size() < 4 || s.compare(0, 2, "_Z") != 0 || s[2] < '1' || s[2] > '9')
    return s;
  size_t n = 0, at = 2;
  while (at < s.size() && s[at] >= '0' && s[at] <= '9' && n < 1000)
    n = n * 10 + static_cast<size_t>(s[at++] - '0');
  return at + n <= s.size() ? s.substr(at, n) : s;
}

template <class T> nlohmann::ordered_json value(const Reading<T>& r) {
  return r.ok() ? nlohmann::ordered_json(*r) : nlohmann::ordered_json(nullptr);
}

} // namespace

void Top::sample() {
  uint64_t before = time_ns_;
  cards_.clear();
  for (auto& k : model_.cards()) {
    CardRow c;
    c.card = k->index;
    c.name = k->id.market_name;
    c.busy = k->activity().gfx_percent;
    Memory m = k->memory();
    c.used = m.vram_used;
    c.total = m.vram_total;
    for (Sensor s : {Sensor::junction, Sensor::edge})
      if (!c.temperature_mc.ok())
        c.temperature_mc = k->temperature_mc(s, TempMetric::current);
    Power p = k->power();
    c.power_uw = p.current_uw.ok() ? p.current_uw : p.average_uw;
    if (auto t = k->clock(Clock::sys); t.ok() && t->current && *t->current < t->hz.size())
      c.clock_mhz = t->hz[*t->current] / 1'000'000;
    cards_.push_back(std::move(c));
  }
  time_ns_ = monotonic_ns();
  uint64_t window = before ? time_ns_ - before : 0;
  std::map<std::pair<uint32_t, size_t>, uint64_t> busy;
  processes_.clear();
  for (Process& p : model_.processes()) {
    ProcessRow row;
    for (CardUse& u : p.cards) {
      Use use;
      auto key = std::pair(p.pid, u.card);
      busy[key] = u.gfx_ns;
      auto was = busy_ns_.find(key);
      if (window && was != busy_ns_.end() && u.gfx_ns > was->second)
        use.busy_percent = std::min(100.0, 100.0 * static_cast<double>(u.gfx_ns - was->second) /
                                               static_cast<double>(window));
      use.now = std::move(u);
      row.uses.push_back(std::move(use));
    }
    row.kernels = model_.kernels(p.pid);
    std::sort(row.kernels.begin(), row.kernels.end(),
              [](const auto& a, const auto& b) { return a.busy_ns > b.busy_ns; });
    row.process = std::move(p);
    processes_.push_back(std::move(row));
  }
  busy_ns_ = std::move(busy);
}

std::string Top::json() const {
  using Json = nlohmann::ordered_json;
  Json doc;
  doc["time_ns"] = time_ns_;
  Json& cards = doc["cards"] = Json::array();
  for (const CardRow& c : cards_)
    cards.push_back({{"card", c.card},
                     {"name", c.name},
                     {"utilisation_percent", value(c.busy)},
                     {"memory_used_bytes", value(c.used)},
                     {"memory_bytes", value(c.total)},
                     {"temperature_mc", value(c.temperature_mc)},
                     {"power_uw", value(c.power_uw)},
                     {"clock_mhz", value(c.clock_mhz)}});
  Json& processes = doc["processes"] = Json::array();
  for (const ProcessRow& r : processes_) {
    Json p;
    p["pid"] = r.process.pid;
    p["name"] = r.process.name;
    Json& uses = p["cards"] = Json::array();
    for (const Use& u : r.uses)
      uses.push_back({{"card", u.now.card},
                      {"memory_bytes", u.now.vram_bytes},
                      {"kernel", u.now.kernel.empty() ? Json(nullptr) : Json(u.now.kernel)},
                      {"busy_percent", u.busy_percent},
                      {"dispatches", u.now.dispatches},
                      {"queues", u.now.queues}});
    Json& kernels = p["kernels"] = Json::array();
    for (const KernelStat& k : r.kernels)
      kernels.push_back({{"name", k.name}, {"launches", k.launches}, {"busy_ns", k.busy_ns}});
    processes.push_back(std::move(p));
  }
  return doc.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string Top::frame(size_t rows, size_t columns, Color color) const {
  std::vector<std::string> lines;
  auto head = [&](const std::string& s) {
    lines.push_back(color == Color::on ? "\x1b[7m" + s + "\x1b[0m" : s);
  };
  lines.push_back(fmt::format("pumice top - {} {} card(s), {} process(es)", cards_.size(),
                              model_.software() ? "software" : "real", processes_.size()));
  lines.push_back("");
  head(fmt::format("{:<4} {:<22} {:>5} {:<22} {:>11} {:>11} {:>7} {:>8} {:>6}", "GPU", "NAME",
                   "GPU%", "", "MEM USED", "MEM TOTAL", "TEMP", "POWER", "MHZ"));
  for (const CardRow& c : cards_)
    lines.push_back(fmt::format(
        "{:<4} {:<22.22} {:>4}% {:<22} {:>11} {:>11} {:>7} {:>8} {:>6}", c.card, c.name,
        c.busy.ok() ? std::to_string(*c.busy) : "-", bar(c.busy.value_or(0), 20),
        c.used.ok() ? size_text(*c.used) : "-", c.total.ok() ? size_text(*c.total) : "-",
        c.temperature_mc.ok() ? fmt::format("{} C", *c.temperature_mc / 1000) : "-",
        c.power_uw.ok() ? fmt::format("{} W", *c.power_uw / 1'000'000) : "-",
        c.clock_mhz.ok() ? std::to_string(*c.clock_mhz) : "-"));
  lines.push_back("");
  head(fmt::format("{:>8} {:<16} {:>4} {:>6} {:>11} {:>7} {:>10}  {}", "PID", "PROCESS", "GPU",
                   "BUSY%", "MEMORY", "QUEUES", "LAUNCHES", "KERNEL"));
  std::vector<std::pair<double, std::string>> uses;
  for (const ProcessRow& r : processes_)
    for (const Use& u : r.uses) {
      std::string kernel = u.now.kernel.empty() ? "" : "> " + short_kernel(u.now.kernel);
      if (kernel.empty() && !r.kernels.empty())
        kernel = "  " + short_kernel(r.kernels[0].name);
      uses.emplace_back(u.busy_percent,
                        fmt::format("{:>8} {:<16.16} {:>4} {:>6.1f} {:>11} {:>7} {:>10}  {}",
                                    r.process.pid, r.process.name, u.now.card, u.busy_percent,
                                    size_text(u.now.vram_bytes), u.now.queues, u.now.dispatches,
                                    kernel));
    }
  std::sort(uses.begin(), uses.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  for (auto& [busy, line] : uses)
    lines.push_back(line);
  if (uses.empty())
    lines.push_back("    (none)");
  std::string out;
  size_t shown = 0;
  for (std::string& l : lines) {
    if (rows && shown == rows)
      break;
    ++shown;
    for (char& c : l) // names come from other programs
      if (static_cast<unsigned char>(c) < 32 && c != '\x1b')
        c = '?';
    size_t most = columns && l.find('\x1b') != std::string::npos ? columns + 8 : columns;
    if (columns && l.size() > most)
      l.resize(most);
    out += l + (color == Color::on ? "\x1b[0m\x1b[K\n" : "\n");
  }
  return out;
}

} // namespace pumice::smi
