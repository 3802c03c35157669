// SPDX-License-Identifier: MIT
// pumice run FILE.cu [ARGS]: translates in memory, compiles, runs. Options before the file are nvcc's.
#include "compiler/nvcc/driver.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;

int main(int argc, char** argv) {
  using namespace pumice::nvcc;
  std::vector<std::string> options{"-O3"};
  int i = 1;
  auto source = [](const std::string& a) {
    return !a.empty() && a[0] != '-' && (language_of(a) != Language::none || a.ends_with(".hip"));
  };
  for (; i < argc && !source(argv[i]); ++i)
    options.push_back(argv[i]);
  if (i >= argc) {
    std::fputs("usage: pumice run [OPTIONS OF NVCC] FILE.cu [ARGUMENTS OF THE PROGRAM]\n"
               "Compiles one CUDA or HIP file for the software device and runs it.\n",
               stderr);
    return 2;
  }
  std::string file = argv[i];
  std::error_code ec;
  if (!fs::is_regular_file(file, ec)) {
    std::fprintf(stderr, "pumice run: no such file: %s\n", file.c_str());
    return 2;
  }
  std::string folder = (fs::temp_directory_path() / "pumice-run-XXXXXX").string();
  if (!mkdtemp(folder.data())) {
    std::fprintf(stderr, "pumice run: cannot make a temporary folder: %s\n", std::strerror(errno));
    return 1;
  }
  std::string program = folder + "/" + fs::path(file).stem().string();
  options.insert(options.end(), {"-o", program, "-x", "cu", file});
  auto command = parse_nvcc(options);
  int status = 1;
  if (!command) {
    std::fprintf(stderr, "pumice run: %s\n", command.status().message.c_str());
  } else {
    if (!file.ends_with(".cu")) {
      command->translate = false;
      command->inputs.back().language = Language::cuda;
    }
    status = run(*command, find_paths(argv[0]));
  }
  if (status == 0) {
    pid_t child = fork();
    if (child == 0) {
      std::vector<char*> args{program.data()};
      for (int k = i + 1; k < argc; ++k)
        args.push_back(argv[k]);
      args.push_back(nullptr);
      execv(args[0], args.data());
      _exit(127);
    }
    int wait_status = 0;
    while (child > 0 && waitpid(child, &wait_status, 0) < 0 && errno == EINTR) {
    }
    if (child < 0)
      status = 1;
    else if (WIFSIGNALED(wait_status)) {
      status = 128 + WTERMSIG(wait_status);
      std::fprintf(stderr, "pumice run: %s ended by signal %d (%s)\n", file.c_str(), WTERMSIG(wait_status),
                   strsignal(WTERMSIG(wait_status)));
    } else
      status = WEXITSTATUS(wait_status);
  }
  fs::remove_all(folder, ec);
  return status;
}
