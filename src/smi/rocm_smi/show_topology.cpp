// SPDX-License-Identifier: MIT
#include "smi/rocm_smi/tool.h"
#include <fmt/format.h>

namespace pumice::smi::rocm_smi {
namespace {

using CellText = std::function<std::string(const Link&)>;

/// A matrix card by card in the text; in machine formats one value per pair, under "system".
void matrix(Context& c, const char* title, const char* key, const char* diagonal,
            const CellText& cell) {
  c.out.section(title);
  std::string head = "       ";
  for (Card* b : c.cards)
    head += fmt::format("{:<13}", "GPU" + std::to_string(b->index));
  c.out.line(head);
  for (size_t i = 0; i < c.cards.size(); ++i) {
    std::string row = fmt::format("{:<7}", "GPU" + std::to_string(c.cards[i]->index));
    for (size_t j = 0; j < c.cards.size(); ++j) {
      std::string text =
          i == j ? diagonal : cell(c.model.link(c.cards[i]->index, c.cards[j]->index));
      row += fmt::format("{:<13}", text);
      if (j > i)
        c.out.machine_system(fmt::format("(Topology) {} between DRM devices {} and {}", key,
                                         c.cards[i]->index, c.cards[j]->index),
                             text);
    }
    c.out.line(row);
  }
}

} // namespace

void show_topology_weight(Context& c) {
  matrix(c, " Weight between two GPUs ", "Weight", "0",
         [](const Link& l) { return l.type == LinkType::none ? "N/A" : std::to_string(l.weight); });
}

void show_topology_hops(Context& c) {
  matrix(c, " Hops between two GPUs ", "Hops", "0",
         [](const Link& l) { return l.type == LinkType::none ? "N/A" : std::to_string(l.hops); });
}

void show_topology_type(Context& c) {
  matrix(c, " Link Type between two GPUs ", "Link type", "0", [](const Link& l) -> std::string {
    return l.type == LinkType::xgmi ? "XGMI" : l.type == LinkType::pcie ? "PCIE" : "N/A";
  });
}

void show_topology_access(Context& c) {
  matrix(c, " Link accessibility between two GPUs ", "Link accessibility", "True",
         [](const Link& l) -> std::string { return l.accessible ? "True" : "False"; });
}

void show_topology_numa(Context& c) {
  c.out.section(" Numa Nodes ");
  for (Card* k : c.cards) {
    std::string n = k->id.numa_node.ok() ? std::to_string(*k->id.numa_node) : "N/A";
    c.out.card(k->index, "(Topology) Numa Node", n);
    c.out.card(k->index, "(Topology) Numa Affinity", n);
  }
}

void show_nodes_bandwidth(Context& c) {
  matrix(c, " Bandwidth ", "Bandwidth", "N/A", [](const Link& l) {
    return l.type == LinkType::xgmi && l.max_mbps ? fmt::format("{}-{}", l.min_mbps, l.max_mbps)
                                                  : std::string("N/A");
  });
  c.out.line("Format: min-max; Units: mps");
}

} // namespace pumice::smi::rocm_smi
