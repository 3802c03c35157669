// SPDX-License-Identifier: MIT
#include "jit/code_cache.h"
#include "base/options.h"
#include "jit/abi.h"
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <atomic>
#include <chrono>
#include <cpuid.h>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <mutex>
#include <sstream>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace pumice::jit {

namespace {

constexpr uint64_t kMagic = 0x316a65636d7570ull; // "pumcej1"
constexpr uint64_t kMaxCacheBytes = 1ull << 30;

double now_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Identity of the host CPU as code generation sees it.
uint64_t cpu_hash() {
  static const uint64_t h = [] {
    uint32_t r[16] = {};
    __cpuid(1, r[0], r[1], r[2], r[3]);
    r[1] = 0; // holds the current core's APIC id
    __cpuid_count(7, 0, r[4], r[5], r[6], r[7]);
    __cpuid_count(7, 1, r[8], r[9], r[10], r[11]);
    return hash_bytes(r, sizeof r);
  }();
  return h;
}

std::string self_dir() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void*>(&cpu_hash), &info) || !info.dli_fname) return ".";
  std::string p = info.dli_fname;
  size_t slash = p.rfind('/');
  return slash == std::string::npos ? "." : p.substr(0, slash);
}

struct Translator {
  TranslateFn translate = nullptr;
  CountFn count = nullptr;
};

Result<Translator> translator() {
  static std::mutex mutex;
  static Translator fn;
  std::lock_guard lock(mutex);
  if (fn.translate) return fn;
  std::string tried;
  for (const std::string& p : {self_dir() + "/pumice/libpumice-translator.so", self_dir() + "/../lib/pumice/libpumice-translator.so",
                               self_dir() + "/libpumice-translator.so"}) {
    void* h = dlopen(p.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (h) {
      fn.count = reinterpret_cast<CountFn>(dlsym(h, "pumice_count_instructions"));
      fn.translate = reinterpret_cast<TranslateFn>(dlsym(h, "pumice_translate"));
      if (fn.translate && fn.count) return fn;
      fn = {};
    }
    const char* e = dlerror();
    tried += "\n  " + std::string(e ? e : p);
  }
  return error(Code::system, "cannot open the translator library:" + tried);
}

/// The translator's own bytes: another translator makes new keys, the same one installed again does not.
uint64_t build_hash() {
  static const uint64_t h = [] {
    uint64_t v = kAbiVersion;
    for (const std::string& p : {self_dir() + "/pumice/libpumice-translator.so", self_dir() + "/../lib/pumice/libpumice-translator.so"}) {
      int fd = open(p.c_str(), O_RDONLY | O_CLOEXEC);
      if (fd < 0) continue;
      struct stat st;
      if (fstat(fd, &st) == 0 && st.st_size > 0) {
        auto size = static_cast<size_t>(st.st_size);
        if (void* bytes = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0); bytes != MAP_FAILED) {
          v = hash_bytes(bytes, size, v);
          munmap(bytes, size);
        }
      }
      close(fd);
    }
    return v;
  }();
  return h;
}

std::string cache_dir() {
  if (!options::flag(options::Id::cache)) return "";
  std::string d = options::text(options::Id::cache_dir);
  if (d.empty()) {
    const char* x = std::getenv("XDG_CACHE_HOME"); // a platform convention, not one of our options
    const char* home = std::getenv("HOME");
    if (x && *x) d = std::string(x) + "/pumice";
    else if (home && *home) d = std::string(home) + "/.cache/pumice";
    else return "";
  }
  std::string part;
  for (size_t k = 1; k <= d.size(); k++)
    if (k == d.size() || d[k] == '/') mkdir(d.substr(0, k).c_str(), 0700);
  struct stat st;
  // Only a folder that is ours alone: code from it is executed.
  if (stat(d.c_str(), &st) || !S_ISDIR(st.st_mode) || st.st_uid != geteuid() || (st.st_mode & 022)) return "";
  return d;
}

std::string file_name(const std::string& dir, uint64_t key) {
  char buf[40];
  std::snprintf(buf, sizeof buf, "/%016llx.pco", static_cast<unsigned long long>(key));
  return dir + buf;
}

struct Header {
  uint64_t magic, key, size, check;
};

