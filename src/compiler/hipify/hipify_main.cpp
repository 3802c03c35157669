// SPDX-License-Identifier: MIT
// The program behind the names hipify, hipify-perl and hipify-clang. The names differ in defaults only: hipify-clang writes
// FILE.hip when nothing says where output goes, the others write to standard output.
// Options are spelled with one or two dashes, with "=" or a blank before values, as both originals take them; that and the
// "--" before compiler options is why they are not parsed by a library.
#include "compiler/hipify/docs.h"
#include "compiler/hipify/report.h"
#include "compiler/hipify/tree.h"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <unistd.h>

namespace fs = std::filesystem;
using namespace pumice::hipify;
using pumice::Code;
using pumice::Result;
using pumice::Status;

namespace {

struct Arguments {
  TreeOptions tree;
  std::vector<std::string> inputs;
  std::string output, output_dir, findings_json, sarif, stats_json, docs, header_set;
  bool inplace = false, backup = true, no_output = false, print_stats = false, quiet = false, diff = false;
  bool help = false, version = false, progress = true;
  std::vector<std::string> own;
};

constexpr const char* kHelp =
    R"(usage: hipify [OPTIONS] FILE... | DIRECTORY [-- COMPILER OPTIONS]
Translates CUDA C++ to HIP. Findings (what was not carried over) go to standard error.

  -o FILE, --o-dir DIR         output file; output folder (default: standard output; hipify-clang: FILE.hip)
  --inplace, --no-backup       rewrite the files; FILE.prehip keeps the original unless --no-backup
  --diff                       print a unified diff instead of the text
  --no-output, --examine       only findings; --examine adds statistics
  --print-stats                statistics on standard error; --stats-json FILE: as JSON
  --findings-json FILE         findings as JSON;  --sarif FILE: as SARIF 2.1.0
  --quiet-warnings             no findings on standard error
  --roc, --miopen              translate to the roc libraries; cuDNN to MIOpen instead of hipDNN
  --experimental               translate names that are experimental in HIP
  --hip-kernel-execution-syntax, --cuda-kernel-execution-syntax
                               launches as hipLaunchKernelGGL; as <<<>>> (default)
  --skip-excluded-preprocessor-conditional-blocks, --default-preprocessor, --amap
                               leave blocks alone that are not compiled; --amap: translate everything (default)
  --use-hip-data-types         with --roc: hipDataType instead of rocblas_datatype
  --rocm-version V, --cuda-version V
  --own NAME[,NAME]            names of the project that only look like CUDA's
  --exclude-dirs P, --exclude-files P    comma-separated names or patterns (directory mode)
  -j N                         threads (directory mode)
  -D NAME[=VALUE]              a macro, for skipped blocks
  --docs DIR                   write the rule documents
  --header-set DIR             write headers under CUDA's names that map to HIP
  --help, --version
A directory is translated as one project: names that it declares anywhere are its own. Without --inplace, --o-dir or --diff
only findings are reported.
)";

