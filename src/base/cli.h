// SPDX-License-Identifier: MIT
// Command lines as every Pumice tool reads them, over CLI11: wrong use is exit status 2, its
// message goes to stderr, and a tool that was asked for a machine format writes one document also
// then. Header only: for programs that link CLI11 and nlohmann_json themselves.
#pragma once
#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace pumice::cli {

constexpr int kWrongUse = 2;

/// The option is among the words, whether or not they can be parsed.
inline bool given(int argc, char** argv, std::string_view option) {
  for (int i = 1; i < argc && std::string_view(argv[i]) != "--"; ++i)
    if (std::string_view(argv[i]) == option)
      return true;
  return false;
}

/// Value of the last `option` among the words; empty when there is none.
inline std::string value_of(int argc, char** argv, const std::string& option) {
  std::string value;
  for (int i = 1; i < argc; ++i) {
    std::string_view word = argv[i];
    if (word == option && i + 1 < argc)
      value = argv[i + 1];
    else if (word.starts_with(option + "="))
      value = word.substr(option.size() + 1);
  }
  return value;
}

/// Says on stderr what is wrong; with `json` also as a document on stdout
/// (share/pumice/schemas/pumice-error.schema.json). Returns `status`.
inline int fail(const char* tool, const std::string& message, bool json, int status = kWrongUse) {
  if (json) {
    nlohmann::ordered_json doc{{"format", "pumice-error-1"}, {"error", message}};
    std::string text = doc.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  }
  std::fprintf(stderr, "%s: %s\n", tool, message.c_str());
  return status;
}

namespace detail {

struct Names {
  std::set<std::string> all, with_value;
};

inline void collect(CLI::App& app, Names& names) {
  for (const CLI::Option* o : app.get_options()) {
    auto add = [&](const std::string& name) {
      names.all.insert(name);
      if (o->get_items_expected_min() > 0)
        names.with_value.insert(name);
    };
    for (const std::string& n : o->get_lnames())
      add("--" + n);
    for (const std::string& n : o->get_snames())
      add("-" + n);
  }
  for (CLI::App* group : app.get_subcommands([](CLI::App* a) { return a->get_name().empty(); }))
    collect(*group, names);
}

/// CLI11 takes whatever follows as an option's value, also the next option.
inline std::string swallowed_option(CLI::App& app, int argc, char** argv) {
  Names names;
  collect(app, names);
  bool chosen = false;
  for (int i = 1; i < argc && std::string_view(argv[i]) != "--"; ++i) {
    std::string word = argv[i];
    auto subs = app.get_subcommands([&](CLI::App* a) { return a->check_name(word); });
    if (!chosen && !subs.empty()) {
      collect(*subs[0], names);
      chosen = true;
      continue;
    }
    if (!names.with_value.count(word) || i + 1 >= argc)
      continue;
    std::string next = argv[i + 1];
    if (names.all.count(next))
      return word + ": wants a value; '" + next + "' is an option";
    ++i;
  }
  return {};
}

inline std::string shown(double v) {
  char text[40];
  std::snprintf(text, sizeof text, "%.15g", v);
  return text;
}

} // namespace detail

/// Parses the words. Nothing: go on. Else the exit status: 0 after help, or what `wrong` returned
/// for its message.
inline std::optional<int> parse(CLI::App& app, int argc, char** argv,
                                const std::function<int(const std::string&)>& wrong) {
  try {
    if (std::string s = detail::swallowed_option(app, argc, argv); !s.empty())
      return wrong(s);
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    std::string text = e.what();
    for (char& c : text) // one line
      c = c == '\n' ? ' ' : c;
    return wrong(text);
  }
  return std::nullopt;
}

/// A finite number of at least `least` and at most `most`; `what` names it with its unit.
inline CLI::Validator number(const char* what, double least, double most) {
  return CLI::Validator(
      [what, least, most](std::string& text) -> std::string {
        char* end = nullptr;
        double v = std::strtod(text.c_str(), &end);
        if (!text.empty() && !*end && std::isfinite(v) && v >= least && v <= most)
          return {};
        return "wants " + std::string(what) + " from " + detail::shown(least) + " to " +
               detail::shown(most) + ", not '" + text + "'";
      },
      "");
}

/// A whole number in decimal digits.
inline CLI::Validator whole(const char* what, uint64_t least, uint64_t most) {
  return CLI::Validator(
      [what, least, most](std::string& text) -> std::string {
        bool digits = !text.empty() && text.size() < 20 &&
                      text.find_first_not_of("0123456789") == std::string::npos;
        if (uint64_t v = digits ? std::strtoull(text.c_str(), nullptr, 10) : 0;
            digits && v >= least && v <= most)
          return {};
        return "wants " + std::string(what) + " from " + std::to_string(least) + " to " +
               std::to_string(most) + ", not '" + text + "'";
      },
      "");
}

/// Text that is not empty: `--file ""` comes from a variable that was not set.
inline CLI::Validator not_empty() {
  return CLI::Validator(
      [](std::string& text) -> std::string {
        return text.empty() ? "wants a value that is not empty" : "";
      },
      "");
}

constexpr double kShortest = 0.001, kLongest = 1e9; // of waits, in seconds
inline CLI::Validator seconds() {
  return number("a number of seconds", kShortest, kLongest);
}
inline CLI::Validator rounds() {
  return whole("a whole number", 1, 1'000'000'000'000);
}

} // namespace pumice::cli
