// SPDX-License-Identifier: MIT
// pumice doctor: what this machine has, what is wrong, what to do. Exit status: 0 no error found, 1 errors found, 2 wrong use.
#include "base/cli.h"
#include "base/options.h"
#include "doctor/findings.h"
#include "smi/model.h"
#include "smi/report.h"
#include <csignal>
#include <iostream>
#include <nlohmann/json.hpp>

using namespace pumice;

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  CLI::App app("What this machine has, what is wrong, what to do.", "pumice doctor");
  bool json = false;
  std::string data = matrix::default_folder().string();
  app.add_flag("--json", json, "One JSON document for a support ticket; no names, serial numbers or ids in it");
  app.add_option("--matrix", data, "Folder with the support matrix");
  auto wrong = [&](const std::string& message) { return cli::fail("pumice doctor", message, cli::given(argc, argv, "--json")); };
  if (auto status = cli::parse(app, argc, argv, wrong)) return *status;
  if (Status s = smi::check_environment(); !s.ok()) return wrong(s.message);
  auto m = matrix::load(data);
  if (!m.ok()) std::cerr << "pumice doctor: support is not checked: " << m.status().message << "\n";
  auto d = doctor::diagnose(doctor::collect(options::text(options::Id::sysfs_root)), m.ok() ? &*m : nullptr);
  std::string text = (json ? doctor::to_json(d).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n" : doctor::to_text(d));
  if (!smi::write_output(text, "", false)) return 2;
  return !d.findings.empty() && d.findings.front().severity == doctor::Severity::error ? 1 : 0;
}
