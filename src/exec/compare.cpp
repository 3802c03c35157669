// SPDX-License-Identifier: MIT
#include "exec/compare.h"
#include <cinttypes>
#include <cstdio>

namespace pumice::exec {
namespace {

bool is_nan_bits(uint32_t v) {
  return (v & 0x7fffffff) > 0x7f800000;
}

std::string differ(const std::string& what, uint64_t a, uint64_t b) {
  char text[96];
  std::snprintf(text, sizeof text, ": 0x%" PRIx64 " / 0x%" PRIx64, a, b);
  return what + text;
}

} // namespace

std::string first_difference(const Wave& a, const Wave& b, NanRule nan, unsigned vgprs,
                             unsigned sgprs) {
  if (a.status != b.status)
    return differ("status", static_cast<uint64_t>(a.status), static_cast<uint64_t>(b.status));
  if (a.fault.kind != b.fault.kind)
    return std::string("fault: ") + fault_kind_name(a.fault.kind) + " / " +
           fault_kind_name(b.fault.kind);
  if (a.pc != b.pc)
    return differ("pc", a.pc, b.pc);
  for (unsigned r = 0; r < sgprs && r < 128; ++r)
    if (a.sgpr[r] != b.sgpr[r])
      return differ("sgpr " + std::to_string(r), a.sgpr[r], b.sgpr[r]);
  if (a.scc != b.scc)
    return differ("scc", a.scc, b.scc);
  if (a.mode != b.mode)
    return differ("mode", a.mode, b.mode);
  for (unsigned bank = 0; bank < 2; ++bank)
    for (unsigned r = 0; r < vgprs && r < 256; ++r)
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        uint32_t x = a.vgpr[bank * 256 + r][lane], y = b.vgpr[bank * 256 + r][lane];
        if (x == y || (nan == NanRule::any_nan && is_nan_bits(x) && is_nan_bits(y)))
          continue;
        return differ((bank ? "a" : "v") + std::to_string(r) + " lane " + std::to_string(lane), x,
                      y);
      }
  return "";
}

} // namespace pumice::exec
