// SPDX-License-Identifier: MIT
#include "base/options.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace pumice::options {

std::span<const Row> rows() {
  static constexpr Row all[] = {
#define OPTION(id, env, def, help) {Id::id, env, def, help},
#include "base/options.def"
#undef OPTION
  };
  return all;
}

std::string text(Id id) {
  const Row& r = rows()[static_cast<size_t>(id)];
  const char* v = std::getenv(r.env);
  return v && *v ? v : r.default_value;
}

bool is_set(Id id) {
  const char* v = std::getenv(rows()[static_cast<size_t>(id)].env);
  return v && *v;
}

int64_t integer(Id id) {
  std::string v = text(id);
  char* end = nullptr;
  int64_t n = std::strtoll(v.c_str(), &end, 0);
  if (end == v.c_str() || *end || n < 0) {
    const Row& r = rows()[static_cast<size_t>(id)];
    std::fprintf(stderr, "pumice: %s=%s is not a number from 0 on; using %s\n", r.env, v.c_str(), r.default_value);
    return std::strtoll(r.default_value, nullptr, 0);
  }
  return n;
}

bool flag(Id id) {
  std::string v = text(id);
  return v == "1" || v == "true" || v == "yes" || v == "on";
}

} // namespace pumice::options
