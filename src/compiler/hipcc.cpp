// SPDX-License-Identifier: MIT
#include "compiler/hipcc.h"
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace pumice::compiler {
namespace {

bool starts_with(const std::string& s, const char* prefix) {
  return s.rfind(prefix, 0) == 0;
}

/// Options of clang whose value is the next argument.
bool takes_value(const std::string& a) {
  static const char* const kOptions[] = {"-o",
                                         "-I",
                                         "-D",
                                         "-U",
                                         "-L",
                                         "-l",
                                         "-include",
                                         "-isystem",
                                         "-iquote",
                                         "-imacros",
                                         "-MF",
                                         "-MT",
                                         "-MQ",
                                         "-Xlinker",
                                         "-Xclang",
                                         "-mllvm",
                                         "-target",
                                         "-T",
                                         "-u",
                                         "-z",
                                         "-idirafter",
                                         "-isysroot",
                                         "-Xoffload-linker",
                                         "-Xarch_host",
                                         "-Xarch_device",
                                         "-Xassembler",
                                         "-Xpreprocessor",
                                         "--param",
                                         "-framework",
                                         "-iprefix",
                                         "-iwithprefix",
                                         "-arch",
                                         "-dumpbase",
                                         "-F",
                                         "-e",
                                         "-A",
                                         "-G",
                                         "-working-directory",
                                         "-fmodule-file"};
  return std::any_of(std::begin(kOptions), std::end(kOptions),
                     [&](const char* o) { return a == o; });
}

enum class Input { object, hip, c, other_source };

Input classify(const std::string& path) {
  std::string ext = std::filesystem::path(path).extension().string();
  for (const char* e : {".cu", ".hip", ".cpp", ".cxx", ".cc", ".C", ".c++", ".CPP", ".hipfb.cpp"})
    if (ext == e)
      return Input::hip;
  if (ext == ".c")
    return Input::c;
  for (const char* e : {".s", ".S", ".ll", ".bc", ".i", ".ii", ".hipi", ".cui"})
    if (ext == e)
      return Input::other_source;
  return Input::object;
}

std::vector<std::string> split_words(const std::string& text) {
  std::vector<std::string> words;
  std::string w;
  bool any = false;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '\\' && i + 1 < text.size() && quote != '\'') {
      w += text[++i];
      any = true;
    } else if (quote) {
      if (c == quote)
        quote = 0;
      else
        w += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      any = true;
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      if (any)
        words.push_back(w);
      w.clear();
      any = false;
    } else {
      w += c;
      any = true;
    }
  }
  if (any)
    words.push_back(w);
  return words;
}

Result<std::vector<std::string>> expand_response_files(const std::vector<std::string>& args) {
  std::vector<std::string> out;
  for (const std::string& a : args) {
    if (a.size() < 2 || a[0] != '@') {
      out.push_back(a);
      continue;
    }
    std::ifstream f(a.substr(1));
    if (!f)
      return error(Code::not_found, "cannot read response file " + a.substr(1));
    std::string text((std::istreambuf_iterator<char>(f)), {});
    for (std::string& w : split_words(text))
      out.push_back(std::move(w));
  }
  return out;
}

struct Parsed {
  std::vector<std::string> flags; // everything for clang, inputs with their -x included
  std::vector<std::string> targets;
  std::string rocm_path;
  bool link = true;
  bool compiles_hip = false;
  bool has_inputs = false;
  bool has_opt = false, has_cov = false, verbose = false;
  bool unoptimised = false; // the last -O is -O0
  bool rdc = false;
  bool no_rpath = false, no_hip_rt = false;
  bool print_version = false, print_short_version = false, print_help = false;
  bool print_cxxflags = false, print_ldflags = false;
};

void add_targets(Parsed& p, const std::string& list) {
  size_t start = 0;
  while (start <= list.size()) {
    size_t comma = list.find(',', start);
    if (comma == std::string::npos)
      comma = list.size();
    if (comma > start)
      p.targets.push_back(list.substr(start, comma - start));
    start = comma + 1;
  }
}

void add_input(Parsed& p, const std::string& a, bool explicit_language) {
  p.has_inputs = true;
  if (explicit_language) {
    p.flags.push_back(a);
    return;
  }
  switch (classify(a)) {
  case Input::hip:
    p.compiles_hip = true;
    p.flags.insert(p.flags.end(), {"-x", "hip", a, "-x", "none"});
    break;
  case Input::c:
    p.flags.insert(p.flags.end(), {"-x", "c", a, "-x", "none"});
    break;
  default:
    p.flags.push_back(a);
  }
}

