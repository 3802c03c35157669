// SPDX-License-Identifier: MIT
// Text of one file of rows/, by its name without ".tsv"; empty when there is none.
#pragma once
#include <string_view>

namespace pumice::hipify {
std::string_view embedded_rows(std::string_view name);
}
