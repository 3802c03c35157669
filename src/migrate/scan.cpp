// SPDX-License-Identifier: MIT
#include "migrate/scan.h"
#include "compiler/hipify/chinese.h"
#include "matrix/version.h"
#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <set>

namespace pumice::migrate {
namespace {

namespace fs = std::filesystem;
using matrix::lower;
using matrix::split;
using matrix::trim;

constexpr size_t kMaxText = 16u << 20, kMaxExcerpts = 200 /* of a class */, kMaxExcerpt = 160, kMaxFiles = 200'000;

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> out;
  for (size_t from = 0; from <= text.size();) {
    size_t end = text.find('\n', from);
    if (end == std::string_view::npos) end = text.size();
    out.emplace_back(text.substr(from, end - from));
    from = end + 1;
  }
  return out;
}

struct Kind {
  const char *extension, *language;
};
constexpr std::array kKinds = {Kind{".cu", "CUDA"},    Kind{".cuh", "CUDA"},  Kind{".cpp", "C++"},   Kind{".cc", "C++"},   Kind{".cxx", "C++"},
                               Kind{".hpp", "C++"},    Kind{".h", "C/C++"},   Kind{".hh", "C++"},    Kind{".c", "C"},      Kind{".py", "Python"},
                               Kind{".pyx", "Cython"}, Kind{".f90", "Fortran"}, Kind{".f", "Fortran"}, Kind{".cuf", "CUDA Fortran"}, Kind{".sh", "Shell"},
                               Kind{".ptx", "PTX"},    Kind{".cmake", "CMake"}, Kind{".hip", "HIP"},  Kind{".cl", "OpenCL"}, Kind{".rs", "Rust"},
                               Kind{".jl", "Julia"},   Kind{".go", "Go"}};

std::string language_of(const fs::path& p) {
  std::string name = p.filename().string(), ext = lower(p.extension().string());
  if (name == "CMakeLists.txt") return "CMake";
  if (name == "Makefile" || name == "makefile" || name == "GNUmakefile" || ext == ".mk") return "Make";
  for (auto& k : kKinds)
    if (ext == k.extension) return k.language;
  return "";
}

bool skipped_folder(const std::string& name) {
  static const std::set<std::string> all = {".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", "venv", ".cache", ".tox"};
  return all.count(name) > 0;
}

/// A text of the table's columns; "" when the file has other ones.
Result<std::vector<std::vector<std::string>>> read_tsv(const std::string& path, size_t columns) {
  std::ifstream in(path);
  if (!in) return error(Code::not_found, path + " cannot be read");
  std::vector<std::vector<std::string>> rows;
  std::string line;
  bool header = true;
  for (size_t number = 1; std::getline(in, line); number++) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> cells;
    for (size_t from = 0;;) {
      size_t tab = line.find('\t', from);
      cells.push_back(trim(std::string_view(line).substr(from, tab - from)));
      if (tab == std::string::npos) break;
      from = tab + 1;
    }
    if (cells.size() != columns) return error(Code::invalid_argument, path + ":" + std::to_string(number) + ": wrong number of cells");
    if (!header) rows.push_back(std::move(cells));
    header = false;
  }
  return rows;
}

class Scanner {
public:
  Scanner(const std::string& root, const Tables& tables, const hipify::TreeOptions& options) : root_(root), tables_(tables), options_(options) {}

  Result<Scan> run() {
    std::error_code ec;
    if (!fs::is_directory(root_, ec)) return error(Code::not_found, root_ + " is no folder");
    s_.root = root_;
    fs::path canonical = fs::canonical(root_, ec);
    s_.name = canonical.filename().string();
    inventory();
    translate();
    libraries();
    std::sort(s_.findings.begin(), s_.findings.end(), [](auto& a, auto& b) { return std::tie(a.file, a.line, a.column) < std::tie(b.file, b.line, b.column); });
    std::map<std::string, size_t> shown;
    for (auto& f : s_.findings)
      if (shown[f.group]++ >= kMaxExcerpts) f.excerpt.clear();
    return std::move(s_);
  }

private:
  std::string relative(const fs::path& p) const { return p.lexically_relative(root_).generic_string(); }

