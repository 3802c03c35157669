// SPDX-License-Identifier: MIT
#include "base/result.h"

namespace pumice {

const char* code_name(Code c) {
  switch (c) {
  case Code::ok: return "ok";
  case Code::invalid_argument: return "invalid argument";
  case Code::invalid_code_object: return "invalid code object";
  case Code::incompatible: return "incompatible";
  case Code::not_found: return "not found";
  case Code::out_of_memory: return "out of memory";
  case Code::unimplemented: return "unimplemented";
  case Code::fault: return "fault";
  case Code::system: return "system error";
  case Code::internal: return "internal error";
  }
  return "unknown";
}

void check_failed(const char* expr, const char* file, int line) {
  std::fprintf(stderr, "pumice: internal check failed: %s (%s:%d)\n", expr, file, line);
  std::abort();
}

} // namespace pumice
