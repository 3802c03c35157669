// SPDX-License-Identifier: MIT
#include "engines/engine_list.h"
#include "engines/both_engine.h"
#include "engines/interp_engine.h"
#include "engines/jit_engine.h"

namespace pumice::engines {

std::span<const EngineEntry> engine_list() {
  static constexpr EngineEntry list[] = {
      {"interp", &make_interp_engine},
      {"jit", &make_jit_engine},
      {"both", &make_both_engine},
  };
  return list;
}

} // namespace pumice::engines
