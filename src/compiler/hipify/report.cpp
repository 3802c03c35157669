// SPDX-License-Identifier: MIT
#include "compiler/hipify/report.h"
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace pumice::hipify {
namespace {

using Json = nlohmann::ordered_json;
std::string dump(const Json& j) {
  return j.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}
const char* level(Severity s) {
  return s == Severity::error ? "error" : s == Severity::warning ? "warning" : "note";
}

} // namespace

std::string text_of(const Finding& f) {
  std::string out = f.file + ":" + std::to_string(f.line) + ":" + std::to_string(f.column) + ": [" +
                    std::string(f.code->code) + "] " + f.message;
  if (!f.suggestion.empty())
    out += "; " + f.suggestion;
  return out;
}

std::string findings_json(const std::vector<Finding>& findings) {
  Json list = Json::array();
  for (const Finding& f : findings)
    list.push_back({{"file", f.file},
                    {"line", f.line},
                    {"column", f.column},
                    {"code", f.code->code},
                    {"class", f.code->group},
                    {"message", f.message},
                    {"suggestion", f.suggestion}});
  return dump(Json{{"findings", list}});
}

std::string findings_sarif(const std::vector<Finding>& findings) {
  Json rules = Json::array(), results = Json::array();
  std::set<std::string_view> used;
  for (const Finding& f : findings)
    used.insert(f.code->code);
  for (const CodeRow& r : Tables::get().codes())
    if (used.count(r.code))
      rules.push_back({{"id", r.code},
                       {"name", r.group},
                       {"shortDescription", {{"text", r.title}}},
                       {"fullDescription", {{"text", r.why}}},
                       {"help", {{"text", r.suggestion}}},
                       {"defaultConfiguration", {{"level", level(r.severity)}}}});
  for (const Finding& f : findings)
    results.push_back(
        {{"ruleId", f.code->code},
         {"level", level(f.code->severity)},
         {"message", {{"text", f.message + (f.suggestion.empty() ? "" : "; " + f.suggestion)}}},
         {"locations",
          {{{"physicalLocation",
             {{"artifactLocation", {{"uri", f.file}}},
              {"region", {{"startLine", f.line}, {"startColumn", f.column}}}}}}}}});
  Json driver{{"name", "pumice-hipify"}, {"rules", rules}};
  return dump(
      Json{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
           {"version", "2.1.0"},
           {"runs", {{{"tool", {{"driver", driver}}}, {"results", results}}}}});
}

std::string statistics_json(const Statistics& s) {
  const Tables& tables = Tables::get();
  Json out{{"bytes", s.bytes},       {"lines", s.lines},     {"identifiers", s.identifiers},
           {"kernels", s.kernels},   {"launches", s.launches}, {"headers", s.headers}, {"calls", s.calls}};
  auto rows = [&](const std::map<int32_t, uint32_t>& uses) {
    Json list = Json::object();
    for (const auto& [row, n] : uses) {
      const NameRow& r = tables.name(row);
      list[std::string(r.cuda)] = {{"uses", n}, {"library", r.library}, {"hip", r.hip}};
    }
    return list;
  };
  out["translated"] = rows(s.translated);
  out["unsupported"] = rows(s.unsupported);
  out["unknown"] = s.unknown;
  out["own"] = s.own;
  out["kept"] = s.kept;
  return dump(out);
}

std::string statistics_text(const Statistics& s) {
  const Tables& tables = Tables::get();
  uint64_t translated = 0, unsupported = 0, unknown = 0;
  std::map<std::string_view, std::pair<uint64_t, uint64_t>> libraries;
  for (const auto& [row, n] : s.translated) {
    translated += n;
    libraries[tables.name(row).library].first += n;
  }
  for (const auto& [row, n] : s.unsupported) {
    unsupported += n;
    libraries[tables.name(row).library].second += n;
  }
  for (const auto& [name, n] : s.unknown)
    unknown += n;
  std::string out = "hipify: " + std::to_string(s.lines) + " lines, " + std::to_string(translated) +
                    " CUDA references translated, " + std::to_string(unsupported) +
                    " without a counterpart, " + std::to_string(unknown) + " unknown, " +
                    std::to_string(s.launches) + " kernel launches, " + std::to_string(s.headers) +
                    " headers\n";
  for (const auto& [library, n] : libraries)
    out += "  " + std::string(library) + ": " + std::to_string(n.first) + " translated, " +
           std::to_string(n.second) + " without a counterpart\n";
  return out;
}

namespace {

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    size_t end = text.find('\n');
    size_t n = end == text.npos ? text.size() : end + 1;
    out.push_back(text.substr(0, n));
    text.remove_prefix(n);
  }
  return out;
}

struct Range {
  size_t a_begin, a_end, b_begin, b_end;
};

/// Changed ranges, by a forward scan: after a difference, the nearest pair of equal lines (within a window) is taken as the
/// next common point. Translations change single lines, so this is as good as a minimal edit script.
std::vector<Range> changes(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b) {
  constexpr size_t kWindow = 64;
  std::vector<Range> out;
  size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      ++i, ++j;
      continue;
    }
    size_t ni = a.size(), nj = b.size();
    bool found = false;
    for (size_t d = 1; d < 2 * kWindow && !found; ++d)
      for (size_t da = 0; da <= d && !found; ++da) {
        size_t x = i + da, y = j + d - da;
        if (x < a.size() && y < b.size() && a[x] == b[y]) {
          ni = x, nj = y;
          found = true;
        }
      }
    out.push_back({i, ni, j, nj});
    i = ni, j = nj;
  }
  return out;
}

} // namespace

std::string unified_diff(std::string_view before, std::string_view after, const std::string& name) {
  if (before == after)
    return {};
  std::vector<std::string_view> a = split_lines(before), b = split_lines(after);
  std::vector<Range> list = changes(a, b);
  std::string out = "--- " + name + "\n+++ " + name + "\n";
  auto line = [&](char mark, std::string_view s) {
    out += mark;
    out += s;
    if (s.empty() || s.back() != '\n')
      out += "\n\\ No newline at end of file\n";
  };
  constexpr size_t kContext = 3;
  for (size_t n = 0; n < list.size();) {
    size_t last = n;
    while (last + 1 < list.size() && list[last + 1].a_begin - list[last].a_end <= 2 * kContext)
      ++last;
    size_t a0 = list[n].a_begin > kContext ? list[n].a_begin - kContext : 0;
    size_t b0 = list[n].b_begin - (list[n].a_begin - a0);
    size_t a1 = std::min(list[last].a_end + kContext, a.size());
    size_t b1 = list[last].b_end + (a1 - list[last].a_end);
    out += "@@ -" + std::to_string(a1 > a0 ? a0 + 1 : a0) + "," + std::to_string(a1 - a0) + " +" +
           std::to_string(b1 > b0 ? b0 + 1 : b0) + "," + std::to_string(b1 - b0) + " @@\n";
    size_t at = a0;
    for (; n <= last; ++n) {
      for (; at < list[n].a_begin; ++at)
        line(' ', a[at]);
      for (; at < list[n].a_end; ++at)
        line('-', a[at]);
      for (size_t k = list[n].b_begin; k < list[n].b_end; ++k)
        line('+', b[k]);
    }
    for (; at < a1; ++at)
      line(' ', a[at]);
  }
  return out;
}

} // namespace pumice::hipify
