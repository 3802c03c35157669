// SPDX-License-Identifier: MIT
#include "migrate/effort.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <toml++/toml.h>

namespace pumice::migrate {
namespace {

constexpr double kRepeat = 0.1; // of a unit beyond Rule::most

bool partial(const std::string& status) {
  for (const char* word : {"partial", "narrow", "early", "experimental", "conditional", "semantic"})
    if (status.find(word) != std::string::npos) return true;
  return false;
}

bool lacks(const Library& l) {
  for (const char* word : {"no drop-in", "no equivalent", "no source", "missing", "gap", "different product"})
    if (l.status.find(word) != std::string::npos) return true;
  return false;
}

const char* framework_of(const std::string& package) {
  if (package == "torch") return "PyTorch";
  if (package == "tensorflow" || package == "tensorflow-gpu") return "TensorFlow";
  if (package == "jax" || package == "jaxlib") return "JAX";
  if (package == "onnxruntime-gpu") return "ONNX Runtime";
  if (package == "vllm") return "vLLM";
  return nullptr;
}

std::string names(const std::set<std::string>& all) {
  std::string s;
  for (auto& n : all) s += (s.empty() ? "" : ", ") + n;
  return s;
}

class Checklist {
public:
  explicit Checklist(Assessment& a) : a_(a) {}
  void run() {
    libraries();
    python();
    findings();
    tried();
    frameworks();
    for (auto& c : a_.checks) a_.decision = std::max(a_.decision, c.decision);
  }

private:
  void add(const char* id, const char* title, const char* zh, Decision d, std::string reason) { a_.checks.push_back({id, title, zh, std::move(reason), d}); }

  void libraries() {
    std::set<std::string> none, part;
    for (auto& l : a_.scan.libraries) {
      if (lacks(l)) none.insert(l.name);
      else if (partial(l.status) && l.missing_uses) part.insert(l.name);
    }
    for (auto& f : a_.scan.findings) // libraries that only headers and macros name
      for (auto& [group, library] : {std::pair("library-tensorrt", "TensorRT"), std::pair("library-cutlass", "CUTLASS"), std::pair("library-nvshmem", "NVSHMEM")})
        if (f.group == group) none.insert(library);
    add("libraries", "Every library has a counterpart", "每个库都有对应实现", !none.empty() ? Decision::no_go : !part.empty() ? Decision::conditional : Decision::go,
        !none.empty() ? "no drop-in counterpart: " + names(none) : !part.empty() ? "used names without counterpart in: " + names(part) : "all used libraries have one");
  }

  void python() {
    std::set<std::string> none, replace;
    for (auto& p : a_.scan.python) {
      if (p.effort == "none-known") none.insert(p.name);
      else if (p.effort == "replace" || p.effort == "port") replace.insert(p.name);
    }
    if (a_.scan.python.empty()) return;
    add("python", "Every Python package runs on ROCm", "每个 Python 包都能在 ROCm 上运行", !none.empty() ? Decision::no_go : !replace.empty() ? Decision::conditional : Decision::go,
        !none.empty() ? "no counterpart: " + names(none) : !replace.empty() ? "to be replaced or ported: " + names(replace) : "all have ROCm builds");
  }

  void findings() {
    size_t errors = 0, matrix = 0, hidden = 0;
    for (auto& f : a_.scan.findings) {
      errors += f.severity == "error";
      matrix += f.group == "wgmma" || f.group == "tma" || f.group == "cluster" || f.group == "inline-ptx-matrix";
      hidden += f.group == "warp-size" || f.group == "lane-mask" || f.group == "ballot-width" || f.group == "thread-scheduling";
    }
    add("names", "Every CUDA name translates", "每个 CUDA 名称都可转换", errors ? Decision::conditional : Decision::go,
        errors ? fmt::format("{} places need work by hand", errors) : "no place without a counterpart");
    add("hopper", "No code tied to NVIDIA's newest hardware", "没有绑定 NVIDIA 最新硬件的代码", matrix ? Decision::no_go : Decision::go,
        matrix ? fmt::format("{} uses of TMA, clusters, wgmma or matrix PTX have to be designed anew", matrix) : "none found");
    add("warps", "No assumption of 32 lanes", "没有 32 线程束的假设", hidden ? Decision::conditional : Decision::go,
        hidden ? fmt::format("{} places may give wrong results on waves of 64 lanes", hidden) : "none found");
  }

  void tried() {
    if (!a_.tried) return add("tries", "It builds and runs", "可以编译和运行", Decision::conditional, "not tried");
    size_t programs = 0, compiled = 0, wrong = 0, right = 0, ran = 0;
    for (auto& t : a_.tries) {
      programs++;
      compiled += t.compiled == Outcome::ok;
      ran += t.ran == Outcome::ok;
      wrong += t.ran == Outcome::failed || t.ran == Outcome::timed_out || t.verified == "no";
      right += t.ran == Outcome::ok && t.verified == "yes";
    }
    if (!programs) return add("tries", "It builds and runs", "可以编译和运行", Decision::conditional, "nothing could be tried");
    std::string text = fmt::format("{} tried: {} compiled, {} ran, {} of them said that their results are right", programs, compiled, ran, right);
    add("tries", "It builds and runs", "可以编译和运行", compiled == programs && !wrong ? Decision::go : Decision::conditional, text);
  }

