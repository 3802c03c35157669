// SPDX-License-Identifier: MIT
#include "matrix/data.h"
#include "matrix/version.h"
#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <functional>
#include <set>

namespace pumice::matrix {
namespace {

namespace fs = std::filesystem;
using Cells = std::vector<std::string>;

/// One file: its columns and what each row adds. A row function returns what is wrong with the row, or "".
struct Table {
  const char* file;
  std::vector<const char*> columns;
  std::function<std::string(Matrix&, const Cells&, const Source&)> add;
};

std::string bad_release(const std::string& r) { return valid_pattern(r) ? "" : "\"" + r + "\" is no release or pattern of releases"; }

/// "OS" rows put the system's name in front of the first value; "os" rows have it (with the major version) as component.
void add_os(Matrix& m, const Cells& c, const Source& s) {
  auto add = [&](const std::string& os) { m.facts.push_back({c[0], "os", normal_os(os), {}, "", s}); };
  auto values = split(c[3].substr(0, c[3].find('(')), ',');
  if (c[1] == "OS") {
    if (values.empty()) return;
    size_t space = values[0].rfind(' ');
    std::string name = values[0].substr(0, space);
    for (size_t k = 0; k < values.size(); k++) add(k ? name + " " + values[k] : values[k]);
    return;
  }
  std::string name = c[2];
  for (const std::string& v : values) {
    bool repeats = std::isdigit(static_cast<unsigned char>(v[0])) && std::isdigit(static_cast<unsigned char>(name.back()));
    add(repeats ? name.substr(0, name.rfind(' ')) + " " + v : name + " " + v);
  }
}

std::string add_component(Matrix& m, const Cells& c, const Source& s) {
  if (std::string e = bad_release(c[0]); !e.empty()) return e;
  if (c[2].empty()) return "no component";
  if (c[1] == "OS" || c[1] == "os") {
    add_os(m, c, s);
  } else if (c[1] == "gpu" || c[1] == "gfx") {
    std::string gfx = c[1] == "gpu" ? c[3] : c[2];
    if (gfx.rfind("gfx", 0) != 0) return "\"" + gfx + "\" is no gfx target";
    m.facts.push_back({c[0], "gpu", gfx, {}, c[4], s});
  } else if (c[1] == "kmd") {
    m.facts.push_back({c[0], c[2] == "amdgpu driver" ? "driver" : "kfd", c[2], split(c[3], ','), "", s});
  } else {
    auto values = split(c[3], ',');
    m.facts.push_back({c[0], c[1] == "framework" ? "framework" : c[1], c[2], values, "", s});
  }
  return "";
}

const std::vector<Table>& tables() {
  static const std::vector<Table> all = {
      {"rocm_components.tsv", {"rocm_version", "category", "component", "versions", "footnote_ids", "source"}, add_component},
      {"gpu_os_support.tsv", {"rocm", "gpu", "gfx", "os", "kernel", "source"},
       [](Matrix& m, const Cells& c, const Source& s) -> std::string {
         if (std::string e = bad_release(c[0]); !e.empty()) return e;
         if (c[2].rfind("gfx", 0) != 0) return "\"" + c[2] + "\" is no gfx target";
         if (c[3].empty()) return "no operating system";
         m.card_os.push_back({c[0], split(c[1], '/'), c[2], normal_os(c[3]), c[4], s});
         return "";
       }},
      {"os_kernel_glibc.tsv", {"os", "version", "kernel", "glibc", "source"},
       [](Matrix& m, const Cells& c, const Source& s) -> std::string {
         m.kernels.push_back({c[0], normal_os(c[0] + " " + c[1]), split(c[2], ','), c[3], s});
         return "";
       }},
      {"frameworks_5x_6x.tsv", {"rocm", "pytorch", "tensorflow", "thrust_cub", "source"},
       [](Matrix& m, const Cells& c, const Source& s) -> std::string {
         if (std::string e = bad_release(c[0]); !e.empty()) return e;
         m.facts.push_back({c[0], "framework", "PyTorch", split(c[1], ','), "", s});
         m.facts.push_back({c[0], "framework", "TensorFlow", split(c[2], ','), "", s});
         m.facts.push_back({c[0], "thirdparty_algo", "Thrust", split(c[3], ','), "", s});
         return "";
       }},
      {"frameworks_7.14_10.x.tsv", {"framework", "versions", "python", "gfx_or_family", "note", "source"},
       [](Matrix& m, const Cells& c, const Source& s) -> std::string {
         std::string condition = c[3];
         if (!c[2].empty()) condition += (condition.empty() ? "" : "; ") + std::string("Python ") + c[2];
         if (!c[4].empty()) condition += (condition.empty() ? "" : "; ") + c[4];
         auto values = c[1].rfind('(', 0) == 0 ? Cells{} : split(c[1], ',');
         m.facts.push_back({"7.14-10.x", "framework", c[0], values, condition, s});
         return "";
       }},
      {"kfd_userspace.tsv", {"kfd", "tested_userspace", "source"},
       [](Matrix& m, const Cells& c, const Source& s) -> std::string {
         bool rule = c[0].rfind("rule", 0) == 0;
         if (std::string e = rule ? "" : bad_release(c[0]); !e.empty()) return e;
         m.facts.push_back({rule ? "6.4-10.x" : c[0], "kfd", rule ? "rule" : "Tested user space versions",
                            rule ? Cells{} : split(c[1], ','), rule ? c[1] : "", s});
         return "";
       }},
      {"firmware_driver.tsv", {"rocm", "gpu", "firmware_pldm", "driver", "source"},
       [](Matrix& m, const Cells& c, const Source& s) -> std::string {
         if (std::string e = bad_release(c[0]); !e.empty()) return e;
         m.firmware.push_back({c[0], split(c[1], '/'), c[2], split(c[3], ','), s});
         return "";
       }},
      {"disagreements.tsv", {"rocm", "category", "component", "says", "page", "says_too", "page_too", "note", "source"},
       [](Matrix& m, const Cells& c, const Source& s) -> std::string {
         if (std::string e = bad_release(c[0]); !e.empty()) return e;
         if (c[3].empty() || c[5].empty() || c[3] == c[5]) return "the two pages do not disagree";
         m.disagreements.push_back({c[0], c[1], c[2], {{c[3], {c[4], s.date}}, {c[5], {c[6], s.date}}}, c[7]});
         return "";
       }},
  };
  return all;
}

constexpr size_t kMaxLine = 1 << 16;

void read_table(const fs::path& path, const Table& t, Matrix& m, std::vector<std::string>& problems) {
  std::ifstream in(path);
  if (!in) {
    problems.push_back(path.string() + ": cannot be read");
    return;
  }
  auto complain = [&](size_t line, const std::string& what) { problems.push_back(path.string() + ":" + std::to_string(line) + ": " + what); };
  std::string line, date;
  std::set<std::string> seen;
  size_t number = 0, rows = 0;
  bool header = false;
  while (std::getline(in, line)) {
    number++;
    if (line.size() > kMaxLine || line.find('\0') != std::string::npos) return complain(number, "this is no text table");
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    if (line[0] == '#') {
      size_t at = line.find("Read in ");
      if (at != std::string::npos) date = line.substr(at + 8, line.find(' ', at + 8) - at - 8);
      continue;
    }
    Cells c;
    for (size_t from = 0;;) { // empty cells count here
      size_t tab = line.find('\t', from);
      c.push_back(trim(std::string_view(line).substr(from, tab - from)));
      if (tab == std::string::npos) break;
      from = tab + 1;
    }
    if (!header) {
      header = true;
      if (c != Cells(t.columns.begin(), t.columns.end())) return complain(number, "columns are not those of docs/matrix.md");
      continue;
    }
    if (c.size() != t.columns.size()) {
      complain(number, std::to_string(c.size()) + " cells instead of " + std::to_string(t.columns.size()));
      continue;
    }
    if (c.back().empty()) complain(number, "no source");
    if (!seen.insert(line).second) complain(number, "the same row again");
    if (std::string e = t.add(m, c, {c.back(), date}); !e.empty()) complain(number, e);
    rows++;
  }
  if (date.empty()) complain(1, "no \"# Read in YYYY-MM\" line");
  if (!rows) complain(number, "no rows");
  m.read = std::max(m.read, date);
}

void find_releases(Matrix& m) {
  std::set<std::string> all;
  auto note = [&](const std::string& pattern) {
    for (auto& r : releases_in(pattern)) all.insert(r);
    size_t dash = pattern.find('-');
    if (dash != std::string::npos && std::find(m.ranges.begin(), m.ranges.end(), pattern) == m.ranges.end()) m.ranges.push_back(pattern);
    std::string top = dash == std::string::npos ? pattern : pattern.substr(dash + 1);
    for (auto& one : split(top, '/')) {
      if (one.size() > 2 && one.ends_with(".x")) one = one.substr(0, one.size() - 2) + ".99999999";
      if (m.newest.empty() || compare(one, m.newest) > 0) m.newest = one;
    }
  };
  for (auto& f : m.facts)
    if (f.category != "kfd") note(f.release); // those are drivers
  for (auto& c : m.card_os) note(c.release);
  m.releases.assign(all.begin(), all.end());
  std::sort(m.releases.begin(), m.releases.end(), [](auto& a, auto& b) { return compare(a, b) < 0; });
}

std::vector<std::string> read_all(const fs::path& folder, Matrix& m) {
  std::vector<std::string> problems;
  for (const Table& t : tables()) read_table(folder / t.file, t, m, problems);
  find_releases(m);
  return problems;
}

} // namespace

Result<Matrix> load(const fs::path& folder) {
  Matrix m;
  auto problems = read_all(folder, m);
  if (!problems.empty()) return error(Code::invalid_argument, "support matrix: " + problems.front());
  return m;
}

std::vector<std::string> validate(const fs::path& folder) {
  Matrix m;
  return read_all(folder, m);
}

fs::path default_folder() {
  std::error_code ec;
  fs::path self = fs::read_symlink("/proc/self/exe", ec);
  return self.parent_path().parent_path() / "share" / "pumice" / "matrix";
}

std::string gfx_of(std::string_view card) {
  std::string c = lower(trim(card));
  if (c.rfind("amd ", 0) == 0) c = c.substr(4);
  if (c.rfind("instinct ", 0) == 0) c = c.substr(9);
  if (c.rfind("gfx", 0) == 0) return c.substr(0, c.find(':'));
  struct Name {
    const char *card, *gfx;
  };
  static constexpr std::array kNames = {Name{"mi100", "gfx908"},  Name{"mi210", "gfx90a"},  Name{"mi250", "gfx90a"},
                                        Name{"mi250x", "gfx90a"}, Name{"mi300a", "gfx942"}, Name{"mi300x", "gfx942"},
                                        Name{"mi308x", "gfx942"}, Name{"mi325x", "gfx942"}, Name{"mi350x", "gfx950"},
                                        Name{"mi350p", "gfx950"}, Name{"mi355x", "gfx950"}};
  for (auto& n : kNames)
    if (c == n.card) return n.gfx;
  return "";
}

bool names_card(const std::vector<std::string>& listed, std::string_view card) {
  std::string c = lower(card);
  for (const std::string& l : listed) {
    if (lower(l) == c) return true;
    if (lower(l) == "mi200 series" && gfx_of(card) == "gfx90a" && c.rfind("gfx", 0) != 0) return true;
  }
  return false;
}

std::string normal_os(std::string_view text) {
  std::string t = trim(text);
  struct Alias {
    const char *from, *to;
  };
  static constexpr std::array kAliases = {Alias{"red hat enterprise linux", "RHEL"}, Alias{"rhel", "RHEL"},
                                          Alias{"suse linux enterprise server", "SLES"}, Alias{"sles", "SLES"},
                                          Alias{"ubuntu", "Ubuntu"}, Alias{"debian gnu/linux", "Debian"}, Alias{"debian", "Debian"},
                                          Alias{"rocky linux", "Rocky Linux"}, Alias{"rocky", "Rocky Linux"},
                                          Alias{"oracle linux server", "Oracle Linux"}, Alias{"oracle linux", "Oracle Linux"},
                                          Alias{"azure linux", "Azure Linux"}, Alias{"centos", "CentOS"}};
  for (auto& a : kAliases) {
    std::string from = a.from;
    if (lower(t).rfind(from, 0) == 0 && (t.size() == from.size() || !std::isalpha(static_cast<unsigned char>(t[from.size()])))) {
      t = a.to + (t.size() > from.size() ? " " + trim(std::string_view(t).substr(from.size())) : std::string());
      break;
    }
  }
  if (t.rfind("SLES ", 0) == 0) { // 15.7 is 15 SP7
    size_t dot = t.find('.');
    if (dot != std::string::npos && t.compare(5, 2, "15") == 0) t = t.substr(0, dot) + " SP" + t.substr(dot + 1);
  }
  return t;
}

} // namespace pumice::matrix
