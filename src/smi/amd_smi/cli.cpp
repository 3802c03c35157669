// SPDX-License-Identifier: MIT
// Subcommands and options of amd-smi as ROCm 6.3 has them. A machine format is one document: in
// watch mode JSON is one array that is closed at the end, CSV has one header.
#include "base/cli.h"
#include "smi/amd_smi/tool.h"
#include "smi/uuid.h"
#include <csignal>
#include <fmt/format.h>
#include <iostream>
#include <set>
#include <time.h>
#include <unistd.h>

namespace pumice::smi::amd_smi {
namespace {

volatile std::sig_atomic_t g_stop = 0;

struct Options {
  std::vector<std::string> gpus;
  std::string file, loglevel, layout = "6.3";
  bool json = false, csv = false, yes = false;
  double interval = 0, seconds = 0;
  uint64_t iterations = 0;
  std::vector<std::string> groups; // of the subcommand, as chosen
  ProcessFilter process;
  std::string name; // of the subcommand
};

using Cards = std::vector<Card*>;

/// Writes pieces of one output: stdout or --file, the latter truncated at the first piece.
class Out {
public:
  explicit Out(std::string file) : file_(std::move(file)) {}
  void write(const std::string& s) {
    ok_ = write_output(s, file_, started_) && ok_;
    started_ = true;
  }
  bool ok() const { return ok_; }
  /// Nobody will see what follows: repeating makes no sense.
  bool closed() const { return !ok_ || reader_gone(); }

private:
  std::string file_;
  bool started_ = false, ok_ = true;
};

/// What went wrong, on stderr and as the one document of a machine format.
int error_exit(const Options& o, const std::string& message, int code) {
  Out out(o.file);
  Tree t;
  t["error"]["code"] = code;
  t["error"]["message"] = message;
  if (o.json)
    out.write(dump(t, 4) + "\n");
  else if (o.csv)
    out.write(csv_of({t}, true));
  std::fprintf(stderr, "amd-smi: %s\n", message.c_str());
  return code;
}

bool is_card(const Card& k, const std::string& text) {
  if (text.find_first_not_of("0123456789") == std::string::npos)
    return text == std::to_string(k.index);
  if (auto b = Bdf::parse(text))
    return *b == k.id.bdf;
  return text == card_uuid(k);
}

/// Each card once, however often and in whatever form it was named.
Result<Cards> select(Model& m, const std::vector<std::string>& wanted) {
  Cards cards;
  auto add = [&](Card* k) {
    if (std::find(cards.begin(), cards.end(), k) == cards.end())
      cards.push_back(k);
  };
  if (wanted.empty())
    for (auto& k : m.cards())
      add(k.get());
  for (const std::string& w : wanted) {
    bool found = w == "all";
    for (auto& k : m.cards())
      if (w == "all" || is_card(*k, w)) {
        add(k.get());
        found = true;
      }
    if (!found)
      return error(Code::not_found,
                   "no GPU '" + w + "'; an index, a BDF or a UUID of `amd-smi list`, please");
  }
  return cards;
}

using MakeTree = std::function<Tree(Model&, Card&)>;

/// Newer layouts put the list into an object.
Tree framed(const Options& o, Tree list) {
  if (o.layout != "7.0")
    return list;
  Tree t;
  t["gpu_data"] = std::move(list);
  return t;
}

/// Columns of subcommands whose rows come and go.
std::vector<Tree> csv_shape(const Options& o) {
  Tree t;
  if (o.interval > 0)
    t["timestamp"] = 0;
  t["gpu"] = 0;
  if (o.name == "process")
    t.update(process_info({}, {}, o.process));
  else if (o.name == "bad-pages")
    t.update({{"list", ""}, {"page_address", ""}, {"page_size", ""}, {"status", ""}});
  else if (o.name == "firmware")
    t.update({{"fw_id", ""}, {"fw_version", ""}});
  else
    return {};
  return {t};
}

std::string as_text(const Options& o, const std::vector<Tree>& trees, bool first) {
  if (o.name == "monitor")
    return monitor_table(trees, first);
  if (o.name == "topology")
    return topology_tables(trees, o.groups);
  if (o.name == "xgmi")
    return xgmi_table(trees);
  std::string s;
  for (const Tree& t : trees)
    s += text_of(t);
  return s;
}

void pause_until(timespec start, double seconds) {
  for (;;) {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double left = seconds - (static_cast<double>(now.tv_sec - start.tv_sec) +
                             static_cast<double>(now.tv_nsec - start.tv_nsec) / 1e9);
    if (left <= 0 || g_stop)
      return;
    double nap = std::min(left, 0.05);
    timespec t{0, static_cast<long>(nap * 1e9)};
    nanosleep(&t, nullptr);
  }
}

int print(const Options& o, Model& m, const Cards& cards, const MakeTree& make) {
  Out out(o.file);
  bool watch = o.interval > 0;
  uint64_t rounds = !watch ? 1 : o.iterations ? o.iterations : UINT64_MAX;
  timespec start;
  clock_gettime(CLOCK_MONOTONIC, &start);
  if (o.json && watch)
    out.write(o.layout == "7.0" ? "{\"gpu_data\": [" : "[");
  bool first = true;
  std::vector<Tree> shape = csv_shape(o);
  for (uint64_t n = 0; n < rounds && !g_stop; ++n) {
    std::vector<Tree> trees;
    for (Card* k : cards) {
      Tree t = make(m, *k);
      if (watch) {
        Tree stamped;
        stamped["timestamp"] = static_cast<int64_t>(time(nullptr));
        stamped.update(t);
        t = std::move(stamped);
      }
      trees.push_back(std::move(t));
    }
    if (o.json && watch) {
      for (const Tree& t : trees) {
        out.write((first ? "\n" : ",\n") + dump(t, -1));
        first = false;
      }
    } else if (o.json) {
      out.write(dump(framed(o, Tree(trees)), 4) + "\n");
    } else if (o.csv) {
      std::vector<Tree> rows;
      for (const Tree& t : trees)
        for (Tree& r : rows_of(t))
          rows.push_back(std::move(r));
      out.write(csv_of(rows, n == 0, shape));
      if (shape.empty())
        shape = std::move(rows); // later rounds keep the columns of the first
    } else {
      out.write(as_text(o, trees, n == 0));
    }
    if (!watch)
      break;
    double next = static_cast<double>(n + 1) * o.interval;
    if (n + 1 >= rounds || (o.seconds > 0 && next >= o.seconds) || out.closed())
      break;
    pause_until(start, next);
  }
  if (o.json && watch)
    out.write(o.layout == "7.0" ? "\n]}\n" : "\n]\n");
  return out.ok() ? 0 : 1;
}

int events(const Options& o, Model& m, const Cards& cards) {
  if (!m.software() && !cards.empty())
    return error_exit(o, "events of real cards are not implemented (an ioctl of /dev/kfd)", 1);
  Out out(o.file);
  timespec start;
  clock_gettime(CLOCK_MONOTONIC, &start);
  uint64_t next = m.next_event(), shown = 0;
  if (o.json)
    out.write("[");
  else if (!o.csv)
    out.write("EVENT LISTENING:\n\n");
  bool enough = cards.empty(); // nothing can come
  while (!g_stop && !enough && !out.closed()) {
    for (const Event& e : m.events(next)) {
      next = e.number + 1;
      bool wanted = false;
      for (Card* k : cards)
        wanted |= k->index == e.card;
      if (!wanted)
        continue;
      Tree t = event_tree(e);
      out.write(o.json  ? (shown ? ",\n" : "\n") + dump(t, -1)
                : o.csv ? csv_of({t}, shown == 0)
                        : text_of(t));
      if (++shown == o.iterations && o.iterations)
        enough = true;
    }
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (o.seconds > 0 && static_cast<double>(now.tv_sec - start.tv_sec) +
                                 static_cast<double>(now.tv_nsec - start.tv_nsec) / 1e9 >=
                             o.seconds)
      break;
    timespec nap{0, 20'000'000};
    nanosleep(&nap, nullptr);
  }
  if (o.json)
    out.write("\n]\n");
  else if (o.csv && !shown)
    out.write("gpu,event,message,timestamp_ns\n");
  return out.ok() ? 0 : 1;
}

struct Write {
  std::string what, file, text;
  std::string shown; // what is set, as people say it; empty for a reset
};

/// set and reset: each write to each card; software cards refuse.
int change(const Options& o, const Cards& cards, const std::vector<Write>& writes) {
  for (int s : {SIGINT, SIGTERM, SIGHUP})
    std::signal(s, SIG_DFL); // also while it waits for an answer
  if (writes.empty())
    return error_exit(o, o.name + ": say what; see amd-smi " + o.name + " --help", 2);
  if (cards.empty())
    return error_exit(o, o.name + ": no GPU to change", 1);
  bool any_real = std::any_of(cards.begin(), cards.end(), [](Card* k) { return !k->id.software; });
  if (any_real && !o.yes) {
    if (!isatty(STDIN_FILENO))
      return error_exit(o, o.name + ": refused without --yes (no terminal to ask)", 1);
    std::cerr << "This changes how the hardware runs. Continue? [y/N] " << std::flush;
    std::string answer;
    std::getline(std::cin, answer);
    if (answer != "y" && answer != "Y" && answer != "yes")
      return error_exit(o, o.name + ": not done", 1);
  }
  Out out(o.file);
  std::vector<Tree> trees;
  bool failed = false;
  for (Card* k : cards) {
    Tree t;
    t["gpu"] = k->index;
    std::set<std::string> given_up; // a setting of several writes ends with the first that fails
    for (const Write& w : writes) {
      if (given_up.count(w.what))
        continue;
      Why why = k->set(w.file, w.text);
      t[w.what] = why != Why::ok    ? std::string(refusal_text(why))
                  : w.shown.empty() ? "Successfully reset"
                                    : "Successfully set to " + w.shown;
      if (why != Why::ok) {
        failed = true;
        given_up.insert(w.what);
        std::fprintf(stderr, "amd-smi: GPU %zu: %s: %s\n", k->index, w.what.c_str(),
                     k->id.software
                         ? "AMDSMI_STATUS_NOT_SUPPORTED: a software card has no such setting"
                         : refusal_text(why));
      }
    }
    trees.push_back(std::move(t));
  }
  if (o.json)
    out.write(dump(framed(o, Tree(trees)), 4) + "\n");
  else if (o.csv)
    out.write(csv_of(trees, true));
  else
    out.write(as_text(o, trees, true));
  return failed || !out.ok() ? 1 : 0;
}

/// One flag per group: -a --asic and so on.
void group_flags(CLI::App& sub, Options& o, const std::vector<std::string>& groups,
                 const std::map<std::string, std::string>& letters) {
  for (const std::string& g : groups) {
    std::string dashed = g;
    std::replace(dashed.begin(), dashed.end(), '_', '-');
    auto it = letters.find(g);
    std::string names = (it == letters.end() ? "" : "-" + it->second + ",") + "--" + dashed;
    sub.add_flag_callback(
        names, [&o, g] { o.groups.push_back(g); }, "Show only: " + dashed);
  }
}

void common_options(CLI::App& sub, Options& o, bool cards) {
  if (cards)
    sub.add_option("-g,--gpu", o.gpus, "GPUs: index, BDF or UUID; 'all'")->expected(1, 256);
  sub.add_flag("--json", o.json, "Output in JSON");
  sub.add_flag("--csv", o.csv, "Output in CSV");
  sub.add_option("--file", o.file, "Write to a file instead of stdout")->check(cli::not_empty());
  sub.add_option("--loglevel", o.loglevel, "Accepted: diagnostics are on stderr always");
  sub.add_option("--layout", o.layout, "JSON layout of ROCm 6.3 (a list) or 7.0 (under gpu_data)")
      ->check(CLI::IsMember({"6.3", "7.0"}));
}

void watch_options(CLI::App& sub, Options& o) {
  auto* watch = sub.add_option("-w,--watch", o.interval, "Repeat every INTERVAL seconds")
                    ->check(cli::seconds());
  sub.add_option("-W,--watch_time", o.seconds, "With -w: stop after TIME seconds")
      ->check(cli::seconds())
      ->needs(watch);
  sub.add_option("-i,--iterations", o.iterations, "With -w: stop after N rounds")
      ->check(cli::rounds())
      ->needs(watch);
}

} // namespace

int run(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  for (int s : {SIGINT, SIGTERM, SIGHUP})
    std::signal(s, [](int) { g_stop = 1; });
  Options o;
  CLI::App app{"AMD System Management Interface over Pumice's model of software and real cards.",
               "amd-smi"};
  app.require_subcommand(0, 1);
  std::map<std::string, MakeTree> makers;
  auto add = [&](const char* name, const char* help, bool cards = true) {
    CLI::App* sub = app.add_subcommand(name, help);
    common_options(*sub, o, cards);
    return sub;
  };
  add("version", "Display version information", false);
  add("list", "List GPU information");
  auto* st = add("static", "Gets static information about the specified GPU");
  group_flags(*st, o, static_groups(),
              {{"asic", "a"},
               {"bus", "b"},
               {"vbios", "V"},
               {"limit", "l"},
               {"driver", "d"},
               {"board", "B"},
               {"ras", "r"},
               {"partition", "p"},
               {"numa", "u"},
               {"vram", "v"},
               {"cache", "c"},
               {"clock", "C"},
               {"soc_pstate", "P"},
               {"xgmi_plpd", "x"},
               {"process_isolation", "R"}});
  auto* fw = add("firmware", "Gets firmware information about the specified GPU");
  fw->alias("ucode");
  bool ignored = false;
  fw->add_flag("-f,--ucode-list,--fw-list", ignored, "All firmware (the default)");
  auto* bp = add("bad-pages", "Gets bad page information about the specified GPU");
  group_flags(*bp, o, {"pending", "retired", "un_res"},
              {{"pending", "p"}, {"retired", "r"}, {"un_res", "u"}});
  auto* me = add("metric", "Gets metric/performance information about the specified GPU");
  group_flags(*me, o, metric_groups(),
              {{"mem_usage", "m"},
               {"usage", "u"},
               {"power", "p"},
               {"clock", "c"},
               {"temperature", "t"},
               {"pcie", "P"},
               {"ecc", "e"},
               {"ecc_blocks", "k"},
               {"fan", "f"},
               {"voltage_curve", "C"},
               {"overdrive", "o"},
               {"perf_level", "l"},
               {"xgmi_err", "x"},
               {"energy", "E"},
               {"throttle", "T"}});
  watch_options(*me, o);
  auto* pr = add("process", "Lists general process information running on the specified GPU");
  pr->add_flag("-G,--general", o.process.general, "pid, process name, memory usage");
  pr->add_flag("-e,--engine", o.process.engine, "All engine usages");
  pr->add_option("-p,--pid", o.process.pid, "Only this process")
      ->check(cli::whole("a process number", 0, UINT32_MAX));
  pr->add_option("-n,--name", o.process.name, "Only processes of this name")
      ->check(cli::not_empty());
  watch_options(*pr, o);
  auto* ev = add("event", "Displays events of the specified GPUs as they come");
  ev->add_option("-W,--watch_time", o.seconds, "Stop after TIME seconds")->check(cli::seconds());
  ev->add_option("-i,--iterations", o.iterations, "Stop after N events")->check(cli::rounds());
  auto* to = add("topology", "Displays topology information of the devices");
  group_flags(*to, o, topology_groups(),
              {{"access", "a"},
               {"weight", "w"},
               {"hops", "o"},
               {"link_type", "t"},
               {"numa_bw", "b"},
               {"coherent", "c"},
               {"atomics", "n"},
               {"dma", "d"},
               {"bi_dir", "z"}});
  auto* mo = add("monitor", "Monitor metrics for target devices");
  mo->alias("dmon");
  bool processes = false;
  group_flags(*mo, o, monitor_groups(),
              {{"power_usage", "p"},
               {"temperature", "t"},
               {"gfx", "u"},
               {"mem", "m"},
               {"encoder", "n"},
               {"decoder", "d"},
               {"ecc", "e"},
               {"vram_usage", "v"},
               {"pcie", "r"},
               {"violation", "V"}});
  mo->add_flag("-q,--process", processes, "The processes instead, as amd-smi process shows them");
  watch_options(*mo, o);
  auto* xg = add("xgmi", "Displays xgmi information of the devices");
  xg->add_flag("-m,--metric", ignored, "Metric XGMI information (the default)");
  auto* pa = add("partition", "Displays partition information of the devices");
  group_flags(*pa, o, {"current", "memory", "accelerator"},
              {{"current", "c"}, {"memory", "m"}, {"accelerator", "a"}});

  std::vector<Write> writes;
  auto* se = add("set", "Set options for devices");
  auto setter = [&](const char* names, const char* help,
                    std::function<void(const std::string&)> f) {
    return se->add_option_function<std::string>(names, std::move(f), help);
  };
  setter("-f,--fan", "GPU fan speed (0-255 or %)",
         [&](const std::string& v) {
           writes.push_back({"fan", "hwmon/pwm1_enable", "1", v});
           bool percent = !v.empty() && v.back() == '%';
           unsigned long n = std::strtoul(v.c_str(), nullptr, 10);
           writes.push_back({"fan", "hwmon/pwm1", std::to_string(percent ? n * 255 / 100 : n), v});
         })
      ->check(CLI::Validator(
          [](std::string& v) -> std::string {
            bool percent = !v.empty() && v.back() == '%';
            std::string n = v.substr(0, v.size() - percent);
            return cli::whole(percent ? "a percentage" : "a level", 0, percent ? 100 : 255)(n);
          },
          ""));
  // AMD's names, and the driver's own.
  std::map<std::string, std::string> levels;
  for (const PerfLevel& l : kPerfLevels)
    levels[l.amd] = l.driver;
  setter("-l,--perf-level", "Performance level: AUTO, LOW, HIGH, MANUAL, STABLE_STD, ...",
         [&](const std::string& v) {
           writes.push_back({"perf_level", "power_dpm_force_performance_level", v, v});
         })
      ->transform(CLI::CheckedTransformer(levels, CLI::ignore_case));
  setter("-P,--profile", "Power profile number", [&](const std::string& v) {
    writes.push_back({"profile", "pp_power_profile_mode", v, v});
  })->check(cli::whole("a profile number", 0, 255));
  setter("-d,--perf-determinism", "Clock limit in MHz", [&](const std::string& v) {
    const std::string shown = v + " MHz";
    writes.push_back(
        {"perf_determinism", "power_dpm_force_performance_level", "perf_determinism", shown});
    writes.push_back({"perf_determinism", "pp_od_clk_voltage", "s 1 " + v, shown});
    writes.push_back({"perf_determinism", "pp_od_clk_voltage", "c", shown});
  })->check(cli::whole("a clock in MHz", 1, 99999));
  setter("-C,--compute-partition", "SPX, DPX, TPX, QPX or CPX", [&](const std::string& v) {
    writes.push_back({"compute_partition", "current_compute_partition", v, v});
  })->transform(CLI::IsMember({"SPX", "DPX", "TPX", "QPX", "CPX"}, CLI::ignore_case));
  setter("-M,--memory-partition", "NPS1, NPS2, NPS4 or NPS8", [&](const std::string& v) {
    writes.push_back({"memory_partition", "current_memory_partition", v, v});
  })->transform(CLI::IsMember({"NPS1", "NPS2", "NPS4", "NPS8"}, CLI::ignore_case));
  setter("-o,--power-cap", "Power limit in watts", [&](const std::string& v) {
    writes.push_back({"power_cap", "hwmon/power1_cap", v + "000000", v + " W"});
  })->check(cli::whole("a power in watts", 1, 99999));
  auto policy = cli::whole("a policy number", 0, 255);
  setter("-p,--soc-pstate", "Policy of SoC power states", [&](const std::string& v) {
    writes.push_back({"soc_pstate", "pm_policy/soc_pstate", v, v});
  })->check(policy);
  setter("-x,--xgmi-plpd", "Policy of xGMI link power-down", [&](const std::string& v) {
    writes.push_back({"xgmi_plpd", "pm_policy/xgmi_plpd", v, v});
  })->check(policy);
  setter("-R,--process-isolation", "Process isolation on (1) or off (0)",
         [&](const std::string& v) {
           writes.push_back({"process_isolation", "enforce_isolation", v, v});
         })
      ->check(CLI::IsMember({"0", "1"}));
  se->add_flag("--yes", o.yes, "Do not ask");
  auto* re = add("reset", "Reset options for devices");
  auto resetter = [&](const char* names, const char* help, Write w) {
    re->add_flag_callback(
        names, [&writes, w] { writes.push_back(w); }, help);
  };
  resetter("-G,--gpureset", "Reset the GPU",
           {"gpureset", "debugfs/amdgpu_gpu_recover", "read", ""});
  resetter("-c,--clocks", "Clocks to automatic",
           {"clocks", "power_dpm_force_performance_level", "auto", ""});
  resetter("-f,--fans", "Fans to automatic", {"fans", "hwmon/pwm1_enable", "2", ""});
  resetter("-p,--profile", "Default power profile", {"profile", "pp_power_profile_mode", "0", ""});
  resetter("-x,--xgmierr", "Clear the XGMI error count", {"xgmierr", "xgmi_error", "0", ""});
  resetter("-d,--perf-determinism", "Performance determinism off",
           {"perf_determinism", "power_dpm_force_performance_level", "auto", ""});
  resetter("-o,--power-cap", "Default power limit", {"power_cap", "hwmon/power1_cap", "0", ""});
  resetter("-l,--clean-local-data", "Clear what kernels left on the card",
           {"clean_local_data", "run_cleaner_shader", "0", ""});
  re->add_flag("--yes", o.yes, "Do not ask");

  auto wrong = [&](const std::string& message) {
    o.json = cli::given(argc, argv, "--json");
    o.csv = cli::given(argc, argv, "--csv");
    o.file = cli::value_of(argc, argv, "--file");
    if (o.file.starts_with("-"))
      o.file.clear(); // the next option
    return error_exit(o, message, cli::kWrongUse);
  };
  if (auto status = cli::parse(app, argc, argv, wrong))
    return *status;
  if (app.get_subcommands().empty()) {
    std::fputs(app.help().c_str(), stdout);
    return 0;
  }
  o.name = app.get_subcommands()[0]->get_name();
  if (o.json && o.csv)
    return wrong("--json and --csv exclude each other");
  if (o.name == "version") {
    Out out(o.file);
    Tree t = version_tree();
    if (o.json)
      out.write(dump(Tree::array({t}), 4) + "\n");
    else if (o.csv)
      out.write(csv_of({t}, true));
    else
      out.write("AMDSMI Tool: " + t["version"].get<std::string>() +
                " | AMDSMI Library version: " + t["amdsmi_library_version"].get<std::string>() +
                " | ROCm version: " + t["rocm_version"].get<std::string>() + "\n");
    return out.ok() ? 0 : 1;
  }
  auto model = Model::open();
  if (!model.ok())
    return error_exit(o, model.status().message, 1);
  Model& m = **model;
  for (const std::string& w : m.warnings())
    std::fprintf(stderr, "amd-smi: %s\n", w.c_str());
  auto cards = select(m, o.gpus);
  if (!cards.ok())
    return error_exit(o, cards.status().message, 3);
  if (m.cards().empty())
    std::fprintf(stderr, "amd-smi: no AMD GPU is visible\n");
  if (o.name == "set" || o.name == "reset")
    return change(o, *cards, writes);
  if (o.name == "event")
    return events(o, m, *cards);
  if (processes)
    o.name = "process";
  const Wanted& g = o.groups;
  MakeTree make = [&](Model& model, Card& k) -> Tree {
    if (o.name == "list")
      return list_tree(k);
    if (o.name == "static")
      return static_tree(k, g);
    if (o.name == "firmware")
      return firmware_tree(k);
    if (o.name == "bad-pages")
      return bad_pages_tree(k, g);
    if (o.name == "metric")
      return metric_tree(k, g);
    if (o.name == "process")
      return process_tree(model, k, o.process);
    if (o.name == "topology")
      return topology_tree(model, k, g);
    if (o.name == "monitor")
      return monitor_tree(k, g);
    if (o.name == "xgmi")
      return xgmi_tree(model, k);
    return partition_tree(k, g);
  };
  return print(o, m, *cards, make);
}

} // namespace pumice::smi::amd_smi
