// SPDX-License-Identifier: MIT
// isa-dump: prints what the instruction table and the decoder know.
//   isa-dump rows                     every row: mnemonic, encoding, opcodes, meaning
//   isa-dump text <target> <file>     disassembles a raw .text section, one instruction a line
#include "isa/inst.h"
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

namespace {

using namespace pumice::isa;

const char* enc_name(Enc e) {
  static constexpr const char* kNames[] = {"sop2", "sopk",   "sop1",    "sopc",  "sopp",  "smem",
                                           "vop2", "vop1",   "vopc",    "vop3",  "vop3p", "ds",
                                           "flat", "global", "scratch", "mubuf", "mtbuf"};
  return kNames[static_cast<unsigned>(e)];
}

int print_rows() {
  for (size_t i = 1; i < kOpCount; ++i) {
    const Row& r = row(static_cast<Op>(i));
    std::printf("%-34s %-8s %5d %5d  %s\n", r.mnemonic, enc_name(r.enc), r.opcode[0], r.opcode[1],
                r.meaning);
  }
  return 0;
}

int print_text(const char* target_text, const char* path) {
  Target target = std::strcmp(target_text, "gfx90a") == 0 ? Target::gfx90a : Target::gfx942;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "isa-dump: cannot read %s\n", path);
    return 1;
  }
  std::vector<char> bytes((std::istreambuf_iterator<char>(file)), {});
  const uint8_t* code = reinterpret_cast<const uint8_t*>(bytes.data());
  for (size_t at = 0; at + 4 <= bytes.size();) {
    Inst inst;
    if (decode(target, code + at, bytes.size() - at, inst)) {
      std::puts(disassemble(target, inst, at).c_str());
      at += inst.size;
    } else {
      uint32_t word;
      std::memcpy(&word, code + at, 4);
      std::printf(".long 0x%08x\n", word);
      at += 4;
    }
  }
  return 0;
}

} // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "rows") == 0)
    return print_rows();
  if (argc == 4 && std::strcmp(argv[1], "text") == 0)
    return print_text(argv[2], argv[3]);
  std::fprintf(stderr, "usage: isa-dump rows | isa-dump text gfx90a|gfx942 <raw text section>\n");
  return 2;
}
