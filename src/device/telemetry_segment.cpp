// SPDX-License-Identifier: MIT
#include "device/telemetry_segment.h"
#include "base/options.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

namespace pumice::device::telemetry {
namespace {

constexpr size_t kMessage = 63; // the C interfaces' field has 64 bytes with the NUL
constexpr uint64_t kMagic = 0x50756d69636554 << 8 | kLayout;

uint64_t clock_ns(clockid_t id) {
  timespec t;
  clock_gettime(id, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(t.tv_nsec);
}

// Pids mean nothing in another pid namespace, so each has its own file.
std::string pid_namespace() {
  char link[64];
  ssize_t n = readlink("/proc/self/ns/pid", link, sizeof link - 1);
  std::string digits;
  for (ssize_t i = 0; i < n; ++i)
    if (link[i] >= '0' && link[i] <= '9')
      digits.push_back(link[i]);
  return digits.empty() ? "0" : digits;
}

} // namespace

std::string Mapping::path() {
  std::string text = options::text(options::Id::telemetry);
  if (text == "off" || text == "0")
    return {};
  if (!text.empty())
    return text;
  return "/dev/shm/pumice-" + std::to_string(geteuid()) + "-" + pid_namespace() + ".telemetry" +
         std::to_string(kLayout);
}

Result<std::shared_ptr<Mapping>> Mapping::open(const std::string& path) {
  auto fail = [&](const std::string& what) {
    return error(Code::system, "telemetry segment " + path + ": " + what);
  };
  if (path.empty())
    return error(Code::not_found, "telemetry is off (PUMICE_TELEMETRY)");
  int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0)
    return fail(std::strerror(errno));
  struct stat st;
  std::string problem;
  if (fstat(fd, &st) != 0)
    problem = std::strerror(errno);
  else if (!S_ISREG(st.st_mode) || st.st_uid != geteuid())
    problem = "is not a file of this user";
  else if ((st.st_mode & 077) != 0)
    problem = "is open to other users";
  else if (static_cast<size_t>(st.st_size) < sizeof(Segment) &&
           ftruncate(fd, static_cast<off_t>(sizeof(Segment))) != 0)
    problem = std::strerror(errno);
  else if (int e = posix_fallocate(fd, 0, static_cast<off_t>(sizeof(Segment))); e != 0 && e != EOPNOTSUPP)
    problem = std::strerror(e); // a full file system would otherwise end us with SIGBUS at the first store
  void* at = MAP_FAILED;
  if (problem.empty()) {
    at = mmap(nullptr, sizeof(Segment), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (at == MAP_FAILED)
      problem = std::strerror(errno);
  }
  close(fd);
  if (!problem.empty())
    return fail(problem);
  std::shared_ptr<Mapping> m(new Mapping);
  m->segment_ = static_cast<Segment*>(at);
  uint64_t none = 0;
  if (m->segment_->magic.compare_exchange_strong(none, kMagic))
    m->segment_->created_ns.store(clock_ns(CLOCK_REALTIME), std::memory_order_relaxed);
  else if (none != kMagic)
    return fail("holds something else");
  return m;
}

Mapping::~Mapping() {
  if (segment_)
    munmap(static_cast<void*>(segment_), sizeof(Segment));
}

uint64_t owner_word(uint32_t pid) {
  char path[40], text[1024];
  std::snprintf(path, sizeof path, "/proc/%u/stat", pid);
  int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return 0;
  ssize_t n = read(fd, text, sizeof text - 1);
  close(fd);
  if (n <= 0)
    return 0;
  text[n] = 0;
  // The command name may hold spaces and parentheses: fields count from the last ')'.
  const char* p = std::strrchr(text, ')');
  if (!p || p[1] == 0)
    return 0;
  if (p[2] == 'Z' || p[2] == 'X') // has ended; only its parent has not asked yet
    return 0;
  for (int field = 2; p && field < 22; ++field)
    p = std::strchr(p + 1, ' ');
  if (!p)
    return 0;
  uint64_t start = std::strtoull(p, nullptr, 10);
  return uint64_t{pid} << 32 | static_cast<uint32_t>(start);
}

uint64_t profile_hash(std::string_view name) {
  uint64_t h = 0xcbf29ce484222325;
  for (unsigned char c : name)
    h = (h ^ c) * 0x100000001b3;
  return h | 1;
}

uint64_t now_units() {
  return clock_ns(CLOCK_MONOTONIC) >> kUnitShift;
}

void post_event(Segment& s, uint32_t card, uint32_t type, std::string_view message) {
  uint64_t number = s.next_event.fetch_add(1, std::memory_order_acq_rel);
  Event& e = s.events[number % kEvents];
  e.sequence.store(0, std::memory_order_release);
  e.time_ns.store(clock_ns(CLOCK_REALTIME), std::memory_order_relaxed);
  e.card.store(card, std::memory_order_relaxed);
  e.type.store(type, std::memory_order_relaxed);
  e.message.store(whole_characters(message, kMessage));
  e.sequence.store(number + 1, std::memory_order_release);
}

} // namespace pumice::device::telemetry
