// SPDX-License-Identifier: MIT
// libFuzzer target: code objects, their metadata and line tables.
// Corpus to start from: code objects of tests/kernels, e.g. those in the build folder's
// tests/unit/codeobj.
#include "codeobj/code_object.h"
#include "codeobj/line_table.h"
#include "codeobj/msgpack.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace pumice::codeobj;
  Bytes b(data, size);
  if (auto co = parse_code_object(b); co.ok())
    for (const Segment& s : co->segments)
      if (!fits(b, s.file_offset, s.file_size))
        __builtin_trap();
  if (auto n = elf_size(b); n.ok() && *n > size)
    __builtin_trap();
  (void)LineTable::read(b).find(0x2000);
  (void)read_msgpack(b).ok();
  return 0;
}
