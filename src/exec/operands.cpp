// SPDX-License-Identifier: MIT
// Operand readers and writers, output modifiers, SDWA and DPP.
#include "exec/state.h"

namespace pumice::exec {

uint64_t read_scalar(const Wave& w, const Inst& inst, const Operand& o) {
  if (o.is_constant())
    return isa::constant_bits(inst, o);
  bool pair = o.dwords == 2;
  if (o.is_sgpr()) {
    if (o.code == isa::kNull)
      return 0;
    uint64_t v = w.sgpr[o.code];
    return pair ? v | static_cast<uint64_t>(w.sgpr[o.code + 1]) << 32 : v;
  }
  // Apertures are 64-bit values with an empty low half [CDNA3 ISA, "SGPR source operands"].
  auto aperture = [&](uint32_t hi, uint32_t lo) {
    return pair ? static_cast<uint64_t>(hi) << 32 | lo : lo;
  };
  switch (o.code) {
  case isa::kSharedBase:
    return aperture(kSharedApertureHi, 0);
  case isa::kSharedLimit:
    return aperture(kSharedApertureHi, 0xffffffff);
  case isa::kPrivateBase:
    return aperture(kPrivateApertureHi, 0);
  case isa::kPrivateLimit:
    return aperture(kPrivateApertureHi, 0xffffffff);
  case isa::kVccz:
    return w.vcc() == 0;
  case isa::kExecz:
    return w.exec() == 0;
  case isa::kScc:
    return w.scc;
  default:
    return 0;
  }
}

void write_scalar(Wave& w, const Operand& o, uint64_t value) {
  if (o.code == isa::kNull)
    return;
  w.sgpr[o.code] = static_cast<uint32_t>(value);
  if (o.dwords == 2)
    w.sgpr[o.code + 1] = static_cast<uint32_t>(value >> 32);
}

Source source(const Wave& w, const Inst& inst, const Operand& o) {
  if (o.is_vgpr())
    return {true, o.vgpr(), 0};
  if (!o.present())
    return {};
  return {false, 0, read_scalar(w, inst, o)};
}

int dpp_source_lane(unsigned c, unsigned lane) {
  int row = static_cast<int>(lane & ~15u), in_row = static_cast<int>(lane & 15),
      n = static_cast<int>(c & 15);
  if (c <= 0xff)
    return static_cast<int>(lane & ~3u) + static_cast<int>(c >> 2 * (lane & 3) & 3);
  switch (c & 0x1f0) {
  case 0x100:
    return in_row + n < 16 ? row + in_row + n : -1; // row_shl: from the right
  case 0x110:
    return in_row >= n ? row + in_row - n : -1; // row_shr
  case 0x120:
    return row + ((in_row - n) & 15); // row_ror
  case 0x150:
    return row + n; // row_newbcast
  default:
    break;
  }
  int l = static_cast<int>(lane);
  switch (c) {
  case 0x130:
    return l < 63 ? l + 1 : -1; // wave_shl:1
  case 0x134:
    return (l + 1) & 63; // wave_rol:1
  case 0x138:
    return l - 1; // wave_shr:1
  case 0x13c:
    return (l - 1) & 63; // wave_ror:1
  case 0x140:
    return row + 15 - in_row; // row_mirror
  case 0x141:
    return static_cast<int>(lane ^ 7); // row_half_mirror
  case 0x142:
    return row ? row - 1 : -1; // row_bcast:15 into the next row
  case 0x143:
    return lane >= 32 ? 31 : -1; // row_bcast:31 into rows 2 and 3
  default:
    return -1;
  }
}

uint32_t sdwa_merge(const Inst& i, uint32_t old, uint32_t result) {
  unsigned s = static_cast<unsigned>(i.sdwa_dst);
  if (i.sdwa_dst == isa::SdwaSel::dword)
    return result;
  unsigned width = s < 4 ? 8 : 16, shift = s < 4 ? 8 * s : 16 * (s - 4);
  uint32_t field = width == 8 ? 0xff : 0xffff, placed = (result & field) << shift;
  switch (i.sdwa_unused) {
  case isa::SdwaUnused::pad:
    return placed;
  case isa::SdwaUnused::sext: {
    bool negative = result >> (width - 1) & 1;
    uint32_t above = shift + width == 32 ? 0 : ~0u << (shift + width);
    return negative ? placed | above : placed;
  }
  case isa::SdwaUnused::preserve:
    return (old & ~(field << shift)) | placed;
  }
  return placed;
}

bool keeps_other_half(const Inst& i) {
  const isa::Row& r = isa::row(i.op);
  return r.enc == isa::Enc::vop3 && (r.mods & isa::kModOpSel);
}

namespace {

// omod does nothing when denormal results are kept or in IEEE mode; otherwise it scales and -0
// becomes +0 [CDNA3 ISA, "Output modifiers"]. clamp limits to 0..1; NaN becomes 0 with DX10 clamp.
template <class T, class Scale> T modify(const Context& c, T v, bool denormals, Scale multiply) {
  if (c.i.omod && !denormals && !c.fp.ieee) {
    static constexpr float kFactor[4] = {1.0f, 2.0f, 4.0f, 0.5f};
    v = multiply(v, kFactor[c.i.omod & 3]);
  }
  return v;
}

} // namespace

float output_modifiers(const Context& c, float v) {
  v = modify(c, v, c.fp.out32, [](float x, float f) { return Fp::flush(x * f) + 0.0f; });
  if (!c.i.clamp)
    return v;
  if (is_nan(v))
    return c.fp.dx10_clamp ? 0.0f : v;
  return v > 1.0f ? 1.0f : v > 0.0f ? v : 0.0f;
}
double output_modifiers(const Context& c, double v) {
  v = modify(c, v, c.fp.out64, [](double x, float f) { return Fp::flush(x * f) + 0.0; });
  if (!c.i.clamp)
    return v;
  if (is_nan(v))
    return c.fp.dx10_clamp ? 0.0 : v;
  return v > 1.0 ? 1.0 : v > 0.0 ? v : 0.0;
}
F16 output_modifiers(const Context& c, F16 v) {
  Round r = c.fp.round64;
  v = modify(c, v, c.fp.out64,
             [r](F16 x, float f) { return Fp::flush(f16_of(f64_of(x) * f + 0.0, r)); });
  if (!c.i.clamp)
    return v;
  if (is_nan(v))
    return c.fp.dx10_clamp ? F16{} : v;
  float x = f32_of(v);
  return x > 1.0f ? F16{0x3c00} : x > 0.0f ? v : F16{};
}

} // namespace pumice::exec
