// SPDX-License-Identifier: MIT
// The C functions of hiprtc, exported by libhiprtc and by libamdhip64. Linking of bitcode is not
// there yet and says so.
#include "hip/rtc/program.h"
#include <cstring>
#include <hip/hip_version.h>
#include <hip/hiprtc.h>
#include <mutex>
#include <new>
#include <unordered_set>

using pumice::hip::rtc::Outcome;
using pumice::hip::rtc::Program;

namespace {

std::mutex g_mutex;
std::unordered_set<Program*>& programs() {
  static auto* s = new std::unordered_set<Program*>;
  return *s;
}
Program* valid(hiprtcProgram h) {
  auto* p = reinterpret_cast<Program*>(h);
  std::lock_guard lock(g_mutex);
  return programs().count(p) ? p : nullptr;
}
template <class F> hiprtcResult guarded(F&& f) noexcept {
  try {
    return f();
  } catch (const std::bad_alloc&) {
    return HIPRTC_ERROR_OUT_OF_MEMORY;
  } catch (...) {
    return HIPRTC_ERROR_INTERNAL_ERROR;
  }
}

} // namespace

extern "C" {

const char* hiprtcGetErrorString(hiprtcResult result) {
  switch (result) {
  case HIPRTC_SUCCESS:
    return "HIPRTC_SUCCESS";
  case HIPRTC_ERROR_OUT_OF_MEMORY:
    return "HIPRTC_ERROR_OUT_OF_MEMORY";
  case HIPRTC_ERROR_PROGRAM_CREATION_FAILURE:
    return "HIPRTC_ERROR_PROGRAM_CREATION_FAILURE";
  case HIPRTC_ERROR_INVALID_INPUT:
    return "HIPRTC_ERROR_INVALID_INPUT";
  case HIPRTC_ERROR_INVALID_PROGRAM:
    return "HIPRTC_ERROR_INVALID_PROGRAM";
  case HIPRTC_ERROR_INVALID_OPTION:
    return "HIPRTC_ERROR_INVALID_OPTION";
  case HIPRTC_ERROR_COMPILATION:
    return "HIPRTC_ERROR_COMPILATION";
  case HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE:
    return "HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE";
  case HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION:
    return "HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION";
  case HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION:
    return "HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION";
  case HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID:
    return "HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID";
  case HIPRTC_ERROR_INTERNAL_ERROR:
    return "HIPRTC_ERROR_INTERNAL_ERROR";
  case HIPRTC_ERROR_LINKING:
    return "HIPRTC_ERROR_LINKING";
  }
  return "unknown hiprtc error";
}

hiprtcResult hiprtcVersion(int* major, int* minor) {
  if (!major || !minor)
    return HIPRTC_ERROR_INVALID_INPUT;
  *major = HIP_VERSION_MAJOR;
  *minor = HIP_VERSION_MINOR;
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcCreateProgram(hiprtcProgram* out, const char* source, const char* name,
                                 int count, const char** headers, const char** names) {
  return guarded([&] {
    if (!out || !source || count < 0 || (count && (!headers || !names)))
      return HIPRTC_ERROR_INVALID_INPUT;
    auto* p = new Program;
    p->source = source;
    if (name)
      p->name = name;
    for (int i = 0; i < count; ++i)
      p->headers.emplace_back(names[i], headers[i]);
    std::lock_guard lock(g_mutex);
    programs().insert(p);
    *out = reinterpret_cast<hiprtcProgram>(p);
    return HIPRTC_SUCCESS;
  });
}
hiprtcResult hiprtcDestroyProgram(hiprtcProgram* handle) {
  return guarded([&] {
    if (!handle)
      return HIPRTC_ERROR_INVALID_INPUT;
    Program* p = valid(*handle);
    if (!p)
      return HIPRTC_ERROR_INVALID_PROGRAM;
    {
      std::lock_guard lock(g_mutex);
      programs().erase(p);
    }
    delete p;
    *handle = nullptr;
    return HIPRTC_SUCCESS;
  });
}
hiprtcResult hiprtcAddNameExpression(hiprtcProgram handle, const char* expression) {
  return guarded([&] {
    Program* p = valid(handle);
    if (!p)
      return HIPRTC_ERROR_INVALID_PROGRAM;
    if (!expression || !*expression)
      return HIPRTC_ERROR_INVALID_INPUT;
    if (p->compiled)
      return HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    p->expressions.push_back(expression);
    return HIPRTC_SUCCESS;
  });
}
hiprtcResult hiprtcCompileProgram(hiprtcProgram handle, int count, const char** options) {
  return guarded([&] {
    Program* p = valid(handle);
    if (!p)
      return HIPRTC_ERROR_INVALID_PROGRAM;
    if (count < 0 || (count && !options))
      return HIPRTC_ERROR_INVALID_INPUT;
    std::vector<std::string> list(options, options + count);
    switch (compile(*p, list)) {
    case Outcome::ok:
      return HIPRTC_SUCCESS;
    case Outcome::invalid_option:
      return HIPRTC_ERROR_INVALID_OPTION;
    case Outcome::failed:
      return HIPRTC_ERROR_COMPILATION;
    case Outcome::name_not_valid:
      return HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
    case Outcome::internal:
      break;
    }
    return HIPRTC_ERROR_INTERNAL_ERROR;
  });
}
hiprtcResult hiprtcGetLoweredName(hiprtcProgram handle, const char* expression, const char** name) {
  return guarded([&] {
    Program* p = valid(handle);
    if (!p)
      return HIPRTC_ERROR_INVALID_PROGRAM;
    if (!expression || !name)
      return HIPRTC_ERROR_INVALID_INPUT;
    if (!p->compiled)
      return HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    auto it = p->lowered.find(expression);
    if (it == p->lowered.end())
      return HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
    *name = it->second.c_str();
    return HIPRTC_SUCCESS;
  });
}
hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram handle, size_t* size) {
  Program* p = valid(handle);
  if (!p)
    return HIPRTC_ERROR_INVALID_PROGRAM;
  if (!size)
    return HIPRTC_ERROR_INVALID_INPUT;
  *size = p->log.empty() ? 0 : p->log.size() + 1;
  return HIPRTC_SUCCESS;
}
hiprtcResult hiprtcGetProgramLog(hiprtcProgram handle, char* log) {
  Program* p = valid(handle);
  if (!p)
    return HIPRTC_ERROR_INVALID_PROGRAM;
  if (!log)
    return HIPRTC_ERROR_INVALID_INPUT;
  if (!p->log.empty())
    std::memcpy(log, p->log.c_str(), p->log.size() + 1);
  return HIPRTC_SUCCESS;
}
hiprtcResult hiprtcGetCodeSize(hiprtcProgram handle, size_t* size) {
  Program* p = valid(handle);
  if (!p || !p->compiled)
    return HIPRTC_ERROR_INVALID_PROGRAM;
  if (!size)
    return HIPRTC_ERROR_INVALID_INPUT;
  *size = p->code.size();
  return HIPRTC_SUCCESS;
}
hiprtcResult hiprtcGetCode(hiprtcProgram handle, char* code) {
  Program* p = valid(handle);
  if (!p || !p->compiled)
    return HIPRTC_ERROR_INVALID_PROGRAM;
  if (!code)
    return HIPRTC_ERROR_INVALID_INPUT;
  std::memcpy(code, p->code.data(), p->code.size());
  return HIPRTC_SUCCESS;
}

// Bitcode comes from programs compiled with -fgpu-rdc, which compile() refuses.
hiprtcResult hiprtcGetBitcodeSize(hiprtcProgram handle, size_t*) {
  return valid(handle) ? HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE : HIPRTC_ERROR_INVALID_PROGRAM;
}
hiprtcResult hiprtcGetBitcode(hiprtcProgram handle, char*) {
  return valid(handle) ? HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE : HIPRTC_ERROR_INVALID_PROGRAM;
}
hiprtcResult hiprtcLinkCreate(unsigned int, hiprtcJIT_option*, void**, hiprtcLinkState*) {
  return HIPRTC_ERROR_LINKING;
}
hiprtcResult hiprtcLinkAddFile(hiprtcLinkState, hiprtcJITInputType, const char*, unsigned int,
                               hiprtcJIT_option*, void**) {
  return HIPRTC_ERROR_LINKING;
}
hiprtcResult hiprtcLinkAddData(hiprtcLinkState, hiprtcJITInputType, void*, size_t, const char*,
                               unsigned int, hiprtcJIT_option*, void**) {
  return HIPRTC_ERROR_LINKING;
}
hiprtcResult hiprtcLinkComplete(hiprtcLinkState, void**, size_t*) {
  return HIPRTC_ERROR_LINKING;
}
hiprtcResult hiprtcLinkDestroy(hiprtcLinkState) {
  return HIPRTC_ERROR_LINKING;
}
}