std::vector<uint8_t> read_cached(const std::string& file, uint64_t key) {
  int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) return {};
  Header h;
  std::vector<uint8_t> bytes;
  struct stat st;
  bool ok = fstat(fd, &st) == 0 && st.st_uid == geteuid() && read(fd, &h, sizeof h) == ssize_t(sizeof h) &&
            h.magic == kMagic && h.key == key && h.size == uint64_t(st.st_size) - sizeof h;
  if (ok) {
    bytes.resize(h.size);
    ok = read(fd, bytes.data(), bytes.size()) == ssize_t(bytes.size()) && hash_bytes(bytes.data(), bytes.size()) == h.check;
  }
  if (ok) futimens(fd, nullptr);
  close(fd);
  if (!ok) {
    unlink(file.c_str());
    return {};
  }
  return bytes;
}

/// Removes the oldest files when the cache outgrows its bound.
void trim(const std::string& dir) {
  struct File {
    std::string path;
    uint64_t size;
    int64_t used;
  };
  std::vector<File> files;
  uint64_t total = 0;
  DIR* d = opendir(dir.c_str());
  if (!d) return;
  while (dirent* e = readdir(d)) {
    std::string p = dir + "/" + e->d_name;
    struct stat st;
    if (p.ends_with(".pco") && lstat(p.c_str(), &st) == 0) files.push_back({p, uint64_t(st.st_size), st.st_mtime}), total += st.st_size;
  }
  closedir(d);
  if (total <= kMaxCacheBytes) return;
  std::sort(files.begin(), files.end(), [](auto& a, auto& b) { return a.used < b.used; });
  for (auto& f : files) {
    if (total <= kMaxCacheBytes / 4 * 3) break;
    if (unlink(f.path.c_str()) == 0) total -= f.size;
  }
}

void write_cached(const std::string& dir, uint64_t key, const std::vector<uint8_t>& bytes) {
  std::string tmp = dir + "/tmp.XXXXXX";
  int fd = mkostemp(tmp.data(), O_CLOEXEC);
  if (fd < 0) return;
  Header h{kMagic, key, bytes.size(), hash_bytes(bytes.data(), bytes.size())};
  bool ok = write(fd, &h, sizeof h) == ssize_t(sizeof h) && write(fd, bytes.data(), bytes.size()) == ssize_t(bytes.size());
  close(fd);
  if (!ok || rename(tmp.c_str(), file_name(dir, key).c_str())) unlink(tmp.c_str());
  static std::atomic<unsigned> writes{0};
  if (writes++ % 64 == 0) trim(dir);
}

/// Counts behind the object, so that the cache and a child process hand them on: a text and, in the last eight bytes,
/// a mark and its length.
constexpr uint32_t kCountsMark = 0x53544350;
void append_counts(std::vector<uint8_t>& bytes, const TranslateStats& s) {
  std::string text = std::to_string(s.guest_instructions);
  for (auto* list : {&s.fallbacks, &s.approximate}) {
    text += " " + std::to_string(list->size());
    for (auto& [mnemonic, n] : *list) text += " " + mnemonic + " " + std::to_string(n);
  }
  uint32_t tail[2] = {kCountsMark, static_cast<uint32_t>(text.size())};
  bytes.insert(bytes.end(), text.begin(), text.end());
  bytes.insert(bytes.end(), reinterpret_cast<uint8_t*>(tail), reinterpret_cast<uint8_t*>(tail + 2));
}

void take_counts(std::vector<uint8_t>& bytes, TranslateStats& s) {
  uint32_t tail[2];
  if (bytes.size() < sizeof tail) return;
  std::memcpy(tail, bytes.data() + bytes.size() - sizeof tail, sizeof tail);
  if (tail[0] != kCountsMark || tail[1] > bytes.size() - sizeof tail) return;
  auto end = bytes.end() - sizeof tail;
  std::istringstream in(std::string(end - tail[1], end));
  bytes.resize(bytes.size() - sizeof tail - tail[1]);
  in >> s.guest_instructions;
  for (auto* list : {&s.fallbacks, &s.approximate}) {
    size_t n = 0;
    std::string mnemonic;
    uint32_t count;
    for (in >> n; n && in >> mnemonic >> count; n--) (*list)[mnemonic] = count;
  }
}

uint64_t key_of(const TranslateInput& in, uint64_t code_hash) {
  uint64_t h = hash_bytes(&code_hash, 8, build_hash());
  uint64_t cpu = cpu_hash();
  h = hash_bytes(&cpu, 8, h);
  h = hash_bytes(in.name.data(), in.name.size(), h);
  h = hash_bytes(in.cpu.data(), in.cpu.size(), h);
  h = hash_bytes(in.features.data(), in.features.size(), h);
  uint64_t facts[8] = {uint64_t(in.target), in.entry - in.load_bias, in.variant.workgroup[0], in.variant.workgroup[1],
                       in.variant.workgroup[2], in.variant.partial_groups, in.variant.small_grid, in.quick};
  return hash_bytes(facts, sizeof facts, h);
}

} // namespace

