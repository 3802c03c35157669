// SPDX-License-Identifier: MIT
// The per-user shared segment through which software cards can be watched from other processes.
//
// One file in /dev/shm per user and pid namespace, mode 0600. Each process that uses software cards
// owns one slot and is its only writer; the system management room reads. Injected faults and the
// event ring are written by `pumice device`. Every word is an atomic of its own and no lock exists,
// so a process that dies at any instruction blocks nobody: its slot is recognised by pid and start
// time and taken over. Zero bytes are a valid, empty segment.
//
// Not an interface between versions: the layout's number is part of the file name.
#pragma once
#include "base/result.h"
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace pumice::device::telemetry {

constexpr uint32_t kLayout = 1;
constexpr size_t kCards = 64, kSlots = 256, kKernels = 128, kEvents = 256;
constexpr size_t kRasBlocks = 19;  // bit positions of amdsmi_gpu_block_t
constexpr unsigned kUnitShift = 8; // busy times are kept in units of 256 ns

using Word = std::atomic<uint64_t>;

/// At most `bytes` of a text, without a part of a UTF-8 character at its end.
inline std::string_view whole_characters(std::string_view s, size_t bytes) {
  if (s.size() <= bytes)
    return s;
  size_t end = bytes;
  while (end && bytes - end < 4 && (static_cast<unsigned char>(s[end]) & 0xc0) == 0x80)
    --end;
  return s.substr(0, end);
}

/// Text of at most 8 N bytes (longer text is cut), kept as words so that concurrent reading is no data race.
template <size_t N> struct Text {
  std::array<Word, N> words;
  void store(std::string_view s) {
    s = whole_characters(s, 8 * N);
    for (size_t i = 0; i < N; ++i) {
      uint64_t w = 0;
      for (size_t b = 0; b < 8 && i * 8 + b < s.size(); ++b)
        w |= uint64_t{static_cast<unsigned char>(s[i * 8 + b])} << 8 * b;
      words[i].store(w, std::memory_order_relaxed);
    }
  }
  std::string load() const {
    std::string s;
    for (const Word& word : words) {
      uint64_t w = word.load(std::memory_order_relaxed);
      for (int b = 0; b < 8; ++b) {
        char c = static_cast<char>(w >> 8 * b);
        if (!c)
          return s;
        s.push_back(c);
      }
    }
    return s;
  }
};

/// What one process does on one card.
struct alignas(64) Activity {
  /// Dispatches in flight (low 16 bits) and since when the card is busy (48 bits, units).
  Word state;
  Word busy_units; // time with a dispatch in flight, without the stretch that `state` begins
  Word memory_bytes, dispatches;
  Word kernel;       // index + 1 in the slot's kernel table of the last one started
  Word copied_bytes; // by copies from or to this card
  Word peer_bytes;   // the part of it whose other end is another card
  Word queues;
};

struct KernelRow {
  Text<12> name;
  Word launches, busy_units;
};

struct Slot {
  /// pid << 32 | start time in clock ticks since boot (low 32 bits); 0 = free.
  Word owner;
  /// The owner again once the texts below are complete; only then may the slot be shown.
  Word ready;
  Word card_count, kernel_count;
  Text<16> program;                 // command name, for the process table
  Text<32> devices;                 // the process's PUMICE_DEVICES
  std::array<Word, kCards> profile; // hash of each card's profile name
  std::array<Activity, kCards> cards;
  std::array<KernelRow, kKernels> kernels;
};

/// What was injected into a card; zero = nothing. `set` bits tell which values count.
struct Injection {
  enum Bit : uint64_t { temperature = 1, power = 2, clock = 4, fan = 8, utilisation = 16 };
  Word set;
  std::array<Word, 8> temperature_mc; // by amdsmi_temperature_type_t: edge, hotspot, vram, hbm 0-3
  Word power_mw, clock_mhz, fan_rpm, utilisation_percent;
  Word throttle;       // bits of kThrottle*
  Word throttle_since; // CLOCK_MONOTONIC ns
  std::array<Word, kRasBlocks> correctable, uncorrectable, deferred;
  Word fatal;  // grows with each uncorrectable error: running programs see a dead card
  Word resets; // grows with each reset
  Word retired_pages, xgmi_errors, pcie_replays;
};
constexpr uint64_t kThrottlePower = 1, kThrottleThermal = 2, kThrottleProchot = 4, kThrottleVr = 8,
                   kThrottleHbm = 16;

struct Event {
  Word sequence; // number + 1 when complete
  Word time_ns;  // CLOCK_REALTIME
  Word card, type;
  Text<8> message;
};

struct Segment {
  Word magic, created_ns;
  Word next_event;
  std::array<Injection, kCards> cards;
  std::array<Event, kEvents> events;
  std::array<Slot, kSlots> slots;
};

/// Maps the user's segment; created when absent. Fails with `system` when it cannot be had, or when
/// the file does not belong to this user.
class Mapping {
public:
  static Result<std::shared_ptr<Mapping>> open(const std::string& path);
  /// PUMICE_TELEMETRY, or the default; empty when it is "off".
  static std::string path();
  ~Mapping();
  Mapping(const Mapping&) = delete;
  Segment& operator*() { return *segment_; }
  Segment* operator->() { return segment_; }

private:
  Mapping() = default;
  Segment* segment_ = nullptr;
};

/// The owner word of a process: 0 when it does not exist.
uint64_t owner_word(uint32_t pid);
inline uint32_t owner_pid(uint64_t owner) {
  return static_cast<uint32_t>(owner >> 32);
}
uint64_t profile_hash(std::string_view name);
/// Units since boot.
uint64_t now_units();

/// Appends to the event ring; never waits.
void post_event(Segment& s, uint32_t card, uint32_t type, std::string_view message);

} // namespace pumice::device::telemetry
