// SPDX-License-Identifier: MIT
#include "smi/amd_smi/tool.h"
#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace pumice::smi::amd_smi {
namespace {

std::string upper(std::string s) {
  for (char& c : s)
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return s;
}

bool has_unit(const Tree& t) {
  return t.is_object() && t.size() == 2 && t.contains("value") && t.contains("unit");
}

std::string scalar(const Tree& t) {
  if (t.is_string())
    return t.get<std::string>();
  return t.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string bytes_text(uint64_t n) {
  constexpr const char* kUnits[] = {"B", "KB", "MB", "GB", "TB"};
  double v = static_cast<double>(n);
  size_t u = 0;
  for (; v >= 1024 && u < 4; ++u)
    v /= 1024;
  return fmt::format("{:.1f} {}", v, kUnits[u]);
}

std::string value_text(const Tree& t) {
  if (!has_unit(t))
    return scalar(t);
  std::string unit = t["unit"].get<std::string>();
  if (unit == "B" && t["value"].is_number_unsigned())
    return bytes_text(t["value"].get<uint64_t>());
  return scalar(t["value"]) + " " + (unit == "C" ? "\u00b0C" : unit);
}

bool is_leaf(const Tree& t) {
  return !t.is_structured() || has_unit(t);
}

void text_tree(const Tree& t, size_t depth, std::string& out) {
  std::string pad(depth * 4, ' ');
  for (auto& [key, value] : t.items()) {
    if (is_leaf(value)) {
      out += pad + upper(key) + ": " + value_text(value) + "\n";
    } else if (value.is_array()) {
      bool leaves =
          std::all_of(value.begin(), value.end(), [](const Tree& e) { return is_leaf(e); });
      if (leaves) {
        out += pad + upper(key) + ": ";
        if (value.empty()) {
          out += "N/A\n";
          continue;
        }
        std::string list;
        for (const Tree& e : value)
          list += (list.empty() ? "" : ", ") + value_text(e);
        out += "[" + list + "]\n";
        continue;
      }
      out += pad + upper(key) + ":\n";
      size_t n = 0;
      for (const Tree& e : value) {
        if (e.size() == 1 && e.begin()->is_object()) { // {"process_info": {...}}
          out += pad + "    " + upper(e.begin().key()) + ":\n";
          text_tree(*e.begin(), depth + 2, out);
        } else {
          std::string first = e.begin().key(); // "CACHE_0:", "FW 3:"
          out += pad + "    " + upper(first) + (first == "cache" ? "_" : " ") + std::to_string(n) +
                 ":\n";
          text_tree(e, depth + 2, out);
        }
        ++n;
      }
    } else {
      out += pad + upper(key) + ":\n";
      text_tree(value, depth + 1, out);
    }
  }
}

void flatten(const Tree& t, const std::string& prefix,
             std::vector<std::pair<std::string, std::string>>& out) {
  if (is_leaf(t)) {
    out.emplace_back(prefix, scalar(has_unit(t) ? t["value"] : t));
    return;
  }
  size_t i = 0;
  for (auto& [key, value] : t.items()) {
    std::string name = t.is_array() ? std::to_string(i) : key;
    // The names of groups are left out where AMD's tool does: one level of them.
    flatten(value, prefix.empty() ? name : prefix + "_" + name, out);
    ++i;
  }
}

/// Rows for arrays of records (processes, links, pages, firmware): the record's fields beside the
/// card's own.
const char* const kRecordLists[] = {"process_list", "links",   "fw_list",
                                    "retired",      "pending", "un_res"};

std::string right(const std::string& s, size_t width) {
  size_t shown = 0;
  for (unsigned char c : s)
    shown += (c & 0xc0) != 0x80;
  return shown < width ? std::string(width - shown, ' ') + s : " " + s;
}

} // namespace

std::string dump(const Tree& t, int indent) {
  return t.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string text_of(const Tree& list) {
  std::string out;
  auto one = [&](const Tree& t) {
    if (t.contains("gpu")) {
      out += "GPU: " + scalar(t["gpu"]) + "\n";
      Tree rest = t;
      rest.erase("gpu");
      text_tree(rest, 1, out);
    } else {
      text_tree(t, 0, out);
    }
    out += "\n";
  };
  if (list.is_array())
    for (const Tree& t : list)
      one(t);
  else
    one(list);
  return out;
}

std::vector<Tree> rows_of(const Tree& tree) {
  Tree base = tree;
  const Tree* records = nullptr;
  std::string list;
  for (const char* n : kRecordLists) {
    const Tree* at = tree.contains(n) ? &tree[n]
                     : tree.contains("link_metrics") && tree["link_metrics"].contains(n)
                         ? &tree["link_metrics"][n]
                         : nullptr;
    if (at && at->is_array()) {
      list = n;
      records = at;
      base.erase(n);
      if (base.contains("link_metrics"))
        base["link_metrics"].erase(n);
      break;
    }
  }
  if (!records)
    return {base};
  for (const char* n : kRecordLists) // pages come in up to three lists
    base.erase(n);
  std::vector<Tree> rows;
  auto add = [&](const Tree& record, const std::string& kind) {
    Tree row = base;
    if (!kind.empty())
      row["list"] = kind;
    for (auto& [k, v] : record.items())
      row[row.contains(k) ? "link_" + k : k] = v;
    rows.push_back(std::move(row));
  };
  bool pages = list == "retired" || list == "pending" || list == "un_res";
  for (const char* n : kRecordLists)
    if (const Tree* at = n == list                   ? records
                         : pages && tree.contains(n) ? &tree[n]
                                                     : nullptr;
        at && at->is_array())
      for (const Tree& r : *at)
        add(r.size() == 1 && r.begin()->is_object() ? *r.begin() : r, pages ? n : "");
  if (rows.empty())
    rows.push_back(base);
  return rows;
}

std::string csv_of(const std::vector<Tree>& rows, bool with_header,
                   const std::vector<Tree>& shape) {
  std::vector<std::string> columns;
  std::vector<std::vector<std::pair<std::string, std::string>>> flat;
  auto add_columns = [&](const std::vector<std::pair<std::string, std::string>>& values) {
    for (auto& [k, v] : values)
      if (std::find(columns.begin(), columns.end(), k) == columns.end())
        columns.push_back(k);
  };
  for (const Tree& s : shape) {
    std::vector<std::pair<std::string, std::string>> values;
    flatten(s, "", values);
    add_columns(values);
  }
  for (const Tree& r : rows) {
    flatten(r, "", flat.emplace_back());
    if (shape.empty())
      add_columns(flat.back());
  }
  std::string out;
  if (with_header) {
    std::string line;
    for (const std::string& c : columns)
      line += (line.empty() ? "" : ",") + csv_field(c);
    out += (line.empty() ? "gpu" : line) + "\n";
  }
  for (auto& r : flat) {
    for (size_t i = 0; i < columns.size(); ++i) {
      auto it = std::find_if(r.begin(), r.end(), [&](auto& kv) { return kv.first == columns[i]; });
      out += (i ? "," : "") + csv_field(it == r.end() ? "N/A" : it->second);
    }
    out += "\n";
  }
  return out;
}

std::string monitor_table(const std::vector<Tree>& rows, bool with_header) {
  struct Column {
    const char *key, *title;
    size_t width;
  };
  // Titles and widths of ROCm 6.3's table.
  constexpr Column kColumns[] = {{"power_usage", "POWER", 7},
                                 {"hotspot_temperature", "GPU_TEMP", 10},
                                 {"memory_temperature", "MEM_TEMP", 10},
                                 {"gfx", "GFX_UTIL", 10},
                                 {"gfx_clock", "GFX_CLOCK", 11},
                                 {"mem", "MEM_UTIL", 10},
                                 {"mem_clock", "MEM_CLOCK", 11},
                                 {"encoder", "ENC_UTIL", 10},
                                 {"encoder_clock", "ENC_CLOCK", 11},
                                 {"decoder", "DEC_UTIL", 10},
                                 {"decoder_clock", "DEC_CLOCK", 11},
                                 {"single_bit_ecc", "SINGLE_ECC", 12},
                                 {"double_bit_ecc", "DOUBLE_ECC", 12},
                                 {"pcie_replay", "PCIE_REPLAY", 13},
                                 {"vram_used", "VRAM_USED", 11},
                                 {"vram_total", "VRAM_TOTAL", 12},
                                 {"pcie_bw", "PCIE_BW", 12},
                                 {"pviol", "PVIOL", 7},
                                 {"tviol", "TVIOL", 7},
                                 {"phot_tviol", "PHOT_TVIOL", 12},
                                 {"vr_tviol", "VR_TVIOL", 10},
                                 {"hbm_tviol", "HBM_TVIOL", 11}};
  std::string out;
  if (with_header && !rows.empty()) {
    if (rows[0].contains("timestamp"))
      out += right("TIMESTAMP", 10) + "  ";
    out += "GPU";
    for (const Column& c : kColumns)
      if (rows[0].contains(c.key))
        out += right(c.title, c.width);
    out += "\n";
  }
  for (const Tree& r : rows) {
    if (r.contains("timestamp"))
      out += right(scalar(r["timestamp"]), 10) + "  ";
    out += right(scalar(r["gpu"]), 3).substr(scalar(r["gpu"]).size() >= 3 ? 1 : 0);
    for (const Column& c : kColumns)
      if (r.contains(c.key))
        out += right(value_text(r[c.key]), c.width);
    out += "\n";
  }
  return out;
}

std::string topology_tables(const std::vector<Tree>& trees, const Wanted& groups) {
  const std::pair<const char*, const char*> kTitles[] = {{"access", "ACCESS TABLE"},
                                                         {"weight", "WEIGHT TABLE"},
                                                         {"hops", "HOPS TABLE"},
                                                         {"link_type", "LINK TYPE TABLE"},
                                                         {"numa_bw", "NUMA BW TABLE"},
                                                         {"coherent", "CACHE COHERENCY TABLE"},
                                                         {"atomics", "ATOMICS TABLE"},
                                                         {"dma", "DMA TABLE"},
                                                         {"bi_dir", "BI-DIRECTIONAL TABLE"}};
  std::string out;
  for (auto& [key, title] : kTitles) {
    if (!groups.empty() && std::find(groups.begin(), groups.end(), key) == groups.end())
      continue;
    out += std::string(title) + ":\n             ";
    for (const Tree& t : trees)
      out += fmt::format("{:<13}", scalar(t["bdf"]));
    out += "\n";
    for (const Tree& t : trees) {
      out += fmt::format("{:<13}", scalar(t["bdf"]));
      for (const Tree& l : t["links"]) {
        bool shown = std::any_of(trees.begin(), trees.end(),
                                 [&](const Tree& x) { return x["gpu"] == l["gpu"]; });
        if (shown)
          out += fmt::format("{:<13}", scalar(l[key]));
      }
      out += "\n";
    }
    out += "\n";
  }
  return out;
}

std::string xgmi_table(const std::vector<Tree>& trees) {
  std::string out = "LINK METRIC TABLE:\n";
  out += fmt::format("{:<8}{:<14}{:<12}{:<15}{:<11}", "", "bdf", "bit_rate", "max_bandwidth",
                     "link_type");
  for (const Tree& t : trees)
    out += fmt::format("{:<14}", scalar(t["bdf"]));
  out += "\n";
  for (const Tree& t : trees) {
    const Tree& m = t["link_metrics"];
    out += fmt::format("{:<8}{:<14}{:<12}{:<15}{:<11}\n", "GPU" + scalar(t["gpu"]),
                       scalar(t["bdf"]), value_text(m["bit_rate"]), value_text(m["max_bandwidth"]),
                       scalar(m["link_type"]));
    for (const char* way : {"read", "write"}) {
      out += fmt::format(" {:<59}", way[0] == 'r' ? "Read" : "Write");
      for (const Tree& l : m["links"]) {
        bool shown = std::any_of(trees.begin(), trees.end(),
                                 [&](const Tree& x) { return x["gpu"] == l["gpu"]; });
        if (shown)
          out += fmt::format("{:<14}", value_text(l[way]));
      }
      out += "\n";
    }
  }
  return out + "\n";
}

} // namespace pumice::smi::amd_smi
