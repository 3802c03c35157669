// SPDX-License-Identifier: MIT
// pumice migrate DIR: what moving a CUDA project to AMD cards takes. Exit status: 0 done, 1 --fail-on reached, 2 wrong use or a failure.
#include "base/cli.h"
#include "migrate/report.h"
#include <filesystem>
#include <fstream>
#include <iostream>
#include <unistd.h>

using namespace pumice;
using namespace pumice::migrate;
namespace fs = std::filesystem;

namespace {

bool g_json = false; // stdout is one document, also after an error

int fail(const std::string& message) { return cli::fail("pumice migrate", message, g_json); }

fs::path prefix() {
  std::error_code ec;
  return fs::read_symlink("/proc/self/exe", ec).parent_path().parent_path();
}

bool write(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  return bool(out);
}

Result<nlohmann::ordered_json> read_report(const std::string& path) {
  std::ifstream in(path);
  if (!in) return error(Code::not_found, path + " cannot be read");
  auto j = nlohmann::ordered_json::parse(in, nullptr, false);
  if (j.is_discarded()) return error(Code::invalid_argument, path + " is no JSON document");
  return j;
}

int compare_reports(const std::vector<std::string>& files, bool json) {
  auto a = read_report(files[0]), b = read_report(files[1]);
  if (!a.ok()) return fail(a.status().message);
  if (!b.ok()) return fail(b.status().message);
  auto d = compare(*a, *b);
  if (!d.ok()) return fail(d.status().message);
  std::cout << (json ? d->dump(2) + "\n" : compare_text(*d));
  return 0;
}

} // namespace

int main(int argc, char** argv) {
  CLI::App app("What moving a CUDA project to AMD cards takes: inventory, API coverage, tries on the software device, effort, decision.", "pumice migrate");
  std::string folder, html = "migration.html", json_file, rates = (prefix() / "share/pumice/migrate/rates.toml").string(), fail_on;
  std::vector<std::string> compare_files;
  Assessment a;
  a.card = "MI300X", a.rocm = "6.4.3";
  bool no_try = false, no_run = false, json = false, quiet = false;
  TryOptions t;
  t.compiler = (prefix() / "bin/pumice-cc").string();
  hipify::TreeOptions tree;
  app.add_option("folder", folder, "The project");
  app.add_option("-o,--html", html, "Report to write (default migration.html; - for none)")->check(cli::not_empty());
  app.add_option("--json-file", json_file, "Also write the report as JSON")->check(cli::not_empty());
  app.add_flag("--json", json, "Print the report as JSON on stdout");
  app.add_option("--card", a.card, "Card to move to (default MI300X)");
  app.add_option("--rocm", a.rocm, "ROCm release to move to (default 6.4.3)");
  app.add_option("--rates", rates, "Rates behind the effort (TOML)");
  app.add_option("--exclude", tree.exclude_dirs, "Folder names or patterns to leave out")->take_all();
  app.add_flag("--no-try", no_try, "Neither build nor run anything");
  app.add_flag("--no-run", no_run, "Build, do not run the project's programs");
  app.add_option("--max-tries", t.max_tries, "Programs to try at most (default 60)")->check(cli::whole("a number", 0, 1'000'000));
  app.add_option("--run-limit", t.run_limit_s, "Seconds that a program may run (default 60)")->check(cli::whole("a number of seconds", 1, 86400));
  app.add_option("--compiler", t.compiler, "pumice-cc to build with");
  app.add_option("--fail-on", fail_on, "Exit status 1 when the decision is this or worse")->check(CLI::IsMember({"conditional", "no-go"}));
  app.add_option("--compare", compare_files, "Compare two JSON reports instead")->expected(2);
  app.add_flag("-q,--quiet", quiet, "No progress on stderr");
  g_json = cli::given(argc, argv, "--json");
  if (auto status = cli::parse(app, argc, argv, fail)) return *status;
  if (!compare_files.empty()) return compare_reports(compare_files, json);
  if (folder.empty()) return fail("which folder? See pumice migrate --help");
  auto rules = load_rates(rates);
  if (!rules.ok()) return fail(rules.status().message);
  auto tables = load_tables((prefix() / "share/pumice/migrate").string());
  if (!tables.ok()) return fail(tables.status().message);
  auto m = matrix::load(matrix::default_folder());
  if (!m.ok()) std::cerr << "pumice migrate: frameworks are not checked: " << m.status().message << "\n";
  bool terminal = isatty(2);
  auto progress = [&](const std::string& what) {
    if (!quiet) std::cerr << (terminal ? "\r\033[K" : "") << what << (terminal ? "" : "\n") << std::flush;
  };
  progress("scanning " + folder);
  auto s = scan(folder, *tables, tree);
  if (!s.ok()) return fail(s.status().message);
  a.scan = std::move(s).value();
  if (!no_try) {
    t.run = !no_run;
    // Software cards exist of these; others of the same target run the same code.
    t.architecture = matrix::gfx_of(a.card);
    t.device = t.architecture == "gfx90a" ? "MI210" : a.card == "MI325X" ? "MI325X" : "MI300X";
    bool exists = t.architecture == "gfx90a" || t.architecture == "gfx942";
    auto tries = exists ? try_project(a.scan, t, progress)
                        : Result<std::vector<Try>>(error(Code::incompatible, "no software card runs code for " + a.card));
    if (tries.ok()) a.tries = std::move(tries).value(), a.tried = true;
    else a.scan.notes.push_back("nothing was tried: " + tries.status().message);
  }
  assess(a, *rules, m.ok() ? &*m : nullptr);
  if (!quiet && terminal) std::cerr << "\r\033[K";
  auto report = to_json(a);
  std::string text = report.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  if (html != "-" && !write(html, to_html(report))) return fail("cannot write " + html);
  if (!json_file.empty() && !write(json_file, text)) return fail("cannot write " + json_file);
  std::cout << (json ? text : to_text(a));
  if (!json && html != "-") std::cout << "report: " << html << "\n";
  bool bad = fail_on == "no-go" ? a.decision == Decision::no_go : fail_on == "conditional" && a.decision != Decision::go;
  return bad ? 1 : 0;
}
