// SPDX-License-Identifier: MIT
// The amd-smi command. Every subcommand builds one tree per card (tree_*.cpp) with the keys of
// ROCm 6.3; render.cpp prints a list of trees as text, JSON or CSV.
//
// In a tree, a number with a unit is {"value": n, "unit": "W"}; a value that is not available is
// the string "N/A". Keys never depend on what a card supports.
#pragma once
#include "smi/model.h"
#include "smi/report.h"
#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace pumice::smi::amd_smi {

using Tree = nlohmann::ordered_json;
using Wanted = std::vector<std::string>; // groups of a subcommand; empty = all
inline bool want(const Wanted& groups, const char* name) {
  return groups.empty() || std::find(groups.begin(), groups.end(), name) != groups.end();
}
/// The names in a table of groups.
template <class Table> std::vector<std::string> names_of(const Table& groups) {
  std::vector<std::string> names;
  for (const auto& g : groups)
    names.push_back(g.name);
  return names;
}

// tree_static.cpp
Tree list_tree(Card& k);
Tree static_tree(Card& k, const Wanted& groups);
Tree firmware_tree(Card& k);
Tree bad_pages_tree(Card& k, const Wanted& kinds);
Tree partition_tree(Card& k, const Wanted& groups);
Tree version_tree();
const std::vector<std::string>& static_groups();

// tree_metric.cpp
Tree metric_tree(Card& k, const Wanted& groups);
Tree monitor_tree(Card& k, const Wanted& groups);
const std::vector<std::string>& metric_groups();
const std::vector<std::string>& monitor_groups();

// tree_system.cpp
struct ProcessFilter {
  bool general = false, engine = false;
  std::string pid, name;
};
/// What is shown of one process on one card.
Tree process_info(const Process& p, const CardUse& u, const ProcessFilter& f);
Tree process_tree(Model& m, Card& k, const ProcessFilter& f);
Tree topology_tree(Model& m, Card& k, const Wanted& groups);
Tree xgmi_tree(Model& m, Card& k);
Tree event_tree(const Event& e);
const std::vector<std::string>& topology_groups();

// render.cpp
/// Text in the layout of ROCm 6.x: KEY: VALUE with four spaces a level.
std::string text_of(const Tree& list);
/// One header, one row per tree; nested keys are joined with '_', units left out.
/// Columns are those of `shape`, or of all rows where it is empty: so that lists which may be empty
/// (processes, pages) and later rounds of a watch have the same columns.
std::string csv_of(const std::vector<Tree>& rows, bool with_header,
                   const std::vector<Tree>& shape = {});
std::vector<Tree> rows_of(const Tree& tree); // a card's CSV rows
std::string monitor_table(const std::vector<Tree>& rows, bool with_header);
std::string topology_tables(const std::vector<Tree>& trees, const Wanted& groups);
std::string xgmi_table(const std::vector<Tree>& trees);
std::string dump(const Tree& t, int indent);

/// "N/A", or {"value": v, "unit": unit}.
Tree with_unit(const Reading<uint64_t>& v, const char* unit);
template <class T> Tree plain(const Reading<T>& v) {
  return v.ok() ? Tree(*v) : Tree("N/A");
}
Tree text_or_none(const std::string& s);

int run(int argc, char** argv);

} // namespace pumice::smi::amd_smi
