// SPDX-License-Identifier: MIT
#include "smi/inject.h"
#include "smi/model.h"
#include <fmt/format.h>
#include <time.h>

namespace pumice::smi {
namespace {

using namespace device::telemetry;

uint64_t monotonic_ns() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(t.tv_nsec);
}

Result<uint64_t> throttle_bits(const std::string& text) {
  constexpr std::pair<const char*, uint64_t> kNames[] = {{"none", 0},
                                                         {"power", kThrottlePower},
                                                         {"thermal", kThrottleThermal},
                                                         {"prochot", kThrottleProchot},
                                                         {"vr", kThrottleVr},
                                                         {"hbm", kThrottleHbm}};
  uint64_t bits = 0;
  for (size_t at = 0; at <= text.size();) {
    size_t end = std::min(text.find(',', at), text.size());
    std::string item = text.substr(at, end - at);
    bool known = false;
    for (auto& [name, bit] : kNames)
      if (item == name) {
        bits |= bit;
        known = true;
      }
    if (!known)
      return error(Code::invalid_argument,
                   "'" + item + "' is no throttle reason (power, thermal, prochot, vr, hbm, none)");
    at = end + 1;
  }
  return bits;
}

void add_saturated(Word& w, uint64_t more) {
  uint64_t was = w.load();
  while (!w.compare_exchange_weak(was, saturated_sum(was, more))) {
  }
}

Status check_card(size_t card) {
  return card < kCards
             ? ok_status()
             : error(Code::invalid_argument, "there are cards 0 to " + std::to_string(kCards - 1));
}

} // namespace

Result<Injector> Injector::open() {
  Injector i;
  TRY_ASSIGN(i.mapping_, Mapping::open(Mapping::path()));
  return i;
}

Status Injector::set(size_t n, const Faults& f) {
  TRY(check_card(n));
  if (f.block >= kRasBlocks)
    return error(Code::invalid_argument, "no such RAS block");
  for (const auto& t : {f.edge_c, f.junction_c, f.memory_c})
    if (t && !(*t > 0 && *t <= 200))
      return error(Code::invalid_argument, "a temperature must be above 0 and at most 200 degrees");
  if (f.power_w && !(*f.power_w >= 0 && *f.power_w <= 10000))
    return error(Code::invalid_argument, "power must be 0 to 10000 watts");
  if (f.utilisation_percent && *f.utilisation_percent > 100)
    return error(Code::invalid_argument, "utilisation is a percentage");
  if (f.clock_mhz && (*f.clock_mhz == 0 || *f.clock_mhz > 10000))
    return error(Code::invalid_argument, "a clock must be 1 to 10000 MHz");
  if (f.fan_rpm && *f.fan_rpm > 100000)
    return error(Code::invalid_argument, "a fan speed must be 0 to 100000 revolutions per minute");
  if (f.retired_pages && *f.retired_pages > kMostRetiredPages)
    return error(
        Code::invalid_argument,
        fmt::format("a card's page table holds at most {} retired pages", kMostRetiredPages));
  std::optional<uint64_t> throttle;
  if (f.throttle) {
    TRY_ASSIGN(throttle, throttle_bits(*f.throttle));
  }
  Injection& c = card(n);
  auto mc = [](double degrees) { return static_cast<uint64_t>(degrees * 1000); };
  uint64_t bits = 0;
  for (auto [value, sensor] : {std::pair{f.edge_c, Sensor::edge},
                               {f.junction_c, Sensor::junction},
                               {f.memory_c, Sensor::memory}})
    if (value) {
      c.temperature_mc[static_cast<size_t>(sensor)] = mc(*value);
      bits |= Injection::temperature;
    }
  if (f.power_w) {
    c.power_mw = static_cast<uint64_t>(*f.power_w * 1000);
    bits |= Injection::power;
  }
  auto put = [&](const std::optional<uint64_t>& v, Word& w, uint64_t bit) {
    if (v) {
      w = *v;
      bits |= bit;
    }
  };
  put(f.clock_mhz, c.clock_mhz, Injection::clock);
  put(f.fan_rpm, c.fan_rpm, Injection::fan);
  put(f.utilisation_percent, c.utilisation_percent, Injection::utilisation);
  put(f.retired_pages, c.retired_pages, 0);
  put(f.xgmi_errors, c.xgmi_errors, 0);
  put(f.pcie_replays, c.pcie_replays, 0);
  c.set.fetch_or(bits);
  auto index = static_cast<uint32_t>(n);
  if (throttle) {
    bool was = c.throttle.exchange(*throttle) != 0;
    if (*throttle && !was) {
      c.throttle_since = monotonic_ns();
      post_event(**mapping_, index, static_cast<uint32_t>(EventKind::thermal_throttle),
                 *f.throttle + " limit active (injected)");
    }
  }
  auto errors = [&](const std::optional<uint64_t>& v, std::array<Word, kRasBlocks>& counts,
                    EventKind kind, const char* what) {
    if (!v || !*v)
      return;
    add_saturated(counts[f.block], *v);
    post_event(**mapping_, index, static_cast<uint32_t>(kind),
               fmt::format("{} {} error(s) in {} (injected)", *v, what, ras_block_name(f.block)));
  };
  errors(f.correctable, c.correctable, EventKind::ras_correctable, "correctable");
  errors(f.deferred, c.deferred, EventKind::ras_correctable, "deferred");
  errors(f.uncorrectable, c.uncorrectable, EventKind::ras_uncorrectable, "uncorrectable");
  if (f.uncorrectable && *f.uncorrectable)
    c.fatal.fetch_add(1);
  return ok_status();
}

Status Injector::clear(size_t n) {
  TRY(check_card(n));
  Injection& c = card(n);
  c.set = 0;
  for (Word* w : {&c.power_mw, &c.clock_mhz, &c.fan_rpm, &c.utilisation_percent, &c.throttle,
                  &c.throttle_since, &c.retired_pages, &c.xgmi_errors, &c.pcie_replays})
    *w = 0;
  for (auto* all : {&c.correctable, &c.uncorrectable, &c.deferred})
    for (Word& w : *all)
      w = 0;
  for (Word& w : c.temperature_mc)
    w = 0;
  return ok_status();
}

Status Injector::reset(size_t n) {
  TRY(check_card(n));
  auto index = static_cast<uint32_t>(n);
  post_event(**mapping_, index, static_cast<uint32_t>(EventKind::gpu_pre_reset), "reset requested");
  TRY(clear(n));
  card(n).resets.fetch_add(1);
  post_event(**mapping_, index, static_cast<uint32_t>(EventKind::gpu_post_reset), "reset done");
  return ok_status();
}

Status Injector::post(size_t n, const std::string& kind, const std::string& message) {
  TRY(check_card(n));
  std::string names;
  for (EventKind k : all_event_kinds()) {
    names += (names.empty() ? "" : ", ") + std::string(event_name(k));
    if (kind == event_name(k)) {
      post_event(**mapping_, static_cast<uint32_t>(n), static_cast<uint32_t>(k), message);
      return ok_status();
    }
  }
  return error(Code::invalid_argument, "no event '" + kind + "' (" + names + ")");
}

} // namespace pumice::smi
