// SPDX-License-Identifier: MIT
// Random instruction words that cover every opcode of every encoding with mostly legal fields.
// Shared by the tests that compare decoders; deterministic for a seed.
#pragma once
#include <cstdint>
#include <random>

namespace pumice::test {

class RandomEncoding {
public:
  explicit RandomEncoding(uint64_t seed) : rng_(seed) {}

  /// Calls `visit(uint64_t words)` once or more for every opcode of every encoding.
  template <class Visit> void sweep(Visit visit) {
    for (uint32_t op = 0; op < 128; ++op) {
      visit(literal() | 0x80000000u | op << 23 | below(128) << 16 | scalar() << 8 |
            scalar());                                                      // SOP2
      visit(literal() | 0xbf000000u | op << 16 | scalar() << 8 | scalar()); // SOPC
      visit(literal() | 0xbf800000u | op << 16 |
            (below(4) == 0 ? 0
             : coin()      ? below(0x400)
                           : below(0x10000))); // SOPP
    }
    for (uint32_t op = 0; op < 32; ++op)
      visit(literal() | 0xb0000000u | op << 23 | below(128) << 16 | below(0x10000));
    for (uint32_t op = 0; op < 256; ++op) {
      visit(literal() | 0xbe800000u | below(128) << 16 | op << 8 | scalar()); // SOP1
      smem(op, visit);
      short_vector(0x7e000000u | op << 9 | vgpr() << 17, visit); // VOP1
      short_vector(0x7c000000u | op << 17 | vgpr() << 9, visit); // VOPC
      ds(op, visit);
    }
    for (uint32_t op = 0; op < 62; ++op)
      short_vector(op << 25 | vgpr() << 17 | vgpr() << 9, visit); // VOP2
    for (uint32_t op = 0; op < 1024; ++op)
      vop3(op, visit);
    for (uint32_t op = 0; op < 128; ++op) {
      for (uint32_t segment = 0; segment < 4; ++segment)
        flat(op, segment, visit);
      buffer(0xe0000000u | op << 18 | sometimes(0xf000) | sometimes(0x30000), 0, visit); // MUBUF
    }
    for (uint32_t op = 0; op < 16; ++op)
      buffer(0xe8000000u | op << 15 | sometimes(0x7000) | below(128) << 19, sometimes(0x600000),
             visit);             // MTBUF
    visit(rng_() | 0x80000000u); // no SDWA here: see sdwa()
  }

private:
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(rng_() % n); }
  bool coin() { return rng_() & 1; }
  bool rarely() { return below(20) == 0; }
  uint32_t sometimes(uint32_t mask) {
    return below(3) == 0 ? static_cast<uint32_t>(rng_()) & mask : 0;
  }
  uint32_t vgpr() { return below(16) == 0 ? 0 : below(8) ? below(112) * 2 : below(256); }
  uint32_t scalar() {
    switch (below(4)) {
    case 0:
      return below(256);
    case 1:
      return below(25) * 4;
    case 2:
      return 128 + below(81);
    default:
      return below(102);
    }
  }
  uint32_t source9() {
    switch (below(8)) {
    case 0: {
      uint32_t any = below(512);
      return any == 249 ? 250 : any; // SDWA comes from sdwa() only
    }
    case 1:
      return below(50) * 2;
    case 2:
      return 128 + below(81);
    case 3:
      return 100 + below(30);
    default:
      return 256 + vgpr();
    }
  }
  uint64_t literal() {
    uint32_t v = static_cast<uint32_t>(rng_());
    switch (below(4)) {
    case 0:
      v %= 70;
      break;
    case 1:
      v &= 0xffff;
      break;
    default:
      break;
    }
    return static_cast<uint64_t>(v) << 32;
  }
  static uint64_t join(uint32_t hi, uint32_t lo) { return static_cast<uint64_t>(hi) << 32 | lo; }

