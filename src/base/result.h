// SPDX-License-Identifier: MIT
// Result<T>: a value, or a Status that says what failed, on which thing, and what to do.
// Used inside Pumice everywhere; ABI rooms map Status codes to hsa_status_t / hipError_t at their border.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <variant>

namespace pumice {

enum class Code : uint8_t {
  ok,
  invalid_argument,   // the caller's value is out of its documented domain
  invalid_code_object,// bytes that are not a well-formed code object / bundle / program
  incompatible,       // well formed, but for another ISA, version or platform
  not_found,          // a name, handle or file that does not exist
  out_of_memory,
  unimplemented,      // a known feature without an implementation; message names it
  fault,              // guest program error (bad address, illegal instruction, trap)
  system,             // the operating system refused
  internal,
};
const char* code_name(Code c);

struct [[nodiscard]] Status {
  Code code = Code::ok;
  std::string message;
  bool ok() const { return code == Code::ok; }
  explicit operator bool() const { return ok(); }
};
inline Status ok_status() { return {}; }
inline Status error(Code c, std::string message) { return {c, std::move(message)}; }
inline Status unimplemented(const std::string& what) {
  return {Code::unimplemented, what + " is not implemented by Pumice yet"};
}

template <class T> class [[nodiscard]] Result {
public:
  Result(T v) : v_(std::move(v)) {}
  Result(Status s) : v_(std::move(s)) {}
  bool ok() const { return v_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() & { return std::get<0>(v_); }
  T&& value() && { return std::get<0>(std::move(v_)); }
  const T& value() const& { return std::get<0>(v_); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  Status status() const { return ok() ? Status{} : std::get<1>(v_); }

private:
  std::variant<T, Status> v_;
};

[[noreturn]] void check_failed(const char* expr, const char* file, int line);
#define PUMICE_CHECK(e) ((e) ? (void)0 : ::pumice::check_failed(#e, __FILE__, __LINE__))
#define PUMICE_CAT2(a, b) a##b
#define PUMICE_CAT(a, b) PUMICE_CAT2(a, b)
/// TRY(expr): returns the Status of a failed Status expression.
#define TRY(e)                                                                                     \
  do {                                                                                             \
    if (::pumice::Status try_s = (e); !try_s.ok()) return try_s;                                   \
  } while (0)
/// TRY_ASSIGN(decl, expr): unwraps a Result or returns its Status.
#define TRY_ASSIGN(decl, e)                                                                        \
  auto PUMICE_CAT(try_r, __LINE__) = (e);                                                          \
  if (!PUMICE_CAT(try_r, __LINE__).ok()) return PUMICE_CAT(try_r, __LINE__).status();              \
  decl = std::move(PUMICE_CAT(try_r, __LINE__)).value()

} // namespace pumice
