// SPDX-License-Identifier: MIT
// Writers of telemetry are killed at random moments while readers read: no reader may block, and
// none may see a value that no writer wrote.
// usage: smi_storm [SECONDS]     3 by default; tests/smi/storm-long runs five minutes
#include "device/telemetry.h"
#include "smi/inject.h"
#include "smi/model.h"
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace pumice;
using namespace pumice::smi;

namespace {

constexpr int kWriters = 12, kCards = 8;
constexpr const char* kKernels[] = {"alpha", "beta_with_a_longer_name_than_one_word", "gamma"};

[[noreturn]] void writer(unsigned seed) {
  prctl(PR_SET_NAME, "storm-writer");
  std::mt19937 random(seed);
  for (;;) { // opening and closing are moments to die at, too
    device::Telemetry t(std::vector<std::string>(kCards, "MI300X"));
    uint32_t kernels[3];
    for (int k = 0; k < 3; ++k)
      kernels[k] = t.kernel_number(kKernels[k]);
    for (int i = 0; i < 2000; ++i) {
      int card = static_cast<int>(random() % kCards);
      uint32_t k = kernels[random() % 3];
      uint64_t start = device::now_ns();
      t.memory_word(card)->store(uint64_t{4096} * (card + 1));
      t.dispatch_begin(card, k);
      if (random() % 64 == 0)
        usleep(random() % 300);
      t.dispatch_end(card, k, start, device::now_ns());
    }
  }
}

struct Reader {
  std::atomic<uint64_t> rounds{0}, worst_ns{0};
  std::atomic<bool> failed{false};

  void fail(const std::string& what) {
    if (!failed.exchange(true))
      std::fprintf(stderr, "storm: %s\n", what.c_str());
  }
  void check(Model& m) {
    uint64_t start = device::now_ns();
    for (const Process& p : m.processes()) {
      if (p.name != "smi_storm" && p.name != "storm-writer")
        fail("a process named '" + p.name + "'");
      for (const CardUse& u : p.cards) {
        if (u.card >= kCards || (u.vram_bytes && u.vram_bytes != 4096 * (u.card + 1)))
          fail("memory of " + std::to_string(u.vram_bytes) + " bytes on card " +
               std::to_string(u.card));
        bool known = u.kernel.empty();
        for (const char* k : kKernels)
          known |= u.kernel == k;
        if (!known)
          fail("a kernel named '" + u.kernel + "'");
        if (u.gfx_ns > 3'600'000'000'000u)
          fail("a busy time of " + std::to_string(u.gfx_ns) + " ns");
      }
    }
    for (auto& k : m.cards()) {
      if (*k->memory().vram_used > uint64_t{4096} * kCards * (kWriters + 1))
        fail("more memory in use than all writers have");
      if (*k->activity().gfx_percent > 100)
        fail("utilisation above 100");
    }
    for (const Event& e : m.events(0))
      if (e.message != "storm" || e.card >= kCards)
        fail("an event '" + e.message + "'");
    uint64_t took = device::now_ns() - start;
    if (took > worst_ns)
      worst_ns = took;
    ++rounds;
  }
};

} // namespace

int main(int argc, char** argv) {
  double seconds = argc > 1 ? std::atof(argv[1]) : 3;
  std::string path = (std::filesystem::temp_directory_path() / "pumice-storm-").string() +
                     std::to_string(getpid());
  setenv("PUMICE_TELEMETRY", path.c_str(), 1);
  setenv("PUMICE_DEVICES", "8xMI300X", 1);
  setenv("PUMICE_SMI", "soft", 1);
  std::mt19937 random(static_cast<unsigned>(getpid()));
  std::vector<pid_t> children;
  auto start_writer = [&] {
    unsigned seed = random();
    pid_t pid = fork();
    if (pid == 0)
      writer(seed);
    return pid;
  };
  for (int i = 0; i < kWriters; ++i)
    children.push_back(start_writer());
  // Readers in a process of their own: this one forks, which threads do not go with.
  pid_t reader = fork();
  if (reader == 0) {
    Reader r;
    auto run = [&] {
      auto m = Model::open();
      if (!m.ok())
        r.fail(m.status().message);
      uint64_t end = device::now_ns() + static_cast<uint64_t>(seconds * 1e9);
      while (device::now_ns() < end && !r.failed)
        r.check(**m);
    };
    std::thread second(run);
    run();
    second.join();
    std::printf("storm: %lu readings, longest %.0f ms\n", r.rounds.load(),
                static_cast<double>(r.worst_ns) / 1e6);
    constexpr uint64_t kLongest = 5'000'000'000; // eight samples of 100 ms, on a busy machine
    if (r.worst_ns > kLongest)
      r.fail("a reading took too long");
    std::fflush(stdout);
    _exit(r.failed || r.rounds == 0 ? 1 : 0);
  }
  int status = 0;
  uint64_t kills = 0;
  auto injector = Injector::open();
  while (waitpid(reader, &status, WNOHANG) == 0) {
    size_t victim = random() % children.size();
    kill(children[victim], SIGKILL);
    waitpid(children[victim], nullptr, 0);
    children[victim] = start_writer();
    ++kills;
    if (injector.ok())
      (void)injector->post(random() % kCards, "VM_FAULT", "storm");
    usleep(random() % 20000);
  }
  for (pid_t c : children) {
    kill(c, SIGKILL);
    waitpid(c, nullptr, 0);
  }
  unlink(path.c_str());
  bool ok = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  std::printf("storm: %lu writers killed, %s\n", kills, ok ? "readers fine" : "READERS FAILED");
  return ok ? 0 : 1;
}
