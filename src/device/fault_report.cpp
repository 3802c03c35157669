// SPDX-License-Identifier: MIT
#include "device/fault_report.h"
#include "base/options.h"
#include <atomic>
#include <cinttypes>
#include <mutex>

namespace pumice::device {
namespace {

std::mutex g_mutex;
std::string* g_last = nullptr; // leaked: read during process exit, too
std::atomic<uint64_t> g_count{0};

const char* headline(exec::FaultKind k) {
  using K = exec::FaultKind;
  switch (k) {
  case K::bad_address:
    return "memory access fault: the address is not mapped";
  case K::illegal_instruction:
    return "illegal instruction";
  case K::trap:
    return "trap (s_trap: abort, assert or __builtin_trap)";
  case K::unsupported:
    return "instruction is not implemented by this engine";
  case K::misaligned:
    return "misaligned memory access";
  case K::lds_out_of_range:
    return "LDS access outside the workgroup's allocation";
  case K::scratch_out_of_range:
    return "scratch access outside the private segment";
  case K::hang:
    return "no wave makes progress";
  case K::out_of_memory:
    return "the host has no memory for the registers, LDS and scratch of a workgroup (ulimit -v?)";
  case K::none:
    break;
  }
  return "unknown fault";
}

bool has_address(exec::FaultKind k) {
  using K = exec::FaultKind;
  return k == K::bad_address || k == K::misaligned || k == K::lds_out_of_range ||
         k == K::scratch_out_of_range;
}

template <class... T> void add(std::string& s, const char* format, T... values) {
  char line[512];
  std::snprintf(line, sizeof line, format, values...);
  s += line;
}

} // namespace

FaultEvent describe_fault(const exec::FaultInfo& info, const LoadedKernel& kernel,
                          const Memory& memory, const Loader& loader) {
  FaultEvent e{kernel.device, info, kernel.code.name, {}};
  std::string& s = e.report;
  add(s, "pumice: GPU fault on device %d: %s\n", e.device, headline(info.kind));
  add(s, "  kernel     %s\n", e.kernel.c_str());
  std::string line = info.pc ? loader.source_line(info.pc) : std::string();
  if (!line.empty())
    add(s, "  source     %s\n", line.c_str());
  add(s, "  workgroup  (%u, %u, %u)  wave %u", info.workgroup[0], info.workgroup[1],
      info.workgroup[2], info.wave);
  if (info.lane >= 0)
    add(s, "  lane %d", info.lane);
  s += "\n";
  if (has_address(info.kind))
    add(s, "  address    0x%016" PRIx64 "\n", info.address);
  if (info.kind == exec::FaultKind::bad_address)
    add(s, "  nearest    %s\n", memory.describe(info.address).c_str());
  if (info.kind == exec::FaultKind::trap)
    add(s, "  trap id    %u\n", info.trap_id);
  if (info.pc) {
    add(s, "  pc         0x%016" PRIx64, info.pc);
    if (auto o = loader.object_at(info.pc)) {
      add(s, " (code object + 0x%" PRIx64 ")", info.pc - o->code->load_bias);
      uint64_t word = 0;
      uint64_t text_end = o->code->text_address + o->code->text_size;
      if (info.pc >= o->code->text_address && info.pc + 8 <= text_end) {
        __builtin_memcpy(&word, reinterpret_cast<const void*>(info.pc), 8);
        add(s, " instruction words %08x %08x", static_cast<uint32_t>(word),
            static_cast<uint32_t>(word >> 32));
      }
    }
  } else {
    s += "  pc         unknown";
  }
  if (line.empty())
    s += "\n  (compile with -g to see the source line)";
  return e;
}

FaultEvent describe_refusal(const Status& why, const std::string& kernel, int device) {
  FaultEvent e;
  e.device = device;
  e.kernel = kernel;
  e.info.kind =
      why.code == Code::unimplemented ? exec::FaultKind::unsupported : exec::FaultKind::none;
  add(e.report, "pumice: device %d cannot run the packet: %s", device, why.message.c_str());
  if (!kernel.empty())
    add(e.report, "\n  kernel     %s", kernel.c_str());
  return e;
}

void publish_fault(const FaultEvent& event) {
  if (options::text(options::Id::log) != "off")
    std::fprintf(stderr, "%s\n", event.report.c_str());
  std::lock_guard lock(g_mutex);
  if (!g_last)
    g_last = new std::string;
  *g_last = event.report;
  g_count.fetch_add(1);
}

std::string last_fault_report() {
  std::lock_guard lock(g_mutex);
  return g_last ? *g_last : std::string();
}

uint64_t fault_count() {
  return g_count.load();
}

} // namespace pumice::device
