// SPDX-License-Identifier: MIT
#include "migrate/tries.h"
#include "matrix/version.h"
#include "migrate/process.h"
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <unistd.h>

namespace pumice::migrate {
namespace {

namespace fs = std::filesystem;
using matrix::lower;

constexpr size_t kMaxCopy = size_t{1} << 30, kKeepLog = 3000;

/// A temporary copy of the project, removed at the end.
class Copy {
public:
  explicit Copy(const std::string& root) : root_(root) {}
  ~Copy() {
    std::error_code ec;
    if (!folder_.empty()) fs::remove_all(folder_, ec);
  }
  Status make() {
    std::string pattern = (fs::temp_directory_path() / "pumice-migrate-XXXXXX").string();
    if (!mkdtemp(pattern.data())) return error(Code::system, "no temporary folder can be made in " + fs::temp_directory_path().string());
    folder_ = pattern;
    std::error_code ec;
    size_t bytes = 0;
    for (auto it = fs::recursive_directory_iterator(root_, fs::directory_options::skip_permission_denied, ec); it != fs::recursive_directory_iterator(); it.increment(ec)) {
      if (ec) break;
      fs::path to = folder_ / it->path().lexically_relative(root_);
      if (it->is_symlink(ec)) continue;
      if (it->is_directory(ec)) {
        if (it->path().filename() == ".git") it.disable_recursion_pending();
        else fs::create_directories(to, ec);
      } else if (it->is_regular_file(ec)) {
        bytes += it->file_size(ec);
        if (bytes > kMaxCopy) return error(Code::system, "the project is larger than the 1 GiB that tries copy");
        fs::copy_file(it->path(), to, fs::copy_options::overwrite_existing, ec);
      }
    }
    return ok_status();
  }
  const fs::path& folder() const { return folder_; }

private:
  fs::path root_, folder_;
};

bool is_source(const fs::path& p) {
  std::string e = lower(p.extension().string());
  return e == ".cu" || e == ".cpp" || e == ".cc" || e == ".cxx" || e == ".c";
}

std::string text_of(const fs::path& p) {
  auto t = hipify::read_file(p.string());
  return t.ok() ? *t : "";
}

bool has_main(const std::string& text) {
  static const std::regex pattern("\\bmain\\s*\\(");
  return std::regex_search(text, pattern);
}

/// What the installation lacks, from the compiler's and linker's messages.
void find_missing(const std::string& log, std::vector<std::string>& missing) {
  static const std::regex header("fatal error: '([^']+)' file not found"), symbol("undefined (?:reference to|symbol:?) [`'\"]?([A-Za-z_][A-Za-z0-9_]*)"),
      name("use of undeclared identifier '(hip[A-Za-z0-9_]+|roc[A-Za-z0-9_]+)'"), library("(?:unable to find library|cannot find) (-l[A-Za-z0-9_+.-]+)");
  std::set<std::string> found(missing.begin(), missing.end());
  for (auto* r : {&header, &symbol, &name, &library})
    for (std::sregex_iterator it(log.begin(), log.end(), *r), end; it != end; ++it) found.insert((*it)[1]);
  missing.assign(found.begin(), found.end());
}

/// ROCm's own libraries and MPI: what is missing here is there on a machine with the whole of ROCm.
bool of_rocm(const std::string& missing) {
  for (const char* start : {"hipblas", "hipcub", "hipfft", "hiprand", "hipsparse", "hipsolver", "hipdnn", "hiptensor", "rocblas", "rocfft", "rocrand", "rocsparse", "rocsolver",
                            "rocprim", "rocthrust", "rocwmma", "thrust/", "rccl", "nccl", "miopen", "roctracer", "mpi.h", "-lhipblas", "-lrocblas", "-lrccl", "-lnccl", "-lMIOpen", "-lhip",
                            "-lroc", "-lmpi"})
    if (missing.rfind(start, 0) == 0) return true;
  return false;
}

std::string tail(const std::string& s) { return s.size() <= kKeepLog ? s : "..." + s.substr(s.size() - kKeepLog); }

/// The end of a compiler's output without the translator's own warnings: those are in the report as findings, and hide the errors.
std::string compiler_log(const std::string& output) {
  static const std::regex own(": warning: .* \\[[A-Z][0-9]{3}\\]$");
  std::string rest;
  std::istringstream lines(output);
  for (std::string l; std::getline(lines, l);)
    if (!std::regex_search(l, own)) rest += l + "\n";
  while (rest.ends_with("\n")) rest.pop_back();
  return tail(rest);
}

std::string says(const std::string& output) {
  static const std::regex bad("\\b(fail(ed|ure)?|mismatch(ed)?|incorrect|wrong|error(s)? (found|detected))\\b", std::regex::icase),
      good("\\b(pass(ed)?|success(ful|fully)?|verified|correct|ok)\\b", std::regex::icase), none("\\b(0|no) (errors?|failures?|mismatches)\\b|failed as expected", std::regex::icase),
      assertion("\\bassertion [^\n]*failed", std::regex::icase);
  bool g = std::regex_search(output, good) || std::regex_search(output, none);
  std::string rest = std::regex_replace(output, none, "");
  if (output.find("failed as expected") != std::string::npos) rest = std::regex_replace(rest, assertion, "");
  if (std::regex_search(rest, bad)) return "no";
  return g ? "yes" : "";
}

class Trier {
public:
  Trier(const Scan& scan, const TryOptions& o, const std::function<void(const std::string&)>& progress) : scan_(scan), o_(o), progress_(progress), copy_(scan.root) {}

