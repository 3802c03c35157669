// SPDX-License-Identifier: MIT
// The two futex calls that signals and the worker pool sleep with.
#pragma once
#include <atomic>
#include <cstdint>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace pumice::device {

/// Sleeps while `word == expected`, at most `timeout_ns` (UINT64_MAX: no limit). May wake early.
inline void futex_wait(std::atomic<uint32_t>& word, uint32_t expected, uint64_t timeout_ns) {
  timespec t{static_cast<time_t>(timeout_ns / 1'000'000'000u),
             static_cast<long>(timeout_ns % 1'000'000'000u)};
  syscall(SYS_futex, reinterpret_cast<uint32_t*>(&word), FUTEX_WAIT_PRIVATE, expected,
          timeout_ns == UINT64_MAX ? nullptr : &t, nullptr, 0);
}
inline void futex_wake(std::atomic<uint32_t>& word, int count) {
  syscall(SYS_futex, reinterpret_cast<uint32_t*>(&word), FUTEX_WAKE_PRIVATE, count, nullptr,
          nullptr, 0);
}

} // namespace pumice::device
