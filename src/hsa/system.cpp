// SPDX-License-Identifier: MIT
// hsa_system_*, hsa_extension_*, hsa_status_string.
#include "hsa/extension_tables.h"
#include "hsa/runtime.h"
#include <algorithm>
#include <cstring>

using namespace pumice;
using namespace pumice::hsa;

namespace {

struct StatusText {
  int code;
  const char* text;
};
constexpr StatusText kStatusTexts[] = {
    {HSA_STATUS_SUCCESS, "HSA_STATUS_SUCCESS: The call succeeded."},
    {HSA_STATUS_INFO_BREAK, "HSA_STATUS_INFO_BREAK: A callback ended the iteration."},
    {HSA_STATUS_ERROR, "HSA_STATUS_ERROR: Something failed without a more precise code."},
    {HSA_STATUS_ERROR_INVALID_ARGUMENT,
     "HSA_STATUS_ERROR_INVALID_ARGUMENT: An argument is outside its domain."},
    {HSA_STATUS_ERROR_INVALID_QUEUE_CREATION,
     "HSA_STATUS_ERROR_INVALID_QUEUE_CREATION: The agent cannot make such a queue."},
    {HSA_STATUS_ERROR_INVALID_ALLOCATION,
     "HSA_STATUS_ERROR_INVALID_ALLOCATION: The allocation is impossible or unknown."},
    {HSA_STATUS_ERROR_INVALID_AGENT,
     "HSA_STATUS_ERROR_INVALID_AGENT: The agent handle is not valid."},
    {HSA_STATUS_ERROR_INVALID_REGION,
     "HSA_STATUS_ERROR_INVALID_REGION: The region handle is not valid."},
    {HSA_STATUS_ERROR_INVALID_SIGNAL,
     "HSA_STATUS_ERROR_INVALID_SIGNAL: The signal handle is not valid."},
    {HSA_STATUS_ERROR_INVALID_QUEUE, "HSA_STATUS_ERROR_INVALID_QUEUE: The queue is not valid."},
    {HSA_STATUS_ERROR_OUT_OF_RESOURCES,
     "HSA_STATUS_ERROR_OUT_OF_RESOURCES: Memory or another resource ran out."},
    {HSA_STATUS_ERROR_INVALID_PACKET_FORMAT,
     "HSA_STATUS_ERROR_INVALID_PACKET_FORMAT: A packet in the queue is malformed."},
    {HSA_STATUS_ERROR_RESOURCE_FREE,
     "HSA_STATUS_ERROR_RESOURCE_FREE: Releasing a resource failed."},
    {HSA_STATUS_ERROR_NOT_INITIALIZED, "HSA_STATUS_ERROR_NOT_INITIALIZED: Call hsa_init first."},
    {HSA_STATUS_ERROR_REFCOUNT_OVERFLOW,
     "HSA_STATUS_ERROR_REFCOUNT_OVERFLOW: A reference count overflowed."},
    {HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS,
     "HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS: The arguments do not go together."},
    {HSA_STATUS_ERROR_INVALID_INDEX, "HSA_STATUS_ERROR_INVALID_INDEX: The index is out of range."},
    {HSA_STATUS_ERROR_INVALID_ISA, "HSA_STATUS_ERROR_INVALID_ISA: The ISA handle is not valid."},
    {HSA_STATUS_ERROR_INVALID_ISA_NAME,
     "HSA_STATUS_ERROR_INVALID_ISA_NAME: The ISA name is not known."},
    {HSA_STATUS_ERROR_INVALID_CODE_OBJECT,
     "HSA_STATUS_ERROR_INVALID_CODE_OBJECT: The code object is malformed or for another ISA."},
    {HSA_STATUS_ERROR_INVALID_EXECUTABLE,
     "HSA_STATUS_ERROR_INVALID_EXECUTABLE: The executable is not valid."},
    {HSA_STATUS_ERROR_FROZEN_EXECUTABLE,
     "HSA_STATUS_ERROR_FROZEN_EXECUTABLE: The executable is frozen."},
    {HSA_STATUS_ERROR_INVALID_SYMBOL_NAME,
     "HSA_STATUS_ERROR_INVALID_SYMBOL_NAME: There is no symbol of this name."},
    {HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED,
     "HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED: The variable has a definition."},
    {HSA_STATUS_ERROR_VARIABLE_UNDEFINED,
     "HSA_STATUS_ERROR_VARIABLE_UNDEFINED: A variable has no definition."},
    {HSA_STATUS_ERROR_EXCEPTION, "HSA_STATUS_ERROR_EXCEPTION: A kernel raised an exception."},
    {HSA_STATUS_ERROR_INVALID_CODE_SYMBOL,
     "HSA_STATUS_ERROR_INVALID_CODE_SYMBOL: The code symbol is not valid."},
    {HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL,
     "HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL: The executable symbol is not valid."},
    {HSA_STATUS_ERROR_INVALID_FILE,
     "HSA_STATUS_ERROR_INVALID_FILE: The file descriptor cannot be read."},
    {HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER,
     "HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER: The code object reader is not valid."},
    {HSA_STATUS_ERROR_INVALID_CACHE,
     "HSA_STATUS_ERROR_INVALID_CACHE: The cache handle is not valid."},
    {HSA_STATUS_ERROR_INVALID_WAVEFRONT,
     "HSA_STATUS_ERROR_INVALID_WAVEFRONT: The wavefront handle is not valid."},
    {HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP,
     "HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP: The signal group is not valid."},
    {HSA_STATUS_ERROR_INVALID_RUNTIME_STATE,
     "HSA_STATUS_ERROR_INVALID_RUNTIME_STATE: The runtime is not in the required state."},
    {HSA_STATUS_ERROR_FATAL, "HSA_STATUS_ERROR_FATAL: The queue or process cannot continue."},
    {HSA_STATUS_ERROR_INVALID_MEMORY_POOL,
     "HSA_STATUS_ERROR_INVALID_MEMORY_POOL: The memory pool is not valid."},
    {HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION,
     "HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION: A kernel left its LDS or scratch aperture."},
    {HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION,
     "HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION: A kernel ran into an illegal instruction."},
    {HSA_STATUS_ERROR_MEMORY_FAULT,
     "HSA_STATUS_ERROR_MEMORY_FAULT: A kernel touched an address that is not mapped."},
    {HSA_STATUS_CU_MASK_REDUCED,
     "HSA_STATUS_CU_MASK_REDUCED: The compute unit mask was reduced to what is allowed."},
    {HSA_STATUS_ERROR_OUT_OF_REGISTERS,
     "HSA_STATUS_ERROR_OUT_OF_REGISTERS: The kernel needs more registers than there are."},
    {HSA_STATUS_ERROR_RESOURCE_BUSY, "HSA_STATUS_ERROR_RESOURCE_BUSY: The resource is in use."},
    {HSA_EXT_STATUS_ERROR_IMAGE_FORMAT_UNSUPPORTED,
     "HSA_EXT_STATUS_ERROR_IMAGE_FORMAT_UNSUPPORTED: The image format is not supported."},
    {HSA_EXT_STATUS_ERROR_IMAGE_SIZE_UNSUPPORTED,
     "HSA_EXT_STATUS_ERROR_IMAGE_SIZE_UNSUPPORTED: The image size is not supported."},
    {HSA_EXT_STATUS_ERROR_IMAGE_PITCH_UNSUPPORTED,
     "HSA_EXT_STATUS_ERROR_IMAGE_PITCH_UNSUPPORTED: The image pitch is not supported."},
    {HSA_EXT_STATUS_ERROR_SAMPLER_DESCRIPTOR_UNSUPPORTED,
     "HSA_EXT_STATUS_ERROR_SAMPLER_DESCRIPTOR_UNSUPPORTED: The sampler is not supported."},
};

struct Extension {
  uint16_t id, minor;
  const char* name;
};
// Version 1.minor of each.
constexpr Extension kExtensions[] = {
    {HSA_EXTENSION_IMAGES, 0, "HSA_EXTENSION_IMAGES"},
    {HSA_EXTENSION_AMD_LOADER, 3, "HSA_EXTENSION_AMD_LOADER"},
};
// Names of extensions that this runtime does not offer.
constexpr Extension kKnownNames[] = {
    {HSA_EXTENSION_FINALIZER, 0, "HSA_EXTENSION_FINALIZER"},
    {HSA_EXTENSION_PERFORMANCE_COUNTERS, 0, "HSA_EXTENSION_PERFORMANCE_COUNTERS"},
    {HSA_EXTENSION_PROFILING_EVENTS, 0, "HSA_EXTENSION_PROFILING_EVENTS"},
    {HSA_EXTENSION_AMD_PROFILER, 0, "HSA_EXTENSION_AMD_PROFILER"},
    {HSA_EXTENSION_AMD_AQLPROFILE, 0, "HSA_EXTENSION_AMD_AQLPROFILE"},
    {HSA_EXTENSION_AMD_PC_SAMPLING, 0, "HSA_EXTENSION_AMD_PC_SAMPLING"},
};

const Extension* offered(uint16_t id) {
  for (const Extension& e : kExtensions)
    if (e.id == id)
      return &e;
  return nullptr;
}

hsa_status_t extension_bits(void* value) {
  std::memset(value, 0, 128);
  for (const Extension& e : kExtensions)
    hsa_flag_set64(static_cast<uint8_t*>(value), e.id);
  return HSA_STATUS_SUCCESS;
}

const char* build_version() {
  return "pumice-0.1.0";
}

hsa_status_t system_info(hsa_system_info_t attribute, void* value) {
  switch (attribute) {
  case HSA_SYSTEM_INFO_VERSION_MAJOR:
    return put<uint16_t>(value, 1);
  case HSA_SYSTEM_INFO_VERSION_MINOR:
    return put<uint16_t>(value, 15);
  case HSA_SYSTEM_INFO_TIMESTAMP:
    return put<uint64_t>(value, device::now_ns());
  case HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY:
    return put<uint64_t>(value, 1'000'000'000);
  case HSA_SYSTEM_INFO_SIGNAL_MAX_WAIT:
    return put<uint64_t>(value, UINT64_MAX);
  case HSA_SYSTEM_INFO_ENDIANNESS:
    return put(value, HSA_ENDIANNESS_LITTLE);
  case HSA_SYSTEM_INFO_MACHINE_MODEL:
    return put(value, HSA_MACHINE_MODEL_LARGE);
  case HSA_SYSTEM_INFO_EXTENSIONS:
    return extension_bits(value);
  case HSA_AMD_SYSTEM_INFO_BUILD_VERSION:
    return put(value, build_version());
  case HSA_AMD_SYSTEM_INFO_SVM_SUPPORTED:
    return put(value, true);
  case HSA_AMD_SYSTEM_INFO_SVM_ACCESSIBLE_BY_DEFAULT:
    return put(value, false); // as xnack- hardware
  case HSA_AMD_SYSTEM_INFO_MWAITX_ENABLED:
    return put(value, false);
  case HSA_AMD_SYSTEM_INFO_DMABUF_SUPPORTED:
    return put(value, false);
  case HSA_AMD_SYSTEM_INFO_VIRTUAL_MEM_API_SUPPORTED:
    return put(value, true);
  case HSA_AMD_SYSTEM_INFO_XNACK_ENABLED:
    return put(value, false);
  case HSA_AMD_SYSTEM_INFO_EXT_VERSION_MAJOR:
    return put<uint16_t>(value, HSA_AMD_INTERFACE_VERSION_MAJOR);
  case HSA_AMD_SYSTEM_INFO_EXT_VERSION_MINOR:
    return put<uint16_t>(value, HSA_AMD_INTERFACE_VERSION_MINOR);
  }
  return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

} // namespace

extern "C" {

hsa_status_t HSA_API hsa_status_string(hsa_status_t status, const char** status_string) {
  if (!status_string)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  for (const StatusText& t : kStatusTexts)
    if (t.code == static_cast<int>(status)) {
      *status_string = t.text;
      return HSA_STATUS_SUCCESS;
    }
  return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

hsa_status_t HSA_API hsa_system_get_info(hsa_system_info_t attribute, void* value) {
  return api([&](Runtime&) {
    return value ? system_info(attribute, value) : HSA_STATUS_ERROR_INVALID_ARGUMENT;
  });
}

hsa_status_t HSA_API hsa_extension_get_name(uint16_t extension, const char** name) {
  if (!name)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  for (const Extension& e : kExtensions)
    if (e.id == extension)
      return *name = e.name, HSA_STATUS_SUCCESS;
  for (const Extension& e : kKnownNames)
    if (e.id == extension)
      return *name = e.name, HSA_STATUS_SUCCESS;
  return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

hsa_status_t HSA_API hsa_system_extension_supported(uint16_t extension, uint16_t version_major,
                                                    uint16_t version_minor, bool* result) {
  return api([&](Runtime&) {
    if (!result)
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    const Extension* e = offered(extension);
    *result = e && version_major == 1 && version_minor <= e->minor;
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t HSA_API hsa_system_major_extension_supported(uint16_t extension,
                                                          uint16_t version_major,
                                                          uint16_t* version_minor, bool* result) {
  return api([&](Runtime&) {
    if (!result || !version_minor)
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    const Extension* e = offered(extension);
    *result = e && version_major == 1;
    if (*result)
      *version_minor = e->minor;
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t HSA_API hsa_system_get_major_extension_table(uint16_t extension,
                                                          uint16_t version_major,
                                                          size_t table_length, void* table) {
  return api([&](Runtime&) {
    if (!table || !table_length)
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (!offered(extension) || version_major != 1)
      return HSA_STATUS_ERROR;
    TableView t = extension_table(extension);
    std::memset(table, 0, table_length);
    std::memcpy(table, t.data, std::min(table_length, t.size));
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t HSA_API hsa_system_get_extension_table(uint16_t extension, uint16_t version_major,
                                                    uint16_t version_minor, void* table) {
  return api([&](Runtime&) {
    if (!table)
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    const Extension* e = offered(extension);
    if (!e || version_major != 1 || version_minor > e->minor)
      return HSA_STATUS_ERROR;
    TableView t = extension_table(extension, version_minor);
    std::memcpy(table, t.data, t.size);
    return HSA_STATUS_SUCCESS;
  });
}

} // extern "C"
