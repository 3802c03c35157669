// SPDX-License-Identifier: MIT
// Registers that an instruction reads and writes. Relative addressing (s_movrel*, VGPR index mode)
// is not resolved: only M0 and the named base appear.
#include "isa/inst.h"

namespace pumice::isa {
namespace {

using Visit = std::function<void(uint16_t code, unsigned dwords)>;

void use_operand(const Operand& o, const Visit& use) {
  if (!o.present() || o.is_constant())
    return;
  if (o.is_sgpr() || o.is_vgpr())
    return use(o.code, o.dwords);
  switch (o.code) {
  case kVccz:
    return use(kVccLo, 2);
  case kExecz:
    return use(kExecLo, 2);
  case kScc:
    return use(kScc, 1);
  default:
    return; // apertures are constants of the device
  }
}

// The old destination survives in part.
bool keeps_destination(const Inst& i, const Row& r) {
  return (r.traits & kReadsDst) || i.is_dpp ||
         (i.is_sdwa && i.sdwa_dst != SdwaSel::dword && i.sdwa_unused == SdwaUnused::preserve);
}

} // namespace

void for_each_use(const Inst& i, const Visit& use) {
  const Row& r = row(i.op);
  for (const Operand& o : i.src)
    use_operand(o, use);
  if (keeps_destination(i, r))
    use_operand(i.dst[0], use);
  if (r.traits & kReadsScc)
    use(kScc, 1);
  if (r.traits & kReadsVcc)
    use(kVccLo, 2);
  if (r.traits & kReadsExec)
    use(kExecLo, 2);
  if ((r.traits & kReadsM0) || i.lds || i.gds)
    use(kM0, 1);
}

void for_each_def(const Inst& i, const Visit& def) {
  const Row& r = row(i.op);
  for (const Operand& o : i.dst)
    if (o.present())
      def(o.code, o.dwords);
  if (r.traits & kWritesScc)
    def(kScc, 1);
  if (r.traits & kWritesVcc)
    def(kVccLo, 2);
  if (r.traits & kWritesExec)
    def(kExecLo, 2);
  if (r.traits & kWritesM0)
    def(kM0, 1);
}

} // namespace pumice::isa
