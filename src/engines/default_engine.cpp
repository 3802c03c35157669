// SPDX-License-Identifier: MIT
// The engine that PUMICE_ENGINE names. The interpreter stands in for engines that this build lacks.
#include "base/options.h"
#include "device/engine.h"
#include "engines/engine_list.h"
#include <cstdio>

namespace pumice::device {

Engine& default_engine() {
  static Engine* engine = [] { // leaked: workers may outlive static destruction
    std::string wanted = options::text(options::Id::engine);
    for (const engines::EngineEntry& e : engines::engine_list())
      if (wanted == e.name)
        return e.make().release();
    if (wanted != "jit")
      std::fprintf(stderr, "pumice: PUMICE_ENGINE=%s is unknown; using interp\n", wanted.c_str());
    return engines::engine_list().front().make().release();
  }();
  return *engine;
}

} // namespace pumice::device
