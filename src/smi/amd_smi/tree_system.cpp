// SPDX-License-Identifier: MIT
#include "smi/amd_smi/tool.h"
#include <algorithm>
#include <fmt/format.h>

namespace pumice::smi::amd_smi {
namespace {

constexpr const char* kNone = "N/A";

struct LinkGroup {
  const char* name;
  std::string (*text)(const Link&, bool self);
};
std::string yes_no(bool b) {
  return b ? "T" : "F";
}

// Names as in the JSON of ROCm 6.3's topology.
const LinkGroup kLinks[] = {
    {"access",
     [](const Link& l, bool self) -> std::string {
       return self || l.accessible ? "ENABLED" : "DISABLED";
     }},
    {"weight",
     [](const Link& l, bool self) -> std::string {
       return self ? "0" : l.type == LinkType::none ? kNone : std::to_string(l.weight);
     }},
    {"hops",
     [](const Link& l, bool self) -> std::string {
       return self ? "0" : l.type == LinkType::none ? kNone : std::to_string(l.hops);
     }},
    {"link_type",
     [](const Link& l, bool self) -> std::string {
       return self                       ? "SELF"
              : l.type == LinkType::xgmi ? "XGMI"
              : l.type == LinkType::pcie ? "PCIE"
                                         : kNone;
     }},
    {"numa_bw",
     [](const Link& l, bool self) -> std::string {
       return !self && l.type == LinkType::xgmi ? fmt::format("{}-{}", l.min_mbps, l.max_mbps)
                                                : kNone;
     }},
    {"coherent",
     [](const Link& l, bool self) -> std::string {
       return self ? "SELF" : l.type == LinkType::xgmi ? "C" : "NC";
     }},
    {"atomics",
     [](const Link& l, bool self) -> std::string {
       return self ? "SELF" : l.type == LinkType::xgmi ? "64,32" : kNone;
     }},
    {"dma",
     [](const Link& l, bool self) -> std::string { return self ? "SELF" : yes_no(l.accessible); }},
    {"bi_dir",
     [](const Link& l, bool self) -> std::string {
       return self ? "SELF" : yes_no(l.type == LinkType::xgmi);
     }},
};

} // namespace

const std::vector<std::string>& topology_groups() {
  static const auto all = names_of(kLinks);
  return all;
}

Tree process_info(const Process& p, const CardUse& u, const ProcessFilter& f) {
  bool chosen = f.general || f.engine;
  Tree info;
  info["name"] = p.name;
  info["pid"] = p.pid;
  if (!chosen) {
    Tree& mem = info["memory_usage"];
    mem["gtt_mem"] = with_unit(u.gtt_bytes, "B");
    mem["cpu_mem"] = with_unit(u.cpu_bytes, "B");
    mem["vram_mem"] = with_unit(u.vram_bytes, "B");
  }
  if (!chosen || f.general)
    info["mem_usage"] = with_unit(u.vram_bytes, "B");
  if (!chosen || f.engine) {
    Tree& use = info["usage"];
    use["gfx"] = with_unit(u.gfx_ns, "ns");
    use["enc"] = with_unit(u.enc_ns, "ns");
  }
  info["cu_occupancy"] = u.cu_percent.ok() ? with_unit(uint64_t{*u.cu_percent}, "%") : Tree(kNone);
  info["kernel"] = text_or_none(u.kernel);
  return info;
}

Tree process_tree(Model& m, Card& k, const ProcessFilter& f) {
  Tree t;
  t["gpu"] = k.index;
  Tree list = Tree::array();
  for (const Process& p : m.processes())
    for (const CardUse& u : p.cards) {
      if (u.card != k.index || (!f.pid.empty() && f.pid != std::to_string(p.pid)) ||
          (!f.name.empty() && f.name != p.name))
        continue;
      Tree e;
      e["process_info"] = process_info(p, u, f);
      list.push_back(std::move(e));
    }
  t["process_list"] = std::move(list);
  return t;
}

Tree topology_tree(Model& m, Card& k, const Wanted& groups) {
  Tree t;
  t["gpu"] = k.index;
  t["bdf"] = k.id.bdf.text();
  Tree& links = t["links"] = Tree::array();
  for (auto& other : m.cards()) {
    Link l = m.link(k.index, other->index);
    Tree e;
    e["gpu"] = other->index;
    e["bdf"] = other->id.bdf.text();
    for (const LinkGroup& g : kLinks)
      if (want(groups, g.name))
        e[g.name] = g.text(l, other->index == k.index);
    links.push_back(std::move(e));
  }
  return t;
}

Tree xgmi_tree(Model& m, Card& k) {
  Xgmi x = k.xgmi();
  Tree t;
  t["gpu"] = k.index;
  t["bdf"] = k.id.bdf.text();
  Tree& metrics = t["link_metrics"];
  metrics["bit_rate"] =
      x.speed_gbps.ok() ? with_unit(uint64_t{*x.speed_gbps}, "Gb/s") : Tree(kNone);
  metrics["max_bandwidth"] = x.speed_gbps.ok() && x.width.ok()
                                 ? with_unit(uint64_t{*x.speed_gbps} * *x.width, "Gb/s")
                                 : Tree(kNone);
  metrics["link_type"] = x.width.ok() ? "XGMI" : kNone;
  Tree& links = metrics["links"] = Tree::array();
  size_t n = 0;
  for (auto& other : m.cards()) {
    bool linked = other->index != k.index && m.link(k.index, other->index).type == LinkType::xgmi;
    Tree e;
    e["gpu"] = other->index;
    e["bdf"] = other->id.bdf.text();
    bool known = linked && n < x.links.size();
    e["read"] = known ? with_unit(x.links[n].read_kib, "KB") : Tree(kNone);
    e["write"] = known ? with_unit(x.links[n].write_kib, "KB") : Tree(kNone);
    n += linked;
    links.push_back(std::move(e));
  }
  return t;
}

Tree event_tree(const Event& e) {
  Tree t;
  t["gpu"] = e.card;
  t["event"] = event_name(e.kind);
  t["message"] = e.message;
  t["timestamp_ns"] = e.time_ns;
  return t;
}

} // namespace pumice::smi::amd_smi
