// SPDX-License-Identifier: MIT
// The files of rows/ as bytes of the program. PUMICE_HIPIFY_ROWS is that folder's path.
#include "compiler/hipify/embedded_rows.h"

#define EMBED(name)                                                                                \
  asm(".section .rodata.hipify_rows, \"a\"\n"                                                      \
      ".global pumice_rows_" #name "\npumice_rows_" #name ":\n"                                    \
      ".incbin \"" PUMICE_HIPIFY_ROWS "/" #name ".tsv\"\n"                                         \
      ".global pumice_rows_end_" #name "\npumice_rows_end_" #name ":\n.byte 0\n.previous\n");      \
  extern "C" const char pumice_rows_##name[], pumice_rows_end_##name[];
#define ROWS(name) EMBED(name)
#include "compiler/hipify/rows/files.def"
#undef ROWS

namespace pumice::hipify {
std::string_view embedded_rows(std::string_view wanted) {
#define ROWS(name)                                                                                 \
  if (wanted == #name)                                                                             \
    return {pumice_rows_##name, size_t(pumice_rows_end_##name - pumice_rows_##name)};
#include "compiler/hipify/rows/files.def"
#undef ROWS
  return {};
}
} // namespace pumice::hipify
