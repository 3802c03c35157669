// SPDX-License-Identifier: MIT
// A HIP program in source text and its compilation by the clang that hipcc uses, in a folder of its
// own. One program belongs to one thread at a time, as the API says. No state is shared between
// programs.
#pragma once
#include "base/result.h"
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pumice::hip::rtc {

struct Program {
  std::string source, name;
  std::vector<std::pair<std::string, std::string>> headers; // include name, text
  std::vector<std::string> expressions;
  // After compile():
  bool compiled = false;
  std::vector<char> code;
  std::string log;
  std::map<std::string, std::string> lowered; // expression -> linker name
};

enum class Outcome : uint8_t { ok, invalid_option, failed, internal, name_not_valid };

/// Runs the compiler. The log holds what it said; code and lowered names are set on success.
Outcome compile(Program& program, const std::vector<std::string>& options);

} // namespace pumice::hip::rtc
