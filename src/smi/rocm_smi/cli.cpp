// SPDX-License-Identifier: MIT
// Options of rocm-smi as ROCm 6.x has them, and what they print in which order.
#include "base/cli.h"
#include "smi/rocm_smi/tool.h"
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fmt/format.h>

namespace pumice::smi::rocm_smi {
namespace {

constexpr const char* kToolVersion = "3.0.0+pumice";
constexpr const char* kLibraryVersion = "7.4.0";

struct Setter {
  const char* name;
  int min_values, max_values;
  const char* help;
};
constexpr Setter kSetters[] = {
    {"--setclock", 2, 2, "Set Clock Frequency Level for TYPE (requires manual Perf level)"},
    {"--setsclk", 1, 32, "Set GPU Clock Frequency Level(s) (requires manual Perf level)"},
    {"--setmclk", 1, 32, "Set GPU Memory Clock Frequency Level(s) (requires manual Perf level)"},
    {"--setpcie", 1, 32, "Set PCIE Clock Frequency Level(s) (requires manual Perf level)"},
    {"--setsrange", 2, 2, "Set min and max SCLK speed"},
    {"--setmrange", 2, 2, "Set min and max MCLK speed"},
    {"--setfan", 1, 1, "Set GPU Fan Speed (Level or %)"},
    {"--setperflevel", 1, 1, "Set Performance Level"},
    {"--setoverdrive", 1, 1, "Set GPU OverDrive level (requires manual|high Perf level)"},
    {"--setmemoverdrive", 1, 1, "Set GPU Memory Overclock OverDrive level"},
    {"--setpoweroverdrive", 1, 1, "Set the maximum GPU power using Power OverDrive in Watts"},
    {"--setprofile", 1, 1, "Specify Power Profile level (#)"},
    {"--setperfdeterminism", 1, 1,
     "Set clock frequency limit to get minimal performance variation"},
    {"--setcomputepartition", 1, 1, "Set compute partition"},
    {"--setmemorypartition", 1, 1, "Set memory partition"},
    {"--setslevel", 3, 3, "Change GPU Clock frequency (MHz) and Voltage (mV) for a Level"},
    {"--setmlevel", 3, 3, "Change GPU Memory clock frequency (MHz) and Voltage (mV) for a Level"},
    {"--setvc", 3, 3, "Change SCLK Voltage Curve (MHz mV) for a specific point"},
    {"--setextremum", 3, 3, "Set min|max of sclk|mclk speed (MHz)"},
    {"--rasenable", 2, 2, "Enable RAS for specified block and error type"},
    {"--rasdisable", 2, 2, "Disable RAS for specified block and error type"},
    {"--rasinject", 1, 1, "Inject RAS poison for specified block"},
    {"--load", 1, 1, "Load Clock, Fan, Performance and Profile settings from FILE"},
    {"--save", 1, 1, "Save Clock, Fan, Performance and Profile settings to FILE"},
    {"-r,--resetclocks", 0, 0, "Reset clocks and OverDrive to default"},
    {"--resetfans", 0, 0, "Reset fans to automatic (driver) control"},
    {"--resetprofile", 0, 0, "Reset Power Profile back to default"},
    {"--resetpoweroverdrive", 0, 0, "Set the maximum GPU power back to the device default state"},
    {"--resetxgmierr", 0, 0, "Reset XGMI error count"},
    {"--resetperfdeterminism", 0, 0, "Disable performance determinism"},
    {"--gpureset", 0, 0, "Reset specified GPU (One GPU must be specified)"},
};

struct Arguments {
  std::vector<size_t> devices;
  std::vector<std::string> meminfo, rasinfo, fwinfo, pids, pidgpus, events;
  bool all = false, hw = false, topo = false, json = false, csv = false, version = false,
       yes = false, ignored = false;
  std::string autorespond, loglevel;
  double event_seconds = 0;
};

/// "-r,--resetclocks" is called --resetclocks.
std::string long_name(const Setter& s) {
  std::string_view n = s.name;
  return std::string(n.substr(n.find("--")));
}

/// Words after an option may stop at the next option; CLI11 needs to be told that none is fine.
CLI::Option* words(CLI::App& app, const char* name, std::vector<std::string>& out,
                   const char* help) {
  return app.add_option(name, out, help)->expected(0, 64);
}

/// Each card once, however often it was named.
void select(Model& model, const std::vector<size_t>& wanted, Context& c) {
  if (wanted.empty()) {
    for (auto& k : model.cards())
      c.cards.push_back(k.get());
    return;
  }
  for (size_t n : wanted) {
    if (n >= model.cards().size()) {
      c.out.failure("no such device: " + std::to_string(n));
      continue;
    }
    Card* k = model.cards()[n].get();
    if (std::find(c.cards.begin(), c.cards.end(), k) == c.cards.end())
      c.cards.push_back(k);
  }
}

void print_version(Report& out, Format f) {
  if (f == Format::text) {
    out.line(std::string("ROCM-SMI version: ") + kToolVersion);
    out.line(std::string("ROCM-SMI-LIB version: ") + kLibraryVersion);
    return;
  }
  out.system("ROCM-SMI version", kToolVersion);
  out.system("ROCM-SMI-LIB version", kLibraryVersion);
}

int finish(Report& out, Format f) {
  bool wrote = write_output(out.render(f), "", false);
  for (const std::string& e : out.failures())
    std::fprintf(stderr, "rocm-smi: %s\n", e.c_str());
  return out.failures().empty() && wrote ? 0 : 1;
}

} // namespace

int run(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  CLI::App app{"ROCm System Management Interface over Pumice's model of software and real cards.",
               "rocm-smi"};
  Arguments a;
  std::vector<std::pair<CLI::Option*, const ShowOption*>> shows;
  std::vector<std::pair<CLI::Option*, const Setter*>> setters;
  std::vector<std::vector<std::string>> setter_values(std::size(kSetters));
  app.add_option("-d,--device", a.devices, "Execute command on specified device")
      ->expected(1, 256)
      ->check(cli::whole("a card number", 0, 99999));
  app.add_flag("-a,--showallinfo", a.all, "Show Temperature, Fan and Clock values and more");
  app.add_flag("--showhw", a.hw, "Show Hardware details");
  app.add_flag("--alldevices", a.ignored, "Accepted, without effect, as in ROCm");
  for (const ShowOption& s : show_options())
    shows.emplace_back(app.add_flag(s.name)->description(s.help), &s);
  app.add_flag("--showtopo", a.topo, "Show hardware topology information");
  auto* meminfo = words(app, "--showmeminfo", a.meminfo,
                        "Show Memory usage for TYPE: vram, vis_vram, gtt, all");
  auto* rasinfo =
      words(app, "--showrasinfo", a.rasinfo, "Show RAS enablement and error counts of blocks");
  auto* fwinfo = words(app, "--showfwinfo", a.fwinfo, "Show FW information of blocks");
  auto* pids =
      words(app, "--showpids", a.pids, "Show current running KFD PIDs ('details' by card)");
  auto* pidgpus = words(app, "--showpidgpus", a.pidgpus,
                        "Show GPUs used by specified KFD PIDs (all if no arg given)");
  auto* events = words(app, "-e,--showevents", a.events,
                       "Show events as they come (--seconds limits the time)");
  app.add_option("--seconds", a.event_seconds, "How long --showevents waits (default: for ever)")
      ->check(cli::seconds())
      ->needs(events);
  for (size_t i = 0; i < std::size(kSetters); ++i) {
    const Setter& s = kSetters[i];
    auto* o = s.max_values ? app.add_option(s.name, setter_values[i], s.help)
                                 ->expected(s.min_values, s.max_values)
                                 ->check(cli::not_empty())
                           : app.add_flag(s.name)->description(s.help);
    setters.emplace_back(o, &s);
  }
  app.add_option("--autorespond", a.autorespond, "Response to the warning of setters: y or n");
  app.add_flag("--yes", a.yes, "As --autorespond y");
  app.add_option("--loglevel", a.loglevel, "Accepted: diagnostics are on stderr always");
  app.add_flag("--json", a.json, "Print output in JSON format");
  app.add_flag("--csv", a.csv, "Print output in CSV format");
  app.add_flag("-V,--version", a.version, "Show version information");

  Report out;
  auto wrong = [&](const std::string& message) {
    out.failure(message);
    finish(out, cli::given(argc, argv, "--json")  ? Format::json
                : cli::given(argc, argv, "--csv") ? Format::csv
                                                  : Format::text);
    return cli::kWrongUse;
  };
  if (auto status = cli::parse(app, argc, argv, wrong))
    return *status;
  if (a.json && a.csv)
    return wrong("--json and --csv exclude each other");
  Format format = a.json ? Format::json : a.csv ? Format::csv : Format::text;
  if (a.version) {
    print_version(out, format);
    return finish(out, format);
  }
  auto model = Model::open();
  if (!model.ok()) {
    out.failure(model.status().message);
    return finish(out, format);
  }
  for (const std::string& w : (*model)->warnings())
    std::fprintf(stderr, "rocm-smi: %s\n", w.c_str());
  Context c{**model, {}, out, format, a.yes ? "y" : a.autorespond};
  select(**model, a.devices, c);
  std::vector<size_t> indices;
  for (Card* k : c.cards)
    indices.push_back(k->index);
  out.expect_cards(indices);
  if ((*model)->cards().empty())
    std::fprintf(stderr, "rocm-smi: no AMD GPU is visible\n");

  bool any = false, changed = false;
  for (size_t i = 0; i < setters.size(); ++i)
    if (setters[i].first->count()) {
      std::string name = long_name(*setters[i].second);
      if (name == "--gpureset" && (a.devices.empty() || c.cards.size() != 1))
        out.failure("--gpureset: name one card with -d");
      else
        apply_change(c, {name, setter_values[i]});
      any = changed = true;
    }
  for (auto& [option, s] : shows)
    if (option->count() || (a.all && s->in_all)) {
      s->show(c);
      any = true;
    }
  auto on = [&](bool asked, auto&& f) {
    if (asked) {
      f();
      any = true;
    }
  };
  on(a.topo, [&] {
    for (auto f :
         {&show_topology_weight, &show_topology_hops, &show_topology_type, &show_topology_numa})
      f(c);
  });
  on(meminfo->count(), [&] {
    show_memory_info(c, a.meminfo.empty() || a.meminfo[0].empty() ? std::vector<std::string>{"all"}
                                                                  : a.meminfo);
  });
  on(rasinfo->count() || a.all, [&] {
    show_ras_info(c, a.rasinfo.size() == 1 && a.rasinfo[0].empty() ? std::vector<std::string>{}
                                                                   : a.rasinfo);
  });
  on(fwinfo->count() || a.all, [&] {
    show_firmware(c, a.fwinfo.size() == 1 && a.fwinfo[0].empty() ? std::vector<std::string>{}
                                                                 : a.fwinfo);
  });
  on(pids->count() || a.all, [&] {
    auto words = known_words(c, "--showpids", a.pids, {"DETAILS"});
    show_pids(c, !words.empty());
  });
  on(pidgpus->count(), [&] {
    show_pid_gpus(c, a.pidgpus.size() == 1 && a.pidgpus[0].empty() ? std::vector<std::string>{}
                                                                   : a.pidgpus);
  });
  on(events->count(), [&] {
    show_events(c,
                a.events.size() == 1 && a.events[0].empty() ? std::vector<std::string>{} : a.events,
                a.event_seconds > 0 ? a.event_seconds : 1e18);
  });
  if (a.hw)
    concise_hw(c);
  else if (!any && !changed && format == Format::text)
    concise_text(c);
  else if (!any && !changed)
    concise_values(c);
  return finish(out, format);
}

} // namespace pumice::smi::rocm_smi
