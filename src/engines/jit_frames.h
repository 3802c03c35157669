// SPDX-License-Identifier: MIT
// Frames: the memory of one workgroup in flight (LDS window, wave structs, scratch), pooled across dispatches.
// Waves and LDS are reserved address space; pages appear on first touch.
#pragma once
#include "jit/abi.h"
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace pumice::engines {

class JitFrame {
public:
  /// Null when the host has no memory.
  static std::unique_ptr<JitFrame> create();
  ~JitFrame();
  JitFrame(const JitFrame&) = delete;
  jit::Frame& frame() { return frame_; }
  /// Grows scratch to `waves` times `bytes_per_lane`. False when there is no memory.
  bool fit_scratch(uint32_t waves, uint32_t bytes_per_lane);

  static constexpr uint32_t kMaxWaves = 16;

private:
  JitFrame() = default;
  jit::Frame frame_{};
  exec::Workgroup group_{};
  uint32_t resume_[kMaxWaves] = {};
  void* lds_map_ = nullptr;
  void* wave_map_ = nullptr;
  void* scratch_map_ = nullptr;
  size_t scratch_bytes_ = 0;
};

class FramePool {
public:
  std::unique_ptr<JitFrame> take();
  void give(std::unique_ptr<JitFrame> f);

private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<JitFrame>> spare_;
};

} // namespace pumice::engines