  void inventory() {
    std::error_code ec;
    size_t seen = 0;
    for (auto it = fs::recursive_directory_iterator(root_, fs::directory_options::skip_permission_denied, ec); it != fs::recursive_directory_iterator();
         it.increment(ec)) {
      if (ec) break;
      if (it->is_symlink(ec)) continue;
      std::string name = it->path().filename().string();
      if (it->is_directory(ec)) {
        if (skipped_folder(name)) it.disable_recursion_pending();
        continue;
      }
      if (!it->is_regular_file(ec)) continue;
      if (++seen > kMaxFiles) {
        s_.notes.push_back("more than " + std::to_string(kMaxFiles) + " files: the rest was not looked at");
        break;
      }
      file(it->path(), name);
    }
  }

  void file(const fs::path& path, const std::string& name) {
    std::string language = language_of(path), low = lower(name);
    bool requirements = (low.rfind("requirements", 0) == 0 && low.ends_with(".txt")) || low == "pyproject.toml" || low == "setup.py" || low == "setup.cfg" ||
                        low == "environment.yml" || low == "environment.yaml";
    if (language.empty() && !requirements && !low.ends_with(".dockerfile") && low != "dockerfile") return;
    auto text = hipify::read_file(path.string());
    if (!text.ok() || text->size() > kMaxText || hipify::not_source(*text)) {
      s_.skipped_files++;
      return;
    }
    auto lines = lines_of(*text);
    if (lines.back().empty()) lines.pop_back(); // what follows the last line end is no line
    if (!language.empty()) {
      auto& l = s_.languages[language];
      l.files++, l.lines += lines.size();
      s_.lines += lines.size(), s_.bytes += text->size();
    }
    std::string rel = relative(path);
    if (language == "CUDA") s_.cuda_files++;
    if (low.ends_with(".cu")) s_.cuda_sources.push_back(rel);
    if (language == "CMake" && name == "CMakeLists.txt") build_system("CMake");
    if (language == "Make") build_system("Make");
    if (low == "setup.py" || low == "pyproject.toml") build_system("Python");
    if (requirements) packages(rel, lines);
    if (language == "Python") python(rel, lines);
    if (language == "Shell" || low.find("dockerfile") != std::string::npos) scripts(rel, lines);
  }

  void build_system(const char* name) {
    if (std::find(s_.build_systems.begin(), s_.build_systems.end(), name) == s_.build_systems.end()) s_.build_systems.push_back(name);
  }

  /// "torch==2.4.0", "'torch>=2.1'", "- pytorch=2.1": the known packages among the names.
  void packages(const std::string& rel, const std::vector<std::string>& lines) {
    for (size_t k = 0; k < lines.size(); k++) {
      std::string l = lower(lines[k]);
      if (size_t hash = l.find('#'); hash != std::string::npos) l.resize(hash);
      for (size_t i = 0; i < l.size();) {
        if (!std::isalpha(static_cast<unsigned char>(l[i]))) {
          i++;
          continue;
        }
        size_t end = i;
        while (end < l.size() && (std::isalnum(static_cast<unsigned char>(l[end])) || l[end] == '-' || l[end] == '_' || l[end] == '.')) end++;
        std::string word = l.substr(i, end - i);
        std::replace(word.begin(), word.end(), '_', '-');
        bool starts = i == 0 || std::string("\"' \t[,-").find(l[i - 1]) != std::string::npos;
        for (auto& p : tables_.packages) {
          if (!starts || p.name == lower(s_.name) /* the project itself */ || (word != p.name && !(p.name == "torch" && word == "pytorch"))) continue;
          size_t v = l.find_first_not_of("=<>~! ", end);
          std::string version;
          if (v != std::string::npos && v > end && std::isdigit(static_cast<unsigned char>(l[v])))
            version = l.substr(v, l.find_first_of(" ,;\"'", v) - v);
          if (std::none_of(s_.python.begin(), s_.python.end(), [&](auto& have) { return have.name == p.name && have.file == rel; }))
            s_.python.push_back({p.name, version, p.counterpart, p.effort, p.note, rel, static_cast<uint32_t>(k + 1)});
        }
        i = end;
      }
    }
  }

