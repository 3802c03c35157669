// SPDX-License-Identifier: MIT
// Runs code that may touch bad addresses: guest instructions, or copies between user pointers.
// A process-wide handler of SIGSEGV, SIGBUS, SIGILL and SIGFPE returns control to the innermost
// guard of the faulting thread; faults outside any guard go to the handler that was there before.
//
// Frames between the guard and the fault are dropped without running destructors, so guarded code
// must not hold locks or own memory across guest accesses.
#pragma once
#include <csetjmp>
#include <cstdint>

namespace pumice::device {

struct HostFault {
  int signal = 0;        // SIGSEGV, ...; 0 = none
  uintptr_t address = 0; // data address, where the processor tells one
  uintptr_t host_pc = 0; // the faulting host instruction: the JIT maps it to a guest pc. See CodeRange.
  bool is_write = false;
};

/// Translated code that guarded code runs. A fault in a function that it calls is reported at the call.
struct CodeRange {
  uintptr_t begin = 0, end = 0;
};

namespace detail {
struct GuardFrame {
  sigjmp_buf jump;
  HostFault fault;
  CodeRange code;
  GuardFrame* outer;
};
GuardFrame* enter_guard(GuardFrame& frame); // returns the outer one
void leave_guard(GuardFrame* outer);
} // namespace detail

/// Installs the handlers once per process; cheap to call again.
void install_fault_handlers();

/// First thing in each of Pumice's own threads: names it and leaves the program's signals (SIGINT,
/// SIGCHLD, timers) to the program's threads.
void enter_service_thread(const char* name);

/// Runs `f`. True when it came to its end; false after a fault, described in `fault`.
template <class F> [[gnu::noinline]] bool run_guarded(F&& f, HostFault& fault, CodeRange code = {}) {
  detail::GuardFrame frame;
  frame.code = code;
  frame.outer = detail::enter_guard(frame);
  // The signal mask is not saved here: that would be a system call. The handler restores it.
  if (sigsetjmp(frame.jump, 0) == 0) {
    f();
    detail::leave_guard(frame.outer);
    return true;
  }
  detail::leave_guard(frame.outer);
  fault = frame.fault;
  return false;
}

} // namespace pumice::device
