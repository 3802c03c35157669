// SPDX-License-Identifier: MIT
// hsa_code_object_reader_*, hsa_executable_*.
#include "hsa/executables.h"
#include <cinttypes>
#include <cstring>
#include <unistd.h>

using namespace pumice;
using namespace pumice::hsa;

namespace {

constexpr hsa_status_t kBadArgument = HSA_STATUS_ERROR_INVALID_ARGUMENT;
constexpr hsa_status_t kBadExecutable = HSA_STATUS_ERROR_INVALID_EXECUTABLE;

hsa_status_t kernel_info(const device::LoadedKernel& k, hsa_executable_symbol_info_t attribute,
                         void* value) {
  const codeobj::KernelDescriptor& d = k.code.descriptor;
  switch (attribute) {
  case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT:
    return put(value, k.kernel_object);
  case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE:
    return put<uint32_t>(value, std::max(d.kernarg_size, k.metadata.kernarg_size));
  case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_ALIGNMENT:
    return put<uint32_t>(value, std::max(k.metadata.kernarg_align, 16u)); // the ABI's minimum
  case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE:
    return put(value, d.group_segment_fixed_size);
  case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE:
    return put(value, d.private_segment_fixed_size);
  case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_DYNAMIC_CALLSTACK:
    return put(value, k.metadata.uses_dynamic_stack);
  case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_CALL_CONVENTION:
    return put<uint32_t>(value, 0);
  default:
    return kBadArgument;
  }
}

hsa_status_t variable_info(const ExecutableSymbol& s, hsa_executable_symbol_info_t attribute,
                           void* value) {
  switch (attribute) {
  case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS:
    return put(value, s.address);
  case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE:
    return put(value, static_cast<uint32_t>(s.size));
  case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALLOCATION:
    return put(value, HSA_VARIABLE_ALLOCATION_AGENT);
  case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SEGMENT:
    return put(value, s.constant ? HSA_VARIABLE_SEGMENT_READONLY : HSA_VARIABLE_SEGMENT_GLOBAL);
  case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALIGNMENT:
    return put<uint32_t>(value, s.address ? 1u << std::min(__builtin_ctzll(s.address), 12) : 1);
  case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_IS_CONST:
    return put(value, s.constant);
  default:
    return kBadArgument;
  }
}

hsa_status_t symbol_info(const ExecutableSymbol& s, hsa_executable_symbol_info_t attribute,
                         void* value) {
  switch (attribute) {
  case HSA_EXECUTABLE_SYMBOL_INFO_TYPE:
    return put(value, s.kernel ? HSA_SYMBOL_KIND_KERNEL : HSA_SYMBOL_KIND_VARIABLE);
  case HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH:
    return put(value, static_cast<uint32_t>(s.name.size()));
  case HSA_EXECUTABLE_SYMBOL_INFO_NAME: // not terminated: the length call tells the size
    std::memcpy(value, s.name.data(), s.name.size());
    return HSA_STATUS_SUCCESS;
  case HSA_EXECUTABLE_SYMBOL_INFO_MODULE_NAME_LENGTH:
    return put<uint32_t>(value, 0);
  case HSA_EXECUTABLE_SYMBOL_INFO_MODULE_NAME:
    return HSA_STATUS_SUCCESS;
  case HSA_EXECUTABLE_SYMBOL_INFO_AGENT:
    return put(value, handle(s.agent));
  case HSA_EXECUTABLE_SYMBOL_INFO_LINKAGE:
    return put(value, HSA_SYMBOL_LINKAGE_PROGRAM);
  case HSA_EXECUTABLE_SYMBOL_INFO_IS_DEFINITION:
    return put(value, s.is_definition);
  default:
    return s.kernel ? kernel_info(*s.kernel, attribute, value) : variable_info(s, attribute, value);
  }
}

hsa_status_t find_symbol(Runtime& r, hsa_executable_t executable, const char* name,
                         const hsa_agent_t* agent, hsa_executable_symbol_t* symbol) {
  auto e = r.executables().find(executable);
  if (!e)
    return kBadExecutable;
  if (!name || !symbol)
    return kBadArgument;
  Agent* wanted = nullptr;
  if (agent) {
    wanted = r.agent(*agent);
    if (!wanted)
      return HSA_STATUS_ERROR_INVALID_AGENT;
  }
  std::lock_guard lock(e->mutex);
  for (const auto& s : e->symbols)
    if (s->name == name && (!wanted || s->agent == wanted)) {
      *symbol = handle(s.get());
      return HSA_STATUS_SUCCESS;
    }
  return HSA_STATUS_ERROR_INVALID_SYMBOL_NAME;
}

/// Handles of an executable's symbols, so that callbacks run without the lock.
hsa_status_t symbol_list(Runtime& r, hsa_executable_t executable, Agent* agent,
                         std::vector<hsa_executable_symbol_t>& out) {
  auto e = r.executables().find(executable);
  if (!e)
    return kBadExecutable;
  std::lock_guard lock(e->mutex);
  for (const auto& s : e->symbols)
    if (!agent || s->agent == agent)
      out.push_back(handle(s.get()));
  return HSA_STATUS_SUCCESS;
}

} // namespace

