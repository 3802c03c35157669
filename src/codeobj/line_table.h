// SPDX-License-Identifier: MIT
// Source lines of code addresses, from .debug_line v2 to v5 of a code object built with -g.
// Reads line programs only; needs no .debug_info. Untrusted input: damage gives fewer rows.
#pragma once
#include "codeobj/bytes.h"
#include <optional>
#include <string>
#include <vector>

namespace pumice::codeobj {

struct SourceLine {
  std::string file; // directory joined with name, as recorded
  uint32_t line = 0;
  uint32_t column = 0;
};

class LineTable {
public:
  /// `elf`: the whole code object. Empty table when it has no .debug_line.
  static LineTable read(Bytes elf);
  /// The row that covers an ELF vaddr.
  std::optional<SourceLine> find(uint64_t vaddr) const;
  bool empty() const { return rows_.empty(); }

  struct Row {
    uint64_t address;
    uint32_t file, line, column;
    bool end; // first address after a sequence
  };

private:
  std::vector<Row> rows_; // sorted by address
  std::vector<std::string> files_;
};

} // namespace pumice::codeobj
