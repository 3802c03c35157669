// SPDX-License-Identifier: MIT
#include "compiler/nvcc/nvcc_options.h"
#include <algorithm>
#include <fstream>
#include <iterator>

namespace pumice::nvcc {
namespace {

bool ends_with(const std::string& s, std::initializer_list<const char*> list) {
  for (const char* e : list)
    if (s.ends_with(e))
      return true;
  return false;
}

std::vector<std::string> split(const std::string& s, char at) {
  std::vector<std::string> out;
  size_t begin = 0;
  for (;;) {
    size_t end = s.find(at, begin);
    if (end == s.npos)
      end = s.size();
    if (end > begin)
      out.push_back(s.substr(begin, end - begin));
    if (end == s.size())
      return out;
    begin = end + 1;
  }
}

/// How an option is handled.
enum class Kind {
  drop,        // no meaning here
  drop_value,  // likewise, with a value
  note_value,  // likewise, worth a note
  host,        // -Xcompiler: comma-separated, for the host compiler
  linker,      // -Xlinker: comma-separated
  pass,        // unchanged, no value
  pass_value,  // unchanged, with a value
  define, include, system_include, library, library_path, output, standard, optimize, language,
  rdc, device_compile, device_link, compile, preprocess, dependencies, archive, run, verbose, dry_run, version, help,
  keep, debug, line_info, fast_math, ftz, fmad, code_object, forced_include, offload_arch, options_file,
};

struct Row {
  const char *long_name, *short_name; // without dashes
  Kind kind;
};

constexpr Row kRows[] = {
    {"gpu-architecture", "arch", Kind::drop_value},
    {"gpu-code", "code", Kind::drop_value},
    {"generate-code", "gencode", Kind::drop_value},
    {"compiler-options", "Xcompiler", Kind::host},
    {"linker-options", "Xlinker", Kind::linker},
    {"ptxas-options", "Xptxas", Kind::drop_value},
    {"nvlink-options", "Xnvlink", Kind::drop_value},
    {"archive-options", "Xarchive", Kind::drop_value},
    {"", "Xcudafe", Kind::drop_value},
    {"", "Xfatbin", Kind::drop_value},
    {"compiler-bindir", "ccbin", Kind::drop_value},
    {"cudart", "cudart", Kind::drop_value},
    {"maxrregcount", "maxrregcount", Kind::note_value},
    {"machine", "m", Kind::drop_value},
    {"threads", "t", Kind::drop_value},
    {"split-compile", "split-compile", Kind::drop_value},
    {"output-directory", "odir", Kind::note_value},
    {"target-directory", "target-dir", Kind::drop_value},
    {"diag-suppress", "diag-suppress", Kind::drop_value},
    {"diag-error", "diag-error", Kind::drop_value},
    {"diag-warn", "diag-warn", Kind::drop_value},
    {"Werror", "Werror", Kind::drop_value},
    {"default-stream", "default-stream", Kind::drop_value},
    {"keep-dir", "keep-dir", Kind::drop_value},
    {"allow-unsupported-compiler", "allow-unsupported-compiler", Kind::drop},
    {"extended-lambda", "extended-lambda", Kind::drop},
    {"expt-extended-lambda", "expt-extended-lambda", Kind::drop},
    {"expt-relaxed-constexpr", "expt-relaxed-constexpr", Kind::drop},
    {"resource-usage", "res-usage", Kind::drop},
    {"disable-warnings", "w", Kind::pass},
    {"source-in-ptx", "src-in-ptx", Kind::drop},
    {"restrict", "restrict", Kind::drop},
    {"Wno-deprecated-gpu-targets", "Wno-deprecated-gpu-targets", Kind::drop},
    {"Wno-deprecated-declarations", "Wno-deprecated-declarations", Kind::pass},
    {"Wreorder", "Wreorder", Kind::pass},
    {"no-host-device-move-forward", "nohdmoveforward", Kind::drop},
    {"no-display-error-number", "no-err-no", Kind::drop},
    {"display-error-number", "err-no", Kind::drop},
    {"forward-unknown-to-host-compiler", "forward-unknown-to-host-compiler", Kind::drop},
    {"forward-unknown-opts", "forward-unknown-opts", Kind::drop},
    {"dont-use-profile", "noprof", Kind::drop},
    {"time", "time", Kind::drop_value},
    {"extensible-whole-program", "ewp", Kind::drop},
    {"dlink-time-opt", "dlto", Kind::drop},
    {"prec-div", "prec-div", Kind::drop_value},
    {"prec-sqrt", "prec-sqrt", Kind::drop_value},
    {"ftz", "ftz", Kind::ftz},
    {"fmad", "fmad", Kind::fmad},
    {"use_fast_math", "use_fast_math", Kind::fast_math},
    {"define-macro", "D", Kind::define},
    {"undefine-macro", "U", Kind::pass_value},
    {"include-path", "I", Kind::include},
    {"system-include", "isystem", Kind::system_include},
    {"pre-include", "include", Kind::forced_include},
    {"library", "l", Kind::library},
    {"library-path", "L", Kind::library_path},
    {"output-file", "o", Kind::output},
    {"std", "std", Kind::standard},
    {"optimize", "O", Kind::optimize},
    {"x", "x", Kind::language},
    {"relocatable-device-code", "rdc", Kind::rdc},
    {"device-c", "dc", Kind::device_compile},
    {"device-w", "dw", Kind::compile},
    {"device-link", "dlink", Kind::device_link},
    {"compile", "c", Kind::compile},
    {"preprocess", "E", Kind::preprocess},
    {"generate-dependencies", "M", Kind::dependencies},
    {"generate-nonsystem-dependencies", "MM", Kind::dependencies},
    {"generate-dependencies-with-compile", "MD", Kind::pass},
    {"generate-nonsystem-dependencies-with-compile", "MMD", Kind::pass},
    {"generate-dependency-targets", "MP", Kind::pass},
    {"dependency-output", "MF", Kind::pass_value},
    {"dependency-target-name", "MT", Kind::pass_value},
    {"", "MQ", Kind::pass_value},
    {"lib", "lib", Kind::archive},
    {"link", "link", Kind::drop},
    {"run", "run", Kind::run},
    {"verbose", "v", Kind::verbose},
    {"dryrun", "dryrun", Kind::dry_run},
    {"version", "V", Kind::version},
    {"help", "h", Kind::help},
    {"keep", "keep", Kind::keep},
    {"save-temps", "save-temps", Kind::keep},
    {"debug", "g", Kind::debug},
    {"device-debug", "G", Kind::debug},
    {"generate-line-info", "lineinfo", Kind::line_info},
    {"profile", "pg", Kind::pass},
    {"shared", "shared", Kind::pass},
    {"static", "static", Kind::pass},
    {"ptx", "ptx", Kind::code_object},
    {"cubin", "cubin", Kind::code_object},
    {"fatbin", "fatbin", Kind::code_object},
    {"offload-arch", "offload-arch", Kind::offload_arch},
    {"options-file", "optf", Kind::options_file},
};

bool takes_value(Kind k) {
  switch (k) {
  case Kind::drop_value: case Kind::note_value: case Kind::host: case Kind::linker: case Kind::pass_value:
  case Kind::define: case Kind::include: case Kind::system_include: case Kind::library: case Kind::library_path:
  case Kind::output: case Kind::standard: case Kind::language: case Kind::rdc: case Kind::ftz: case Kind::fmad:
  case Kind::forced_include: case Kind::offload_arch: case Kind::options_file: case Kind::optimize:
    return true;
  default:
    return false;
  }
}

/// CUDA's library names and ROCm's; "" means that hipcc links it by itself or that nothing takes its place.
struct LibraryName {
  const char *cuda, *rocm;
};
constexpr LibraryName kLibraries[] = {
    {"cudart", ""},        {"cudart_static", ""},      {"cuda", ""},          {"cudadevrt", ""},
    {"culibos", ""},       {"nvrtc", "hiprtc"},        {"cublas", "hipblas"}, {"cublasLt", "hipblaslt"},
    {"cublas_static", "hipblas"}, {"cufft", "hipfft"}, {"cufft_static", "hipfft"}, {"curand", "hiprand"},
    {"curand_static", "hiprand"}, {"cusparse", "hipsparse"}, {"cusolver", "hipsolver"}, {"cudnn", "MIOpen"},
    {"nccl", "rccl"},      {"nvToolsExt", "roctx64"},
};

std::string rocm_library(const std::string& name, bool& known) {
  for (const LibraryName& l : kLibraries)
    if (name == l.cuda) {
      known = true;
      return l.rocm;
    }
  known = false;
  return name;
}

void host_flag(Command& c, const std::string& f) {
  // Processor options are the host's alone; the rest means the same on both sides or is ignored for devices.
  if (f.starts_with("-m") && f != "-m64" && !f.starts_with("-mllvm")) {
    c.flags.insert(c.flags.end(), {"-Xarch_host", f});
  } else if (f == "-rdynamic" || f == "-no-pie" || f.starts_with("-Wl,")) {
    c.libraries.push_back(f);
  } else if (f.starts_with("-fno-strict") || f == "-m64" || f == "-pipe" || f.starts_with("-Wa,") ||
             f == "-fopt-info" || f == "-ffat-lto-objects" || f == "-static-libgcc") {
    // gcc's own, or nothing to say to clang
  } else {
    c.flags.push_back(f);
  }
}

} // namespace

Language language_of(const std::string& path) {
  if (ends_with(path, {".cu", ".cuh"}))
    return Language::cuda;
  if (ends_with(path, {".cpp", ".cc", ".cxx", ".c++", ".C", ".CPP"}))
    return Language::cpp;
  if (ends_with(path, {".c"}))
    return Language::c;
  return Language::none;
}

Result<Command> parse_nvcc(const std::vector<std::string>& given) {
  Command c;
  std::vector<std::string> args = given;
  Language forced = Language::by_extension;
  auto next = [&](size_t& i, const std::string& option) -> Result<std::string> {
    if (i + 1 >= args.size())
      return error(Code::invalid_argument, option + " needs a value");
    return args[++i];
  };
  for (size_t i = 0; i < args.size(); ++i) {
    const std::string arg = args[i];
    if (arg.empty())
      continue;
    if (arg[0] != '-' || arg == "-") {
      Language l = forced == Language::by_extension || language_of(arg) == Language::none ? language_of(arg) : forced;
      if (forced == Language::cuda && l != Language::none)
        l = Language::cuda;
      if (arg == "-")
        l = forced;
      c.inputs.push_back({arg, l});
      continue;
    }
    bool two = arg.starts_with("--");
    std::string name = arg.substr(two ? 2 : 1), value;
    bool has_value = false;
    size_t eq = name.find('=');
    if (eq != name.npos) {
      value = name.substr(eq + 1);
      name = name.substr(0, eq);
      has_value = true;
    }
    const Row* row = nullptr;
    for (const Row& r : kRows)
      if (name == r.short_name || name == r.long_name)
        row = &r;
    if (!row || (row->kind == Kind::define && has_value)) {
      // Values glued to one-letter options: -Idir, -DX=1, -O3, -lm, -Ldir, -std..., -m64, -gencodearch...
      std::string rest = arg.substr(two ? 2 : 1);
      for (const Row& r : kRows) {
        std::string_view s = r.short_name;
        if (!two && s.size() == 1 && takes_value(r.kind) && rest.size() > 1 && rest[0] == s[0]) {
          row = &r;
          value = rest.substr(1);
          has_value = true;
          break;
        }
      }
      if (row && row->kind == Kind::drop_value && row->short_name[0] == 'm' && value != "64" && value != "32")
        row = nullptr; // -march=..., -mavx: gcc's options written without -Xcompiler
      if (row && row->kind == Kind::drop_value && row->short_name[0] == 't')
        row = arg.find_first_not_of("0123456789", 2) == arg.npos ? row : nullptr;
    }
    if (!row) {
      if (arg.starts_with("-W") && !arg.starts_with("-Wl,"))
        c.flags.push_back(arg);
      else
        host_flag(c, arg); // an option of clang or gcc
      continue;
    }
    if (row->kind == Kind::optimize && !has_value && !(i + 1 < args.size() && args[i + 1].size() == 1)) {
      c.flags.push_back("-O1");
      continue;
    }
    if (takes_value(row->kind) && !has_value) {
      auto v = next(i, arg);
      if (!v)
        return v.status();
      value = *v;
    }
    switch (row->kind) {
    case Kind::drop:
    case Kind::drop_value:
      if (row->short_name == std::string_view("m") && value == "32")
        return error(Code::invalid_argument, "-m32: there is no 32-bit HIP");
      break;
    case Kind::note_value:
      if (row->short_name == std::string_view("odir")) {
        c.output_dir = value;
        break;
      }
      c.notes.push_back(arg + ": registers cannot be limited here; use __launch_bounds__");
      break;
    case Kind::host: {
      std::string v = value;
      std::erase(v, '"');
      for (const std::string& f : split(v, v.find(',') == v.npos ? ' ' : ','))
        host_flag(c, f);
      break;
    }
    case Kind::linker:
      for (const std::string& f : split(value, ','))
        c.libraries.insert(c.libraries.end(), {"-Xlinker", f});
      break;
    case Kind::pass:
      c.flags.push_back("-" + std::string(row->short_name));
      break;
    case Kind::pass_value:
      c.flags.insert(c.flags.end(), {"-" + std::string(row->short_name), value});
      break;
    case Kind::define:
      for (const std::string& d : two ? split(value, ',') : std::vector<std::string>{value})
        c.flags.push_back("-D" + d);
      break;
    case Kind::include:
    case Kind::system_include:
      for (const std::string& d : split(value, ',')) {
        c.include_dirs.push_back(d);
        if (row->kind == Kind::include)
          c.flags.push_back("-I" + d);
        else
          c.flags.insert(c.flags.end(), {"-isystem", d});
      }
      break;
    case Kind::forced_include:
      c.flags.insert(c.flags.end(), {"-include", value});
      break;
    case Kind::library:
      for (const std::string& l : split(value, ',')) {
        bool known = false;
        std::string rocm = rocm_library(l, known);
        if (!rocm.empty())
          c.libraries.push_back("-l" + rocm);
      }
      break;
    case Kind::library_path:
      for (const std::string& d : split(value, ','))
        c.libraries.push_back("-L" + d);
      break;
    case Kind::output:
      c.output = value;
      break;
    case Kind::standard:
      c.flags.push_back("-std=" + value);
      break;
    case Kind::optimize:
      c.flags.push_back("-O" + value);
      break;
    case Kind::language:
      forced = value == "cu" || value == "cuda" ? Language::cuda
               : value == "c++"                 ? Language::cpp
               : value == "c"                   ? Language::c
                                                : Language::by_extension;
      break;
    case Kind::rdc:
      c.rdc = value == "true";
      break;
    case Kind::device_compile:
      c.rdc = true;
      c.compile_only = true;
      break;
    case Kind::device_link:
      c.device_link = true;
      break;
    case Kind::compile:
      c.compile_only = true;
      break;
    case Kind::preprocess:
      c.preprocess = true;
      c.flags.push_back("-E");
      break;
    case Kind::dependencies:
      c.dependencies = true;
      c.flags.push_back("-" + std::string(row->short_name));
      break;
    case Kind::archive:
      c.archive = true;
      break;
    case Kind::run:
      c.run = true;
      break;
    case Kind::verbose:
      c.verbose = true;
      break;
    case Kind::dry_run:
      c.dry_run = true;
      break;
    case Kind::version:
      c.version = true;
      break;
    case Kind::help:
      c.help = true;
      break;
    case Kind::keep:
      c.keep = true;
      break;
    case Kind::debug:
      c.flags.push_back("-g");
      break;
    case Kind::line_info:
      c.flags.push_back("-gline-tables-only");
      break;
    case Kind::fast_math:
      c.flags.insert(c.flags.end(), {"-fgpu-flush-denormals-to-zero", "-fgpu-approx-transcendentals"});
      break;
    case Kind::ftz:
      if (value == "true")
        c.flags.push_back("-fgpu-flush-denormals-to-zero");
      break;
    case Kind::fmad:
      if (value == "false")
        c.flags.push_back("-ffp-contract=off");
      break;
    case Kind::code_object:
      c.device_only = true;
      c.compile_only = true;
      break;
    case Kind::offload_arch:
      c.flags.push_back("--offload-arch=" + value);
      break;
    case Kind::options_file: {
      std::ifstream f(value);
      if (!f)
        return error(Code::not_found, "cannot read options file " + value);
      std::vector<std::string> words{std::istream_iterator<std::string>(f), {}};
      args.insert(args.begin() + ptrdiff_t(i) + 1, words.begin(), words.end());
      break;
    }
    }
  }
  if (c.rdc)
    c.flags.push_back("-fgpu-rdc");
  return c;
}

} // namespace pumice::nvcc
