// SPDX-License-Identifier: MIT
// Comparison of two waves that ran the same program, for differential tests and the `both` engine.
#pragma once
#include "exec/wave.h"
#include <string>

namespace pumice::exec {

enum class NanRule : uint8_t { bits, any_nan }; // any_nan: two f32 NaNs in one register are equal

/// Text of the first difference in architectural state (registers, SCC, MODE, PC, status), empty
/// when equal. Registers beyond `vgprs` (arch and acc each) and `sgprs` are not compared.
/// JIT-private fields never are.
std::string first_difference(const Wave& a, const Wave& b, NanRule nan = NanRule::bits,
                             unsigned vgprs = 256, unsigned sgprs = 128);

} // namespace pumice::exec
