// SPDX-License-Identifier: MIT
#include "migrate/process.h"
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace pumice::migrate {
namespace {

constexpr size_t kKeep = 64 << 10;
constexpr rlim_t kMaxFile = rlim_t{4} << 30;

double now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

[[noreturn]] void child(const std::vector<std::string>& command, const std::string& folder,
                        const std::vector<std::pair<std::string, std::string>>& environment, int out) {
  setpgid(0, 0);
  int null = open("/dev/null", O_RDONLY);
  dup2(null, 0), dup2(out, 1), dup2(out, 2);
  rlimit files{kMaxFile, kMaxFile}, core{0, 0};
  setrlimit(RLIMIT_FSIZE, &files), setrlimit(RLIMIT_CORE, &core);
  if (chdir(folder.c_str()) != 0) _exit(126);
  for (auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> argv;
  for (auto& a : command) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  _exit(127);
}

} // namespace

Run run(const std::vector<std::string>& command, const std::string& folder, const std::vector<std::pair<std::string, std::string>>& environment,
        unsigned limit_s) {
  Run r;
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0) return r;
  double start = now();
  pid_t pid = fork();
  if (pid == 0) child(command, folder, environment, fds[1]);
  close(fds[1]);
  if (pid < 0) {
    close(fds[0]);
    return r;
  }
  setpgid(pid, pid); // also here: the child may not have come to it yet
  r.started = true;
  int status = 0;
  bool ended = false, open = true;
  auto reap = [&] { ended = ended || waitpid(pid, &status, WNOHANG) == pid; };
  while (!ended || open) {
    double left = start + limit_s - now();
    if (left <= 0) {
      r.timed_out = !ended;
      break;
    }
    pollfd p{fds[0], POLLIN, 0};
    if (open && poll(&p, 1, 100) > 0) {
      char buffer[8192];
      ssize_t n = read(fds[0], buffer, sizeof buffer);
      if (n <= 0) open = false;
      else r.output.append(buffer, static_cast<size_t>(n));
      if (r.output.size() > 2 * kKeep) r.output.erase(0, r.output.size() - kKeep);
    } else if (open) {
      reap();
      if (ended) break; // something else holds the pipe open
    } else {
      usleep(20'000);
    }
    reap();
  }
  kill(-pid, SIGKILL); // and whatever it left behind
  if (!ended) waitpid(pid, &status, 0);
  close(fds[0]);
  if (r.output.size() > kKeep) r.output.erase(0, r.output.size() - kKeep);
  r.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  r.seconds = now() - start;
  return r;
}

} // namespace pumice::migrate
