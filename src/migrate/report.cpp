// SPDX-License-Identifier: MIT
#include "migrate/report.h"
#include "migrate/page.h"
#include "migrate/page_words.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace pumice::migrate {
namespace {

using json = nlohmann::ordered_json;

double tidy(double v) { return std::round(v * 10) / 10; }

json places(const std::vector<Place>& all) {
  json a = json::array();
  for (auto& p : all) a.push_back({{"file", p.file}, {"line", p.line}, {"what", p.what}});
  return a;
}

json libraries(const Scan& s) {
  json a = json::array();
  for (auto& l : s.libraries) {
    json names = json::array();
    for (auto& n : l.names) names.push_back({{"cuda", n.cuda}, {"hip", n.hip}, {"status", n.status}, {"uses", n.uses}});
    a.push_back({{"name", l.name}, {"counterpart", l.counterpart}, {"status", l.status}, {"note", l.note}, {"source", l.source},
                 {"mapped", l.mapped}, {"changed", l.changed}, {"missing", l.missing}, {"mapped_uses", l.mapped_uses},
                 {"changed_uses", l.changed_uses}, {"missing_uses", l.missing_uses}, {"names", names}});
  }
  return a;
}

json tries(const Assessment& a) {
  json all = json::array();
  for (auto& t : a.tries)
    all.push_back({{"folder", t.folder}, {"how", t.how}, {"sources", t.sources}, {"compiled", outcome_name(t.compiled)}, {"ran", outcome_name(t.ran)},
                   {"exit_code", t.exit_code}, {"verified", t.verified.empty() ? "not said" : t.verified}, {"interpreted_instruction_kinds", t.fallbacks},
                   {"missing", t.missing}, {"compile_seconds", tidy(t.compile_seconds)}, {"run_seconds", tidy(t.run_seconds)}, {"log", t.log}});
  return all;
}

bool is_report(const json& j) { return j.is_object() && j.value("format", "") == "pumice-migrate-1"; }

} // namespace

json to_json(const Assessment& a) {
  const Scan& s = a.scan;
  json languages = json::object(), findings = json::array(), python = json::array(), estimates = json::array(), checks = json::array(), frameworks = json::array();
  for (auto& [name, l] : s.languages) languages[name] = {{"files", l.files}, {"lines", l.lines}};
  for (auto& f : s.findings)
    findings.push_back({{"file", f.file}, {"line", f.line}, {"column", f.column}, {"code", f.code}, {"class", f.group}, {"severity", f.severity},
                        {"message", f.message}, {"suggestion", f.suggestion}, {"message_zh", f.message_zh}, {"suggestion_zh", f.suggestion_zh}, {"excerpt", f.excerpt}, {"conditional", f.conditional}});
  for (auto& p : s.python)
    python.push_back({{"name", p.name}, {"version", p.version}, {"counterpart", p.counterpart}, {"effort", p.effort}, {"note", p.note}, {"file", p.file}, {"line", p.line}});
  double low = 0, high = 0;
  for (auto& e : a.estimates) {
    estimates.push_back({{"id", e.rule.id}, {"stage", e.rule.stage}, {"unit", e.rule.unit}, {"count", tidy(e.count)}, {"rate_low", e.rule.low},
                         {"rate_high", e.rule.high}, {"most", e.rule.most}, {"hours_low", tidy(e.low)}, {"hours_high", tidy(e.high)}, {"why", e.rule.why}, {"why_zh", e.rule.why_zh}});
    low += e.low, high += e.high;
  }
  for (auto& c : a.checks)
    checks.push_back({{"id", c.id}, {"title", c.title}, {"title_zh", c.title_zh}, {"decision", decision_name(c.decision)}, {"reason", c.reason}, {"reason_zh", c.reason_zh}});
  for (auto& f : a.frameworks) {
    json sources = json::array();
    for (auto& src : f.item.sources) sources.push_back({{"page", src.page}, {"read", src.date}});
    frameworks.push_back({{"framework", f.framework}, {"version", f.version}, {"verdict", matrix::verdict_name(f.item.verdict)}, {"reason", f.item.reason}, {"sources", sources}});
  }
  return {{"format", "pumice-migrate-1"}, {"project", s.name}, {"card", a.card}, {"rocm", a.rocm}, {"matrix_read", a.data_read},
          {"decision", decision_name(a.decision)},
          {"inventory", {{"languages", languages}, {"bytes", s.bytes}, {"lines", s.lines}, {"cuda_files", s.cuda_files}, {"kernels", s.kernels}, {"launches", s.launches},
                         {"gpu_files", s.gpu_files}, {"gpu_lines", s.gpu_lines}, {"hip_files", s.hip_files},
                         {"translated_files", s.translated_files}, {"skipped_files", s.skipped_files}, {"build_systems", s.build_systems}}},
          {"libraries", libraries(s)}, {"findings", findings}, {"tried", a.tried}, {"tries", tries(a)}, {"python", python}, {"python_uses", places(s.gpu_python)},
          {"monitoring", places(s.monitoring)}, {"frameworks", frameworks},
          {"effort", {{"hours_low", tidy(low)}, {"hours_high", tidy(high)}, {"rules", estimates}}}, {"checks", checks}, {"notes", s.notes}};
}

