// SPDX-License-Identifier: MIT
// Program control: branches, calls, barriers, ends, traps, hardware registers, waits (which are
// no-ops here: every memory access is complete when its instruction is).
#include "exec/state.h"

namespace pumice::exec {
namespace {

void jump(Wave& w, const Inst& i) {
  w.pc += static_cast<int64_t>(i.simm16) * 4;
}

template <class F> void bind_branch(Bodies& b, Op op, F) {
  b.bind(op, [](Wave& w, const Inst& i) {
    if (F{}(w))
      jump(w, i);
  });
}

void bind_control_flow(Bodies& b) {
  bind_branch(b, Op::s_branch, [](const Wave&) { return true; });
  bind_branch(b, Op::s_cbranch_scc0, [](const Wave& w) { return !w.scc; });
  bind_branch(b, Op::s_cbranch_scc1, [](const Wave& w) { return w.scc != 0; });
  bind_branch(b, Op::s_cbranch_vccz, [](const Wave& w) { return w.vcc() == 0; });
  bind_branch(b, Op::s_cbranch_vccnz, [](const Wave& w) { return w.vcc() != 0; });
  bind_branch(b, Op::s_cbranch_execz, [](const Wave& w) { return w.exec() == 0; });
  bind_branch(b, Op::s_cbranch_execnz, [](const Wave& w) { return w.exec() != 0; });
  // No debugger is ever attached.
  bind_branch(b, Op::s_cbranch_cdbgsys, [](const Wave&) { return false; });
  bind_branch(b, Op::s_cbranch_cdbguser, [](const Wave&) { return false; });
  bind_branch(b, Op::s_cbranch_cdbgsys_or_user, [](const Wave&) { return false; });
  bind_branch(b, Op::s_cbranch_cdbgsys_and_user, [](const Wave&) { return false; });
  b.bind(Op::s_getpc_b64, [](Wave& w, const Inst& i) { write_scalar(w, i.dst[0], w.pc); });
  b.bind(Op::s_setpc_b64,
         [](Wave& w, const Inst& i) { w.pc = read_scalar(w, i, i.src[0]) & ~uint64_t{3}; });
  b.bind(Op::s_swappc_b64, [](Wave& w, const Inst& i) {
    uint64_t to = read_scalar(w, i, i.src[0]) & ~uint64_t{3};
    write_scalar(w, i.dst[0], w.pc);
    w.pc = to;
  });
  b.bind(Op::s_call_b64, [](Wave& w, const Inst& i) {
    write_scalar(w, i.dst[0], w.pc);
    jump(w, i);
  });
}

void bind_wave_state(Bodies& b) {
  Body end = [](Wave& w, const Inst&) { w.status = WaveStatus::ended; };
  b.bind(Op::s_endpgm, end);
  b.bind(Op::s_endpgm_saved, end);
  b.bind(Op::s_endpgm_ordered_ps_done, end);
  b.bind(Op::s_barrier, [](Wave& w, const Inst&) { w.status = WaveStatus::at_barrier; });
  b.bind(Op::s_sleep, [](Wave& w, const Inst&) { w.status = WaveStatus::yielded; });
  b.bind(Op::s_trap, [](Wave& w, const Inst& i) {
    fault(w, i, FaultKind::trap);
    w.fault.trap_id = static_cast<uint32_t>(i.simm16) & 0xff;
  });
  Body nothing = [](Wave&, const Inst&) {};
  for (Op op :
       {Op::s_nop, Op::s_wakeup, Op::s_waitcnt, Op::s_sethalt, Op::s_setprio, Op::s_sendmsg,
        Op::s_icache_inv, Op::s_incperflevel, Op::s_decperflevel, Op::s_ttracedata, Op::s_setkill})
    b.bind(op, nothing);
  b.bind(Op::s_sendmsghalt, end);
}

// Hardware registers: MODE is real, the rest reads as a plausible constant.
uint32_t read_hardware(const Wave& w, unsigned id) {
  switch (id) {
  case 1:
    return w.mode;
  case 2:
    return w.scc | static_cast<uint32_t>(w.exec() == 0) << 9 |
           static_cast<uint32_t>(w.vcc() == 0) << 10;
  case 4:
    return w.index & 15; // HW_ID: wave slot
  case 15:
    return (kSharedApertureHi >> 16) << 16 | kPrivateApertureHi >> 16; // SH_MEM_BASES
  default:
    return 0;
  }
}

void bind_hardware_registers(Bodies& b) {
  struct Field {
    unsigned id, offset;
    uint32_t mask;
    explicit Field(const Inst& i) {
      unsigned k = static_cast<unsigned>(i.simm16) & 0xffff, size = (k >> 11) + 1;
      id = k & 63;
      offset = k >> 6 & 31;
      mask = size == 32 ? ~0u : (1u << size) - 1;
    }
  };
  b.bind(Op::s_getreg_b32, [](Wave& w, const Inst& i) {
    Field f(i);
    write_scalar(w, i.dst[0], read_hardware(w, f.id) >> f.offset & f.mask);
  });
  Body set = [](Wave& w, const Inst& i) {
    Field f(i);
    if (f.id != 1)
      return; // only MODE can be written by user code
    uint32_t mask = f.mask << f.offset;
    w.mode =
        (w.mode & ~mask) | (static_cast<uint32_t>(read_scalar(w, i, i.src[0])) << f.offset & mask);
  };
  b.bind(Op::s_setreg_b32, set);
  b.bind(Op::s_setreg_imm32_b32, set);
}

} // namespace

void bind_program(Bodies& b) {
  bind_control_flow(b);
  bind_wave_state(b);
  bind_hardware_registers(b);
}

} // namespace pumice::exec
