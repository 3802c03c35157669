// SPDX-License-Identifier: MIT
#include "engines/jit_frames.h"
#include <sys/mman.h>

namespace pumice::engines {

namespace {
// An LDS address is 32 bits plus a 16-bit offset: everything it can reach is reserved, only the window is mapped.
constexpr size_t kGuard = 1 << 20;
constexpr size_t kLdsReserve = (size_t{1} << 32) + 2 * kGuard;
constexpr size_t kMaxSpare = 64;

void* reserve(size_t bytes, int prot) {
  void* p = mmap(nullptr, bytes, prot, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? nullptr : p;
}
} // namespace

std::unique_ptr<JitFrame> JitFrame::create() {
  std::unique_ptr<JitFrame> f(new JitFrame);
  f->lds_map_ = reserve(kLdsReserve, PROT_NONE);
  f->wave_map_ = reserve(sizeof(exec::Wave) * kMaxWaves, PROT_READ | PROT_WRITE);
  if (!f->lds_map_ || !f->wave_map_) return nullptr;
  auto* lds = static_cast<uint8_t*>(f->lds_map_) + kGuard;
  if (mprotect(lds, exec::kLdsBytes, PROT_READ | PROT_WRITE)) return nullptr;
  f->frame_.lds = lds;
  f->frame_.waves = static_cast<exec::Wave*>(f->wave_map_);
  f->frame_.resume = f->resume_;
  f->group_.waves = f->frame_.waves;
  f->group_.lds = lds;
  f->frame_.group = &f->group_;
  return f;
}

JitFrame::~JitFrame() {
  if (lds_map_) munmap(lds_map_, kLdsReserve);
  if (wave_map_) munmap(wave_map_, sizeof(exec::Wave) * kMaxWaves);
  if (scratch_map_) munmap(scratch_map_, scratch_bytes_);
}

bool JitFrame::fit_scratch(uint32_t waves, uint32_t bytes_per_lane) {
  // One unmapped stripe between waves would cost a mapping each; rows of 64 dwords are enough for right programs.
  size_t stride = (size_t((bytes_per_lane + 3) & ~3u) * 64 + 4095) & ~size_t{4095};
  size_t need = stride * waves;
  if (need > scratch_bytes_) {
    if (scratch_map_) munmap(scratch_map_, scratch_bytes_);
    scratch_map_ = reserve(need, PROT_READ | PROT_WRITE);
    scratch_bytes_ = scratch_map_ ? need : 0;
    if (!scratch_map_) return false;
  }
  frame_.scratch = static_cast<uint8_t*>(scratch_map_);
  frame_.scratch_stride = stride;
  return true;
}

std::unique_ptr<JitFrame> FramePool::take() {
  {
    std::lock_guard lock(mutex_);
    if (!spare_.empty()) {
      auto f = std::move(spare_.back());
      spare_.pop_back();
      return f;
    }
  }
  return JitFrame::create();
}

void FramePool::give(std::unique_ptr<JitFrame> f) {
  std::lock_guard lock(mutex_);
  if (spare_.size() < kMaxSpare) spare_.push_back(std::move(f));
}

} // namespace pumice::engines
