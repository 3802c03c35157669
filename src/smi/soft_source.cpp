// SPDX-License-Identifier: MIT
// Software cards as a model. Figures come from the card's profile, activity from the telemetry
// segment, faults from what was injected. What a software card does not have (a power meter, a
// thermometer) is "not supported" until a value is injected.
#include "base/options.h"
#include "codeobj/target_id.h"
#include "device/memory.h"
#include "device/profile.h"
#include "device/telemetry_segment.h"
#include "smi/inject.h"
#include "smi/model.h"
#include <algorithm>
#include <mutex>
#include <time.h>

namespace pumice::smi {
namespace {

using namespace device::telemetry;
using Bit = device::telemetry::Injection::Bit;
namespace tm = device::telemetry;

// Utilisation is a mean over a window of at least this length.
constexpr uint64_t kWindowNs = 100'000'000;

uint64_t monotonic_ns() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(t.tv_nsec);
}

uint64_t get(const Word& w) {
  return w.load(std::memory_order_relaxed);
}

/// Time with dispatches in flight until `now`, in units.
uint64_t busy(const tm::Activity& a, uint64_t now) {
  uint64_t done = get(a.busy_units), state = get(a.state), since = state >> 16;
  return done + ((state & 0xffff) && now > since ? now - since : 0);
}

class SoftModel;

class SoftCard final : public Card {
public:
  SoftCard(SoftModel& model, device::Profile profile, size_t index, uint64_t offered);
  smi::Activity activity() override;
  smi::Memory memory() override;
  Reading<ClockTable> clock(Clock c) override;
  Reading<int64_t> temperature_mc(Sensor s, TempMetric m) override;
  Reading<int64_t> voltage_mv() override { return Why::not_supported; }
  Power power() override;
  Reading<EccCount> ecc(size_t block) override;
  Reading<uint64_t> ecc_enabled_blocks() override;
  Pcie pcie() override;
  Throttle throttle() override;
  std::vector<Firmware> firmware() override { return {}; }
  Reading<std::vector<BadPage>> bad_pages() override;
  Xgmi xgmi() override;
  Partition partition() override;
  Reading<std::string> perf_level() override { return std::string("auto"); }
  Reading<uint32_t> fan_rpm() override { return injected32(Bit::fan, &Injection::fan_rpm); }
  Reading<uint32_t> fan_level() override { return Why::not_supported; }
  Reading<uint32_t> overdrive_percent() override { return 0u; }
  Reading<MetricsTable> metrics() override;
  Reading<std::vector<PowerProfile>> power_profiles() override { return Why::not_supported; }
  Why set(const std::string&, const std::string&) override { return Why::not_supported; }

  device::Profile profile;
  uint64_t hash, offered;

private:
  const Injection* injection();
  Reading<uint32_t> injected32(Bit bit, Word Injection::*m) {
    const Injection* i = injection();
    if (!i || !(get(i->set) & bit))
      return Why::not_supported;
    return static_cast<uint32_t>(get(i->*m));
  }
  SoftModel& model_;
};

class SoftModel final : public Model {
public:
  explicit SoftModel(SoftCards which) : which_(which) {}
  Status start();
  std::vector<Process> processes() override;
  Link link(size_t from, size_t to) override;
  std::vector<KernelStat> kernels(uint32_t pid) override;
  std::vector<smi::Event> events(uint64_t from) override;
  uint64_t next_event() override { return mapping_ ? get((*mapping_)->next_event) : 0; }

