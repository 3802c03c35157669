// SPDX-License-Identifier: MIT
// Runs dispatches with translated code; hands kernels that cannot be translated to the interpreter.
#pragma once
#include "device/engine.h"
#include <memory>

namespace pumice::engines {

std::unique_ptr<device::Engine> make_jit_engine();
/// Translates every kernel before its first workgroup runs, however long that takes.
std::unique_ptr<device::Engine> make_waiting_jit_engine();

} // namespace pumice::engines