std::string to_html(const json& report) {
  std::string data = report.dump(-1, ' ', false, json::error_handler_t::replace), page = std::string(kPageHead) + kPageWords + kPageScript;
  for (size_t at = 0; (at = data.find("</", at)) != std::string::npos; at += 3) data.insert(at + 1, "\\"); // would end the element
  for (size_t at = 0; (at = data.find("<!--", at)) != std::string::npos; at += 5) data.replace(at, 1, "\\u003c");
  size_t at = page.find("@DATA@");
  return page.replace(at, 6, data);
}

std::string to_text(const Assessment& a) {
  const Scan& s = a.scan;
  std::string t = fmt::format("{}: {} lines, {} of them in {} files that use CUDA; {} kernels, {} launches\n", s.name, s.lines, s.gpu_lines, s.gpu_files, s.kernels, s.launches);
  size_t errors = 0, warnings = 0;
  for (auto& f : s.findings) errors += f.severity == "error", warnings += f.severity == "warning";
  t += fmt::format("findings: {} errors, {} warnings, {} notes\n", errors, warnings, s.findings.size() - errors - warnings);
  for (auto& l : s.libraries)
    if (l.missing_uses) t += fmt::format("  {}: {} names mapped, {} without counterpart\n", l.name, l.mapped + l.changed, l.missing);
  std::map<std::string, std::pair<double, double>> stages;
  for (auto& e : a.estimates) stages[e.rule.stage].first += e.low, stages[e.rule.stage].second += e.high;
  for (const char* stage : {"evaluate", "port", "tune", "operate"})
    t += fmt::format("  {:<9} {:.0f} to {:.0f} hours\n", stage, stages[stage].first, stages[stage].second);
  for (auto& c : a.checks) t += fmt::format("  [{}] {}: {}\n", decision_name(c.decision), c.title, c.reason);
  return t + "decision: " + decision_name(a.decision) + "\n";
}

Result<json> compare(const json& before, const json& after) {
  if (!is_report(before) || !is_report(after)) return error(Code::invalid_argument, "this is no report of pumice migrate");
  json d = {{"format", "pumice-migrate-compare-1"}, {"project", after.value("project", "")}};
  d["decision"] = {{"before", before.value("decision", "")}, {"after", after.value("decision", "")}};
  auto classes = [](const json& r) {
    std::map<std::string, int> n;
    for (auto& f : r.value("findings", json::array())) n[f.value("class", "")]++;
    return n;
  };
  auto x = classes(before), y = classes(after);
  d["findings"] = json::object();
  for (auto& [name, n] : x) y.try_emplace(name, 0);
  for (auto& [name, n] : y)
    if (x[name] != n) d["findings"][name] = {{"before", x[name]}, {"after", n}};
  d["hours"] = {{"before", {before["effort"].value("hours_low", 0.0), before["effort"].value("hours_high", 0.0)}},
                {"after", {after["effort"].value("hours_low", 0.0), after["effort"].value("hours_high", 0.0)}}};
  auto states = [](const json& r) {
    std::map<std::string, std::string> all;
    for (auto& t : r.value("tries", json::array()))
      if (auto sources = t.value("sources", std::vector<std::string>{}); !sources.empty())
        all[sources.front()] = t.value("compiled", "") + "/" + t.value("ran", "") + "/" + t.value("verified", "");
    return all;
  };
  auto p = states(before), q = states(after);
  d["tries"] = json::object();
  for (auto& [name, s] : p) q.try_emplace(name, "gone");
  for (auto& [name, s] : q) {
    std::string old = p.count(name) ? p[name] : "new";
    if (old != s) d["tries"][name] = {{"before", old}, {"after", s}};
  }
  return d;
}

std::string compare_text(const json& d) {
  std::string t = fmt::format("decision: {} -> {}\n", d["decision"].value("before", ""), d["decision"].value("after", ""));
  auto hours = [&](const char* which) { return fmt::format("{:.0f} to {:.0f}", d["hours"][which][0].get<double>(), d["hours"][which][1].get<double>()); };
  t += "hours: " + hours("before") + " -> " + hours("after") + "\n";
  for (auto& [name, n] : d["findings"].items()) t += fmt::format("  {}: {} -> {}\n", name, n.value("before", 0), n.value("after", 0));
  for (auto& [name, s] : d["tries"].items()) t += fmt::format("  {}: {} -> {}\n", name, s.value("before", ""), s.value("after", ""));
  return t;
}

} // namespace pumice::migrate