  void frameworks() {
    if (a_.frameworks.empty()) return;
    Decision d = Decision::go;
    std::string text;
    for (auto& f : a_.frameworks) {
      if (f.item.verdict == matrix::Verdict::supported) continue;
      d = Decision::conditional;
      text += (text.empty() ? "" : "; ") + f.framework + " " + f.version + ": " + f.item.reason;
    }
    add("frameworks", "Framework versions are supported", "框架版本受支持", d, text.empty() ? "all are listed for ROCm " + a_.rocm : text);
  }

  Assessment& a_;
};

} // namespace

const char* decision_name(Decision d) { return d == Decision::go ? "go" : d == Decision::conditional ? "conditional" : "no-go"; }

Result<std::vector<Rule>> load_rates(const std::string& path) {
  toml::table t;
  try {
    t = toml::parse_file(path);
  } catch (const toml::parse_error& e) {
    return error(Code::invalid_argument, fmt::format("{}:{}: {}", path, e.source().begin.line, e.description()));
  }
  std::vector<Rule> out;
  const toml::array* rules = t["rule"].as_array();
  if (!rules) return error(Code::invalid_argument, path + ": no [[rule]]");
  for (auto& node : *rules) {
    auto* r = node.as_table();
    if (!r) return error(Code::invalid_argument, path + ": a rule is no table");
    Rule rule;
    auto text = [&](const char* key) { return (*r)[key].value_or(std::string()); };
    rule.id = text("id"), rule.stage = text("stage"), rule.unit = text("unit"), rule.why = text("why");
    rule.low = (*r)["low"].value_or(-1.0), rule.high = (*r)["high"].value_or(-1.0), rule.most = (*r)["most"].value_or(0.0);
    auto bad = [&](const char* what) { return error(Code::invalid_argument, path + ": rule \"" + rule.id + "\": " + what); };
    if (rule.id.empty() || rule.unit.empty()) return bad("needs id and unit");
    if (rule.stage != "evaluate" && rule.stage != "port" && rule.stage != "tune" && rule.stage != "operate") return bad("stage is evaluate, port, tune or operate");
    if (!(rule.low >= 0 && rule.high >= rule.low) || !std::isfinite(rule.high)) return bad("needs 0 <= low <= high");
    out.push_back(rule);
  }
  return out;
}

std::map<std::string, double> counts(const Scan& scan, const std::vector<Try>& tries) {
  std::map<std::string, double> c;
  c["projects"] = 1;
  c["thousand_lines"] = static_cast<double>(scan.lines) / 1000;
  c["translated_files"] = static_cast<double>(scan.translated_files);
  c["kernels"] = static_cast<double>(scan.kernels);
  c["monitoring_uses"] = static_cast<double>(scan.monitoring.size());
  for (auto& f : scan.findings) {
    if (f.group.rfind("inline-ptx", 0) == 0) c["ptx_findings"] += f.severity == "error";
    else if (f.group == "wmma" || f.group == "wgmma" || f.group == "tma" || f.group == "cluster" || f.group == "library-cutlass") c["matrix_findings"]++;
    else if (f.severity == "error") c["error_findings"]++;
    else if (f.severity == "warning") c["warning_findings"]++;
  }
  for (auto& l : scan.libraries) {
    if (lacks(l)) c["libraries_missing"]++;
    else if (partial(l.status) && l.missing) c["libraries_partial"]++;
  }
  std::set<std::string> replace;
  for (auto& p : scan.python)
    if (p.effort != "none" && p.effort != "install") replace.insert(p.name);
  c["python_replace"] = static_cast<double>(replace.size());
  for (auto& t : tries) {
    c["failed_units"] += t.compiled == Outcome::failed || t.compiled == Outcome::timed_out;
    c["wrong_programs"] += t.ran == Outcome::failed || t.ran == Outcome::timed_out || t.verified == "no";
  }
  return c;
}

std::vector<Estimate> estimate(const std::vector<Rule>& rules, const std::map<std::string, double>& counts) {
  std::vector<Estimate> out;
  for (auto& r : rules) {
    auto it = counts.find(r.unit);
    double n = it == counts.end() ? 0 : it->second;
    if (n <= 0) continue;
    double weight = r.most > 0 && n > r.most ? r.most + (n - r.most) * kRepeat : n;
    out.push_back({r, n, weight * r.low, weight * r.high});
  }
  return out;
}

void assess(Assessment& a, const std::vector<Rule>& rules, const matrix::Matrix* m) {
  if (m) {
    a.data_read = m->read;
    for (auto& p : a.scan.python) {
      const char* framework = framework_of(p.name);
      if (!framework || std::any_of(a.frameworks.begin(), a.frameworks.end(), [&](auto& f) { return f.framework == framework && f.version == p.version; })) continue;
      matrix::Query q;
      q.card = a.card, q.rocm = a.rocm, q.frameworks = {{framework, p.version}};
      auto answer = matrix::check(*m, q);
      a.frameworks.push_back({framework, p.version, answer.items.back()});
    }
  }
  a.estimates = estimate(rules, counts(a.scan, a.tries));
  Checklist(a).run();
}

} // namespace pumice::migrate