uint64_t hash_bytes(const void* p, size_t n, uint64_t h) {
  // Eight bytes a step: code objects are megabytes.
  const auto* b = static_cast<const uint8_t*>(p);
  for (; n >= 8; b += 8, n -= 8) {
    uint64_t v;
    std::memcpy(&v, b, 8);
    h = (h ^ v) * 0x9fb21c651e98df25ull;
    h ^= h >> 29;
  }
  for (; n; b++, n--) h = (h ^ *b) * 1099511628211ull;
  return h ^ (h >> 32);
}

bool is_cached(const TranslateInput& in, uint64_t code_hash) {
  std::string dir = in.dump_dir.empty() ? cache_dir() : "";
  return !dir.empty() && access(file_name(dir, key_of(in, code_hash)).c_str(), R_OK) == 0;
}

CodeSize count_instructions(const TranslateInput& in) {
  auto t = translator();
  return t.ok() ? t->count(in) : CodeSize{};
}

namespace {

std::mutex translating; // held while this process is inside the translator, and across fork()

/// The object from a forked child, through a pipe. Empty when the child failed.
std::vector<uint8_t> translate_in_child(const Translator& t, const TranslateInput& in) {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC)) return {};
  pid_t pid;
  {
    std::lock_guard lock(translating); // no other thread is inside LLVM: the child finds its locks free
    pid = fork();
  }
  if (pid == 0) {
    for (int s : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) signal(s, SIG_DFL);
    // Ends with its parent, holds none of its streams open, and stands back behind it.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (int null = open("/dev/null", O_RDWR); null >= 0)
      for (int s = 0; s < 3; s++) dup2(null, s);
    // A pipe of the program whose write end lived on here would never end for its reader.
    if (fds[1] != 3) dup2(fds[1], 3);
    close_range(4, ~0u, 0);
    if (!in.quick) (void)!nice(5);
    rlimit cpu{300, 300};
    setrlimit(RLIMIT_CPU, &cpu);
    TranslateOutput out;
    if (!t.translate(in, out).ok()) _exit(1);
    append_counts(out.object, out.stats);
    for (size_t at = 0; at < out.object.size();) {
      ssize_t n = write(3, out.object.data() + at, out.object.size() - at);
      if (n <= 0) _exit(1);
      at += static_cast<size_t>(n);
    }
    _exit(0);
  }
  close(fds[1]);
  std::vector<uint8_t> bytes;
  uint8_t buf[1 << 16];
  for (ssize_t n; pid > 0 && ((n = read(fds[0], buf, sizeof buf)) > 0 || (n < 0 && errno == EINTR));)
    if (n > 0) bytes.insert(bytes.end(), buf, buf + n);
  close(fds[0]);
  int status = 1;
  while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (status != 0) bytes.clear();
  return bytes;
}

} // namespace

Result<std::unique_ptr<CompiledKernel>> compile_kernel(const TranslateInput& in, uint64_t code_hash, Where where) {
  double t0 = now_ms();
  auto k = std::make_unique<CompiledKernel>();
  uint64_t key = key_of(in, code_hash);
  std::string dir = in.dump_dir.empty() ? cache_dir() : "";
  if (!dir.empty()) {
    std::vector<uint8_t> bytes = read_cached(file_name(dir, key), key);
    if (!bytes.empty()) {
      take_counts(bytes, k->stats);
      auto obj = load_object(bytes);
      if (obj.ok()) {
        k->object = std::move(*obj);
        k->from_cache = true;
        k->ready_ms = now_ms() - t0;
        return k;
      }
    }
  }
  TRY_ASSIGN(Translator t, translator());
  TranslateOutput out;
  if (where == Where::child_process) {
    out.object = translate_in_child(t, in);
    if (out.object.empty()) return error(Code::internal, "the background translation failed");
  } else {
    std::lock_guard lock(translating);
    TRY(t.translate(in, out));
    append_counts(out.object, out.stats);
  }
  std::vector<uint8_t> kept = out.object;
  take_counts(out.object, out.stats);
  TRY_ASSIGN(k->object, load_object(out.object));
  k->stats = std::move(out.stats);
  if (!dir.empty()) write_cached(dir, key, kept);
  k->ready_ms = now_ms() - t0;
  return k;
}

} // namespace pumice::jit
