// SPDX-License-Identifier: MIT
// The rocm-smi command: option parsing, its show functions (show.cpp, show_topology.cpp) and its
// setters (change.cpp).
#pragma once
#include "smi/model.h"
#include "smi/report.h"
#include <functional>
#include <string>
#include <vector>

namespace pumice::smi::rocm_smi {

using Cards = std::vector<Card*>;

struct Context {
  Model& model;
  Cards cards;
  Report& out;
  Format format;
  std::string response; // to the question of setters; empty: ask
};

/// A show option: name, short form or "", help, what it prints.
struct ShowOption {
  const char* name;
  const char* help;
  void (*show)(Context&);
  bool in_all; // part of --showallinfo
};
const std::vector<ShowOption>& show_options();

void show_metrics(Context& c); // show_metrics.cpp
void concise_text(Context& c);
void concise_hw(Context& c);
void concise_values(Context& c); // the same for machine formats
void show_memory_info(Context& c, const std::vector<std::string>& kinds);
void show_ras_info(Context& c, const std::vector<std::string>& blocks);
void show_firmware(Context& c, const std::vector<std::string>& blocks);
void show_pids(Context& c, bool details);
void show_pid_gpus(Context& c, const std::vector<std::string>& pids);
void show_events(Context& c, const std::vector<std::string>& kinds, double seconds);
void show_pages(Context& c, const char* kind);

// show_topology.cpp
void show_topology_weight(Context& c);
void show_topology_hops(Context& c);
void show_topology_type(Context& c);
void show_topology_access(Context& c);
void show_topology_numa(Context& c);
void show_nodes_bandwidth(Context& c);

/// Words given to an option, once each; what the option does not know is a failure that names it.
std::vector<std::string> known_words(Context& c, const char* option,
                                     const std::vector<std::string>& given,
                                     const std::vector<std::string>& known);

/// One setter as given: option name and its values.
struct Change {
  std::string option;
  std::vector<std::string> values;
};
void apply_change(Context& c, const Change& change);

int run(int argc, char** argv);

} // namespace pumice::smi::rocm_smi
