// SPDX-License-Identifier: MIT
// What device/ asks of an execution engine. Engines live in src/engines and implement this over
// exec/ and jit/.
#pragma once
#include "base/result.h"
#include "codeobj/code_object.h"
#include "exec/wave.h"
#include "isa/inst.h"
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pumice::device {

/// A function symbol of a loaded code object.
struct FunctionSymbol {
  std::string name;
  uint64_t address; // loaded address
  uint64_t size;
  bool kernel = false;
};

/// A code object placed in memory. Lives as long as its executable; engines key their caches by
/// `hash` and `id`.
struct LoadedCode {
  uint64_t id;   // unique in this process
  uint64_t hash; // of the code object's bytes
  isa::Target target;
  uint64_t text_address; // executable segment as loaded (guest address == host address)
  uint64_t text_size;
  uint64_t load_bias;                    // loaded address - ELF vaddr
  std::vector<FunctionSymbol> functions; // STT_FUNC in text, kernels included
  std::vector<uint64_t> data_targets;    // addresses in the text that relocations wrote
  std::vector<uint8_t> elf;              // the code object's bytes (line tables for fault reports)
};

struct KernelCode {
  std::shared_ptr<const LoadedCode> code;
  std::string name; // without .kd
  uint64_t entry;   // loaded address of the first instruction
  codeobj::KernelDescriptor descriptor;
};

struct DispatchPacketInfo {
  const KernelCode* kernel;
  uint32_t grid[3]; // work-items
  uint16_t workgroup[3];
  uint32_t group_segment_bytes;   // static + dynamic LDS
  uint32_t private_segment_bytes; // per work-item
  const void* kernarg;
  const void* packet; // the AQL packet (dispatch_ptr), readable while the dispatch runs
  const void* queue;  // amd_queue_t (queue_ptr)
  uint64_t dispatch_id;
  bool cooperative; // all workgroups must make progress together
  bool by_one;      // short: one thread runs it all, nothing needs to be shared out
  uint32_t workgroup_count(int d) const { return (grid[d] + workgroup[d] - 1) / workgroup[d]; }
  uint64_t total_workgroups() const {
    return uint64_t(workgroup_count(0)) * workgroup_count(1) * workgroup_count(2);
  }
};

enum class WorkResult : uint8_t {
  done,    // this dispatch has no work left for this worker
  stuck,   // everything left waits for something outside (spinning waves); call again later
  faulted, // fault() is set; no further work of this dispatch will run
};

/// One dispatch in flight. `work` is called from any number of worker threads at once until each
/// got `done`; workgroups start in dispatch order (x fastest). The dispatch is complete when every
/// `work` call returned done.
class DispatchRun {
public:
  virtual ~DispatchRun() = default;
  virtual WorkResult work(unsigned worker) = 0;
  /// Bytes of stack that one call of `work` may take beyond what C++ code usually does.
  virtual uint64_t stack_bytes() const { return 0; }
  /// Set after `faulted`: the first fault.
  virtual exec::FaultInfo fault() const = 0;
};

class Engine {
public:
  virtual ~Engine() = default;
  /// May compile. Errors: unimplemented, invalid_code_object (undecodable entry).
  virtual Result<std::unique_ptr<DispatchRun>> start(const DispatchPacketInfo& info) = 0;
  /// Compiles ahead of a dispatch; optional.
  virtual void prepare(const KernelCode&) {}
  /// The code object is about to be unmapped.
  virtual void forget(const LoadedCode&) {}
  virtual const char* name() const = 0;
};

/// Defined by engines/: the engine that PUMICE_ENGINE names (jit, interp, both). One per process.
Engine& default_engine();

} // namespace pumice::device
