// SPDX-License-Identifier: MIT
#include "codeobj/line_table.h"
#include "codeobj/code_object.h"
#include "codeobj/line_program.h"
#include <algorithm>

namespace pumice::codeobj {

LineTable LineTable::read(Bytes elf) {
  LineTable t;
  Bytes section = elf_section(elf, ".debug_line");
  LineStrings strings{elf_section(elf, ".debug_str"), elf_section(elf, ".debug_line_str")};
  Reader r(section);
  while (r.left() >= 4 && read_line_unit(r, strings, t.rows_, t.files_)) {
  }
  // At one address the end of a sequence sorts before the start of the next.
  std::sort(t.rows_.begin(), t.rows_.end(), [](const Row& a, const Row& b) {
    return a.address != b.address ? a.address < b.address : a.end > b.end;
  });
  return t;
}

std::optional<SourceLine> LineTable::find(uint64_t vaddr) const {
  auto it = std::upper_bound(rows_.begin(), rows_.end(), vaddr,
                             [](uint64_t a, const Row& r) { return a < r.address; });
  if (it == rows_.begin())
    return std::nullopt;
  --it;
  // Line 0 marks compiler-made code: the nearest earlier row of the sequence tells more.
  while (!it->end && it->line == 0 && it != rows_.begin())
    --it;
  if (it->end || it->line == 0 || it->file >= files_.size())
    return std::nullopt;
  return SourceLine{files_[it->file], it->line, it->column};
}

} // namespace pumice::codeobj
