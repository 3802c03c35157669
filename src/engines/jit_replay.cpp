// SPDX-License-Identifier: MIT
#include "engines/jit_replay.h"
#include "device/fault_guard.h"
#include "engines/fault_lane.h"
#include "engines/wave_setup.h"
#include "exec/interp.h"

namespace pumice::engines {

void refine_by_replay(const device::DispatchPacketInfo& info, exec::FaultInfo& fault) {
  auto storage = WorkgroupStorage::create(info);
  if (!storage) return;
  storage->start(info, fault.workgroup[0], fault.workgroup[1], fault.workgroup[2]);
  exec::Workgroup& g = storage->group();
  const device::LoadedCode& code = *info.kernel->code;
  uint64_t budget = 30'000'000;
  while (budget) {
    uint32_t ended = 0, waiting = 0;
    for (uint32_t k = 0; k < g.wave_count; k++) {
      exec::Wave& w = g.waves[k];
      if (w.status == exec::WaveStatus::yielded) w.status = exec::WaveStatus::ready;
      if (w.status == exec::WaveStatus::ready) {
        device::HostFault host;
        uint64_t n = 0;
        bool whole = device::run_guarded(
            [&] { n = exec::run(w, code.target, reinterpret_cast<const uint8_t*>(code.text_address), code.text_size, 100'000); }, host);
        budget -= std::min<uint64_t>(budget, n + 1);
        if (!whole || w.status == exec::WaveStatus::faulted) {
          exec::FaultInfo f = whole ? w.fault : from_host_fault(host, w, code);
          f.wave = k;
          for (int d = 0; d < 3; d++) f.workgroup[d] = fault.workgroup[d];
          fault = f;
          return;
        }
      }
      ended += w.status == exec::WaveStatus::ended;
      waiting += w.status == exec::WaveStatus::at_barrier;
    }
    if (ended == g.wave_count) return;
    if (ended + waiting == g.wave_count)
      for (uint32_t k = 0; k < g.wave_count; k++)
        if (g.waves[k].status == exec::WaveStatus::at_barrier) g.waves[k].status = exec::WaveStatus::ready;
  }
}

} // namespace pumice::engines
