// SPDX-License-Identifier: MIT
// The engine that PUMICE_ENGINE names; for an unknown name the usual one. The interpreter stands in where this build lacks
// the translator.
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
    const engines::EngineEntry* usual = &engines::engine_list().front();
    std::string names;
    for (const engines::EngineEntry& e : engines::engine_list()) {
      names += (names.empty() ? "" : ", ") + std::string(e.name);
      if (std::string("jit") == e.name)
        usual = &e;
    }
    if (wanted != "jit")
      std::fprintf(stderr, "pumice: PUMICE_ENGINE=%s is unknown (there are: %s); using %s\n",
                   wanted.c_str(), names.c_str(), std::string(usual->name).c_str());
    return usual->make().release();
  }();
  return *engine;
}

} // namespace pumice::device
