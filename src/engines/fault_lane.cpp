// SPDX-License-Identifier: MIT
#include "engines/fault_lane.h"
#include "isa/inst.h"
#include <csignal>

namespace pumice::engines {
namespace {

uint64_t vgpr64(const exec::Wave& w, const isa::Operand& o, unsigned lane) {
  unsigned r = o.vgpr();
  uint64_t low = w.vgpr[r][lane];
  return o.dwords >= 2 && r + 1 < 512 ? low | static_cast<uint64_t>(w.vgpr[r + 1][lane]) << 32
                                      : low;
}

/// Address of a FLAT or GLOBAL access of `lane`.
uint64_t lane_address(const exec::Wave& w, const isa::Inst& i, unsigned lane) {
  uint64_t a = i.src[0].is_vgpr() ? vgpr64(w, i.src[0], lane) : 0;
  if (i.src[1].present() && i.src[1].is_sgpr()) {
    uint64_t base;
    __builtin_memcpy(&base, &w.sgpr[i.src[1].code], 8);
    a = base + static_cast<uint32_t>(a);
  }
  return a + static_cast<uint64_t>(static_cast<int64_t>(i.offset));
}

/// The memory instruction that ends at `pc`. All encodings that touch memory take 8 bytes.
bool instruction_before(uint64_t pc, const device::LoadedCode& code, isa::Inst& inst) {
  constexpr uint64_t kBytes = 8;
  if (pc < code.text_address + kBytes || pc > code.text_address + code.text_size)
    return false;
  return isa::decode(code.target, reinterpret_cast<const uint8_t*>(pc - kBytes), kBytes, inst) &&
         isa::row(inst.op).mem.space != isa::Space::none;
}

} // namespace

exec::FaultInfo from_host_fault(const device::HostFault& host, const exec::Wave& w,
                                const device::LoadedCode& code) {
  exec::FaultInfo f;
  f.kind = host.signal == SIGSEGV || host.signal == SIGBUS ? exec::FaultKind::bad_address
                                                           : exec::FaultKind::illegal_instruction;
  f.pc = w.pc;
  f.address = host.address;
  isa::Inst inst;
  if (!instruction_before(w.pc, code, inst))
    return f;
  f.pc = w.pc - inst.size;
  if (inst.enc != isa::Enc::flat && inst.enc != isa::Enc::global)
    return f;
  constexpr uint64_t kWidest = 16;
  for (unsigned lane = 0; lane < exec::kLanes; ++lane) {
    if (!((w.exec() >> lane) & 1))
      continue;
    uint64_t a = lane_address(w, inst, lane);
    // A non-canonical address raises a fault without telling which.
    bool canonical = a < (uint64_t{1} << 47);
    bool hit = host.address ? host.address - a < kWidest : !canonical || a < kWidest;
    if (!hit)
      continue;
    f.lane = static_cast<int32_t>(lane);
    f.address = a;
    return f;
  }
  return f;
}

} // namespace pumice::engines
