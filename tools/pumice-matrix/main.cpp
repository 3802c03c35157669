// SPDX-License-Identifier: MIT
// pumice matrix: which card, ROCm release, system and framework go together, by the published support pages.
// Exit status: 0 supported (or the command succeeded), 1 not supported, 2 wrong use or data, 3 unknown.
#include "base/cli.h"
#include "matrix/render.h"
#include "matrix/version.h"
#include <algorithm>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

using namespace pumice;
using namespace pumice::matrix;

namespace {

struct Args {
  std::string data = default_folder().string();
  bool json = false;
  Query query;
  std::vector<std::string> frameworks;
  std::string from, to, what = "releases", output;
};

/// In machine format the error is a document as well.
int fail(const std::string& message, bool json) { return cli::fail("pumice matrix", message, json); }

void read_frameworks(Args& a) {
  for (auto& f : a.frameworks) {
    size_t eq = f.find('=');
    a.query.frameworks.emplace_back(f.substr(0, eq), eq == std::string::npos ? "" : f.substr(eq + 1));
  }
}

int run_check(const Matrix& m, Args& a) {
  Answer r = check(m, a.query);
  std::cout << (a.json ? to_json(m, a.query, r).dump(2) + "\n" : to_text(a.query, r));
  return r.verdict == Verdict::supported ? 0 : r.verdict == Verdict::not_supported ? 1 : 3;
}

int run_list(const Matrix& m, const Args& a) {
  if (a.json) {
    std::cout << everything(m).dump(2) << "\n";
    return 0;
  }
  if (a.what == "contradictions") {
    std::cout << to_text(contradictions(m));
  } else if (a.what == "releases") {
    for (auto& r : m.releases) std::cout << r << "\n";
    for (auto& r : m.ranges) std::cout << r << "\n";
  } else if (a.what == "cards") {
    std::cout << "release\tcard\ttarget\tsystem\tkernel\n";
    for (auto& c : m.card_os) {
      if (!a.query.rocm.empty() && !covers(c.release, a.query.rocm)) continue;
      for (auto& card : c.cards) std::cout << c.release << "\t" << card << "\t" << c.gfx << "\t" << c.os << "\t" << c.kernel << "\n";
    }
  } else {
    std::cout << "release\tkind\tcomponent\tversions\n";
    for (auto& f : m.facts) {
      if (!a.query.rocm.empty() && !covers(f.release, a.query.rocm)) continue;
      if (a.what == "frameworks" && f.category != "framework") continue;
      if (a.what == "systems" && f.category != "os") continue;
      std::cout << f.release << "\t" << f.category << "\t" << f.component << "\t";
      for (size_t k = 0; k < f.values.size(); k++) std::cout << (k ? ", " : "") << f.values[k];
      std::cout << "\n";
    }
  }
  return 0;
}

} // namespace