  Result<std::vector<Try>> run() {
    std::error_code ec;
    if (!fs::exists(o_.compiler, ec)) return error(Code::not_found, o_.compiler + " does not exist");
    TRY(copy_.make());
    std::map<std::string, std::vector<std::string>> folders;
    for (auto& s : scan_.cuda_sources) folders[fs::path(s).parent_path().generic_string()].push_back(s);
    for (auto& [folder, cuda] : folders) {
      if (out_.size() >= o_.max_tries) break;
      try_folder(folder, cuda);
    }
    return std::move(out_);
  }

private:
  void try_folder(const std::string& folder, const std::vector<std::string>& cuda) {
    fs::path here = copy_.folder() / folder;
    std::vector<std::string> mains, others;
    std::error_code ec;
    for (auto& e : fs::directory_iterator(here, ec)) {
      if (!e.is_regular_file(ec) || !is_source(e.path())) continue;
      (has_main(text_of(e.path())) ? mains : others).push_back(e.path().filename().string());
    }
    std::sort(mains.begin(), mains.end()), std::sort(others.begin(), others.end());
    if (make_file(here)) {
      try_make(folder, here, cuda);
      if (out_.back().compiled == Outcome::ok) return;
      // A Makefile stops at its first failure: the programs one by one say more.
    }
    if (out_.size() >= o_.max_tries) return;
    if (mains.size() == 1) {
      mains.insert(mains.end(), others.begin(), others.end());
      return try_direct(folder, here, mains);
    }
    for (auto& m : mains) {
      if (out_.size() >= o_.max_tries) return;
      try_direct(folder, here, {m});
    }
    if (mains.empty())
      for (auto& c : cuda) {
        if (out_.size() >= o_.max_tries) return;
        try_unit(folder, here, fs::path(c).filename().string());
      }
  }

  std::string make_text_;
  bool make_file(const fs::path& here) {
    for (const char* name : {"Makefile", "makefile", "GNUmakefile"}) {
      make_text_ = text_of(here / name);
      if (make_text_.find("nvcc") != std::string::npos || make_text_.find("NVCC") != std::string::npos) return true;
    }
    return false;
  }

  using Environment = std::vector<std::pair<std::string, std::string>>;
  Environment environment() const {
    std::string bin = fs::path(o_.compiler).parent_path().string(), path = getenv("PATH") ? getenv("PATH") : "/usr/bin:/bin";
    return {{"PATH", bin + ":" + path}, {"CUDA_PATH", fs::path(bin).parent_path().string()}, {"PUMICE_HSA", "soft"}, {"HCC_AMDGPU_TARGET", o_.architecture}, {"PUMICE_DEVICES", o_.device}, {"PUMICE_STATS", "1"}};
  }

  std::vector<std::string> flags(const fs::path& here) const {
    std::vector<std::string> f = {"-I" + here.string(), "-I" + copy_.folder().string()};
    for (const char* sub : {"include", "inc", "src", "common", "Common"})
      if (fs::is_directory(copy_.folder() / sub)) f.push_back("-I" + (copy_.folder() / sub).string());
    if (fs::is_directory(here / ".." / "include")) f.push_back("-I" + (here / ".." / "include").string());
    return f;
  }

  /// OpenMP has to be asked for: a build file would have done that.
  static bool uses_openmp(const fs::path& here, const std::vector<std::string>& names) {
    return std::any_of(names.begin(), names.end(), [&](auto& n) {
      std::string text = text_of(here / n);
      return text.find("omp.h") != std::string::npos || text.find("#pragma omp") != std::string::npos;
    });
  }

  void compiled(Try& t, const Run& r) {
    t.compiled = r.timed_out ? Outcome::timed_out : r.exit_code == 0 ? Outcome::ok : Outcome::failed;
    t.compile_seconds = r.seconds;
    t.log = compiler_log(r.output);
    if (t.compiled == Outcome::ok) return;
    find_missing(r.output, t.missing);
    if (std::any_of(t.missing.begin(), t.missing.end(), of_rocm)) t.compiled = Outcome::blocked;
  }

