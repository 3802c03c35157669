// SPDX-License-Identifier: MIT
// nvcc's command line read into what hipcc needs. Pure translation of words; no file is opened.
// Source of the facts: NVIDIA's nvcc documentation (option names, their short forms, which take values).
#pragma once
#include "base/result.h"
#include <string>
#include <vector>

namespace pumice::nvcc {

enum class Language : uint8_t { by_extension, cuda, cpp, c, none };

struct Input {
  std::string path;
  Language language = Language::by_extension; // object and library files: none
};

struct Command {
  std::vector<Input> inputs;
  std::vector<std::string> flags;        // for hipcc, in order, without inputs
  std::vector<std::string> libraries;    // -l, -L and -Wl, in order: after the inputs
  std::vector<std::string> include_dirs; // of -I, -isystem, -iquote, for finding project headers
  std::string output, output_dir; // output_dir: of the files that the driver names itself
  bool compile_only = false, preprocess = false, dependencies = false, device_only = false;
  bool device_link = false; // -dlink
  bool archive = false;     // -lib
  bool rdc = false;
  bool translate = true;    // false: the sources are HIP already
  bool run = false, verbose = false, dry_run = false, version = false, help = false, keep = false;
  std::vector<std::string> notes; // options without an effect here that a user may want to know of
};

Result<Command> parse_nvcc(const std::vector<std::string>& args);

/// Language of a file by its name.
Language language_of(const std::string& path);

} // namespace pumice::nvcc
