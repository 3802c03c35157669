// SPDX-License-Identifier: MIT
// Code on devices: an Image is one code object loaded on one device; a Module is hipModule_t; a
// FatBinary is what a program registers at start and loads per device on first use. Thread safe.
#pragma once
#include "codeobj/bundle.h"
#include "codeobj/code_object.h"
#include "hip/kernel.h"
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace pumice::hip {

struct DeviceVariable {
  void* address = nullptr;
  size_t size = 0;
};

class Image {
public:
  static hipError_t load(Device& device, codeobj::Bytes bytes, std::unique_ptr<Image>* out);
  ~Image();
  /// Null when the code object has no such kernel.
  Kernel* kernel(const std::string& name);
  bool variable(const std::string& name, DeviceVariable* out);
  const codeobj::CodeObject& object() const { return object_; }
  Device& device() const { return device_; }

private:
  explicit Image(Device& d) : device_(d) {}
  Device& device_;
  hsa_executable_t executable_{0};
  std::vector<uint8_t> bytes_; // the loader may refer to them for as long as the code is loaded
  codeobj::CodeObject object_;
  std::mutex mutex_;
  std::unordered_map<std::string, std::unique_ptr<Kernel>> kernels_;
  std::vector<void*> known_variables_;
};

struct Module {
  Device* device = nullptr;
  std::unique_ptr<Image> image;
};
/// `size` 0: from the blob's own headers.
hipError_t load_module(Device& device, const void* blob, size_t size, Module** out);
bool valid_module(const Module* m);
void unload_module(Module* m);

struct ManagedVariable {
  void** host_slot; // the program's pointer to the managed memory
  std::string name;
  size_t size;
};

class FatBinary {
public:
  explicit FatBinary(const void* wrapper) : wrapper_(wrapper) {}
  hipError_t image(Device& device, Image** out);
  void add_managed(ManagedVariable v) { managed_.push_back(std::move(v)); }

private:
  const void* wrapper_;
  std::mutex mutex_;
  bool read_ = false;
  hipError_t read_error_ = hipSuccess;
  std::vector<codeobj::BundleEntry> entries_;
  std::unordered_map<int, std::pair<hipError_t, std::unique_ptr<Image>>> images_;
  std::vector<ManagedVariable> managed_;
};

/// The kernel behind a host function's address on `device`.
hipError_t find_kernel(const void* host_function, Device& device, Kernel** out);
/// The variable behind a host shadow's address on `device`.
hipError_t find_variable(const void* symbol, Device& device, DeviceVariable* out);
/// Device name of a host function; empty when it is not registered.
std::string function_name(const void* host_function);

} // namespace pumice::hip