  template <class Visit> void smem(uint32_t op, Visit visit) {
    uint32_t lo = 0xc0000000u | op << 18 | below(64) | below(128) << 6 | sometimes(0x14000);
    if (below(4))
      lo |= 1u << 17;
    uint32_t hi = coin() ? below(128) : below(0x200000);
    if (below(3) == 0)
      hi |= below(128) << 25;
    visit(join(rarely() ? static_cast<uint32_t>(rng_()) : hi, lo));
  }
  template <class Visit> void short_vector(uint32_t word, Visit visit) {
    visit(literal() | word | source9());
    visit(literal() | word | 255);
    visit(join(sdwa(word >> 25 == 0x3e), word | 249));
    visit(join(dpp(), word | 250));
  }
  uint32_t sdwa(bool compare) {
    // Selectors 7 and dst_unused 3 do not exist and end LLVM's disassembler in undefined behaviour.
    uint32_t h = below(256) | below(7) << 8 | below(3) << 11 | below(7) << 16 | below(7) << 24;
    if (coin())
      h |= sometimes(0xb8b8e000) & 0xb8b8e000;
    if (below(3) == 0)
      h &= 0x00ffffff;
    if (compare && below(4) == 0)
      h = (h & ~0xff00u) | (coin() ? 0x8000 | (below(128) & ~0x07u) << 8 : 0);
    return h;
  }
  uint32_t dpp() {
    static constexpr uint16_t kControls[] = {0x130, 0x134, 0x138, 0x13c, 0x140, 0x141, 0x142,
                                             0x143, 0x150, 0x15f, 0x101, 0x10f, 0x111, 0x121};
    uint32_t control = below(4) ? (coin() ? kControls[below(14)] : 0x150 + below(16)) : below(512);
    return vgpr() | control << 8 | sometimes(0x80000) | sometimes(0xf00000) | below(256) << 24;
  }
  template <class Visit> void vop3(uint32_t op, Visit visit) {
    bool packed = op >= 896;
    uint32_t lo = 0xd0000000u | op << 16 | (packed || coin() ? vgpr() : below(128));
    lo |= sometimes(0x700) | sometimes(0x7800) | sometimes(0x8000);
    uint32_t hi = source9() | sometimes(0x18000000) | sometimes(0xe0000000);
    if (below(3))
      hi |= source9() << 9;
    if (coin())
      hi |= source9() << 18;
    if (packed && coin())
      hi |= 0x18000000 | 256 | 256 << 9, lo |= 0x4000;
    visit(join(hi, lo));
    if (packed)
      visit(
          join(0x18000000 | 256 | vgpr(), 0xd0000000u | op << 16 | 0x4000 | vgpr())); // one source
  }
  template <class Visit> void ds(uint32_t op, Visit visit) {
    uint32_t word = 0xd8000000u | op << 17;
    uint32_t hi = vgpr() | (below(3) ? vgpr() << 8 : 0) | (coin() ? vgpr() << 16 : 0) |
                  (below(3) ? vgpr() << 24 : 0);
    visit(join(hi, word | (below(4) ? below(0x10000) : 0) | sometimes(0x2010000)));
    visit(join(0, word | sometimes(0xffff) | (coin() ? 0x10000 : 0))); // forms without registers
  }
  template <class Visit> void flat(uint32_t op, uint32_t segment, Visit visit) {
    uint32_t lo = 0xdc000000u | op << 18 | segment << 14 | sometimes(0x1fff) | sometimes(0x2000) |
                  sometimes(0x30000) | sometimes(0x2000000);
    uint32_t hi =
        vgpr() | (coin() ? vgpr() << 8 : 0) | (coin() ? vgpr() << 24 : 0) | sometimes(0x800000);
    hi |= segment == 0 ? 0 : coin() ? 127u << 16 : below(128) << 16;
    visit(join(hi, lo));
  }
  template <class Visit> void buffer(uint32_t lo, uint32_t hi, Visit visit) {
    hi |= vgpr() | vgpr() << 8 | below(32) << 16 | scalar() << 24 | sometimes(0x800000);
    visit(join(hi, lo | sometimes(0xfff)));
  }

  std::mt19937_64 rng_;
};

} // namespace pumice::test
