// SPDX-License-Identifier: MIT
#include "hip/module.h"
#include "hip/device.h"
#include "hip/memory_table.h"
#include "hip/runtime.h"
#include <algorithm>
#include <shared_mutex>
#include <unordered_set>

namespace pumice::hip {
namespace {
constexpr size_t kDynamicStackBytes = 16 << 10; // what the compiler assumed of unknown callees before version 5
} // namespace

hipError_t Image::load(Device& device, codeobj::Bytes bytes, std::unique_ptr<Image>* out) {
  std::unique_ptr<Image> image(new Image(device));
  image->bytes_.assign(bytes.begin(), bytes.end());
  auto parsed = codeobj::parse_code_object(image->bytes_);
  if (!parsed) {
    log_warning(parsed.status().message);
    return from_status(parsed.status());
  }
  image->object_ = std::move(*parsed);
  hsa_code_object_reader_t reader{0};
  hsa_status_t s = hsa().hsa_code_object_reader_create_from_memory(image->bytes_.data(),
                                                                   image->bytes_.size(), &reader);
  if (s == HSA_STATUS_SUCCESS)
    s = hsa().hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT,
                                        nullptr, &image->executable_);
  if (s == HSA_STATUS_SUCCESS)
    s = hsa().hsa_executable_load_agent_code_object(image->executable_, device.agent(), reader,
                                                    nullptr, nullptr);
  if (s == HSA_STATUS_SUCCESS)
    s = hsa().hsa_executable_freeze(image->executable_, nullptr);
  if (reader.handle)
    hsa().hsa_code_object_reader_destroy(reader);
  if (s != HSA_STATUS_SUCCESS) {
    log_hsa_error("loading a code object", s);
    hipError_t e = from_hsa(s);
    return e == hipErrorUnknown ? hipErrorInvalidImage : e;
  }
  *out = std::move(image);
  return hipSuccess;
}

Image::~Image() {
  for (void* v : known_variables_)
    memory_table().remove(v);
  if (executable_.handle)
    hsa().hsa_executable_destroy(executable_);
}

Kernel* Image::kernel(const std::string& name) {
  std::lock_guard lock(mutex_);
  if (auto it = kernels_.find(name); it != kernels_.end())
    return it->second.get();
  const codeobj::KernelMetadata* metadata = object_.kernel(name);
  if (!metadata)
    return nullptr;
  hsa_executable_symbol_t symbol{0};
  hsa_agent_t agent = device_.agent();
  if (hsa().hsa_executable_get_symbol_by_name(executable_, metadata->symbol.c_str(), &agent,
                                              &symbol) != HSA_STATUS_SUCCESS)
    return nullptr;
  uint64_t object = 0;
  uint32_t group = 0, priv = 0, arguments = 0;
  auto get = [&](hsa_executable_symbol_info_t what, void* to) {
    return hsa().hsa_executable_symbol_get_info(symbol, what, to) == HSA_STATUS_SUCCESS;
  };
  if (!get(HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &object) ||
      !get(HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE, &group) ||
      !get(HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE, &priv) ||
      !get(HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE, &arguments))
    return nullptr;
  // Recursion and calls through pointers: the compiler does not know the depth, so their frames get room besides.
  if (metadata->uses_dynamic_stack)
    priv += static_cast<uint32_t>(std::max<size_t>(device_.limit_stack, kDynamicStackBytes));
  auto k = std::make_unique<Kernel>(device_, *metadata, object, group, priv, arguments);
  return (kernels_[name] = std::move(k)).get();
}

bool Image::variable(const std::string& name, DeviceVariable* out) {
  std::lock_guard lock(mutex_);
  hsa_executable_symbol_t symbol{0};
  hsa_agent_t agent = device_.agent();
  if (hsa().hsa_executable_get_symbol_by_name(executable_, name.c_str(), &agent, &symbol) !=
      HSA_STATUS_SUCCESS)
    return false;
  uint64_t address = 0;
  uint32_t size = 0;
  if (hsa().hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS,
                                           &address) != HSA_STATUS_SUCCESS)
    return false;
  hsa().hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE, &size);
  out->address = reinterpret_cast<void*>(address);
  out->size = size;
  if (!memory_table().find(out->address)) {
    Allocation a;
    a.base = address;
    a.size = size;
    a.kind = MemoryKind::symbol;
    a.device = device_.ordinal();
    memory_table().add(a);
    known_variables_.push_back(out->address);
  }
  return true;
}

namespace {
std::shared_mutex g_modules_mutex;
std::unordered_set<const Module*>& modules() {
  static auto* s = new std::unordered_set<const Module*>;
  return *s;
}
} // namespace

hipError_t load_module(Device& device, const void* blob, size_t size, Module** out) {
  auto entries = size ? codeobj::read_bundle({static_cast<const uint8_t*>(blob), size})
                      : codeobj::read_bundle_at(blob);
  if (!entries) {
    log_warning(entries.status().message);
    return hipErrorInvalidImage;
  }
  auto chosen = codeobj::select_code_object(*entries, device.target());
  if (!chosen) {
    log_warning(chosen.status().message);
    return from_status(chosen.status());
  }
  auto m = std::make_unique<Module>();
  m->device = &device;
  HIP_TRY(Image::load(device, (*chosen)->bytes, &m->image));
  std::unique_lock lock(g_modules_mutex);
  modules().insert(m.get());
  *out = m.release();
  return hipSuccess;
}

bool valid_module(const Module* m) {
  std::shared_lock lock(g_modules_mutex);
  return modules().count(m) != 0;
}

void unload_module(Module* m) {
  {
    std::unique_lock lock(g_modules_mutex);
    modules().erase(m);
  }
  delete m;
}

} // namespace pumice::hip
