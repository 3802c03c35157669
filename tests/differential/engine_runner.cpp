// SPDX-License-Identifier: MIT
#include "engine_runner.h"
#include <cstring>
#include <sys/mman.h>

namespace pumice::test {
namespace {

constexpr size_t kTextBytes = 1 << 20;

} // namespace

EngineRunner::EngineRunner() {
  text_ = static_cast<uint8_t*>(mmap(nullptr, kTextBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
}
EngineRunner::~EngineRunner() { munmap(text_, kTextBytes); }

RunResult EngineRunner::run(device::Engine& engine, const Program& p) {
  RunResult out;
  std::memset(text_, 0, kTextBytes);
  std::memcpy(text_, p.words.data(), p.words.size() * 4);
  auto code = std::make_shared<device::LoadedCode>();
  code->id = next_id_++;
  code->hash = p.seed;
  code->target = p.target;
  code->text_address = reinterpret_cast<uint64_t>(text_);
  code->text_size = p.words.size() * 4;
  code->load_bias = code->text_address;
  uint64_t main_bytes = (p.function_start ? p.function_start : p.words.size()) * 4;
  code->functions.push_back({"random", code->text_address, main_bytes});
  if (p.function_start)
    code->functions.push_back({"called", code->text_address + main_bytes, code->text_size - main_bytes});

  uint32_t waves = p.groups * p.waves_per_group;
  std::vector<uint32_t> in = interesting_words(p.seed, kInBytes / 4);
  out.memory = interesting_words(p.seed + 1, size_t{waves} * kMemBytesPerWave / 4);
  out.dump.assign(size_t{waves} * p.dump_bytes_per_wave / 4 + 64, 0xdeadbeef);
  alignas(64) uint64_t kernarg[8] = {reinterpret_cast<uint64_t>(in.data()), reinterpret_cast<uint64_t>(out.dump.data()),
                                     reinterpret_cast<uint64_t>(out.memory.data())};

  device::KernelCode kernel;
  kernel.code = code;
  kernel.name = "random";
  kernel.entry = code->text_address;
  codeobj::KernelDescriptor& d = kernel.descriptor;
  d.kernarg_size = 64;
  d.group_segment_fixed_size = p.waves_per_group * kLdsBytesPerWave;
  d.private_segment_fixed_size = kPrivateBytes;
  d.rsrc1 = p.rsrc1;
  bool architected = p.target == isa::Target::gfx942;
  d.rsrc2 = 8u << 1 | 1u << 7 | 1u; // user SGPRs, workgroup id x, private segment
  // s[0:3] private buffer (gfx942: dispatch and queue pointer), s[4:5] arguments, s[6:7] flat scratch.
  d.properties = architected ? 2 | 4 | 8 : 1 | 8 | 32;

  device::DispatchPacketInfo info{};
  info.kernel = &kernel;
  info.grid[0] = p.groups * p.workgroup, info.grid[1] = info.grid[2] = 1;
  info.workgroup[0] = static_cast<uint16_t>(p.workgroup), info.workgroup[1] = info.workgroup[2] = 1;
  info.group_segment_bytes = d.group_segment_fixed_size;
  info.private_segment_bytes = d.private_segment_fixed_size;
  info.kernarg = kernarg;
  uint64_t packet[8] = {};
  info.packet = packet;
  info.queue = packet;
  auto started = engine.start(info);
  if (!started.ok()) {
    out.error = started.status().message;
    return out;
  }
  for (int turn = 0; turn < 1000; turn++) {
    switch ((*started)->work(0)) {
    case device::WorkResult::done: engine.forget(*code); return out;
    case device::WorkResult::stuck: break;
    case device::WorkResult::faulted: {
      exec::FaultInfo f = (*started)->fault();
      char text[200];
      std::snprintf(text, sizeof text, "fault: %s at +%llu, address 0x%llx, lane %d wave %u", exec::fault_kind_name(f.kind),
                    static_cast<unsigned long long>(f.pc - code->text_address), static_cast<unsigned long long>(f.address), f.lane, f.wave);
      out.error = text;
      engine.forget(*code);
      return out;
    }
    }
  }
  out.error = "no progress";
  return out;
}

std::string compare(const Program& p, const RunResult& a, const RunResult& b) {
  char text[300];
  if (!a.error.empty() || !b.error.empty()) return a.error == b.error ? "both: " + a.error : "[" + a.error + "] and [" + b.error + "]";
  size_t row_words = 64, rows = p.dumped.size();
  for (size_t k = 0; k < a.dump.size(); k++) {
    if (a.dump[k] == b.dump[k]) continue;
    size_t row = k / row_words, wave = row / rows;
    // Matrix registers: any NaN is as good as another, as single or double.
    if (p.uses_matrix && row % rows >= p.matrix_row && row % rows < p.matrix_row + 64) {
      auto nan32 = [](uint32_t v) { return (v & 0x7fffffff) > 0x7f800000; };
      auto nan64 = [&](const std::vector<uint32_t>& d) { return (d[((row & ~size_t{1}) | 1) * row_words + k % row_words] & 0x7fffffff) >= 0x7ff00000; };
      if ((nan32(a.dump[k]) && nan32(b.dump[k])) || (nan64(a.dump) && nan64(b.dump))) continue;
    }
    size_t more = 0;
    for (size_t q = k + 1; q < a.dump.size(); q++) more += a.dump[q] != b.dump[q];
    std::snprintf(text, sizeof text, "wave %zu, %s, lane %zu: 0x%08x and 0x%08x (and %zu more words)", wave, row < rows * p.groups * p.waves_per_group ? p.dumped[row % rows].c_str() : "beyond",
                  k % row_words, a.dump[k], b.dump[k], more);
    return text;
  }
  for (size_t k = 0; k < a.memory.size(); k++)
    if (a.memory[k] != b.memory[k]) {
      std::snprintf(text, sizeof text, "memory byte %zu (wave %zu): 0x%08x and 0x%08x", k * 4, k * 4 / kMemBytesPerWave, a.memory[k], b.memory[k]);
      return text;
    }
  return "";
}

} // namespace pumice::test
