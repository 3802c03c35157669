// SPDX-License-Identifier: MIT
// What instruction bodies use: the binding table, faults, operand readers and the runners that
// apply every modifier (neg, abs, omod, clamp, op_sel, SDWA, DPP) so that bodies hold meaning only.
// Internal to the room.
#pragma once
#include "exec/fp.h"
#include "exec/wave.h"
#include "isa/inst.h"
#include <array>
#include <concepts>
#include <tuple>
#include <type_traits>

namespace pumice::exec {

using isa::Inst;
using isa::Op;
using isa::Operand;
using isa::Type;

/// A body runs with Wave::pc at the next instruction.
using Body = void (*)(Wave&, const Inst&);
struct Bodies {
  std::array<Body, isa::kOpCount> of{};
  void bind(Op op, Body body) { of[static_cast<size_t>(op)] = body; }
};
void bind_scalar1(Bodies&);
void bind_scalar2(Bodies&);
void bind_program(Bodies&);
void bind_smem(Bodies&);
void bind_vop1(Bodies&);
void bind_vop2(Bodies&);
void bind_vop3(Bodies&);
void bind_vop3_bytes(Bodies&);
void bind_divide(Bodies&);
void bind_vopc(Bodies&);
void bind_vop3p(Bodies&);
void bind_lanes(Bodies&);
void bind_mfma(Bodies&);
void bind_lds(Bodies&);
void bind_flat(Bodies&);
void bind_buffer(Bodies&);

/// Stops the wave at `inst`.
void fault(Wave& w, const Inst& inst, FaultKind kind, uint64_t address = 0, int lane = -1);

/// A scalar operand's value: SGPRs, constants, SCC, apertures; 32-bit values zero-extended.
uint64_t read_scalar(const Wave& w, const Inst& inst, const Operand& o);
void write_scalar(Wave& w, const Operand& o, uint64_t value);
inline uint64_t read_mask(const Wave& w, const Operand& o) {
  return o.code == isa::kNull ? 0
                              : w.sgpr[o.code] | static_cast<uint64_t>(w.sgpr[o.code + 1]) << 32;
}

/// One source operand, resolved once per instruction.
struct Source {
  bool vector = false;
  unsigned reg = 0;   // VGPR index
  uint64_t value = 0; // uniform value
  uint32_t low(const Wave& w, unsigned lane) const {
    return vector ? w.vgpr[reg][lane] : static_cast<uint32_t>(value);
  }
  uint64_t both(const Wave& w, unsigned lane) const {
    return vector ? w.vgpr[reg][lane] | static_cast<uint64_t>(w.vgpr[reg + 1][lane]) << 32 : value;
  }
};
Source source(const Wave& w, const Inst& inst, const Operand& o);

/// Calls `f(lane)` for every set bit of `mask`, lowest first.
template <class F> void for_lanes(uint64_t mask, F f) {
  for (; mask; mask &= mask - 1)
    f(static_cast<unsigned>(std::countr_zero(mask)));
}

/// Lane that `lane` reads from under a DPP control, or -1 when there is none.
int dpp_source_lane(unsigned ctrl, unsigned lane);

/// Lane mask operand of a body: this lane's bit.
struct MaskBit {
  bool set;
};
/// Result with a carry or flag for the lane mask dst[1].
template <class T> struct Flagged {
  T value;
  bool flag;
};

/// What a body may know besides its sources.
struct Context {
  Wave& w;
  const Inst& i;
  Fp fp;
  unsigned lane = 0;
  bool clamp() const { return i.clamp; }
};

template <class T> constexpr bool kIs64 = sizeof(T) == 8;
template <class T> constexpr bool kIs16 = sizeof(T) == 2;
template <class T>
constexpr bool kIsFloat =
    std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, F16>;

/// Bits of one source after SDWA selection.
inline uint32_t sdwa_select(uint32_t v, isa::SdwaSel sel, bool sext) {
  unsigned s = static_cast<unsigned>(sel);
  if (sel == isa::SdwaSel::dword)
    return v;
  if (s < 4) {
    uint32_t b = v >> 8 * s & 0xff;
    return sext ? static_cast<uint32_t>(static_cast<int8_t>(b)) : b;
  }
  uint32_t h = v >> 16 * (s - 4) & 0xffff;
  return sext ? static_cast<uint32_t>(static_cast<int16_t>(h)) : h;
}
/// Merges a result into `old` as dst_sel and dst_unused say.
uint32_t sdwa_merge(const Inst& i, uint32_t old, uint32_t result);

/// Reads source `n` of the lane as T with all input modifiers.
template <class T> T read_lane(const Context& c, const Source& s, unsigned n, unsigned lane) {
  if constexpr (std::is_same_v<T, MaskBit>) {
    return {static_cast<bool>(s.value >> lane & 1)};
  } else if constexpr (kIs64<T>) {
    uint64_t v = s.both(c.w, lane);
    if constexpr (std::is_same_v<T, double>) {
      if (c.i.abs >> n & 1)
        v &= ~(uint64_t{1} << 63);
      if (c.i.neg >> n & 1)
        v ^= uint64_t{1} << 63;
    }
    return std::bit_cast<T>(v);
  } else {
    uint32_t v = s.low(c.w, lane);
    if (c.i.is_sdwa)
      v = sdwa_select(v, c.i.sdwa_sel[n & 1], c.i.sdwa_sext >> n & 1);
    if constexpr (kIs16<T>) {
      if (c.i.enc == isa::Enc::vop3 && (c.i.op_sel >> n & 1))
        v >>= 16;
      if constexpr (kIsFloat<T>) {
        if (c.i.abs >> n & 1)
          v &= 0x7fff;
        if (c.i.neg >> n & 1)
          v ^= 0x8000;
      }
      return std::bit_cast<T>(static_cast<uint16_t>(v));
    } else {
      // v_cndmask is the one integer operation with sign modifiers; they act on bit 31.
      if (c.i.abs >> n & 1)
        v &= 0x7fffffff;
      if (c.i.neg >> n & 1)
        v ^= 0x80000000;
      return std::bit_cast<T>(v);
    }
  }
}

float output_modifiers(const Context& c, float v);
double output_modifiers(const Context& c, double v);
F16 output_modifiers(const Context& c, F16 v);

/// 16-bit results of VOP3-only instructions go to the half that op_sel[3] names and keep the other;
/// elsewhere the high half becomes zero.
bool keeps_other_half(const Inst& i);

template <class T>
void write_lane(Context& c, const Operand& d, unsigned lane, T value, bool keep_half) {
  if constexpr (kIsFloat<T>)
    value = output_modifiers(c, value);
  uint32_t* reg = &c.w.vgpr[d.vgpr()][lane];
  if constexpr (kIs64<T>) {
    uint64_t v = std::bit_cast<uint64_t>(value);
    reg[0] = static_cast<uint32_t>(v);
    reg[kLanes] = static_cast<uint32_t>(v >> 32);
  } else if constexpr (kIs16<T>) {
    uint32_t v = std::bit_cast<uint16_t>(value);
    if (c.i.is_sdwa)
      *reg = sdwa_merge(c.i, *reg, v);
    else if (keep_half)
      *reg = c.i.op_sel & 8 ? (*reg & 0xffff) | v << 16 : (*reg & 0xffff0000) | v;
    else
      *reg = v;
  } else {
    uint32_t v = std::bit_cast<uint32_t>(value);
    *reg = c.i.is_sdwa ? sdwa_merge(c.i, *reg, v) : v;
  }
}

template <class R> constexpr Round rounding(const Fp& fp) {
  return std::is_same_v<R, float> ? fp.round32 : fp.round64;
}

/// Runs a per-lane body `R f(Context&, Args...)` over the active lanes.
template <class F, class R, class... Args> struct Runner {
  template <size_t... N>
  static auto call(Context& c, const std::array<Source, 4>& s, unsigned from,
                   std::index_sequence<N...>) {
    return F{}(c, read_lane<Args>(c, s[N], N, N == 0 ? from : c.lane)...);
  }

  static void run(Wave& w, const Inst& i) {
    Context c{w, i, Fp(w.mode)};
    std::array<Source, 4> s;
    for (size_t n = 0; n < sizeof...(Args); ++n)
      s[n] = source(w, i, i.src[n]);
    RoundingScope rounding_scope(rounding<R>(c.fp));
    if (i.is_dpp)
      return run_dpp(c, s);
    bool keep_half = kIs16<R> && keeps_other_half(i);
    uint64_t flags = 0;
    for_lanes(w.exec(), [&](unsigned lane) {
      c.lane = lane;
      finish(c, call(c, s, lane, std::index_sequence_for<Args...>{}), flags, keep_half);
    });
    if constexpr (kHasFlags)
      write_flags(c, flags);
  }

private:
  template <class T> struct IsFlagged : std::false_type {};
  template <class T> struct IsFlagged<Flagged<T>> : std::true_type {};
  static constexpr bool kHasFlags = std::is_same_v<R, bool> || IsFlagged<R>::value;

  static void finish(Context& c, R r, uint64_t& flags, bool keep_half) {
    if constexpr (std::is_same_v<R, bool>) {
      flags |= static_cast<uint64_t>(r) << c.lane;
    } else if constexpr (IsFlagged<R>::value) {
      flags |= static_cast<uint64_t>(r.flag) << c.lane;
      write_lane(c, c.i.dst[0], c.lane, r.value, keep_half);
    } else {
      write_lane(c, c.i.dst[0], c.lane, r, keep_half);
    }
  }
  static void write_flags(Context& c, uint64_t flags) {
    write_scalar(c.w, c.i.dst[std::is_same_v<R, bool> ? 0 : 1], flags);
    if (std::is_same_v<R, bool> && (isa::row(c.i.op).traits & isa::kCmpx))
      c.w.set_exec(flags);
  }
  /// DPP: source 0 comes from another lane of the row or wave; every lane reads before any writes.
  static void run_dpp(Context& c, const std::array<Source, 4>& s) {
    uint64_t exec = c.w.exec(), written = 0, flags = 0;
    std::array<R, kLanes> results{};
    for_lanes(exec, [&](unsigned lane) {
      if (!(c.i.dpp_row_mask >> (lane >> 4) & 1) || !(c.i.dpp_bank_mask >> (lane >> 2 & 3) & 1))
        return;
      int from = dpp_source_lane(c.i.dpp_ctrl, lane);
      bool valid = from >= 0 && (exec >> from & 1);
      if (!valid && !c.i.dpp_bound_ctrl)
        return;
      written |= uint64_t{1} << lane;
      c.lane = lane;
      std::array<Source, 4> lane_sources = s;
      if (!valid)
        lane_sources[0] = Source{};
      results[lane] = call(c, lane_sources, valid ? static_cast<unsigned>(from) : lane,
                           std::index_sequence_for<Args...>{});
    });
    for_lanes(written, [&](unsigned lane) {
      c.lane = lane;
      finish(c, results[lane], flags, false);
    });
    if constexpr (kHasFlags)
      write_flags(c, flags);
  }
};

/// Deduces result and source types from the body's own signature: `b.lane(Op::v_add_u32,
/// [](Context&, uint32_t a, uint32_t b) { return a + b; })`.
template <class F> struct Signature : Signature<decltype(&F::operator())> {};
template <class C, class R, class... A> struct Signature<R (C::*)(Context&, A...) const> {
  template <class F> using runner = Runner<F, R, A...>;
};

template <class F> void bind_lane(Bodies& b, Op op, F) {
  b.bind(op, &Signature<F>::template runner<F>::run);
}

} // namespace pumice::exec
