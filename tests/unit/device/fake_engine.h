// SPDX-License-Identifier: MIT
// An engine whose kernels are host functions by kernel name: tests queues and the scheduler without
// any instruction set.
#pragma once
#include "device/engine.h"
#include <functional>
#include <map>
#include <string>

struct FakeRun;
/// Called for each workgroup index; the result says what became of it.
enum class FakeStep { done, stuck, fault };
using FakeKernel = std::function<FakeStep(const pumice::device::DispatchPacketInfo&,
                                          uint64_t workgroup, unsigned worker)>;

/// Kernels for the following dispatches. Not to be changed while dispatches run.
std::map<std::string, FakeKernel>& fake_kernels();
