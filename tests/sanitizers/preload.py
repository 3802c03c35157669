# SPDX-License-Identifier: MIT
"""Sanitized libraries in programs that no sanitizer compiled. PUMICE_TEST_PRELOAD (cmake/Sanitizers.cmake) names the
sanitizer's shared runtime; without it, nothing here does anything."""
import os
import sys

RUNTIME = os.environ.get("PUMICE_TEST_PRELOAD")
# The program's own leaks are not ours to judge; python3 frees little at its end.
OPTIONS = {"ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=0", "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1"}


def environment(*libraries):
    """Variables that preload the runtime and then `libraries`."""
    names = [x for x in (RUNTIME, *libraries) if x]
    return dict(OPTIONS if RUNTIME else {}, **({"LD_PRELOAD": ":".join(names)} if names else {}))


def restart_python():
    """Starts this Python program again with the runtime in it; what it starts then has its own runtime as usual."""
    if not RUNTIME:
        return
    mine = environment()
    if os.environ.get("LD_PRELOAD") != mine["LD_PRELOAD"]:
        os.execve(sys.executable, [sys.executable, *sys.argv], dict(os.environ, **mine))
    for name in mine:
        del os.environ[name]
