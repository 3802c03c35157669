// SPDX-License-Identifier: MIT
// Interpreter entry points, the binding table and faults.
#include "exec/interp.h"
#include "exec/state.h"

namespace pumice::exec {
namespace {

const Bodies& bodies() {
  static const Bodies table = [] {
    Bodies b;
    bind_scalar1(b);
    bind_scalar2(b);
    bind_program(b);
    bind_smem(b);
    bind_vop1(b);
    bind_vop2(b);
    bind_vop3(b);
    bind_vop3_bytes(b);
    bind_divide(b);
    bind_vopc(b);
    bind_vop3p(b);
    bind_lanes(b);
    bind_mfma(b);
    bind_lds(b);
    bind_flat(b);
    bind_buffer(b);
    return b;
  }();
  return table;
}

// VGPR index mode adds M0[7:0] to the vector operands that M0[15:12] names [CDNA3 ISA, "VGPR
// indexing"].
Inst indexed(const Wave& w, const Inst& inst) {
  Inst i = inst;
  uint32_t m0 = w.sgpr[isa::kM0], index = m0 & 0xff;
  auto move = [&](Operand& o) {
    if (o.present() && o.is_vgpr() && o.vgpr() + index + o.dwords <= 512u)
      o.code = static_cast<uint16_t>(o.code + index);
  };
  for (unsigned n = 0; n < 3; ++n)
    if (m0 >> (12 + n) & 1)
      move(i.src[n]);
  if (m0 >> 15 & 1)
    move(i.dst[0]);
  return i;
}

} // namespace

const char* fault_kind_name(FaultKind k) {
  switch (k) {
  case FaultKind::none:
    return "none";
  case FaultKind::bad_address:
    return "bad address";
  case FaultKind::illegal_instruction:
    return "illegal instruction";
  case FaultKind::trap:
    return "trap";
  case FaultKind::unsupported:
    return "unsupported instruction";
  case FaultKind::misaligned:
    return "misaligned address";
  case FaultKind::lds_out_of_range:
    return "LDS address out of range";
  case FaultKind::scratch_out_of_range:
    return "private address out of range";
  case FaultKind::hang:
    return "no progress";
  case FaultKind::out_of_memory:
    return "out of host memory";
  }
  return "unknown";
}

void fault(Wave& w, const Inst& inst, FaultKind kind, uint64_t address, int lane) {
  w.status = WaveStatus::faulted;
  w.pc -= inst.size;
  w.fault = {};
  w.fault.kind = kind;
  w.fault.pc = w.pc;
  w.fault.address = address;
  w.fault.lane = lane;
  w.fault.wave = w.index;
  for (unsigned n = 0; w.group && n < 3; ++n)
    w.fault.workgroup[n] = w.group->id[n];
}

void execute(Wave& w, const Inst& inst) {
  Body body = bodies().of[static_cast<size_t>(inst.op)];
  w.pc += inst.size;
  if (!body)
    return fault(w, inst, FaultKind::unsupported);
  constexpr uint32_t kGprIndexEnable = 1u << 27;
  if ((w.mode & kGprIndexEnable) && (isa::row(inst.op).traits & isa::kValu))
    return body(w, indexed(w, inst));
  body(w, inst);
}

uint64_t run(Wave& w, isa::Target target, const uint8_t* text, size_t text_bytes,
             uint64_t max_instructions) {
  uint64_t begin = reinterpret_cast<uint64_t>(text), executed = 0;
  while (w.status == WaveStatus::ready && executed < max_instructions) {
    uint64_t at = w.pc - begin;
    Inst inst;
    if (w.pc < begin || at >= text_bytes || w.pc % 4 ||
        !isa::decode(target, text + at, text_bytes - at, inst)) {
      fault(w, Inst{}, FaultKind::illegal_instruction, w.pc);
      return executed;
    }
    execute(w, inst);
    ++executed;
  }
  return executed;
}

bool implemented(Op op) {
  return bodies().of[static_cast<size_t>(op)] != nullptr;
}

} // namespace pumice::exec
