// SPDX-License-Identifier: MIT
// libFuzzer target: one table of the support matrix is the input (the first byte chooses which), the others are missing;
// release patterns and versions from the same bytes.
#include "matrix/data.h"
#include "matrix/version.h"
#include <cstdint>
#include <fstream>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace pumice::matrix;
  namespace fs = std::filesystem;
  static const fs::path folder = fs::temp_directory_path() / ("matrix-fuzz-" + std::to_string(getpid()));
  static const char* files[] = {"rocm_components.tsv",      "gpu_os_support.tsv", "os_kernel_glibc.tsv", "frameworks_5x_6x.tsv",
                                "frameworks_7.14_10.x.tsv", "kfd_userspace.tsv",  "firmware_driver.tsv", "disagreements.tsv"};
  if (size < 2) return 0;
  fs::create_directories(folder);
  fs::path file = folder / files[data[0] % std::size(files)];
  std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
  std::ofstream(file, std::ios::binary) << text;
  (void)validate(folder);
  fs::remove(file);
  size_t half = text.size() / 2;
  std::string a = text.substr(0, half), b = text.substr(half);
  (void)valid_pattern(a), (void)covers(a, b), (void)refines(a, b), (void)compare(a, b), (void)normal_os(a), (void)gfx_of(b);
  return 0;
}
