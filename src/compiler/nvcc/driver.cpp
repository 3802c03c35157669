// SPDX-License-Identifier: MIT
#include "compiler/nvcc/driver.h"
#include "compiler/hipify/report.h"
#include "compiler/hipify/tree.h"
#include "compiler/nvcc/overlay.h"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fcntl.h>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace pumice::nvcc {
namespace {

std::string quoted(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& w : words) {
    bool plain = !w.empty() && w.find_first_of(" \t\"'$\\*?;&|<>()") == w.npos;
    out += (out.empty() ? "" : " ") + (plain ? w : "'" + w + "'");
  }
  return out;
}

int execute(const std::vector<std::string>& words) {
  std::fflush(nullptr);
  pid_t child = fork();
  if (child < 0) {
    std::fprintf(stderr, "pumice cc: cannot start a process: %s\n", std::strerror(errno));
    return 1;
  }
  if (child == 0) {
    std::vector<char*> argv;
    for (const std::string& w : words)
      argv.push_back(const_cast<char*>(w.c_str()));
    argv.push_back(nullptr);
    execvp(argv[0], argv.data());
    std::fprintf(stderr, "pumice cc: cannot run %s: %s\n", argv[0], std::strerror(errno));
    _exit(127);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Objects compiled with -fgpu-rdc carry their device code as an offload bundle.
bool holds_device_bitcode(const std::string& path) {
  Result<std::string> bytes = hipify::read_file(path);
  return bytes && bytes->find("__CLANG_OFFLOAD_BUNDLE__hip") != std::string::npos;
}

std::string default_output(const Command& c, const std::string& input) {
  std::string stem = fs::path(input).stem().string();
  std::string name = c.device_only ? stem + ".co" : stem + ".o";
  return c.output_dir.empty() ? name : (fs::path(c.output_dir) / name).string();
}

int device_link(const Command& c) {
  // HIP links device code together with the host's: the object of this step is empty, the final link does the work.
  std::string output = c.output.empty() ? "a_dlink.o" : c.output;
  std::fprintf(stderr, "pumice cc: note: -dlink: device code is linked by the final link; use pumice cc for it too\n");
  return execute({"clang-19", "-x", "c", "-c", "/dev/null", "-o", output});
}

} // namespace

Paths find_paths(const std::string& argv0) {
  std::error_code ec;
  fs::path self = fs::read_symlink("/proc/self/exe", ec);
  if (ec)
    self = argv0;
  fs::path bin = self.parent_path();
  Paths p;
  p.hipcc = (bin / "hipcc").string();
  if (!fs::exists(p.hipcc, ec))
    p.hipcc = "hipcc";
  p.includes = (bin.parent_path() / "include" / "pumice" / "cuda").string();
  return p;
}

int run(const Command& c, const Paths& paths) {
  auto fail = [](const std::string& message) {
    std::fprintf(stderr, "pumice cc: %s\n", message.c_str());
    return 1;
  };
  for (const std::string& n : c.notes)
    std::fprintf(stderr, "pumice cc: note: %s\n", n.c_str());
  if (c.inputs.empty())
    return fail("no input files");
  if (c.device_link)
    return device_link(c);
  bool stop_before_link = c.compile_only || c.preprocess || c.dependencies;
  if (c.archive) {
    std::vector<std::string> words{"ar", "rcs", c.output.empty() ? "a.a" : c.output};
    for (const Input& i : c.inputs)
      words.push_back(i.path);
    return execute(words);
  }

  Overlay overlay;
  if (c.keep)
    overlay.keep();
  bool any_source = false, rdc = c.rdc;
  for (const Input& i : c.inputs) {
    if (i.language == Language::none) {
      if (!stop_before_link && !rdc && i.path.ends_with(".o"))
        rdc = holds_device_bitcode(i.path);
      continue;
    }
    any_source = true;
    if (!c.translate)
      continue;
    if (Status s = overlay.add(i.path, c.include_dirs); !s.ok())
      return fail(s.message);
  }
  hipify::Options options;
  options.insert_main_header = false;
  options.keep_lines = true;
  options.keep_version_macros = true;
  options.logical_warps = true;
  options.experimental = true;
  Result<std::string> description = overlay.write(options);
  if (!description)
    return fail(description.status().message);
  for (const hipify::Finding& f : overlay.findings())
    if (f.code->severity == hipify::Severity::error)
      std::fprintf(stderr, "%s:%u:%u: warning: %s [%.*s]\n", f.file.c_str(), f.line, f.column, f.message.c_str(),
                   int(f.code->code.size()), f.code->code.data());

  // Names put together by the preprocessor escape the translator: those sources see CUDA's names as macros for HIP's.
  std::vector<std::string> names;
  for (const hipify::Finding& f : overlay.findings())
    if (f.code->code == "A010")
      for (const char* library : {"runtime", "cublas", "cudnn", "cufft", "curand", "cusolver", "cusparse"}) {
        std::string header = "pumice/cuda/pumice_names_" + std::string(library) + ".h";
        bool used = names.empty() || f.message.find(library) != std::string::npos; // the runtime's in any case
        if (used && std::find(names.begin(), names.end(), header) == names.end())
          names.insert(names.end(), {"-include", header});
      }

  std::vector<std::string> common{paths.hipcc};
  common.insert(common.end(), c.flags.begin(), c.flags.end());
  if (rdc && !c.rdc)
    common.push_back("-fgpu-rdc");
  if (any_source && c.translate) {
    if (!description->empty())
      common.insert(common.end(), {"-ivfsoverlay", *description});
    // Headers that a translated source does not reach by a path of the project: CUDA's names for HIP's.
    common.insert(common.end(), {"-idirafter", paths.includes, "-Wno-unused-command-line-argument",
                                 "-Wno-unused-result", "-Wno-unused-value",
                                 // nvcc and g++ only warn of these, clang refuses them by default
                                 "-Wno-error=register", "-Wno-error=c++11-narrowing"});
  }
  bool std_given = false;
  for (const std::string& f : c.flags)
    std_given |= f.starts_with("-std=");
  std::vector<std::string> cuda_flags;
  if (c.translate)
    cuda_flags = {"-include", "pumice/cuda/direct.h"};
  if (!std_given)
    cuda_flags.push_back("-std=c++17");
  if (c.device_only)
    common.push_back("--genco");

  auto add_input = [&](std::vector<std::string>& words, const Input& i) {
    const char* language = i.language == Language::cuda  ? "hip"
                           : i.language == Language::cpp ? "c++"
                           : i.language == Language::c   ? "c"
                                                         : "none";
    words.insert(words.end(), {"-x", language, i.path});
  };
  auto finish = [&](std::vector<std::string> words) {
    if (c.verbose || c.dry_run)
      std::fprintf(stderr, "%s\n", quoted(words).c_str());
    return c.dry_run ? 0 : execute(words);
  };
  auto compile_words = [&](const Input& i) {
    std::vector<std::string> out;
    for (const std::string& f : common) // g++ only warns of a C++ standard for C; clang stops
      if (i.language != Language::c || !(f.starts_with("-std=c++") || f.starts_with("-std=gnu++")))
        out.push_back(f);
    if (i.language == Language::cuda)
      out.insert(out.end(), cuda_flags.begin(), cuda_flags.end());
    else if (i.language != Language::none)
      out.insert(out.end(), {"-D__HIP_PLATFORM_AMD__", "-include", "pumice/cuda/direct_host.h"});
    if (c.translate && i.language != Language::none)
      out.insert(out.end(), names.begin(), names.end());
    return out;
  };

  if (stop_before_link) {
    int status = 0;
    for (const Input& i : c.inputs) {
      if (i.language == Language::none)
        continue;
      std::vector<std::string> words = compile_words(i);
      if (c.compile_only && !c.device_only)
        words.push_back("-c");
      add_input(words, i);
      std::string output = c.output;
      if (output.empty() && c.compile_only && !c.preprocess && !c.dependencies)
        output = default_output(c, i.path);
      if (!output.empty())
        words.insert(words.end(), {"-o", output});
      if (int s = finish(words))
        status = s;
    }
    return status;
  }

  // Link: sources of other languages than CUDA are compiled on their own, so that each gets its flags.
  std::vector<std::string> objects;
  std::string folder = overlay.folder();
  std::string own_folder;
  if (folder.empty()) {
    own_folder = (fs::temp_directory_path() / "pumice-cc-XXXXXX").string();
    if (!mkdtemp(own_folder.data()))
      return fail("cannot make a temporary folder");
    folder = own_folder;
  }
  int status = 0;
  size_t n = 0;
  for (const Input& i : c.inputs) {
    if (i.language == Language::none) {
      objects.push_back(i.path);
      continue;
    }
    std::string object = folder + "/" + std::to_string(n++) + ".o";
    std::vector<std::string> words = compile_words(i);
    words.push_back("-c");
    add_input(words, i);
    words.insert(words.end(), {"-o", object});
    if (int s = finish(words)) {
      status = s;
      break;
    }
    objects.push_back(object);
  }
  std::string program = !c.output.empty() ? c.output : c.output_dir.empty() ? "a.out" : (fs::path(c.output_dir) / "a.out").string();
  if (status == 0) {
    std::vector<std::string> words{paths.hipcc};
    for (const std::string& f : c.flags)
      if (!f.starts_with("-M") && !f.starts_with("-I") && !f.starts_with("-D"))
        words.push_back(f);
    if (rdc && !c.rdc)
      words.push_back("-fgpu-rdc");
    words.push_back("-Wno-unused-command-line-argument");
    words.insert(words.end(), objects.begin(), objects.end());
    words.insert(words.end(), c.libraries.begin(), c.libraries.end());
    words.insert(words.end(), {"-o", program});
    status = finish(words);
  }
  std::error_code ec;
  if (!own_folder.empty())
    fs::remove_all(own_folder, ec);
  if (status == 0 && c.run && !c.dry_run)
    return execute({fs::absolute(program, ec).string()});
  return status;
}

} // namespace pumice::nvcc
