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

/// Library names that findings bring in and that the tables of names do not have.
const char* library_of_group(const std::string& group) {
  if (group == "library-tensorrt") return "TensorRT";
  if (group == "library-cutlass") return "CUTLASS";
  if (group == "library-nvshmem") return "NVSHMEM";
  return nullptr;
}

/// Instructions and interfaces that no translation carries over: the code is designed anew for MFMA and LDS.
bool redesign(const FindingView& f) {
  return f.group == "wgmma" || f.group == "tma" || f.group == "cluster" || f.group == "inline-ptx-matrix" || f.group == "library-cutlass";
}
bool of_library(const FindingView& f) { return f.group.rfind("library-", 0) == 0; }

/// Libraries by what stands in ROCm's place.
struct LibraryGroups {
  std::set<std::string> none, other, part, few; // no counterpart; another interface; a tenth of the uses or more missing; less
};
LibraryGroups groups_of(const Scan& scan) {
  LibraryGroups g;
  for (auto& f : scan.findings)
    if (const char* library = library_of_group(f.group)) g.none.insert(library);
  for (auto& l : scan.libraries) {
    size_t uses = l.mapped_uses + l.changed_uses + l.missing_uses;
    if (lacks(l)) g.none.insert(l.name);
    else if (!l.missing_uses || g.none.count(l.name)) continue;
    else if (l.missing_uses == uses && uses >= 5 && l.counterpart != "HIP runtime") g.other.insert(l.name);
    else if (l.missing_uses * 10 >= uses && uses >= 5 && l.counterpart != "HIP runtime" && l.counterpart != "HIP device library") g.part.insert(l.name);
    else g.few.insert(l.name);
  }
  return g;
}

class Checklist {
public:
  explicit Checklist(Assessment& a) : a_(a) {}
  void run() {
    libraries();
    python();
    findings();
    existing();
    tried();
    frameworks();
    for (auto& c : a_.checks) a_.decision = std::max(a_.decision, c.decision);
  }

private:
  void add(const char* id, const char* title, const char* zh, Decision d, std::string reason, std::string reason_zh) {
    a_.checks.push_back({id, title, zh, std::move(reason), std::move(reason_zh), d});
  }

  void libraries() {
    LibraryGroups g = groups_of(a_.scan);
    std::string text, zh;
    auto part = [&](const std::set<std::string>& all, const char* en, const char* cn) {
      if (all.empty()) return;
      text += (text.empty() ? "" : "; ") + std::string(en) + ": " + names(all), zh += (zh.empty() ? "" : "；") + std::string(cn) + "：" + names(all);
    };
    part(g.none, "no drop-in counterpart", "没有可直接替换的库");
    part(g.other, "counterpart with another interface", "对应库的接口不同");
    part(g.part, "a tenth or more of the uses is missing in", "一成以上的用法缺失");
    part(g.few, "single names are missing in (see \"Every CUDA name translates\")", "个别名称缺失（见“每个 CUDA 名称都可转换”）");
    bool none = text.empty();
    Decision d = !g.none.empty() ? Decision::no_go : !g.other.empty() || !g.part.empty() ? Decision::conditional : Decision::go;
    add("libraries", "Every library has a counterpart", "每个库都有对应实现", d, none ? "all used libraries have one" : text, none ? "所用的库都有对应实现" : zh);
  }

  void python() {
    std::set<std::string> none, replace;
    for (auto& p : a_.scan.python) {
      if (p.effort == "none-known") none.insert(p.name);
      else if (p.effort == "replace" || p.effort == "port") replace.insert(p.name);
    }
    if (a_.scan.python.empty()) return;
    add("python", "Every Python package runs on ROCm", "每个 Python 包都能在 ROCm 上运行", !none.empty() ? Decision::no_go : !replace.empty() ? Decision::conditional : Decision::go,
        !none.empty() ? "no counterpart: " + names(none) : !replace.empty() ? "to be replaced or ported: " + names(replace) : "all have ROCm builds",
        !none.empty() ? "没有对应实现：" + names(none) : !replace.empty() ? "需替换或移植：" + names(replace) : "都有 ROCm 版本");
  }

  void findings() {
    size_t errors = 0, branched = 0, matrix = 0, matrix_branched = 0, hidden = 0;
    std::set<std::string> kinds, files, open_files;
    for (auto& f : a_.scan.findings) {
      if (f.severity == "error" && !of_library(f) && !redesign(f)) errors++, branched += f.conditional, kinds.insert(f.message);
      if (redesign(f)) {
        matrix++, matrix_branched += f.conditional, files.insert(f.file);
        if (!f.conditional) open_files.insert(f.file);
      }
      hidden += f.group == "warp-size" || f.group == "lane-mask" || f.group == "ballot-width" || f.group == "thread-scheduling";
    }
    add("names", "Every CUDA name translates", "每个 CUDA 名称都可转换", errors ? Decision::conditional : Decision::go,
        errors ? fmt::format("besides those libraries and that hardware, {} names or instructions without a counterpart, in {} places ({} of them in #if branches that a build for AMD may leave out)", kinds.size(), errors, branched)
               : "no place without a counterpart",
        errors ? fmt::format("除上述库与硬件外，{} 个名称或指令没有对应，共 {} 处（其中 {} 处在 #if 分支内，为 AMD 编译时可能不参与）", kinds.size(), errors, branched) : "没有缺少对应的地方");
    // A tenth of the sources that use the GPU: it is what the project is about, not a fast path of it.
    bool central = !open_files.empty() && open_files.size() * 10 >= a_.scan.gpu_files;
    add("hopper", "No code tied to NVIDIA's newest hardware", "没有绑定 NVIDIA 最新硬件的代码", !matrix ? Decision::go : central ? Decision::no_go : Decision::conditional,
        matrix ? fmt::format("{} uses of TMA, clusters, wgmma, matrix PTX or CUTLASS in {} of {} files have to be designed anew; {} of them stand in #if branches", matrix, files.size(), a_.scan.gpu_files, matrix_branched)
               : "none found",
        matrix ? fmt::format("{} 处 TMA、cluster、wgmma、矩阵 PTX 或 CUTLASS（{} 个文件，共 {} 个）需要重新设计；其中 {} 处在 #if 分支内", matrix, files.size(), a_.scan.gpu_files, matrix_branched) : "未发现");
    add("warps", "No assumption of 32 lanes", "没有 32 线程束的假设", hidden ? Decision::conditional : Decision::go,
        hidden ? fmt::format("{} places may give wrong results on waves of 64 lanes", hidden) : "none found", hidden ? fmt::format("{} 处在 64 线程的波前上可能得出错误结果", hidden) : "未发现");
  }

