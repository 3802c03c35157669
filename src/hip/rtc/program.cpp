// SPDX-License-Identifier: MIT
#include "hip/rtc/program.h"
#include "codeobj/code_object.h"
#include "compiler/toolchain.h"
#include "hip/hsa_api.h"
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace fs = std::filesystem;
namespace pumice::hip::rtc {
namespace {

/// A private folder that disappears with the object.
class Folder {
public:
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "pumice-rtc-XXXXXX").string();
    if (mkdtemp(pattern.data()))
      path_ = pattern;
  }
  ~Folder() {
    std::error_code ec;
    if (!path_.empty())
      fs::remove_all(path_, ec);
  }
  const fs::path& path() const { return path_; }

private:
  fs::path path_;
};

bool write_file(const fs::path& path, const std::string& text) {
  std::error_code ec;
  fs::create_directories(path.parent_path(), ec);
  std::ofstream f(path, std::ios::binary);
  f << text;
  return f.good();
}

std::string read_file(const fs::path& path) {
  std::ifstream f(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(f), {}};
}

/// Runs `command` with output and errors in `log`. The exit status, or -1.
int run(std::vector<std::string> command, const fs::path& log) {
  std::vector<char*> argv;
  for (std::string& w : command)
    argv.push_back(w.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t pid = 0;
  int e = posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (e)
    return -1;
  int status = 0;
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR)
      return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string marker(size_t i) {
  return "__pumice_rtc_name_" + std::to_string(i);
}

/// Linker names of the expressions: each marker variable holds the address of its kernel or
/// variable.
bool lower_names(Program& p) {
  auto object =
      codeobj::parse_code_object({reinterpret_cast<const uint8_t*>(p.code.data()), p.code.size()});
  if (!object)
    return false;
  for (size_t i = 0; i < p.expressions.size(); ++i) {
    const codeobj::Symbol* variable = nullptr;
    for (const auto& s : object->dynamic_symbols)
      if (s.name == marker(i))
        variable = &s;
    if (!variable)
      return false;
    for (const auto& r : object->relocations) {
      if (r.offset != variable->value)
        continue;
      if (r.symbol)
        p.lowered[p.expressions[i]] = object->dynamic_symbols[r.symbol].name;
      else
        for (const auto& s : object->dynamic_symbols)
          if (s.defined && s.value == static_cast<uint64_t>(r.addend) &&
              s.name.find(".kd") == std::string::npos)
            p.lowered[p.expressions[i]] = s.name;
    }
    if (!p.lowered.count(p.expressions[i]))
      return false;
  }
  return true;
}

} // namespace

Outcome compile(Program& p, const std::vector<std::string>& options) {
  p.compiled = false;
  p.code.clear();
  p.log.clear();
  p.lowered.clear();
  Folder folder;
  if (folder.path().empty())
    return Outcome::internal;

  auto env = compiler::process_environment();
  // Beside the library is the tree that has the headers and device libraries.
  std::string beside = fs::path(library_folder()).parent_path().string();
  bool installed = fs::exists(fs::path(beside) / "include/hip/hip_version.h");
  compiler::Toolchain t = compiler::find_toolchain(env, "", installed ? beside : "");

  std::string text = p.source + "\n";
  for (size_t i = 0; i < p.expressions.size(); ++i) {
    std::string e = p.expressions[i];
    while (!e.empty() && (e[0] == '&' || e[0] == ' '))
      e.erase(0, 1);
    text += "extern \"C\" __device__ __attribute__((used)) const void* " + marker(i) +
            " = (const void*)&(" + e + ");\n";
  }
  std::string name = fs::path(p.name.empty() ? "program" : p.name).filename().string();
  fs::path source = folder.path() / (name + ".hip");
  bool written = write_file(source, text);
  for (const auto& [include, body] : p.headers) {
    // Names may have folders but must stay inside ours.
    fs::path where = fs::path(include).lexically_normal();
    if (where.is_absolute() || (!where.empty() && *where.begin() == ".."))
      return Outcome::invalid_option;
    written = written && write_file(folder.path() / "include" / where, body);
  }
  if (!written)
    return Outcome::internal;

  fs::path out = folder.path() / "out.co", log = folder.path() / "log";
  std::vector<std::string> c{t.clang,
                             "--rocm-path=" + t.rocm_path,
                             "--rocm-device-lib-path=" + t.device_libs,
                             "-isystem",
                             t.rocm_path + "/include",
                             "-x",
                             "hip",
                             "--cuda-device-only",
                             "--no-gpu-bundle-output",
                             "-mcode-object-version=5",
                             "-O3",
                             "-std=c++17",
                             "-Wno-unused-command-line-argument",
                             "-include",
                             "hip/hip_runtime.h",
                             "-I",
                             (folder.path() / "include").string()};
  bool has_target = false;
  for (const std::string& o : options) {
    for (const char* prefix : {"--gpu-architecture=", "--offload-arch=", "-arch="})
      if (o.rfind(prefix, 0) == 0) {
        c.push_back("--offload-arch=" + o.substr(std::strlen(prefix)));
        has_target = true;
      }
    bool target = o.rfind("--gpu-architecture=", 0) == 0 || o.rfind("--offload-arch=", 0) == 0 ||
                  o.rfind("-arch=", 0) == 0;
    // Where output goes and what kind it is are not for the caller.
    if (o == "-c" || o == "-o" || o == "-fgpu-rdc")
      return Outcome::invalid_option;
    if (!target)
      c.push_back(o);
  }
  if (!has_target)
    c.push_back("--offload-arch=" + compiler::default_target(env));
  c.insert(c.end(), {source.string(), "-o", out.string()});
  int status = run(c, log);
  p.log = read_file(log);
  if (status < 0) {
    p.log += "cannot run " + t.clang + "\n";
    return Outcome::internal;
  }
  if (status != 0)
    return Outcome::failed;
  std::string code = read_file(out);
  p.code.assign(code.begin(), code.end());
  if (!lower_names(p))
    return Outcome::name_not_valid;
  p.compiled = true;
  return Outcome::ok;
}

} // namespace pumice::hip::rtc
