// SPDX-License-Identifier: MIT
// Short forms for tests of the translator.
#pragma once
#include "compiler/hipify/translate.h"
#include <algorithm>
#include <cctype>
#include <gtest/gtest.h>
#include <string>

namespace pumice::hipify {

/// The translation without a main header in front.
inline std::string hip(std::string_view text, Options o = {}) {
  o.insert_main_header = false;
  return translate(text, o).text;
}
inline std::vector<Finding> findings(std::string_view text, Options o = {}) {
  return translate(text, o).findings;
}
inline size_t count(std::string_view text, std::string_view code, Options o = {}) {
  std::vector<Finding> f = findings(text, o);
  return size_t(std::count_if(f.begin(), f.end(), [&](const Finding& x) { return x.code->code == code; }));
}
inline bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

} // namespace pumice::hipify
