/* SPDX-License-Identifier: MIT */
/* C library functions in kernels: printf, assert, memcpy, memset. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_AMD_DEVICE_LIBRARY_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_AMD_DEVICE_LIBRARY_H

#include <hip/amd_detail/host_defines.h>

extern "C" {
/* clang turns calls of printf into calls of ockl that hand the text to the host while the kernel
 * runs. */
__device__ int printf(const char* format, ...);

__device__ unsigned long long __ockl_fprintf_stderr_begin();
__device__ unsigned long long
__ockl_fprintf_append_args(unsigned long long desc, unsigned count, unsigned long long a0,
                           unsigned long long a1, unsigned long long a2, unsigned long long a3,
                           unsigned long long a4, unsigned long long a5, unsigned long long a6,
                           unsigned last);
__device__ unsigned long long __ockl_fprintf_append_string_n(unsigned long long desc,
                                                             const char* text,
                                                             unsigned long long length,
                                                             unsigned last);
}

namespace hip_impl {
static inline __device__ unsigned long long text_bytes(const char* s) {
  if (!s)
    return 0;
  unsigned long long n = 0;
  while (s[n])
    ++n;
  return n + 1;
}
/// Prints "file:line: function: Device-side assertion `text' failed." on the host's stderr, then
/// traps.
static __device__ __attribute__((noinline)) void
assert_failed(const char* text, const char* file, unsigned line, const char* function) {
  const char format[] = "%s:%u: %s: Device-side assertion `%s' failed.\n";
  unsigned long long d = __ockl_fprintf_stderr_begin();
  d = __ockl_fprintf_append_string_n(d, format, sizeof(format), 0);
  d = __ockl_fprintf_append_string_n(d, file, text_bytes(file), 0);
  d = __ockl_fprintf_append_args(d, 1, line, 0, 0, 0, 0, 0, 0, 0);
  d = __ockl_fprintf_append_string_n(d, function, text_bytes(function), 0);
  __ockl_fprintf_append_string_n(d, text, text_bytes(text), 1);
  __builtin_trap();
}
} // namespace hip_impl

/* The C library's assert macro calls __assert_fail; these are its device versions. */
extern "C" __device__ __attribute__((noinline, weak)) void
__assert_fail(const char* assertion, const char* file, unsigned int line, const char* function)
#ifndef __HIPCC_RTC__
    noexcept
#endif
{
  hip_impl::assert_failed(assertion, file, line, function);
}
extern "C" __device__ __attribute__((noinline, weak)) void __assertfail() {
  __builtin_trap();
}
#ifdef __HIPCC_RTC__
#ifdef NDEBUG
#define assert(e) ((void)0)
#else
#define assert(e) ((e) ? (void)0 : __assert_fail(#e, __FILE__, __LINE__, __PRETTY_FUNCTION__))
#endif
#endif

extern "C" __device__ inline __attribute__((weak)) void* memcpy(void* dst, const void* src,
                                                                size_t n) {
  __builtin_memcpy(dst, src, n);
  return dst;
}
extern "C" __device__ inline __attribute__((weak)) void* memmove(void* dst, const void* src,
                                                                 size_t n) {
  __builtin_memmove(dst, src, n);
  return dst;
}
extern "C" __device__ inline __attribute__((weak)) void* memset(void* dst, int value, size_t n) {
  __builtin_memset(dst, value, n);
  return dst;
}
static inline __device__ void __hip_assert_abort() {
  __builtin_trap();
}
extern "C" __device__ inline __attribute__((weak)) void abort() {
  __builtin_trap();
}

#endif
