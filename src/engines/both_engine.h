// SPDX-License-Identifier: MIT
// Runs each dispatch twice, by the interpreter and by translated code, from the same memory, and reports where what they
// left in memory differs. A debugging mode: one dispatch at a time, on one thread.
//
// Compared is device and host memory that was allocated through HSA, `__device__` variables included; not registers
// (translated code has none left at a wave's end; tests/differential compares those), not memory of the program that
// only malloc knows, and not kernel arguments. The translated run comes last, and its result stays. What is not decided
// by the program shows as a difference: the order in which atomics of several workgroups take effect, clocks, memory
// that host threads or copies write meanwhile. Output of device printf appears twice.
#pragma once
#include "device/engine.h"
#include <memory>

namespace pumice::engines {

std::unique_ptr<device::Engine> make_both_engine();

} // namespace pumice::engines
