// SPDX-License-Identifier: MIT
// Translated copies of CUDA sources and of the project headers they include, seen by the compiler under the original names
// through clang's virtual file system (-ivfsoverlay). The originals are not touched; messages, __FILE__, debug information and
// dependency files name them. The copies live in a temporary folder that ends with the object.
#pragma once
#include "base/result.h"
#include "compiler/hipify/translate.h"
#include <string>
#include <unordered_set>
#include <vector>

namespace pumice::nvcc {

class Overlay {
public:
  Overlay() = default;
  Overlay(const Overlay&) = delete;
  Overlay& operator=(const Overlay&) = delete;
  ~Overlay();

  /// Adds a source file and, recursively, the headers it includes that are found beside it or in `include_dirs`.
  Status add(const std::string& source, const std::vector<std::string>& include_dirs);
  /// Translates everything that was added and writes the overlay description; "" when nothing differs from its original.
  Result<std::string> write(const hipify::Options& options);
  const std::vector<hipify::Finding>& findings() const { return findings_; }
  const std::string& folder() const { return folder_; }
  void keep() { keep_ = true; }

private:
  struct File {
    std::string path; // absolute
    std::string text;
    bool source = false;
  };
  Status read(const std::string& path, bool source, const std::vector<std::string>& include_dirs);

  std::vector<File> files_;
  std::unordered_set<std::string> seen_, own_;
  bool bf16_ = false;
  std::string folder_;
  bool keep_ = false;
  std::vector<hipify::Finding> findings_;
};

} // namespace pumice::nvcc
