// SPDX-License-Identifier: MIT
// Places code objects in device memory and answers by address: which kernel is this kernel object,
// which code object holds this pc. One registry per process. Thread safe.
#pragma once
#include "base/result.h"
#include "codeobj/code_object.h"
#include "device/engine.h"
#include "device/memory.h"
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace pumice::device {

struct LoadedObject;

struct LoadedKernel {
  KernelCode code;
  uint64_t kernel_object = 0; // address of the descriptor in memory
  codeobj::KernelMetadata metadata;
  const LoadedObject* object = nullptr;
  int device = 0;

  /// Estimate from the last runs, and the last one's size: decides whether a dispatch may run on
  /// the submitting thread.
  std::atomic<uint64_t> last_ns{0}, last_groups{0};
  std::atomic<uint32_t> telemetry_number{UINT32_MAX}; // in the process's telemetry; set when first run
};

struct LoadedVariable {
  std::string name;
  uint64_t address = 0, size = 0;
  bool constant = false;
};

struct LoadedObject {
  codeobj::CodeObject parsed;
  std::shared_ptr<LoadedCode> code;
  int device = 0;
  uint64_t base = 0, size = 0; // in memory
  std::vector<std::shared_ptr<LoadedKernel>> kernels;
  std::vector<LoadedVariable> variables;
};

class Loader {
public:
  explicit Loader(Memory& memory) : memory_(memory) {}

  /// Address of a symbol that the code object does not define; 0 = unknown.
  using Resolver = std::function<uint64_t(const std::string& name)>;
  /// Copies, relocates and registers. `bytes` are copied; the result stays until unload().
  Result<std::shared_ptr<LoadedObject>> load(int device, isa::Target target, codeobj::Bytes bytes,
                                             const Resolver& resolve);
  /// Guests must not run it any more.
  void unload(const std::shared_ptr<LoadedObject>& object);

  /// Kernel of an AQL packet's kernel_object; null when no loaded descriptor is there.
  std::shared_ptr<LoadedKernel> kernel(uint64_t kernel_object) const;
  /// The object whose memory contains `address`, or null.
  std::shared_ptr<LoadedObject> object_at(uint64_t address) const;
  std::vector<std::shared_ptr<LoadedObject>> all() const;
  /// "file.hip:12" of a loaded pc, or "" without line tables.
  std::string source_line(uint64_t pc) const;

private:
  Status place(LoadedObject& o, codeobj::Bytes bytes, const Resolver& resolve);
  Status relocate(LoadedObject& o, const Resolver& resolve);
  Status find_symbols(LoadedObject& o);

  Memory& memory_;
  mutable std::shared_mutex mutex_;
  std::unordered_map<uint64_t, std::shared_ptr<LoadedKernel>> kernels_;
  std::map<uint64_t, std::shared_ptr<LoadedObject>> objects_; // by base
};

/// Engine target of a target id ("gfx942..."); incompatible for others.
Result<isa::Target> engine_target(const std::string& processor);

} // namespace pumice::device