  void python(const std::string& rel, const std::vector<std::string>& lines) {
    struct Use {
      const char *text, *what;
      bool monitoring;
    };
    static constexpr std::array kUses = {
        Use{"pynvml", "NVML: use amdsmi", true},
        Use{"nvidia-smi", "nvidia-smi: use amd-smi", true},
        Use{"CUDA_VISIBLE_DEVICES", "works on ROCm as well; HIP_VISIBLE_DEVICES is its own name", false},
        Use{"CUDAExtension", "torch translates its sources with hipify when it builds for ROCm", false},
        Use{"torch.backends.cudnn", "sets MIOpen on ROCm; benchmark mode behaves otherwise", false},
        Use{"get_device_capability", "gives AMD's numbers: comparisons with NVIDIA's (7, 8, 9) go wrong", false},
        Use{"import tensorrt", "no counterpart: MIGraphX", false},
        Use{"from numba import cuda", "numba's CUDA kernels do not run on ROCm", false},
        Use{"import cupy", "CuPy's ROCm build is experimental", false},
        Use{"pycuda", "hip-python has another API", false},
        Use{"load_inline", "inline CUDA sources: check that they are translated", false},
        Use{"nvrtc", "run-time compilation: hipRTC", false},
    };
    for (size_t k = 0; k < lines.size(); k++)
      for (auto& u : kUses)
        if (lines[k].find(u.text) != std::string::npos) (u.monitoring ? s_.monitoring : s_.gpu_python).push_back({rel, u.what, static_cast<uint32_t>(k + 1)});
  }

  void scripts(const std::string& rel, const std::vector<std::string>& lines) {
    for (size_t k = 0; k < lines.size(); k++) {
      uint32_t line = static_cast<uint32_t>(k + 1);
      if (lines[k].find("nvidia-smi") != std::string::npos) s_.monitoring.push_back({rel, "nvidia-smi: use amd-smi", line});
      if (lines[k].find("nvidia/cuda") != std::string::npos) s_.gpu_python.push_back({rel, "image of CUDA: use an image of ROCm", line});
      if (lines[k].find("--gpus") != std::string::npos)
        s_.gpu_python.push_back({rel, "docker --gpus: use --device=/dev/kfd --device=/dev/dri --group-add video", line});
    }
  }

  /// The start of a line, whole characters only.
  static std::string cut(std::string s) {
    if (s.size() <= kMaxExcerpt) return s;
    size_t end = kMaxExcerpt;
    while (end > kMaxExcerpt - 4 && (static_cast<unsigned char>(s[end]) & 0xc0) == 0x80) end--;
    return s.substr(0, end) + " …";
  }

  static bool provides_for_amd(const std::string& text) {
    for (const char* sign : {"hip/hip_runtime", "__HIP", "USE_ROCM", "USE_HIP", "hipLaunchKernel", "HIP_PLATFORM_AMD"})
      if (text.find(sign) != std::string::npos) return true;
    return false;
  }

  void add_finding(const hipify::Finding& f, const std::string& rel, const std::vector<std::string>* lines) {
    FindingView v;
    v.file = rel, v.line = f.line, v.column = f.column, v.message = f.message, v.suggestion = f.suggestion, v.conditional = f.conditional;
    if (f.code) {
      v.code = f.code->code, v.group = f.code->group;
      v.severity = f.code->severity == hipify::Severity::error ? "error" : f.code->severity == hipify::Severity::warning ? "warning" : "note";
      hipify::ChineseText zh = hipify::in_chinese(f);
      v.message_zh = std::move(zh.message), v.suggestion_zh = std::move(zh.suggestion);
    }
    if (lines && f.line && f.line <= lines->size()) v.excerpt = cut(trim((*lines)[f.line - 1]));
    s_.findings.push_back(std::move(v));
  }

  void translate() {
    auto summary = hipify::translate_tree(
        root_, options_,
        [&](const hipify::FileResult& r, const std::string& original) {
          if (!r.skipped.empty()) return ok_status();
          auto lines = lines_of(original);
          s_.translated_files += r.translation.changed;
          const auto& use = r.translation.statistics;
          // Names like min() are functions of the device and of everybody else.
          bool named = std::any_of(use.translated.begin(), use.translated.end(), [](auto& row) { return hipify::Tables::get().name(row.first).kind != hipify::NameKind::device; });
          if (r.translation.changed || use.kernels || named || !r.translation.findings.empty())
            s_.gpu_files++, s_.gpu_lines += lines.size() - (!original.empty() && original.back() == '\n');
          s_.hip_files += provides_for_amd(original);
          for (auto& f : r.translation.findings) add_finding(f, r.relative, &lines);
          return ok_status();
        },
        [](size_t, size_t) {});
    statistics_ = summary.statistics;
    s_.launches = statistics_.launches, s_.kernels = statistics_.kernels;
    for (auto& path : hipify::build_files(root_, options_)) {
      auto text = hipify::read_file(path);
      if (!text.ok() || hipify::not_source(*text)) continue;
      auto lines = lines_of(*text);
      for (auto& f : hipify::build_file_findings(path, *text)) add_finding(f, relative(path), &lines);
    }
  }

