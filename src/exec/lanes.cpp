// SPDX-License-Identifier: MIT
// Instructions that look across lanes: readlane, readfirstlane, writelane, mbcnt.
#include "exec/state.h"

namespace pumice::exec {

void bind_lanes(Bodies& b) {
  b.bind(Op::v_readfirstlane_b32, [](Wave& w, const Inst& i) {
    unsigned lane = w.exec() ? static_cast<unsigned>(std::countr_zero(w.exec())) : 0;
    write_scalar(w, i.dst[0], source(w, i, i.src[0]).low(w, lane));
  });
  // Both ignore EXEC.
  b.bind(Op::v_readlane_b32, [](Wave& w, const Inst& i) {
    unsigned lane = read_scalar(w, i, i.src[1]) & 63;
    write_scalar(w, i.dst[0], source(w, i, i.src[0]).low(w, lane));
  });
  b.bind(Op::v_writelane_b32, [](Wave& w, const Inst& i) {
    unsigned lane = read_scalar(w, i, i.src[1]) & 63;
    w.vgpr[i.dst[0].vgpr()][lane] = static_cast<uint32_t>(read_scalar(w, i, i.src[0]));
  });
  bind_lane(b, Op::v_mbcnt_lo_u32_b32, [](Context& c, uint32_t x, uint32_t y) {
    uint32_t below = c.lane >= 32 ? ~0u : (1u << c.lane) - 1;
    return static_cast<uint32_t>(std::popcount(x & below)) + y;
  });
  bind_lane(b, Op::v_mbcnt_hi_u32_b32, [](Context& c, uint32_t x, uint32_t y) {
    uint32_t below = c.lane < 32 ? 0 : (1u << (c.lane - 32)) - 1;
    return static_cast<uint32_t>(std::popcount(x & below)) + y;
  });
}

} // namespace pumice::exec
