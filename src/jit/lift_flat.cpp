// SPDX-License-Identifier: MIT
// Flat accesses of kernels with private memory. Inline they took some hundred host instructions each, as any lane may be in its
// private segment, whose dwords are apart: half of the code of a kernel that prints, and more of what -O0 makes. So a runtime
// function moves them; most waves of -O0 code have one address for all lanes, which it does faster than gathers.
#include "jit/lifter.h"

using namespace llvm;
namespace pumice::jit {

void Lifter::call_flat(const Address& a, const std::vector<V*>& data, unsigned bytes, bool store) {
  // Neighbouring accesses often have one address register: its slots keep what they hold within a block.
  constexpr unsigned kSlot = 12;
  V *half[2] = {a.flat_low, a.flat_high}, *address[2];
  for (unsigned h = 0; h < 2; h++) {
    std::pair now{half[h], b_.GetInsertBlock()};
    address[h] = flat_spilled_[h] == now ? scratch_slots_[kSlot + h] : spill_vec(half[h], kSlot + h);
    flat_spilled_[h] = now;
  }
  V* places[4];
  for (unsigned q = 0; q < 4; q++)
    places[q] = q >= (bytes + 3) / 4 ? ConstantPointerNull::get(PointerType::getUnqual(c_)) : spill_vec(store ? data[q] : nullptr, 8 + q);
  call_rt("pumice_rt_flat", Type::getVoidTy(c_),
          {frame_, wave_index_, address[0], address[1], i64c(static_cast<uint64_t>(a.flat_offset)), places[0], places[1], places[2],
           places[3], pair_s(exec()), i32c(bytes | uint32_t(store) << 8)});
}

std::vector<Value*> Lifter::load_flat(const Address& a, unsigned n, unsigned bytes) {
  call_flat(a, {}, bytes, false);
  std::vector<V*> x(n);
  for (unsigned q = 0; q < n; q++) x[q] = b_.CreateLoad(vi32_, scratch_slots_[8 + q]);
  return x;
}

/// The address of scratch at any byte offset as a flat one: unaligned accesses are rare, and so are calls.
Lifter::Address Lifter::flat_of_scratch(const Address& a) {
  Address f;
  f.scope = Scope::unknown;
  f.flat_low = a.offset->getType()->isVectorTy() ? a.offset : splat(a.offset, vi32_);
  f.flat_high = vsplat(exec::kPrivateApertureHi);
  return f;
}

std::vector<Value*> Lifter::load_scratch_unaligned(const Address& a, unsigned bytes) {
  return load_flat(flat_of_scratch(a), (bytes + 3) / 4, bytes);
}

void Lifter::store_scratch_unaligned(const Address& a, const std::vector<V*>& data, unsigned bytes) {
  call_flat(flat_of_scratch(a), data, bytes, true);
}

} // namespace pumice::jit