  Segment* segment() { return mapping_ ? &**mapping_ : nullptr; }
  uint32_t busy_percent(size_t card);
  bool busy_now(size_t card);
  /// Calls f(slot, pid) for each slot whose process lives.
  template <class F> void each_slot(F&& f) {
    if (!mapping_)
      return;
    for (Slot& s : (*mapping_)->slots) {
      uint64_t owner = s.owner.load(std::memory_order_acquire);
      if (!owner || s.ready.load(std::memory_order_acquire) != owner ||
          owner_word(owner_pid(owner)) != owner)
        continue;
      f(s, owner_pid(owner));
    }
  }
  /// The process's card `i` is the card that we show as `i`.
  bool same_card(const Slot& s, size_t i) {
    return i < get(s.card_count) && get(s.profile[i]) == soft(i).hash;
  }
  SoftCard& soft(size_t i) { return static_cast<SoftCard&>(*cards_[i]); }

private:
  std::string devices_text();
  struct Sample {
    uint64_t time_ns = 0;
    std::array<std::array<uint64_t, kCards>, kSlots> units{};
    std::array<uint64_t, kSlots> owner{};
  };
  void sample(Sample& s);
  const SoftCards which_;
  std::shared_ptr<Mapping> mapping_;
  std::mutex mutex_;
  Sample last_;
  std::vector<uint32_t> percent_;
  uint64_t percent_time_ = 0;
};

// ---- the card -------------------------------------------------------------------------------

SoftCard::SoftCard(SoftModel& model, device::Profile p, size_t i, uint64_t bytes)
    : profile(std::move(p)), hash(profile_hash(profile.name)), offered(bytes), model_(model) {
  index = i;
  int n = static_cast<int>(i);
  id.software = true;
  id.market_name = profile.marketing_name;
  id.vendor_name = "Advanced Micro Devices, Inc. [AMD/ATI]";
  if (auto t = codeobj::parse_target_id(profile.target); t.ok()) {
    id.gfx = t->processor;
    id.target_features = profile.target.substr(std::min(profile.target.size(), id.gfx.size() + 1));
  }
  id.device_id = profile.chip_id;
  if (profile.pci_subsystem) {
    id.subsystem_vendor = profile.pci_subsystem_vendor;
    id.subsystem_device = profile.pci_subsystem;
    char text[16];
    std::snprintf(text, sizeof text, "0x%04x", profile.pci_subsystem);
    id.subsystem_name = std::string(text);
  }
  id.revision = profile.asic_revision;
  id.unique_id = device::unique_id(n);
  if (profile.xgmi_links)
    id.hive_id = device::unique_id(0xffff);
  id.bdf = {0, static_cast<uint8_t>(device::pci_bus(n)), 0, 0};
  id.drm_card = static_cast<uint32_t>(i);
  id.render_minor = static_cast<uint32_t>(128 + i);
  id.kfd_node = static_cast<uint32_t>(i + 1);
  id.kfd_gpu_id = static_cast<uint32_t>(device::unique_id(n) & 0xffffffff) % 65521 + 1;
  id.partition_id = 0u;
  id.xgmi_physical_id = static_cast<uint32_t>(i);
  id.numa_node = 0;
  id.form = profile.form;
  id.driver_version = std::string("pumice ") + PUMICE_VERSION;
  id.vbios = std::string("PUMICE-") + profile.name;
  id.compute_units = profile.compute_units;
  id.simds_per_cu = profile.simds_per_cu;
  id.max_waves_per_simd = profile.max_waves_per_cu / std::max(1u, profile.simds_per_cu);
  id.wavefront_size = profile.wavefront_size;
  id.cacheline_bytes = profile.cacheline_bytes;
  id.shader_engines = profile.shader_engines;
  id.arrays_per_engine = profile.shader_arrays_per_engine;
  id.xccs = profile.xccs;
  id.lds_bytes = profile.lds_bytes;
  id.max_clock_mhz = profile.max_clock_mhz;
  id.sdma_engines = profile.sdma_engines;
  id.sdma_xgmi_engines = profile.sdma_xgmi_engines;
  id.vram_bytes = offered;
  id.vram_type = profile.memory_type;
  id.vram_bits = profile.memory_bus_bits;
  if (profile.memory_bandwidth_gbps > 0)
    id.vram_max_gbps = static_cast<uint64_t>(profile.memory_bandwidth_gbps);
  if (profile.l1_bytes)
    id.caches.push_back({1, profile.l1_bytes / 1024, profile.compute_units, 1, true, false});
  if (profile.l2_bytes)
    id.caches.push_back({2, profile.l2_bytes / 1024, profile.xccs,
                         profile.compute_units / std::max(1u, profile.xccs), true, false});
  if (profile.l3_bytes)
    id.caches.push_back(
        {3, static_cast<uint32_t>(profile.l3_bytes / 1024), 1, profile.compute_units, true, false});
}

const Injection* SoftCard::injection() {
  Segment* s = model_.segment();
  return s && index < kCards ? &s->cards[index] : nullptr;
}

smi::Activity SoftCard::activity() {
  smi::Activity a;
  Reading<uint32_t> set = injected32(Bit::utilisation, &Injection::utilisation_percent);
  a.gfx_percent = set.ok() ? set : Reading<uint32_t>(model_.busy_percent(index));
  return a;
}

smi::Memory SoftCard::memory() {
  smi::Memory m;
  uint64_t used = 0;
  model_.each_slot([&](const Slot& s, uint32_t) {
    if (model_.same_card(s, index))
      used += get(s.cards[index].memory_bytes);
  });
  m.vram_total = m.visible_total = offered;
  m.vram_used = m.visible_used = std::min(used, offered);
  return m;
}

Reading<ClockTable> SoftCard::clock(Clock c) {
  constexpr uint64_t kMhz = 1'000'000;
  ClockTable t;
  if (c == Clock::sys && profile.max_clock_mhz) {
    if (profile.min_clock_mhz)
      t.hz.push_back(profile.min_clock_mhz * kMhz);
    Reading<uint32_t> set = injected32(Bit::clock, &Injection::clock_mhz);
    bool between = set.ok() && profile.min_clock_mhz < *set && *set < profile.max_clock_mhz;
    if (between)
      t.hz.push_back(*set * kMhz);
    t.hz.push_back(profile.max_clock_mhz * kMhz);
    t.current = model_.busy_now(index) ? t.hz.size() - 1 : 0;
    if (set.ok())
      for (size_t i = 0; i < t.hz.size(); ++i)
        if (t.hz[i] <= *set * kMhz)
          t.current = i;
    return t;
  }
  if (c == Clock::mem && profile.memory_clock_mhz) {
    t.hz.push_back(profile.memory_clock_mhz * kMhz);
    t.current = 0;
    return t;
  }
  return Why::not_supported;
}

Reading<int64_t> SoftCard::temperature_mc(Sensor s, TempMetric m) {
  const Injection* i = injection();
  if (!i || m != TempMetric::current || !(get(i->set) & Bit::temperature))
    return Why::not_supported;
  uint64_t v = get(i->temperature_mc[static_cast<size_t>(s)]);
  if (!v)
    return Why::not_supported;
  return static_cast<int64_t>(v);
}

Power SoftCard::power() {
  Power p;
  if (profile.power_cap_watts) {
    p.cap_uw = p.cap_default_uw = p.cap_max_uw = profile.power_cap_watts * uint64_t{1'000'000};
    p.cap_min_uw = uint64_t{0};
  }
  const Injection* i = injection();
  if (i && (get(i->set) & Bit::power))
    p.current_uw = get(i->power_mw) * 1000;
  return p;
}

Reading<EccCount> SoftCard::ecc(size_t block) {
  if (block >= kRasBlocks)
    return Why::not_supported;
  const Injection* i = injection();
  if (!i)
    return EccCount{};
  return EccCount{get(i->correctable[block]), get(i->uncorrectable[block]),
                  get(i->deferred[block])};
}

Reading<uint64_t> SoftCard::ecc_enabled_blocks() {
  if (id.target_features.find("sramecc+") == std::string::npos)
    return uint64_t{0};
  return uint64_t{0b111}; // umc, sdma, gfx: where faults can be injected
}

Pcie SoftCard::pcie() {
  Pcie p;
  constexpr uint32_t kRates[] = {0, 2500, 5000, 8000, 16000, 32000, 64000};
  if (profile.pcie_generation && profile.pcie_generation < std::size(kRates)) {
    p.speed_mtps = p.max_speed_mtps = kRates[profile.pcie_generation];
    p.width = p.max_width = profile.pcie_lanes;
  }
  if (const Injection* i = injection())
    p.replays = get(i->pcie_replays);
  return p;
}

Throttle SoftCard::throttle() {
  Throttle t;
  const Injection* i = injection();
  if (!i)
    return t;
  uint64_t bits = get(i->throttle), since = get(i->throttle_since), now = monotonic_ns();
  t.counter = now / 1'000'000;
  t.status = bits;
  auto fill = [&](Throttle::Limit& l, uint64_t bit) {
    bool on = bits & bit;
    l.active = on;
    l.acc = on && now > since ? (now - since) / 1'000'000 : 0;
    l.percent = on ? uint64_t{100} : uint64_t{0};
  };
  fill(t.power, kThrottlePower);
  fill(t.socket_thermal, kThrottleThermal);
  fill(t.prochot, kThrottleProchot);
  fill(t.vr_thermal, kThrottleVr);
  fill(t.hbm_thermal, kThrottleHbm);
  return t;
}

Reading<std::vector<BadPage>> SoftCard::bad_pages() {
  std::vector<BadPage> pages;
  const Injection* i = injection();
  uint64_t n = i ? std::min<uint64_t>(get(i->retired_pages), kMostRetiredPages) : 0;
  for (uint64_t k = 0; k < n; ++k)
    pages.push_back({0x1000 * (k + 1), 4096, BadPage::State::reserved});
  return pages;
}

Xgmi SoftCard::xgmi() {
  Xgmi x;
  if (!profile.xgmi_links)
    return x;
  x.width = 16u;
  x.speed_gbps = profile.xgmi_link_mbps * 8 / 1000 / 16;
  if (const Injection* i = injection())
    x.errors = get(i->xgmi_errors);
  uint64_t bytes = 0;
  model_.each_slot([&](const Slot& s, uint32_t) {
    if (model_.same_card(s, index))
      bytes += get(s.cards[index].peer_bytes);
  });
  size_t peers = std::min<size_t>(model_.cards().size() - 1, profile.xgmi_links);
  // Copies do not say which link: the sum is shown on the links that lead to a card.
  for (size_t k = 0; k < peers; ++k)
    x.links.push_back({bytes / 1024 / peers, bytes / 1024 / peers, true});
  return x;
}

Partition SoftCard::partition() {
  Partition p;
  if (profile.xccs > 1) {
    p.compute = std::string("SPX");
    p.memory = std::string("NPS1");
    p.compute_modes = std::vector<std::string>{"SPX"};
    p.memory_modes = std::vector<std::string>{"NPS1"};
  }
  return p;
}

Reading<MetricsTable> SoftCard::metrics() {
  // The newest table that is common today; what a software card has not stays all ones.
  MetricsTable t;
  t.format = 1;
  t.content = 6;
  t.size = static_cast<uint16_t>(metrics_size(1, 6));
  auto put = [&](Metric m, uint64_t v) { t.fields[static_cast<size_t>(m)] = {v}; };
  put(Metric::average_gfx_activity, activity().gfx_percent.value_or(0));
  put(Metric::system_clock_counter, monotonic_ns());
  if (auto c = clock(Clock::sys); c.ok() && c->current)
    t.fields[static_cast<size_t>(Metric::current_gfxclk)].assign(
        std::min<size_t>(8, std::max(1u, profile.xccs)), c->hz[*c->current] / 1'000'000);
  put(Metric::current_uclk, profile.memory_clock_mhz);
  if (auto v = temperature_mc(Sensor::junction, TempMetric::current); v.ok())
    put(Metric::temperature_hotspot, static_cast<uint64_t>(*v / 1000));
  if (auto v = temperature_mc(Sensor::memory, TempMetric::current); v.ok())
    put(Metric::temperature_mem, static_cast<uint64_t>(*v / 1000));
  if (Power p = power(); p.current_uw.ok())
    put(Metric::curr_socket_power, *p.current_uw / 1'000'000);
  Throttle th = throttle();
  put(Metric::accumulation_counter, th.counter.value_or(0) & UINT32_MAX);
  put(Metric::prochot_residency_acc, th.prochot.acc.value_or(0));
  put(Metric::ppt_residency_acc, th.power.acc.value_or(0));
  put(Metric::socket_thm_residency_acc, th.socket_thermal.acc.value_or(0));
  put(Metric::vr_thm_residency_acc, th.vr_thermal.acc.value_or(0));
  put(Metric::hbm_thm_residency_acc, th.hbm_thermal.acc.value_or(0));
  Pcie pc = pcie();
  if (pc.width.ok()) {
    put(Metric::pcie_link_width, *pc.width);
    put(Metric::pcie_link_speed, *pc.speed_mtps / 100);
  }
  put(Metric::num_partition, 1);
  return t;
}

// ---- the model ------------------------------------------------------------------------------

std::string SoftModel::devices_text() {
  // PUMICE_DEVICES of the caller, else of the running program with the most cards: a monitor in
  // another terminal shows what runs.
  std::string text = options::text(options::Id::devices);
  if (options::is_set(options::Id::devices) || which_ == SoftCards::own)
    return text;
  uint64_t most = 0;
  each_slot([&](const Slot& s, uint32_t) {
    uint64_t n = get(s.card_count);
    if (n > most && n <= kCards) {
      std::string theirs = s.devices.load();
      if (auto p = device::parse_devices(theirs); p.ok() && p->size() == n) {
        most = n;
        text = theirs;
      }
    }
  });
  return text;
}

Status SoftModel::start() {
  software_ = true;
  auto mapping = Mapping::open(Mapping::path());
  if (mapping.ok())
    mapping_ = std::move(*mapping);
  else
    warnings_.push_back(mapping.status().message);
  TRY_ASSIGN(std::vector<device::Profile> profiles, device::parse_devices(devices_text()));
  int64_t limit = options::integer(options::Id::mem_limit);
  uint64_t most = device::Memory::effective_limit(limit > 0 ? static_cast<uint64_t>(limit) : 0);
  for (size_t i = 0; i < profiles.size(); ++i) {
    uint64_t offered = std::min(profiles[i].memory_bytes, most);
    cards_.push_back(std::make_unique<SoftCard>(*this, std::move(profiles[i]), i, offered));
  }
  sample(last_);
  return ok_status();
}

void SoftModel::sample(Sample& out) {
  out.time_ns = monotonic_ns();
  out.owner.fill(0);
  if (!mapping_)
    return;
  uint64_t now = out.time_ns >> kUnitShift;
  each_slot([&](const Slot& s, uint32_t) {
    auto i = static_cast<size_t>(&s - (*mapping_)->slots.data());
    out.owner[i] = s.owner.load(std::memory_order_acquire);
    for (size_t c = 0; c < cards_.size(); ++c)
      out.units[i][c] = same_card(s, c) ? busy(s.cards[c], now) : 0;
  });
}

uint32_t SoftModel::busy_percent(size_t card) {
  std::lock_guard lock(mutex_);
  uint64_t now = monotonic_ns();
  if (percent_.empty() || now - percent_time_ >= kWindowNs) {
    if (uint64_t age = now - last_.time_ns; age < kWindowNs) {
      timespec t{0, static_cast<long>(kWindowNs - age)};
      nanosleep(&t, nullptr);
    }
    auto fresh = std::make_unique<Sample>();
    sample(*fresh);
    uint64_t window = std::max<uint64_t>((fresh->time_ns - last_.time_ns) >> kUnitShift, 1);
    percent_.assign(cards_.size(), 0);
    for (size_t c = 0; c < cards_.size(); ++c) {
      uint64_t units = 0;
      for (size_t s = 0; s < kSlots; ++s) {
        if (!fresh->owner[s])
          continue;
        uint64_t before = fresh->owner[s] == last_.owner[s] ? last_.units[s][c] : 0;
        uint64_t now_units = fresh->units[s][c];
        units += std::min(window, now_units > before ? now_units - before : 0);
      }
      percent_[c] =
          static_cast<uint32_t>(std::min<uint64_t>(100, (units * 100 + window / 2) / window));
    }
    last_ = *fresh;
    percent_time_ = fresh->time_ns;
  }
  return card < percent_.size() ? percent_[card] : 0;
}

bool SoftModel::busy_now(size_t card) {
  bool any = false;
  each_slot([&](const Slot& s, uint32_t) {
    any |= same_card(s, card) && (get(s.cards[card].state) & 0xffff);
  });
  return any;
}

std::vector<Process> SoftModel::processes() {
  std::vector<Process> all;
  uint64_t now = now_units();
  each_slot([&](const Slot& s, uint32_t pid) {
    Process p;
    p.pid = pid;
    p.name = s.program.load();
    uint64_t kernel_count =
        std::min<uint64_t>(s.kernel_count.load(std::memory_order_acquire), kKernels);
    for (size_t c = 0; c < cards_.size(); ++c) {
      if (!same_card(s, c))
        continue;
      const tm::Activity& a = s.cards[c];
      CardUse u;
      u.card = c;
      u.vram_bytes = get(a.memory_bytes);
      u.dispatches = get(a.dispatches);
      u.queues = get(a.queues);
      u.gfx_ns = busy(a, now) << kUnitShift;
      uint64_t k = get(a.kernel);
      if ((get(a.state) & 0xffff) && k && k <= kernel_count)
        u.kernel = s.kernels[k - 1].name.load();
      if (u.vram_bytes || u.dispatches || u.queues)
        p.cards.push_back(std::move(u));
    }
    if (!p.cards.empty()) // has only looked at the cards otherwise
      all.push_back(std::move(p));
  });
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.pid < b.pid; });
  return all;
}

