// SPDX-License-Identifier: MIT
// Flat accesses that reach private memory at odd byte offsets: rare, so a runtime function does them lane by lane.
#include "jit/lifter.h"

using namespace llvm;
namespace pumice::jit {

/// Active lanes whose flat address lies in private memory and crosses a dword there; null when none can.
Value* Lifter::flat_crosses(const Address& a, unsigned bytes) {
  if (!a.flat || a.no_odd_lanes || bytes == 1 || !has_scratch()) return nullptr;
  V* hi = b_.CreateTrunc(b_.CreateLShr(a.flat, 32), vi32_);
  V* in_dword = b_.CreateAnd(b_.CreateTrunc(a.flat, vi32_), vsplat(3));
  V* crosses = bytes == 2 ? b_.CreateICmpEQ(in_dword, vsplat(3)) : b_.CreateICmpNE(in_dword, vsplat(0));
  crosses = b_.CreateAnd(crosses, b_.CreateICmpEQ(hi, vsplat(exec::kPrivateApertureHi)));
  return exec_full() ? crosses : b_.CreateAnd(crosses, exec_mask());
}

void Lifter::call_flat_lanes(const Address& a, const std::vector<V*>& data, unsigned bytes, bool store, V* mask) {
  V* places[4];
  for (unsigned q = 0; q < 4; q++)
    places[q] = q < data.size() ? spill_vec(data[q], 8 + q) : ConstantPointerNull::get(PointerType::getUnqual(c_));
  call_rt("pumice_rt_flat", Type::getVoidTy(c_),
          {frame_, wave_index_, spill64(a.flat, 8), places[0], places[1], places[2], places[3], mask, i32c(bytes | uint32_t(store) << 8)});
}

std::vector<Value*> Lifter::load_flat_odd(Address a, unsigned n, unsigned bytes, V* crosses) {
  V* mask = pair_s(exec()); // made here: both branches use it
  (void)exec_slice(0, 64);
  auto [yes, no, join] = test_any(crosses);
  a.no_odd_lanes = true;
  b_.SetInsertPoint(yes);
  call_flat_lanes(a, std::vector<V*>(n, Constant::getNullValue(vi32_)), bytes, false, mask);
  std::vector<V*> x(n);
  for (unsigned q = 0; q < n; q++) x[q] = b_.CreateLoad(vi32_, scratch_slots_[8 + q]);
  b_.CreateBr(join);
  b_.SetInsertPoint(no);
  std::vector<V*> y = bytes < 4 ? std::vector<V*>{load_small(a, bytes)} : load_aligned_dwords(a, n, nullptr);
  no = b_.GetInsertBlock();
  b_.CreateBr(join);
  b_.SetInsertPoint(join);
  for (unsigned q = 0; q < n; q++) {
    PHINode* phi = b_.CreatePHI(vi32_, 2);
    phi->addIncoming(x[q], yes);
    phi->addIncoming(y[q], no);
    x[q] = phi;
  }
  return x;
}

void Lifter::store_flat_odd(Address a, const std::vector<V*>& data, unsigned bytes, V* crosses) {
  V* mask = pair_s(exec());
  (void)exec_slice(0, 64);
  auto [yes, no, join] = test_any(crosses);
  a.no_odd_lanes = true;
  b_.SetInsertPoint(yes);
  call_flat_lanes(a, data, bytes, true, mask);
  b_.CreateBr(join);
  b_.SetInsertPoint(no);
  if (bytes < 4) store_small(a, bytes, data[0]);
  else store_aligned_dwords(a, data);
  b_.CreateBr(join);
  b_.SetInsertPoint(join);
}

} // namespace pumice::jit
