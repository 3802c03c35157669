// SPDX-License-Identifier: MIT
// Executes single instructions, assembled together in one go, on a wave with chosen registers.
#pragma once
#include "device_program.h"
#include <cstring>
#include <gtest/gtest.h>

namespace pumice::test {

struct SingleWave {
  std::unique_ptr<exec::Wave> wave = std::make_unique<exec::Wave>();
  std::vector<uint32_t> lds = std::vector<uint32_t>(exec::kLdsBytes / 4),
                        scratch = std::vector<uint32_t>(64 * 64);
  SingleWave() {
    std::memset(static_cast<void*>(wave.get()), 0, sizeof(exec::Wave));
    wave->lds = reinterpret_cast<uint8_t*>(lds.data());
    wave->lds_bytes = 4096;
    wave->scratch = reinterpret_cast<uint8_t*>(scratch.data());
    wave->scratch_bytes = 256;
    wave->set_exec(~uint64_t{0});
    wave->mode = 0x3f0;
  }
  exec::Wave& operator*() { return *wave; }
  exec::Wave* operator->() { return wave.get(); }
  void set64(unsigned sgpr, uint64_t v) {
    wave->sgpr[sgpr] = static_cast<uint32_t>(v);
    wave->sgpr[sgpr + 1] = static_cast<uint32_t>(v >> 32);
  }
  uint64_t get64(unsigned sgpr) const {
    return wave->sgpr[sgpr] | static_cast<uint64_t>(wave->sgpr[sgpr + 1]) << 32;
  }
};

/// Decoded instructions of `lines`, one each; empty (with a failure) when assembling or decoding
/// fails.
inline std::vector<isa::Inst> decode_lines(const std::vector<std::string>& lines,
                                           const std::string& cpu) {
  std::string text;
  for (const std::string& l : lines)
    text += l + "\n";
  std::vector<uint8_t> code = assemble(text, cpu);
  std::vector<isa::Inst> insts;
  for (size_t at = 0; at < code.size();) {
    isa::Inst i;
    if (!isa::decode(cpu == "gfx90a" ? isa::Target::gfx90a : isa::Target::gfx942, code.data() + at,
                     code.size() - at, i))
      break;
    insts.push_back(i);
    at += i.size;
  }
  EXPECT_EQ(insts.size(), lines.size());
  if (insts.size() != lines.size())
    insts.clear();
  return insts;
}

inline const std::vector<uint64_t>& edge_bits() {
  static const std::vector<uint64_t> v = {0,
                                          1,
                                          2,
                                          3,
                                          0xffffffffffffffff,
                                          0x7fffffff,
                                          0x80000000,
                                          0x80000001,
                                          0xffffffff,
                                          0xfffffffe,
                                          0x8000000000000000,
                                          0x7fffffffffffffff,
                                          0x100000000,
                                          31,
                                          32,
                                          33,
                                          63,
                                          64,
                                          0x00ff00ff00ff00ff,
                                          0xf0f0f0f0f0f0f0f0,
                                          0x123456789abcdef0,
                                          0x8000,
                                          0x7fff,
                                          0xffff8000,
                                          0xffff,
                                          0x80,
                                          0x00100008};
  return v;
}

} // namespace pumice::test