Link SoftModel::link(size_t from, size_t to) {
  Link l;
  if (from == to || from >= cards_.size() || to >= cards_.size())
    return l;
  l.accessible = true;
  const device::Profile &a = soft(from).profile, &b = soft(to).profile;
  if (a.xgmi_links && b.xgmi_links && a.name == b.name) {
    l.type = LinkType::xgmi;
    l.weight = 15; // what ROCm reports for one hop
    l.hops = 1;
    l.min_mbps = l.max_mbps = a.xgmi_link_mbps;
  } else {
    l.type = LinkType::pcie;
    l.weight = 40;
    l.hops = 2;
  }
  return l;
}

std::vector<KernelStat> SoftModel::kernels(uint32_t pid) {
  std::vector<KernelStat> all;
  each_slot([&](const Slot& s, uint32_t p) {
    if (p != pid)
      return;
    uint64_t n = std::min<uint64_t>(s.kernel_count.load(std::memory_order_acquire), kKernels);
    for (uint64_t k = 0; k < n; ++k)
      all.push_back({s.kernels[k].name.load(), get(s.kernels[k].launches),
                     get(s.kernels[k].busy_units) << kUnitShift});
  });
  return all;
}

std::vector<smi::Event> SoftModel::events(uint64_t from) {
  std::vector<smi::Event> all;
  if (!mapping_)
    return all;
  Segment& s = **mapping_;
  uint64_t end = s.next_event.load(std::memory_order_acquire);
  uint64_t first = std::max(from, end > kEvents ? end - kEvents : 0);
  for (uint64_t n = first; n < end; ++n) {
    const tm::Event& e = s.events[n % kEvents];
    // An event whose writer died half-way, or that is being replaced, is left out.
    if (e.sequence.load(std::memory_order_acquire) != n + 1)
      continue;
    smi::Event out{n, get(e.time_ns), get(e.card), static_cast<EventKind>(get(e.type)),
                   e.message.load()};
    std::atomic_thread_fence(std::memory_order_acquire);
    if (e.sequence.load(std::memory_order_relaxed) == n + 1)
      all.push_back(std::move(out));
  }
  return all;
}

} // namespace

Result<std::unique_ptr<Model>> open_soft_model(SoftCards which) {
  auto m = std::make_unique<SoftModel>(which);
  TRY(m->start());
  return std::unique_ptr<Model>(std::move(m));
}

} // namespace pumice::smi
