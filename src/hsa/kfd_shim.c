/* SPDX-License-Identifier: MIT
   Preload library for tools that look for AMD's kernel driver before they call the HSA library,
   such as Debian's rocminfo: it runs `lsmod | grep amdgpu` and opens /dev/kfd. With this library
   preloaded both succeed. It answers exactly these two questions, and only where the real answer
   would be no. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

typedef int open_fn(const char*, int, ...);

static int open_or_null(const char* name, const char* path, int flags, mode_t mode) {
  open_fn* real = (open_fn*)dlsym(RTLD_NEXT, name);
  int fd = real(path, flags, mode);
  if (fd < 0 && errno == ENOENT && path && strcmp(path, "/dev/kfd") == 0)
    fd = real("/dev/null", flags & (O_ACCMODE | O_CLOEXEC));
  return fd;
}

static mode_t mode_argument(int flags, va_list ap) {
  return flags & (O_CREAT | O_TMPFILE) ? (mode_t)va_arg(ap, int) : 0;
}

EXPORT int open(const char* path, int flags, ...) {
  va_list ap;
  va_start(ap, flags);
  mode_t mode = mode_argument(flags, ap);
  va_end(ap);
  return open_or_null("open", path, flags, mode);
}

EXPORT int open64(const char* path, int flags, ...) {
  va_list ap;
  va_start(ap, flags);
  mode_t mode = mode_argument(flags, ap);
  va_end(ap);
  return open_or_null("open64", path, flags, mode);
}

EXPORT FILE* popen(const char* command, const char* type) {
  FILE* (*real)(const char*, const char*) =
      (FILE * (*)(const char*, const char*)) dlsym(RTLD_NEXT, "popen");
  if (command && strcmp(command, "lsmod | grep amdgpu") == 0)
    command = "lsmod 2>/dev/null | grep amdgpu || echo amdgpu";
  return real(command, type);
}
