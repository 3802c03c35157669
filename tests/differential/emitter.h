// SPDX-License-Identifier: MIT
// Writes instruction words by mnemonic, from the opcodes of the rows. Only what the random programs need.
#pragma once
#include "isa/table.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace pumice::test {

constexpr unsigned V(unsigned n) { return 256 + n; } // a VGPR in a 9-bit source field
constexpr unsigned kLit = 255, kVcc = 106, kExec = 126;
constexpr unsigned imm(int n) { return n >= 0 ? 128 + static_cast<unsigned>(n) : 192 + static_cast<unsigned>(-n); }

class Emitter {
public:
  explicit Emitter(isa::Target t) : target(t) {}
  isa::Target target;
  std::vector<uint32_t> words;

  uint32_t opcode(const char* name) const {
    isa::Op op = isa::op_by_name(name);
    int code = op == isa::Op::invalid ? -1 : isa::row(op).opcode[static_cast<int>(target)];
    if (code < 0) {
      std::fprintf(stderr, "no %s on this target\n", name);
      std::abort();
    }
    return static_cast<uint32_t>(code);
  }
  void word(uint64_t w) { words.push_back(static_cast<uint32_t>(w)); }
  void sop1(const char* n, unsigned d, unsigned s) { word(0xbe800000u | d << 16 | opcode(n) << 8 | s); }
  void sop2(const char* n, unsigned d, unsigned a, unsigned b) { word(0x80000000u | opcode(n) << 23 | d << 16 | b << 8 | a); }
  void sopc(const char* n, unsigned a, unsigned b) { word(0xbf000000u | opcode(n) << 16 | b << 8 | a); }
  void sopp(const char* n, unsigned k = 0) { word(0xbf800000u | opcode(n) << 16 | (k & 0xffff)); }
  void sopk(const char* n, unsigned d, unsigned k) { word(0xb0000000u | opcode(n) << 23 | d << 16 | (k & 0xffff)); }
  void vop1(const char* n, unsigned d, unsigned s) { word(0x7e000000u | d << 17 | opcode(n) << 9 | s); }
  void vop2(const char* n, unsigned d, unsigned a, unsigned b) { word(opcode(n) << 25 | d << 17 | b << 9 | a); }
  void vopc(const char* n, unsigned a, unsigned b) { word(0x7c000000u | opcode(n) << 17 | b << 9 | a); }
  void vop3(uint32_t op, unsigned d, unsigned sd, unsigned a, unsigned b, unsigned c) {
    word(0xd0000000u | op << 16 | sd << 8 | d);
    word(a | b << 9 | c << 18);
  }
  void vop3(const char* n, unsigned d, unsigned a, unsigned b, unsigned c = 0, unsigned sd = 0) {
    isa::Enc home = isa::row(isa::op_by_name(n)).enc;
    vop3(opcode(n) + (home == isa::Enc::vop2 ? 0x100 : home == isa::Enc::vop1 ? 0x140 : 0), d, sd, a, b, c);
  }
  void smem(const char* n, unsigned data, unsigned base, uint32_t offset) {
    word(0xc0020000u | opcode(n) << 18 | data << 6 | base >> 1);
    word(offset & 0x1fffff);
  }
  void ds(uint32_t op, unsigned addr, unsigned d0, unsigned d1, unsigned dst, uint32_t offset) {
    word(0xd8000000u | op << 17 | (offset & 0xffff));
    word(addr | d0 << 8 | d1 << 16 | dst << 24);
  }
  void flat(uint32_t op, unsigned segment, unsigned addr, unsigned saddr, unsigned data, unsigned dst, uint32_t offset,
            uint32_t bits = 0) {
    word(0xdc000000u | op << 18 | segment << 14 | (offset & 0x1fff) | bits);
    word(addr | data << 8 | saddr << 16 | dst << 24);
  }
  void mubuf(uint32_t op, unsigned vaddr, unsigned data, unsigned rsrc, unsigned soffset, uint32_t offset, uint32_t bits) {
    word(0xe0000000u | op << 18 | (offset & 0xfff) | bits);
    word(vaddr | data << 8 | rsrc / 4 << 16 | soffset << 24);
  }
  void mov_s(unsigned d, uint32_t k) { sop1("s_mov_b32", d, kLit), word(k); }
  void mov_v(unsigned d, uint32_t k) { vop1("v_mov_b32", d, kLit), word(k); }
  void wait() { sopp("s_waitcnt", 0); }
};

} // namespace pumice::test
