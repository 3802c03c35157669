// SPDX-License-Identifier: MIT
#include "fake_engine.h"
#include <deque>
#include <mutex>

using namespace pumice;
using namespace pumice::device;

std::map<std::string, FakeKernel>& fake_kernels() {
  static auto* m = new std::map<std::string, FakeKernel>;
  return *m;
}

namespace {

class Run : public DispatchRun {
public:
  Run(const DispatchPacketInfo& info, FakeKernel k)
      : info_(info), kernel_(std::move(k)), total_(info.total_workgroups()) {}

  WorkResult work(unsigned worker) override {
    size_t turns;
    {
      std::lock_guard lock(mutex_);
      turns = parked_.size();
    }
    for (;;) {
      uint64_t g;
      {
        std::lock_guard lock(mutex_);
        if (faulted_)
          return WorkResult::faulted;
        if (next_ < total_) {
          g = next_++;
        } else if (!parked_.empty() && turns) {
          --turns;
          g = parked_.front();
          parked_.pop_front();
        } else {
          return parked_.empty() ? WorkResult::done : WorkResult::stuck;
        }
      }
      FakeStep s = kernel_(info_, g, worker);
      std::lock_guard lock(mutex_);
      if (s == FakeStep::stuck)
        parked_.push_back(g);
      if (s == FakeStep::fault) {
        faulted_ = true;
        fault_.kind = exec::FaultKind::bad_address;
        fault_.address = 0x1234;
        fault_.workgroup[0] = static_cast<uint32_t>(g);
        return WorkResult::faulted;
      }
    }
  }
  exec::FaultInfo fault() const override { return fault_; }

private:
  DispatchPacketInfo info_;
  FakeKernel kernel_;
  uint64_t total_, next_ = 0;
  std::deque<uint64_t> parked_;
  std::mutex mutex_;
  bool faulted_ = false;
  exec::FaultInfo fault_;
};

class FakeEngine : public Engine {
public:
  Result<std::unique_ptr<DispatchRun>> start(const DispatchPacketInfo& info) override {
    auto it = fake_kernels().find(info.kernel->name);
    if (it == fake_kernels().end())
      return unimplemented("kernel " + info.kernel->name);
    return std::unique_ptr<DispatchRun>(new Run(info, it->second));
  }
  const char* name() const override { return "fake"; }
};

} // namespace

namespace pumice::device {
Engine& default_engine() {
  static auto* e = new FakeEngine;
  return *e;
}
} // namespace pumice::device
