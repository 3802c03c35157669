// SPDX-License-Identifier: MIT
// Release numbers as the support pages write them: strings of numbers that are never read as one number ("1.2" is not
// "1.20"), and patterns over them.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace pumice::matrix {

/// The numeric parts of "7.2.1", "5.15.0-91-generic" (5 15 0 91) or "22.04.5". Empty when the text has no leading number.
std::vector<unsigned> parts(std::string_view version);
/// -1, 0, 1; missing parts count as lower ("6.2" < "6.2.0").
int compare(std::string_view a, std::string_view b);
/// `version` is `prefix` or a refinement of it: "2.4" covers "2.4.1", not "2.40".
bool refines(std::string_view version, std::string_view prefix);
/// Whether a release pattern means `version`: "6.3.3", "6.2.x", "7.2.1/7.2.2" or "7.14-10.x" (from 7.14 to all of 10).
/// A version of two parts ("6.3") is meant by every pattern of that series.
bool covers(std::string_view pattern, std::string_view version);
/// Concrete releases named by a pattern: none for "x" patterns and ranges.
std::vector<std::string> releases_in(std::string_view pattern);
bool valid_pattern(std::string_view pattern);

/// Text split at `separator`, trimmed, without empty pieces.
std::vector<std::string> split(std::string_view text, char separator);
std::string trim(std::string_view text);
std::string lower(std::string_view text);

} // namespace pumice::matrix
