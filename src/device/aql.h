// SPDX-License-Identifier: MIT
// Layouts that guests and hosts share: AQL packets [HSA 2.9], the queue header and the signal word.
// Same bytes as hsa_*_packet_t, amd_queue_t and amd_signal_t; src/hsa asserts that.
#pragma once
#include <atomic>
#include <cstdint>

namespace pumice::device {

struct Signal;

/// What an hsa_signal_t handle points at (amd_signal_t). Guests change `value` with plain atomics,
/// so waiters re-check from time to time even when nobody wakes them.
struct alignas(64) Signal {
  enum Kind : int64_t { invalid = 0, user = 1, doorbell = -1 };
  std::atomic<int64_t> kind;
  std::atomic<int64_t> value;
  std::atomic<uint64_t> event_mailbox; // always 0: guests then skip the interrupt
  uint32_t event_id;
  std::atomic<uint32_t> waiters;          // threads asleep on `wake_seq`
  std::atomic<uint64_t> start_ts, end_ts; // nanoseconds, of the dispatch or copy that completed it
  void* queue;                            // of a doorbell: the owning device::Queue's header
  std::atomic<uint32_t> wake_seq;         // futex word
  std::atomic<uint32_t> watchers; // handlers, multi-waits and queues that want to hear of changes
};
static_assert(sizeof(Signal) == 64);

enum class PacketType : uint8_t {
  vendor = 0,
  invalid = 1,
  kernel_dispatch = 2,
  barrier_and = 3,
  agent_dispatch = 4,
  barrier_or = 5
};
constexpr uint16_t kBarrierBit = 1u << 8;
inline PacketType packet_type(uint16_t header) {
  return static_cast<PacketType>(header & 0xff);
}

struct KernelDispatchPacket {
  uint16_t header, setup;
  uint16_t workgroup[3];
  uint16_t reserved0;
  uint32_t grid[3];
  uint32_t private_segment_size, group_segment_size;
  uint64_t kernel_object;
  void* kernarg;
  uint64_t reserved2;
  Signal* completion;
};
struct BarrierPacket { // AND and OR
  uint16_t header, reserved0;
  uint32_t reserved1;
  Signal* dependency[5];
  uint64_t reserved2;
  Signal* completion;
};
/// Vendor packet, format 2: waits until (signal & mask) meets the condition.
struct BarrierValuePacket {
  uint16_t header;
  uint8_t format, reserved;
  uint32_t reserved0;
  Signal* signal;
  int64_t value, mask;
  uint32_t condition, reserved1;
  uint64_t reserved2, reserved3;
  Signal* completion;
};
constexpr uint8_t kVendorBarrierValue = 2;
union Packet {
  struct {
    std::atomic<uint16_t> header;
    uint8_t format, reserved;
    uint8_t body[52];
    Signal* completion;
  } raw;
  KernelDispatchPacket dispatch;
  BarrierPacket barrier;
  BarrierValuePacket barrier_value;
  Packet() : raw{} {}
};
static_assert(sizeof(Packet) == 64 && sizeof(KernelDispatchPacket) == 64 &&
              sizeof(BarrierPacket) == 64 && sizeof(BarrierValuePacket) == 64);

/// amd_queue_t. Kernels get its address and read the aperture fields.
struct alignas(64) QueueHeader {
  uint32_t type, features;
  void* base;
  Signal* doorbell;
  uint32_t size, reserved1;
  uint64_t id;
  uint32_t caps, reserved2[3];
  std::atomic<uint64_t> write_index; // offset 56
  uint32_t group_aperture_hi, private_aperture_hi;
  uint32_t max_cu_id, max_wave_id;
  uint64_t legacy0;
  uint32_t legacy1, reserved3[9];
  std::atomic<uint64_t> read_index; // offset 128
  uint32_t read_index_offset, tmpring_size;
  uint32_t scratch_descriptor[4];
  uint64_t scratch_location, scratch_bytes;
  uint32_t scratch_lane_bytes, properties;
  uint64_t scratch_last_used;
  Signal* inactive_signal; // offset 192
  uint32_t reserved4[14];
};
static_assert(sizeof(QueueHeader) == 256);

} // namespace pumice::device
