// SPDX-License-Identifier: MIT
// Runs dispatches with the reference interpreter: slow, plain, the oracle.
#pragma once
#include "device/engine.h"
#include <functional>
#include <memory>

namespace pumice::engines {

std::unique_ptr<device::Engine> make_interp_engine();

/// A dispatch that can be told to start no more workgroups: the rest is somebody else's.
class StoppableRun : public device::DispatchRun {
public:
  /// Starts no workgroup any more; returns the index of the first one that was not started.
  virtual uint64_t stop() = 0;
};
/// Starts no workgroups while `better` says that something faster is there.
std::unique_ptr<StoppableRun> make_interp_run(const device::DispatchPacketInfo& info, std::function<bool()> better = {});

} // namespace pumice::engines
