// SPDX-License-Identifier: MIT
// A whole project: finds the sources below a folder, collects the names that the project declares, translates the files with
// several threads. Memory is bounded by one file per thread plus the findings.
#pragma once
#include "base/result.h"
#include "compiler/hipify/translate.h"
#include <functional>
#include <string>
#include <vector>

namespace pumice::hipify {

struct TreeOptions {
  Options translation;
  std::vector<std::string> exclude_dirs, exclude_files; // names or glob patterns
  unsigned threads = 0;                                 // 0: one per core
};

struct FileResult {
  std::string path;     // as found
  std::string relative; // below the folder
  Translation translation;
  std::string skipped; // why it was not read; empty when it was
};

struct TreeSummary {
  size_t files = 0, changed = 0, skipped = 0;
  std::vector<Finding> findings;
  Statistics statistics;
};

/// Source files below `root` (symbolic links are not followed), sorted.
std::vector<std::string> source_files(const std::string& root, const TreeOptions& options);
/// CMakeLists.txt, *.cmake, Makefile, *.mk, setup.py and the like below `root`.
std::vector<std::string> build_files(const std::string& root, const TreeOptions& options);

/// Translates every file; `original` holds its text. `done` is called from several threads, one file at a time under a lock;
/// `progress` after each file with files done and files in all.
TreeSummary translate_tree(const std::string& root, const TreeOptions& options,
                           const std::function<Status(const FileResult&, const std::string& original)>& done,
                           const std::function<void(size_t, size_t)>& progress);

/// Hints for a build file: what in it names CUDA and what HIP calls it.
std::vector<Finding> build_file_findings(const std::string& path, std::string_view text);

Result<std::string> read_file(const std::string& path);
struct IncludedNames {
  std::unordered_set<std::string> own; // see Options::own_names
  bool bf16_header = false;
};
/// What the local headers that `path` includes declare, followed for a few levels.
IncludedNames names_of_includes(const std::string& path, std::string_view text);
bool is_cuda_file(const std::string& path);

} // namespace pumice::hipify
