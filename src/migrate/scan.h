// SPDX-License-Identifier: MIT
// What a CUDA project consists of: sources by language, CUDA names by library, findings of the translator, Python packages and
// GPU uses, build files. Reads only; files that are no text are counted and skipped.
#pragma once
#include "base/result.h"
#include "compiler/hipify/tree.h"
#include <map>
#include <string>
#include <vector>

namespace pumice::migrate {

struct Language {
  size_t files = 0, lines = 0;
};

struct ApiName {
  std::string cuda, hip, status; // status: mapped, changed (other behaviour or experimental), missing
  size_t uses = 0;
};

struct Library {
  std::string name;              // "CUDA Runtime API", "cuBLAS", ...
  std::string counterpart, status, note, source; // of the coverage table, where it has a row
  size_t mapped = 0, changed = 0, missing = 0;                // distinct names
  size_t mapped_uses = 0, changed_uses = 0, missing_uses = 0;
  std::vector<ApiName> names;    // missing and changed ones first
};

struct FindingView {
  std::string file, code, group, severity, message, suggestion, message_zh, suggestion_zh, excerpt;
  uint32_t line = 0, column = 0;
  bool conditional = false; // in a branch of an #if, perhaps never compiled for AMD GPUs
};

struct PythonPackage {
  std::string name, version, counterpart, effort, note, file;
  uint32_t line = 0;
};

struct Place {
  std::string file, what;
  uint32_t line = 0;
};

struct Scan {
  std::string root, name;
  std::map<std::string, Language> languages;
  size_t bytes = 0, lines = 0, cuda_files = 0, translated_files = 0, skipped_files = 0, launches = 0, kernels = 0;
  size_t gpu_files = 0, gpu_lines = 0; // sources that use CUDA in any way
  size_t hip_files = 0;                // sources that provide for AMD GPUs already
  std::vector<Library> libraries;
  std::vector<FindingView> findings;
  std::vector<PythonPackage> python;
  std::vector<Place> gpu_python;  // uses of CUDA in Python code and scripts that need a look
  std::vector<Place> monitoring;  // NVML, nvidia-smi
  std::vector<std::string> build_systems, cuda_sources; // relative names
  std::vector<std::string> notes;
};

/// Data tables: folder share/pumice/migrate.
struct Tables {
  struct Coverage {
    std::string component, counterpart, status, note, effort, source;
  };
  struct Package {
    std::string name, counterpart, effort, note;
  };
  std::vector<Coverage> coverage;
  std::vector<Package> packages;
  const Coverage* find(const std::string& library) const;
};
Result<Tables> load_tables(const std::string& folder);

Result<Scan> scan(const std::string& root, const Tables& tables, const hipify::TreeOptions& options);

} // namespace pumice::migrate
