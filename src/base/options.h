// SPDX-License-Identifier: MIT
// The registry of environment variables: one row per option in options.def; no other getenv for a setting of Pumice.
#pragma once
#include <cstdint>
#include <span>
#include <string>

namespace pumice::options {

enum class Id : uint16_t {
#define OPTION(id, env, def, help) id,
#include "base/options.def"
#undef OPTION
  count
};

struct Row {
  Id id;
  const char* env;
  const char* default_value;
  const char* help;
};
/// All rows, by Id. Constant data: service threads read options while the process exits.
std::span<const Row> rows();

/// The variable's value, or the row's default when unset or empty. Read afresh at each call.
std::string text(Id id);
/// Integer value, never negative (every such option is a size or a count); another value warns on stderr and gives the default.
int64_t integer(Id id);
/// The variable is set and not empty.
bool is_set(Id id);
/// True for 1, true, yes, on; false for 0, false, no, off; another value is the default (see warn_of_unknown).
bool flag(Id id);
/// Says on stderr which of the environment's values and PUMICE_ names nothing here understands. Once per process.
void warn_of_unknown();

} // namespace pumice::options
