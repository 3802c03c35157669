// SPDX-License-Identifier: MIT
// libFuzzer target: any bytes decode or are rejected, and what decodes can be printed and analysed.
#include "isa/inst.h"
#include <cstdlib>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace pumice::isa;
  for (Target target : {Target::gfx90a, Target::gfx942}) {
    for (size_t at = 0; at < size;) {
      // A copy of exactly the remaining bytes lets the sanitizer see any read beyond them.
      std::vector<uint8_t> rest(data + at, data + size);
      Inst inst;
      if (!decode(target, rest.data(), rest.size(), inst)) {
        at += 4;
        continue;
      }
      if (inst.size != 4 && inst.size != 8)
        std::abort();
      if (inst.size > rest.size())
        std::abort();
      if (disassemble(target, inst, at).empty())
        std::abort();
      auto in_bank = [](uint16_t code, unsigned dwords) {
        if (code != kScc && code + dwords > kAgpr0 + 256u)
          std::abort();
      };
      for_each_use(inst, in_bank);
      for_each_def(inst, in_bank);
      for (const Operand& o : inst.src)
        if (o.is_constant())
          (void)constant_bits(inst, o);
      at += inst.size;
    }
  }
  return 0;
}
