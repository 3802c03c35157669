// SPDX-License-Identifier: MIT
// The engines of this build, by the names that PUMICE_ENGINE takes. The first one is the fallback.
#pragma once
#include "device/engine.h"
#include <memory>
#include <span>

namespace pumice::engines {

struct EngineEntry {
  const char* name;
  std::unique_ptr<device::Engine> (*make)();
};
std::span<const EngineEntry> engine_list();

} // namespace pumice::engines
