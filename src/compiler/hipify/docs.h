// SPDX-License-Identifier: MIT
// The documents of docs/migration, generated from the rows: file name and text.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace pumice::hipify {
std::vector<std::pair<std::string, std::string>> rule_documents();
/// Headers under CUDA's names (cuda_runtime.h, cublas_v2.h, ...) that include HIP's and define CUDA's names as HIP's: for
/// builds that do not translate. Generated from the name and header rows.
std::vector<std::pair<std::string, std::string>> header_set();
}
