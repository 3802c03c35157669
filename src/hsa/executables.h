// SPDX-License-Identifier: MIT
// Code object readers, executables, symbols and loaded code objects behind their handles. Thread
// safe; objects stay alive while a call uses them.
#pragma once
#include "hsa/runtime.h"
#include <hsa/hsa_ven_amd_loader.h>
#include <map>
#include <unordered_map>

namespace pumice::hsa {

/// A view of memory (the caller keeps it) or a private copy of a file.
struct CodeReader {
  std::vector<uint8_t> copy;
  codeobj::Bytes bytes;
  std::string uri;
  int file = -1; // as given; informational
};

struct Executable;

struct ExecutableSymbol {
  Executable* executable = nullptr;
  Agent* agent = nullptr;
  std::string name;                             // "kernel.kd" or the variable's name
  std::shared_ptr<device::LoadedKernel> kernel; // null: variable
  uint64_t address = 0, size = 0;
  bool constant = false;
  bool is_definition = true;
};

struct LoadedCodeObject {
  Executable* executable = nullptr;
  Agent* agent = nullptr;
  std::shared_ptr<device::LoadedObject> object;
  std::string uri;
  int file = -1;
};

struct Executable {
  hsa_profile_t profile = HSA_PROFILE_FULL;
  hsa_default_float_rounding_mode_t rounding = HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT;
  hsa_executable_state_t state = HSA_EXECUTABLE_STATE_UNFROZEN;
  std::mutex mutex;
  std::vector<std::unique_ptr<LoadedCodeObject>> loaded;
  std::vector<std::unique_ptr<ExecutableSymbol>> symbols;
  std::map<std::pair<Agent*, std::string>, uint64_t> external; // agent null: program scope
};

class Executables {
public:
  explicit Executables(Runtime& r) : runtime_(r) {}

  hsa_code_object_reader_t add_reader(std::shared_ptr<CodeReader> r);
  std::shared_ptr<CodeReader> reader(hsa_code_object_reader_t h);
  bool remove_reader(hsa_code_object_reader_t h);

  hsa_executable_t create(hsa_profile_t profile, hsa_default_float_rounding_mode_t rounding);
  std::shared_ptr<Executable> find(hsa_executable_t h);
  hsa_status_t destroy(hsa_executable_t h);
  std::vector<std::shared_ptr<Executable>> all();

  hsa_status_t load(Executable& e, Agent& agent, const CodeReader& r,
                    hsa_loaded_code_object_t* out);
  /// Runs `f` with the symbol while its executable is locked in; false for an unknown handle.
  bool with_symbol(hsa_executable_symbol_t h,
                   const std::function<void(const ExecutableSymbol&)>& f);
  bool with_loaded(hsa_loaded_code_object_t h,
                   const std::function<void(const LoadedCodeObject&)>& f);
  hsa_status_t define(hsa_executable_t h, Agent* agent, const char* name, void* address);

private:
  Runtime& runtime_;
  std::mutex mutex_;
  std::unordered_map<uint64_t, std::shared_ptr<CodeReader>> readers_;
  std::unordered_map<uint64_t, std::shared_ptr<Executable>> executables_;
  std::unordered_map<uint64_t, std::shared_ptr<Executable>> symbol_owners_, loaded_owners_;
};

inline hsa_executable_t handle(const Executable* e) {
  return {reinterpret_cast<uint64_t>(e)};
}
inline hsa_executable_symbol_t handle(const ExecutableSymbol* s) {
  return {reinterpret_cast<uint64_t>(s)};
}
inline hsa_loaded_code_object_t handle(const LoadedCodeObject* l) {
  return {reinterpret_cast<uint64_t>(l)};
}

/// Reads [offset, offset + size) of a file descriptor; size 0 = to the end.
Result<std::shared_ptr<CodeReader>> read_file(hsa_file_t file, size_t offset, size_t size);

} // namespace pumice::hsa
