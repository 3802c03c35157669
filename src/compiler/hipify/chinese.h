// SPDX-License-Identifier: MIT
// Findings in Chinese, from the rows: codes.tsv says why and what to do, chinese.tsv what was found. Identifiers stay.
#pragma once
#include "compiler/hipify/translate.h"
#include <string>
#include <string_view>

namespace pumice::hipify {

struct ChineseText {
  std::string message, suggestion; // as those of Finding
};

/// What no row of chinese.tsv knows stays English, in brackets behind the title of the finding's code.
ChineseText in_chinese(const Finding& finding);
/// One phrase by the rows of chinese.tsv, or "" when none fits.
std::string phrase_in_chinese(std::string_view english);

} // namespace pumice::hipify
