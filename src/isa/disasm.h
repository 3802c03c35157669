// SPDX-License-Identifier: MIT
// Pieces of the disassembler: symbolic names of immediates. Internal to the room.
#pragma once
#include "isa/table.h"
#include <string>

namespace pumice::isa {

std::string waitcnt_text(unsigned k);
std::string sendmsg_text(unsigned k);
std::string hwreg_text(Target target, unsigned k);
std::string swizzle_text(unsigned offset);
std::string gpr_idx_text(unsigned k);
std::string buffer_format_text(unsigned dfmt, unsigned nfmt);
std::string dpp_ctrl_text(unsigned ctrl);
std::string hex(uint64_t value);
/// Decimal where LLVM does: up to 64.
std::string small_or_hex(unsigned k);

} // namespace pumice::isa
