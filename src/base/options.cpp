// SPDX-License-Identifier: MIT
#include "base/options.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <sstream>
#include <string_view>
#include <unistd.h>
#include <vector>

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

namespace {
std::optional<bool> truth(const std::string& v) {
  if (v == "1" || v == "true" || v == "yes" || v == "on") return true;
  if (v == "0" || v == "false" || v == "no" || v == "off") return false;
  return std::nullopt;
}

struct Words {
  Id id;
  std::vector<std::string_view> allowed;
  bool list; // several, with commas between them
};

void check_words(const Words& w) {
  const Row& r = rows()[static_cast<size_t>(w.id)];
  std::string all;
  for (std::string_view a : w.allowed) all += (all.empty() ? "" : ", ") + std::string(a);
  std::istringstream in(text(w.id));
  for (std::string word; w.list ? static_cast<bool>(std::getline(in, word, ',')) : static_cast<bool>(in >> word);)
    if (std::find(w.allowed.begin(), w.allowed.end(), word) == w.allowed.end())
      std::fprintf(stderr, "pumice: %s=%s is not known and has no effect; known: %s\n", r.env, word.c_str(), all.c_str());
}

bool is_name(std::string_view name) {
  // Of the script, the build and the tests: they end up in the environment of programs, too.
  static constexpr std::string_view kOther[] = {"PUMICE_PRESET", "PUMICE_TEST", "PUMICE_SANITIZER", "PUMICE_MATRIX_FOLDER", "PUMICE_MIGRATE_FOLDER"};
  for (std::string_view o : kOther)
    if (name.starts_with(o)) return true;
  return std::any_of(rows().begin(), rows().end(), [&](const Row& r) { return name == r.env; });
}

void warn() {
  for (Id id : {Id::cache, Id::jit_quick, Id::jit_wait, Id::stats}) {
    const Row& r = rows()[static_cast<size_t>(id)];
    if (std::string v = text(id); !truth(v)) std::fprintf(stderr, "pumice: %s=%s is neither 0 nor 1; using %s\n", r.env, v.c_str(), r.default_value);
  }
  check_words({Id::log, {"off", "warn", "info", "trace"}, false});
  check_words({Id::check, {"memory"}, true});
  for (char** e = environ; e && *e; e++) {
    std::string_view name(*e, std::strcspn(*e, "="));
    if (name.starts_with("PUMICE_") && !is_name(name))
      std::fprintf(stderr, "pumice: there is no setting %.*s\n", static_cast<int>(name.size()), name.data());
  }
}
} // namespace

bool flag(Id id) {
  if (auto t = truth(text(id))) return *t;
  return truth(rows()[static_cast<size_t>(id)].default_value).value_or(false);
}

void warn_of_unknown() {
  static std::once_flag once;
  if (text(Id::log) != "off") std::call_once(once, warn);
}

} // namespace pumice::options
