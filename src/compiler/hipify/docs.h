// SPDX-License-Identifier: MIT
// The documents of docs/migration, generated from the rows: file name and text.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace pumice::hipify {
std::vector<std::pair<std::string, std::string>> rule_documents();
}
