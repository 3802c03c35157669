// SPDX-License-Identifier: MIT
// Turns a host fault inside a guest memory instruction into a guest fault with its lane.
#pragma once
#include "device/engine.h"
#include "device/fault_guard.h"
#include "exec/wave.h"

namespace pumice::engines {

/// The interpreter advances `w.pc` before it executes: the faulting instruction is the one before.
/// The lane is found by computing each active lane's address; -1 when none fits (scalar loads, or
/// an address the processor did not report).
exec::FaultInfo from_host_fault(const device::HostFault& host, const exec::Wave& w,
                                const device::LoadedCode& code);

} // namespace pumice::engines
