// SPDX-License-Identifier: MIT
// Matrix instructions.
#include "jit/lifter.h"

using namespace llvm;
namespace pumice::jit {

bool Lifter::mfma(const LiftInst&) { return false; }

} // namespace pumice::jit