  void existing() {
    size_t n = a_.scan.hip_files;
    if (n) add("existing-port", "Sources that provide for AMD already", "已经考虑 AMD 的源文件", Decision::go,
               fmt::format("{} files name HIP or ROCm: look there first, the counts here do not know what that port covers", n), fmt::format("{} 个文件提到 HIP 或 ROCm：请先查看，本报告的计数不知道该移植覆盖了多少", n));
  }

  void tried() {
    const char *title = "It builds and runs", *zh = "可以编译和运行";
    if (!a_.tried) return add("tries", title, zh, Decision::conditional, "not tried", "未尝试");
    size_t programs = 0, compiled = 0, wrong = 0, right = 0, ran = 0, blocked = 0, stopped = 0;
    std::set<std::string> lacking;
    for (auto& t : a_.tries) {
      programs++;
      compiled += t.compiled == Outcome::ok;
      if (t.compiled == Outcome::blocked) blocked++, lacking.insert(t.missing.begin(), t.missing.end());
      ran += t.ran == Outcome::ok;
      stopped += t.ran == Outcome::blocked;
      wrong += t.ran == Outcome::failed || t.ran == Outcome::timed_out || t.verified == "no";
      right += t.ran == Outcome::ok && t.verified == "yes";
    }
    if (!programs) return add("tries", title, zh, Decision::conditional, "nothing could be tried", "没有可以尝试的内容");
    std::string text = fmt::format("{} tried: {} compiled, {} ran, {} of them said that their results are right", programs, compiled, ran, right);
    std::string cn = fmt::format("尝试 {} 个：编译成功 {} 个，运行成功 {} 个，其中 {} 个自称结果正确", programs, compiled, ran, right);
    if (blocked) {
      text += fmt::format("; {} could not be judged here, this installation lacks {}", blocked, names(lacking));
      cn += fmt::format("；{} 个在此无法判断，本安装缺少 {}", blocked, names(lacking));
    }
    if (stopped) {
      text += fmt::format("; {} stopped for want of an input file or a second card", stopped);
      cn += fmt::format("；{} 个因缺少输入文件或第二块显卡而停止", stopped);
    }
    add("tries", title, zh, compiled == programs && ran && !wrong ? Decision::go : Decision::conditional, text, cn);
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
    add("frameworks", "Framework versions are supported", "框架版本受支持", d, text.empty() ? "all are listed for ROCm " + a_.rocm : text, text.empty() ? "都列在 ROCm " + a_.rocm + " 的支持表中" : text);
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
    rule.id = text("id"), rule.stage = text("stage"), rule.unit = text("unit"), rule.why = text("why"), rule.why_zh = text("why_zh");
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
  c["gpu_thousand_lines"] = static_cast<double>(scan.gpu_lines) / 1000;
  c["translated_files"] = static_cast<double>(scan.translated_files);
  c["kernels"] = static_cast<double>(scan.kernels);
  c["monitoring_uses"] = static_cast<double>(scan.monitoring.size());
  // The same name again is the same problem again: kinds cost, further places cost little.
  std::set<std::string> errors, ptx, files;
  for (auto& f : scan.findings) {
    if (redesign(f) || f.group == "wmma") files.insert(f.file);
    else if (of_library(f)) continue; // counted by library
    else if (f.severity == "error") c["error_places"] += !(f.group == "inline-ptx" ? ptx : errors).insert(f.message).second;
    else if (f.severity == "warning") c["warning_findings"]++;
  }
  c["error_names"] = static_cast<double>(errors.size()), c["ptx_instructions"] = static_cast<double>(ptx.size()), c["matrix_files"] = static_cast<double>(files.size());
  LibraryGroups g = groups_of(scan);
  for (auto& f : scan.findings)
    if (f.group == "library-cudnn-graph") g.other.insert("cuDNN graph");
  c["libraries_missing"] = static_cast<double>(g.none.size()), c["libraries_other"] = static_cast<double>(g.other.size()), c["libraries_partial"] = static_cast<double>(g.part.size());
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
      if (!framework || std::any_of(a.frameworks.begin(), a.frameworks.end(), [&](auto& f) { return f.framework == framework && (f.version == p.version || p.version.empty()); })) continue;
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
