// SPDX-License-Identifier: MIT
// One unit of .debug_line: header and state machine [DWARF 5, 6.2].
#pragma once
#include "codeobj/line_table.h"

namespace pumice::codeobj {

/// Name sections that version 5 headers refer to.
struct LineStrings {
  Bytes str, line_str;
};

/// Reads the unit at `r` and leaves `r` after it. Appends rows and files; false when the unit is
/// damaged (rows read so far stay).
bool read_line_unit(Reader& r, const LineStrings& strings, std::vector<LineTable::Row>& rows,
                    std::vector<std::string>& files);

} // namespace pumice::codeobj
