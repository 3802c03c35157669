// SPDX-License-Identifier: MIT
// Exit status: 0, 1 the devices cannot be listed, 2 wrong use.
#include "base/cli.h"
#include "smi/report.h"
#include "smi/rocminfo.h"
#include <csignal>

using namespace pumice;
using namespace pumice::smi;

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  CLI::App app{"Shows the agents of this machine, or the software cards (PUMICE_DEVICES).",
               "rocminfo"};
  bool json = false, ignored = false;
  app.add_flag("--json", json, "One JSON document");
  app.add_flag("--support", ignored, "Accepted, as in ROCm");
  auto wrong = [&](const std::string& message) {
    return cli::fail("rocminfo", message, cli::given(argc, argv, "--json"));
  };
  if (auto status = cli::parse(app, argc, argv, wrong))
    return *status;
  auto model = Model::open(SoftCards::own);
  if (!model.ok())
    return cli::fail("rocminfo", model.status().message, json, 1);
  for (const std::string& w : (*model)->warnings())
    std::fprintf(stderr, "rocminfo: %s\n", w.c_str());
  return write_output(json ? rocminfo_json(**model) : rocminfo_text(**model), "", false) ? 0 : 1;
}
