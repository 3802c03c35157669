// SPDX-License-Identifier: MIT
#include "hip/hostcall.h"
#include "hip/device.h"
#include "hip/memory.h"
#include "hip/runtime.h"
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>

namespace pumice::hip {
namespace {

// Layouts shared with the device library (ockl, hostcall).
struct PacketHeader {
  uint64_t next;
  uint64_t active_lanes;
  uint32_t service;
  uint32_t control; // bit 0: ready for the host
};
struct PacketPayload {
  uint64_t slots[64][8];
};
struct Buffer {
  PacketHeader* headers;
  PacketPayload* payloads;
  hsa_signal_t doorbell;
  uint64_t free_stack;
  uint64_t ready_stack;
  uint64_t index_mask;
};
enum Service : uint32_t { kCall = 1, kPrintf = 2, kDeviceMemory = 3, kSanitizer = 4 };

// Descriptor word of a message fragment: flags, number of data words, message number.
constexpr uint64_t kBegin = 1, kEnd = 2;
constexpr unsigned length_of(uint64_t d) {
  return (d >> 5) & 7;
}
constexpr uint64_t message_of(uint64_t d) {
  return d >> 8;
}

uint64_t round_up_power_of_two(uint64_t n) {
  uint64_t p = 1;
  while (p < n)
    p <<= 1;
  return p;
}

} // namespace

Hostcall* Hostcall::start(Device& device) {
  Runtime& rt = Runtime::get();
  // One packet per wave that can be resident: the device library pops the free stack without
  // looking for its end.
  uint64_t packets = round_up_power_of_two(std::max<uint64_t>(
      1024, static_cast<uint64_t>(device.properties().multiProcessorCount) * 32));
  size_t headers_at = 256;
  size_t payloads_at = (headers_at + packets * sizeof(PacketHeader) + 4095) & ~size_t{4095};
  size_t bytes = payloads_at + packets * sizeof(PacketPayload);
  void* memory = nullptr;
  if (hsa().hsa_amd_memory_pool_allocate(rt.host_fine, bytes, 0, &memory) != HSA_STATUS_SUCCESS)
    return nullptr;
  hsa_agent_t agent = device.agent();
  hsa().hsa_amd_agents_allow_access(1, &agent, nullptr, memory);
  auto* base = static_cast<uint8_t*>(memory);
  auto* b = new (base) Buffer{};
  b->headers = reinterpret_cast<PacketHeader*>(base + headers_at);
  b->payloads = reinterpret_cast<PacketPayload*>(base + payloads_at);
  b->index_mask = packets - 1;
  if (hsa().hsa_signal_create(0, 0, nullptr, &b->doorbell) != HSA_STATUS_SUCCESS)
    return nullptr;
  // Handles are index plus a tag above the index bits, never zero.
  for (uint64_t i = 0; i < packets; ++i) {
    b->headers[i].next = i == 0 ? 0 : packets | (i - 1);
    b->headers[i].control = 0;
  }
  b->free_stack = packets | (packets - 1);
  b->ready_stack = 0;
  auto* h = new Hostcall(device);
  h->buffer_ = memory;
  std::thread([h] { h->main(); }).detach();
  return h;
}

void Hostcall::watch(CompletionRef completion) {
  {
    std::lock_guard lock(mutex_);
    watched_.push_back(std::move(completion));
  }
  wake_.notify_one();
}

void Hostcall::main() {
  unsigned quiet = 0;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      std::erase_if(watched_, [](const CompletionRef& c) { return c->done(); });
      if (watched_.empty()) {
        lock.unlock();
        serve(); // what a finished kernel left behind
        lock.lock();
        wake_.wait(lock, [this] { return !watched_.empty(); });
        quiet = 0;
      }
    }
    if (serve()) {
      quiet = 0;
      continue;
    }
    // Kernels run for long between two calls: sleep longer the longer it is quiet.
    ++quiet;
    std::this_thread::sleep_for(std::chrono::microseconds(quiet < 50 ? 20 : 200));
  }
}

bool Hostcall::serve() {
  std::lock_guard lock(serve_mutex_);
  auto* b = static_cast<Buffer*>(buffer_);
  uint64_t handle_ = __atomic_exchange_n(&b->ready_stack, 0, __ATOMIC_ACQUIRE);
  if (!handle_)
    return false;
  // The stack is newest first; answer in the order of arrival.
  std::vector<uint64_t> order;
  for (uint64_t h = handle_; h; h = b->headers[h & b->index_mask].next)
    order.push_back(h);
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    PacketHeader& header = b->headers[*it & b->index_mask];
    PacketPayload& payload = b->payloads[*it & b->index_mask];
    uint32_t service = header.service;
    uint64_t lanes = header.active_lanes;
    while (lanes) {
      int lane = __builtin_ctzll(lanes);
      lanes &= lanes - 1;
      handle(service, payload.slots[lane]);
    }
    __atomic_store_n(&header.control, header.control & ~1u, __ATOMIC_RELEASE);
  }
  std::fflush(stdout);
  return true;
}