static int run(int argc, char** argv) {
  CLI::App app("Which card, ROCm release, system and framework go together, by the published support pages.", "pumice matrix");
  Args a;
  app.require_subcommand(1);
  app.add_option("--data", a.data, "Folder with the tables (default: this installation's)")->check(cli::not_empty());
  auto card_options = [&](CLI::App* c) {
    c->add_option("--card,--gpu", a.query.card, "Card (MI300X) or target (gfx942)")->check(cli::not_empty());
    c->add_option("--os", a.query.os, "Operating system, e.g. \"Ubuntu 22.04.5\"")->check(cli::not_empty());
    c->add_option("--kernel", a.query.kernel, "Linux kernel version")->check(cli::not_empty());
    c->add_option("--driver", a.query.driver, "amdgpu driver version")->check(cli::not_empty());
    c->add_option("--framework", a.frameworks, "Framework, e.g. PyTorch=2.6; may be repeated")
        ->take_all()
        ->check(CLI::Validator([](std::string& f) -> std::string {
          // "any version" is asked for without an equals sign: an empty variable of a script is not that question.
          return f.empty() || f.front() == '=' || f.back() == '=' ? "wants NAME or NAME=VERSION, not '" + f + "'" : "";
        }, ""));
    c->add_flag("--json", a.json, "One JSON document on stdout");
  };
  auto* list = app.add_subcommand("list", "What the data hold");
  list->add_option("what", a.what, "releases, cards, systems, frameworks, components or contradictions")
      ->check(CLI::IsMember({"releases", "cards", "systems", "frameworks", "components", "contradictions"}));
  list->add_option("--rocm", a.query.rocm, "Only this release")->check(cli::not_empty());
  list->add_flag("--json", a.json, "All data as one JSON document")->excludes("--rocm");
  auto* chk = app.add_subcommand("check", "Is this combination supported?");
  chk->add_option("--rocm", a.query.rocm, "ROCm release, e.g. 6.3.3")->required()->check(cli::not_empty());
  card_options(chk);
  auto* dif = app.add_subcommand("diff", "What differs between two releases");
  dif->add_option("from", a.from, "Release")->required()->check(cli::not_empty());
  dif->add_option("to", a.to, "Release")->required()->check(cli::not_empty());
  dif->add_flag("--json", a.json, "One JSON document on stdout");
  auto* sug = app.add_subcommand("suggest", "Releases to upgrade to");
  sug->add_option("--from", a.from, "Release in use; only later ones are shown")->check(cli::not_empty());
  card_options(sug);
  auto* html = app.add_subcommand("html", "All data as one HTML page");
  html->add_option("-o,--output", a.output, "File to write (default: stdout)")->check(cli::not_empty());
  auto* val = app.add_subcommand("validate", "Check the tables themselves");
  auto wrong = [&](const std::string& message) { return fail(message, cli::given(argc, argv, "--json")); };
  if (auto status = cli::parse(app, argc, argv, wrong)) return *status;
  if (val->parsed()) {
    auto problems = validate(a.data);
    for (auto& p : problems) std::cerr << p << "\n";
    std::cout << (problems.empty() ? "the tables are well formed\n" : std::to_string(problems.size()) + " problems\n");
    return problems.empty() ? 0 : 1;
  }
  auto loaded = load(a.data);
  if (!loaded) return fail(loaded.status().message, a.json);
  const Matrix& m = *loaded;
  read_frameworks(a);
  for (auto& r : {a.query.rocm, a.from, a.to})
    if (!r.empty() && !valid_pattern(r)) return fail("\"" + r + "\" is no release number such as 6.3.3", a.json);
  if (list->parsed()) return run_list(m, a);
  if (chk->parsed()) return run_check(m, a);
  if (dif->parsed()) {
    auto changes = diff(m, a.from, a.to);
    if (!changes) return fail(changes.status().message, a.json);
    std::cout << (a.json ? to_json(a.from, a.to, *changes).dump(2) + "\n" : to_text(*changes));
    return 0;
  }
  if (sug->parsed()) {
    auto steps = suggest(m, a.query, a.from);
    if (steps.empty()) return fail("no release after " + a.from + " in the data", a.json);
    std::cout << (a.json ? to_json(m, steps).dump(2) + "\n" : to_text(steps));
    auto any = [&](Verdict v) { return std::any_of(steps.begin(), steps.end(), [&](auto& s) { return s.answer.verdict == v; }); };
    return any(Verdict::supported) ? 0 : any(Verdict::not_supported) ? 1 : 3;
  }
  (void)html;
  std::string page = to_html(m);
  if (a.output.empty()) {
    std::cout << page;
    return 0;
  }
  std::ofstream out(a.output, std::ios::binary);
  out << page;
  out.close();
  return out ? 0 : fail("cannot write " + a.output, false);
}

int main(int argc, char** argv) {
  int code = run(argc, argv);
  std::cout.flush();
  if (std::cout) return code;
  std::cerr << "pumice matrix: cannot write the output\n";
  return 2;
}
