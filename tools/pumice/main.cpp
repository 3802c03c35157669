// SPDX-License-Identifier: MIT
// pumice NAME ARGS runs the program pumice-NAME that lies beside this one, as git does. Without a
// name it lists what is there.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

namespace fs = std::filesystem;

namespace {

constexpr const char* kPrefix = "pumice-";

std::vector<std::string> commands(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code ec;
  for (const auto& e : fs::directory_iterator(folder, ec)) {
    std::string n = e.path().filename().string();
    if (n.starts_with(kPrefix) && access(e.path().c_str(), X_OK) == 0)
      names.push_back(n.substr(std::strlen(kPrefix)));
  }
  std::sort(names.begin(), names.end());
  return names;
}

void usage(std::FILE* to, const fs::path& folder) {
  std::fputs("usage: pumice COMMAND [ARGS]\n\ncommands:\n", to);
  for (const std::string& n : commands(folder))
    std::fprintf(to, "  %s\n", n.c_str());
  std::fputs("\n`pumice COMMAND --help` says more; `pumice --version` gives the version.\n", to);
}

} // namespace

int main(int argc, char** argv) {
  std::error_code ec;
  fs::path folder = fs::read_symlink("/proc/self/exe", ec).parent_path();
  if (argc < 2 || !std::strcmp(argv[1], "--help") || !std::strcmp(argv[1], "-h") ||
      !std::strcmp(argv[1], "help")) {
    usage(stdout, folder);
    return argc < 2 ? 2 : 0;
  }
  std::string name = argv[1];
  if (name == "--version" || name == "-V" || name == "version") {
    std::puts("pumice " PUMICE_VERSION);
    return 0;
  }
  bool plain =
      name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_") == std::string::npos &&
      name[0] != '-';
  std::string program = (folder / (kPrefix + name)).string();
  if (plain)
    execv(program.c_str(), argv + 1);
  if (plain && errno != ENOENT) {
    std::fprintf(stderr, "pumice: %s: %s\n", program.c_str(), std::strerror(errno));
    return 126;
  }
  std::fprintf(stderr, "pumice: no command '%s'\n\n", name.c_str());
  usage(stderr, folder);
  return 127;
}
