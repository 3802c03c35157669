// SPDX-License-Identifier: MIT
#include "smi/amd_smi/tool.h"
#include "smi/uuid.h"
#include <algorithm>
#include <fmt/format.h>

namespace pumice::smi::amd_smi {
namespace {

constexpr const char* kNone = "N/A";

Tree hex(const Reading<uint32_t>& v, int digits) {
  return v.ok() ? Tree(fmt::format("0x{:0{}x}", *v, digits)) : Tree(kNone);
}

Tree watts(const Reading<uint64_t>& uw) {
  return with_unit(uw.ok() ? Reading<uint64_t>(*uw / 1'000'000) : uw, "W");
}

Tree limit_temperature(Card& k, Sensor s, TempMetric m) {
  auto v = k.temperature_mc(s, m);
  return v.ok() && *v > 0 ? with_unit(static_cast<uint64_t>(*v / 1000), "C") : Tree(kNone);
}

Tree speed_gts(const Reading<uint32_t>& mtps) {
  if (!mtps.ok())
    return kNone;
  Tree t;
  if (*mtps % 1000)
    t["value"] = *mtps / 1000.0;
  else
    t["value"] = *mtps / 1000;
  t["unit"] = "GT/s";
  return t;
}

Tree asic(Card& k) {
  const Identity& id = k.id;
  Tree t;
  t["market_name"] = text_or_none(id.market_name);
  t["vendor_id"] = fmt::format("0x{:x}", id.vendor_id);
  t["vendor_name"] = text_or_none(id.vendor_name);
  t["subvendor_id"] = hex(id.subsystem_vendor, 4);
  t["device_id"] = fmt::format("0x{:x}", id.device_id);
  t["subsystem_id"] = hex(id.subsystem_device, 4);
  t["rev_id"] = hex(id.revision, 2);
  t["asic_serial"] =
      id.unique_id.ok() ? Tree(fmt::format("0x{:016X}", *id.unique_id)) : Tree(kNone);
  t["oam_id"] = plain(id.xgmi_physical_id);
  t["num_compute_units"] = id.compute_units ? Tree(id.compute_units) : Tree(kNone);
  t["target_graphics_version"] = text_or_none(id.gfx);
  return t;
}

Tree bus(Card& k) {
  Pcie p = k.pcie();
  Tree t;
  t["bdf"] = k.id.bdf.text();
  t["max_pcie_width"] = plain(p.max_width);
  t["max_pcie_speed"] = speed_gts(p.max_speed_mtps);
  t["pcie_interface_version"] =
      p.max_speed_mtps.ok() ? Tree(fmt::format("Gen {}", pcie_generation(*p.max_speed_mtps)))
                            : Tree(kNone);
  t["slot_type"] = k.id.form.empty() ? "UNKNOWN" : k.id.form == "PCIe" ? "PCIE" : k.id.form;
  return t;
}

Tree vbios(Card& k) {
  Tree t;
  t["name"] = k.id.vbios.ok() ? text_or_none(k.id.market_name) : Tree(kNone);
  t["build_date"] = kNone;
  t["part_number"] = plain(k.id.vbios);
  t["version"] = plain(k.id.vbios);
  return t;
}

Tree limit(Card& k) {
  Power p = k.power();
  Tree t;
  t["max_power"] = watts(p.cap_max_uw);
  t["min_power"] = watts(p.cap_min_uw);
  t["socket_power"] = watts(p.cap_uw);
  for (auto [what, metric] :
       {std::pair{"slowdown", TempMetric::critical}, {"shutdown", TempMetric::emergency}})
    for (auto [name, sensor] :
         {std::pair{"edge", Sensor::edge}, {"hotspot", Sensor::junction}, {"vram", Sensor::memory}})
      t[fmt::format("{}_{}_temperature", what, name)] = limit_temperature(k, sensor, metric);
  return t;
}

Tree driver(Card& k) {
  Tree t;
  t["name"] = k.id.software ? "pumice" : k.id.driver_version.ok() ? "amdgpu" : kNone;
  t["version"] = plain(k.id.driver_version);
  return t;
}

Tree board(Card& k) {
  Tree t;
  t["model_number"] = plain(k.id.product_number);
  t["product_serial"] = plain(k.id.serial);
  t["fru_id"] = kNone;
  t["product_name"] = text_or_none(k.id.market_name);
  t["manufacturer_name"] = text_or_none(k.id.vendor_name);
  return t;
}

Tree ras(Card& k) {
  Tree t;
  for (const char* n : {"eeprom_version", "parity_schema", "single_bit_schema", "double_bit_schema",
                        "poison_schema"})
    t[n] = kNone;
  auto on = k.ecc_enabled_blocks();
  if (!on.ok()) {
    t["ecc_block_state"] = kNone;
    return t;
  }
  Tree& blocks = t["ecc_block_state"] = Tree::object();
  for (size_t b = 0; b < kRasBlocks; ++b)
    blocks[ras_block_name(b)] = *on >> b & 1 ? "ENABLED" : "DISABLED";
  return t;
}

Tree partition_group(Card& k) {
  Partition p = k.partition();
  Tree t;
  t["compute_partition"] = plain(p.compute);
  t["memory_partition"] = plain(p.memory);
  t["partition_id"] = plain(k.id.partition_id);
  return t;
}

Tree numa(Card& k) {
  Tree t;
  t["node"] = plain(k.id.kfd_node);
  t["affinity"] = plain(k.id.numa_node);
  return t;
}

Tree vram(Card& k) {
  Tree t;
  t["type"] = text_or_none(k.id.vram_type);
  t["vendor"] = plain(k.id.vram_vendor);
  Memory m = k.memory();
  t["size"] =
      with_unit(m.vram_total.ok() ? Reading<uint64_t>(*m.vram_total >> 20) : m.vram_total, "MB");
  t["bit_width"] = k.id.vram_bits ? Tree(k.id.vram_bits) : Tree(kNone);
  t["max_bandwidth"] = with_unit(k.id.vram_max_gbps, "GB/s");
  return t;
}

Tree cache(Card& k) {
  Tree t = Tree::array();
  size_t i = 0;
  for (const Cache& c : k.id.caches) {
    Tree e;
    e["cache"] = i++;
    std::string properties;
    if (c.data)
      properties += "DATA_CACHE, ";
    if (c.instruction)
      properties += "INST_CACHE, ";
    e["cache_properties"] = properties + "SIMD_CACHE";
    e["cache_size"] = with_unit(uint64_t{c.kib}, "KB");
    e["cache_level"] = c.level;
    e["max_num_cu_shared"] = c.cus_sharing;
    e["num_cache_instance"] = c.instances;
    t.push_back(std::move(e));
  }
  return t.empty() ? Tree(kNone) : t;
}

Tree clock_levels(Card& k) {
  Tree t;
  for (auto [name, c] : {std::pair{"sys", Clock::sys},
                         {"mem", Clock::mem},
                         {"df", Clock::df},
                         {"soc", Clock::soc},
                         {"dcef", Clock::dcef},
                         {"vclk0", Clock::vclk0},
                         {"vclk1", Clock::vclk1},
                         {"dclk0", Clock::dclk0},
                         {"dclk1", Clock::dclk1}}) {
    auto table = k.clock(c);
    if (!table.ok()) {
      t[name] = kNone;
      continue;
    }
    Tree& e = t[name];
    e["current"] = table->current ? Tree(*table->current) : Tree(kNone);
    Tree& levels = e["frequency_levels"] = Tree::object();
    for (size_t i = 0; i < table->hz.size(); ++i)
      levels[fmt::format("level_{}", i)] = fmt::format("{} MHz", table->hz[i] / 1'000'000);
  }
  return t;
}

Tree policy(Card& k, const char* name) {
  auto p = k.policy(name);
  if (!p.ok())
    return kNone;
  Tree t;
  t["num_supported"] = p->choices.size();
  t["current_id"] = p->current ? Tree(p->choices[*p->current].first) : Tree(kNone);
  Tree& list = t["policies"] = Tree::array();
  for (auto& [id, text] : p->choices)
    list.push_back({{"policy_id", id}, {"policy_description", text}});
  return t;
}
Tree soc_pstate(Card& k) {
  return policy(k, "soc_pstate");
}
Tree xgmi_plpd(Card& k) {
  return policy(k, "xgmi_plpd");
}
Tree process_isolation(Card& k) {
  auto on = k.process_isolation();
  return !on.ok() ? kNone : *on ? "Enabled" : "Disabled";
}

struct Group {
  const char* name;
  Tree (*make)(Card&);
};
constexpr Group kGroups[] = {{"asic", asic},
                             {"bus", bus},
                             {"vbios", vbios},
                             {"limit", limit},
                             {"driver", driver},
                             {"board", board},
                             {"ras", ras},
                             {"partition", partition_group},
                             {"numa", numa},
                             {"vram", vram},
                             {"cache", cache},
                             {"clock", clock_levels},
                             {"soc_pstate", soc_pstate},
                             {"xgmi_plpd", xgmi_plpd},
                             {"process_isolation", process_isolation}};

} // namespace

const std::vector<std::string>& static_groups() {
  static const auto all = names_of(kGroups);
  return all;
}

Tree with_unit(const Reading<uint64_t>& v, const char* unit) {
  if (!v.ok())
    return kNone;
  Tree t;
  t["value"] = *v;
  t["unit"] = unit;
  return t;
}

Tree text_or_none(const std::string& s) {
  return s.empty() ? kNone : s;
}

Tree list_tree(Card& k) {
  Tree t;
  t["gpu"] = k.index;
  t["bdf"] = k.id.bdf.text();
  t["uuid"] = text_or_none(card_uuid(k));
  t["kfd_id"] = plain(k.id.kfd_gpu_id);
  t["node_id"] = plain(k.id.kfd_node);
  t["partition_id"] = plain(k.id.partition_id);
  return t;
}

Tree static_tree(Card& k, const Wanted& groups) {
  Tree t;
  t["gpu"] = k.index;
  for (const Group& g : kGroups)
    if (want(groups, g.name))
      t[g.name] = g.make(k);
  return t;
}

Tree firmware_tree(Card& k) {
  Tree t;
  t["gpu"] = k.index;
  auto all = k.firmware();
  if (all.empty()) {
    t["fw_list"] = kNone;
    return t;
  }
  Tree& list = t["fw_list"] = Tree::array();
  for (const Firmware& f : all) {
    Tree e;
    std::string name = f.block;
    for (char& c : name)
      c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    e["fw_id"] = name == "SMC" ? "PM" : name;
    e["fw_version"] =
        name == "SMC" ? fmt::format("{:02d}.{:02d}.{:02d}.{:02d}", f.version >> 24 & 255,
                                    f.version >> 16 & 255, f.version >> 8 & 255, f.version & 255)
                      : fmt::format("{:08X}", f.version);
    list.push_back(std::move(e));
  }
  return t;
}

Tree bad_pages_tree(Card& k, const Wanted& kinds) {
  Tree t;
  t["gpu"] = k.index;
  auto pages = k.bad_pages();
  constexpr std::pair<const char*, BadPage::State> kKinds[] = {
      {"retired", BadPage::State::reserved},
      {"pending", BadPage::State::pending},
      {"un_res", BadPage::State::unreservable}};
  constexpr const char* kStates[] = {"RESERVED", "PENDING", "UNRESERVABLE"};
  for (auto& [name, state] : kKinds) {
    if (!want(kinds, name))
      continue;
    Tree list = Tree::array();
    if (pages.ok())
      for (const BadPage& p : *pages)
        if (p.state == state) {
          Tree e;
          e["page_address"] = fmt::format("0x{:x}", p.address);
          e["page_size"] = p.bytes;
          e["status"] = kStates[static_cast<size_t>(state)];
          list.push_back(std::move(e));
        }
    t[name] = pages.ok() ? list : Tree(kNone);
  }
  return t;
}

Tree partition_tree(Card& k, const Wanted& groups) {
  Partition p = k.partition();
  auto join = [](const Reading<std::vector<std::string>>& r) -> Tree {
    if (!r.ok())
      return kNone;
    std::string s;
    for (const std::string& x : *r)
      s += (s.empty() ? "" : ",") + x;
    return s;
  };
  Tree t;
  t["gpu"] = k.index;
  if (want(groups, "current")) {
    Tree& c = t["current_partition"];
    c["memory"] = plain(p.memory);
    c["accelerator_type"] = plain(p.compute);
    c["partition_id"] = plain(k.id.partition_id);
  }
  if (want(groups, "memory")) {
    Tree& m = t["memory_partition"];
    m["memory_partition_caps"] = join(p.memory_modes);
    m["current_memory_partition"] = plain(p.memory);
  }
  if (want(groups, "accelerator")) {
    Tree& a = t["accelerator_partition"];
    a["accelerator_partition_caps"] = join(p.compute_modes);
    a["current_accelerator_partition"] = plain(p.compute);
  }
  return t;
}

Tree version_tree() {
  Tree t;
  t["tool"] = "AMDSMI Tool";
  t["version"] = "24.7.0+pumice";
  t["amdsmi_library_version"] = "24.7.0.0";
  t["rocm_version"] = "6.3.0";
  return t;
}

} // namespace pumice::smi::amd_smi
