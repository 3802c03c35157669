// SPDX-License-Identifier: MIT
// The setters of rocm-smi: which file of a real card receives what. Software cards refuse; real
// ones are asked for unless --yes or --autorespond was given.
#include "smi/rocm_smi/tool.h"
#include <fmt/format.h>
#include <iostream>
#include <strings.h>
#include <unistd.h>

namespace pumice::smi::rocm_smi {
namespace {

struct Write {
  std::string file, text;
};
using Writes = std::vector<Write>;

std::string joined(const std::vector<std::string>& v) {
  std::string s;
  for (const std::string& x : v)
    s += (s.empty() ? "" : " ") + x;
  return s;
}

bool all_digits(const std::string& s) { // of at most nine digits: none of these settings has more
  return !s.empty() && s.size() < 10 && s.find_first_not_of("0123456789") == std::string::npos;
}

/// The word of `known` that `text` is, in whatever case; what else is written never reaches a file.
Result<std::string> one_of(const std::string& text, const std::vector<const char*>& known) {
  std::string all;
  for (const char* k : known) {
    if (strcasecmp(k, text.c_str()) == 0)
      return std::string(k);
    all += (all.empty() ? "" : ", ") + std::string(k);
  }
  return error(Code::invalid_argument, "'" + text + "' is none of " + all);
}

Result<Writes> clock_levels(const std::string& clock, const std::vector<std::string>& levels) {
  TRY_ASSIGN(const std::string name,
             one_of(clock, {"sclk", "mclk", "pcie", "fclk", "socclk", "dcefclk", "vclk", "dclk"}));
  for (const std::string& l : levels)
    if (!all_digits(l))
      return error(Code::invalid_argument, "'" + l + "' is no clock level");
  return Writes{{"power_dpm_force_performance_level", "manual"},
                {"pp_dpm_" + name, joined(levels)}};
}

Result<Writes> writes_of(const Change& c) {
  const std::string& o = c.option;
  const std::string first = c.values.empty() ? "" : c.values[0];
  auto needs_number = [&]() -> Status {
    return all_digits(first) ? ok_status()
                             : error(Code::invalid_argument, "'" + first + "' is no number");
  };
  if (o == "--setperflevel") {
    std::vector<const char*> levels;
    for (const PerfLevel& l : kPerfLevels)
      levels.push_back(l.driver);
    auto level = one_of(first, levels);
    if (!level.ok())
      return level.status();
    return Writes{{"power_dpm_force_performance_level", *level}};
  }
  if (o == "--setsclk" || o == "--setmclk" || o == "--setpcie")
    return clock_levels(o.substr(5), c.values);
  if (o == "--setclock") {
    if (c.values.size() != 2)
      return error(Code::invalid_argument, "wants a clock and a level");
    return clock_levels(first, {c.values[1]});
  }
  if (o == "--setpoweroverdrive") {
    TRY(needs_number());
    return Writes{{"hwmon/power1_cap", first + "000000"}};
  }
  if (o == "--setfan") {
    std::string level = first;
    if (!level.empty() && level.back() == '%' && all_digits(level.substr(0, level.size() - 1)))
      level = std::to_string(std::stoul(level.substr(0, std::min<size_t>(level.size() - 1, 4))) *
                             255 / 100);
    if (!all_digits(level) || level.size() > 3 || std::stoul(level) > 255)
      return error(Code::invalid_argument,
                   "'" + first + "' is no fan level (0 to 255, or a percentage)");
    return Writes{{"hwmon/pwm1_enable", "1"}, {"hwmon/pwm1", level}};
  }
  if (o == "--setprofile") {
    TRY(needs_number());
    return Writes{{"pp_power_profile_mode", first}};
  }
  if (o == "--setoverdrive") {
    TRY(needs_number());
    return Writes{{"pp_sclk_od", first}};
  }
  if (o == "--setmemoverdrive") {
    TRY(needs_number());
    return Writes{{"pp_mclk_od", first}};
  }
  if (o == "--setsrange" || o == "--setmrange") {
    if (c.values.size() != 2 || !all_digits(first) || !all_digits(c.values[1]))
      return error(Code::invalid_argument, "wants a minimum and a maximum in MHz");
    char k = o[5];
    return Writes{{"power_dpm_force_performance_level", "manual"},
                  {"pp_od_clk_voltage", fmt::format("{} 0 {}", k, first)},
                  {"pp_od_clk_voltage", fmt::format("{} 1 {}", k, c.values[1])},
                  {"pp_od_clk_voltage", "c"}};
  }
  if (o == "--setslevel" || o == "--setmlevel" || o == "--setvc") {
    for (const std::string& v : c.values)
      if (!all_digits(v))
        return error(Code::invalid_argument, "wants a level or point, MHz and mV");
    std::string what = o == "--setvc" ? "vc" : o.substr(5, 1);
    return Writes{{"power_dpm_force_performance_level", "manual"},
                  {"pp_od_clk_voltage", what + " " + joined(c.values)},
                  {"pp_od_clk_voltage", "c"}};
  }
  if (o == "--setextremum") {
    if ((first != "min" && first != "max") || (c.values[1] != "sclk" && c.values[1] != "mclk") ||
        !all_digits(c.values[2]))
      return error(Code::invalid_argument, "wants min or max, sclk or mclk, and MHz");
    return Writes{{"power_dpm_force_performance_level", "manual"},
                  {"pp_od_clk_voltage",
                   fmt::format("{} {} {}", c.values[1][0], first == "min" ? 0 : 1, c.values[2])},
                  {"pp_od_clk_voltage", "c"}};
  }
  if (o == "--setperfdeterminism") {
    TRY(needs_number());
    return Writes{{"power_dpm_force_performance_level", "perf_determinism"},
                  {"pp_od_clk_voltage", "s 1 " + first},
                  {"pp_od_clk_voltage", "c"}};
  }
  if (o == "--setcomputepartition" || o == "--setmemorypartition") {
    bool compute = o == "--setcomputepartition";
    auto mode = compute ? one_of(first, {"SPX", "DPX", "TPX", "QPX", "CPX"})
                        : one_of(first, {"NPS1", "NPS2", "NPS4", "NPS8"});
    if (!mode.ok())
      return mode.status();
    return Writes{{compute ? "current_compute_partition" : "current_memory_partition", *mode}};
  }
  if (o == "--resetclocks" || o == "--resetperfdeterminism")
    return Writes{{"power_dpm_force_performance_level", "auto"}};
  if (o == "--resetfans")
    return Writes{{"hwmon/pwm1_enable", "2"}};
  if (o == "--resetprofile")
    return Writes{{"pp_power_profile_mode", "0"}};
  if (o == "--resetpoweroverdrive")
    return Writes{{"hwmon/power1_cap", "0"}}; // the driver takes 0 as "default"
  if (o == "--resetxgmierr")
    return Writes{{"xgmi_error", "0"}};
  if (o == "--gpureset")
    return Writes{{"debugfs/amdgpu_gpu_recover", "read"}};
  return unimplemented(o);
}

bool agreed(Context& c, const Change& change) {
  auto yes = [](std::string answer) {
    for (char& ch : answer)
      ch = static_cast<char>(std::tolower(static_cast<unsigned char>(ch)));
    return answer == "y" || answer == "yes";
  };
  if (!c.response.empty()) {
    if (!yes(c.response))
      c.out.failure(change.option + ": the response is '" + c.response + "'");
    return yes(c.response);
  }
  if (!isatty(STDIN_FILENO)) {
    c.out.failure(change.option + ": refused without --yes (no terminal to ask)");
    return false;
  }
  std::cerr << change.option << " " << joined(change.values)
            << " changes how the hardware runs; values outside the specification can damage it.\n"
               "Continue? [y/N] "
            << std::flush;
  std::string answer;
  std::getline(std::cin, answer);
  return yes(answer);
}

} // namespace

void apply_change(Context& c, const Change& change) {
  c.out.section(fmt::format(" {} ", change.option.substr(2)));
  auto writes = writes_of(change);
  if (!writes.ok() && writes.status().code != Code::unimplemented) {
    c.out.failure(change.option + ": " + writes.status().message);
    return;
  }
  if (c.cards.empty())
    c.out.failure(change.option + ": no card to change");
  bool asked = false;
  for (Card* k : c.cards) {
    std::string key = change.option.substr(2);
    if (k->id.software) {
      std::string why = "not supported on a software card";
      if (change.option == "--rasinject")
        why += " (pumice device set injects errors)";
      c.out.card(k->index, key, why);
      c.out.failure(fmt::format("card{}: {}: {}", k->index, change.option, why));
      continue;
    }
    if (!writes.ok()) {
      c.out.card(k->index, key, writes.status().message);
      c.out.failure(fmt::format("card{}: {}", k->index, writes.status().message));
      continue;
    }
    if (!asked && !agreed(c, change)) {
      c.out.failure(change.option + ": not done");
      return;
    }
    asked = true;
    std::string done = "done";
    for (const Write& w : *writes) {
      Why why = k->set(w.file, w.text);
      if (why != Why::ok) {
        done = std::string(refusal_text(why)) + " (" + w.file + ")";
        c.out.failure(fmt::format("card{}: {}: {}", k->index, change.option, done));
        break;
      }
    }
    c.out.card(k->index, key, done);
  }
}

} // namespace pumice::smi::rocm_smi