void Hostcall::handle(uint32_t service, uint64_t* slots) {
  switch (service) {
  case kPrintf:
    message(slots);
    break;
  case kDeviceMemory:
    // slots[0]: address to free, or 0 to allocate slots[1] bytes. Device malloc wants 2 MiB aligned
    // slabs.
    if (slots[0]) {
      slots[1] = 0;
      (void)release_memory(reinterpret_cast<void*>(slots[0]));
    } else {
      slots[0] = reinterpret_cast<uintptr_t>(allocate_device_slab(device_, slots[1]));
    }
    break;
  case kCall: {
    auto* f = reinterpret_cast<void (*)(uint64_t*, const uint64_t*)>(slots[0]);
    uint64_t result[2] = {};
    f(result, slots + 1);
    slots[0] = result[0];
    slots[1] = result[1];
    break;
  }
  default:
    log_warning("a kernel asked for hostcall service " + std::to_string(service) +
                ", which does not exist here");
    slots[0] = slots[1] = 0;
  }
}

void Hostcall::message(uint64_t* slots) {
  uint64_t d = slots[0];
  uint64_t id = d & kBegin ? next_message_++ : message_of(d);
  std::vector<uint64_t>& words = messages_[id];
  words.insert(words.end(), slots + 1, slots + 1 + length_of(d));
  if (!(d & kEnd)) {
    slots[0] = id << 8;
    return;
  }
  // First word: 1 for stderr. Then the format string and the arguments.
  int n = 0;
  if (words.size() > 1) {
    bool to_stderr = words[0] & 1;
    if (to_stderr)
      device_.assert_reported.store(true);
    n = print(to_stderr ? stderr : stdout, words.data() + 1, words.data() + words.size());
  }
  slots[0] = static_cast<uint64_t>(static_cast<int64_t>(n));
  messages_.erase(id);
}

// Interprets a format whose arguments are 64-bit words; strings lie inline, padded to whole words.
int Hostcall::print(FILE* to, const uint64_t* words, const uint64_t* end) {
  auto take_string = [&]() -> const char* {
    if (words >= end)
      return "";
    auto* s = reinterpret_cast<const char*>(words);
    size_t room = static_cast<size_t>(end - words) * 8;
    size_t n = strnlen(s, room);
    words += std::min<size_t>((n + 1 + 7) / 8, static_cast<size_t>(end - words));
    return n == room ? "" : s;
  };
  auto take_word = [&]() -> uint64_t { return words < end ? *words++ : 0; };
  std::string out;
  char text[512];
  for (const char* f = take_string(); *f; ++f) {
    if (*f != '%') {
      out += *f;
      continue;
    }
    std::string spec = "%";
    ++f;
    if (*f == '%') {
      out += '%';
      continue;
    }
    while (*f && std::strchr("-+ #0'", *f))
      spec += *f++;
    for (int part = 0; part < 2; ++part) {
      if (*f == '*') {
        spec += std::to_string(static_cast<int>(take_word()));
        ++f;
      } else {
        while (*f >= '0' && *f <= '9')
          spec += *f++;
      }
      if (part == 0) {
        if (*f != '.')
          break;
        spec += *f++;
      }
    }
    std::string length;
    while (*f && std::strchr("hlLqjzt", *f))
      length += *f++;
    if (!*f)
      break;
    char conversion = *f;
    switch (conversion) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
    case 'c': {
      uint64_t v = take_word();
      bool is_signed = conversion == 'd' || conversion == 'i';
      if (conversion == 'c') {
        spec += 'c';
        std::snprintf(text, sizeof text, spec.c_str(), static_cast<int>(v));
      } else {
        spec += "ll";
        spec += conversion;
        if (length.empty())
          v = is_signed ? static_cast<uint64_t>(int64_t{static_cast<int32_t>(v)})
                        : static_cast<uint32_t>(v);
        else if (length == "h")
          v = is_signed ? static_cast<uint64_t>(int64_t{static_cast<int16_t>(v)})
                        : static_cast<uint16_t>(v);
        else if (length == "hh")
          v = is_signed ? static_cast<uint64_t>(int64_t{static_cast<int8_t>(v)})
                        : static_cast<uint8_t>(v);
        std::snprintf(text, sizeof text, spec.c_str(), static_cast<long long>(v));
      }
      out += text;
      break;
    }
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A': {
      uint64_t v = take_word();
      double x;
      std::memcpy(&x, &v, 8);
      spec += conversion;
      std::snprintf(text, sizeof text, spec.c_str(), x);
      out += text;
      break;
    }
    case 'p':
      spec += 'p';
      std::snprintf(text, sizeof text, spec.c_str(), reinterpret_cast<void*>(take_word()));
      out += text;
      break;
    case 's': {
      const char* s = take_string();
      spec += 's';
      int n = std::snprintf(text, sizeof text, spec.c_str(), s);
      if (n < static_cast<int>(sizeof text))
        out += text;
      else {
        std::string big(static_cast<size_t>(n) + 1, 0);
        std::snprintf(big.data(), big.size(), spec.c_str(), s);
        out.append(big.data(), static_cast<size_t>(n));
      }
      break;
    }
    default:
      out += spec + conversion; // unknown conversions are printed as they are
    }
  }
  std::fwrite(out.data(), 1, out.size(), to);
  return static_cast<int>(out.size());
}

} // namespace pumice::hip