Parsed parse(const std::vector<std::string>& args) {
  Parsed p;
  bool explicit_language = false;
  for (size_t i = 0; i < args.size(); ++i) {
    const std::string& a = args[i];
    bool has_next = i + 1 < args.size();
    if (a == "--version")
      p.print_version = true;
    else if (a == "--short-version")
      p.print_short_version = true;
    else if (a == "--help" || a == "-help")
      p.print_help = true;
    else if (a == "--cxxflags")
      p.print_cxxflags = true;
    else if (a == "--ldflags")
      p.print_ldflags = true;
    else if (starts_with(a, "--rocm-path="))
      p.rocm_path = a.substr(12);
    else if (starts_with(a, "--offload-arch="))
      add_targets(p, a.substr(15));
    else if (starts_with(a, "--cuda-gpu-arch="))
      add_targets(p, a.substr(16));
    else if (starts_with(a, "--amdgpu-target="))
      add_targets(p, a.substr(16));
    else if ((a == "--offload-arch" || a == "--amdgpu-target") && has_next)
      add_targets(p, args[++i]);
    else if (a == "--genco") {
      p.link = false;
      p.flags.push_back("--cuda-device-only");
    } else if (a == "--no-rpath" || a == "-no-rpath")
      p.no_rpath = true;
    else if (a == "-no-hip-rt" || a == "--no-hip-rt")
      p.no_hip_rt = true;
    else if (a == "-use-staticlib" || a == "-use-sharedlib" || a == "--hipcc-func-supp" ||
             a == "--hipcc-no-func-supp" || a == "--hip-link") {
      // ROCm's driver knows these; they change nothing here (--hip-link is always passed).
    } else if (a == "-x" && has_next) {
      const std::string& lang = args[++i];
      explicit_language = lang != "none";
      if (lang == "hip" || lang == "cu" || lang == "cuda") {
        p.compiles_hip = true;
        p.flags.insert(p.flags.end(), {"-x", "hip"});
      } else
        p.flags.insert(p.flags.end(), {"-x", lang});
    } else if (starts_with(a, "-x") && a.size() > 2 && a[2] != '-') {
      explicit_language = a != "-xnone";
      if (a == "-xhip")
        p.compiles_hip = true;
      p.flags.push_back(a);
    } else if (takes_value(a) && has_next) {
      p.flags.push_back(a);
      p.flags.push_back(args[++i]);
    } else if (a == "-") {
      p.has_inputs = true;
      if (!explicit_language) {
        p.flags.insert(p.flags.end(), {"-x", "hip"});
        p.compiles_hip = true;
      }
      p.flags.push_back(a);
    } else if (!a.empty() && a[0] == '-') {
      if (a == "-c" || a == "-S" || a == "-E" || a == "-M" || a == "-MM" || a == "-fsyntax-only" ||
          a == "--cuda-device-only" || a == "--offload-device-only" || a == "--precompile")
        p.link = false;
      if (a == "-v" || a == "-###")
        p.verbose = a == "-v";
      if (starts_with(a, "-O"))
        p.has_opt = true, p.unoptimised = a == "-O0";
      if (a == "-fgpu-rdc" || a == "-fno-gpu-rdc")
        p.rdc = a == "-fgpu-rdc";
      if (starts_with(a, "-mcode-object-version="))
        p.has_cov = true;
      p.flags.push_back(a);
    } else {
      add_input(p, a, explicit_language);
    }
  }
  return p;
}

const char kHelp[] =
    "usage: hipcc [options] file...\n"
    "Compiles and links HIP programs with clang. Options of clang are passed on. Also:\n"
    "  --offload-arch=<gfx..>[,..]  GPU targets (default gfx942; native = the configured device)\n"
    "  --genco                      compile to a code object for hipModuleLoad\n"
    "  -fgpu-rdc                    device code across several source files\n"
    "  --rocm-path=<dir>            install tree to use\n"
    "  --cxxflags, --ldflags        print the flags that another compiler driver needs\n"
    "  --version, --short-version   print versions\n"
    "Environment: ROCM_PATH HIP_PATH HIP_CLANG_PATH HIP_DEVICE_LIB_PATH HIP_PLATFORM\n"
    "  HIPCC_VERBOSE HIPCC_COMPILE_FLAGS_APPEND HIPCC_LINK_FLAGS_APPEND HCC_AMDGPU_TARGET\n";

