// SPDX-License-Identifier: MIT
// Processes and events.
#include "smi/rocm_smi/tool.h"
#include <algorithm>
#include <cctype>
#include <csignal>
#include <fmt/format.h>
#include <set>
#include <time.h>

namespace pumice::smi::rocm_smi {
namespace {

volatile std::sig_atomic_t g_stop = 0;

std::string upper(std::string s) {
  for (char& ch : s)
    ch = static_cast<char>(std::toupper(static_cast<unsigned char>(ch)));
  return s;
}

} // namespace

std::vector<std::string> known_words(Context& c, const char* option,
                                     const std::vector<std::string>& given,
                                     const std::vector<std::string>& known) {
  std::vector<std::string> words;
  for (std::string g : given) {
    g.erase(std::remove(g.begin(), g.end(), ','), g.end());
    std::string word = upper(g);
    if (word.empty() || std::find(words.begin(), words.end(), word) != words.end())
      continue;
    if (std::find(known.begin(), known.end(), word) != known.end()) {
      words.push_back(word);
      continue;
    }
    std::string all;
    for (const std::string& k : known)
      all += (all.empty() ? "" : ", ") + k;
    c.out.failure(fmt::format("{}: '{}' is not known; {}", option, g, all));
  }
  return words;
}

void show_pids(Context& c, bool details) {
  c.out.section(" KFD Processes ");
  auto all = c.model.processes();
  if (all.empty()) {
    c.out.line("No KFD PIDs currently running");
    return;
  }
  c.out.line("KFD process information:");
  std::vector<std::vector<std::string>> rows = {{"PID", "PROCESS NAME", details ? "GPU" : "GPU(s)",
                                                 "VRAM USED", "SDMA USED", "CU OCCUPANCY"}};
  for (const Process& p : all) {
    uint64_t vram = 0, sdma = 0;
    Reading<uint32_t> cus;
    for (const CardUse& u : p.cards) {
      vram += u.vram_bytes;
      sdma += u.sdma_us;
      if (u.cu_percent.ok())
        cus = cus.value_or(0) + *u.cu_percent;
      if (details)
        rows.push_back({std::to_string(p.pid), p.name, std::to_string(u.card),
                        std::to_string(u.vram_bytes), std::to_string(u.sdma_us),
                        u.cu_percent.ok() ? std::to_string(*u.cu_percent) : "UNKNOWN"});
    }
    std::string cu = cus.ok() ? std::to_string(*cus) : "UNKNOWN";
    if (!details)
      rows.push_back({std::to_string(p.pid), p.name, std::to_string(p.cards.size()),
                      std::to_string(vram), std::to_string(sdma), cu});
    c.out.machine_system(fmt::format("PID{}", p.pid),
                         fmt::format("{}, {}, {}, {}, {}", p.name, p.cards.size(), vram, sdma, cu));
  }
  std::vector<size_t> widths(rows[0].size());
  for (auto& r : rows)
    for (size_t i = 0; i < r.size(); ++i)
      widths[i] = std::max(widths[i], r[i].size());
  for (auto& r : rows) {
    std::string line;
    for (size_t i = 0; i < r.size(); ++i)
      line += fmt::format("{:<{}}", r[i], widths[i]) + "\t";
    c.out.line(line);
  }
}

void show_pid_gpus(Context& c, const std::vector<std::string>& pids) {
  c.out.section(" GPUs Indexed by PID ");
  auto all = c.model.processes();
  if (all.empty() && pids.empty())
    c.out.line("No KFD PIDs currently running");
  std::set<std::string> want(pids.begin(), pids.end());
  for (const Process& p : all) {
    std::string pid = std::to_string(p.pid);
    if (!want.empty() && !want.erase(pid))
      continue;
    std::string list;
    for (const CardUse& u : p.cards)
      list += std::to_string(u.card) + " ";
    c.out.line(fmt::format("PID {} is using {} DRM device(s):\n{}", pid, p.cards.size(), list));
    c.out.machine_system("PID" + pid, list);
    if (want.empty() && !pids.empty())
      return;
  }
  for (const std::string& pid : want)
    c.out.failure("PID " + pid + " uses no card");
}

void show_events(Context& c, const std::vector<std::string>& kinds, double seconds) {
  std::vector<std::string> names;
  for (EventKind k : all_event_kinds())
    names.push_back(event_name(k));
  auto words = known_words(c, "--showevents", kinds, names);
  if (words.empty() && !kinds.empty())
    return; // nothing that could come was asked for
  if (!c.model.software() && !c.model.cards().empty()) {
    c.out.failure("--showevents: events of real cards are not implemented (an ioctl of /dev/kfd)");
    return;
  }
  std::set<std::string> want(words.begin(), words.end());
  // Whoever interrupts gets what came so far, as one document.
  for (int s : {SIGINT, SIGTERM, SIGHUP})
    std::signal(s, [](int) { g_stop = 1; });
  c.out.section(" Show Events ");
  c.out.line("DEVICE\tTIME\tTYPE\tDESCRIPTION");
  if (c.cards.empty())
    return; // nothing can come
  uint64_t next = c.model.next_event();
  timespec start, now;
  clock_gettime(CLOCK_MONOTONIC, &start);
  size_t n = 0;
  for (;;) {
    for (const Event& e : c.model.events(next)) {
      next = e.number + 1;
      bool chosen = std::any_of(c.cards.begin(), c.cards.end(),
                                [&](const Card* k) { return k->index == e.card; });
      if (!chosen || (!want.empty() && !want.count(event_name(e.kind))))
        continue;
      time_t s = static_cast<time_t>(e.time_ns / 1'000'000'000);
      tm t{};
      localtime_r(&s, &t);
      c.out.line(fmt::format("GPU[{}]\t{:02d}:{:02d}:{:02d}\t{}\t{}", e.card, t.tm_hour, t.tm_min,
                             t.tm_sec, event_name(e.kind), e.message));
      c.out.machine_system(fmt::format("event {}", n++),
                           fmt::format("card{}, {}, {}", e.card, event_name(e.kind), e.message));
    }
    if (c.format == Format::text && !write_output(c.out.drain_text(), "", false)) {
      c.out.failure("--showevents: ended, for nothing more can be written");
      return;
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    double passed = static_cast<double>(now.tv_sec - start.tv_sec) +
                    static_cast<double>(now.tv_nsec - start.tv_nsec) / 1e9;
    if (passed >= seconds || g_stop || reader_gone())
      return;
    timespec nap{0, 20'000'000};
    nanosleep(&nap, nullptr);
  }
}

} // namespace pumice::smi::rocm_smi