  Library& library(const std::string& name) {
    for (auto& l : s_.libraries)
      if (l.name == name) return l;
    Library l;
    l.name = name;
    if (auto* c = tables_.find(name)) l.counterpart = c->counterpart, l.status = c->status, l.note = c->note, l.source = c->source;
    s_.libraries.push_back(std::move(l));
    return s_.libraries.back();
  }

  void libraries() {
    const auto& t = hipify::Tables::get();
    auto use = [&](std::string lib, ApiName n) {
      if (lib == "Other") lib = "Version macros and names of frameworks";
      if (lib == "CUDA") lib = "CUDA, names outside the tables";
      Library& l = library(lib);
      if (n.status == "mapped") l.mapped++, l.mapped_uses += n.uses;
      else if (n.status == "changed") l.changed++, l.changed_uses += n.uses;
      else l.missing++, l.missing_uses += n.uses;
      l.names.push_back(std::move(n));
    };
    for (auto& [row, uses] : statistics_.translated) {
      const auto& n = t.name(row);
      bool changed = n.behaviour >= 0 || n.hip_support == hipify::Support::experimental || n.hip_support == hipify::Support::deprecated;
      use(std::string(n.library), {std::string(n.cuda), std::string(n.hip.empty() ? n.roc : n.hip), changed ? "changed" : "mapped", uses});
    }
    for (auto& [row, uses] : statistics_.unsupported) {
      const auto& n = t.name(row);
      use(std::string(n.library), {std::string(n.cuda), "", "missing", uses});
    }
    for (auto& [name, uses] : statistics_.unknown) {
      auto* l = t.library_of(name);
      use(l ? std::string(l->library) : "CUDA", {name, "", "missing", uses});
    }
    for (auto& [name, uses] : statistics_.kept)
      if (auto* l = t.library_of(name)) use(std::string(l->library), {name, name, "mapped", uses});
    for (auto& l : s_.libraries) {
      auto rank = [](const ApiName& n) { return n.status == "missing" ? 0 : n.status == "changed" ? 1 : 2; };
      std::sort(l.names.begin(), l.names.end(), [&](auto& a, auto& b) { return std::make_tuple(rank(a), b.uses, a.cuda) < std::make_tuple(rank(b), a.uses, b.cuda); });
    }
    std::sort(s_.libraries.begin(), s_.libraries.end(), [](auto& a, auto& b) {
      return a.mapped_uses + a.changed_uses + a.missing_uses > b.mapped_uses + b.changed_uses + b.missing_uses;
    });
  }

  std::string root_;
  const Tables& tables_;
  const hipify::TreeOptions& options_;
  hipify::Statistics statistics_;
  Scan s_;
};

} // namespace

const Tables::Coverage* Tables::find(const std::string& library) const {
  std::string want = lower(library);
  for (auto& c : coverage)
    if (lower(c.component) == want) return &c;
  for (auto& c : coverage)
    if (lower(c.component).rfind(want, 0) == 0) return &c;
  if (want == "cuda" || want.rfind("cuda, names", 0) == 0 || want.rfind("runtime", 0) == 0) return find("CUDA Runtime API");
  if (want.rfind("driver", 0) == 0) return find("CUDA Driver API");
  if (want.rfind("device", 0) == 0) return find("CUDA Device functions");
  return nullptr;
}

Result<Tables> load_tables(const std::string& folder) {
  Tables t;
  TRY_ASSIGN(auto coverage, read_tsv(folder + "/coverage.tsv", 6));
  for (auto& c : coverage) t.coverage.push_back({c[0], c[1], c[2], c[3], c[4], c[5]});
  TRY_ASSIGN(auto packages, read_tsv(folder + "/python.tsv", 4));
  for (auto& c : packages) t.packages.push_back({c[0], c[1], c[2], c[3]});
  return t;
}

Result<Scan> scan(const std::string& root, const Tables& tables, const hipify::TreeOptions& options) {
  return Scanner(root, tables, options).run();
}

} // namespace pumice::migrate
