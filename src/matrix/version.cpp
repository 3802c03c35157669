// SPDX-License-Identifier: MIT
#include "matrix/version.h"
#include <algorithm>
#include <cctype>

namespace pumice::matrix {
namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }

/// "7.14-10.x": a range of releases. "30.20.0-1" is none (packages, not releases, are written so).
bool split_range(std::string_view p, std::string_view& lo, std::string_view& hi) {
  size_t dash = p.find('-');
  if (dash == std::string_view::npos || p.find('.') == std::string_view::npos || p.find('.') > dash) return false;
  lo = p.substr(0, dash), hi = p.substr(dash + 1);
  return hi.find('.') != std::string_view::npos;
}

bool is_wild(std::string_view p) { return p.size() > 2 && p.substr(p.size() - 2) == ".x"; }

} // namespace

std::string trim(std::string_view t) {
  size_t a = t.find_first_not_of(" \t\r"), b = t.find_last_not_of(" \t\r");
  return a == std::string_view::npos ? std::string() : std::string(t.substr(a, b - a + 1));
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> out;
  while (true) {
    size_t at = text.find(separator);
    std::string piece = trim(text.substr(0, at));
    if (!piece.empty()) out.push_back(std::move(piece));
    if (at == std::string_view::npos) return out;
    text.remove_prefix(at + 1);
  }
}

std::string lower(std::string_view text) {
  std::string s(text);
  for (char& c : s) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return s;
}

std::vector<unsigned> parts(std::string_view v) {
  std::vector<unsigned> out;
  size_t i = 0;
  while (i < v.size() && digit(v[i])) {
    unsigned n = 0;
    while (i < v.size() && digit(v[i])) n = std::min(n, 100'000'000u) * 10 + static_cast<unsigned>(v[i++] - '0');
    out.push_back(n);
    if (i + 1 < v.size() && (v[i] == '.' || v[i] == '-') && digit(v[i + 1])) i++;
    else break;
  }
  return out;
}

int compare(std::string_view a, std::string_view b) {
  auto x = parts(a), y = parts(b);
  return x < y ? -1 : x == y ? 0 : 1;
}

bool refines(std::string_view version, std::string_view prefix) {
  auto v = parts(version), p = parts(prefix);
  return !p.empty() && v.size() >= p.size() && std::equal(p.begin(), p.end(), v.begin());
}

bool covers(std::string_view pattern, std::string_view version) {
  for (const std::string& one : split(pattern, '/')) {
    std::string_view lo, hi;
    if (split_range(one, lo, hi)) {
      std::string_view top = is_wild(hi) ? hi.substr(0, hi.size() - 2) : hi;
      bool above = compare(version, lo) >= 0 || refines(lo, version);
      bool below = is_wild(hi) ? refines(version, top) || compare(version, top) < 0 : compare(version, top) <= 0;
      if (above && below) return true;
    } else if (is_wild(one)) {
      if (refines(version, std::string_view(one).substr(0, one.size() - 2))) return true;
    } else if (compare(one, version) == 0 || (parts(version).size() == 2 && refines(one, version))) {
      return true;
    }
  }
  return false;
}

std::vector<std::string> releases_in(std::string_view pattern) {
  std::vector<std::string> out;
  for (std::string& one : split(pattern, '/')) {
    std::string_view lo, hi;
    if (!split_range(one, lo, hi) && !is_wild(one) && !parts(one).empty()) out.push_back(std::move(one));
  }
  return out;
}

bool valid_pattern(std::string_view pattern) {
  auto numbers = [](std::string_view v) {
    if (is_wild(v)) v.remove_suffix(2);
    if (v.empty()) return false;
    bool was_digit = false;
    for (char c : v) {
      if (digit(c)) was_digit = true;
      else if (c == '.' && was_digit) was_digit = false;
      else return false;
    }
    return was_digit;
  };
  auto all = split(pattern, '/');
  if (all.empty()) return false;
  return std::all_of(all.begin(), all.end(), [&](const std::string& one) {
    std::string_view lo, hi;
    return split_range(one, lo, hi) ? numbers(lo) && numbers(hi) : numbers(one);
  });
}

} // namespace pumice::matrix
