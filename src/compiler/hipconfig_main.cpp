// SPDX-License-Identifier: MIT
// hipconfig: prints where HIP is and what it is, in the words build systems expect.
#include "compiler/toolchain.h"
#include <cstdio>
#include <map>
#include <sys/utsname.h>

using namespace pumice::compiler;

namespace {

const char kHelp[] = "usage: hipconfig [OPTIONS]\n"
                     "  --path,  -p         install tree of HIP\n"
                     "  --rocmpath,  -R     install tree of ROCm\n"
                     "  --cpp_config, -C    preprocessor flags for HIP programs\n"
                     "  --compiler, -c      name of the compiler: clang\n"
                     "  --platform, -P      name of the platform: amd\n"
                     "  --runtime, -r       name of the runtime: rocclr\n"
                     "  --hipclangpath, -l  folder of clang++\n"
                     "  --full, -f          everything\n"
                     "  --version, -v       version of HIP\n"
                     "  --check             tells whether the installation is usable\n"
                     "  --newline, -n       end the output with a newline\n"
                     "  --help, -h          this text\n";

std::string cpp_config(const Toolchain& t) {
  return " -D__HIP_PLATFORM_HCC__= -D__HIP_PLATFORM_AMD__= -I" + t.rocm_path + "/include";
}

std::string full(const Toolchain& t) {
  utsname u{};
  uname(&u);
  return "HIP version: " + version_text() + "\n\n==hipconfig\nHIP_PATH           : " + t.rocm_path +
         "\nROCM_PATH          : " + t.rocm_path +
         "\nHIP_COMPILER       : clang\nHIP_PLATFORM       : amd\n"
         "HIP_RUNTIME        : rocclr\nCPP_CONFIG         : " +
         cpp_config(t) + "\n\n==hip-clang\nHIP_CLANG_PATH     : " + t.clang_dir +
         "\n\n==System\nHostname           : " + u.nodename +
         "\nKernel             : " + u.release + "\n";
}

} // namespace

int main(int argc, char** argv) {
  Toolchain t = find_toolchain(process_environment(), argv[0]);
  const std::map<std::string, std::string> kAnswers{{"--path", t.rocm_path},
                                                    {"-p", t.rocm_path},
                                                    {"--rocmpath", t.rocm_path},
                                                    {"-R", t.rocm_path},
                                                    {"--cpp_config", cpp_config(t)},
                                                    {"--cpp_flags", cpp_config(t)},
                                                    {"-C", cpp_config(t)},
                                                    {"--compiler", "clang"},
                                                    {"-c", "clang"},
                                                    {"--platform", "amd"},
                                                    {"-P", "amd"},
                                                    {"--runtime", "rocclr"},
                                                    {"-r", "rocclr"},
                                                    {"--hipclangpath", t.clang_dir},
                                                    {"-l", t.clang_dir},
                                                    {"--version", version_text()},
                                                    {"-v", version_text()},
                                                    {"--full", full(t)},
                                                    {"-f", full(t)},
                                                    {"--help", kHelp},
                                                    {"-h", kHelp}};
  bool newline = false, any = false;
  for (int i = 1; i < argc; ++i) {
    std::string a = argv[i];
    if (a == "--newline" || a == "-n")
      newline = true;
    else if (a == "--check") {
      std::printf("clang: %s\ninstall tree: %s\n", t.clang.c_str(), t.rocm_path.c_str());
      any = true;
    } else if (auto it = kAnswers.find(a); it != kAnswers.end()) {
      std::fputs(it->second.c_str(), stdout);
      any = true;
    } else {
      std::fprintf(stderr, "hipconfig: unknown option %s\n%s", a.c_str(), kHelp);
      return 1;
    }
  }
  if (!any)
    std::fputs(full(t).c_str(), stdout);
  if (newline)
    std::fputc('\n', stdout);
  return 0;
}
