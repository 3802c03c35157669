// SPDX-License-Identifier: MIT
// Runs a random program on an engine, without queues or a runtime, and gives back what it left in memory.
#pragma once
#include "device/engine.h"
#include "random_program.h"
#include <string>
#include <vector>

namespace pumice::test {

struct RunResult {
  std::string error;         // empty: ran to its end
  std::vector<uint32_t> dump; // rows of every wave
  std::vector<uint32_t> memory;
};

class EngineRunner {
public:
  EngineRunner();
  ~EngineRunner();
  EngineRunner(const EngineRunner&) = delete;
  RunResult run(device::Engine& engine, const Program& p);

private:
  uint8_t* text_ = nullptr;
  uint64_t next_id_ = 1;
};

/// "" when equal, else where the first difference is.
std::string compare(const Program& p, const RunResult& a, const RunResult& b);

} // namespace pumice::test
