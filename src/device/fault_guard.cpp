// SPDX-License-Identifier: MIT
#include "device/fault_guard.h"
#include <csignal>
#include <cstring>
#include <mutex>
#include <pthread.h>
#include <ucontext.h>

namespace pumice::device {
namespace {

constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};
struct sigaction g_previous[NSIG];

// Initial-exec: the handler must not allocate thread-local storage.
__attribute__((tls_model("initial-exec"))) thread_local detail::GuardFrame* t_guard = nullptr;

void pass_on(int signo, siginfo_t* info, void* context) {
  const struct sigaction& old = g_previous[signo];
  if (old.sa_flags & SA_SIGINFO) {
    old.sa_sigaction(signo, info, context);
  } else if (old.sa_handler == SIG_IGN) {
    return;
  } else if (old.sa_handler != SIG_DFL) {
    old.sa_handler(signo);
  } else {
    // Returning runs the instruction again, now with the default action.
    struct sigaction dfl;
    std::memset(&dfl, 0, sizeof dfl);
    dfl.sa_handler = SIG_DFL;
    sigaction(signo, &dfl, nullptr);
    if (info->si_code <= 0)
      raise(signo); // sent by kill(): no instruction will repeat it
  }
}

/// Nearest return address into `code` on the faulting thread's stack, which ends at the guard's own frame; 0: none.
/// The stack as it lies: other functions' variables and what AddressSanitizer keeps between them.
__attribute__((no_sanitize("address"))) uintptr_t caller_in(const CodeRange& code, uintptr_t sp, const void* guard) {
  auto *word = reinterpret_cast<const uintptr_t*>(sp & ~uintptr_t{7}), *end = static_cast<const uintptr_t*>(guard);
  for (; word < end; word++)
    if (*word > code.begin && *word < code.end) return *word - 1;
  return 0;
}

void handler(int signo, siginfo_t* info, void* context) {
  detail::GuardFrame* g = t_guard;
  if (!g || info->si_code <= 0)
    return pass_on(signo, info, context);
  g->fault.signal = signo;
  g->fault.address = reinterpret_cast<uintptr_t>(info->si_addr);
#if defined(__x86_64__)
  auto* uc = static_cast<ucontext_t*>(context);
  g->fault.host_pc = static_cast<uintptr_t>(uc->uc_mcontext.gregs[REG_RIP]);
  if (g->code.end && (g->fault.host_pc < g->code.begin || g->fault.host_pc >= g->code.end))
    if (uintptr_t at = caller_in(g->code, static_cast<uintptr_t>(uc->uc_mcontext.gregs[REG_RSP]), g)) g->fault.host_pc = at;
  // Page fault error code: bit 1 = write. Non-canonical addresses give no si_addr.
  g->fault.is_write = signo == SIGSEGV && (uc->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#endif
  // What the kernel would do on return from the handler.
  pthread_sigmask(SIG_SETMASK, &static_cast<ucontext_t*>(context)->uc_sigmask, nullptr);
  siglongjmp(g->jump, 1);
}

} // namespace

namespace detail {
GuardFrame* enter_guard(GuardFrame& frame) {
  GuardFrame* outer = t_guard;
  t_guard = &frame;
  return outer;
}
void leave_guard(GuardFrame* outer) {
  t_guard = outer;
}
} // namespace detail

void enter_service_thread(const char* name) {
  pthread_setname_np(pthread_self(), name);
  sigset_t set;
  sigfillset(&set);
  for (int s : kSignals)
    sigdelset(&set, s);
  sigdelset(&set, SIGABRT);
  sigdelset(&set, SIGTRAP);
  pthread_sigmask(SIG_SETMASK, &set, nullptr);
}

void install_fault_handlers() {
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  for (int s : kSignals) {
    struct sigaction now;
    sigaction(s, nullptr, &now);
    // Somebody may have installed a handler after us: take the place again, and chain to it.
    if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == handler)
      continue;
    g_previous[s] = now;
    struct sigaction mine;
    std::memset(&mine, 0, sizeof mine);
    mine.sa_sigaction = handler;
    mine.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&mine.sa_mask);
    sigaction(s, &mine, nullptr);
  }
}

} // namespace pumice::device
