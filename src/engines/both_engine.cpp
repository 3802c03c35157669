// SPDX-License-Identifier: MIT
#include "engines/both_engine.h"
#include "base/options.h"
#include "device/stack.h"
#include "engines/interp_engine.h"
#include "engines/jit_engine.h"
#include "engines/memory_snapshot.h"
#include <cinttypes>
#include <cstdio>
#include <mutex>
#include <sched.h>
#include <set>

namespace pumice::engines {
namespace {

using device::DispatchPacketInfo;
using device::WorkResult;

/// Code segments that kernels can write hold `__device__` variables; the text itself never changes.
std::string place_of(const MemorySnapshot::Difference& d) {
  char text[160];
  std::string owner = d.where.heap == device::kHostHeap ? "host memory" : "device " + std::to_string(d.where.heap);
  const char* kind = d.where.kind == device::Allocation::Kind::code ? "a code object" : "an allocation";
  std::snprintf(text, sizeof text, "%s of %zu bytes of %s at 0x%" PRIxPTR ", offset 0x%" PRIx64, kind, d.where.size,
                owner.c_str(), d.where.base, d.offset);
  return text;
}

/// One dispatch at a time in the whole process: what others write would look like a difference.
std::mutex& turn() {
  static std::mutex m;
  return m;
}

class BothRun : public device::DispatchRun {
public:
  BothRun(const DispatchPacketInfo& info, device::Engine& interp, device::Engine& jit) : info_(info), interp_(interp), jit_(jit) {}

  uint64_t stack_bytes() const override { return device::worker_stack_bytes(); } // not known yet
  /// The first worker does everything; the dispatch is over when it leaves.
  WorkResult work(unsigned worker) override {
    if (taken_.exchange(true))
      return WorkResult::done;
    std::lock_guard lock(turn());
    auto limit = static_cast<uint64_t>(std::max<int64_t>(options::integer(options::Id::both_limit), 0)) << 20;
    MemorySnapshot before, by_interp;
    bool comparable = before.take(limit);
    exec::FaultInfo interp_fault;
    if (comparable) {
      interp_fault = run(interp_, worker);
      comparable = by_interp.take(limit);
      before.restore();
    }
    if (!comparable)
      note_once("uses more memory than PUMICE_BOTH_LIMIT; only translated code runs");
    fault_ = run(jit_, worker);
    if (comparable)
      judge(interp_fault, by_interp);
    return fault_.kind == exec::FaultKind::none ? WorkResult::done : WorkResult::faulted;
  }

  exec::FaultInfo fault() const override { return fault_; }

private:
  exec::FaultInfo run(device::Engine& engine, unsigned worker) {
    auto started = engine.start(info_);
    if (!started.ok()) {
      std::fprintf(stderr, "pumice: both: kernel %s: %s: %s\n", info_.kernel->name.c_str(), engine.name(),
                   started.status().message.c_str());
      exec::FaultInfo f;
      f.kind = exec::FaultKind::unsupported;
      return f;
    }
    for (;;) {
      switch ((*started)->work(worker)) {
      case WorkResult::done: return {};
      case WorkResult::faulted: return (*started)->fault();
      case WorkResult::stuck: sched_yield(); // waits for the host
      }
    }
  }

  void judge(const exec::FaultInfo& interp_fault, const MemorySnapshot& by_interp) {
    const char* kernel = info_.kernel->name.c_str();
    if (interp_fault.kind != fault_.kind) {
      std::fprintf(stderr, "pumice: both: kernel %s: interpreter and translator differ: fault \"%s\" and \"%s\"\n", kernel,
                   exec::fault_kind_name(interp_fault.kind), exec::fault_kind_name(fault_.kind));
      return;
    }
    if (fault_.kind != exec::FaultKind::none)
      return; // memory after a fault is unspecified
    MemorySnapshot::Difference d = by_interp.compare();
    if (d.any)
      std::fprintf(stderr,
                   "pumice: both: kernel %s (dispatch %" PRIu64 "): interpreter and translator differ in %" PRIu64
                   " bytes, first in %s: 0x%02x and 0x%02x\n",
                   kernel, info_.dispatch_id, d.bytes, place_of(d).c_str(), d.old_value, d.new_value);
  }

  void note_once(const char* what) {
    static auto* noted = new std::set<std::string>; // leaked: workers may outlive static destruction
    if (noted->insert(info_.kernel->name).second)
      std::fprintf(stderr, "pumice: engine both: kernel %s %s\n", info_.kernel->name.c_str(), what);
  }

  DispatchPacketInfo info_;
  device::Engine& interp_;
  device::Engine& jit_;
  std::atomic<bool> taken_{false};
  exec::FaultInfo fault_;
};

class BothEngine : public device::Engine {
public:
  Result<std::unique_ptr<device::DispatchRun>> start(const DispatchPacketInfo& info) override {
    return std::unique_ptr<device::DispatchRun>(new BothRun(info, *interp_, *jit_));
  }
  void prepare(const device::KernelCode& k) override { jit_->prepare(k); }
  void forget(const device::LoadedCode& code) override { jit_->forget(code); }
  const char* name() const override { return "both"; }

private:
  std::unique_ptr<device::Engine> interp_ = make_interp_engine(), jit_ = make_waiting_jit_engine();
};

} // namespace

std::unique_ptr<device::Engine> make_both_engine() { return std::make_unique<BothEngine>(); }

} // namespace pumice::engines
