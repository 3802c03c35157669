// SPDX-License-Identifier: MIT
// Runs dispatches with the reference interpreter: slow, plain, the oracle.
#pragma once
#include "device/engine.h"
#include <memory>

namespace pumice::engines {

std::unique_ptr<device::Engine> make_interp_engine();

} // namespace pumice::engines