  void ran(Try& t, const Run& r) {
    t.ran = r.timed_out ? Outcome::timed_out : r.exit_code == 0 ? Outcome::ok : Outcome::failed;
    t.exit_code = r.exit_code;
    t.run_seconds = r.seconds;
    t.log = tail(r.output);
    for (size_t at = 0; (at = r.output.find("fallback:", at)) != std::string::npos; at++) t.fallbacks++;
    std::string own; // without our own statistics lines
    for (auto& l : matrix::split(r.output, '\n'))
      if (l.rfind("pumice: ", 0) != 0) own += l + "\n";
    t.verified = says(own);
    // A program that says it cannot be judged on this machine (one card, no display), as CUDA's samples do with status 2.
    if (t.exit_code == 2 && t.ran == Outcome::failed && lower(own).find("waiv") != std::string::npos)
      t.ran = Outcome::blocked, t.verified.clear();
    static const std::regex no_input("\\b(failed to|cannot|can't|can not|could not|couldn't|unable to|error) (open|find|read|load)[^\n]{0,40}file|"
                                     "no such file|\\bfile\\b[^\n]{0,80}\\bnot found", std::regex::icase);
    if (t.ran == Outcome::failed && std::regex_search(own, no_input))
      t.ran = Outcome::blocked, t.verified.clear(), t.missing.push_back("input file");
  }

  void try_make(const std::string& folder, const fs::path& here, const std::vector<std::string>& cuda) {
    Try t;
    t.folder = folder, t.how = "make", t.sources = cuda;
    progress_("make in " + (folder.empty() ? "." : folder));
    std::set<std::string> before = files(here);
    std::vector<std::string> command = {"make", "-C", here.string(), "NVCC=" + o_.compiler};
    static const std::regex cc("(^|\\n)\\s*CC\\s*[:?]?=\\s*[^\\n]*nvcc"), cxx("(^|\\n)\\s*CXX\\s*[:?]?=\\s*[^\\n]*nvcc");
    if (std::regex_search(make_text_, cc)) command.push_back("CC=" + o_.compiler);
    if (std::regex_search(make_text_, cxx)) command.push_back("CXX=" + o_.compiler);
    compiled(t, migrate::run(command, here.string(), environment(), o_.compile_limit_s));
    if (t.compiled == Outcome::ok && o_.run) {
      static const std::regex run_target("(^|\\n)run\\s*:");
      auto again = command;
      again.push_back("run");
      if (std::regex_search(make_text_, run_target)) {
        ran(t, migrate::run(again, here.string(), environment(), o_.run_limit_s));
      } else {
        for (auto& f : files(here))
          if (!before.count(f) && access((here / f).c_str(), X_OK) == 0) {
            ran(t, migrate::run({(here / f).string()}, here.string(), environment(), o_.run_limit_s));
            break;
          }
      }
    }
    out_.push_back(std::move(t));
  }

  void try_direct(const std::string& folder, const fs::path& here, const std::vector<std::string>& names) {
    Try t;
    t.folder = folder, t.how = "direct";
    for (auto& n : names) t.sources.push_back((fs::path(folder) / n).generic_string());
    progress_("compiling " + t.sources.front());
    std::string program = (here / "pumice-migrate-program").string();
    std::vector<std::string> command = {o_.compiler, "-O2", "-std=c++17"};
    for (auto& f : flags(here)) command.push_back(f);
    if (uses_openmp(here, names)) command.insert(command.end(), {"-Xcompiler", "-fopenmp"});
    command.insert(command.end(), names.begin(), names.end());
    command.insert(command.end(), {"-o", program, "-lm", "-lpthread"});
    compiled(t, migrate::run(command, here.string(), environment(), o_.compile_limit_s));
    if (t.compiled == Outcome::ok && o_.run) {
      progress_("running " + t.sources.front());
      ran(t, migrate::run({program}, here.string(), environment(), o_.run_limit_s));
    }
    out_.push_back(std::move(t));
  }

  void try_unit(const std::string& folder, const fs::path& here, const std::string& name) {
    Try t;
    t.folder = folder, t.how = "unit", t.sources = {(fs::path(folder) / name).generic_string()};
    progress_("compiling " + t.sources.front());
    std::vector<std::string> command = {o_.compiler, "-O2", "-std=c++17", "-c", name, "-o", "/dev/null"};
    for (auto& f : flags(here)) command.push_back(f);
    if (uses_openmp(here, {name})) command.insert(command.end(), {"-Xcompiler", "-fopenmp"});
    compiled(t, migrate::run(command, here.string(), environment(), o_.compile_limit_s));
    out_.push_back(std::move(t));
  }

  static std::set<std::string> files(const fs::path& here) {
    std::set<std::string> all;
    std::error_code ec;
    for (auto& e : fs::directory_iterator(here, ec))
      if (e.is_regular_file(ec) && e.path().extension() != ".o") all.insert(e.path().filename().string());
    return all;
  }

  const Scan& scan_;
  const TryOptions& o_;
  const std::function<void(const std::string&)>& progress_;
  Copy copy_;
  std::vector<Try> out_;
};

} // namespace

const char* outcome_name(Outcome o) {
  return o == Outcome::not_tried ? "not tried" : o == Outcome::blocked ? "blocked" : o == Outcome::failed ? "failed" : o == Outcome::timed_out ? "timed out" : "ok";
}

Result<std::vector<Try>> try_project(const Scan& scan, const TryOptions& options, const std::function<void(const std::string&)>& progress) {
  return Trier(scan, options, progress).run();
}

} // namespace pumice::migrate
