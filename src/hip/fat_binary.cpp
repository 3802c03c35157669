// SPDX-License-Identifier: MIT
// Registration: what the constructor functions that clang emits into a HIP program call, and the
// lookup of kernels and variables by the addresses of their host shadows. Nothing is read or loaded
// before the first use.
#include "hip/device.h"
#include "hip/memory_table.h"
#include "hip/module.h"
#include "hip/runtime.h"
#include <cstring>
#include <shared_mutex>

namespace pumice::hip {
namespace {

struct Function {
  FatBinary* binary;
  std::string name;
  std::unordered_map<int, Kernel*> kernels;
};
struct Variable {
  FatBinary* binary;
  std::string name;
  size_t size;
  void** managed_slot = nullptr;
};

struct Registry {
  std::shared_mutex mutex;
  std::unordered_map<const void*, Function> functions;
  std::unordered_map<const void*, Variable> variables;
  std::vector<std::unique_ptr<FatBinary>> binaries; // the unregistered ones, too: devices may still execute their code
};
Registry& registry() {
  static Registry* r = new Registry;
  return *r;
}

} // namespace

hipError_t FatBinary::image(Device& device, Image** out) {
  std::lock_guard lock(mutex_);
  if (auto it = images_.find(device.ordinal()); it != images_.end()) {
    *out = it->second.second.get();
    return it->second.first;
  }
  if (!read_) {
    read_ = true;
    auto entries = codeobj::read_fat_binary(wrapper_);
    if (entries)
      entries_ = std::move(*entries);
    else {
      log_warning(entries.status().message);
      read_error_ = hipErrorInvalidImage;
    }
  }
  HIP_TRY(read_error_);
  auto& slot = images_[device.ordinal()];
  auto chosen = codeobj::select_code_object(entries_, device.target());
  if (!chosen) {
    log_warning(chosen.status().message);
    slot.first = from_status(chosen.status());
  } else {
    slot.first = Image::load(device, (*chosen)->bytes, &slot.second);
  }
  if (slot.first == hipSuccess) {
    // The device's copy of a managed variable's pointer.
    for (const ManagedVariable& m : managed_) {
      DeviceVariable v;
      if (slot.second->variable(m.name, &v))
        hsa().hsa_memory_copy(v.address, m.host_slot, sizeof(void*));
    }
  }
  *out = slot.second.get();
  return slot.first;
}

hipError_t find_kernel(const void* host_function, Device& device, Kernel** out) {
  Registry& r = registry();
  FatBinary* binary = nullptr;
  std::string name;
  {
    std::shared_lock lock(r.mutex);
    auto it = r.functions.find(host_function);
    if (it == r.functions.end())
      return hipErrorInvalidDeviceFunction;
    if (auto k = it->second.kernels.find(device.ordinal()); k != it->second.kernels.end()) {
      *out = k->second;
      return hipSuccess;
    }
    binary = it->second.binary;
    name = it->second.name;
  }
  Image* image = nullptr;
  HIP_TRY(binary->image(device, &image));
  Kernel* k = image->kernel(name);
  if (!k)
    return hipErrorInvalidDeviceFunction;
  std::unique_lock lock(r.mutex);
  if (auto it = r.functions.find(host_function); it != r.functions.end())
    it->second.kernels[device.ordinal()] = k;
  *out = k;
  return hipSuccess;
}

std::string function_name(const void* host_function) {
  Registry& r = registry();
  std::shared_lock lock(r.mutex);
  auto it = r.functions.find(host_function);
  return it == r.functions.end() ? std::string() : it->second.name;
}

hipError_t find_variable(const void* symbol, Device& device, DeviceVariable* out) {
  Registry& r = registry();
  Variable v;
  {
    std::shared_lock lock(r.mutex);
    auto it = r.variables.find(symbol);
    if (it == r.variables.end()) {
      // The address of a managed variable is that of its memory.
      auto a = memory_table().find(symbol);
      if (!a || a->kind != MemoryKind::managed)
        return hipErrorInvalidSymbol;
      out->address = const_cast<void*>(symbol);
      out->size = a->size;
      return hipSuccess;
    }
    v = it->second;
  }
  if (v.managed_slot) {
    out->address = *v.managed_slot;
    out->size = v.size;
    return hipSuccess;
  }
  Image* image = nullptr;
  HIP_TRY(v.binary->image(device, &image));
  return image->variable(v.name, out) ? hipSuccess : hipErrorInvalidSymbol;
}

} // namespace pumice::hip

using namespace pumice::hip;

extern "C" {
// The handle that clang's constructors pass around: one pointer per registered binary.
HIP_PUBLIC_API void** __hipRegisterFatBinary(const void* wrapper) {
  Registry& r = registry();
  std::unique_lock lock(r.mutex);
  return reinterpret_cast<void**>(r.binaries.emplace_back(std::make_unique<FatBinary>(wrapper)).get());
}

HIP_PUBLIC_API void __hipUnregisterFatBinary(void** handle) {
  // Runs at exit; the binary stays loaded. Only the names go.
  auto* binary = reinterpret_cast<FatBinary*>(handle);
  Registry& r = registry();
  std::unique_lock lock(r.mutex);
  std::erase_if(r.functions, [&](const auto& f) { return f.second.binary == binary; });
  std::erase_if(r.variables, [&](const auto& v) { return v.second.binary == binary; });
}

HIP_PUBLIC_API void __hipRegisterFunction(void** handle, const void* host_function, char*,
                                          const char* device_name, unsigned, void*, void*, void*,
                                          void*, int*) {
  Registry& r = registry();
  std::unique_lock lock(r.mutex);
  r.functions[host_function] = {reinterpret_cast<FatBinary*>(handle), device_name, {}};
}

HIP_PUBLIC_API void __hipRegisterVar(void** handle, void* shadow, char*, char* name, int,
                                     size_t size, int, int) {
  Registry& r = registry();
  std::unique_lock lock(r.mutex);
  r.variables[shadow] = {reinterpret_cast<FatBinary*>(handle), name, size};
}

HIP_PUBLIC_API void __hipRegisterManagedVar(void* handle, void** slot, void* initial,
                                            const char* name, size_t size, unsigned align) {
  (void)align; // allocations are page aligned
  if (hipMallocManaged(slot, size, hipMemAttachGlobal) != hipSuccess)
    return;
  std::memcpy(*slot, initial, size);
  auto* binary = static_cast<FatBinary*>(handle);
  binary->add_managed({slot, name, size});
  Registry& r = registry();
  std::unique_lock lock(r.mutex);
  r.variables[slot] = {binary, name, size, slot};
}

HIP_PUBLIC_API void __hipRegisterTexture(void**, void*, char*, char*, int, int, int) {}
HIP_PUBLIC_API void __hipRegisterSurface(void**, void*, char*, char*, int, int) {}
}
