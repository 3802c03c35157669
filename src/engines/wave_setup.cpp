// SPDX-License-Identifier: MIT
#include "engines/wave_setup.h"
#include <algorithm>
#include <cstring>
#include <sys/mman.h>

namespace pumice::engines {
namespace {

constexpr size_t kPage = 4096;

// kernel_code_properties bits.
enum Property : uint16_t {
  kPrivateSegmentBuffer = 1u << 0,
  kDispatchPtr = 1u << 1,
  kQueuePtr = 1u << 2,
  kKernargPtr = 1u << 3,
  kDispatchId = 1u << 4,
  kFlatScratchInit = 1u << 5,
  kPrivateSegmentSize = 1u << 6,
};
// compute_pgm_rsrc2 bits.
constexpr uint32_t kScratchOffset = 1u << 0, kGroupIdX = 1u << 7, kGroupIdY = 1u << 8,
                   kGroupIdZ = 1u << 9, kGroupInfo = 1u << 10;

size_t round_up(size_t n, size_t to) {
  return (n + to - 1) / to * to;
}

/// Writes SGPRs upwards, never beyond s101.
class SgprCursor {
public:
  explicit SgprCursor(exec::Wave& w) : w_(w) {}
  void put(uint32_t v) {
    if (next_ < isa::kFlatScratchLo)
      w_.sgpr[next_] = v;
    ++next_;
  }
  void put64(uint64_t v) {
    put(static_cast<uint32_t>(v));
    put(static_cast<uint32_t>(v >> 32));
  }
  void move_to(unsigned n) { next_ = n; }

private:
  exec::Wave& w_;
  unsigned next_ = 0;
};

/// Buffer resource of the wave's scratch: swizzled by lane, element 4 bytes, index stride 64.
void put_scratch_resource(SgprCursor& s, const exec::Wave& w) {
  auto base = reinterpret_cast<uint64_t>(w.scratch);
  s.put(static_cast<uint32_t>(base));
  s.put((static_cast<uint32_t>(base >> 32) & 0xffff) | 1u << 31); // swizzle enable
  s.put(w.scratch_bytes * exec::kLanes);                          // bytes of the whole wave
  s.put(4u << 12 | 4u << 15 | 3u << 21 | 1u << 23);               // 32-bit, stride 64, add tid
}

void user_sgprs(SgprCursor& s, const exec::Wave& w, const device::DispatchPacketInfo& info) {
  const codeobj::KernelDescriptor& kd = info.kernel->descriptor;
  if (kd.properties & kPrivateSegmentBuffer)
    put_scratch_resource(s, w);
  if (kd.properties & kDispatchPtr)
    s.put64(reinterpret_cast<uint64_t>(info.packet));
  if (kd.properties & kQueuePtr)
    s.put64(reinterpret_cast<uint64_t>(info.queue));
  if (kd.properties & kKernargPtr)
    s.put64(reinterpret_cast<uint64_t>(info.kernarg));
  if (kd.properties & kDispatchId)
    s.put64(info.dispatch_id);
  if (kd.properties & kFlatScratchInit)
    s.put64(reinterpret_cast<uint64_t>(w.scratch));
  if (kd.properties & kPrivateSegmentSize)
    s.put(w.scratch_bytes);
  // Preloaded kernel arguments. Code for preloading firmware may also begin with loads of the same
  // values for older firmware; running those again is harmless, so the entry is never moved.
  unsigned length = kd.kernarg_preload & 0x7f, offset = kd.kernarg_preload >> 7;
  if (length == 0 || !info.kernarg)
    return;
  const auto* args = static_cast<const uint8_t*>(info.kernarg);
  for (unsigned i = 0; i < length; ++i) {
    uint32_t v = 0;
    uint64_t at = uint64_t{offset + i} * 4;
    if (at + 4 <= kd.kernarg_size || kd.kernarg_size == 0)
      std::memcpy(&v, args + at, 4);
    s.put(v);
  }
}

void system_sgprs(SgprCursor& s, const exec::Wave& w, const device::DispatchPacketInfo& info) {
  uint32_t rsrc2 = info.kernel->descriptor.rsrc2;
  const exec::Workgroup& g = *w.group;
  s.move_to((rsrc2 >> 1) & 0x1f); // USER_SGPR_COUNT
  if (rsrc2 & kGroupIdX)
    s.put(g.id[0]);
  if (rsrc2 & kGroupIdY)
    s.put(g.id[1]);
  if (rsrc2 & kGroupIdZ)
    s.put(g.id[2]);
  if (rsrc2 & kGroupInfo)
    s.put((w.index == 0 ? 1u << 31 : 0) | (g.wave_count & 0x3f));
  // Each wave has its own scratch base, so its offset is zero. Architected flat scratch (gfx942)
  // has no such register.
  bool architected = info.kernel->code->target == isa::Target::gfx942;
  if ((rsrc2 & kScratchOffset) && !architected)
    s.put(0);
}

uint32_t initial_mode(uint32_t rsrc1) {
  return ((rsrc1 >> 12) & 0xff)       // rounding and denormal modes
         | ((rsrc1 >> 21) & 1) << 8   // DX10_CLAMP
         | ((rsrc1 >> 23) & 1) << 9   // IEEE
         | ((rsrc1 >> 26) & 1) << 23; // FP16_OVFL
}

} // namespace

GroupExtent group_extent(const device::DispatchPacketInfo& info, const uint32_t id[3]) {
  uint32_t e[3];
  for (int d = 0; d < 3; ++d) {
    uint64_t first = uint64_t{id[d]} * info.workgroup[d];
    e[d] = static_cast<uint32_t>(std::min<uint64_t>(info.workgroup[d], info.grid[d] - first));
  }
  return {e[0], e[1], e[2]};
}

void setup_wave(exec::Wave& w, const device::DispatchPacketInfo& info, uint32_t index) {
  w.index = index;
  std::memset(w.sgpr, 0, sizeof w.sgpr);
  w.scc = 0;
  w.mode = initial_mode(info.kernel->descriptor.rsrc1);
  w.pc = info.kernel->entry;
  w.status = exec::WaveStatus::ready;
  w.jit_resume = 0;
  w.interp_only = 0;
  w.fault = {};
  SgprCursor s(w);
  user_sgprs(s, w, info);
  system_sgprs(s, w, info);
  auto scratch = reinterpret_cast<uint64_t>(w.scratch);
  w.sgpr[isa::kFlatScratchLo] = static_cast<uint32_t>(scratch);
  w.sgpr[isa::kFlatScratchLo + 1] = static_cast<uint32_t>(scratch >> 32);

  // Work-item ids, packed in v0: x 9:0, y 19:10, z 29:20.
  GroupExtent extent = group_extent(info, w.group->id);
  uint32_t first = index * exec::kLanes;
  uint32_t count = std::min(exec::kLanes, extent.items() - first);
  uint32_t x = first % extent.x, y = first / extent.x % extent.y, z = first / extent.x / extent.y;
  for (uint32_t lane = 0; lane < exec::kLanes; ++lane) {
    if (lane >= count) {
      w.vgpr[0][lane] = 0;
      continue;
    }
    w.vgpr[0][lane] = x | y << 10 | z << 20;
    if (++x < extent.x)
      continue;
    x = 0;
    if (++y < extent.y)
      continue;
    y = 0;
    ++z;
  }
  w.set_exec(count == exec::kLanes ? ~uint64_t{0} : (uint64_t{1} << count) - 1);
}

size_t WorkgroupStorage::bytes_needed(const device::DispatchPacketInfo& info) {
  size_t items = size_t{info.workgroup[0]} * info.workgroup[1] * info.workgroup[2];
  size_t waves = (items + exec::kLanes - 1) / exec::kLanes;
  size_t scratch = round_up(size_t{info.private_segment_bytes} * exec::kLanes, 256);
  return round_up(waves * sizeof(exec::Wave), kPage) + exec::kLdsBytes +
         round_up(waves * scratch, kPage);
}

std::unique_ptr<WorkgroupStorage> WorkgroupStorage::create(const device::DispatchPacketInfo& info) {
  std::unique_ptr<WorkgroupStorage> s(new WorkgroupStorage);
  size_t items = size_t{info.workgroup[0]} * info.workgroup[1] * info.workgroup[2];
  s->max_waves_ = static_cast<uint32_t>((items + exec::kLanes - 1) / exec::kLanes);
  s->bytes_ = bytes_needed(info);
  // Fresh mappings read as zero and take memory only where a kernel touches registers.
  s->memory_ = mmap(nullptr, s->bytes_, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (s->memory_ == MAP_FAILED) {
    s->memory_ = nullptr;
    return nullptr;
  }
  auto* p = static_cast<uint8_t*>(s->memory_);
  s->group_.waves = reinterpret_cast<exec::Wave*>(p);
  p += round_up(s->max_waves_ * sizeof(exec::Wave), kPage);
  s->group_.lds = p;
  s->group_.lds_bytes = info.group_segment_bytes;
  s->scratch_ = p + exec::kLdsBytes;
  s->scratch_stride_ = round_up(size_t{info.private_segment_bytes} * exec::kLanes, 256);
  return s;
}

WorkgroupStorage::~WorkgroupStorage() {
  if (memory_)
    munmap(memory_, bytes_);
}

void WorkgroupStorage::start(const device::DispatchPacketInfo& info, uint32_t x, uint32_t y,
                             uint32_t z) {
  group_.id[0] = x;
  group_.id[1] = y;
  group_.id[2] = z;
  group_.wave_count = group_extent(info, group_.id).waves();
  for (uint32_t i = 0; i < group_.wave_count; ++i) {
    exec::Wave& w = group_.waves[i];
    w.group = &group_;
    w.lds = group_.lds;
    w.lds_bytes = group_.lds_bytes;
    w.scratch = scratch_ + i * scratch_stride_;
    w.scratch_bytes = info.private_segment_bytes;
    setup_wave(w, info, i);
  }
}

} // namespace pumice::engines