std::vector<std::string> commas(const std::string& s) {
  std::vector<std::string> out;
  for (size_t at = 0; at <= s.size();) {
    size_t end = s.find_first_of(",;", at);
    if (end == s.npos)
      end = s.size();
    if (end > at)
      out.push_back(s.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

void define(Options& o, const std::string& text) {
  size_t eq = text.find('=');
  o.defines[text.substr(0, eq)] = eq == text.npos ? "1" : text.substr(eq + 1);
}

Result<Arguments> parse(int argc, char** argv) {
  Arguments a;
  Options& o = a.tree.translation;
  bool compiler = false, amap = false;
  for (int i = 1; i < argc; ++i) {
    std::string arg = argv[i];
    if (compiler) { // after "--": clang's options
      if (arg == "-D" && i + 1 < argc)
        define(o, argv[++i]);
      else if (arg.starts_with("-D"))
        define(o, arg.substr(2));
      continue;
    }
    if (arg == "--") {
      compiler = true;
      continue;
    }
    if (arg == "-" || arg.empty() || arg[0] != '-') {
      a.inputs.push_back(arg);
      continue;
    }
    std::string name = arg.substr(arg.starts_with("--") ? 2 : 1), value;
    bool has_value = false;
    if (size_t eq = name.find('='); eq != name.npos) {
      value = name.substr(eq + 1);
      name = name.substr(0, eq);
      has_value = true;
    }
    auto want = [&]() -> bool {
      if (!has_value) {
        if (i + 1 >= argc)
          return false;
        value = argv[++i];
      }
      return true;
    };
    auto flag = [&](std::initializer_list<const char*> names) {
      for (const char* n : names)
        if (name == n)
          return true;
      return false;
    };
    if (flag({"help", "h"}))
      a.help = true;
    else if (flag({"version", "versions"}))
      a.version = true;
    else if (name == "inplace")
      a.inplace = true;
    else if (name == "no-backup")
      a.backup = false;
    else if (name == "no-output")
      a.no_output = true;
    else if (flag({"print-stats", "print-stats-csv"}))
      a.print_stats = true;
    else if (name == "examine")
      a.no_output = a.print_stats = true;
    else if (flag({"quiet-warnings", "quiet"}))
      a.quiet = true;
    else if (name == "diff")
      a.diff = true;
    else if (name == "roc")
      o.libraries = Libraries::roc;
    else if (name == "miopen")
      o.miopen = true;
    else if (name == "experimental")
      o.experimental = true;
    else if (name == "hip-kernel-execution-syntax")
      o.launches = LaunchSyntax::hip;
    else if (name == "cuda-kernel-execution-syntax") // the other one overrides it
      ;
    else if (flag({"skip-excluded-preprocessor-conditional-blocks", "default-preprocessor"}))
      o.skip_excluded_blocks = true;
    else if (name == "amap")
      amap = true;
    else if (name == "use-hip-data-types")
      o.hip_data_types = true;
    else if (name == "no-progress")
      a.progress = false;
    else if (flag({"v", "save-temps", "no-undocumented-features", "no-warnings-on-undocumented-features"}))
      ; // hipify-clang's, without a meaning here
    else if (flag({"cuda-path", "clang-resource-directory", "I", "temp-dir", "p", "cuda-gpu-arch", "extra-arg",
                   "extra-arg-before", "o-stats"})) {
      if (!want())
        return pumice::error(Code::invalid_argument, arg + " needs a value");
    } else if (name.starts_with("I")) {
      // an include folder: headers are not needed
    } else if (name == "D" || (name[0] == 'D' && !arg.starts_with("--"))) {
      if (name == "D" && !has_value) {
        if (!want())
          return pumice::error(Code::invalid_argument, "-D needs a name");
        define(o, value);
      } else {
        define(o, arg.substr(2));
      }
    } else if (name == "o" || name == "o-dir" || name == "findings-json" || name == "sarif" ||
               name == "stats-json" || name == "docs" || name == "own" || name == "whitelist" || name == "header-set" ||
               name == "exclude-dirs" || name == "exclude-files" || name == "rocm-version" ||
               name == "cuda-version" || name == "j" || name == "threads") {
      if (!want())
        return pumice::error(Code::invalid_argument, arg + " needs a value");
      if (name == "o")
        a.output = value;
      else if (name == "o-dir")
        a.output_dir = value;
      else if (name == "findings-json")
        a.findings_json = value;
      else if (name == "sarif")
        a.sarif = value;
      else if (name == "stats-json")
        a.stats_json = value;
      else if (name == "docs")
        a.docs = value;
      else if (name == "header-set")
        a.header_set = value;
      else if (name == "own" || name == "whitelist")
        for (std::string& s : commas(value))
          a.own.push_back(s);
      else if (name == "exclude-dirs")
        for (std::string& s : commas(value))
          a.tree.exclude_dirs.push_back(s);
      else if (name == "exclude-files")
        for (std::string& s : commas(value))
          a.tree.exclude_files.push_back(s);
      else if (name == "j" || name == "threads")
        a.tree.threads = unsigned(std::max(0, std::atoi(value.c_str())));
      else {
        uint32_t v = version_number(value);
        if (v == 0)
          return pumice::error(Code::invalid_argument, arg + ": " + value + " is not a version like 6.4 or 12.4");
        (name == "rocm-version" ? o.rocm_version : o.cuda_version) = v;
      }
    } else {
      return pumice::error(Code::invalid_argument, "unknown option " + arg + " (see hipify --help)");
    }
  }
  if (amap)
    o.skip_excluded_blocks = false;
  return a;
}

Status write_file(const std::string& path, std::string_view text) {
  // A new file takes the old one's place at once: an interrupted run loses nothing.
  std::string temporary = path + ".hipify-new";
  {
    std::ofstream out(temporary, std::ios::binary);
    out.write(text.data(), std::streamsize(text.size()));
    out.close();
    if (!out)
      return pumice::error(Code::system, "cannot write " + path + ": " + std::strerror(errno));
  }
  std::error_code ec;
  if (fs::exists(path, ec))
    fs::permissions(temporary, fs::status(path, ec).permissions(), ec);
  fs::rename(temporary, path, ec);
  if (ec) {
    fs::remove(temporary, ec);
    return pumice::error(Code::system, "cannot replace " + path);
  }
  return pumice::ok_status();
}

Status write_result(const Arguments& a, const std::string& path, const std::string& relative,
                    const std::string& original, const Translation& t) {
  if (a.no_output)
    return pumice::ok_status();
  if (a.diff) {
    std::string text = unified_diff(original, t.text, path);
    std::fwrite(text.data(), 1, text.size(), stdout);
    return pumice::ok_status();
  }
  if (a.inplace) {
    if (!t.changed)
      return pumice::ok_status();
    std::error_code ec;
    if (a.backup && !fs::exists(path + ".prehip", ec)) {
      fs::copy_file(path, path + ".prehip", ec);
      if (ec)
        return pumice::error(Code::system, "cannot write the backup " + path + ".prehip");
    }
    return write_file(path, t.text);
  }
  if (!a.output_dir.empty()) {
    fs::path target = fs::path(a.output_dir) / relative;
    std::error_code ec;
    fs::create_directories(target.parent_path(), ec);
    return write_file(target.string(), t.text);
  }
  if (!a.output.empty() && a.output != "-")
    return write_file(a.output, t.text);
  std::fwrite(t.text.data(), 1, t.text.size(), stdout);
  return pumice::ok_status();
}

int fail(const std::string& message) {
  std::fprintf(stderr, "hipify: %s\n", message.c_str());
  return 1;
}

} // namespace

int main(int argc, char** argv) {
  std::string program = fs::path(argv[0]).filename().string();
  Result<Arguments> parsed = parse(argc, argv);
  if (!parsed)
    return fail(parsed.status().message);
  Arguments& a = *parsed;
  if (a.help || (argc == 1 && isatty(0))) {
    std::fputs(kHelp, stdout);
    return 0;
  }
  if (a.version) {
    std::printf("hipify of Pumice; tables for HIP 6.4 and CUDA 12.6\n");
    return 0;
  }
  if (!a.docs.empty() || !a.header_set.empty()) {
    std::string folder = a.docs.empty() ? a.header_set : a.docs;
    for (const auto& [name, text] : a.docs.empty() ? header_set() : rule_documents()) {
      std::error_code ec;
      fs::path path = fs::path(folder) / name;
      fs::create_directories(path.parent_path(), ec);
      if (Status s = write_file(path.string(), text); !s.ok())
        return fail(s.message);
    }
    return 0;
  }
  if (program == "hipify-perl" || program == "hipify-clang")
    a.tree.translation.rewrite_strings = true;
  if (a.inputs.empty())
    a.inputs.push_back("-");
  if (a.inputs.size() > 1 && !a.output.empty())
    return fail("-o with several inputs; use --o-dir");
  if (program == "hipify-clang" && a.output.empty() && a.output_dir.empty() && !a.inplace && !a.no_output &&
      !a.diff && a.inputs.size() == 1 && a.inputs[0] != "-" && !fs::is_directory(a.inputs[0]))
    a.output = a.inputs[0] + ".hip";

  std::unordered_set<std::string> own(a.own.begin(), a.own.end());
  std::vector<Finding> findings;
  Statistics statistics;
  int status = 0;
  for (const std::string& input : a.inputs) {
    std::error_code ec;
    if (input != "-" && fs::is_directory(input, ec)) {
      Arguments once = a;
      if (!a.inplace && !a.diff && a.output_dir.empty())
        once.no_output = true;
      bool tty = a.progress && isatty(2);
      TreeSummary sum = translate_tree(
          input, a.tree,
          [&](const FileResult& r, const std::string& original) {
            if (!r.skipped.empty())
              return pumice::ok_status();
            return write_result(once, r.path, r.relative, original, r.translation);
          },
          [&](size_t n, size_t all) {
            if (tty && (n == all || n % 16 == 0))
              std::fprintf(stderr, "\rhipify: %zu of %zu files%s", n, all, n == all ? "\n" : "");
          });
      std::move(sum.findings.begin(), sum.findings.end(), std::back_inserter(findings));
      statistics.add(sum.statistics);
      std::fprintf(stderr, "hipify: %s: %zu files, %zu changed, %zu skipped\n", input.c_str(), sum.files,
                   sum.changed, sum.skipped);
      continue;
    }
    std::string original;
    if (input == "-") {
      original.assign(std::istreambuf_iterator<char>(std::cin), {});
    } else {
      Result<std::string> text = read_file(input);
      if (!text) {
        status = fail(text.status().message);
        continue;
      }
      original = std::move(*text);
    }
    if (std::optional<std::string> why = not_source(original)) {
      findings.push_back({input, 1, 1, &Tables::get().code("N001"), "file skipped: " + *why, ""});
      continue;
    }
    Options o = a.tree.translation;
    o.file = input == "-" ? "<stdin>" : input;
    o.is_cuda = is_cuda_file(input);
    std::unordered_set<std::string> names = own;
    if (input != "-") {
      IncludedNames included = names_of_includes(input, original);
      names.merge(included.own);
      o.bf16_header = included.bf16_header;
    }
    o.own_names = &names;
    Translation t = translate(original, o);
    if (Status s = write_result(a, input, fs::path(input).filename().string(), original, t); !s.ok())
      status = fail(s.message);
    std::move(t.findings.begin(), t.findings.end(), std::back_inserter(findings));
    statistics.add(t.statistics);
  }
  std::fflush(stdout);
  if (!a.quiet) {
    std::string text;
    for (const Finding& f : findings)
      text += text_of(f) + "\n";
    std::fwrite(text.data(), 1, text.size(), stderr);
  }
  if (a.print_stats)
    std::fputs(statistics_text(statistics).c_str(), stderr);
  auto save = [&](const std::string& path, const std::string& text) {
    if (path.empty())
      return;
    if (path == "-")
      std::fputs(text.c_str(), stdout);
    else if (Status s = write_file(path, text); !s.ok())
      status = fail(s.message);
  };
  if (!a.findings_json.empty())
    save(a.findings_json, findings_json(findings));
  if (!a.sarif.empty())
    save(a.sarif, findings_sarif(findings));
  if (!a.stats_json.empty())
    save(a.stats_json, statistics_json(statistics));
  return status;
}