std::string join(const std::vector<std::string>& words) {
  std::string s;
  for (const std::string& w : words)
    s += (s.empty() ? "" : " ") + w;
  return s;
}

std::vector<std::string> compile_flags(const Toolchain& t) {
  return {"--rocm-path=" + t.rocm_path, "--rocm-device-lib-path=" + t.device_libs,
          "-D__HIP_PLATFORM_AMD__=1", "-isystem", t.rocm_path + "/include"};
}

std::vector<std::string> link_flags(const Toolchain& t, const Parsed& p) {
  std::vector<std::string> f{"-L" + t.rocm_path + "/lib"};
  if (!p.no_hip_rt)
    f.push_back("-lamdhip64");
  if (!p.no_rpath)
    f.insert(f.end(), {"-Wl,--enable-new-dtags", "-Wl,-rpath," + t.rocm_path + "/lib"});
  f.insert(f.end(), {"-lpthread", "-lm"});
  return f;
}

} // namespace

Result<HipccPlan> plan_hipcc(const std::vector<std::string>& raw, const Environment& env,
                             const std::string& argv0) {
  if (auto platform = env("HIP_PLATFORM");
      platform && *platform != "amd" && *platform != "rocclr" && *platform != "hcc")
    return error(Code::incompatible,
                 "HIP_PLATFORM=" + *platform + ": only the amd platform exists here");
  TRY_ASSIGN(std::vector<std::string> args, expand_response_files(raw));
  Parsed p = parse(args);
  Toolchain t = find_toolchain(env, argv0, p.rocm_path);

  HipccPlan plan;
  int level = 0;
  if (auto v = env("HIPCC_VERBOSE"))
    level = std::atoi(v->c_str());
  plan.verbose = (level & 1) || p.verbose;
  if (p.print_help) {
    plan.output = kHelp;
    return plan;
  }
  if (p.print_short_version) {
    plan.output = version_text();
    return plan;
  }
  if (p.print_cxxflags) {
    plan.output = join(compile_flags(t));
    return plan;
  }
  if (p.print_ldflags) {
    plan.output = join(link_flags(t, p));
    return plan;
  }
  if (p.print_version) {
    plan.output = "HIP version: " + version_text() + "\n";
    plan.command = {t.clang, "--version"};
    return plan;
  }

  if (p.targets.empty())
    p.targets.push_back(default_target(env));
  for (std::string& target : p.targets)
    if (target == "native")
      target = default_target(env);

  std::vector<std::string>& c = plan.command;
  c.push_back(t.clang);
  for (std::string& f : compile_flags(t))
    c.push_back(f);
  if (p.compiles_hip) {
    if (!p.has_opt)
      c.push_back("-O3");
    // ROCm 6 emits version 5 objects; the distribution's clang defaults to 4.
    if (!p.has_cov)
      c.push_back("-mcode-object-version=5");
  }
  if (p.compiles_hip || p.link)
    for (const std::string& target : p.targets)
      c.push_back("--offload-arch=" + target);
  if (auto extra = env("HIPCC_COMPILE_FLAGS_APPEND"))
    for (std::string& w : split_words(*extra))
      c.push_back(std::move(w));
  bool link = p.link && p.has_inputs;
  if (link)
    c.push_back("--hip-link");
  // LLVM 19's linker crashes on device code of several files at -O0 ("Function register usage analysis"); functions that
  // were compiled with -O0 stay unoptimised (optnone) all the same. A level of the user's own comes later and wins.
  if (link && p.rdc && p.unoptimised)
    c.insert(c.end(), {"-Xoffload-linker", "--lto-O1"});
  c.insert(c.end(), p.flags.begin(), p.flags.end());
  if (link) {
    for (std::string& f : link_flags(t, p))
      c.push_back(f);
    if (auto extra = env("HIPCC_LINK_FLAGS_APPEND"))
      for (std::string& w : split_words(*extra))
        c.push_back(std::move(w));
  } else if (p.link) {
    c.push_back("--hip-link"); // no inputs: clang says so itself
  }
  // -isystem, -L and the like are unused in some modes; ROCm's driver is silent about it too.
  c.push_back("-Wno-unused-command-line-argument");
  return plan;
}

} // namespace pumice::compiler
