// SPDX-License-Identifier: MIT
// Finds pc and lane of a memory fault that translated code met: the workgroup runs once more in the interpreter.
// Its stores happen again; after a fault the contents of device memory are unspecified anyway.
#pragma once
#include "device/engine.h"

namespace pumice::engines {

/// Fills pc, lane, wave and address of `fault` when the replay meets a fault of its own within a bounded number of
/// instructions; leaves it alone otherwise.
void refine_by_replay(const device::DispatchPacketInfo& info, exec::FaultInfo& fault);

} // namespace pumice::engines
