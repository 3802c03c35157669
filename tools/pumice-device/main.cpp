// SPDX-License-Identifier: MIT
// pumice device: shows software cards, and injects faults into them so that monitors, alerting and
// error handling can be tested. Exit status: 0, 1 refused or failed, 2 wrong use.
#include "base/cli.h"
#include "smi/inject.h"
#include "smi/model.h"
#include "smi/report.h"
#include <csignal>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

using namespace pumice;
using namespace pumice::smi;
using Json = nlohmann::ordered_json;

namespace {

constexpr uint64_t kMostInjected = 1'000'000'000'000;

template <class T> Json value(const Reading<T>& r) {
  return r.ok() ? Json(*r) : Json(nullptr);
}

/// Units: millidegrees, microwatts, MHz, percent, bytes; null = not injected and not there.
Json describe(Card& k, Injector& faults) {
  Json t;
  t["card"] = k.index;
  t["name"] = k.id.market_name;
  t["target"] = k.id.gfx;
  t["memory_bytes"] = value(k.memory().vram_total);
  t["memory_used_bytes"] = value(k.memory().vram_used);
  t["utilisation_percent"] = value(k.activity().gfx_percent);
  t["temperature_edge_mc"] = value(k.temperature_mc(Sensor::edge, TempMetric::current));
  t["temperature_junction_mc"] = value(k.temperature_mc(Sensor::junction, TempMetric::current));
  t["temperature_memory_mc"] = value(k.temperature_mc(Sensor::memory, TempMetric::current));
  t["power_uw"] = value(k.power().current_uw);
  Throttle th = k.throttle();
  t["throttled"] = th.status.value_or(0) != 0;
  Json ecc = Json::object();
  for (size_t b = 0; b < kRasBlocks; ++b)
    if (auto c = k.ecc(b); c.ok() && (c->correctable || c->uncorrectable || c->deferred))
      ecc[ras_block_name(b)] = {{"correctable", c->correctable},
                                {"uncorrectable", c->uncorrectable},
                                {"deferred", c->deferred}};
  t["ecc"] = ecc;
  auto& i = faults.card(k.index);
  t["retired_pages"] = i.retired_pages.load();
  t["xgmi_errors"] = i.xgmi_errors.load();
  t["pcie_replays"] = i.pcie_replays.load();
  t["resets"] = i.resets.load();
  return t;
}

std::string as_text(const Json& list) {
  std::string out;
  for (const Json& t : list) {
    out += fmt::format("card {}: {} ({})\n", t["card"].dump(), t["name"].get<std::string>(),
                       t["target"].get<std::string>());
    for (auto& [k, v] : t.items())
      if (k != "card" && k != "name" && k != "target")
        out += fmt::format("  {:<26} {}\n", k, v.is_null() ? "-" : v.dump());
  }
  return out;
}

std::optional<size_t> block_of(const std::string& name) {
  for (size_t b = 0; b < kRasBlocks; ++b)
    if (CLI::detail::to_lower(name) == CLI::detail::to_lower(ras_block_name(b)))
      return b;
  return std::nullopt;
}

} // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  CLI::App app{"Software cards of this user: what they show, and faults to inject into them.",
               "pumice device"};
  app.require_subcommand(1);
  bool json = false;
  std::vector<size_t> cards;
  Faults f;
  std::string block = "UMC", kind, message;
  auto cards_option = [&](CLI::App* sub) {
    sub->add_option("cards", cards, "Card numbers (default: all)")
        ->check(cli::whole("a card number", 0, 99999));
    sub->add_flag("--json", json, "Show the result as JSON");
  };
  CLI::App* list = app.add_subcommand("list", "Show cards and what is injected");
  CLI::App* set = app.add_subcommand("set", "Inject values; others stay");
  CLI::App* clear = app.add_subcommand("clear", "Remove everything injected");
  CLI::App* reset =
      app.add_subcommand("reset", "Reset the card: errors forgotten, reset events sent");
  CLI::App* event = app.add_subcommand("event", "Send an event");
  for (CLI::App* s : {list, set, clear, reset, event})
    cards_option(s);
  auto* all = set->add_option_group("values");
  auto counter = cli::whole("a count", 0, kMostInjected),
       degrees = cli::number("degrees", 0.001, 200);
  all->add_option("--ecc-correctable", f.correctable, "Correctable errors to add")->check(counter);
  all->add_option("--ecc-uncorrectable", f.uncorrectable,
                  "Uncorrectable errors to add; running programs get hipErrorECCNotCorrectable")
      ->check(counter);
  all->add_option("--ecc-deferred", f.deferred, "Deferred errors to add")->check(counter);
  set->add_option("--block", block, "RAS block of the errors: UMC, SDMA, GFX, ...");
  all->add_option("--temp,--temp-junction", f.junction_c, "Junction temperature in degrees")
      ->check(degrees);
  all->add_option("--temp-edge", f.edge_c, "Edge temperature in degrees")->check(degrees);
  all->add_option("--temp-memory", f.memory_c, "Memory temperature in degrees")->check(degrees);
  all->add_option("--power", f.power_w, "Socket power in watts")
      ->check(cli::number("watts", 0, 10000));
  all->add_option("--clock", f.clock_mhz, "Current core clock in MHz")
      ->check(cli::whole("MHz", 1, 10000));
  all->add_option("--fan", f.fan_rpm, "Fan speed in revolutions per minute")
      ->check(cli::whole("revolutions per minute", 0, 100000));
  all->add_option("--utilisation,--utilization", f.utilisation_percent,
                  "Utilisation to show instead of the measured one")
      ->check(cli::whole("a percentage", 0, 100));
  all->add_option("--retired-pages", f.retired_pages, "Retired memory pages")
      ->check(cli::whole("a number of pages", 0, kMostRetiredPages));
  all->add_option("--xgmi-errors", f.xgmi_errors, "xGMI errors")->check(counter);
  all->add_option("--pcie-replays", f.pcie_replays, "PCIe replays")->check(counter);
  all->add_option("--throttle", f.throttle,
                  "Active limits: power, thermal, prochot, vr, hbm, none");
  all->require_option(1, 0);
  event
      ->add_option("--kind", kind,
                   "VM_FAULT, THERMAL_THROTTLE, GPU_PRE_RESET, GPU_POST_RESET, RING_HANG, ...")
      ->required();
  event->add_option("--message", message, "Text of the event");
  auto wrong = [&](const std::string& what) {
    return cli::fail("pumice device", what, cli::given(argc, argv, "--json"));
  };
  if (auto status = cli::parse(app, argc, argv, wrong))
    return *status;

  auto fail = [&](const std::string& what) { return cli::fail("pumice device", what, json, 1); };
  if (Status s = check_environment(); !s.ok())
    return fail(s.message);
  auto model = open_soft_model();
  if (!model.ok())
    return fail(model.status().message);
  auto faults = Injector::open();
  if (!faults.ok())
    return fail(faults.status().message);
  size_t count = (*model)->cards().size();
  if (cards.empty())
    for (size_t i = 0; i < count; ++i)
      cards.push_back(i);
  std::vector<size_t> once; // a card named twice is changed once
  for (size_t c : cards)
    if (std::find(once.begin(), once.end(), c) == once.end())
      once.push_back(c);
  cards = once;
  for (size_t c : cards)
    if (c >= count)
      return fail(fmt::format("no card {}; there are {} (PUMICE_DEVICES)", c, count));
  auto b = block_of(block);
  if (!b)
    return fail("no RAS block '" + block + "'");
  f.block = *b;
  for (size_t c : cards) {
    Status s = ok_status();
    if (*set)
      s = faults->set(c, f);
    else if (*clear)
      s = faults->clear(c);
    else if (*reset)
      s = faults->reset(c);
    else if (*event)
      s = faults->post(c, kind, message);
    if (!s.ok())
      return fail(s.message);
  }
  Json shown = Json::array();
  for (size_t c : cards)
    shown.push_back(describe(*(*model)->cards()[c], *faults));
  if (json)
    return write_output(shown.dump(2) + "\n", "", false) ? 0 : 1;
  return !*list || write_output(as_text(shown), "", false) ? 0 : 1;
}
