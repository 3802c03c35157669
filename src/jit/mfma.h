// SPDX-License-Identifier: MIT
// Matrix micro-kernels behind translated MFMA instructions. Accumulators stay in the wave struct; consecutive
// instructions into the same accumulator arrive as one call over their k.
// Lane layouts: a lane l of A holds row l % M, elements k = (l / M) * per_lane ...; results are as in exec's MFMA.
#pragma once
#include <cstdint>

namespace pumice::jit {

enum class MfmaType : uint8_t { f32, f16, bf16, i8, f64 };

struct MfmaShape {
  MfmaType type;
  uint8_t m;        // rows = columns: 32, 16 or 4
  uint8_t k;        // depth of one instruction
  uint8_t blocks;   // independent products
  uint8_t per_lane; // k elements that a lane holds of A and of B
  uint32_t pack() const { return uint32_t(type) | m << 3 | k << 9 | blocks << 16 | per_lane << 22; }
  static MfmaShape unpack(uint32_t v) {
    return {static_cast<MfmaType>(v & 7), static_cast<uint8_t>(v >> 3 & 63), static_cast<uint8_t>(v >> 9 & 127),
            static_cast<uint8_t>(v >> 16 & 63), static_cast<uint8_t>(v >> 22 & 15)};
  }
};

} // namespace pumice::jit

/// D += sum over n of A[n] * B[n]. D: registers of 64 lanes, one after the other; operands[2n], operands[2n + 1]: the
/// lane vectors of A and B (dword q of an operand at +64 q).
extern "C" void pumice_rt_mfma(uint32_t shape, uint32_t* d, const uint32_t* const* operands, uint32_t count);