extern "C" {

hsa_status_t HSA_API hsa_code_object_reader_create_from_memory(const void* code_object, size_t size,
                                                               hsa_code_object_reader_t* reader) {
  return api([&](Runtime& r) {
    if (!code_object || !size || !reader)
      return kBadArgument;
    auto c = std::make_shared<CodeReader>();
    c->bytes = {static_cast<const uint8_t*>(code_object), size};
    char uri[128];
    std::snprintf(uri, sizeof uri, "memory://%d#offset=0x%" PRIxPTR "&size=%zu",
                  static_cast<int>(getpid()), reinterpret_cast<uintptr_t>(code_object), size);
    c->uri = uri;
    *reader = r.executables().add_reader(std::move(c));
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t HSA_API hsa_code_object_reader_create_from_file(hsa_file_t file,
                                                             hsa_code_object_reader_t* reader) {
  return api([&](Runtime& r) {
    if (!reader)
      return kBadArgument;
    auto c = read_file(file, 0, 0);
    if (!c.ok())
      return HSA_STATUS_ERROR_INVALID_FILE;
    *reader = r.executables().add_reader(std::move(*c));
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t HSA_API hsa_code_object_reader_destroy(hsa_code_object_reader_t reader) {
  return api([&](Runtime& r) {
    return r.executables().remove_reader(reader) ? HSA_STATUS_SUCCESS
                                                 : HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER;
  });
}

hsa_status_t HSA_API hsa_executable_create_alt(hsa_profile_t profile,
                                               hsa_default_float_rounding_mode_t rounding,
                                               const char*, hsa_executable_t* executable) {
  return api([&](Runtime& r) {
    if (!executable || (profile != HSA_PROFILE_BASE && profile != HSA_PROFILE_FULL))
      return kBadArgument;
    *executable = r.executables().create(profile, rounding);
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t HSA_API hsa_executable_create(hsa_profile_t profile, hsa_executable_state_t state,
                                           const char* options, hsa_executable_t* executable) {
  return api([&](Runtime& r) {
    hsa_status_t s = hsa_executable_create_alt(profile, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT,
                                               options, executable);
    if (s == HSA_STATUS_SUCCESS)
      r.executables().find(*executable)->state = state;
    return s;
  });
}

hsa_status_t HSA_API hsa_executable_destroy(hsa_executable_t executable) {
  return api([&](Runtime& r) { return r.executables().destroy(executable); });
}

hsa_status_t HSA_API hsa_executable_load_agent_code_object(hsa_executable_t executable,
                                                           hsa_agent_t agent,
                                                           hsa_code_object_reader_t reader,
                                                           const char*,
                                                           hsa_loaded_code_object_t* loaded) {
  return api([&](Runtime& r) {
    auto e = r.executables().find(executable);
    if (!e)
      return kBadExecutable;
    Agent* a = r.agent(agent);
    if (!a || !a->is_gpu())
      return HSA_STATUS_ERROR_INVALID_AGENT;
    auto c = r.executables().reader(reader);
    if (!c)
      return HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER;
    return r.executables().load(*e, *a, *c, loaded);
  });
}

hsa_status_t HSA_API hsa_executable_load_program_code_object(hsa_executable_t executable,
                                                             hsa_code_object_reader_t, const char*,
                                                             hsa_loaded_code_object_t*) {
  return api([&](Runtime& r) {
    // Program-scope code objects belong to the finalizer, which ROCm does not have either.
    return r.executables().find(executable) ? HSA_STATUS_ERROR_INVALID_CODE_OBJECT : kBadExecutable;
  });
}

hsa_status_t HSA_API hsa_executable_freeze(hsa_executable_t executable, const char*) {
  return api([&](Runtime& r) {
    auto e = r.executables().find(executable);
    if (!e)
      return kBadExecutable;
    std::lock_guard lock(e->mutex);
    if (e->state == HSA_EXECUTABLE_STATE_FROZEN)
      return HSA_STATUS_ERROR_FROZEN_EXECUTABLE;
    e->state = HSA_EXECUTABLE_STATE_FROZEN;
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t HSA_API hsa_executable_get_info(hsa_executable_t executable,
                                             hsa_executable_info_t attribute, void* value) {
  return api([&](Runtime& r) {
    auto e = r.executables().find(executable);
    if (!e)
      return kBadExecutable;
    if (!value)
      return kBadArgument;
    switch (attribute) {
    case HSA_EXECUTABLE_INFO_PROFILE:
      return put(value, e->profile);
    case HSA_EXECUTABLE_INFO_STATE:
      return put(value, e->state);
    case HSA_EXECUTABLE_INFO_DEFAULT_FLOAT_ROUNDING_MODE:
      return put(value, e->rounding);
    }
    return kBadArgument;
  });
}

hsa_status_t HSA_API hsa_executable_validate(hsa_executable_t executable, uint32_t* result) {
  return api([&](Runtime& r) {
    if (!r.executables().find(executable))
      return kBadExecutable;
    if (!result)
      return kBadArgument;
    *result = 0;
    return HSA_STATUS_SUCCESS;
  });
}
hsa_status_t HSA_API hsa_executable_validate_alt(hsa_executable_t executable, const char*,
                                                 uint32_t* result) {
  return hsa_executable_validate(executable, result);
}

hsa_status_t HSA_API hsa_executable_global_variable_define(hsa_executable_t executable,
                                                           const char* variable_name,
                                                           void* address) {
  return api([&](Runtime& r) {
    return r.executables().define(executable, nullptr, variable_name, address);
  });
}
hsa_status_t HSA_API hsa_executable_agent_global_variable_define(hsa_executable_t executable,
                                                                 hsa_agent_t agent,
                                                                 const char* variable_name,
                                                                 void* address) {
  return api([&](Runtime& r) {
    Agent* a = r.agent(agent);
    return a ? r.executables().define(executable, a, variable_name, address)
             : HSA_STATUS_ERROR_INVALID_AGENT;
  });
}
hsa_status_t HSA_API hsa_executable_readonly_variable_define(hsa_executable_t executable,
                                                             hsa_agent_t agent,
                                                             const char* variable_name,
                                                             void* address) {
  return hsa_executable_agent_global_variable_define(executable, agent, variable_name, address);
}

hsa_status_t HSA_API hsa_executable_get_symbol_by_name(hsa_executable_t executable,
                                                       const char* symbol_name,
                                                       const hsa_agent_t* agent,
                                                       hsa_executable_symbol_t* symbol) {
  return api([&](Runtime& r) { return find_symbol(r, executable, symbol_name, agent, symbol); });
}
hsa_status_t HSA_API hsa_executable_get_symbol(hsa_executable_t executable, const char*,
                                               const char* symbol_name, hsa_agent_t agent, int32_t,
                                               hsa_executable_symbol_t* symbol) {
  return api([&](Runtime& r) {
    return find_symbol(r, executable, symbol_name, agent.handle ? &agent : nullptr, symbol);
  });
}

hsa_status_t HSA_API hsa_executable_symbol_get_info(hsa_executable_symbol_t executable_symbol,
                                                    hsa_executable_symbol_info_t attribute,
                                                    void* value) {
  return api([&](Runtime& r) {
    if (!value)
      return kBadArgument;
    hsa_status_t status = HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL;
    r.executables().with_symbol(executable_symbol, [&](const ExecutableSymbol& s) {
      status = symbol_info(s, attribute, value);
    });
    return status;
  });
}

hsa_status_t HSA_API hsa_executable_iterate_symbols(
    hsa_executable_t executable,
    hsa_status_t (*callback)(hsa_executable_t, hsa_executable_symbol_t, void*), void* data) {
  return api([&](Runtime& r) {
    if (!callback)
      return kBadArgument;
    std::vector<hsa_executable_symbol_t> list;
    if (hsa_status_t s = symbol_list(r, executable, nullptr, list); s != HSA_STATUS_SUCCESS)
      return s;
    for (hsa_executable_symbol_t sym : list)
      if (hsa_status_t s = callback(executable, sym, data); s != HSA_STATUS_SUCCESS)
        return s;
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t HSA_API hsa_executable_iterate_agent_symbols(
    hsa_executable_t executable, hsa_agent_t agent,
    hsa_status_t (*callback)(hsa_executable_t, hsa_agent_t, hsa_executable_symbol_t, void*),
    void* data) {
  return api([&](Runtime& r) {
    Agent* a = r.agent(agent);
    if (!a)
      return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!callback)
      return kBadArgument;
    std::vector<hsa_executable_symbol_t> list;
    if (hsa_status_t s = symbol_list(r, executable, a, list); s != HSA_STATUS_SUCCESS)
      return s;
    for (hsa_executable_symbol_t sym : list)
      if (hsa_status_t s = callback(executable, agent, sym, data); s != HSA_STATUS_SUCCESS)
        return s;
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t HSA_API hsa_executable_iterate_program_symbols(
    hsa_executable_t executable,
    hsa_status_t (*callback)(hsa_executable_t, hsa_executable_symbol_t, void*), void*) {
  return api([&](Runtime& r) {
    if (!callback)
      return kBadArgument;
    return r.executables().find(executable) ? HSA_STATUS_SUCCESS
                                            : kBadExecutable; // none have program scope
  });
}

} // extern "C"
