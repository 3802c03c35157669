// SPDX-License-Identifier: MIT
#include "engines/interp_engine.h"
#include "device/fault_guard.h"
#include "engines/fault_lane.h"
#include "engines/wave_setup.h"
#include "exec/interp.h"
#include <atomic>
#include <csignal>
#include <deque>
#include <mutex>

namespace pumice::engines {
namespace {

using exec::WaveStatus;

constexpr uint64_t kSliceInstructions = 50'000;
// Passes over waves that neither end nor wait: they may spin on another workgroup, without s_sleep. Long workgroups
// lose nothing but their turn.
constexpr unsigned kBusyPasses = 20;
// Suspended workgroups are kept up to this many bytes; cooperative launches have no bound.
constexpr size_t kResidentBytes = size_t{1} << 30;

class InterpRun : public StoppableRun {
public:
  InterpRun(const device::DispatchPacketInfo& info, std::function<bool()> better)
      : info_(info), better_(std::move(better)), total_(info.total_workgroups()) {
    size_t each = WorkgroupStorage::bytes_needed(info);
    max_resident_ = info.cooperative ? SIZE_MAX : std::max<size_t>(kResidentBytes / each, 1);
  }

  device::WorkResult work(unsigned) override {
    // Suspended workgroups found in this call: each gets one more turn, then the worker looks elsewhere.
    size_t turns_left = suspended_count();
    while (!faulted_.load(std::memory_order_acquire)) {
      Group g = next(turns_left);
      if (!g) return suspended_count() ? device::WorkResult::stuck : device::WorkResult::done;
      switch (advance(*g)) {
      case Progress::ended: recycle(std::move(g)); break;
      case Progress::waits: suspend(std::move(g)); break;
      case Progress::faulted: return device::WorkResult::faulted;
      }
    }
    return device::WorkResult::faulted;
  }

  uint64_t stop() override {
    std::lock_guard lock(mutex_);
    total_ = std::min(total_, started_);
    return started_;
  }

  exec::FaultInfo fault() const override {
    std::lock_guard lock(mutex_);
    return fault_;
  }

private:
  using Group = std::unique_ptr<WorkgroupStorage>;
  enum class Progress : uint8_t { ended, waits, faulted };

  size_t suspended_count() {
    std::lock_guard lock(mutex_);
    return suspended_.size();
  }

  /// A new workgroup if there is room for one, else a suspended one that still has a turn.
  Group next(size_t& turns_left) {
    std::unique_lock lock(mutex_);
    if (started_ < total_ && resident_ < max_resident_ && !(better_ && better_())) {
      uint64_t i = started_++;
      ++resident_;
      Group g;
      if (!spare_.empty()) {
        g = std::move(spare_.back());
        spare_.pop_back();
      }
      lock.unlock();
      if (!g) g = WorkgroupStorage::create(info_);
      if (!g) return out_of_memory(i);
      uint32_t nx = info_.workgroup_count(0), ny = info_.workgroup_count(1);
      g->start(info_, static_cast<uint32_t>(i % nx), static_cast<uint32_t>(i / nx % ny),
               static_cast<uint32_t>(i / nx / ny));
      return g;
    }
    if (suspended_.empty() || turns_left == 0) return nullptr;
    --turns_left;
    Group g = std::move(suspended_.front());
    suspended_.pop_front();
    return g;
  }

  Group out_of_memory(uint64_t index) {
    exec::FaultInfo f;
    f.kind = exec::FaultKind::out_of_memory;
    f.workgroup[0] = static_cast<uint32_t>(index);
    record(f);
    return nullptr;
  }

  void suspend(Group g) {
    std::lock_guard lock(mutex_);
    suspended_.push_back(std::move(g));
  }
  void recycle(Group g) {
    std::lock_guard lock(mutex_);
    --resident_;
    spare_.push_back(std::move(g));
  }
  void record(const exec::FaultInfo& f) {
    std::lock_guard lock(mutex_);
    if (!faulted_.exchange(true)) fault_ = f;
  }

  /// Runs the workgroup until it ends or no wave does more than spin.
  Progress advance(WorkgroupStorage& storage) {
    exec::Workgroup& g = storage.group();
    for (unsigned busy = 0;;) {
      bool moved = false, settled = false;
      uint32_t ended = 0, waiting = 0;
      for (uint32_t i = 0; i < g.wave_count; ++i) {
        exec::Wave& w = g.waves[i];
        if (w.status == WaveStatus::yielded) w.status = WaveStatus::ready;
        if (w.status == WaveStatus::ready) {
          if (!run_wave(w)) return Progress::faulted;
          moved |= w.status != WaveStatus::yielded;
          settled |= w.status == WaveStatus::ended || w.status == WaveStatus::at_barrier;
        }
        ended += w.status == WaveStatus::ended;
        waiting += w.status == WaveStatus::at_barrier;
      }
      if (ended == g.wave_count) return Progress::ended;
      if (ended + waiting == g.wave_count) { // every wave that still runs has arrived
        for (uint32_t i = 0; i < g.wave_count; ++i)
          if (g.waves[i].status == WaveStatus::at_barrier) g.waves[i].status = WaveStatus::ready;
        busy = 0;
        continue;
      }
      busy = settled ? 0 : busy + 1;
      if (!moved || busy >= kBusyPasses) return Progress::waits;
    }
  }

  bool run_wave(exec::Wave& w) {
    const device::LoadedCode& code = *info_.kernel->code;
    device::HostFault host;
    bool whole = device::run_guarded(
        [&] {
          exec::run(w, code.target, reinterpret_cast<const uint8_t*>(code.text_address), code.text_size,
                    kSliceInstructions);
        },
        host);
    if (whole && w.status != WaveStatus::faulted) return true;
    exec::FaultInfo f = w.fault;
    if (!whole) f = from_host_fault(host, w, code);
    f.wave = w.index;
    for (int d = 0; d < 3; ++d) f.workgroup[d] = w.group->id[d];
    record(f);
    return false;
  }

  device::DispatchPacketInfo info_;
  std::function<bool()> better_;
  uint64_t total_;
  size_t max_resident_ = 1;
  mutable std::mutex mutex_;
  uint64_t started_ = 0;
  size_t resident_ = 0;
  std::deque<Group> suspended_, spare_;
  std::atomic<bool> faulted_{false};
  exec::FaultInfo fault_;
};

class InterpEngine : public device::Engine {
public:
  Result<std::unique_ptr<device::DispatchRun>> start(const device::DispatchPacketInfo& info) override {
    return std::unique_ptr<device::DispatchRun>(new InterpRun(info, {}));
  }
  const char* name() const override { return "interp"; }
};

} // namespace

std::unique_ptr<StoppableRun> make_interp_run(const device::DispatchPacketInfo& info, std::function<bool()> better) {
  return std::make_unique<InterpRun>(info, std::move(better));
}

std::unique_ptr<device::Engine> make_interp_engine() { return std::make_unique<InterpEngine>(); }

} // namespace pumice::engines
