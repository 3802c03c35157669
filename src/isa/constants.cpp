// SPDX-License-Identifier: MIT
// Values of inline constants and literals as an operand's type reads them.
#include "isa/inst.h"

namespace pumice::isa {
namespace {

// 0.5 -0.5 1 -1 2 -2 4 -4 1/(2*pi), codes 240..248, in each float format.
constexpr uint16_t kF16[9] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000,
                              0xc000, 0x4400, 0xc400, 0x3118};
constexpr uint16_t kBf16[9] = {0x3f00, 0xbf00, 0x3f80, 0xbf80, 0x4000,
                               0xc000, 0x4080, 0xc080, 0x3e23};
constexpr uint32_t kF32[9] = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000,
                              0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983};
constexpr uint64_t kF64[9] = {0x3fe0000000000000, 0xbfe0000000000000, 0x3ff0000000000000,
                              0xbff0000000000000, 0x4000000000000000, 0xc000000000000000,
                              0x4010000000000000, 0xc010000000000000, 0x3fc45f306dc9c882};

enum class Width : uint8_t { half, bhalf, word, packed_half, packed_bhalf, dword, float_dword };

Width width(Type t) {
  switch (t) {
  case Type::b16:
  case Type::f16:
  case Type::i16:
  case Type::u16:
    return Width::half;
  case Type::bf16:
    return Width::bhalf;
  case Type::v2f16:
  case Type::v2b16:
    return Width::packed_half;
  case Type::v2bf16:
    return Width::packed_bhalf;
  case Type::b64:
  case Type::i64:
  case Type::u64:
  case Type::mask:
    return Width::dword;
  case Type::f64:
  case Type::b256:
    return Width::float_dword; // b256: accumulator of the f64 matrix instructions
  default:
    return Width::word; // v2i16, v2u16, v2f32 and the 32-bit accumulators read 32-bit constants
  }
}

} // namespace

uint64_t constant_bits(const Inst& inst, const Operand& o) {
  Width w = width(o.type);
  if (o.code == kLiteral) {
    switch (w) {
    case Width::half:
    case Width::bhalf:
      return inst.literal & 0xffff;
    case Width::float_dword:
      return static_cast<uint64_t>(inst.literal) << 32;
    case Width::dword:
      return o.type == Type::i64
                 ? static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(inst.literal)))
                 : inst.literal;
    default:
      return inst.literal;
    }
  }
  if (o.code >= kHalf && o.code <= kHalf + 8) {
    unsigned i = o.code - kHalf;
    switch (w) {
    case Width::half:
    case Width::packed_half:
      return kF16[i];
    case Width::bhalf:
    case Width::packed_bhalf:
      return kBf16[i];
    case Width::dword:
    case Width::float_dword:
      return kF64[i];
    default:
      return kF32[i];
    }
  }
  int64_t value = o.code <= 192 ? o.code - kInt0 : 192 - static_cast<int>(o.code);
  switch (w) {
  case Width::half:
  case Width::bhalf:
    return static_cast<uint16_t>(value);
  case Width::dword:
  case Width::float_dword:
    return static_cast<uint64_t>(value);
  default:
    return static_cast<uint32_t>(value);
  }
}

} // namespace pumice::isa
